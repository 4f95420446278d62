"""Pictures in, an animation out: the stages in order, and the report of what each did."""

import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from itertools import chain, count, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.animate.animation import Animation, Move, animate, shades_of
from lightsanim.animate.legal import order_legally
from lightsanim.animate.order import order_clicks
from lightsanim.board.board import Board, nearest_perfect
from lightsanim.errors import OptionError
from lightsanim.pictures.dither import Target, dither
from lightsanim.pictures.grey import grey_for_board
from lightsanim.pictures.load import PictureSource, load_picture
from lightsanim.pictures.picture import Picture, rows_for
from lightsanim.render.stills import Stills
from lightsanim.render.theme import Theme
from lightsanim.render.write import (
    check_frames,
    check_outputs,
    check_times,
    notes_on,
    save_stills,
    write_animation,
)
from lightsanim.report import MoveReport, PictureReport, Report
from lightsanim.settings import Settings, Size, parse_size
from lightsanim.solve.fewest import Fewest, fewest_clicks
from lightsanim.solve.nearest import Nearest, nearest_accessible
from lightsanim.solve.outcome import Deadline
from lightsanim.solve.side_by_side import search_side_by_side

SHEET_FRAMES = 4

Say = Callable[[str], None]
Progress = Callable[[str, float, str], None]
"""Called with a stage, the share of it that is done (0..1), and what is known so far."""


def make(pictures: Sequence[PictureSource], **options: Any) -> Animation:
    """Turn two or more pictures into a Lights Out animation.

    Args:
        pictures: paths, Pillow images or arrays; three or more make a chain.
        options: the fields of `lightsanim.Settings`: ``size=60``, ``order="radial"``, ...

    Raises:
        OptionError: for an unknown option, a value that it cannot take, or fewer than 2 pictures.
        PictureError: if a picture cannot be read.
        SolverError: if a solver fails.

    Returns:
        The animation, ready to be saved.

    >>> fade = np.linspace(0, 1, 40).reshape(1, 40).repeat(30, axis=0)
    >>> animation = make([fade, fade[:, ::-1]], size="8x6", seed=1)
    >>> animation.first.shape, len(animation.pictures)
    ((6, 8), 2)
    """
    unknown = sorted(set(options) - {field.name for field in fields(Settings)})
    if unknown:
        known = ", ".join(field.name for field in fields(Settings))
        raise OptionError(f"unknown option {unknown[0]!r}; known: {known}")
    return make_with_report(pictures, Settings(**options))[0]


def make_files(
    pictures: Sequence[PictureSource],
    outputs: Sequence[str | Path],
    settings: Settings,
    theme: Theme,
    *,
    sheet: Path | None = None,
    sheet_frames: int = SHEET_FRAMES,
    overwrite: bool = True,
    progress: Progress = lambda stage, share, note: None,
) -> Report:
    """Make an animation and write it to one or more files.

    Args:
        pictures: paths, Pillow images or arrays.
        outputs: the files; their suffixes say in which formats.
        settings: the options of `make`.
        theme: the look.
        sheet: a picture of several stills side by side.
        sheet_frames: how many.
        overwrite: whether files that exist may be replaced.
        progress: see `Progress`.

    Returns:
        The facts of its making, with the files written.

    Raises:
        OptionError: for options that contradict each other or the formats.
        OutputError: if a file cannot be written; no half-written file is left behind.
    """
    longest = max(settings.hold_first, settings.hold_last) + 1 / settings.fps
    stills = [Stills(path=sheet, count=sheet_frames)] if sheet is not None else []
    paths = check_outputs(outputs, longest, stills, overwrite=overwrite)
    _check_no_picture_is_replaced(pictures, [*paths, *(still.path for still in stills)])
    animation, report = make_with_report(
        pictures,
        settings,
        progress,
        approve=lambda board: check_frames(paths, theme, board, stills),
    )
    clock = Clock(progress)
    write_files(animation, paths, stills, theme, clock)
    return replace(
        report,
        outputs=[str(path) for path in [*paths, *(still.path for still in stills)]],
        seconds=report.seconds | clock.seconds,
        notes=notes_on(paths, settings.fps),
    )


def render_files(
    animation: Animation,
    outputs: Sequence[str | Path],
    theme: Theme,
    *,
    still: Path | None = None,
    frame: int = -1,
    sheet: Path | None = None,
    sheet_frames: int = SHEET_FRAMES,
    overwrite: bool = True,
    progress: Progress = lambda stage, share, note: None,
) -> list[str]:
    """Write an animation to files, without solving; arguments as for `make_files`, and:

    Args:
        animation: what to draw.
        outputs: the files.
        theme: the look.
        still: a picture of one frame.
        frame: which one, -1 being the last.
        sheet: a picture of several stills side by side.
        sheet_frames: how many.
        overwrite: whether files that exist may be replaced.
        progress: see `Progress`.

    Returns:
        The files written.
    """
    stills = [Stills(path=still, frame=frame)] if still is not None else []
    stills += [Stills(path=sheet, count=sheet_frames)] if sheet is not None else []
    longest = float(animation.durations().max())
    paths = check_outputs(outputs, longest, stills, overwrite=overwrite)
    check_frames(paths, theme, animation.board, stills)
    write_files(animation, paths, stills, theme, Clock(progress))
    return [str(path) for path in [*paths, *(still.path for still in stills)]]


