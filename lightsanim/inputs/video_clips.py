"""Clips of every kind that FFmpeg decodes, with their own times, through PyAV."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, TypeAlias

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
from lightsanim.pictures.light import Rgb, averaged, light_of_image, light_of_planes, lines_of
from lightsanim.pictures.picture import File, PictureFile
from lightsanim.pictures.pillow import NO_PICTURE, NoPictureError
from lightsanim.pictures.reel import (
    ROUNDED,
    USUAL_RATE,
    Light,
    MakeLight,
    Reel,
    Shot,
    TimeSpan,
    check_frame,
    lights_at,
    resampled,
    spread,
)
from lightsanim.system.cores import max_cores

# FFmpeg's names of the formats that are read.  None of them can name another file to be opened, as
# playlists do.
CONTAINERS = (
    *("mov", "matroska", "avi", "yuv4mpegpipe", "mpegts", "mpeg", "ogg", "flv", "asf", "ivf"),
    *("h264", "hevc", "obu", "m4v", "mpegvideo", "mxf", "nut", "dv", "wtv", "vc1", "rm"),
)
OPENING = {"format_whitelist": ",".join(CONTAINERS), "protocol_whitelist": "none"}

# Comments need not be UTF-8, which PyAV 19 knows by itself.
TOLD = int(av.__version__.partition(".")[0]) < 19
LENIENT: dict[str, Any] = {"metadata_errors": "replace"} if TOLD else {}

# Of a clip with up to this many frames all are decoded to find its tones, but for those between two
# others; of longer ones those that can be decoded without others.
FEW_FRAMES = 500
FEWEST_KEYS = 8

# A file may say that it is a little longer than it is: by so many seconds, and this share.
ROUNDED_SECONDS, ROUNDED_SHARE = 0.5, 0.05

# What MP4 and MOV files begin with; pictures such as HEIC have other brands.
BRANDS = (b"iso", b"mp4", b"avc1", b"qt  ", b"M4V", b"3gp")

# The formats, by the beginnings of their names, whose heads tell their length.
TELLING = ("mov", "matroska", "avi", "flv", "asf")

# Decoders that see what is transparent, by those that do not.
WITH_ALPHA = {"vp8": "libvpx", "vp9": "libvpx-vp9"}

# The most frames a second that are taken where those of a film vary.
MOST_GUESSED = 60

# From this height on pictures that do not say how they keep colours do it by BT.709.
HIGH_DEFINITION = 720
UNKNOWN = 2  # in table 4 of H.273

# What FFmpeg makes planes of as it makes pixels, at once, but only in blocks of 16 columns and
# 2 rows: of other widths it leaves the right edge unwritten.
USUAL = ("yuv420p", "yuvj420p")

# How the display matrix of a film (ISO/IEC 14496-12, 8.2.2.1) turns its frames, by the signs of
# a, b, c and d.
TURNS = {
    (0, 1, -1, 0): Image.Transpose.ROTATE_270,
    (-1, 0, 0, -1): Image.Transpose.ROTATE_180,
    (0, -1, 1, 0): Image.Transpose.ROTATE_90,
    (-1, 0, 0, 1): Image.Transpose.FLIP_LEFT_RIGHT,
    (1, 0, 0, -1): Image.Transpose.FLIP_TOP_BOTTOM,
    (0, 1, 1, 0): Image.Transpose.TRANSPOSE,
    (0, -1, -1, 0): Image.Transpose.TRANSVERSE,
}
ON_THE_SIDE = {turn for (a, *_), turn in TURNS.items() if a == 0}

# The same by the degrees that it turns counterclockwise, where it mirrors nothing.
ROTATIONS = {
    90: Image.Transpose.ROTATE_90,
    180: Image.Transpose.ROTATE_180,
    -180: Image.Transpose.ROTATE_180,
    -90: Image.Transpose.ROTATE_270,
}

Packet: TypeAlias = "av.Packet[Any]"
Decode: TypeAlias = Callable[[Packet], Iterable[VideoFrame]]
Skip: TypeAlias = Literal["DEFAULT", "BIDIR"]
"""Frames that need not be decoded: none, or those between two others."""


def video_reel(file: File, paper: Rgb, *, rgb: bool) -> Reel:
    """The pictures of a film, and their times."""
    with opened_film(file) as container:
        stream = _pictures_of(container)
        fps = _rate_of(stream)
        frames = _frames(container, fps)
        first = next(frames, None)
        if first is None:
            raise PictureError("it has no frames that can be decoded")
        shape = _Shape.of(first.frame, stream, paper, rgb)
        seconds = _length_of(container, stream, first.time)
        moves = next(frames, None) is not None
        has_sound = bool(container.streams.audio)

    def shots(start: float, skip: Skip = "DEFAULT") -> Iterator[Shot]:
        before = None
        for now in chain(_frames_from(file, first.time + start, fps, skip), [None]):
            if before is not None:
                end = before.end if now is None else now.time
                light = partial(shape.light_of, before.frame)
                yield Shot(before.time - first.time, end - first.time, light)
            before = now

    def glances(start: float, end: float | None) -> Iterator[MakeLight]:
        ends = [time for time in (seconds, end) if time is not None]
        times = spread(start, min(ends, default=start))
        # Which may be all that is wanted; shots begin at the key frame before it.
        yield next(resampled(shots(start), TimeSpan(start=start), fps))
        if (times[-1] - start) * fps > FEW_FRAMES:
            keys = _keys_near(file, [first.time + time for time in times], fps)
            if len(keys) >= FEWEST_KEYS:
                yield from (partial(shape.light_of, key) for key in keys)
                return
        yield from islice(lights_at(shots(start, "BIDIR"), times), 1, None)

    return Reel(
        fps=fps,
        seconds=seconds,
        size=shape.shown,
        shots=shots,
        glances=glances,
        clock=first.time,
        moves=moves,
        has_sound=has_sound,
    )


def _content_of(file: File) -> BinaryIO:
    return BytesIO(file.content) if isinstance(file, PictureFile) else Path(file).open("rb")


@contextmanager
def opened_film(file: File) -> Iterator[InputContainer]:
    """A film that is open, and no way for it to open anything else."""
    with ExitStack() as stack:
        # Neither its name nor its bytes may tell FFmpeg to open anything else.
        content = stack.enter_context(_content_of(file))
        try:
            container = av.open(content, "r", container_options=OPENING, **LENIENT)
        except FFmpegError as error:
            # What it does not know may be cut off: the frames of an MP4 are mostly told last.
            content.seek(0)
            head = content.read(12)
            if head[4:8] == b"ftyp" and head[8:].startswith(BRANDS):
                raise PictureError("it is an MP4 or MOV that is cut off or damaged") from error
            raise NoPictureError(NO_PICTURE) from error
        yield stack.enter_context(container)


@contextmanager
def _decoding(time: float | None = None) -> Iterator[None]:
    # For calls of PyAV alone: it lets through whatever its parsing runs into.
    try:
        yield
    except Exception as error:
        raise _damaged(time, reason_of(error)) from error


def reason_of(error: Exception) -> str:
    """What FFmpeg or the operating system says, without its number and the path."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _damaged(time: float | None, reason: str) -> PictureError:
    where = "" if time is None else f" after {time:g} seconds of it"
    return PictureError(f"it cannot be decoded{where} ({reason})")


