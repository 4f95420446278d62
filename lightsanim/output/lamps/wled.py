"""Write films for WLED: playlists, and one preset per frame, which sets the lamps that change.

The file is WLED's ``presets.json``.  WLED (https://github.com/wled/WLED, versions 0.14.4, 0.15.4,
16.0.1, ``file.cpp``) finds preset 7 by the text ``"7":``, so no space may follow the colon.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lightsanim.errors import OptionError
from lightsanim.film.animation import Animation
from lightsanim.film.timing import durations_to_ticks
from lightsanim.output.look.paint_film import OnFrame
from lightsanim.output.look.theme import Theme
from lightsanim.web.templating import valid_utf8
from .wiring import Lamps, lamp_numbers

# Highest number of a preset (WLED's ``savePreset``).
MAX_PRESETS = 250
# Maximum entries of a playlist; maximum plays, which WLED counts in a byte (``loadPlaylist``).
MAX_ENTRIES, MAX_ROUNDS = 100, 254
# Limit of a preset in memory, in bytes, on an ESP32 and on an ESP8266 (``JSON_BUFFER_SIZE``).
MAX_BYTES, MAX_8266 = 24_576, 10_240


def write_wled(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame, *, stem: str
) -> str | None:
    """Write an animation for WLED; return a note if an ESP8266 has too little memory for it."""
    presets = [*_build_playlists(animation, re.sub(r'["{}\\]', "_", valid_utf8(stem))[:32])]
    lines, peak = ['"0":{}'], 0
    for number, preset in enumerate([*presets, *_build_frame_presets(animation, theme)], 1):
        text = json.dumps(preset, separators=(",", ":"))
        lines.append(f'"{number}":{text}')
        peak = max(peak, _estimate_preset_memory(text))
        if peak > MAX_BYTES:
            raise OptionError(
                f"frame {number - len(presets) - 1} takes {peak} bytes of WLED's memory, but a "
                f"preset may take only {MAX_BYTES}; use fewer cells, or fewer clicks per frame",
                "size",
            )
        on_frame()
    # The closing brace must be the last byte: WLED inserts further presets before it.
    path.write_text("{" + "\n,".join(lines) + "}")
    return None if peak <= MAX_8266 else f"a preset takes {peak} bytes; an ESP8266 has {MAX_8266}"


def _estimate_preset_memory(preset: str) -> int:
    # ArduinoJson 6 needs 16 bytes per value, each distinct text once, and the text being read.
    slots = sum(map(preset.count, ",[{")) - preset.count("[]")
    texts = [len(text) + 1 for text in set(re.findall('"([^"]*)"', preset))]
    return 16 * slots + sum(texts) + max(texts)


def _build_playlists(animation: Animation, name: str) -> Iterator[dict[str, Any]]:
    # Several playlists play once each, one after the other, so every round needs its own.
    frames, loop = len(animation), animation.loop
    starts = [*range(0, frames, MAX_ENTRIES)]
    starts *= 1 if len(starts) == 1 else max(1, loop)
    if (count := len(starts)) + frames > MAX_PRESETS:
        raise OptionError(
            f"{frames} frames take {frames + count} presets, and WLED has only {MAX_PRESETS}; use "
            "a shorter duration, more clicks per frame, fewer fps or loop 0",
            "fps",
        )
    if loop > MAX_ROUNDS:
        raise OptionError(f"loop for WLED must be at most {MAX_ROUNDS}, not {loop}", "loop")
    ids = range(count + 1, count + 1 + frames)
    tenths = durations_to_ticks(animation.durations(), 10).tolist()
    for number, start in enumerate(starts, 1):
        part = slice(start, start + MAX_ENTRIES)
        end = number + 1 if number < count else int(count > 1 and loop == 0)
        playlist = {
            "ps": [*ids[part]],
            "dur": tenths[part],
            "transition": 0,
            "repeat": loop if count == 1 else 1,
            "end": end,
        }
        yield {"n": f"{name} {number}", "on": True, "playlist": playlist}


def _build_frame_presets(animation: Animation, theme: Theme) -> Iterator[dict[str, Any]]:
    # Colours are blended with black by their alpha.
    shades = theme.shades_with_alpha(animation.boards, animation.board.levels).tolist()
    colours = [bytes(part * alpha // 255 for part in rgb).hex() for *rgb, alpha in shades]
    order = lamp_numbers(animation.board.shape, theme.wiring, theme.panels)
    # The first preset also resets other settings of the segment.
    setup = {"on": True, "bri": 255, "grp": 1, "spc": 0, "of": 0, "rev": False, "mi": False}
    previous, lamps = None, np.empty(animation.board.cells, np.int64)
    for changed, _ in animation.changes():
        lamps[order] = changed
        common = np.full_like(lamps, np.bincount(lamps).argmax())
        items = [0, len(lamps), colours[common[0]], *_find_colour_runs(lamps, common, colours)]
        if previous is not None:
            items = min([*_find_colour_runs(lamps, previous, colours)], items, key=len)
        yield {"seg": {"id": 0, **setup, "i": items}}
        previous, setup = lamps.copy(), {}


def _find_colour_runs(lamps: Lamps, previous: Lamps, colours: Sequence[str]) -> Iterator[int | str]:
    # Yields start, stop and colour of each run of changed lamps of a colour; no stop for one lamp.
    changed = np.flatnonzero(lamps != previous)
    breaks = (np.diff(changed) > 1) | (np.diff(lamps[changed]) != 0)
    for run in np.split(changed, np.flatnonzero(breaks) + 1) if len(changed) else ():
        yield from [int(run[0])] if len(run) == 1 else [int(run[0]), int(run[-1]) + 1]
        yield colours[lamps[run[0]]]
