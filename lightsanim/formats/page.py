"""A web page that plays an animation, and lets one play the game: one file, no network.

The page carries what an `Animation` carries, the first configuration and the clicks; its script
presses them.  How they are packed is told at the head of ``templates/film.js``.
"""

import json
from collections.abc import Callable, Iterable
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from numpy.typing import NDArray
from rcssmin import cssmin
from rjsmin import jsmin

from lightsanim.animation.animation import Animation
from lightsanim.animation.origin import Origin
from lightsanim.board.board import Board, board_of_file
from lightsanim.errors import AnimationError, OptionError
from lightsanim.formats.document import document_digest, text_of_file
from lightsanim.formats.packing import pack_numbers, unpack_numbers
from lightsanim.look.paint import OnFrame
from lightsanim.look.theme import Theme
from lightsanim.values import to_colour

FILM = '<script type="application/json" id="film">'

# What shows where the pointer is: the one that stands out most from the theme's own colours.
ACCENTS = ("#ffa400", "#2f7bff", "#e5267e", "#12a67c")

# Of a notebook's frame, in pixels.
FRAME_HEIGHT = 640

# Neighbourhoods up to this many cells wide and high are drawn beside the caption.
LARGEST_DIAGRAM = 9

# Readers of a page get the comment at the script's head, that on its data.
MINIFIERS: dict[str, Callable[[str], str]] = {
    ".js": partial(jsmin, keep_bang_comments=True),
    ".css": cssmin,
}


def write_html(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame = lambda: None
) -> None:
    """Write a page that plays the animation in any browser, without any other file."""
    path.write_bytes(player_html(animation, theme).encode())
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
        puzzle: whether it begins as a game: who looks at it is not shown the clicks.

    Raises:
        OptionError: for gaps that leave no room for cells.
    """
    names = [sayable(name) for name in animation.pictures]
    board = animation.board
    template = pages("lightsanim.formats").get_template("player.html.j2")
    return template.render(
        title=sayable(title) if title is not None else " → ".join(names) or "Lights Out",
        names=names,
        board=board,
        boards=animation.boards,
        clicks=len(animation.clicks),
        diagram=diagram_of(board),
        film=film_of(animation, theme),
        framed=framed,
        puzzle=puzzle,
    )


def player_frame(animation: Animation) -> str:
    """The page in a frame, as notebooks show it."""
    page = escape(player_html(animation, Theme()))
    return (
        f'<iframe srcdoc="{page}" sandbox="allow-scripts" allow="fullscreen" '
        f'style="width:100%;height:{FRAME_HEIGHT}px;border:0" title="Lights Out"></iframe>'
    )


@cache
def pages(*packages: str) -> Environment:
    """The templates of some packages; autoescaped, their scripts and styles made smaller."""
    environment = Environment(
        loader=ChoiceLoader([_Minified(package) for package in packages]),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment


class _Minified(PackageLoader):
    # Once, when a file is loaded: for a single page it takes longer than all the rest.
    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool] | None]:
        source, path, is_current = super().get_source(environment, template)
        minify = MINIFIERS.get(Path(template).suffix)
        if minify is not None:
            source = f"{{% raw %}}{minify(source)}{{% endraw %}}"
        return source, path, is_current


def film_of(animation: Animation, theme: Theme) -> dict[str, Any]:
    """What a script needs to play an animation, as ``templates/film.js`` explains it.

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
        "palette": [_hex(rgb) for rgb in [background, *shades]],
        "accent": _accent(shades),
        "dot": None if theme.mark is None else str(theme.mark),
        "shape": theme.shape,
        "gap": _gap_share(board, theme),
        "rule": board.rule,
        **({} if animation.origin is None else {"origin": animation.origin.as_dict()}),
    }
    return {**film, "sha256": document_digest(film)}


def _gap_share(board: Board, theme: Theme) -> float | None:
    # The part of a cell and its gap that is gap; None where the page is to choose.
    if theme.gap is None:
        return None
    geometry = theme.geometry(board.rows, board.columns)
    return geometry.gap / geometry.pitch


def _accent(shades: NDArray[np.uint8]) -> str:
    def distance(accent: str) -> int:
        return int(np.abs(shades.astype(int) - to_colour(accent).rgb).sum(axis=1).min())

    return max(ACCENTS, key=distance)


def diagram_of(board: Board) -> dict[str, Any] | None:
    """The neighbourhood of a cell for a small drawing, or None where it is too large for one."""
    offsets = board.offsets()
    down, right = zip(*offsets, (0, 0), strict=True)
    height, width = (max(side) - min(side) + 1 for side in (down, right))
    if max(height, width) > LARGEST_DIAGRAM:
        return None
    box = min(right), min(down), width, height
    return {"box": box, "offsets": offsets}


def _hex(rgb: Iterable[int]) -> str:
    return f"#{bytes(rgb).hex()}"


def sayable(name: str) -> str:
    """A name as text: names of files can hold octets that are none."""
    return name.encode("utf-8", "replace").decode()


class Page(NamedTuple):
    """What a page carries: its animation, and where it comes from."""

    animation: Animation
    origin: Origin | None


def load_page(path: Path) -> Page:
    """Read a page that was saved as ``.html``.

    Raises:
        AnimationError: if it cannot be read, holds no film, or contradicts itself.
    """
    try:
        _, found, rest = text_of_file(path).partition(FILM)
        if not found:
            raise AnimationError("it is no page of lightsanim: it has no film")
        return _page(json.loads(rest.partition("</script>")[0]))
    except OSError as error:
        raise AnimationError(error.strerror or str(error)) from error
    except MemoryError as error:
        raise AnimationError("there is not enough memory") from error
    except AnimationError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError, OptionError) as error:
        raise AnimationError(f"its film is damaged: {type(error).__name__} {error}") from error


def _page(film: Any) -> Page:
    if not isinstance(film, dict):
        raise AnimationError("its film is damaged: it must be a JSON object")
    if film.pop("sha256") != document_digest(film):
        raise AnimationError("its film is damaged: it does not have the sha256 that it names")
    members = {name: film[name] for name in ("rows", "columns", "rule", "wrap")}
    board = board_of_file(**members)
    if sorted(map(tuple, film["offsets"])) != sorted(board.offsets()):
        raise AnimationError(f"its film does not follow the rule {board.rule} that it names")
    primaries = None if film["primaries"] is None else unpack_numbers(film["primaries"])
    shape = board.shape if primaries is None else (3, *board.shape)
    animation = Animation(
        board=board,
        first=unpack_numbers(film["first"]).reshape(shape) == 1,
        clicks=unpack_numbers(film["clicks"]),
        primaries=None if primaries is None else primaries.clip(0, 255).astype(np.uint8),
        frames=np.concatenate([[0], unpack_numbers(film["frames"]).cumsum()]),
        fps=film["fps"],
        holds=tuple((int(frame), float(seconds)) for frame, seconds in film["holds"]),
        loop=film["loop"],
    )
    return Page(animation, Origin.from_dict(film.get("origin")))