def _pictures_of(container: InputContainer) -> VideoStream:
    stream = container.streams.best("video")
    if not isinstance(stream, VideoStream) or stream.disposition & Disposition.attached_pic:
        raise PictureError("it has no moving pictures, only sound or a cover")
    if stream.codec_context is None:
        raise PictureError("its pictures are of a codec that is not known; convert it to H.264")
    check_frame(stream.codec_context.width, stream.codec_context.height)
    if not stream.codec_context.is_open:
        stream.thread_type, stream.codec_context.thread_count = "AUTO", max_cores()
    return stream


def _rate_of(stream: VideoStream) -> float:
    fps = float(stream.average_rate or stream.guessed_rate or USUAL_RATE)
    # Recordings of screens stand still for long: at the mean rate most of what moves would be
    # passed over.  Of interlaced films the rate of the fields may be told, which is twice theirs.
    guessed = float(stream.guessed_rate or 0)
    fps = guessed if 2.1 * fps < guessed <= MOST_GUESSED else fps
    if not MIN_FPS <= fps <= MAX_FPS:
        advice = f"convert it to {MIN_FPS:g} to {MAX_FPS:g}"
        raise PictureError(f"it has {fps:g} frames a second; {advice}")
    return fps


def _length_of(container: InputContainer, stream: VideoStream, clock: float) -> float | None:
    if stream.duration is not None and stream.time_base is not None:
        return max(0.0, float(stream.duration * stream.time_base))
    end = _told_end(container)
    return None if end is None else max(0.0, end - clock)


