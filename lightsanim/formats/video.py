"""H.264 and VP9 through PyAV (FFmpeg's libraries), written and read frame by frame."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from fractions import Fraction
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, cast

import av
import numpy as np
from av import VideoStream
from av.container import InputContainer, OutputContainer
from av.error import FFmpegError
from av.sidedata.sidedata import SideDataContainer
from av.sidedata.sidedata import Type as SideDataType
from av.video.reformatter import ColorRange, Colorspace
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.painting import (
    Frame,
    OnFrame,
    build_animation_tiles,
    geometry_of,
    paint_frames,
)
from lightsanim.animation.timing import durations_to_ticks
from lightsanim.errors import AnimationError, OptionError
from lightsanim.formats.frames import (
    VIDEO_WORK,
    Colours,
    DecodedFrame,
    Float32Array,
    FrameFile,
    Raster,
    check_decoding_work,
    check_frame_size,
    colour_codes,
    convert_decoder_errors,
    file_size,
    open_binary,
    unsupported_error,
)
from lightsanim.formats.metadata import Metadata, build_metadata
from lightsanim.formats.video_containers import check_container
from lightsanim.inputs.sound import SoundTrack
from lightsanim.inputs.video_clips import LENIENT_OPTIONS
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import Pixels, Tiles
from lightsanim.pictures.clip import FilmSound
from lightsanim.pictures.light import read_plane_lines
from lightsanim.system.cores import core_limit
from lightsanim.system.threads import prefetch

# Frames of a video, repeated ones counted each time: hours of it, and of the encoder's time.
MAX_FRAMES = 1_000_000

# Frames that may wait for the encoder, and FFmpeg's name of what it takes.
PREFETCH_FRAMES, PIXEL_FORMAT = 4, "yuv420p"

# Pixels of a frame, of which each thread of a decoder holds one or two.
MAX_THREADED_PIXELS = 10_000_000

# Seconds: sound may begin a little before the pictures.
MAX_START = Fraction(1, 20)

# Decoders that browsers use in place of FFmpeg's own, which shows what they refuse.
STRICT_DECODERS = {"vp9": "libvpx-vp9"}

# The number of BT.709 in the tables of colours and curves of H.273.
BT709 = 1


class _VideoEncoding(NamedTuple):
    """FFmpeg's name of an encoder, its options, and those of the file format."""

    codec: str
    options: Mapping[str, str]
    container_options: Mapping[str, str]


# By FFmpeg's names of the file formats.  Constant quality, with hardly a trace of blocks around
# cells; slower presets take several times the time for files no smaller than this.  VP9 spends half
# of a file on what is as good already, unless it is told that this is a screen, that no frame is
# worth more than another, and that few need to be keys, which seeking starts from.
ENCODINGS = {
    "mp4": _VideoEncoding(
        codec="libx264",
        options={"crf": "18", "preset": "veryfast"},
        container_options={"movflags": "faststart"},
    ),
    "webm": _VideoEncoding(
        codec="libvpx-vp9",
        options={
            "tune-content": "screen",
            **dict.fromkeys(("crf", "qmin", "qmax"), "28"),
            "b": "0",
            "g": "500",
            "deadline": "realtime",
            "cpu-used": "6",
            "row-mt": "1",
        },
        container_options={"fflags": "+bitexact"},  # no random numbers in its head
    ),
}

# FFmpeg's names of what is said of a work.
LABEL_TAGS = {
    "title": "title",
    "caption": "description",
    "credit": "artist",
    "licence": "copyright",
    "date": "date",
    "series": "album",
}


