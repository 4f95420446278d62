"""Films for WLED: a preset for each frame, which sets the lamps that change, and playlists of them.

The file is ``presets.json``.  By https://github.com/wled/WLED, versions 0.14.4, 0.15.4 and 16.0.1,
a preset is found by the text ``"7":`` between a comma and its object, and no space (``file.cpp``).
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lightsanim.animation.animation import Animation
from lightsanim.animation.painting import OnFrame
from lightsanim.animation.timing import ticks
from lightsanim.errors import OptionError
from lightsanim.led.wiring import Lamps, lamps_of
from lightsanim.look.theme import Theme
from lightsanim.web.pages import valid_utf8

# ``savePreset``: numbers of presets; ``loadPlaylist``: entries, and rounds before a byte overflows.
MOST_PRESETS, MOST_ENTRIES, MOST_ROUNDS = 250, 100, 254

# ``JSON_BUFFER_SIZE``: bytes of a preset in memory, on every ESP32 and on an ESP8266.
MOST_BYTES, MOST_8266 = 24_576, 10_240


def write_wled(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame, *, stem: str
) -> str | None:
    """Write an animation for WLED; tells what a small controller has no room for."""
    presets = [*_playlists(animation, re.sub(r'["{}\\]', "_", valid_utf8(stem))[:32])]
    lines, most = ['"0":{}'], 0
    for number, preset in enumerate([*presets, *_frames(animation, theme)], 1):
        text = json.dumps(preset, separators=(",", ":"))
        lines.append(f'"{number}":{text}')
        most = max(most, _memory(text))
        if most > MOST_BYTES:
            size = f"frame {number - len(presets) - 1} takes {most} bytes of WLED's memory"
            advice = "take fewer cells, or fewer clicks in a frame"
            raise OptionError(f"{size}, and a preset has at most {MOST_BYTES}; {advice}", "size")
        on_frame()
    # What WLED saves there later goes before the brace at the very end.
    path.write_text("{" + "\n,".join(lines) + "}")
    return None if most <= MOST_8266 else f"presets of {most} bytes: an ESP8266 holds {MOST_8266}"


def _memory(preset: str) -> int:
    # ArduinoJson 6 takes 16 bytes for a value, keeps a text once, and reads it before it looks.
    slots = sum(map(preset.count, ",[{")) - preset.count("[]")
    texts = [len(text) + 1 for text in set(re.findall('"([^"]*)"', preset))]
    return 16 * slots + sum(texts) + max(texts)


def _playlists(animation: Animation, name: str) -> Iterator[dict[str, Any]]:
    # Those after the first go on where the one before ends; so do rounds, as each is played once.
    frames, loop = len(animation), animation.loop
    starts = [*range(0, frames, MOST_ENTRIES)]
    starts *= 1 if len(starts) == 1 else max(1, loop)
    if (count := len(starts)) + frames > MOST_PRESETS:
        what = f"WLED has {MOST_PRESETS} presets, and {frames} frames take {frames + count}"
        advice = "take a shorter duration, more clicks in a frame, fewer fps or loop 0"
        raise OptionError(f"{what}; {advice}", "fps")
    if loop > MOST_ROUNDS:
        raise OptionError(f"WLED plays a film at most {MOST_ROUNDS} times, not {loop}", "loop")
    ids, tenths = range(count + 1, count + 1 + frames), ticks(animation.durations(), 10).tolist()
    for number, start in enumerate(starts, 1):
        part = slice(start, start + MOST_ENTRIES)
        end = number + 1 if number < count else int(count > 1 and loop == 0)
        shown = {"ps": [*ids[part]], "dur": tenths[part], "transition": 0}
        playlist = {**shown, "repeat": loop if count == 1 else 1, "end": end}
        yield {"n": f"{name} {number}", "on": True, "playlist": playlist}


def _frames(animation: Animation, theme: Theme) -> Iterator[dict[str, Any]]:
    # What is transparent is dark.
    shades = theme.shades_with_alpha(animation.boards, animation.board.levels).tolist()
    colours = [bytes(part * alpha // 255 for part in rgb).hex() for *rgb, alpha in shades]
    order = lamps_of(animation.board.shape, theme.wiring, theme.panels)
    # The first sets all lamps, however the segment was set up before.
    setup = {"on": True, "bri": 255, "grp": 1, "spc": 0, "of": 0, "rev": False, "mi": False}
    shown, lamps = None, np.empty(animation.board.cells, np.int64)
    for changed, _ in animation.changes():
        lamps[order] = changed
        most = np.full_like(lamps, np.bincount(lamps).argmax())
        items = [0, len(lamps), colours[most[0]], *_runs(lamps, most, colours)]
        if shown is not None:
            items = min([*_runs(lamps, shown, colours)], items, key=len)
        yield {"seg": {"id": 0, **setup, "i": items}}
        shown, setup = lamps.copy(), {}


def _runs(lamps: Lamps, shown: Lamps, colours: Sequence[str]) -> Iterator[int | str]:
    # Lamps that follow each other and take one colour: start, stop, colour; of one lamp no stop.
    changed = np.flatnonzero(lamps != shown)
    breaks = (np.diff(changed) > 1) | (np.diff(lamps[changed]) != 0)
    for run in np.split(changed, np.flatnonzero(breaks) + 1) if len(changed) else ():
        yield from [int(run[0])] if len(run) == 1 else [int(run[0]), int(run[-1]) + 1]
        yield colours[lamps[run[0]]]
