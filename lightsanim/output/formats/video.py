"""MP4 (H.264) and WebM (VP9), written and read frame by frame with PyAV (FFmpeg's libraries)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from fractions import Fraction
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

from lightsanim.errors import AnimationError, OptionError
from lightsanim.film.animation import Animation
from lightsanim.film.timing import durations_to_ticks
from lightsanim.output.look.paint_film import Frame, OnFrame, frame_layout, paint_frames
from lightsanim.output.look.theme import Theme
from lightsanim.output.look.tiles import Pixels, Tiles
from lightsanim.pictures.clip import FilmSound
from lightsanim.pictures.light import read_plane_lines
from lightsanim.pictures.video_clips import LENIENT_OPTIONS
from lightsanim.system.cores import core_limit
from lightsanim.system.threads import prefetch
from .frames import (
    PIXEL_FORMAT,
    VIDEO_WORK,
    DecodedFrame,
    FrameFile,
    VideoRaster,
    check_decoding_work,
    check_frame_size,
    convert_decoder_errors,
    file_size,
    open_binary,
    refuse_if,
)
from .metadata import Metadata, build_metadata
from .sound import SoundTrack
from .video_containers import check_container

MAX_FRAMES = 1_000_000  # Maximum number of frames, including repeats; such a video plays for hours.
PREFETCH_FRAMES = 4  # Maximum number of painted frames that wait for the encoder.
MAX_THREADED_PIXELS = 10_000_000  # Pixels; larger frames are decoded in one thread.
# Shortest time for which a frame is shown; frames that are replaced earlier are left out.
MIN_SECONDS = Fraction(1, 1000)
MAX_START = Fraction(1, 20)  # Seconds by which sound may start before the first frame.
UNSPECIFIED = 2, 0  # Codes, in FFmpeg, of a colour matrix and a range that are not stated.
BT709 = 1  # Code of BT.709, in ITU-T H.273, for the colour primaries and the transfer curve.
# Decoders that browsers use, by codec; FFmpeg's own ones accept files that browsers refuse.
STRICT_DECODERS = {"vp9": "libvpx-vp9"}


class _VideoEncoding(NamedTuple):
    """FFmpeg's names and options of an encoder and its container."""

    codec: str
    options: Mapping[str, str]
    fine_options: Mapping[str, str]  # Options for levels that differ in colour alone.
    container_options: Mapping[str, str]


# Encodings by FFmpeg's container name.  This quality leaves hardly any block artefacts.  Slower
# presets take several times as long, but files become no smaller.  The settings "tune-content",
# "qmin", "qmax" and "g" (frames between key frames) halve the size of VP9 files.  The fine options
# keep the colours of cells of 4 pixels readable; files become a third larger.
QUANTIZATION = "crf", "qmin", "qmax"  # 6 more make a file about half as large.
ENCODINGS = {
    "mp4": _VideoEncoding(
        codec="libx264",
        options={"crf": "18", "preset": "veryfast"},
        fine_options={"crf": "12"},
        container_options={"movflags": "faststart"},
    ),
    "webm": _VideoEncoding(
        codec="libvpx-vp9",
        options={
            "tune-content": "screen",
            **dict.fromkeys(QUANTIZATION, "28"),
            "b": "0",
            "g": "500",
            "deadline": "realtime",
            "cpu-used": "6",
            "row-mt": "1",
        },
        fine_options=dict.fromkeys(QUANTIZATION, "16"),
        container_options={"fflags": "+bitexact"},  # no random numbers in the header
    ),
}

# FFmpeg's metadata keys for the texts of a label (title, caption and so on).
LABEL_TAGS = {
    "title": "title",
    "caption": "description",
    "credit": "artist",
    "licence": "copyright",
    "date": "date",
    "series": "album",
}


