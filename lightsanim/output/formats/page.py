"""Web page, in a single file, that plays an animation and lets visitors play the game offline.

The page contains a film, a JSON object that `WrittenFilm` in ``web/src/types.js`` describes, and
the texts of its language.  These alone determine the page: therefore `verify` renders them again,
and accepts only a page that is byte for byte the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, LightsAnimError
from lightsanim.film.animation import Animation
from lightsanim.film.clicks import Clicks
from lightsanim.film.origin import NO_LABEL, Origin
from lightsanim.game.board.board import Board
from lightsanim.game.board.rule import parse_rule
from lightsanim.game.puzzle_link import MAX_SIDE
from lightsanim.game.solve.chase import can_chase
from lightsanim.options.colours import Colour
from lightsanim.options.look import MAX_CELL
from lightsanim.options.page_words import PageWords, english_words, page_words_from_sections
from lightsanim.options.stencils import STENCILS, Offsets
from lightsanim.output.look.flashing import may_flash
from lightsanim.output.look.paint_film import OnFrame, geometry_of, theme_for
from lightsanim.output.look.theme import Theme, has_gaps
from lightsanim.output.look.tiles import choose_accent_colour
from lightsanim.version import __version__
from lightsanim.web.templating import load_templates, valid_utf8
from .bit_packing import pack_numbers, pack_steps, unpack_history, unpack_numbers, unpack_steps
from .json_text import DAMAGE, convert_file_errors, digest_of_json, parse_json, read_text
from .metadata import mismatch_error
from .saved_file import SavedFile, build_untrusted_board

FILM_TAG = '<script type="application/json" id="film">'
TEXTS_TAG = '<script type="application/json" id="texts">'
FRAME_HEIGHT = 640  # Height of the page in a notebook, in pixels.
MAX_DIAGRAM = 9  # Maximum side of a neighbourhood that the page draws, in cells.
# Members of the film that are omitted if their value is None.
OPTIONAL = (
    "steps",
    "show_clicks",
    "clicks_panel",
    "exhibit",
    "maker",
    "flashes",
    "series",
    "origin",
)
MIN_CHASE_NULLITY = 8  # Up to this nullity, a film's clicks are mostly the fewest possible.
MAX_SUMS = 2**16  # Maximum number of sums of quiet patterns that ``web/src/solve/fewest.js`` tries.
# The film's JSON replaces this text; as templates escape "<", it occurs nowhere else in a page.
FILM_PLACEHOLDER = "<film>"


def write_html(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write a page that plays the animation in any browser and needs no other file."""
    pieces = iter_page_text(build_page_film(animation, theme), theme.page_words)
    with path.open("wb") as file:
        file.writelines(map(str.encode, pieces))
    for _ in range(len(animation)):
        on_frame()


def player_html(animation: Animation, theme: Theme, **options: Any) -> str:
    """Return the page of an animation; ``options`` are those of `build_page_film`."""
    return "".join(iter_page_text(build_page_film(animation, theme, **options), theme.page_words))


def iter_page_text(film: Mapping[str, Any], words: PageWords) -> Iterator[str]:
    """Yield the page that plays a film piece by piece, because the page can be large."""
    board = _board_from_film(film)
    # Use light chasing for hints if the film's own clicks may not be the fewest possible.
    chases = can_chase(board) and board.nullity > MIN_CHASE_NULLITY
    before, after = _render_page(film, words, chases=chases).split(FILM_PLACEHOLDER)
    yield before
    for number, (name, value) in enumerate(film.items()):
        yield f'{"," if number else "{"}"{name}":'
        yield htmlsafe_json_dumps(value, separators=(",", ":"), allow_nan=False)
    yield "}"
    yield after


