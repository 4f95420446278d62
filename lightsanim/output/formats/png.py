"""Writers and strict readers of animated PNGs, stored as changed rectangles, and PNG folders.

Source: the PNG specification, third edition (W3C 2025), which includes APNG.  The metadata is the
text chunk "Comment"; in a folder, each file contains it.
"""

import io
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from lightsanim.errors import AnimationError
from lightsanim.film.animation import Animation
from lightsanim.film.timing import durations_to_ticks
from lightsanim.output.look.paint_film import Frame, OnFrame, frame_layout, paint_frames
from lightsanim.output.look.theme import FrameGeometry, Theme
from lightsanim.output.look.tiles import Tiles
from lightsanim.pictures.patches import (
    Disposal,
    Patch,
    Rows,
    read_image_colours,
    without_hidden_colours,
)
from lightsanim.pictures.pillow import build_indexed_image, load_pixels
from lightsanim.pictures.png_chunks import (
    DISPOSALS,
    FRAME_CONTROL,
    MAX_NUMBER,
    SIGNATURE,
    build_png,
    build_png_chunk,
    build_png_patch,
)
from lightsanim.system.threads import prefetch
from .compositing import check_patches, composite_frames, ffmpeg_frames, make_packet_decoder
from .frames import (
    DecodedFrame,
    FrameFile,
    LosslessRaster,
    check_decoding_work,
    check_frame_size,
    check_signature,
    convert_decoder_errors,
    file_size,
    open_binary,
    read_exactly,
    refuse_if,
)
from .metadata import Metadata, build_metadata, replace_metadata

TICK_RATE = 1000  # Delays are in milliseconds; `_frame_control` rounds those above 65 s to 0.1 s.
COMMENT_KEYWORD = "Comment"
FRAME_NAME = re.compile(r"[0-9]{1,9}\.(?i:png)")  # File name of a frame in a folder.

# The PNG specification's keywords for the texts of a label (title, caption and so on).
LABEL_KEYWORDS = {
    "title": "Title",
    "caption": "Description",
    "credit": "Author",
    "licence": "Copyright",
    "date": "Creation Time",
}

# Supported chunks, each with the letter that stands for it in `CHUNK_ORDER`.
CHUNK_LETTERS = {
    b"IHDR": b"H",
    b"acTL": b"A",
    b"PLTE": b"P",
    b"tRNS": b"T",
    b"bKGD": b"B",
    b"pHYs": b"S",
    **dict.fromkeys([b"sRGB", b"gAMA", b"cHRM"], b"W"),
    **dict.fromkeys([b"tEXt", b"zTXt", b"iTXt", b"tIME"], b"t"),
    b"fcTL": b"C",
    b"IDAT": b"I",
    b"fdAT": b"F",
    b"IEND": b"E",
}
# Allowed order of chunks by letter: header, then frames; text chunks may be anywhere between them.
CHUNK_ORDER = re.compile(rb"H(?!.*[TB].*P)(?!.*P.*W)[APTBSWt]*(Ct*I+t*(Ct*F+t*)*|I+t*)E")
CHUNK_LENGTHS = {b"IHDR": 13, b"acTL": 8, b"sRGB": 1, b"gAMA": 4, b"cHRM": 32, b"pHYs": 9}

# Approximations of sRGB that older programs write.  They make browsers show all frames darker.
NEARLY_SRGB = {
    b"gAMA": struct.pack(">I", 45455),
    b"cHRM": struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000),
}

# Colour types, and for each of them: the bit depths that all browsers render alike, the bytes of a
# background chunk, and the number of channels.
GREY, RGB, INDEXED, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
DEPTHS = {GREY: (1, 2, 4, 8), RGB: (8,), INDEXED: (1, 2, 4, 8), GREY_ALPHA: (8,), RGBA: (8,)}
BACKGROUND_LENGTHS = {GREY: 2, RGB: 6, INDEXED: 1, GREY_ALPHA: 2, RGBA: 6}
CHANNELS = {GREY: 1, RGB: 3, INDEXED: 1, GREY_ALPHA: 2, RGBA: 4}
MAX_INTENT = 3  # Largest rendering intent in the PNG specification.
COMPARE_WORK = 1 / 8  # Cost of decompressing and comparing a pixel, relative to decoding it.
MAX_COMMENT_BYTES = 1 << 24  # Maximum bytes of all comments together, decompressed.


