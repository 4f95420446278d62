"""Decode videos and their frame times with PyAV, Python's binding of FFmpeg."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from itertools import chain, islice, pairwise
from math import inf
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import av
import numpy as np
from av import VideoFrame, VideoStream
from av.container import InputContainer
from av.error import FFmpegError
from av.sidedata.sidedata import Type as SideDataType
from av.stream import Disposition
from av.video.reformatter import Colorspace
from numpy.typing import NDArray
from PIL import Image

from lightsanim.errors import PictureError
from lightsanim.options.stages import MAX_FPS, MIN_FPS
from lightsanim.system.cores import max_cores
from .coded_colours import find_video_colours
from .light import Rgb, average_blocks, image_to_light, planes_to_light, read_plane_lines
from .picture import File, open_file
from .pillow import NO_PICTURE_MESSAGE, NoPictureError
from .reel import (
    DEFAULT_FPS,
    TIME_TOLERANCE,
    Light,
    MakeLight,
    Reel,
    TimeSpan,
    check_clip_pixels,
    resample_frames,
    sample_times,
    select_frames_at_times,
)

# Allowed formats, by FFmpeg's names; unlike playlists, none of them can refer to other files.
CONTAINERS = (
    *("mov", "matroska", "avi", "yuv4mpegpipe", "mpegts", "mpeg", "ogg", "flv", "asf", "ivf"),
    *("h264", "hevc", "obu", "m4v", "mpegvideo", "mxf", "nut", "dv", "wtv", "vc1", "rm"),
)
OPEN_OPTIONS = {"format_whitelist": ",".join(CONTAINERS), "protocol_whitelist": "none"}
# PyAV passes on errors of seeking in Python's files, which are no errors of FFmpeg.
READ_ERRORS = (FFmpegError, OSError)
# PyAV before 19 needs an option to accept comments that are not UTF-8.
SUPPORTS_METADATA_ERRORS = int(av.__version__.partition(".")[0]) < 19
LENIENT_OPTIONS: dict[str, Any] = {"metadata_errors": "replace"} if SUPPORTS_METADATA_ERRORS else {}
# Number of frames; of longer clips, only key frames are decoded to measure the tones.
MAX_DECODED_FRAMES = 500
# Smallest number of key frames from which the tones of a clip are measured.
MIN_KEY_FRAMES = 8
# A file may be shorter than declared by this many seconds, or by this share of its duration.
ROUNDED_SECONDS, ROUNDED_SHARE = 0.5, 0.05
# Brands in bytes 8 to 11 of MP4 and MOV files; pictures such as HEIC have other brands.
MP4_BRANDS = (b"iso", b"mp4", b"avc1", b"qt  ", b"M4V", b"3gp")
# Formats that declare the duration in their headers: prefixes of FFmpeg's names.
TIMED_FORMATS = ("mov", "matroska", "avi", "flv", "asf")
# Formats whose time stamps may jump, as FFmpeg's flag ``AVFMT_TS_DISCONT`` says.
JUMPING_FORMATS = ("mpegts", "mpeg", "ogg")
# Seconds; longer steps of the time stamps are jumps, as for FFmpeg's own program.
MAX_STEP_BACK, MAX_STEP_FORWARD = 0.1, 10
# Number of frames that may be damaged at the end of a clip, as one that is cut off damages others.
MAX_DAMAGED_END = 8
# FFmpeg's decoders that support alpha, keyed by the default decoders, which do not.
WITH_ALPHA = {"vp8": "libvpx", "vp9": "libvpx-vp9"}
# Highest frame rate, per second, that is chosen for a video with a variable rate.
MAX_GUESSED_FPS = 60
# Pixels; frames of at least this height use BT.709 if their colour space is unspecified.
HIGH_DEFINITION = 720
UNKNOWN_COLORSPACE = 2  # Code of an unspecified colour space in table 4 of H.273.
# Formats that FFmpeg converts to planar RGB fast, but correctly only at multiples of 16 x 2 pixels.
PLANAR_FORMATS = ("yuv420p", "yuvj420p")

# Rotation or reflection by the signs of a, b, c, d in the display matrix (ISO/IEC 14496-12).
TURNS = {
    (0, 1, -1, 0): Image.Transpose.ROTATE_270,
    (-1, 0, 0, -1): Image.Transpose.ROTATE_180,
    (0, -1, 1, 0): Image.Transpose.ROTATE_90,
    (-1, 0, 0, 1): Image.Transpose.FLIP_LEFT_RIGHT,
    (1, 0, 0, -1): Image.Transpose.FLIP_TOP_BOTTOM,
    (0, 1, 1, 0): Image.Transpose.TRANSPOSE,
    (0, -1, -1, 0): Image.Transpose.TRANSVERSE,
}
QUARTER_TURNS = {turn for (a, *_), turn in TURNS.items() if a == 0}

# Rotation by degrees counter-clockwise, for videos without a readable display matrix.
ROTATIONS = {
    90: Image.Transpose.ROTATE_90,
    180: Image.Transpose.ROTATE_180,
    -180: Image.Transpose.ROTATE_180,
    -90: Image.Transpose.ROTATE_270,
}

ConvertToLight: TypeAlias = Callable[[VideoFrame, int], Light]
"""Function that returns a frame's linear light, averaged over blocks of a side in pixels."""
SkipFrames: TypeAlias = Literal["DEFAULT", "BIDIR"]
"""Frames that the decoder skips: none, or bidirectional frames, which no other frame needs."""