def write_files(
    animation: Animation,
    paths: Sequence[Path],
    stills: Sequence[Stills],
    theme: Theme,
    clock: "Clock",
) -> None:
    """The stage that writes: files and stills that are checked already."""
    # Equal pictures add up their holds, which only the animation knows.
    check_times(paths, float(animation.durations().max()))
    frames, written = len(animation.frames) * len(paths), count(1)
    with clock.stage("write"):
        for path in paths:
            write_animation(
                animation, path, theme, lambda: clock.progress("write", next(written) / frames, "")
            )
        for still in stills:
            save_stills(animation, still, theme)


def _check_no_picture_is_replaced(
    pictures: Sequence[PictureSource], outputs: Sequence[Path]
) -> None:
    sources = {os.path.realpath(p) for p in pictures if isinstance(p, str | os.PathLike)}
    for output in outputs:
        if os.path.realpath(output) in sources:
            raise OptionError(f"{output} is one of the pictures; write to another file")


def make_with_report(
    pictures: Sequence[PictureSource],
    settings: Settings,
    progress: Progress = lambda stage, share, note: None,
    approve: Callable[[Board], None] = lambda board: None,
) -> tuple[Animation, Report]:
    """As `make`, with the report of what each stage did.

    Args:
        pictures: paths, Pillow images or arrays.
        settings: all options.
        progress: told of every stage and of the searches in it, from several threads.
        approve: called with the board before the search begins; refuses by raising.

    Returns:
        The animation, and the facts of its making.
    """
    if isinstance(pictures, str | os.PathLike):
        raise OptionError(f"pictures must be a list of at least 2, not {str(pictures)!r} alone")
    if len(pictures) < 2:
        raise OptionError(f"an animation needs at least 2 pictures, not {len(pictures)}")
    seed = drawn_seed() if settings.seed is None else settings.seed
    clock = Clock(progress)
    with clock.stage("read"):
        loaded = (load_picture(p, settings.background, rgb=settings.rgb) for p in pictures)
        first = next(loaded)
        board = board_for(first, settings.size, perfect=settings.perfect)
        approve(board)
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            # Read one after the other, dithered side by side.
            dithered = [
                pool.submit(targets_for, picture, board, settings)
                for picture in chain([first], loaded)
            ]
            targets = [target.result() for target in dithered]
    with clock.stage("nearest") as say:
        reached = find_nearest(board, targets, settings, say)
        stops = [*reached, reached[0]] if settings.cycle else reached
    with clock.stage("fewest") as say:
        moves = find_fewest(board, stops, settings, say)
    with clock.stage("order"):
        rng = np.random.default_rng(seed)
        animation = animate(
            board,
            _stacked([nearest.configuration for nearest in reached[0]]),
            order_moves(board, moves, reached, targets, settings, rng),
            settings.timing,
            returns=settings.cycle or settings.boomerang,
            pictures=tuple(target.name for target, *_ in targets),
            seed=int(seed),
        )
    return animation, report_of(pictures, animation, reached, moves, clock.seconds)


def board_for(first: Picture, size: str | int, *, perfect: bool = False) -> Board:
    """The board of a size, with rows from the first picture's shape where they are not given.

    With ``perfect``, the nearest size at which every configuration is accessible.

    Raises:
        OptionError: if it would have too many cells.
    """
    asked = parse_size(size)
    if asked.rows is None:
        asked = Size(columns=asked.columns, rows=rows_for(first, asked.columns))
    assert asked.rows is not None
    board = Board(asked.rows, asked.columns)
    return nearest_perfect(board) if perfect else board


def targets_for(picture: Picture, board: Board, settings: Settings) -> list[Target]:
    """The picture, dithered to the board; in colour, to three boards, one for each primary."""
    grey = grey_for_board(picture, board.rows, board.columns, **settings.tones)
    planes = grey.reshape(-1, board.rows, board.columns)
    return [
        dither(plane, settings.dither, picture.name, serpentine=settings.serpentine)
        for plane in planes
    ]


