"""Start and goal of a game: text boards, pictures, links, all on or all off."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.board_choice import build_board, fill_in_row_count
from lightsanim.board.board import Board
from lightsanim.board.link import LINK_PATTERN, parse_link
from lightsanim.board.text import (
    MAX_BYTES,
    MAX_CELLS,
    decode_text,
    describe_rows,
    is_board_text,
    read_board,
)
from lightsanim.errors import OptionError
from lightsanim.inputs.load import load_picture
from lightsanim.look.levels import Lights
from lightsanim.options.settings import Settings
from lightsanim.options.values import Size, SizeLike, to_size
from lightsanim.pictures.dither import Target
from lightsanim.pictures.picture import Picture, PictureFile
from lightsanim.pictures.pillow import NoPictureError
from lightsanim.pictures.source import parse_source
from lightsanim.pictures.targets import targets_for

# Words that stand for a board of equal cells.
LIT_BY_WORD = {"on": True, "off": False}
STANDARD_INPUT = "-"
# Bytes that suffice to distinguish a text board from a picture.
HEAD_BYTES = 4096

Source = bool | Lights | Picture


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A board with its start and its goal."""

    board: Board
    # Start and goal: bool (rows, columns), uint8 with more than two levels.
    configurations: tuple[Lights, Lights]
    # (rows, columns): how visible a wrong cell is; None if the goal is not a picture or has more
    # than two levels.
    margin: NDArray[np.floating] | None
    # The goal before rounding, with more than two levels; None if the goal is not a picture.
    in_levels: NDArray[np.floating] | None
    names: tuple[str, str]  # names of start and goal


def load_game(
    start: str,
    goal: str = "off",
    size: SizeLike | None = None,
    *,
    settings: Settings | None = None,
) -> Game:
    """Read the start and the goal of a game.

    Args:
        start: a file (a text board, or a picture, which is dithered as in `make` and can have
            options of its own after its name), the link to a puzzle, ``on``, ``off``, or ``-`` for
            a text board on standard input.
        goal: likewise.
        size: COLUMNSxROWS, or COLUMNS alone for the shape of a picture or else a square; None for
            the size of a text board.
        settings: levels, rule and wrap of the board, and options of pictures; None for the
            defaults.

    Raises:
        OptionError: for a text board or a link that cannot be read, or for missing or differing
            sizes.
        PictureError: for a file that is neither a text board nor a picture.
    """
    if start == goal == STANDARD_INPUT:
        raise OptionError("only one of START and GOAL can be - (standard input)")
    settings, names = settings or Settings(), (start, goal)
    sources = [load_source(name, settings) for name in names]
    board = build_board(_choose_board_size(names, sources, size), settings)
    for name, source in zip(names, sources, strict=True):
        if isinstance(source, np.ndarray) and source.shape != board.shape:
            height, width = source.shape
            raise OptionError(
                f"{name} must have the size of the board, {board.columns}x{board.rows}, not "
                f"{width}x{height}"
            )
    (first, _), (last, target) = (
        _load_configuration(source, board, settings) for source in sources
    )
    looks = {} if target is None else target.tie_break
    return Game(
        board=board,
        configurations=(first, last),
        margin=looks.get("margin"),
        in_levels=looks.get("in_levels"),
        names=(_format_source_name(start), _format_source_name(goal)),
    )


def load_source(name: str, settings: Settings) -> Source:
    """Return what START or GOAL names: True for all on, False for all off, a board, a picture."""
    if name in LIT_BY_WORD:
        return LIT_BY_WORD[name]
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise OptionError("standard input is closed; name a file instead")
        return _read_text_board(
            _format_source_name(name), sys.stdin.buffer.read(MAX_BYTES + 1), settings.levels
        )
    if "\0" in name:
        raise OptionError(f"{name!r} is not a file name")
    if LINK_PATTERN.search(name) and not os.path.exists(name):
        return parse_link(name, rule=settings.rule, wrap=settings.wrap, levels=settings.levels)
    is_pipe, text = False, None  # an unreadable file raises below, as a picture
    with suppress(OSError), open(name, "rb") as file:
        content, is_pipe = file.read(HEAD_BYTES), not os.path.isfile(name)
        if is_pipe or decode_text(content) is not None:
            content += file.read(MAX_BYTES)
        text = decode_text(content[: None if is_pipe else HEAD_BYTES])
    if text is not None and is_board_text(text[:HEAD_BYTES]):
        return _read_text_board(name, content, settings.levels)
    try:  # a pipe can be read only once
        source = PictureFile(path=name, content=content) if is_pipe else parse_source(name)
        return load_picture(source)
    except NoPictureError:
        if text is None:
            raise
        return _read_text_board(name, content, settings.levels)  # raises, with the line


def _read_text_board(name: str, content: bytes, levels: int) -> Lights:
    if len(content) > MAX_BYTES:
        raise OptionError(f"{name} is too large for a text board: at most {MAX_CELLS} cells")
    text = decode_text(content)
    if text is None:
        raise OptionError(f"{name} is not a text board: {describe_rows(levels)}")
    try:
        return read_board(text, levels)
    except OptionError as error:
        raise OptionError(f"{name}: {error}") from None


def _choose_board_size(
    names: Sequence[str], sources: Sequence[Source], requested: SizeLike | None
) -> Size:
    # Return the requested size, or that of the first text board.
    if requested is None:
        shapes = [source.shape for source in sources if isinstance(source, np.ndarray)]
        if not shapes:
            raise OptionError(f"{' and '.join(names)} have no size; add it, such as --size 5x5")
        rows, columns = shapes[0]
        return Size(columns=columns, rows=rows)
    pictures = [source for source in sources if isinstance(source, Picture)]
    size = to_size(requested)
    return fill_in_row_count(size, pictures[0], pictures[0].own.get("crop")) if pictures else size


def _load_configuration(
    source: Source, board: Board, settings: Settings
) -> tuple[Lights, Target | None]:
    # Return the configuration of a source, and the target if the source is a picture.
    if isinstance(source, Picture):
        (target,) = targets_for(source, board, settings)
        return target.configuration, target
    if isinstance(source, np.ndarray):
        return source, None
    return np.full_like(board.reference, source * (board.levels - 1)), None


def _format_source_name(name: str) -> str:
    if name == STANDARD_INPUT:
        return "standard input"
    return name if name in LIT_BY_WORD else os.fsencode(Path(name).stem).decode("utf-8", "replace")
