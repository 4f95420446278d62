"""The command that makes a film's file again."""

from itertools import repeat
from pathlib import Path
from typing import Any

import attrs

from lightsanim.errors import LightsAnimError
from lightsanim.options.legacy import SERPENTINE, modernize_record
from lightsanim.options.outputs import LIMITED_SIZES, LabelOptions, Outputs
from lightsanim.options.picture_options import format_source
from lightsanim.options.records import option_names, options_from_record
from lightsanim.options.settings import Settings
from lightsanim.options.stages import MAX_SERPENTINE_CELLS
from lightsanim.options.values import CUSTOM
from lightsanim.output.reports.in_words import format_make_command
from .animation_file import AnimationFile


def make_film_command(file: AnimationFile, path: Path) -> str | None:
    """Return the command that makes a file again, or None if the file does not state how.

    Films of version 1.0 may have an option that this version does not offer; then it is None, too.
    """
    origin, film = file.origin, file.metadata or file.animation
    if origin is None or film is None or origin.settings.get("order") == CUSTOM:
        return None
    record: dict[str, Any] = {**origin.settings}
    try:
        own = list(map(modernize_record, origin.own))
        chosen = file.board.cells <= MAX_SERPENTINE_CELLS
        directions = {record.pop(SERPENTINE, None), *(one.pop(SERPENTINE, None) for one in own)}
        if not directions <= {None, chosen}:
            return None
        if origin.program.startswith("1.") and record.get("focus") is None:
            record["focus"] = "50%,50%,1"  # 1.0 always showed the middle
        settings = options_from_record(Settings, record)
        theme = file.theme.with_spot_colours(settings.spot)
        theme = theme.with_named_palette(file.planes, file.board.levels)
        theme = attrs.evolve(theme, **{n: record[n] for n in LIMITED_SIZES if n in record})
        file_options: dict[str, Any] = {"path": Path(path.name)}
        file_options |= {name: record[name] for name in ("max_bytes", "mute") if record.get(name)}
        outputs = Outputs(output=file_options)
        pictures = list(map(format_source, origin.words or film.pictures, own or repeat({})))
        texts = origin.label.as_dict
        label = {name: texts[name] for name in option_names(LabelOptions) if name in texts}
        return format_make_command(pictures, settings, theme, outputs, label)
    except (LightsAnimError, TypeError, ValueError):  # options of a stranger, or of another version
        return None
