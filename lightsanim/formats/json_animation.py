"""The file format of animations: JSON that a reader can check with nothing but the rules.

    {
      "format": "lightsanim",            always
      "version": 2,                      of the format
      "program": "1.0.0",                what wrote it
      "board": {"rows": 2, "columns": 3, "rule": "plus", "wrap": false, "levels": 3},
                                         "levels" is left out where there are two
      "pictures": ["sun", "moon"],       names, in the order shown
      "seed": 12345,                     of the click order, or null
      "origin": {"program": "1.0.0",     null, or how the animation was made: by which version,
        "settings": {"size": "60", ...}, all options of make, with the seed that was used, the
        "sha256": ["...", null],         sha256 of each picture's file, null where there was none;
        "cut_short": false,              whether the time limit ended a search: then another run
                                         may find other clicks; null where that is not known;
        "own": [{"crop": "..."}, {}],    of each picture, the options of its own; left out where
                                         no picture has any
        "label": {"title": "...",        what is said of the work: title, caption, credit,
          "credit": "..."}},             licence, date, alt, series, link; left out where nothing is
      "fps": 25.0,                       frames a second
      "holds": [[0, 0.96], [2, 2.0]],    [frame, seconds that it is shown longer]
      "loop": 0,                         how often it is played, 0 = for ever
      "first": [["020", "112"]],         frame 0: of each board the levels, row by row, 0 = unlit
      "targets": [[["120", ...]], ...],  what each picture's frame should show, or an empty list
      "clicks": [4, 0, 5],               cells clicked in order, row * columns + column
      "primaries": [7, 1, 2],            null, or in colour the boards that each click is made on
      "frames": [0, 1, 3],               clicks done when each frame is shown
      "steps": ["9aBk..."],              null, or in place of clicks, which then is empty, as in
                                         colour primaries are: click sets; then frames tells how
                                         many steps are done.  Of each the bits in base64: the
                                         lowest bit of how often each cell is pressed, row by row
                                         and board after board, filled up with zeros to whole
                                         bytes, then the next bit, if there are more than two levels
      "sound": null,                     kept for the name of a sound track
      "sha256": "..."                    of the UTF-8 text of all the other members, written
                                         as JSON with sorted keys and no spaces
    }

Among the settings an order "custom" was an array or a function in Python: no run of make gives such
an animation again, its saved clicks do.

Frame f is frame 0 after the first frames[f] clicks; a click adds 1 to the level of each cell that
it flips, modulo "levels".  In colour, where "primaries" is a list, there are three boards: red,
green and blue, and 1 stands for red, 2 for green and 4 for blue.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.origin import Origin
from lightsanim.animation.painting import OnFrame
from lightsanim.board.board import Board
from lightsanim.board.text import read_board
from lightsanim.errors import AnimationError
from lightsanim.formats.bit_packing import pack_steps, unpack_steps
from lightsanim.formats.json_text import (
    PLAIN,
    convert_file_errors,
    digest_of_json,
    parse_json,
    read_text,
)
from lightsanim.formats.registry import SavedFile, build_untrusted_board
from lightsanim.look.levels import Lights, stack_planes
from lightsanim.look.theme import Theme
from lightsanim.version import __version__

FORMAT = "lightsanim"
VERSION = 2


def write_json(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animation as JSON, one member a line."""
    members = animation_members(animation)
    with path.open("w", encoding="utf-8") as file:
        for key, value in members.items():
            file.write("{\n" if key == "format" else ",\n")
            file.write(f"{PLAIN.encode(key)}: {PLAIN.encode(value)}")
        file.write("\n}\n")
    for _ in range(len(animation)):
        on_frame()


