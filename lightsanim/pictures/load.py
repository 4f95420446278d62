"""Load inputs: a still becomes a picture, a moving input becomes a clip."""

import hashlib
import os
import re
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path

import attrs

from lightsanim.errors import OptionError, PictureError
from lightsanim.game.board.text import decode_text, is_board_text
from lightsanim.options.colours import WHITE
from lightsanim.options.picture_options import format_source
from lightsanim.options.settings import OF_CLIPS
from lightsanim.options.stages import PictureOptions
from lightsanim.system.deadline import Deadline
from .clip import Clip, SoundSource
from .load_still import load_still, may_need_no_pillow, read_file_content
from .picture import Picture, PictureFile, open_file
from .picture_clips import (
    find_numbered_pictures,
    open_animated_reel,
    open_folder_reel,
    reel_from_frames,
)
from .pillow import NoPictureError, prefix_errors
from .reel import DEFAULT_FPS, Reel, TimeSpan, resample_frames
from .source import PictureSource, PlainSource, Source, to_source

# Bytes of an unknown file from which the error says what it is.
EXPLAINED_BYTES = 200_000
SAVED_ANIMATION = re.compile('"format": ?"lightsanim')


def load_picture(
    source: PictureSource, backdrop: str | tuple[int, ...] = "white", *, rgb: bool = False
) -> Picture:
    """Load a picture.

    Args:
        source: a file by its path or its bytes, in any format of Pillow, in HEIC, in EXR or HDR
            (read by FFmpeg), in any TIFF or, with rawpy installed, in camera raw; a Pillow
            image; an array; any of these with own options; or a clip with the option ``at``, which
            selects one frame.  Arrays hold sRGB-encoded values: uint8, uint16 or float in 0..1 of
            shape (height, width), (height, width, 3) or (height, width, 4), or bool or integers 0
            and 1 of shape (height, width).
        backdrop: the colour behind transparent parts.
        rgb: keep the colours.

    Returns:
        The whole picture.  Its light is float32 (height, width), the Rec. 709 luminance of the
        sRGB-decoded channels; with ``rgb`` (height, width, 3), the light of each channel.  A
        photograph is turned upright by its EXIF orientation.  Light brighter than white (EXR, HDR)
        is scaled so that 99.5% of the pixels are at most white.

    Raises:
        PictureError: for a source that cannot be read, that has more pixels than Pillow's limit
            (``PIL.Image.MAX_IMAGE_PIXELS``), or that moves without the option ``at``.
        OptionError: for a backdrop that is not an opaque colour, or a frame beyond the end.

    >>> import numpy as np
    >>> picture = load_picture(np.array([[0.0, 0.5, 1.0]]))
    >>> picture.name, picture.light.round(4)
    ('picture', array([[0.   , 0.214, 1.   ]], dtype=float32))
    """
    return load_still_picture(source, PictureOptions(backdrop=backdrop, rgb=rgb))


def load_still_picture(source: PictureSource, options: PictureOptions) -> Picture:
    """Load a still picture, or one frame of a clip."""
    source = to_source(source)
    picture = load_source(source, options)
    if isinstance(picture, Picture):
        return picture
    own = {name: value for name, value in source.own.items() if name not in OF_CLIPS}
    frame = format_source(source.path, {**own, "at": source.own.get("start", 0)})
    raise PictureError(f"{source.path} is a clip; choose one of its frames, as in {frame}")


def load_source_picture(
    source: PictureSource, options: PictureOptions, time_limit: float | Deadline
) -> Picture:
    """Load a still picture, or solve a puzzle such as ``puzzle:abbott:24`` and show its answer."""
    source = to_source(source)
    lit = source.meaning.solve(time_limit)
    if lit is None:
        return load_still_picture(source, options)
    answer = load_picture(lit, rgb=options.reads_colour)
    return replace(answer, name=source.meaning.title, own=source.own)


def load_source(
    source: PictureSource, options: PictureOptions = PictureOptions(), fps: float | None = None
) -> Picture | Clip:
    """Load a source as a picture, or as a clip if it moves and has no option ``at``."""
    opened = open_source(source, options, fps)
    if not isinstance(opened, Source):
        return opened
    with prefix_errors(opened.path):
        return load_still(opened, options.backdrop, rgb=options.reads_colour)


