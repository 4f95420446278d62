"""Jobs of a worker process: read pictures, make targets, solve films, write files.

A worker reads untrusted files and may be killed at any time, so it holds nothing that another
worker cannot compute again.  All workers memory-map decoded pictures from files in the studio's
folder.
"""

import io
import pickle
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from lightsanim.apps.batch.job import outputs_in_folder
from lightsanim.apps.batch.originals import make_small_image
from lightsanim.board_choice import choose_board
from lightsanim.errors import LightsAnimError
from lightsanim.film.animation import Animation
from lightsanim.film.transitions.dissolve import check_nullity
from lightsanim.film.transitions.transition import find_nearest_configurations
from lightsanim.game.board.board import Board
from lightsanim.game.levels import pack_levels, stack_planes
from lightsanim.game.solve.check_cells import CheckCells
from lightsanim.options.choices import AUTO
from lightsanim.options.colours import Colour, to_colour
from lightsanim.options.outputs import Outputs
from lightsanim.options.stages import PictureOptions, SolveOptions, Timing
from lightsanim.output.formats.page import player_html
from lightsanim.output.look.theme import Theme
from lightsanim.output.look.tiles import choose_accent_colour
from lightsanim.output.reports.in_words import result_text
from lightsanim.output.reports.report import Report
from lightsanim.output.saving.atomic import write_files_together
from lightsanim.output.saving.save import render_files
from lightsanim.pictures.clip import Clip
from lightsanim.pictures.crop import find_picture_part
from lightsanim.pictures.dither import Target
from lightsanim.pictures.grey import centred_box
from lightsanim.pictures.inputs import Input, StillInput, open_inputs
from lightsanim.pictures.light import Light
from lightsanim.pictures.load import load_still_picture, open_source
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.pillow import build_indexed_image
from lightsanim.pictures.plain_ground import find_extendable_ground
from lightsanim.pictures.source import Source
from lightsanim.pictures.targets import Destination, LightKey, dither_cells
from lightsanim.pipeline import make, plan_film, solve
from lightsanim.plan import choose_spot_colours
from lightsanim.system.deadline import Deadline
from lightsanim.system.processes import exit_with_parent, report_to_parent
from lightsanim.system.progress import REPORT_INTERVAL, StageTimer
from .album import UploadedFile
from .request_options import PLAYER, SOLUTION, FilmFacts, FilmRequest

CLIP_SPAN = ("start", "end", "at")  # options that select frames of a clip
MAX_LIGHT_BYTES = 50_000_000  # Maximum size of the scaled pictures that a worker caches.
# A film that takes longer is solved once only: its draft would not be shown much earlier.
MAX_DRAFT_SECONDS = 2.0
MAX_STEP_BYTES = 50_000_000  # Maximum size of a film's steps, since the server keeps several films.


_last_report = "", 0.0  # stage and time of the last progress message


def start_worker(folder: Path) -> None:
    """Prepare this process for jobs; it removes the folder when the studio ends."""
    exit_with_parent(lambda: shutil.rmtree(folder, ignore_errors=True))
    # Making a tiny film loads libraries, tables and templates before the first job.
    fade = np.linspace(0, 1, 40, dtype=np.float32).reshape(1, 40).repeat(30, axis=0)
    with suppress(LightsAnimError):
        player_html(make([fade, fade[:, ::-1]], size="8x6", seed=1), Theme(), framed=True)


def _report_progress(stage: str, share: float, note: str) -> None:
    global _last_report
    (last_stage, last_time), now = _last_report, time.monotonic()
    if stage != last_stage or now - last_time >= REPORT_INTERVAL:
        _last_report = stage, now
        report_to_parent((stage, share, note))


def _open_input(
    number: int, file: UploadedFile, own: Mapping[str, Any], film: PictureOptions
) -> Input:
    """Open a picture of a film for its target; decoded pictures and opened clips are cached."""
    source = _source_of_picture(file, own, film)
    if not file.is_clip:
        return StillInput(source=source, number=number, opened=source)
    shown = {name: getattr(film, name) for name in (*CLIP_SPAN, "backdrop", "rgb")}
    clip_own = tuple((name, own[name]) for name in (*CLIP_SPAN, "fps", "backdrop") if name in own)
    return _open_clip(file, clip_own, PictureOptions(**shown)).with_source(source)