def open_video_reel(file: File, path: str, paper: Rgb, *, rgb: bool) -> Reel:
    """Open a video as a reel that keeps the frame times of the video."""
    with open_video(file) as container:
        stream = _find_video_stream(container)
        fps = _choose_frame_rate(stream)
        frames = _decode_whole_frames(container, fps)
        first = next(frames, None)
        if first is None:
            raise PictureError("it has no frames that can be decoded")
        size, convert_to_light = _build_light_converter(first.frame, stream, paper, rgb)
        has_palette, is_moving = first.frame.format.has_palette, next(frames, None) is not None
        has_sound = bool(container.streams.audio)
        end, declared, jumps = _find_end(container, file, fps)
    seconds = None if end is None else max(0.0, end - first.time)
    can_seek = not (jumps or has_palette)  # a palette may come with the first packet only

    def decode_frames(start: float, quickly: bool) -> Iterator[tuple[float, VideoFrame]]:
        """Decode the frames from a time on, or only those that others need and some more."""
        skip: SkipFrames = "BIDIR" if quickly else "DEFAULT"
        decoded = _decode_frames_after(file, first.time + start, fps, skip, can_seek and start > 0)
        frames: Iterator[Any] = chain(decoded, [None])
        for current, following in pairwise(frames):
            end = current.end if following is None else following.time
            yield end - first.time, current.frame

    return Reel(
        path=path,
        fps=fps,
        seconds=seconds,
        size=size,
        decode_frames=decode_frames,
        convert_to_light=convert_to_light,
        sample_lights=partial(_sample_lights, file, can_seek),
        first_time=first.time,
        is_moving=is_moving,
        has_sound=has_sound,
        remark=None
        if declared is None or seconds is None
        else f"ends after {seconds:g} s, though its header says {declared - first.time:g} s",
    )


def _sample_lights(
    file: File, can_seek: bool, reel: Reel, start: float, end: float | None
) -> Iterator[MakeLight]:
    # Yields the first frame from ``start`` on, and then some frames; of a long video, key frames.
    end_times = [time for time in (reel.seconds, end) if time is not None]
    times = sample_times(start, min(end_times, default=start))
    # The first frame is decoded separately, as the caller may need no other.
    yield next(resample_frames(reel.timed_frames(start), TimeSpan(start=start), reel.fps))
    if can_seek and (times[-1] - start) * reel.fps > MAX_DECODED_FRAMES:
        stamps = [reel.first_time + time for time in times]
        keys = _decode_key_frames_near(file, stamps, reel.fps)
        if len(keys) >= MIN_KEY_FRAMES:
            yield from (partial(reel.load_light, key) for key in keys)
            return
    frames = reel.timed_frames(start, quickly=True)
    yield from islice(select_frames_at_times(frames, times), 1, None)