def _told_end(container: InputContainer) -> float | None:
    start, length = container.start_time or 0, container.duration
    return None if length is None else (start + length) / av.time_base


class _Frame(NamedTuple):
    # A frame, and from when to when it is shown, in seconds on the clock of its file.
    time: float
    end: float
    frame: VideoFrame


def _frames_from(file: File, time: float, fps: float, skip: Skip) -> Iterator[_Frame]:
    # Those that are shown at a time and after it.  Where seeking misses it, all are decoded.
    for seeks in (True, False):
        with opened_film(file) as container:
            stream = _pictures_of(container)
            stream.codec_context.skip_frame = skip
            if seeks:
                with suppress(FFmpegError):
                    _seek(container, stream, time)
            frames = _frames(container, fps)
            first = next(frames, None)
            if first is not None and (first.time <= time + ROUNDED or not seeks):
                yield first
                yield from frames
                return


def _seek(container: InputContainer, stream: VideoStream, time: float) -> None:
    if stream.time_base:
        container.seek(int(time / stream.time_base), stream=stream)


def _frames(container: InputContainer, fps: float) -> Iterator[_Frame]:
    # Those that are whole; before the first of them others may have been cut off.
    stream, time, reached = _pictures_of(container), None, 0.0
    decode, packets = _decoder_of(stream), container.demux()
    while True:
        with _decoding(time):
            packet = next(packets, None)
            if packet is None:
                break
            # Of the packets that end each track, only their stream says whose they are.
            frames = list(decode(packet)) if packet.stream.index == stream.index else []
        if packet.pts is not None and packet.time_base:
            reached = max(reached, float((packet.pts + (packet.duration or 0)) * packet.time_base))
        for frame in frames:
            if frame.is_corrupt and time is not None:
                raise _damaged(time, "a frame is damaged")
            if not frame.is_corrupt:
                usual = 0.0 if time is None else time + 1 / fps
                begin = usual if frame.pts is None else frame.time
                time = begin if time is None else max(begin, time)
                yield _Frame(time, time + (seconds_of(frame) or 1 / fps), frame)
    told = _told_end(container) if container.format.name.startswith(TELLING) else None
    if told is not None and reached < told - max(ROUNDED_SECONDS, ROUNDED_SHARE * told):
        raise _damaged(reached, f"it is cut off, and should have {told:g} seconds")


def _decoder_of(stream: VideoStream) -> Decode:
    context: Any = stream.codec_context
    if stream.metadata.get("alpha_mode") == "1" and context.name in WITH_ALPHA:
        context = av.CodecContext.create(WITH_ALPHA[context.name], "r")
    decode: Decode = context.decode
    return decode


def seconds_of(part: Any) -> float:
    """The length of a packet or a frame; 0 where it is not told."""
    return float((part.duration or 0) * (part.time_base or 0))


