"""Read the start and the goal of a game from text boards, pictures or links."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lightsanim.board_choice import build_board, fill_in_row_count
from lightsanim.errors import OptionError
from lightsanim.game.board.board import Board
from lightsanim.game.board.text import MAX_BYTES, decode_text, is_board_text, read_board_file
from lightsanim.game.levels import Lights
from lightsanim.game.puzzle_link import LINK_PATTERN, parse_link
from lightsanim.options.settings import Settings
from lightsanim.options.stages import BoardOptions
from lightsanim.options.values import Size, SizeLike, to_size
from lightsanim.pictures.dither import Target
from lightsanim.pictures.load import load_picture
from lightsanim.pictures.picture import Picture, PictureFile
from lightsanim.pictures.pillow import NoPictureError
from lightsanim.pictures.source import parse_source
from lightsanim.pictures.targets import targets_for
from lightsanim.pictures.words.table import find_word

# Words for a board whose cells are all lit or all unlit.
LIT_BY_WORD = {"on": True, "off": False}
STANDARD_INPUT = "-"
# Number of bytes that are read to distinguish a text board from a picture.
HEAD_BYTES = 4096

Source = bool | Lights | Picture


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A board with its start and its goal."""

    board: Board
    # Start and goal: bool (rows, columns), or uint8 with more than two levels.
    configurations: tuple[Lights, Lights]
    # Visibility of a wrong cell, (rows, columns); None if the goal is not a picture or has more
    # than two levels.
    margin: NDArray[np.floating] | None
    # Grey levels of the goal before rounding; None if it is not a picture or has two levels.
    in_levels: NDArray[np.floating] | None
    names: tuple[str, str]  # Names of the start and of the goal.


def load_game(
    start: str,
    goal: str = "off",
    size: SizeLike | None = None,
    *,
    settings: Settings | None = None,
) -> Game:
    """Read the start and the goal of a game.

    Args:
        start: a text board, a picture, the link to a puzzle, ``on``, ``off``, or ``-`` for a text
            board on standard input.  Pictures are dithered as in `make`; options of a picture can
            follow its name.
        goal: the goal, in the same forms as the start.
        size: COLUMNSxROWS, or COLUMNS alone for the shape of a picture or else a square; None to
            use the size of a text board.
        settings: levels, rule and wrap of the board, and options of pictures; None for the
            defaults.

    Raises:
        OptionError: for a text board or a link that cannot be read, or for missing or differing
            sizes.
        PictureError: for a file that is neither a text board nor a picture.
    """
    if start == goal == STANDARD_INPUT:
        raise OptionError("START and GOAL cannot both be - (standard input)")
    settings, names = settings or Settings(), (start, goal)
    sources = [load_start_or_goal(name, settings) for name in names]
    board = build_board(_choose_board_size(names, sources, size), settings)
    for name, source in zip(names, sources, strict=True):
        if isinstance(source, np.ndarray) and source.shape != board.shape:
            height, width = source.shape
            raise OptionError(
                f"{name} must have the size of the board, {board.columns}x{board.rows}, not "
                f"{width}x{height}"
            )

    def dither(picture: Picture) -> Target:
        return targets_for(picture, board, settings)[0]

    (first, _), (last, target) = (_to_configuration(source, board, dither) for source in sources)
    looks = {} if target is None else target.tie_break
    return Game(
        board=board,
        configurations=(first, last),
        margin=looks.get("margin"),
        in_levels=looks.get("in_levels"),
        names=(_format_source_name(start), _format_source_name(goal)),
    )


def load_start_or_goal(name: str, options: BoardOptions) -> Source:
    """Load START or GOAL: True for ``on``, False for ``off``, else a text board or a picture."""
    if name in LIT_BY_WORD:
        return LIT_BY_WORD[name]
    if find_word(name).is_drawn:
        return load_picture(parse_source(name))
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise OptionError("standard input is closed; pass a file name instead of -")
        content = sys.stdin.buffer.read(MAX_BYTES + 1)
        return read_board_file(_format_source_name(name), content, options.levels)
    if "\0" in name:
        raise OptionError(f"{name!r} is not a valid file name")
    if LINK_PATTERN.search(name) and not os.path.exists(name):
        return parse_link(name, rule=options.rule, wrap=options.wrap, levels=options.levels)
    is_pipe, text = False, None  # if the file is unreadable, loading it as a picture raises below
    with suppress(OSError), open(name, "rb") as file:
        content, is_pipe = file.read(HEAD_BYTES), not os.path.isfile(name)
        if is_pipe or decode_text(content) is not None:
            content += file.read(MAX_BYTES)
        text = decode_text(content[: None if is_pipe else HEAD_BYTES])
    if text is not None and is_board_text(text[:HEAD_BYTES]):
        return read_board_file(name, content, options.levels)
    try:  # the content of a pipe is passed on, because it can be read only once
        return load_picture(
            PictureFile(path=name, content=content) if is_pipe else parse_source(name)
        )
    except NoPictureError:
        if text is None:
            raise
        return read_board_file(name, content, options.levels)  # raises an error with the line


def _choose_board_size(
    names: Sequence[str], sources: Sequence[Source], requested: SizeLike | None
) -> Size:
    # Return the requested size, or else the size of the first text board.
    if requested is None:
        shapes = [source.shape for source in sources if isinstance(source, np.ndarray)]
        if not shapes:
            raise OptionError(f"{' and '.join(names)} set no size; add one, such as --size 5x5")
        rows, columns = shapes[0]
        return Size(columns=columns, rows=rows)
    pictures = [source for source in sources if isinstance(source, Picture)]
    size = to_size(requested)
    return fill_in_row_count(size, pictures[0], pictures[0].own.get("crop")) if pictures else size


def _to_configuration(
    source: Source, board: Board, dither: Callable[[Picture], Target]
) -> tuple[Lights, Target | None]:
    # Return the configuration of a source, and the target if the source is a picture.
    if isinstance(source, Picture):
        target = dither(source)
        return target.configuration, target
    if isinstance(source, np.ndarray):
        return source, None
    return np.full_like(board.reference, source * (board.levels - 1)), None


def _format_source_name(name: str) -> str:
    if name == STANDARD_INPUT:
        return "standard input"
    if find_word(name).is_drawn:
        return parse_source(name).name
    return name if name in LIT_BY_WORD else os.fsencode(Path(name).stem).decode("utf-8", "replace")