def find_nearest(
    board: Board, targets: Sequence[Sequence[Target]], settings: Settings, say: Say
) -> list[list[Nearest]]:
    """The nearest accessible configuration of each picture on each of its boards.

    They are searched side by side, each with the settings' time limit for itself.
    """

    def search(target: Target, deadline: Deadline) -> Nearest:
        return nearest_accessible(
            board,
            target.configuration,
            margin=target.margin,
            ip=settings.ip,
            time_limit=deadline,
            on_progress=lambda wrong, bound: say(
                f"{target.name}: {wrong} wrong cells, at least {bound}"
            ),
        )

    found = iter(search_side_by_side(search, chain(*targets), settings.time_limit))
    return [[next(found) for _ in boards] for boards in targets]


def find_fewest(
    board: Board, reached: Sequence[Sequence[Nearest]], settings: Settings, say: Say
) -> list[list[Fewest]]:
    """The fewest clicks from each picture to the next, on each board; searched side by side.

    The exclusive-or of two configurations is toggled by the exclusive-or of the click sets that
    lead to them from all-on: the start of the search, as in the paper.
    """

    def search(clicks: Bits, deadline: Deadline) -> Fewest:
        return fewest_clicks(
            board,
            clicks,
            time_limit=deadline,
            on_progress=lambda count, bound: say(f"{count} clicks, at least {bound}"),
        )

    starts = [
        [one.clicks ^ two.clicks for one, two in zip(*pictures, strict=True)]
        for pictures in pairwise(reached)
    ]
    found = iter(search_side_by_side(search, chain(*starts), settings.time_limit))
    return [[next(found) for _ in boards] for boards in starts]


def order_moves(
    board: Board,
    moves: Sequence[Sequence[Fewest]],
    reached: Sequence[Sequence[Nearest]],
    targets: Sequence[Sequence[Target]],
    settings: Settings,
    rng: np.random.Generator,
) -> list[Move]:
    """The clicks of all moves in order; for a boomerang, then back again."""
    starts = zip(reached, targets, strict=True)
    forth = [
        order_move(board, move, *start, settings, rng)
        for move, start in zip(moves, starts, strict=False)
    ]
    if not settings.boomerang:
        return forth
    back = [(cells[::-1], None if p is None else p[::-1]) for cells, p in reversed(forth)]
    return forth + back


def order_move(
    board: Board,
    boards: Sequence[Fewest],
    start: Sequence[Nearest],
    targets: Sequence[Target],
    settings: Settings,
    rng: np.random.Generator,
) -> Move:
    """The clicks of a move in order; in colour, those at one cell are one click.

    Args:
        board: the board.
        boards: the click set on each of one or three such boards.
        start: where the move starts, on each board.
        targets: of the picture that it starts from.
        settings: the options of `make`.
        rng: decides what the order leaves open.
    """
    clicks = _stacked([fewest.clicks for fewest in boards])
    if settings.order == "legal":
        first = start[0].configuration
        return order_legally(board, first, clicks, rng, press=settings.press), None
    anywhere: Bits = np.logical_or.reduce(clicks) if len(boards) > 1 else clicks
    cells = order_clicks(
        anywhere,
        settings.order,
        rng,
        reverse=settings.reverse,
        spread=settings.spread,
        tone=np.mean([target.grey for target in targets], axis=0),
    )
    return cells, shades_of(clicks).ravel()[cells] if len(boards) > 1 else None


def _stacked(boards: list[Bits]) -> Bits:
    # One board as it is, three as (3, rows, columns).
    return boards[0] if len(boards) == 1 else np.stack(boards)


def report_of(
    pictures: Sequence[PictureSource],
    animation: Animation,
    reached: Sequence[Sequence[Nearest]],
    moves: Sequence[Sequence[Fewest]],
    seconds: dict[str, float],
) -> Report:
    """The facts of a finished run, without its outputs."""
    board = animation.board
    paths = [str(p) if isinstance(p, str | os.PathLike) else "picture" for p in pictures]
    return Report(
        board={**asdict(board), "nullity": board.nullity},
        pictures=[
            PictureReport.of(path, nearest) for path, nearest in zip(paths, reached, strict=True)
        ],
        moves=[MoveReport.of(move) for move in moves],
        frames=len(animation.frames),
        fps=float(animation.fps),
        boards=animation.boards,
        duration=round(float(animation.durations().sum()), 3),
        seed=animation.seed,
        seconds=seconds,
    )


def drawn_seed() -> int:
    """A seed that nobody chose, short enough to type."""
    return secrets.randbelow(10**6)


class Clock:
    """Times the stages and tells of them."""

    def __init__(self, progress: Progress) -> None:
        self.seconds: dict[str, float] = {}
        self.progress = progress

    @contextmanager
    def stage(self, name: str) -> Iterator[Say]:
        """A stage; what it yields tells what is known so far."""
        start = time.perf_counter()
        self.progress(name, 0.0, "")
        yield lambda note: self.progress(name, 0.0, note)
        self.progress(name, 1.0, "")
        self.seconds[name] = round(time.perf_counter() - start, 4)
