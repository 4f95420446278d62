"""Films for WLED: a preset for each frame, which sets the lamps that change, and playlists of them.

The file is WLED's ``presets.json``.  What that holds stands in its sources
(https://github.com/wled/WLED, read in the versions 0.14.4, 0.15.4 and 16.0.1): a preset is found by
the text ``"7":`` right before its object, after a comma that follows at once (``file.cpp``), and
read into a JSON document of a fixed size (``JSON_BUFFER_SIZE`` in ``const.h``).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.timing import ticks
from lightsanim.errors import OptionError
from lightsanim.look.paint import OnFrame
from lightsanim.look.theme import Theme
from lightsanim.options.colours import to_colour
from lightsanim.options.table import LookOptions
from lightsanim.options.wiring import Panels, Wiring
from lightsanim.web.pages import sayable

# Numbers of presets end here (``savePreset``); what a playlist holds, and how often it is played
# before its byte overflows (``loadPlaylist``).
MOST_PRESETS, MOST_ENTRIES, MOST_ROUNDS = 250, 100, 254

# Bytes of a preset in memory: on every ESP32, and on an ESP8266.
MOST_BYTES, MOST_BYTES_8266 = 24_576, 10_240

# Bytes of a value in ArduinoJson 6, on 32 bits; texts take their letters, once each, and a zero.
SLOT = 16

# Letters of a preset's name.
LONGEST_NAME = 32


def write_wled(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame, *, stem: str = "film"
) -> str | None:
    """Write an animation for WLED; tells what a small controller has no room for."""
    lists = _playlists(animation, re.sub(r'["{}\\]', "_", sayable(stem))[:LONGEST_NAME])
    presets = [json.dumps(playlist, separators=(",", ":")) for playlist in lists]
    for number, frame in enumerate(_frames(animation, theme)):
        presets.append(json.dumps(frame, separators=(",", ":")))
        if (bytes := memory(presets[-1])) > MOST_BYTES:
            raise OptionError(
                f"frame {number} takes {bytes} bytes of WLED's memory, and a preset has at most "
                f"{MOST_BYTES}; take fewer cells, or fewer clicks in a frame",
                "size",
            )
        on_frame()
    lines = ['"0":{}', *(f'"{number}":{preset}' for number, preset in enumerate(presets, 1))]
    # What WLED saves there later goes before the brace at the very end.
    path.write_text("{" + "\n,".join(lines) + "}")
    if (most := max(map(memory, presets))) <= MOST_BYTES_8266:
        return None
    return f"presets of {most} bytes, for an ESP32: an ESP8266 holds {MOST_BYTES_8266}"


def memory(preset: str) -> int:
    """The bytes of memory in which a preset is read: its members and items, its texts, and one more
    text, as each is read before it is known that it is there already.

    >>> memory('{"seg":{"i":[0,"ff0000",1,"ff0000"]}}')
    116
    """
    slots = sum(map(preset.count, ",[{")) - preset.count("[]")
    texts = [len(text) + 1 for text in set(re.findall('"([^"]*)"', preset))]
    return SLOT * slots + sum(texts) + max(texts)


def _playlists(animation: Animation, name: str) -> list[dict[str, Any]]:
    # Those after the first go on where the one before ends; so do rounds, as each is played once.
    frames, loop = len(animation), animation.loop
    starts = range(0, frames, MOST_ENTRIES)
    count = len(starts) * (1 if len(starts) == 1 else max(1, loop))
    if frames + count > MOST_PRESETS:
        raise OptionError(
            f"WLED has {MOST_PRESETS} presets, and {frames} frames take {frames + count}; take a "
            "shorter duration, more clicks in a frame, fewer fps or loop 0",
            "fps",
        )
    if loop > MOST_ROUNDS:
        raise OptionError(f"WLED plays a film at most {MOST_ROUNDS} times, not {loop}", "loop")
    tenths = ticks(animation.durations(), 10).tolist()
    return [
        {
            "n": name if number == 0 else f"{name} {number + 1}",
            "on": True,
            "playlist": {
                "ps": [count + frame + 1 for frame in range(frames)][start:][:MOST_ENTRIES],
                "dur": tenths[start:][:MOST_ENTRIES],
                "transition": 0,
                "repeat": loop if count == 1 else 1,
                "end": number + 2 if number + 1 < count else int(count > 1 and loop == 0),
            },
        }
        for number in range(count)
        for start in [starts[number % len(starts)]]
    ]


def _frames(animation: Animation, theme: Theme) -> Iterator[Mapping[str, Any]]:
    colours = _colours(animation, theme)
    order = lamps_of(animation.board.shape, theme.wiring, theme.panels)
    # The first sets all lamps, however the segment was set up before.
    setup = {"on": True, "bri": 255, "grp": 1, "spc": 0, "of": 0, "rev": False, "mi": False}
    shown, lamps = None, np.empty(animation.board.cells, np.int64)
    for shades, _ in animation.changes():
        lamps[order] = shades
        most = np.full_like(lamps, np.bincount(lamps).argmax())
        items = [0, len(lamps), colours[most[0]], *_runs(lamps, most, colours)]
        if shown is not None:
            items = min([*_runs(lamps, shown, colours)], items, key=len)
        yield {"seg": {"id": 0, **setup, "i": items}}
        shown, setup = lamps.copy(), {}


def _runs(
    lamps: NDArray[np.int64], shown: NDArray[np.int64], colours: Sequence[str]
) -> Iterator[int | str]:
    # Lamps that follow each other and take one colour: start, stop, colour; of one lamp no stop.
    changed = np.flatnonzero(lamps != shown)
    breaks = (np.diff(changed) > 1) | (np.diff(lamps[changed]) != 0)
    for run in np.split(changed, np.flatnonzero(breaks) + 1) if len(changed) else ():
        yield from ([int(run[0])] if len(run) == 1 else [int(run[0]), int(run[-1]) + 1])
        yield colours[lamps[run[0]]]


def _colours(animation: Animation, theme: Theme) -> list[str]:
    # Of each shade; what is transparent is dark, and so are unlit lamps unless something is said.
    if theme.unlit is None and theme.palette == attrs.fields(LookOptions).palette.default:
        theme = attrs.evolve(theme, unlit=to_colour("black"))
    shades = theme.shades_with_alpha(animation.boards, animation.board.levels).astype(int)
    lights = np.round(shades[:, :3] * shades[:, 3:] / 255).astype(np.uint8)
    return [light.tobytes().hex() for light in lights]


def lamps_of(shape: tuple[int, int], wiring: Wiring, panels: Panels) -> NDArray[np.int64]:
    """The lamp of each cell, int64 (rows, columns), as Adafruit_NeoMatrix's ``drawPixel`` has it.

    >>> lamps_of((2, 4), Wiring(), Panels(across=2)).tolist()
    [[0, 1, 4, 5], [2, 3, 6, 7]]
    """
    order, (row, column) = panels.wiring, np.indices(shape)
    rows, columns = shape[0] // panels.down, shape[1] // panels.across
    before = _before(order, panels.down, panels.across, row // rows, column // columns)
    # Every other line of zigzag panels is upside down.
    line = before // (panels.down if order.columns else panels.across)
    turned = line % 2 * order.zigzag
    return before * rows * columns + _before(
        wiring, rows, columns, row % rows, column % columns, turned
    )


def _before(
    wiring: Wiring,
    rows: int,
    columns: int,
    row: NDArray[np.int64],
    column: NDArray[np.int64],
    turned: NDArray[np.int64] | int = 0,
) -> NDArray[np.int64]:
    # How many places come before each on the wire.
    row = np.where(wiring.bottom ^ turned, rows - 1 - row, row)
    column = np.where(wiring.right ^ turned, columns - 1 - column, column)
    line, place, length = (column, row, rows) if wiring.columns else (row, column, columns)
    return line * length + np.where(wiring.zigzag & line, length - 1 - place, place)