def _source_of_picture(
    file: UploadedFile, own: Mapping[str, Any], options: PictureOptions
) -> Source:
    """Return a picture as a source for `make`: a clip as its file, a still as decoded pixels."""
    if file.is_clip:
        return Source(file, **own)
    still = _load_still(file, own.get("backdrop", options.backdrop), options.reads_colour)
    still.word.check(own)
    return Source(still, **own)


@lru_cache(maxsize=4)
def _open_clip(
    file: UploadedFile, own: tuple[tuple[str, Any], ...], options: PictureOptions
) -> Input:
    """Open a clip; if the option ``at`` is set, only the frame at this time."""
    [opened] = open_inputs([Source(file, **dict(own))], options)
    return opened


@lru_cache(maxsize=16)
def _load_still(file: UploadedFile, backdrop: Colour | None, rgb: bool) -> Picture:
    """Load a still, memory-mapped from a file of its decoded pixels that all workers share."""
    prefix = f"{file.id}-{'rgb' if rgb else 'grey'}-"
    stem = f"{prefix}{str(backdrop)[1:]}-"
    folder = file.path.parent
    cached = next(folder.glob(f"{stem}*.npy"), None)
    if cached is None:
        picture = load_still_picture(file, PictureOptions(backdrop=backdrop, rgb=rgb))
        for outdated in folder.glob(f"{prefix}*.npy"):
            outdated.unlink(missing_ok=True)
        cached = folder / f"{stem}{picture.reduction}.npy"
        write_files_together({cached: partial(np.save, arr=picture.light)})
    source = Source(file)
    return Picture(
        name=source.name,
        light=np.load(cached, mmap_mode="r"),
        sha256=file.sha256,
        word=source.meaning,
        reduction=int(cached.stem.rpartition("-")[2]),
    )


class _LightCache(dict[LightKey, Light]):
    """Scaled pictures, since most options change neither their visible part nor their size."""

    def __setitem__(self, key: LightKey, light: Light) -> None:
        """Keep light; first remove all other if it would take too much memory."""
        if sum(kept.nbytes for kept in self.values()) + light.nbytes > MAX_LIGHT_BYTES:
            self.clear()
        super().__setitem__(key, light)


_lights = _LightCache()


def describe_file(file: UploadedFile) -> tuple[dict[str, Any], bytes]:
    """Return a picture's size and kind for the page, and its thumbnail (JPEG)."""
    opened = open_source(Source(file))
    if isinstance(opened, Clip):
        width, height = opened.size
        facts = {"kind": "clip", "seconds": opened.seconds, "fps": opened.fps}
    else:
        # Decoding the still now fills the cache for later targets and films.
        height, width = _load_still(file, PictureOptions().backdrop, rgb=False).light.shape
        facts = {"kind": "still", "seconds": None, "fps": None}
    return {"width": width, "height": height, **facts}, draw_thumbnail(file)


def draw_thumbnail(file: UploadedFile, at: float = 0.0) -> bytes:
    """Return a JPEG of a still, or of a clip's frame at a time in seconds."""
    buffer = io.BytesIO()
    make_small_image(Source(file, at=at) if at else Source(file)).save(buffer, "JPEG", quality=88)
    return buffer.getvalue()


def draw_target(film: FilmRequest, index: int, wrong: bool) -> tuple[bytes, tuple[float, ...]]:
    """Return the PNG of a target, a pixel for each cell, and the part of the picture it shows."""
    has_clips = any(
        file.is_clip and own.get("at", film.settings.at) is None for file, own in film.pictures
    )
    # Any frame rate selects the defaults for clips; its value has no influence on a target.
    fps, theme = Timing().fps if has_clips else None, film.theme
    options = film.settings.with_defaults_for(fps, pictures=len(film.pictures))

    def open_picture(number: int) -> tuple[Input, Picture]:
        opened = _open_input(number + 1, *film.pictures[number], options)
        return opened, opened.first_frame(options, Deadline(inf))

    _, first = open_picture(0)
    board = choose_board(first, options, theme, has_clips=has_clips)
    to = Destination.of(options, board, request=film.settings, has_clips=has_clips, lights=_lights)
    opened, picture = open_picture(index)
    prepared = opened.prepare(picture, to)
    cells = prepared.samples(to)[0]
    part = _visible_box(replace(picture, own=prepared.own), cells.options, to.aspect)
    spot = options.spot
    if spot is True:
        pairs = map(open_picture, range(len(film.pictures)))
        spot = choose_spot_colours(to, [other.prepare(frame, to) for other, frame in pairs])
        theme = theme.with_spot_colours(spot)
    targets = dither_cells(cells, board.shape, spot)
    configurations = [target.configuration for target in targets]
    shades = pack_levels(stack_planes(configurations), board.levels).reshape(board.shape)
    colours = theme.shades_with_alpha(len(targets), board.levels)
    if wrong:
        nearest = _nearest_configurations(targets, board, options, is_clip=opened.fps is not None)
        are_wrong = [t.configuration != near for t, near in zip(targets, nearest, strict=True)]
        accent = to_colour(choose_accent_colour(theme.shades(len(targets), board.levels)))
        shades = np.where(np.any(are_wrong, axis=0), np.uint8(len(colours)), shades)
        colours = np.vstack([colours, np.array([accent], np.uint8)])
    buffer = io.BytesIO()
    build_indexed_image(shades, colours).save(buffer, "PNG")
    return buffer.getvalue(), part