def write_video(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write a video with a steady frame rate, as players want it.

    A frame that is held is repeated.  The codecs halve their colours, so they need even sides: an
    odd one gets one more line of background, never a rescaled picture.
    """
    geometry = geometry_of(animation, theme)
    tiles = _encode_tile_colours(build_animation_tiles(animation, theme))
    size = -(-geometry.width // 2) * 2, -(-geometry.height // 2) * 2
    padded = _pad_frames(paint_frames(animation, geometry, tiles), tiles, *size)
    rate = Fraction(animation.fps).limit_denominator(1001)
    frame_counts = durations_to_ticks(animation.durations(), animation.fps)
    if frame_counts.sum() > MAX_FRAMES:
        duration = f"{animation.durations().sum():g} seconds at {animation.fps:g} frames a second"
        count = f"{frame_counts.sum()} frames, more than {MAX_FRAMES}"
        raise OptionError(f"a video of {duration} has {count}; take fewer, or shorter holds")
    # Encoding is most of the work, so painting has a thread of its own, a few frames ahead.
    with (
        _open_encoder(
            path, size, rate, build_metadata(animation, theme), animation.sounds
        ) as encode,
        closing(prefetch(map(_to_video_frame, padded), PREFETCH_FRAMES)) as frames,
    ):
        time = 0
        for frame, repeat in zip(frames, frame_counts, strict=True):
            for _ in range(repeat):
                frame.pts, frame.time_base = time, 1 / rate
                encode(frame)
                time += 1
            on_frame()


def rewrite_video(path: Path, target: Path, old: Metadata, new: Metadata) -> None:
    """Write a video again with other words, its packets as they are."""
    container = path.suffix.lower()[1:]
    with (
        av.open(path, "r", format=container) as source,
        _create_video_file(target, container, new) as file,
    ):
        copies = [file.add_stream_from_template(stream) for stream in source.streams]
        for packet in source.demux():
            if packet.size:  # the last one of each stream is empty
                packet.stream = copies[packet.stream.index]
                file.mux(packet)


def _create_video_file(path: Path, container: str, metadata: Metadata) -> OutputContainer:
    options = dict(ENCODINGS[container].container_options)
    file = av.open(path, "w", format=container, options=options)
    file.metadata.update({"comment": metadata.json_text, **metadata.label_texts(LABEL_TAGS)})
    return file


@contextmanager
def _open_encoder(
    path: Path,
    size: tuple[int, int],
    rate: Fraction,
    metadata: Metadata,
    sounds: Sequence[FilmSound],
) -> Iterator[Callable[[av.VideoFrame], None]]:
    # An open file; what it yields adds frames, each with its time.
    container = path.suffix.lower()[1:]
    try:
        with _create_video_file(path, container, metadata) as file:
            stream = _add_video_stream(file, ENCODINGS[container], size, rate)
            sound = SoundTrack(file, container, sounds)

            def encode_frame(frame: av.VideoFrame) -> None:
                sound.write_packets_until(frame.time or 0.0)
                file.mux(stream.encode(frame))

            yield encode_frame
            file.mux(stream.encode(None))
            sound.write_packets_until(inf)
    except FFmpegError as error:
        reason = f"the video encoder failed ({error.strerror}); is the disk full?"
        raise OSError(error.errno, reason) from error


def _add_video_stream(
    file: OutputContainer, encoding: _VideoEncoding, size: tuple[int, int], rate: Fraction
) -> VideoStream:
    new_stream = file.add_stream(encoding.codec, rate=rate, options=dict(encoding.options))
    stream = cast(VideoStream, new_stream)
    context = stream.codec_context
    stream.width, stream.height = size
    # 0: as the encoder likes.  What it writes depends on the number of its threads, so that a
    # process that has neighbours takes one, however many these are.
    context.thread_count = 0 if core_limit() is None else 1
    # Tagged as what players take high definition for, so that all show one colour.
    stream.pix_fmt, context.color_range = PIXEL_FORMAT, ColorRange.MPEG
    context.colorspace, context.color_primaries = Colorspace.ITU709, BT709
    context.color_trc = BT709
    return stream


def _to_video_frame(pixels: Pixels) -> av.VideoFrame:
    # As it is encoded; of greys, (height, width), nothing is left to convert.
    if pixels.ndim == 3:
        frame = av.VideoFrame.from_ndarray(pixels)
        return frame.reformat(format=PIXEL_FORMAT, dst_colorspace=Colorspace.ITU709)
    height, width = pixels.shape
    frame = av.VideoFrame(width, height, PIXEL_FORMAT)
    light, *colours = frame.planes
    read_plane_lines(light)[:, :width] = pixels
    for plane in colours:
        np.frombuffer(memoryview(plane), np.uint8)[:] = 128
    return frame


def _encode_tile_colours(tiles: Tiles) -> Tiles:
    # Greys go to the encoder in one channel, which is most of its work done; black is 16 there
    # and white 235.
    if (tiles.colours == tiles.colours[:, :1]).all():
        return tiles.map_colours(np.rint(16 + tiles.colours[:, 0] * (219 / 255)).astype(np.uint8))
    return tiles.map_colours(tiles.colours)


def _pad_frames(frames: Iterator[Frame], tiles: Tiles, width: int, height: int) -> Iterator[Pixels]:
    # The frames' pixels in the size of the video, copied only where they changed.
    padded = np.empty((height, width, *tiles.pixels.shape[3:]), np.uint8)
    padded[:] = tiles.background
    for frame in frames:
        padded[frame.box] = frame.changed_pixels
        yield padded


@contextmanager
def open_video(path: Path) -> Iterator[FrameFile]:
    """Read a video's frames, as FFmpeg and the browsers, which use it, show them."""
    container = path.suffix.lower()[1:]
    with ExitStack() as stack:
        # Neither its name nor its bytes may tell FFmpeg to open anything else.
        content = stack.enter_context(open_binary(path))
        declared = check_container(content, container)
        with convert_decoder_errors():
            file = stack.enter_context(av.open(content, "r", format=container, **LENIENT_OPTIONS))
        stream = _single_video_stream(file)
        if stream.codec_context is None:
            raise AnimationError("it has no pictures that can be decoded")
        size = stream.codec_context.height, stream.codec_context.width
        check_frame_size(*size)
        if size != (declared.get("height", size[0]), declared.get("width", size[1])):
            raise unsupported_error("pictures of another size than it says")
        stream.thread_type = "AUTO"
        if size[0] * size[1] > MAX_THREADED_PIXELS:
            stream.codec_context.thread_count = 1
        stream.codec_context.options = {"err_detect": "crccheck+bitstream+buffer+explode"}
        texts = [text for key, text in file.metadata.items() if key.lower() == "comment"]
        frames = _decode_frames(file, stream, file_size(path))
        yield FrameFile(comments=texts, lossy=True, size=size, frames=frames)


def _single_video_stream(file: InputContainer) -> VideoStream:
    # The one track with pictures; sound may go with it.
    kinds = sorted(stream.type for stream in file.streams)
    if kinds.count("video") != 1 or not {*kinds} <= {"audio", "video"}:
        raise unsupported_error(
            f"tracks other than one of pictures and perhaps sound: {', '.join(kinds)}"
        )
    (stream,) = file.streams.video
    if stream.sample_aspect_ratio not in (None, 0, 1):
        raise unsupported_error("pixels that are not square")
    if any(key.lower() == "alpha_mode" for key in stream.metadata):
        raise unsupported_error("pictures that are partly transparent")
    return stream


def _decode_frames(
    file: InputContainer, stream: VideoStream, length: int
) -> Iterator[DecodedFrame]:
    context: Any = stream.codec_context
    size = context.width, context.height
    if context.name in STRICT_DECODERS:
        context = av.CodecContext.create(STRICT_DECODERS[context.name], "r")
    frames = (frame for packet in file.demux(stream) for frame in context.decode(packet))
    default = 1 / stream.average_rate if stream.average_rate else Fraction(0)
    before, number = _decode_next_frame(frames, size, None), 0
    while before is not None:
        check_decoding_work((number + 1) * size[0] * size[1] * VIDEO_WORK, length)
        after = _decode_next_frame(frames, size, before)
        seconds = default if after is None else (after.pts - before.pts) * before.time_base
        raster = VideoRaster(before)
        yield DecodedFrame(number=number, raster=raster, seconds=float(seconds))
        before, number = after, number + 1
    # MP4s say how many they have; a list of edits can hide some, and some players show them all.
    if stream.frames not in (0, number):
        raise unsupported_error(f"{stream.frames} frames, and edits that leave {number} of them")


def _decode_next_frame(
    frames: Iterator[av.VideoFrame], size: tuple[int, int], previous: Any
) -> Any:
    with convert_decoder_errors():
        frame: Any = next(frames, None)
    if frame is None:
        return None
    if (frame.width, frame.height) != size:
        raise unsupported_error(
            f"frames of {frame.width}x{frame.height} pixels where it says other sizes"
        )
    if frame.is_corrupt:
        raise unsupported_error("frames that are damaged")
    with convert_decoder_errors():  # PyAV 18 does not know all kinds that FFmpeg 8 has
        # Not `frame.side_data`: that refers to the frame and is kept in it, which frees none.
        side_data = cast(Any, SideDataContainer)(frame)
        is_turned = any(data.type is SideDataType.DISPLAYMATRIX for data in side_data)
    if is_turned:
        raise unsupported_error("frames that are to be turned")
    if frame.pts is None or frame.pts <= (-1 if previous is None else previous.pts):
        raise unsupported_error("frames at times that do not follow one another")
    if previous is None and frame.pts * frame.time_base > MAX_START:
        raise unsupported_error(
            f"a first frame after {float(frame.pts * frame.time_base):g} seconds"
        )
    return frame


class VideoRaster(Raster):
    """The pixels of a video's frame; codecs keep light and colours apart."""

    def __init__(self, frame: av.VideoFrame) -> None:
        self._frame, self.shape = frame, (frame.height, frame.width)

    @cached_property
    def rgb_channels(self) -> NDArray[np.uint8]:
        """Red, green and blue: uint8 (height, width, 3)."""
        # Not as "rgba", which FFmpeg gets wrong at the right edge of some widths.
        with convert_decoder_errors():
            return np.asarray(self._frame.to_ndarray(format="rgb24"), np.uint8)

    @property
    def luma_planes(self) -> NDArray[np.uint8]:
        """What `luma_from_planes` is told by, plane by plane: uint8 (planes, height, width)."""
        if self._frame.format.name != PIXEL_FORMAT:
            return super().luma_planes
        return read_plane_lines(self._frame.planes[0])[None, :, : self._frame.width]

    def luma_from_planes(self, planes: NDArray[np.uint8]) -> Float32Array:
        """0 to 255, as Rec. 709 weighs what is encoded: float32 (...), from uint8 (planes, ...)."""
        if len(planes) > 1:
            return super().luma_from_planes(planes)
        # Black is 16 there and white 235.
        light: Float32Array = (planes[0] - np.float32(16)) * np.float32(255 / 219)
        return light

    def pixel_colours_at(self, positions: NDArray[np.int64]) -> Colours:
        """The colours of some pixels."""
        return colour_codes(self.rgb_channels.reshape(-1, 3)[positions])