def write_video(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame, *, coarser: int = 0
) -> None:
    """Write a video with a constant frame rate, in which held frames are repeated."""
    geometry, tiles = frame_layout(animation, theme)
    tiles = _encode_tile_colours(tiles)
    size = -(-geometry.width // 2) * 2, -(-geometry.height // 2) * 2  # codecs need even sides
    padded = _pad_frames(paint_frames(animation, geometry, tiles), tiles, *size)
    rate = Fraction(animation.fps).limit_denominator(1001)
    frame_counts = durations_to_ticks(animation.durations(), animation.fps)
    if frame_counts.sum() > MAX_FRAMES:
        raise OptionError(
            f"a video of {animation.durations().sum():g} seconds at {animation.fps:g} frames a "
            f"second would have {frame_counts.sum()} frames, more than {MAX_FRAMES}; use shorter "
            "holds"
        )
    metadata = build_metadata(animation, theme)
    # Another thread paints the next frames while this one encodes, which is most of the work.
    with (
        _open_encoder(path, size, rate, metadata, animation.sounds, coarser) as encode,
        closing(prefetch(map(_to_video_frame, padded), PREFETCH_FRAMES)) as frames,
    ):
        time = 0
        for frame, repeat in zip(frames, frame_counts, strict=True):
            for _ in range(repeat):
                frame.pts, frame.time_base = time, 1 / rate
                encode(frame)
                time += 1
            on_frame()


def rewrite_video(path: Path, target: Path, *, old: Metadata, new: Metadata) -> None:
    """Copy a video with new metadata and unchanged packets."""
    container = path.suffix.lower()[1:]
    with (
        av.open(path, "r", format=container) as source,
        _create_video_file(target, container, new) as file,
    ):
        copies = [file.add_stream_from_template(stream) for stream in source.streams]
        for packet in source.demux():
            if packet.size:  # the last packet of each stream is empty
                packet.stream = copies[packet.stream.index]
                file.mux(packet)


def _create_video_file(path: Path, container: str, metadata: Metadata) -> OutputContainer:
    file = av.open(
        path, "w", format=container, options=dict(ENCODINGS[container].container_options)
    )
    file.metadata.update({"comment": metadata.json_text, **metadata.label_texts(LABEL_TAGS)})
    return file


@contextmanager
def _open_encoder(
    path: Path,
    size: tuple[int, int],
    rate: Fraction,
    metadata: Metadata,
    sounds: Sequence[FilmSound],
    coarser: int,
) -> Iterator[Callable[[av.VideoFrame], None]]:
    # Create a video file; yield a function that encodes a frame, to be shown at `frame.time`.
    container = path.suffix.lower()[1:]
    try:
        with _create_video_file(path, container, metadata) as file:
            encoding, colours = ENCODINGS[container], metadata.look.colours or ()
            is_fine = metadata.board.levels > 2 and len(colours) > 2
            options = {**encoding.options, **(encoding.fine_options if is_fine else {})}
            levels = {name: options[name] for name in QUANTIZATION if name in options}
            options |= {name: str(int(level) + coarser) for name, level in levels.items()}
            stream = _add_video_stream(file, encoding.codec, options, size, rate)
            sound = SoundTrack(file, container, sounds)

            def encode_frame(frame: av.VideoFrame) -> None:
                sound.write_packets_until(frame.time or 0.0)
                file.mux(stream.encode(frame))

            yield encode_frame
            file.mux(stream.encode(None))
            sound.write_packets_until(inf)
    except FFmpegError as error:
        raise OSError(
            error.errno,
            f"the video encoder failed ({error.strerror}); is the disk full?",
        ) from error


def _add_video_stream(
    file: OutputContainer,
    codec: str,
    options: dict[str, str],
    size: tuple[int, int],
    rate: Fraction,
) -> VideoStream:
    stream = cast(VideoStream, file.add_stream(codec, rate=rate, options=options))
    context = stream.codec_context
    stream.width, stream.height = size
    # 0 lets the encoder choose the number of threads.  Its output depends on that number; therefore
    # a worker process uses one thread, however many workers there are.
    context.thread_count = 0 if core_limit() is None else 1
    # Without tags, players assume BT.709 only in high definition; with these, all colours agree.
    stream.pix_fmt, context.color_range = PIXEL_FORMAT, ColorRange.MPEG
    context.colorspace = Colorspace.ITU709
    context.color_primaries = context.color_trc = BT709
    return stream


def _to_video_frame(pixels: Pixels) -> av.VideoFrame:
    # Convert pixels to the encoded format; arrays without colour channels are luma already.
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
    # Convert grey tiles to luma, 16 (black) to 235 (white), once, instead of converting each frame.
    luma = np.rint(16 + tiles.colours[:, 0] * (219 / 255)).astype(np.uint8)
    is_grey = (tiles.colours == tiles.colours[:, :1]).all()
    return tiles.map_colours(luma if is_grey else tiles.colours)


def _pad_frames(frames: Iterator[Frame], tiles: Tiles, width: int, height: int) -> Iterator[Pixels]:
    # Yield the frames, padded to the size of the video; copy only changed pixels.
    padded = np.empty((height, width, *tiles.pixels.shape[3:]), np.uint8)
    padded[:] = tiles.background
    for frame in frames:
        padded[frame.box] = frame.changed_pixels
        yield padded


@contextmanager
def open_video(path: Path) -> Iterator[FrameFile]:
    """Open a video and yield its frames as FFmpeg and browsers show them."""
    container = path.suffix.lower()[1:]
    with ExitStack() as stack:
        # FFmpeg reads an open file whose structure is checked, so it cannot open other files.
        content = stack.enter_context(open_binary(path))
        declared = check_container(content, container)
        with convert_decoder_errors():
            file = stack.enter_context(av.open(content, "r", format=container, **LENIENT_OPTIONS))
        stream = _single_video_stream(file)
        if stream.codec_context is None:
            raise AnimationError("its frames cannot be decoded")
        size = stream.codec_context.height, stream.codec_context.width
        check_frame_size(*size)
        refuse_if(
            size != (declared.get("height", size[0]), declared.get("width", size[1])),
            "frames of another size than its header says",
        )
        stream.thread_type = "AUTO"
        if size[0] * size[1] > MAX_THREADED_PIXELS:
            stream.codec_context.thread_count = 1
        stream.codec_context.options = {"err_detect": "crccheck+bitstream+buffer+explode"}
        texts = [text for key, text in file.metadata.items() if key.lower() == "comment"]
        frames = _decode_frames(file, stream, file_size(path))
        yield FrameFile(comments=texts, lossy=True, size=size, frames=frames)


def _single_video_stream(file: InputContainer) -> VideoStream:
    # Return the only video track; audio tracks are allowed.
    kinds = sorted(stream.type for stream in file.streams)
    refuse_if(
        kinds.count("video") != 1 or not {*kinds} <= {"audio", "video"},
        f"tracks other than one video track and audio: {', '.join(kinds)}",
    )
    (stream,) = file.streams.video
    refuse_if(stream.sample_aspect_ratio not in (None, 0, 1), "pixels that are not square")
    refuse_if(any(key.lower() == "alpha_mode" for key in stream.metadata), "transparent pixels")
    return stream


def _decode_frames(
    file: InputContainer, stream: VideoStream, length: int
) -> Iterator[DecodedFrame]:
    context: Any = stream.codec_context
    size, name, declared = (context.width, context.height), context.name, _colour_tags(context)
    if context.name in STRICT_DECODERS:
        context = av.CodecContext.create(STRICT_DECODERS[context.name], "r")
    frames = (frame for packet in file.demux(stream) for frame in context.decode(packet))
    default = 1 / stream.average_rate if stream.average_rate else Fraction(0)
    before, number, shown, seconds = _decode_next_frame(frames, size, None), 0, 0, Fraction(0)
    while before is not None:
        check_decoding_work((number + 1) * size[0] * size[1] * VIDEO_WORK, length)
        after = _decode_next_frame(frames, size, before)
        seconds += default if after is None else (after.pts - before.pts) * before.time_base
        if after is None or seconds >= MIN_SECONDS:  # otherwise nobody sees the frame
            raster = VideoRaster(before, _find_matrix(name, declared, _colour_tags(before)))
            yield DecodedFrame(number=shown, raster=raster, seconds=float(seconds))
            shown, seconds = shown + 1, Fraction(0)
        before, number = after, number + 1
    # An MP4 states its number of frames; if an edit list hides some, some players show them.
    refuse_if(
        stream.frames not in (0, number),
        f"{stream.frames} frames, of which edits hide all except {number}",
    )


def _colour_tags(source: Any) -> tuple[int, int]:
    # Return the codes of matrix and range of a codec context or a frame.
    return int(source.colorspace), int(source.color_range)


def _find_matrix(codec: str, declared: tuple[int, int], tags: tuple[int, int]) -> int:
    # Return a frame's colour matrix: that of the container or the frame, which must agree.
    if codec == "vp8" and declared[0] != UNSPECIFIED[0]:
        tags = declared[0], tags[1]  # VP8 itself can only state the matrix of BT.601.
    stated = [{*pair} - {none} for *pair, none in zip(declared, tags, UNSPECIFIED, strict=True)]
    refuse_if(
        max(map(len, stated)) > 1, "colours that its container and its frames describe differently"
    )
    # Players assume BT.601 for small pictures.
    return min(stated[0], default=Colorspace.ITU601)


def _decode_next_frame(
    frames: Iterator[av.VideoFrame], size: tuple[int, int], previous: Any
) -> Any:
    with convert_decoder_errors():
        frame: Any = next(frames, None)
    if frame is None:
        return None
    refuse_if(
        (frame.width, frame.height) != size,
        f"frames of {frame.width}x{frame.height} pixels instead of {size[0]}x{size[1]}",
    )
    refuse_if(frame.is_corrupt, "damaged frames")
    with convert_decoder_errors():  # PyAV 18 fails on some side data of FFmpeg 8.
        # `frame.side_data` would create a reference cycle, which keeps the frame in memory.
        side_data = cast(Any, SideDataContainer)(frame)
        is_turned = any(data.type is SideDataType.DISPLAYMATRIX for data in side_data)
    refuse_if(is_turned, "rotated frames")
    refuse_if(
        frame.pts is None or frame.pts <= (-1 if previous is None else previous.pts),
        "frames whose times do not increase",
    )
    start = frame.pts * frame.time_base
    refuse_if(
        previous is None and start > MAX_START,
        f"a first frame that starts after {float(start):g} seconds",
    )
    return frame