def _nearest_configurations(
    targets: Sequence[Target], board: Board, search: SolveOptions, *, is_clip: bool
) -> list[NDArray[Any]]:
    # As in films, clips are corrected in a few cells only, which are the same in every frame.
    if not is_clip:
        [nearest_planes] = find_nearest_configurations(
            board, [targets], search, lambda note, share=0.0: None
        )
        return [nearest.configuration for nearest in nearest_planes]
    check_nullity(board, search.time_limit, "a clip")
    cells = CheckCells.from_order(board)
    return [cells.correct_configuration(target.configuration) for target in targets]


def _visible_box(picture: Picture, options: PictureOptions, shape: float) -> tuple[float, ...]:
    # Returns left, top, right and bottom of the part that the board shows, in percent of the
    # picture's sides.  Values below 0 or above 100 are padding beyond the picture.
    light, box = picture.light, find_picture_part(picture, options, shape).box
    edges: tuple[float, ...] = box
    left, top, right, bottom = box
    if options.fit in (AUTO, "cover"):
        padded = options.fit == AUTO and find_extendable_ground(light, box, shape) is not None
        x, y, *end = centred_box(right - left, bottom - top, shape, max if padded else min)
        edges = left + x, top + y, left + end[0], top + end[1]
    height, width = light.shape[:2]
    sides = width, height, width, height
    return tuple(round(100 * edge / side, 3) for edge, side in zip(edges, sides, strict=True))


def make_film(film: FilmRequest, path: Path, solved: Path | None, may_be_draft: bool) -> FilmFacts:
    """Write the files of a film; ``solved`` is its solution, if an earlier film has the same."""
    clock = StageTimer(_report_progress, MAX_DRAFT_SECONDS if may_be_draft else 0.0)
    animation, report = _load_or_solve_film(film, solved, clock)
    path.with_suffix(SOLUTION).write_bytes(pickle.dumps((animation, report)))
    player = player_html(animation, film.theme, framed=True)
    path.with_suffix(PLAYER).write_bytes(player.encode())
    summary = f"{result_text(report)}; {report.duration:g} seconds."
    facts = report.as_dict()
    return {"draft": clock.is_draft, "report": facts, "summary": summary, "notes": facts["notes"]}


def _load_or_solve_film(
    film: FilmRequest, solved: Path | None, clock: StageTimer
) -> tuple[Animation, Report]:
    with suppress(FileNotFoundError):  # the server removes the files of older films
        if solved is not None:
            return cast(tuple[Animation, Report], pickle.loads(solved.read_bytes()))
    settings = film.settings
    sources = [_source_of_picture(file, own, settings) for file, own in film.pictures]
    animation, report = solve(plan_film(sources, settings, clock, film.theme, _lights), clock)
    if animation.steps is not None and animation.steps.packed.nbytes > MAX_STEP_BYTES:
        flaw = f"a film of {len(animation)} frames is too long for the studio"
        raise LightsAnimError(f"{flaw}; shorten its clips, or choose fewer cells")
    return animation, report


def save_film(film: FilmRequest, outputs: Outputs, folder: Path, solved: Path | None) -> list[str]:
    """Write a film's outputs to a folder, and return notes on them."""
    animation, _ = _load_or_solve_film(film, solved, StageTimer(_report_progress))
    files = outputs_in_folder(outputs, folder)
    return render_files(animation, film.theme, files, progress=_report_progress).notes