def open_source(
    source: PictureSource, options: PictureOptions = PictureOptions(), fps: float | None = None
) -> Picture | Clip | Source:
    """Open a source, but do not decode stills: return a clip, a frame of a clip, or a `Source`.

    ``fps`` is the rate of frames without times, if the source has none of its own.
    """
    source = to_source(source)
    own = {name: value for name, value in source.own.items() if name in OF_CLIPS}
    chosen = {"backdrop": source.own.get("backdrop", options.backdrop), **own}
    rate = chosen.pop("fps", fps)
    with prefix_errors(source.path):
        options = attrs.evolve(options, **chosen)
        source = _attach_file_content(source)
        try:
            reel = _open_reel(source, options, rate or DEFAULT_FPS)
        except NoPictureError as error:
            raise NoPictureError(_explain_unknown_file(source) or str(error)) from error
        for name in own:
            if reel is None or not reel.is_moving:
                raise OptionError(f"{name} is for clips, and this is a still; leave it out", name)
            if name == "fps" and reel.has_times:
                flaw = f"{name} is for frames without times, and this clip states its times"
                raise OptionError(f"{flaw}; leave it out", name)
        if reel is None:
            return _mark_as_still(source)
        if rate is None and source.frames is None and reel.is_moving and not reel.has_times:
            # Recorded with files, because the rate of a film is that of its first clip.
            source = Source(source.picture, **{**source.own, "fps": DEFAULT_FPS})
        return _select_picture_or_clip(reel, source, options)


def _mark_as_still(source: Source) -> Source:
    """Return a source whose file is not searched for frames again."""
    if not isinstance(source.picture, PictureFile):
        return source
    return Source(replace(source.picture, is_still=True), **source.own)


def _attach_file_content(source: Source) -> Source:
    """Read a source's file into memory if it is a picture, or can be read only once."""
    if not isinstance(source.picture, str | os.PathLike) or os.path.isdir(source.picture):
        return source
    try:
        content = read_file_content(source.picture)
    except NoPictureError:
        return source  # videos stay on disk, as they may be large
    return Source(PictureFile(path=source.path, content=content), **source.own)


def _open_reel(source: Source, options: PictureOptions, fps: float) -> Reel | None:
    """Open a moving source as a reel; return None for a still."""
    picture, path, rgb = source.picture, source.path, options.reads_colour
    paper, start = (options.backdrop or WHITE).rgb, options.start or 0.0
    if source.frames is not None:
        return reel_from_frames(source.frames, path, fps, paper, rgb=rgb, start=start)
    if isinstance(picture, PictureFile):
        is_still = picture.is_still or may_need_no_pillow(picture.path, picture.content)
        if is_still or not picture.content:
            return None
        with suppress(NoPictureError):
            return open_animated_reel(picture.content, path, paper, rgb=rgb)
    elif not isinstance(picture, str | os.PathLike):
        return None
    elif os.path.isdir(picture):
        return open_folder_reel(Path(picture), path, fps, paper, rgb=rgb)
    # Imported late: FFmpeg's libraries load slowly.
    from .video_clips import open_video_reel

    return open_video_reel(picture, path, paper, rgb=rgb)


def _explain_unknown_file(source: Source) -> str | None:
    """Say what to do with a file that is no picture; return None if that is not known."""
    file = source.file
    if file is None or not (isinstance(file, PictureFile) or os.path.isfile(file)):
        return None
    with open_file(file) as content:
        text = decode_text(content.read(EXPLAINED_BYTES)) or ""
    if text and is_board_text(text):
        return f"it is a board: lightsanim solve {source.path} -o x.gif"
    if SAVED_ANIMATION.search(text):
        return "it is a saved animation, not a picture; `render` draws it"
    return "it is an SVG; export it as PNG" if "<svg" in text else None


def _select_picture_or_clip(reel: Reel, source: Source, options: PictureOptions) -> Picture | Clip:
    """Return the frame or the part of a reel that the options select."""
    sha256 = sha256_of_file_or_folder(source.picture)
    frame_time = options.at if reel.is_moving else 0.0
    span = TimeSpan(start=options.start or 0.0, end=options.end)
    if frame_time is not None:
        span = TimeSpan(start=frame_time, option="at")
    first = next(resample_frames(reel.timed_frames(span.start), span, reel.fps))
    if frame_time is not None:
        return Picture(name=source.name, light=first(1), sha256=sha256, own=source.own)

    return Clip(
        path=source.path,
        name=source.name,
        fps=reel.fps,
        seconds=span.duration_in_reel(reel),
        size=reel.size,
        reel=reel,
        span=span,
        sound=_find_sound_source(reel, source, span),
        sha256=sha256,
        own=source.own,
        remark=reel.remark if (span.end or inf) > (reel.seconds or 0) else None,
    )


def _find_sound_source(reel: Reel, source: Source, span: TimeSpan) -> SoundSource | None:
    if not reel.has_sound or source.file is None:
        return None
    end = None if span.end is None else reel.first_time + span.end
    return SoundSource(file=source.file, start=reel.first_time + span.start, end=end)


def sha256_of_file_or_folder(picture: PlainSource) -> str | None:
    """Return the SHA-256 of a file, or of a folder's numbered pictures; None without a file."""
    if isinstance(picture, PictureFile):
        return hashlib.sha256(picture.content).hexdigest()
    if not isinstance(picture, str | os.PathLike):
        return None
    path, digest = Path(picture), hashlib.sha256()
    for part in find_numbered_pictures(path) if path.is_dir() else [path]:
        with part.open("rb") as file:
            hashlib.file_digest(file, lambda: digest)
    return digest.hexdigest()