def _render_page(film: Mapping[str, Any], words: PageWords, *, chases: bool) -> str:
    # Render the page with `FILM_PLACEHOLDER` in place of the film.
    kind = "exhibit" if "exhibit" in film else "puzzle" if film["puzzle"] else "player"
    name = "exhibit.html.j2" if kind == "exhibit" else "player.html.j2"
    template, rule = load_templates("lightsanim.web").get_template(name), parse_rule(film["rule"])
    return template.render(
        film=film,
        kind=kind,
        t=words.text,
        texts=words.script_texts(kind),
        cells=words.text(f"rules.{rule.name if rule.name in STENCILS else 'stencil'}"),
        diagram=neighbourhood_diagram(film["offsets"]),
        chases=chases,
        offsets=rule.offsets,
        sizes=_puzzle_sizes(_board_from_film(film)) if film["puzzle"] else None,
        place=Markup(FILM_PLACEHOLDER),
    )


def player_template() -> str:
    """Return the page of a film of two pictures on which every configuration is accessible.

    The film has no rule but ``plus``.  A script replaces «rows», «columns», «accent», «title» and
    `FILM_PLACEHOLDER`; all else on the page follows from its film.
    """
    board = Board(3, 3)
    film: dict[str, Any] = {name: f"«{name}»" for name in ("rows", "columns", "accent", "title")}
    film |= {"levels": board.levels, "rule": board.rule, "wrap": False, "offsets": board.offsets()}
    film |= {"pictures": ["", ""], "framed": False, "puzzle": False}
    return _render_page(film, english_words(), chases=False)


def count_clicks(film: Mapping[str, Any]) -> int:
    """Count clicks as the page's script does: a click on several colour planes counts once."""
    if "steps" not in film:
        return int((film["again"] or film["clicks"])[0])
    shape = film["boards"], film["rows"], film["columns"]
    steps = unpack_steps(film["steps"] or (), shape, film["levels"])
    return sum(int(step.max(axis=0).sum()) for step in steps)


def _puzzle_sizes(own_board: Board) -> list[tuple[int, int]]:
    # List the board sizes for new puzzles: the film's own size and squares, as far as the page can
    # find the fewest clicks on them.
    squares = [replace(own_board, rows=side, columns=side) for side in range(2, MAX_SIDE + 1)]
    small = (board for board in (own_board, *squares) if max(board.shape) <= MAX_SIDE)
    return sorted({puzzle.shape for puzzle in small if puzzle.levels**puzzle.nullity <= MAX_SUMS})


def _board_from_film(film: Mapping[str, Any]) -> Board:
    return build_untrusted_board(
        **{name: film[name] for name in ("rows", "columns", "rule", "wrap", "levels")}
    )


def player_frame(animation: Animation) -> str:
    """Return an HTML ``<iframe>`` with the page, for a notebook."""
    page = escape(player_html(animation, Theme()))
    return (
        f'<iframe srcdoc="{page}" sandbox="allow-scripts" allow="fullscreen" '
        f'style="width:100%;height:{FRAME_HEIGHT}px;border:0" title="Lights Out"></iframe>'
    )


def build_page_film(
    animation: Animation,
    theme: Theme,
    *,
    framed: bool = False,
    puzzle: bool = False,
    flashes: bool | None = None,  # Whether the page waits for a click to play; None: measured.
    series: Sequence[Animation] = (),
) -> dict[str, Any]:
    """Build the film of a page, with the members of `WrittenFilm` in ``web/src/types.js``."""
    if framed or puzzle:
        theme = evolve(theme, visitor_clicks=None, maker=None if framed else theme.maker)
    board, primaries, theme = animation.board, animation.primaries, theme_for(animation, theme)
    names = [valid_utf8(name) for name in animation.pictures]
    label, heading = animation.origin.label if animation.origin else NO_LABEL, " → ".join(names)
    if flashes is None:
        flashes = not puzzle and may_flash(animation, theme)
    title = theme.page_words.text("puzzle.title") if puzzle else None
    film = {
        "program": __version__,
        "rows": board.rows,
        "columns": board.columns,
        "boards": animation.boards,
        "levels": board.levels,
        "offsets": board.offsets(),
        "wrap": board.wrap,
        **_pack_clicks(animation),
        "steps": pack_steps(animation.steps),
        "primaries": None if primaries is None else pack_numbers(primaries),
        "fps": float(animation.fps),
        "frames": pack_numbers(np.diff(animation.clicks_done)),
        "holds": animation.holds,
        "loop": animation.loop,
        **_look_members(animation, theme),
        "rule": board.rule,
        "title": valid_utf8(title or label.title or heading or "Lights Out"),
        "pictures": names,
        "framed": framed,
        "puzzle": puzzle,
        "flashes": flashes or None,
        "series": [_pack_clicks(puzzle) for puzzle in series] or None,
        "origin": animation.origin and animation.origin.as_dict,
    }
    members = {name: film[name] for name in film if film[name] is not None or name not in OPTIONAL}
    return {**members, "sha256": digest_of_json(members)}


