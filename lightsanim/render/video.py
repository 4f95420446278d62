"""H.264 in MP4, for every player, through PyAV (FFmpeg's libraries)."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.error import FFmpegError
from av.video.reformatter import ColorRange, Colorspace

from lightsanim.animate.animation import Animation
from lightsanim.animate.timing import ticks
from lightsanim.render.paint import Frame, OnFrame, paint_frames
from lightsanim.render.stamps import Pixels, Stamps, stamps_for
from lightsanim.render.theme import Theme

# The number of BT.709 in the tables of colours and curves of H.273.
BT709 = 1

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
        OSError: if the encoder fails, as it does when the disk is full.
    """
    geometry = theme.geometry(animation.board.rows, animation.board.columns)
    stamps, pixel_format = _seen(stamps_for(theme, animation.boards, geometry.cell))
    frames = _even(paint_frames(animation, geometry, stamps), stamps)
    repeats = ticks(animation.durations(), animation.fps)
    try:
        with av.open(path, "w", format="mp4", options={"movflags": "faststart"}) as file:
            rate = Fraction(animation.fps).limit_denominator(1001)
            stream = file.add_stream("libx264", rate=rate, options=QUALITY)
            stream.pix_fmt = "yuv420p"
            stream.width, stream.height = (
                -(-s // 2) * 2 for s in (geometry.width, geometry.height)
            )
            # Tagged as what players take high definition for, so that all show the same colours.
            context = stream.codec_context
            context.color_range, context.colorspace = ColorRange.MPEG, Colorspace.ITU709
            context.color_primaries, context.color_trc = BT709, BT709
            time = 0
            for pixels, repeat in zip(frames, repeats, strict=True):
                for _ in range(repeat):
                    frame = av.VideoFrame.from_ndarray(pixels, format=pixel_format)
                    frame = frame.reformat(format="yuv420p", dst_colorspace=Colorspace.ITU709)
                    frame.pts, time = time, time + 1
                    file.mux(stream.encode(frame))
                on_frame()
            file.mux(stream.encode(None))
    except FFmpegError as error:
        reason = f"the video encoder failed ({error.strerror}); is the disk full?"
        raise OSError(error.errno, reason) from error


def _seen(stamps: Stamps) -> tuple[Stamps, str]:
    # Greys go to the encoder in one channel, which takes it half the time.
    if (stamps.colours == stamps.colours[:, :1]).all():
        return stamps.seen_as(np.ascontiguousarray(stamps.colours[:, 0])), "gray"
    return stamps.seen_as(stamps.colours), "rgb24"


def _even(frames: Iterator[Frame], stamps: Stamps) -> Iterator[Pixels]:
    # The frames' pixels with even sides, copied only where they changed.
    padded = None
    for frame in frames:
        if padded is None:
            height, width = (-(-side // 2) * 2 for side in frame.pixels.shape[:2])
            padded = np.empty((height, width, *frame.pixels.shape[2:]), np.uint8)
            padded[:] = stamps.background
        padded[frame.box] = frame.changed
        yield padded
