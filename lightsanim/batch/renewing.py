"""New titles and credits in files that are there: nothing is solved, frames stay as they are."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from lightsanim.animation.origin import Label, Origin
from lightsanim.batch.folder import kept_animation, kept_path, written_at
from lightsanim.batch.results import Result
from lightsanim.formats.metadata import read_metadata
from lightsanim.formats.registry import format_of, open_frames
from lightsanim.pipeline import labelled
from lightsanim.saving.atomic import Content, write_all


def with_label(folder: Path, result: Result, label: Label) -> Result:
    """A result whose files say this of the work from now on: all of them, or none."""
    kept = kept_animation(folder, result)
    if (animation := labelled(kept, label)) is kept:
        return result
    place = kept_path(folder, result.id)
    films = [place, *(folder / file for file in result.files if file != result.sheet)]
    write_all(dict(each for film in films for each in _contents(film, animation.origin)))
    outputs = [{"path": file, **written_at(folder / file)} for file in result.files]
    return replace(result, outputs=outputs, kept=written_at(place)["sha256"])


def _contents(path: Path, origin: Origin | None) -> Iterator[tuple[Path, Content]]:
    # Of a film, or of each file of a folder of frames.
    format = format_of(path)
    if format.load is not None:
        saved = format.load(path)
        animation = replace(saved.animation, origin=origin)
        yield path, lambda new: format.write(animation, new, saved.theme, lambda: None)
    elif format.renew is not None:
        with open_frames(path) as film:
            old = next(filter(None, map(read_metadata, film.texts)))
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            yield file, partial(format.renew, file, old=old, new=replace(old, origin=origin))
