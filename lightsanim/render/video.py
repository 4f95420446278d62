"""H.264 in MP4, for every player, through imageio and PyAV."""

from collections.abc import Iterator
from pathlib import Path

import imageio.v3 as iio
import numpy as np
from imageio.plugins.pyav import PyAVPlugin
from numpy.typing import NDArray

from lightsanim.animate.animation import Animation
from lightsanim.render.paint import BACKGROUND, Frame, OnFrame, Pixels, paint_frames
from lightsanim.render.theme import Theme


def write_mp4(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame = lambda: None
) -> None:
    """Write an MP4 with H.264 video.

    A frame that is held is repeated, as players want a steady frame rate.  H.264 halves its
    colours, so it needs even sides: an odd one gets one more line of background, never a rescaled
    picture.
    """
    geometry = theme.geometry(animation.board.rows, animation.board.columns)
    palette, pixel_format = _palette(theme)
    repeats = _repeats(animation.durations(), animation.fps)
    with iio.imopen(
        path, "w", plugin=PyAVPlugin, container_options={"movflags": "faststart"}
    ) as video:
        video.init_video_stream("libx264", fps=animation.fps, pixel_format="yuv420p")
        frames = paint_frames(animation, geometry, palette)
        for pixels, repeat in zip(_even(frames, palette), repeats, strict=True):
            for _ in range(repeat):
                video.write_frame(pixels, pixel_format=pixel_format)
            on_frame()


def _palette(theme: Theme) -> tuple[Pixels, str]:
    # Greys go to the encoder in one channel, which takes it half the time.
    colours = theme.colours
    if (colours == colours[:, :1]).all():
        return np.ascontiguousarray(colours[:, 0]), "gray"
    return colours, "rgb24"


def _repeats(durations: NDArray[np.float64], fps: float) -> NDArray[np.int64]:
    # How often each frame is shown, the rounding spread so that the total is right.
    ends = np.rint(np.cumsum(durations) * fps).astype(np.int64)
    return np.diff(ends, prepend=0)


def _even(frames: Iterator[Frame], palette: Pixels) -> Iterator[Pixels]:
    # The frames' pixels with even sides, copied only where they changed.
    padded = None
    for frame in frames:
        if padded is None:
            height, width = (-(-side // 2) * 2 for side in frame.pixels.shape[:2])
            padded = np.empty((height, width, *palette.shape[1:]), np.uint8)
            padded[:] = palette[BACKGROUND]
        padded[frame.box] = frame.changed
        yield padded