def write_apng(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animated PNG whose pixels show every configuration exactly."""
    geometry, tiles = frame_layout(animation, theme)
    delays = durations_to_ticks(animation.durations(), TICK_RATE)
    # Write unchanged pixels as transparent, unless a patch has to replace all pixels below it.
    unchanged = len(tiles.colours) if tiles.covers_previous_pixels else None
    with path.open("wb") as file:
        file.write(_png_header(geometry, tiles, len(delays), animation.loop))
        file.write(_text_chunks(build_metadata(animation, theme)))
        frames = paint_frames(animation, geometry, tiles, unchanged)
        for number, (frame, delay) in enumerate(zip(frames, delays, strict=True)):
            blend = number > 0 and unchanged is not None
            # fcTL and fdAT chunks are numbered in one sequence.
            file.write(_frame_control(max(0, 2 * number - 1), frame, int(delay), blend=blend))
            rows = b"".join(b"\0" + row.tobytes() for row in frame.changed_pixels)  # filter type 0
            data, sequence = zlib.compress(rows, 6), struct.pack(">I", 2 * number)
            kind, content = (b"fdAT", sequence + data) if number else (b"IDAT", data)
            file.write(build_png_chunk(kind, content))
            on_frame()
        file.write(build_png_chunk(b"IEND", b""))


def write_png_folder(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write a folder of PNGs, one for each frame: ``00000.png``, ``00001.png``, ..."""
    geometry, tiles = frame_layout(animation, theme)
    info = _build_png_info(build_metadata(animation, theme), packed=True)
    path.mkdir()
    for number, frame in enumerate(paint_frames(animation, geometry, tiles)):
        build_indexed_image(frame.pixels, tiles.rgba).save(path / f"{number:05}.png", pnginfo=info)
        on_frame()


def rewrite_png(path: Path, target: Path, old: Metadata, new: Metadata) -> None:
    """Copy an animated PNG, or one file of a folder, with new metadata and unchanged frames."""
    encode = partial(_text_chunks, packed=path.suffix == ".png")
    target.write_bytes(replace_metadata(path, old, new, encode))


def _text_chunks(metadata: Metadata, *, packed: bool = False) -> bytes:
    return b"".join(
        build_png_chunk(kind, text) for kind, text, *_ in _build_png_info(metadata, packed).chunks
    )


def _build_png_info(metadata: Metadata, packed: bool) -> PngInfo:
    info = PngInfo()
    info.add_text(COMMENT_KEYWORD, metadata.json_text, zip=packed)
    for keyword, text in metadata.label_texts(LABEL_KEYWORDS).items():
        info.add_itxt(keyword, text)
    return info


@contextmanager
def open_apng(path: Path) -> Iterator[FrameFile]:
    """Open an animated PNG and yield its frames as browsers show them."""
    with open_binary(path) as file:
        head, texts = _read_header_chunks(_read_chunks(file))
        overlays_only = check_patches(_read_frame_sizes(file, head), head.size, file_size(path))
        second = None if overlays_only else prefetch(ffmpeg_frames(path, "apng"), 1)
        with closing(composite_frames(head.size, _read_patches(file, head), second)) as frames:
            yield FrameFile(comments=texts, lossy=False, size=head.size, frames=frames)


@contextmanager
def open_png_folder(path: Path) -> Iterator[FrameFile]:
    """Open a folder of PNGs that are named by frame number, and yield their frames."""
    with convert_decoder_errors():
        files = [file for file in path.iterdir() if FRAME_NAME.fullmatch(file.name)]
        # Pipes and devices are left out.
        numbered = sorted((int(file.stem), file) for file in files if file.is_file())
    if not numbered:
        raise AnimationError("the folder has no frames (files such as 00000.png)")
    with open_binary(numbered[0][1]) as file:
        head, texts = _read_header_chunks(_read_chunks(file))
    frames = _decode_folder_frames(numbered, file_size(path))
    yield FrameFile(comments=texts, lossy=False, size=head.size, frames=frames)


def _decode_folder_frames(
    numbered: Sequence[tuple[int, Path]], length: int
) -> Iterator[DecodedFrame]:
    # Decode only rows that may differ from those of the previous file.
    previous_file: tuple[_PngHeader, NDArray[np.uint8]] | None = None
    canvas, work = np.empty((0, 0), np.uint32), 0.0
    for number, path in numbered:
        with open_binary(path) as file:
            chunks = [*_read_chunks(file)]
        head, _ = _read_header_chunks(chunks)
        refuse_if(head.frames, f"a frame, {path.name}, that is itself animated")
        data = b"".join(content for kind, content in chunks if kind == b"IDAT")
        (image, _), (height, width) = _decode_image(head, *head.size, data), head.size
        samples, span = np.asarray(image).reshape(height, -1), slice(0, height)
        if previous_file is not None and previous_file[0] == head:
            differing = np.flatnonzero((samples != previous_file[1]).any(axis=1))
            span = slice(differing[0], differing[-1] + 1) if len(differing) else slice(0, 1)
        work += (span.stop - span.start + height * COMPARE_WORK) * width
        check_decoding_work(work, length)
        previous = canvas[span].copy() if canvas.shape == head.size else None
        if previous is None:
            canvas = np.empty(head.size, np.uint32)
        previous_file = head, samples
        changed = image.crop((0, span.start, width, span.stop))
        canvas[span] = without_hidden_colours(read_image_colours(changed))
        raster = LosslessRaster(canvas, [((span, slice(0, width)), previous)])
        del previous
        yield DecodedFrame(number=number, raster=raster)
        raster.forget_previous_pixels()


class _PngHeader(NamedTuple):
    """Values of the chunks that precede the pixels."""

    size: tuple[int, int]  # Height and width in pixels.
    depth: int  # Bits per sample.
    kind: int  # Colour type.
    palette: bytes  # Red, green and blue of each colour; empty if there is no palette.
    clear: bytes  # Alpha of each palette colour, or the transparent colour; may be empty.
    frames: int  # Number of frames; 0 if the PNG is not animated.


def _read_chunks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    # Yield the type and content of each chunk after checking its checksum.
    file.seek(0)
    check_signature(file, SIGNATURE)
    kind = b""
    while kind != b"IEND":
        length, kind = struct.unpack(">I4s", read_exactly(file, 8))
        content = read_exactly(file, length)
        if struct.pack(">I", zlib.crc32(kind + content)) != read_exactly(file, 4):
            raise AnimationError(f"damaged file: bad checksum of chunk {kind.decode('latin-1')!r}")
        yield kind, content
    refuse_if(file.read(1), "data after its end chunk")


def _read_header_chunks(chunks: Iterable[tuple[bytes, bytes]]) -> tuple[_PngHeader, list[str]]:
    # Check the order and lengths of all chunks; return the header and the lines of the comments.
    order, sequence, single_chunks, texts = bytearray(), [], {}, []
    bytes_left = MAX_COMMENT_BYTES
    for kind, content in chunks:
        letter, name = CHUNK_LETTERS.get(kind, b""), kind.decode("latin-1")
        refuse_if(not letter, f"a chunk {name!r}")
        order += letter
        if letter == b"t":
            comment = _comment_text(kind, content, bytes_left)
            bytes_left -= len(comment)
            texts += comment.splitlines()
        elif letter in b"CF":
            refuse_if(
                len(content) < 5 or (letter == b"C" and len(content) != FRAME_CONTROL.size),
                f"a chunk {name!r} of wrong length, {len(content)} bytes",
            )
            sequence.append(content[:4])
        elif letter not in b"IE":
            refuse_if(kind in single_chunks, f"more than one chunk {name!r}")
            single_chunks[kind] = content
    refuse_if(
        not CHUNK_ORDER.fullmatch(order) or (b"A" in order) != (b"C" in order),
        "chunks in an unknown order, or a first picture that is not played",
    )
    refuse_if(
        sequence != [struct.pack(">I", number) for number in range(len(sequence))],
        "frames in the wrong order",
    )
    head = _parse_header(single_chunks)
    refuse_if(
        head.frames != order.count(b"C"),
        f"{order.count(b'C')} frames, but its header says {head.frames}",
    )
    return head, texts


def _parse_header(chunks: Mapping[bytes, bytes]) -> _PngHeader:
    lengths = {kind: len(content) for kind, content in chunks.items()}
    for kind, length in CHUNK_LENGTHS.items():
        name, found = kind.decode("latin-1"), lengths.get(kind, length)
        refuse_if(found != length, f"a chunk {name!r} of wrong length, {found} bytes")
    is_nearly_srgb = all(chunks.get(kind, value) == value for kind, value in NEARLY_SRGB.items())
    refuse_if(
        chunks.get(b"sRGB", b"\0")[0] > MAX_INTENT
        or (b"sRGB" not in chunks and not is_nearly_srgb),
        "a colour space other than sRGB",
    )
    across, down, _ = struct.unpack(">IIB", chunks.get(b"pHYs", bytes(9)))
    refuse_if(across != down and across and down, "pixels that are not square")
    width, height, depth, kind, *methods = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    check_frame_size(height, width, CHANNELS.get(kind, 1) if depth == 8 else 1)
    palette, clear = chunks.get(b"PLTE", b""), chunks.get(b"tRNS", b"")
    refuse_if(depth not in DEPTHS.get(kind, ()) or any(methods), "an unknown pixel format")
    fits = len(palette) % 3 == 0 and len(palette) // 3 <= 1 << depth
    refuse_if(
        not fits or bool(palette) != (kind == INDEXED), "a palette that does not fit its pixels"
    )
    refuse_if(
        len(chunks.get(b"bKGD", bytes(BACKGROUND_LENGTHS[kind]))) != BACKGROUND_LENGTHS[kind],
        "a background that does not fit its pixels",
    )
    max_clear = len(palette) // 3 if kind == INDEXED else {GREY: 2, RGB: 6}.get(kind, 0)
    refuse_if(
        len(clear) > max_clear or (clear and kind != INDEXED and len(clear) < max_clear),
        "transparency that does not fit its pixels",
    )
    frames, plays = struct.unpack(">II", chunks.get(b"acTL", bytes(8)))
    refuse_if(plays > MAX_NUMBER, f"{plays} repetitions")
    return _PngHeader((height, width), depth, kind, palette, clear, frames)


def _comment_text(kind: bytes, content: bytes, max_bytes: int) -> str:
    # Decode a text chunk if it is a comment; return "" for all other keywords.
    keyword, _, text = content.partition(b"\0")
    if keyword.decode("latin-1") != COMMENT_KEYWORD:
        return ""
    packed = kind == b"zTXt"
    if packed:
        text = text[1:]
    elif kind == b"iTXt":
        packed = text[:1] == b"\1"
        text = text[2:].split(b"\0", 2)[-1]
    if packed:
        with convert_decoder_errors():
            text = zlib.decompressobj().decompress(text, max_bytes + 1)
    if len(text) > max_bytes:
        raise AnimationError(f"its comments are too large: more than {MAX_COMMENT_BYTES} bytes")
    return text.decode("utf-8" if kind == b"iTXt" else "latin-1", "replace")


def _read_frame_sizes(file: BinaryIO, head: _PngHeader) -> Iterator[tuple[Disposal, int, int]]:
    # Yield the disposal, height and width of each frame.
    if not head.frames:
        yield Disposal.KEEP, *head.size
    for kind, content in _read_chunks(file):
        if kind == b"fcTL":
            width, height = struct.unpack_from(">II", content, 4)
            refuse_if(content[-2] >= len(DISPOSALS), "a frame with an unknown disposal")
            yield DISPOSALS[content[-2]], height, width


def _read_patches(file: BinaryIO, head: _PngHeader) -> Iterator[Patch]:
    # Yield the patches of a file whose structure `_read_header_chunks` has checked.
    height, width = head.size
    control, data = FRAME_CONTROL.pack(width, height, 0, 0, 0, 1, 0, 0), bytearray()
    decode = make_packet_decoder("png")
    for kind, content in _read_chunks(file):
        if kind in (b"fcTL", b"IEND") and data:
            yield _read_frame_patch(head, control, bytes(data), decode)
            data.clear()
        if kind == b"fcTL":
            control = content
        elif kind in (b"IDAT", b"fdAT"):
            data += content if kind == b"IDAT" else content[4:]


def _read_frame_patch(
    head: _PngHeader, control: bytes, data: bytes, decode: Callable[[bytes], Rows]
) -> Patch:
    width, height, left, top, *_, blend = FRAME_CONTROL.unpack(control)
    is_inside = left + width <= head.size[1] and top + height <= head.size[0]
    refuse_if(not is_inside or not width or not height, "a frame that extends beyond its canvas")
    refuse_if(
        control[:4] == bytes(4) and (height, width) != head.size,  # chunk 0 is of the first frame
        "a first frame that does not fill its canvas",
    )
    refuse_if(blend > 1, "a frame with unknown blending")
    image, png = _decode_image(head, height, width, data)
    return replace(build_png_patch(control, image), redecode=lambda: decode(png))


def _single_image_file(head: _PngHeader, height: int, width: int, data: bytes) -> bytes:
    contents = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, head.depth, head.kind, 0, 0, 0),
        b"PLTE": head.palette,
        b"tRNS": head.clear,
        b"IDAT": data,
    }
    chunks = [(kind, content) for kind, content in contents.items() if content]
    return build_png([*chunks, (b"IEND", b"")])