def _keys_near(file: File, times: Sequence[float], fps: float) -> list[VideoFrame]:
    # The frames that need no others, each the last one before a time, and none twice.
    keys: dict[float, VideoFrame] = {}
    with opened_film(file) as container:
        stream = _pictures_of(container)
        stream.codec_context.skip_frame = "NONKEY"
        places = set[int | None]()
        for time in times:
            with suppress(FFmpegError):
                _seek(container, stream, time)
                place = next(packet.pts for packet in container.demux(stream))
                if place in places:
                    continue  # nothing needs to be decoded
                places.add(place)
                _seek(container, stream, time)
                key = next(_frames(container, fps), None)
                if key is not None and key.time >= times[0]:
                    keys[key.time] = key.frame
    return list(keys.values())


@dataclass(frozen=True, kw_only=True)
class _Shape:
    # How frames are shown: the size to which pixels are made square, then a turn, how they keep
    # colours where they do not say it, what is behind them, and whether in colour.
    square: tuple[int, int]
    turn: Image.Transpose | None
    colours: int | None
    paper: Rgb
    rgb: bool

    @classmethod
    def of(cls, frame: VideoFrame, stream: VideoStream, paper: Rgb, rgb: bool) -> "_Shape":
        aspect = float(stream.sample_aspect_ratio or 1)
        square = round(frame.width * max(aspect, 1)), round(frame.height / min(aspect, 1))
        check_frame(*square)
        unknown = frame.colorspace == UNKNOWN and frame.height >= HIGH_DEFINITION
        colours = Colorspace.ITU709 if unknown else None
        return cls(square=square, turn=_turn_of(frame), colours=colours, paper=paper, rgb=rgb)

    @property
    def shown(self) -> tuple[int, int]:
        return self.square[::-1] if self.turn in ON_THE_SIDE else self.square

    def light_of(self, frame: VideoFrame, factor: int) -> Light:
        names = {component.is_alpha for component in frame.format.components}
        clear = True in names or frame.format.has_palette
        splits = frame.format.name in USUAL and not (frame.width % 16 or frame.height % 2)
        splits &= (frame.width, frame.height) == self.square
        kind = "gbrap" if clear else "gbrp" if splits else "rgb24"
        with _decoding():
            frame = frame.reformat(*self.square, kind, src_colorspace=self.colours, threads=1)
        green, blue, red, *alphas = map(self._turned, _planes_of(frame))
        if not alphas:
            return light_of_planes([red, green, blue], factor, rgb=self.rgb)
        image = Image.merge("RGBA", [*map(Image.fromarray, (red, green, blue, *alphas))])
        return averaged(light_of_image(image, self.paper, rgb=self.rgb), factor)

    def _turned(self, plane: NDArray[np.uint8]) -> NDArray[np.uint8]:
        # A plane of a frame, (height, width), as it is shown.
        turn = self.turn
        return plane if turn is None else np.asarray(Image.fromarray(plane).transpose(turn))


def _planes_of(frame: VideoFrame) -> list[NDArray[np.uint8]]:
    # Green, blue, red and perhaps alpha: (height, width) each.
    if frame.format.name == "rgb24":
        pixels = lines_of(frame.planes[0])[:, : 3 * frame.width].reshape(-1, frame.width, 3)
        return [np.ascontiguousarray(pixels[..., channel]) for channel in (1, 2, 0)]
    return [lines_of(plane)[:, : frame.width] for plane in frame.planes]


def _turn_of(frame: VideoFrame) -> Image.Transpose | None:
    try:
        side_data: Iterable[Any] = frame.side_data
    except ValueError:  # PyAV 18 does not know all that FFmpeg 8 has, such as EXIF
        return ROTATIONS.get(frame.rotation)
    for data in side_data:
        if data.type is SideDataType.DISPLAYMATRIX:
            a, b, _, c, d, *_ = np.sign(np.frombuffer(bytes(data), "=i4", count=9)).tolist()
            return TURNS.get((a, b, c, d))
    return None
