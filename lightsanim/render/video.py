"""H.264 in MP4, for every player, through PyAV (FFmpeg's libraries)."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.error import FFmpegError

from lightsanim.animate.animation import Animation
from lightsanim.animate.timing import ticks
from lightsanim.errors import OutputError
from lightsanim.render.paint import BACKGROUND, Frame, OnFrame, Pixels, paint_frames
from lightsanim.render.theme import Theme

# Constant quality, with hardly a trace of blocks around cells; slower presets take several times
# the time for files no smaller than this.
QUALITY = {"crf": "18", "preset": "veryfast"}


def write_mp4(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame = lambda: None
) -> None:
    """Write an MP4 with H.264 video.

    A frame that is held is repeated, as players want a steady frame rate.  H.264 halves its
    colours, so it needs even sides: an odd one gets one more line of background, never a rescaled
    picture.

    Raises:
        OutputError: if the encoder fails, as it does when the disk is full.
    """
    geometry = theme.geometry(animation.board.rows, animation.board.columns)
    palette, pixel_format = _palette(theme)
    frames = _even(paint_frames(animation, geometry, palette), palette)
    repeats = ticks(animation.durations(), animation.fps)
    try:
        with av.open(path, "w", options={"movflags": "faststart"}) as file:
            rate = Fraction(animation.fps).limit_denominator(1001)
            stream = file.add_stream("libx264", rate=rate, options=QUALITY)
            stream.pix_fmt = "yuv420p"
            stream.width, stream.height = (
                -(-s // 2) * 2 for s in (geometry.width, geometry.height)
            )
            time = 0
            for pixels, repeat in zip(frames, repeats, strict=True):
                for _ in range(repeat):
                    frame = av.VideoFrame.from_ndarray(pixels, format=pixel_format)
                    frame.pts, time = time, time + 1
                    file.mux(stream.encode(frame))
                on_frame()
            file.mux(stream.encode(None))
    except FFmpegError as error:
        raise OutputError(f"cannot write an MP4: {error.strerror}; is the disk full?") from error


def _palette(theme: Theme) -> tuple[Pixels, str]:
    # Greys go to the encoder in one channel, which takes it half the time.
    colours = theme.colours
    if (colours == colours[:, :1]).all():
        return np.ascontiguousarray(colours[:, 0]), "gray"
    return colours, "rgb24"


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