@contextmanager
def open_video(file: File) -> Iterator[InputContainer]:
    """Open a video such that FFmpeg cannot be made to open any other file."""
    with open_file(file) as content:
        try:
            container = av.open(content, "r", container_options=OPEN_OPTIONS, **LENIENT_OPTIONS)
        except READ_ERRORS as error:
            # The index of an MP4 is mostly at its end, so FFmpeg cannot open a truncated file.
            content.seek(0)
            head = content.read(12)
            if head[4:8] == b"ftyp" and head[8:].startswith(MP4_BRANDS):
                raise PictureError("it is an MP4 or MOV that is cut off or damaged") from error
            raise NoPictureError(NO_PICTURE_MESSAGE) from error
        with container:
            yield container


@contextmanager
def _decoder_errors(time: float | None = None) -> Iterator[None]:
    # Wraps only calls of PyAV, which raises many kinds of exceptions on damaged files.
    try:
        yield
    except Exception as error:
        raise _damage_error(time, ffmpeg_error_reason(error)) from error


def ffmpeg_error_reason(error: Exception) -> str:
    """Return the message of FFmpeg or the operating system without error number and path."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _damage_error(time: float | None, reason: str) -> PictureError:
    position = "" if time is None else f" after {time:g} seconds"
    return PictureError(f"it cannot be decoded{position} ({reason})")


def _find_video_stream(container: InputContainer) -> VideoStream:
    stream = container.streams.best("video")
    if not isinstance(stream, VideoStream) or stream.disposition & Disposition.attached_pic:
        raise PictureError("it has no moving pictures, only sound or a cover")
    if stream.codec_context is None:
        raise PictureError("its video codec is unknown; convert it to H.264")
    check_clip_pixels(stream.codec_context.width, stream.codec_context.height)
    if not stream.codec_context.is_open:
        stream.thread_type, stream.codec_context.thread_count = "AUTO", max_cores()
    return stream


def _choose_frame_rate(stream: VideoStream) -> float:
    fps = float(stream.average_rate or stream.guessed_rate or DEFAULT_FPS)
    # Screen recordings mostly stand still, so their mean rate would skip most of the motion.  A
    # guessed rate of just twice the mean may count the fields of an interlaced video.
    guessed_fps = float(stream.guessed_rate or 0)
    # The mean rate that FFmpeg measures in raw DV is 60,000.
    if fps > MAX_FPS or 2.1 * fps < guessed_fps <= MAX_GUESSED_FPS:
        fps = guessed_fps or fps
    if not MIN_FPS <= fps <= MAX_FPS:
        raise PictureError(
            f"its frame rate must be {MIN_FPS:g} to {MAX_FPS:g} per second, not {fps:g}; convert it"
        )
    return fps


def _find_end(
    opened: InputContainer, file: File, fps: float
) -> tuple[float | None, float | None, bool]:
    # Returns when the last frame ends, when the file ends by its header, if that is later, and
    # whether time stamps jump.  Demuxes all packets if time stamps may jump or seeking fails.
    name, declared = opened.format.name, (opened.duration or 0) / av.time_base
    stream, can_seek = _find_video_stream(opened), declared and name not in JUMPING_FORMATS
    track = stream.index
    end_times, jumps = dict[int, float](), False
    for seeks in (True, False) if can_seek else (False,):
        end_times.clear()
        reading = nullcontext(opened) if seeks else open_video(file)
        with reading as container, suppress(*READ_ERRORS):
            if seeks:
                _seek_key_frame(container, stream, declared)
            for packet, shift in demux_without_jumps(container):
                jumps |= shift != 0
                if packet.pts is not None:
                    index = packet.stream.index
                    end_times[index] = max(end_times.get(index, 0.0), _packet_end(packet, fps))
        if track in end_times:
            break
    # The duration may include the time of the first frame, so it is taken for the end.
    limit = max(end_times.values(), default=0.0) + max(ROUNDED_SECONDS, ROUNDED_SHARE * declared)
    is_cut_off = name.startswith(TIMED_FORMATS) and declared > limit
    return end_times.get(track), declared if is_cut_off else None, jumps


def demux_without_jumps(container: InputContainer) -> Iterator[tuple["av.Packet[Any]", float]]:
    """Yield the packets of all tracks, and the seconds by which their time stamps were shifted.

    In files joined by ``cat``, the time stamps jump.  From there on they are shifted to follow the
    packets before, as by FFmpeg's ``ts_discontinuity_detect``.  A last packet cut off is left out.
    """
    shift, spans = 0.0, dict[int, tuple[float, float]]()
    packets: Iterator[Any] = chain(container.demux(), [None])
    for packet, following in pairwise(packets):
        if packet.is_corrupt and (following is None or following.dts is None):
            continue
        if packet.dts is not None and container.format.name in JUMPING_FORMATS:
            begin = float(packet.dts * packet.time_base) + shift
            last, expected = spans.get(packet.stream.index, (begin, begin))
            is_jump = not last - MAX_STEP_BACK <= begin <= expected + MAX_STEP_FORWARD
            if is_jump and packet.stream.type in ("video", "audio"):
                shift, begin = shift + expected - begin, expected
            spans[packet.stream.index] = begin, begin + packet_or_frame_duration(packet)
            delay = 0 if packet.pts is None else packet.pts - packet.dts
            packet.dts += round(shift / packet.time_base)
            # The last packet before a jump may have the display time of the next one.
            is_wrong = not 0 <= delay * packet.time_base <= MAX_STEP_FORWARD
            packet.pts = None if packet.pts is None or is_wrong else packet.dts + delay
        yield packet, shift


class _TimedFrame(NamedTuple):
    # A frame with its start and end as time stamps of the file, in seconds.
    time: float
    end: float
    frame: VideoFrame


def _decode_frames_after(
    file: File, time: float, fps: float, skip: SkipFrames, can_seek: bool
) -> Iterator[_TimedFrame]:
    # Yields the frames from ``time`` on; decodes from the start if seeking misses that time.
    for seeks in (True, False) if can_seek else (False,):
        with open_video(file) as container:
            stream = _find_video_stream(container)
            stream.codec_context.skip_frame = skip
            if seeks:
                with suppress(*READ_ERRORS):
                    _seek_key_frame(container, stream, time)
            frames = _decode_whole_frames(container, fps)
            first = next(frames, None)
            if first is not None and (first.time <= time + TIME_TOLERANCE or not seeks):
                yield first
                yield from frames
                return


def _seek_key_frame(container: InputContainer, stream: VideoStream, time: float) -> None:
    if stream.time_base:
        container.seek(int(time / stream.time_base), stream=stream)


def _decode_whole_frames(container: InputContainer, fps: float) -> Iterator[_TimedFrame]:
    # Corrupt frames before the first whole one are skipped, as a cut clip may start with them.
    # A few corrupt frames at the end are left out, as a clip that is cut off may end with them.
    stream, time, latest, damaged = _find_video_stream(container), None, 0.0, inf
    context, packets = cast(Any, stream.codec_context), demux_without_jumps(container)
    if stream.metadata.get("alpha_mode") == "1" and context.name in WITH_ALPHA:
        context = av.CodecContext.create(WITH_ALPHA[context.name], "r")
    while True:
        with _decoder_errors(time):
            packet, _ = next(packets, (None, 0.0))
            if packet is None:
                return
            # The packets of all tracks are demuxed; only those of the video are decoded.
            if packet.stream.index != stream.index:
                continue
            frames = list(context.decode(packet))
        end = latest + 1 / fps if packet.pts is None else _packet_end(packet, fps)
        latest = max(latest, end)
        for frame in frames:
            if frame.is_corrupt:
                damaged = damaged if time is None else min(damaged, time)
                continue
            expected = 0.0 if time is None else time + 1 / fps
            begin = expected if frame.pts is None else frame.time
            time = begin if time is None else max(begin, time)
            yield _TimedFrame(time, time + (packet_or_frame_duration(frame) or 1 / fps), frame)
        if latest > damaged + MAX_DAMAGED_END / fps:
            raise _damage_error(damaged, "a frame is damaged")


def _packet_end(packet: Any, fps: float) -> float:
    begin = float(packet.pts * (packet.time_base or 0))
    return begin + (packet_or_frame_duration(packet) or 1 / fps)


def packet_or_frame_duration(part: Any) -> float:
    """Return the duration of a packet or a frame in seconds, or 0 if it is unknown."""
    return float((part.duration or 0) * (part.time_base or 0))


def _decode_key_frames_near(file: File, times: Sequence[float], fps: float) -> list[VideoFrame]:
    # Returns the last key frame before each time, without duplicates.
    keys: dict[float, VideoFrame] = {}
    with open_video(file) as container:
        stream = _find_video_stream(container)
        stream.codec_context.skip_frame = "NONKEY"
        positions = set[int | None]()
        for time in times:
            with suppress(*READ_ERRORS):
                _seek_key_frame(container, stream, time)
                position = next(packet.pts for packet in container.demux(stream))
                if position in positions:
                    continue  # this key frame is already decoded
                positions.add(position)
                _seek_key_frame(container, stream, time)
                key = next(_decode_whole_frames(container, fps), None)
                if key is not None and key.time >= times[0]:
                    keys[key.time] = key.frame
    return list(keys.values())


def _build_light_converter(
    first: VideoFrame, stream: VideoStream, paper: Rgb, rgb: bool
) -> tuple[tuple[int, int], ConvertToLight]:
    # Returns the upright size of a video's frames, in square pixels, and their conversion.
    aspect = float(stream.sample_aspect_ratio or 1)
    square = round(first.width * max(aspect, 1)), round(first.height / min(aspect, 1))
    check_clip_pixels(*square)
    unknown = first.colorspace == UNKNOWN_COLORSPACE and first.height >= HIGH_DEFINITION
    colours = Colorspace.ITU709 if unknown else None  # None if the frames specify their colours
    turn = _rotation_of_frame(first)
    coded = find_video_colours(first.color_primaries, first.color_trc)

    def convert_to_light(frame: VideoFrame, factor: int) -> Light:
        has_alpha = any(component.is_alpha for component in frame.format.components)
        splits = frame.format.name in PLANAR_FORMATS and not (frame.width % 16 or frame.height % 2)
        splits &= (frame.width, frame.height) == square
        # FFmpeg's rgb24 of more than 8 bits is up to 2 too dark, which PQ shows as 6.
        splits |= coded is not None and frame.format.components[0].bits > 8
        is_clear = has_alpha or frame.format.has_palette
        kind = "gbrap" if is_clear else "gbrp" if splits else "rgb24"
        with _decoder_errors():
            frame = frame.reformat(*square, kind, src_colorspace=colours, threads=1)
        planes = _split_frame_planes(frame)
        if turn is not None:
            planes = [np.asarray(Image.fromarray(p).transpose(turn)) for p in planes]
        green, blue, red, *alphas = planes
        if coded is not None:
            red, green, blue = coded.convert_planes([red, green, blue])
        if not alphas:
            return planes_to_light([red, green, blue], factor, rgb=rgb)
        image = Image.merge("RGBA", [*map(Image.fromarray, (red, green, blue, *alphas))])
        return average_blocks(image_to_light(image, paper, rgb=rgb), factor)

    return square[::-1] if turn in QUARTER_TURNS else square, convert_to_light


def _split_frame_planes(frame: VideoFrame) -> list[NDArray[np.uint8]]:
    # Returns planes (height, width) in the order green, blue, red and, if present, alpha.
    if frame.format.name == "rgb24":
        pixels = read_plane_lines(frame.planes[0])[:, : 3 * frame.width].reshape(-1, frame.width, 3)
        return [np.ascontiguousarray(pixels[..., channel]) for channel in (1, 2, 0)]
    return [read_plane_lines(plane)[:, : frame.width] for plane in frame.planes]


def _rotation_of_frame(frame: VideoFrame) -> Image.Transpose | None:
    try:
        side_data: Iterable[Any] = frame.side_data
    except ValueError:  # PyAV 18 does not know some side data of FFmpeg 8, such as EXIF
        return ROTATIONS.get(frame.rotation)
    for data in side_data:
        if data.type is SideDataType.DISPLAYMATRIX:
            a, b, _, c, d, *_ = np.sign(np.frombuffer(bytes(data), "=i4", count=9)).tolist()
            return TURNS.get((a, b, c, d))
    return None