def _look_members(animation: Animation, theme: Theme) -> dict[str, Any]:
    return {
        "palette": _css_palette(theme, animation.boards, animation.board.levels),
        "accent": choose_accent_colour(theme.shades(animation.boards, animation.board.levels)),
        "dot": None if theme.mark is None else _css_colour(theme.mark),
        "show_clicks": theme.panel_side,
        "clicks_panel": "total" if theme.shows_click_totals else None,
        "exhibit": theme.visitor_clicks,
        "maker": theme.maker,
        "shape": theme.shape,
        "gap": _gap_share(animation, theme),
    }


def _css_palette(theme: Theme, planes: int, levels: int) -> list[str]:
    # List the CSS colours of the background and of each shade.
    shades = theme.shades_with_alpha(planes, levels).tolist()
    return [_css_colour(Colour(*colour)) for colour in (theme.colour_of("background"), *shades)]


def _css_colour(colour: Colour) -> str:
    return f"#{bytes(colour.rgb if colour.is_opaque else colour).hex()}"


def _pack_clicks(animation: Animation) -> dict[str, Any]:
    # Pack the first configuration and the clicks.  With more than two levels, repeated clicks on
    # the same cell are common: "again" stores them as 1 bit each.
    first, clicks = pack_numbers(animation.first), animation.clicks
    if animation.board.levels == 2:
        return {"first": first, "clicks": pack_numbers(clicks), "again": None}
    repeat = np.diff(clicks, prepend=-1) == 0
    return {"first": first, "clicks": pack_numbers(clicks[~repeat]), "again": pack_numbers(repeat)}


def _unpack_clicks(film: Mapping[str, Any]) -> NDArray[np.int64]:
    cells = unpack_numbers(film["clicks"], np.int64)
    if film.get("again") is None:
        return cells
    is_new = unpack_numbers(film["again"]) == 0
    if np.count_nonzero(is_new) != len(cells) or not is_new[:1].all():
        raise AnimationError('its lists "clicks" and "again" contradict each other')
    return np.asarray(cells[np.cumsum(is_new) - 1])


def _gap_share(animation: Animation, theme: Theme) -> float | None:
    # Return the gap divided by the sum of cell and gap; None lets the page choose.
    if theme.gap is None:
        return None if has_gaps(*animation.board.shape) else 0.0
    geometry = geometry_of(animation, evolve(theme, show_clicks=None))
    return geometry.gap / geometry.cell_pitch


def neighbourhood_diagram(offsets: Offsets) -> dict[str, Any] | None:
    """Return the bounding box and offsets of a neighbourhood; None if it is too large to draw."""
    down, right = zip(*offsets, (0, 0), strict=True)
    height, width = (max(side) - min(side) + 1 for side in (down, right))
    box = min(right), min(down), width, height
    return {"box": box, "offsets": offsets} if max(height, width) <= MAX_DIAGRAM else None


def load_page(path: Path) -> SavedFile:
    """Read the film of a saved ``.html`` page, without running its script."""
    with convert_file_errors(path):
        text = read_text(path)
        film = _element_json(text, FILM_TAG)
        if film is None:
            raise AnimationError("this is not a player page of lightsanim: it has no film")
        animation = _animation_from_film(film)
        series = tuple(_parse_series(animation.board, film))
        theme = _theme_from_film(film, _element_json(text, TEXTS_TAG), animation)
        if theme is not None:
            rendered = build_page_film(
                animation,
                theme,
                framed=film.get("framed") is True,
                puzzle=film.get("puzzle") is True,
                flashes=film.get("flashes") is True or None,  # To wait in vain does no harm.
                series=series,
            )
            if _is_concatenation(text, iter_page_text(rendered, theme.page_words)):
                puzzles = (animation, *series) if film["puzzle"] else ()
                return SavedFile(animation=animation, theme=theme, puzzles=puzzles)
    return SavedFile(animation=animation, flaw=mismatch_error(film.get("program")))


