"""The JSON format of animations; only the rules of the game are needed to check a file.

    {
      "format": "lightsanim",            always this value
      "version": 2,                      version of the format
      "program": "1.0.0",                version of lightsanim that wrote the file
      "board": {"rows": 2, "columns": 3, "rule": "plus", "wrap": false, "levels": 3},
                                         "levels" is omitted if it is 2
      "pictures": ["sun", "moon"],       names, in order of appearance
      "seed": 12345,                     seed of the click order, or null
      "origin": {"program": "1.0.0",     version that made the animation; null if unknown
        "settings": {"levels": 2, ...},  all options of make, including the seed
        "sha256": ["...", null],         digest of each picture's file; null if it had no file; last
                                         those of the pictures beside, or of the clicks' picture
        "cut_short": false,              whether the time limit ended a search, so that another run
                                         may find other clicks; null if unknown
        "own": [{"crop": "..."}, {}],    options for each digest; omitted if there are none
        "order_sha256": "...",           digest of the times of an order that is an array or a
                                         function, as float64; omitted for others
        "words": ["text:HI", "moon"],    words for the pictures in a command; omitted for files
        "label": {"title": "...",        title, caption, credit, licence, date, alt, series, link;
          "credit": "..."}},             omitted if empty
      "fps": 25.0,                       frames per second
      "holds": [[0, 0.96], [2, 2.0]],    frames that are held, each with its extra seconds
      "loop": 0,                         number of plays; 0 = for ever
      "first": [["020", "112"]],         levels of frame 0: a list of rows for each colour plane
      "targets": [[["120", ...]], ...],  target of each picture in the same form, or an empty list
      "clicks": [4, 0, 5],               cells in click order, row * columns + column
      "primaries": [7, 1, 2],            in colour, planes of each click: 1 red + 2 green + 4 blue
      "frames": [0, 1, 3],               number of clicks before each frame
      "steps": ["9aBk..."],              null, or click sets in place of clicks
      "sound": null,                     reserved for the name of a sound track
      "look": {"palette": "amber"},      options of the look that are not the defaults; omitted if
                                         there are none
      "sha256": "..."                    digest of all other members, written as JSON in UTF-8 with
                                         sorted keys and no spaces
    }

A click adds 1, modulo "levels", to the level of each cell that it flips; level 0 is unlit.  In
colour there are three planes: red, green and blue.  Without colour "primaries" is null.

If there are steps, "clicks" and in colour "primaries" are empty, and "frames" counts steps.  A step
is the base64 of bit planes, each padded with zero bits to whole bytes.  The first bit plane is the
lowest bit of each cell's number of presses, row by row and colour plane by colour plane.  With more
than two levels, the higher bits follow.

The setting "order" is "custom" if the order was an array or a Python function.  The command make
cannot make such an animation again; only its saved clicks reproduce it.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError
from lightsanim.film.animation import Animation
from lightsanim.film.clicks import Clicks
from lightsanim.film.origin import Origin
from lightsanim.game.board.board import Board
from lightsanim.game.board.text import read_board
from lightsanim.game.levels import Lights, stack_planes
from lightsanim.options.look import LookOptions
from lightsanim.options.records import (
    JsonValue,
    non_default_values,
    option_names,
    options_from_record,
    to_json_values,
)
from lightsanim.output.look.paint_film import OnFrame, theme_for
from lightsanim.output.look.theme import Theme
from lightsanim.version import __version__
from .bit_packing import pack_steps, unpack_history
from .json_text import PLAIN, convert_file_errors, digest_of_json, parse_json, read_text
from .saved_file import SavedFile, build_untrusted_board

FORMAT = "lightsanim"
VERSION = 2


def write_json(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animation as JSON, one member per line."""
    members = animation_members(animation, _list_look(animation, theme))
    with path.open("w", encoding="utf-8") as file:
        for key, value in members.items():
            file.write("{\n" if key == "format" else ",\n")
            file.write(f"{PLAIN.encode(key)}: {PLAIN.encode(value)}")
        file.write("\n}\n")
    for _ in range(len(animation)):
        on_frame()


def _list_look(animation: Animation, theme: Theme) -> dict[str, JsonValue]:
    # Returns the options of the look that differ from what the film itself implies.
    implied, names = theme_for(animation, Theme()), option_names(LookOptions)
    values = {name: getattr(theme, name) for name in names}
    return to_json_values({n: v for n, v in values.items() if v != getattr(implied, n)})


def animation_members(animation: Animation, look: Mapping[str, JsonValue] = {}) -> dict[str, Any]:
    """Return the members of the JSON object that stores an animation and options of its look."""
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
        **({"look": dict(look)} if look else {}),
    }
    return {**members, "sha256": digest_of_json(members)}


def load_json(path: Path) -> SavedFile:
    """Read an animation that was saved as ``.json``."""
    with convert_file_errors(path):
        members = parse_json(read_text(path))
        animation = _animation_from_members(members)
        look = options_from_record(LookOptions, members.get("look", {}))
        return SavedFile(animation=animation, theme=Theme(**non_default_values(look)))


def _animation_from_members(members: Any) -> Animation:
    if not isinstance(members, dict) or members.get("format") != FORMAT:
        raise AnimationError('not a lightsanim animation: "format" must be "lightsanim"')
    version = members.get("version")
    if version != VERSION or members.get("sound"):
        raise AnimationError(
            f"unknown version {version!r} of the format: must be {VERSION}, without sound; a "
            "newer lightsanim may read this"
        )
    if members.pop("sha256", None) != digest_of_json(members):
        raise AnimationError("the file is damaged: its sha256 does not match its content")
    board = build_untrusted_board(**members["board"])
    clicks = Clicks(_parse_integers(members["clicks"]))
    if members["primaries"] is not None:
        primaries = np.clip(_parse_integers(members["primaries"]), 0, 255).astype(np.uint8)
        clicks = replace(clicks, primaries=primaries)
    planes = clicks.plane_count
    return Animation(
        board=board,
        first=_parse_configuration(members["first"], "first", board, planes),
        history=unpack_history(clicks, members.get("steps"), board),
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
    # Format each row of each colour plane as a string of digits.
    planes = configuration.astype(np.uint8).reshape(-1, *configuration.shape[-2:])
    return [[row.tobytes().decode() for row in plane] for plane in planes + np.uint8(ord("0"))]


def _parse_configuration(value: Any, name: str, board: Board, planes: int) -> Lights:
    # Parse and check the output of `_format_digit_rows`.
    digits = "0123456789"[: board.levels]
    rows = [[str(row) for row in list(rows)] for rows in list(value)]
    shapes = [[len(row) for row in plane] for plane in rows]
    has_shape = shapes == [[board.columns] * board.rows] * planes
    if not has_shape or any(row.strip(digits) for plane in rows for row in plane):
        raise AnimationError(
            f"{name} must have {planes} colour planes of {board.rows} rows of {board.columns} "
            f"digits (allowed: {digits})"
        )
    return stack_planes([read_board("\n".join(plane), board.levels) for plane in rows])


def _parse_integers(values: Any) -> NDArray[np.int64]:
    if not isinstance(values, list) or set(map(type, values)) - {int}:
        raise AnimationError("clicks and frames must be lists of whole numbers")
    return np.array(values, np.int64)
