"""Frames of an animation as Pillow images, as arrays and as a plot."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightsanim.film.animation import Animation
from lightsanim.options.checks import check_whole_number
from lightsanim.options.keywords import LookKeywords
from lightsanim.options.outputs import MAX_STILLS
from lightsanim.output.look.board_image import new_axes, show_on_axes
from lightsanim.output.look.paint_film import (
    frame_layout,
    paint_frames,
    paint_selected_frames,
    theme_for,
)
from lightsanim.output.look.theme import FrameGeometry, parse_theme
from lightsanim.output.look.tiles import Tiles
from .stills import evenly_spaced_frames, pair_frames_with_previous

# Width of a plotted frame, in inches.
PLOT_WIDTH = 2.4


def frame_image(animation: Animation, number: int, look: LookKeywords) -> Image.Image:
    """Return a frame as an image; this implements `lightsanim.Animation.frame`."""
    check_whole_number("frame", number, -len(animation), len(animation) - 1)
    number %= len(animation)
    return frame_images(animation, range(number, number + 1), look)[0]


def frame_images(animation: Animation, numbers: range, look: LookKeywords) -> list[Image.Image]:
    """Return several frames as images, in one pass over the animation."""
    pairs = [(number, max(0, number - 1)) for number in sorted(numbers)]
    painted = paint_selected_frames(animation, pairs, *_frame_layout(animation, look))
    images = [*map(Image.fromarray, painted)]
    return images if numbers.step > 0 else images[::-1]


def frame_arrays(animation: Animation, look: LookKeywords) -> Iterator[NDArray[np.uint8]]:
    """Yield all frames as arrays; this implements `lightsanim.Animation.frames`."""
    return (
        frame.pixels.copy() for frame in paint_frames(animation, *_frame_layout(animation, look))
    )


def plot(animation: Animation, count: int, look: LookKeywords) -> NDArray[Any]:
    """Plot frames side by side; this implements `lightsanim.Animation.plot`."""
    check_whole_number("count", count, 1, MAX_STILLS)
    layout = _frame_layout(animation, look)
    rows, columns = animation.board.shape
    axes: NDArray[Any]
    [axes] = new_axes(count, figsize=(PLOT_WIDTH * count, PLOT_WIDTH * rows / columns + 0.4))
    numbers = pair_frames_with_previous(evenly_spaced_frames(animation, count))
    painted = paint_selected_frames(animation, numbers, *layout)
    for axis, (number, _), pixels in zip(axes, numbers, painted, strict=True):
        show_on_axes(axis, pixels, f"frame {number}")
    return axes


def _frame_layout(animation: Animation, look: LookKeywords) -> tuple[FrameGeometry, Tiles]:
    theme = theme_for(animation, parse_theme(look))
    geometry, tiles = frame_layout(animation, theme)
    return geometry, tiles.map_colours(tiles.rgba if theme.transparent_parts else tiles.colours)