def animation_members(animation: Animation) -> dict[str, Any]:
    """The members of an animation's JSON object."""
    members = {
        "format": FORMAT,
        "version": VERSION,
        "program": __version__,
        "board": animation.board.as_dict(),
        "pictures": list(animation.pictures),
        "seed": animation.seed,
        "origin": animation.origin and animation.origin.as_dict,
        "fps": animation.fps,
        "holds": animation.holds,
        "loop": animation.loop,
        "first": _format_digit_rows(animation.first),
        "targets": [_format_digit_rows(target) for target in animation.targets],
        "clicks": animation.clicks.tolist(),
        "primaries": None if animation.primaries is None else animation.primaries.tolist(),
        "frames": animation.clicks_done.tolist(),
        "steps": pack_steps(animation.steps),
        "sound": None,
    }
    return {**members, "sha256": digest_of_json(members)}


def load_animation(path: str | Path) -> Animation:
    """Read an animation that was saved as ``.json``.

    Raises:
        AnimationError: if the file cannot be read, is of another format or version, is damaged,
            or contradicts itself.
    """
    with convert_file_errors(path):
        return _animation_from_members(parse_json(read_text(Path(path))))


def load_document(path: Path) -> SavedFile:
    """As `load_animation`, for the table of formats."""
    return SavedFile(animation=load_animation(path))


def _animation_from_members(members: Any) -> Animation:
    # The inverse of `animation_members`.
    if not isinstance(members, dict) or members.get("format") != FORMAT:
        raise AnimationError('not a lightsanim animation: "format" must be "lightsanim"')
    version = members.get("version")
    if version != VERSION or members.get("sound"):
        supported = f"only {VERSION} without sound; a newer lightsanim may read it"
        raise AnimationError(f"version {version!r} of the format is not known, {supported}")
    if members.pop("sha256", None) != digest_of_json(members):
        raise AnimationError("damaged: its content does not have the sha256 that it names")
    board = build_untrusted_board(**members["board"])
    primaries = None if members["primaries"] is None else _parse_integers(members["primaries"])
    planes = 1 if primaries is None else 3

    return Animation(
        board=board,
        first=_parse_configuration(members["first"], "first", board, planes),
        clicks=_parse_integers(members["clicks"]),
        primaries=None if primaries is None else np.clip(primaries, 0, 255).astype(np.uint8),
        steps=unpack_steps(members.get("steps"), (planes, *board.shape), board.levels),
        clicks_done=_parse_integers(members["frames"]),
        fps=members["fps"],
        holds=tuple((frame, seconds) for frame, seconds in members["holds"]),
        loop=members["loop"],
        pictures=tuple(map(str, members["pictures"])),
        targets=tuple(
            _parse_configuration(target, "a target", board, planes) for target in members["targets"]
        ),
        seed=members["seed"],
        origin=Origin.from_dict(members["origin"]),
    )


def _format_digit_rows(configuration: Lights) -> list[list[str]]:
    # Of each board its rows.
    planes = configuration.astype(np.uint8).reshape(-1, *configuration.shape[-2:])
    return [[row.tobytes().decode() for row in plane] for plane in planes + np.uint8(ord("0"))]


def _parse_configuration(value: Any, name: str, board: Board, planes: int) -> Lights:
    # The inverse of `_format_digit_rows`.
    digits = "0123456789"[: board.levels]
    rows = [[str(row) for row in list(rows)] for rows in list(value)]
    shapes = [[len(row) for row in plane] for plane in rows]
    has_shape = shapes == [[board.columns] * board.rows] * planes
    if not has_shape or any(row.strip(digits) for plane in rows for row in plane):
        expected_rows = f"{board.rows} rows of {board.columns} digits out of {digits}"
        raise AnimationError(f"{name} must be, for each of {planes} boards, {expected_rows}")
    return stack_planes([read_board("\n".join(plane), board.levels) for plane in rows])


def _parse_integers(values: Any) -> NDArray[np.int64]:
    if not isinstance(values, list) or set(map(type, values)) - {int}:
        raise AnimationError("clicks and frames must be lists of whole numbers")
    return np.array(values, np.int64)