def _element_json(text: str, tag: str) -> Any:
    # Return the JSON in the element that begins with ``tag``; None if there is no such element.
    start, end = text.find(tag), text.find("</script>", text.find(tag))
    return None if start < 0 else parse_json(text[start + len(tag) : end if end >= 0 else None])


def _parse_series(board: Board, film: Mapping[str, Any]) -> Iterator[Animation]:
    # Yield the further puzzles of the page as animations with one click per frame.
    for puzzle in film.get("series", ()):
        frames = pack_numbers(np.ones(len(_unpack_clicks(puzzle)), np.uint8))
        yield _animation_on_board(board, {**film, **puzzle, "frames": frames, "holds": []})


def _animation_from_film(film: Any) -> Animation:
    if not isinstance(film, dict):
        raise AnimationError("its film is damaged: it must be a JSON object")
    if film.pop("sha256", None) != digest_of_json(film):
        raise AnimationError("its film is damaged: its sha256 does not match its content")
    board = _board_from_film(film)
    if sorted(map(tuple, film["offsets"])) != sorted(board.offsets()):
        raise AnimationError(f"the offsets in its film do not match its rule, {board.rule}")
    return _animation_on_board(board, film)


def _animation_on_board(board: Board, film: Mapping[str, Any]) -> Animation:
    primaries = None if film["primaries"] is None else unpack_numbers(film["primaries"], np.uint8)
    clicks = Clicks(_unpack_clicks(film), primaries)
    shape = board.shape if primaries is None else (3, *board.shape)
    return Animation(
        board=board,
        first=unpack_numbers(film["first"], np.uint8).reshape(shape),
        history=unpack_history(clicks, film.get("steps"), board),
        clicks_done=np.concatenate([[0], unpack_numbers(film["frames"], np.int64).cumsum()]),
        fps=film["fps"],
        holds=tuple((frame, seconds) for frame, seconds in film["holds"]),
        loop=film["loop"],
        pictures=tuple(map(str, film.get("pictures", ()))),
        origin=Origin.from_dict(film.get("origin")),
    )


def _theme_from_film(film: Mapping[str, Any], texts: Any, animation: Animation) -> Theme | None:
    # Find a theme with the film's palette, dot, shape and gap; return None if there is none.
    planes, levels = animation.boards, animation.board.levels
    panel: Any = "-".join(filter(None, map(film.get, ("show_clicks", "clicks_panel"))))
    try:
        background, unlit, *between, lit = film["palette"]
        cell = gap = None
        if film["gap"] is not None:
            share = Fraction(float(film["gap"])).limit_denominator(2 * MAX_CELL)
            cell, gap = share.denominator - share.numerator, share.numerator
        theme = Theme(
            lit=lit,
            unlit=unlit,
            background=background,
            mark=film["dot"],
            show_clicks=panel or None,
            visitor_clicks=film.get("exhibit"),
            maker=film.get("maker"),
            shape=film["shape"],
            cell=cell,
            gap=gap,
            language=page_words_from_sections(texts),
        )
        if between and _css_palette(theme, planes, levels) != film["palette"]:
            theme = evolve(theme, colours=[unlit, *between, lit], lit=None, unlit=None)
        _gap_share(animation, theme)  # raises if frames would be too large
    except (LightsAnimError, *DAMAGE):
        return None
    return theme


def _is_concatenation(text: str, pieces: Iterable[str]) -> bool:
    # Compare piece by piece, because the whole page can be large.
    offset = 0
    for piece in pieces:
        if not text.startswith(piece, offset):
            return False
        offset += len(piece)
    return offset == len(text)
