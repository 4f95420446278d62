"""A web page that plays an animation, and lets one play the game: one file, no network.

The page carries what an `Animation` carries, the first configuration and the clicks; its script
applies them.  How they are packed is told at the head of ``templates/film.js``.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from lightsanim.animation.animation import Animation
from lightsanim.animation.origin import Origin
from lightsanim.board.board import Board, board_of_file
from lightsanim.errors import AnimationError
from lightsanim.formats.json_text import digest_of_json, reading, text_of_file
from lightsanim.formats.packing import pack_numbers, unpack_numbers
from lightsanim.look.paint import OnFrame
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import accent_colour

FILM = '<script type="application/json" id="film">'

# Of the frame in a notebook, in pixels.
FRAME_HEIGHT = 640

# Neighbourhoods up to this many cells wide and high are drawn beside the caption.
LARGEST_DIAGRAM = 9

# Where the film goes in a page; no text that a template escapes can hold it.
PLACE = "<film>"


def write_html(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write a page that plays the animation in any browser, without any other file.

    Args:
        animation: what to play.
        path: the file.
        theme: see `player_html`.
        on_frame: called once for each frame.
    """
    with path.open("wb") as file:
        pieces = _player_pieces(animation, theme, None, framed=False, puzzle=False)
        file.writelines(map(str.encode, pieces))
    for _ in animation.frames:
        on_frame()


def player_html(
    animation: Animation,
    theme: Theme,
    *,
    title: str | None = None,
    framed: bool = False,
    puzzle: bool = False,
) -> str:
    """The page as text; it works in a sandboxed ``<iframe srcdoc>``, too.

    Args:
        animation: what to play.
        theme: its colours and, as a share of a cell, its gaps; the page finds the size of a cell.
        title: the heading; None for one made of the pictures' names.
        framed: whether another page shows it in a frame: as ``page.html#embedded`` it is the
            board and its controls alone.
        puzzle: whether it begins as a game, without showing the clicks.

    Raises:
        OptionError: for gaps that leave no room for cells.
    """
    return "".join(_player_pieces(animation, theme, title, framed=framed, puzzle=puzzle))


def _player_pieces(
    animation: Animation, theme: Theme, title: str | None, *, framed: bool, puzzle: bool
) -> Iterator[str]:
    # The film can be large: it is never copied into one text with the rest of the page.
    names = [sayable(name) for name in animation.pictures]
    board, film = animation.board, film_of(animation, theme)
    template = pages("lightsanim.formats").get_template("player.html.j2")
    page = template.render(
        title=sayable(title) if title is not None else " → ".join(names) or "Lights Out",
        names=names,
        board=board,
        boards=animation.boards,
        clicks=len(animation.clicks),
        diagram=diagram_of(board),
        accent=film["accent"],
        palette=film["palette"],
        place=Markup(PLACE),
        framed=framed,
        puzzle=puzzle,
    )
    before, after = page.split(PLACE)
    yield before
    for number, (name, value) in enumerate(film.items()):
        yield f'{"," if number else "{"}"{name}":'
        yield htmlsafe_json_dumps(value, separators=(",", ":"))
    yield "}"
    yield after


def player_frame(animation: Animation) -> str:
    """The page in a frame, as notebooks show it."""
    page = escape(player_html(animation, Theme()))
    return (
        f'<iframe srcdoc="{page}" sandbox="allow-scripts" allow="fullscreen" '
        f'style="width:100%;height:{FRAME_HEIGHT}px;border:0" title="Lights Out"></iframe>'
    )


@cache
def pages(*packages: str) -> Environment:
    """The templates of some packages, autoescaped; scripts and styles are included as written."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment


def film_of(animation: Animation, theme: Theme) -> dict[str, Any]:
    """What a script needs to play an animation, as ``templates/film.js`` explains it.

    Args:
        animation: the animation.
        theme: its colours and, as a share of a cell, its gaps.

    Raises:
        OptionError: for gaps that leave no room for cells.
    """
    board, primaries = animation.board, animation.primaries
    background, shades = theme.colour_of("background").rgb, theme.shades(animation.boards)
    film = {
        "rows": board.rows,
        "columns": board.columns,
        "boards": animation.boards,
        "offsets": board.offsets(),
        "wrap": board.wrap,
        "first": pack_numbers(animation.first),
        "clicks": pack_numbers(animation.clicks),
        "primaries": None if primaries is None else pack_numbers(primaries),
        "fps": float(animation.fps),
        "frames": pack_numbers(np.diff(animation.frames)),
        "holds": animation.holds,
        "loop": animation.loop,
        "palette": [f"#{bytes(rgb).hex()}" for rgb in [background, *shades]],
        "accent": accent_colour(shades),
        "dot": None if theme.mark is None else str(theme.mark),
        "shape": theme.shape,
        "gap": _gap_share(board, theme),
        "rule": board.rule,
        **({"origin": asdict(animation.origin)} if animation.origin else {}),
    }
    return {**film, "sha256": digest_of_json(film)}


def _gap_share(board: Board, theme: Theme) -> float | None:
    # The part of a cell and its gap that is gap; None where the page is to choose.
    if theme.gap is None:
        return None
    geometry = theme.geometry(*board.shape)
    return geometry.gap / geometry.pitch


def diagram_of(board: Board) -> dict[str, Any] | None:
    """The neighbourhood of a cell for a small drawing, or None where it is too large for one."""
    offsets = board.offsets()
    down, right = zip(*offsets, (0, 0), strict=True)
    height, width = (max(side) - min(side) + 1 for side in (down, right))
    if max(height, width) > LARGEST_DIAGRAM:
        return None
    box = min(right), min(down), width, height
    return {"box": box, "offsets": offsets}


def sayable(name: str) -> str:
    """A name as text: names of files can hold bytes that are not UTF-8."""
    return name.encode("utf-8", "replace").decode()


def load_page(path: Path) -> Animation:
    """Read the animation of a page that was saved as ``.html``, without running its script.

    Raises:
        AnimationError: if it cannot be read, holds no film, or contradicts itself.
    """
    with reading(path):
        text = text_of_file(path)
        start = text.find(FILM)
        if start < 0:
            raise AnimationError("it is no page of lightsanim: it has no film")
        start += len(FILM)
        end = text.find("</script>", start)
        return _animation(json.loads(text[start : end if end >= 0 else None]))


def _animation(film: Any) -> Animation:
    if not isinstance(film, dict):
        raise AnimationError("its film is damaged: it must be a JSON object")
    if film.pop("sha256", None) != digest_of_json(film):
        raise AnimationError("its film is damaged: it does not have the sha256 that it names")
    board = board_of_file(**{name: film[name] for name in ("rows", "columns", "rule", "wrap")})
    if sorted(map(tuple, film["offsets"])) != sorted(board.offsets()):
        raise AnimationError(f"its film does not follow the rule {board.rule} that it names")
    primaries = None if film["primaries"] is None else unpack_numbers(film["primaries"], np.uint8)
    shape = board.shape if primaries is None else (3, *board.shape)
    return Animation(
        board=board,
        first=unpack_numbers(film["first"], np.uint8).reshape(shape) == 1,
        clicks=unpack_numbers(film["clicks"]),
        primaries=primaries,
        frames=np.concatenate([[0], unpack_numbers(film["frames"]).cumsum()]),
        fps=film["fps"],
        holds=tuple((frame, seconds) for frame, seconds in film["holds"]),
        loop=film["loop"],
        origin=Origin.from_dict(film.get("origin")),
    )