def _decode_image(
    head: _PngHeader, height: int, width: int, data: bytes
) -> tuple[Image.Image, bytes]:
    # Returns an image, and a PNG of it alone.  Refuses missing or extra pixels, which decoders
    # treat differently.
    unpack, row_bytes = zlib.decompressobj(), -(-width * head.depth * CHANNELS[head.kind] // 8)
    expected = height * (1 + row_bytes)
    with convert_decoder_errors():
        count = len(unpack.decompress(data, expected + 1))
    refuse_if(
        count != expected or not unpack.eof or unpack.unused_data,
        "a frame with too few or too many pixels",
    )
    png = _single_image_file(head, height, width, data)
    with convert_decoder_errors():
        image = Image.open(io.BytesIO(png), formats=["PNG"])
        load_pixels(image)
    refuse_if(
        head.kind == INDEXED and np.asarray(image).max() >= len(head.palette) // 3,
        "pixels whose colour is not in the palette",
    )
    return image, png


def _png_header(geometry: FrameGeometry, tiles: Tiles, frames: int, loop: int) -> bytes:
    # Build the header chunks for 8-bit indexed colours.  The palette entry after the last colour is
    # transparent, and marks the pixels that a frame leaves unchanged.
    return build_png(
        {
            b"IHDR": struct.pack(">IIBBBBB", geometry.width, geometry.height, 8, INDEXED, 0, 0, 0),
            b"acTL": struct.pack(">II", frames, loop),
            b"PLTE": tiles.colours.tobytes() + b"\0\0\0",
            b"tRNS": tiles.alphas.tobytes() + b"\0",
        }.items()
    )


def _frame_control(number: int, frame: Frame, delay: int, *, blend: bool) -> bytes:
    # Build the control chunk of a frame that stays on the canvas (disposal code 0).
    rows, columns = frame.box
    height, width = frame.changed_pixels.shape
    seconds = (delay, TICK_RATE) if delay < 1 << 16 else (round(delay / 100), TICK_RATE // 100)
    bounds, disposal = (number, width, height, columns.start, rows.start), 0
    return build_png_chunk(b"fcTL", struct.pack(">IIIIIHHBB", *bounds, *seconds, disposal, blend))
