"""Reading of a film back into an `Animation`: saved ones, and SVG films, whose clicks are found."""

from typing import cast

import numpy as np

from lightsanim.errors import AnimationError
from lightsanim.film.animation import Animation
from lightsanim.film.clicks import Clicks, join_clicks
from lightsanim.game.levels import Lights
from lightsanim.options.checks import check_number
from lightsanim.options.look import LookOptions
from lightsanim.options.records import option_names
from lightsanim.options.stages import MAX_FPS, MIN_FPS
from lightsanim.output.formats.json_text import convert_file_errors
from lightsanim.output.formats.metadata import Metadata, frame_digest
from lightsanim.output.formats.registry import FORMATS, InputFile, local_path
from lightsanim.output.look.theme import Theme
from .animation_file import AnimationFile, ExpectedBoard, open_animation_file
from .click_finder import BoardChange, ClickFinder

KEPT_LOOK = tuple(name for name in option_names(LookOptions) if name != "gap")
TICK = 0.001  # Unit of the times in an SVG film, in seconds.


def load_animation(path: InputFile) -> Animation:
    """Read an animation that was saved as ``.json``, ``.html`` or ``.svg``.

    An SVG film stores no clicks, so they are found again, and frames that equal the previous one
    become holds.  Its targets, and the order of clicks that one frame makes, are not restored.

    Args:
        path: path, or the content of the file as bytes or a binary file object.

    Raises:
        AnimationError: if the file cannot be read, is of another format or version, is damaged,
            or contradicts itself.
    """
    return load_film(path)[0]


def load_film(path: InputFile) -> tuple[Animation, Theme]:
    """Read an animation as `load_animation` does, with its colours, shape and panel of clicks."""
    with local_path(path) as local:
        suffix = "" if local.is_dir() else local.suffix.lower()
        format = FORMATS.get(suffix, FORMATS[".json"])
        is_still = suffix in (".png", ".pdf")
        if format.load is not None and not is_still:
            saved = format.load(local)
            return saved.animation, _keep_look(saved.theme or Theme(), saved.animation)
        with convert_file_errors(local):
            if suffix != ".svg":
                reason = f"{format.with_article} holds a program for lamps"
                if is_still:
                    reason = f"a {suffix} is a still"
                elif format.open_frames:
                    verify = "`verify` reads it, and `verify --command` prints how it was made"
                    reason = f"{format.with_article} holds frames: {verify}"
                raise AnimationError(f"only .json, .html and .svg can be drawn again; {reason}")
            with open_animation_file(local, ExpectedBoard()) as file:
                animation = _animation_from_frames(file, cast(Metadata, file.metadata))
                return animation, _keep_look(file.theme, animation)


def _keep_look(theme: Theme, animation: Animation) -> Theme:
    # Returns a look with what does not depend on the size of the frames.
    look = theme.with_named_palette(animation.boards, animation.board.levels)
    return Theme(**{name: getattr(look, name) for name in KEPT_LOOK})


def _animation_from_frames(file: AnimationFile, metadata: Metadata) -> Animation:
    board, finder, counts = file.board, ClickFinder(file.board), map(int, metadata.steps)
    lights, moves, seconds = list[Lights](), list[Clicks](), list[float]()
    for frame in file.frames:
        lights.append(file.unpack_shades(frame.shades))
        seconds.append(frame.seconds or 0.0)
        if len(lights) > 1:
            raised = board.subtract(*reversed(lights[-2:])).reshape(file.planes, -1)
            changes = [BoardChange(np.flatnonzero(rise), rise[rise > 0]) for rise in raised]
            limit = next(counts, None) if raised.any() else 0
            presses = np.zeros(raised.shape, np.uint8)
            for plane, found in zip(presses, finder.count_step_clicks(changes, limit), strict=True):
                if isinstance(found.presses, int):
                    plane[found.presses] = 1
                elif found.presses is not None:
                    plane[:] = found.presses.ravel()
            cells = np.flatnonzero(presses.any(axis=0))
            moves.append(Clicks.from_presses(cells, presses[:, cells]))
            lights[1:] = lights[-1:]
    settings = {} if file.origin is None else file.origin.settings
    fps, seed = settings.get("fps"), settings.get("seed")
    if isinstance(fps, int | float):
        fps = check_number("fps", fps, MIN_FPS, MAX_FPS)
    if not isinstance(fps, float) or abs(1 / fps - min(seconds)) > TICK:
        fps = max(MIN_FPS, 1 / min(seconds))
    ends = np.cumsum(seconds)
    whole = np.round(ends * fps) / fps  # The film's own times, which its milliseconds round.
    ends = np.where(np.abs(whole - ends) <= TICK, whole, ends)
    holds = enumerate(np.diff(ends, prepend=0) - 1 / fps)
    animation = Animation(
        board=board,
        first=lights[0] if file.planes == 3 else lights[0][0],
        history=join_clicks(moves, in_colour=file.planes == 3),
        clicks_done=np.cumsum([0, *map(len, moves)]),
        fps=fps,
        holds=tuple((number, float(hold)) for number, hold in holds if hold > TICK / 2),
        loop=file.loop,
        pictures=metadata.pictures,
        seed=seed if isinstance(seed, int) else None,
        origin=file.origin,
    )
    if frame_digest(animation)[1] != metadata.sha256:
        raise AnimationError("its frames differ from those that were written")
    return animation
