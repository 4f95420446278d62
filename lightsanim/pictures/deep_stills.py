"""Read stills with samples that Pillow cannot read or misreads: camera raw and many TIFFs.

Of TIFFs, Pillow reads those of up to 8 bits and the usual ones of 16 bits, in every compression.
Others, such as floats in colour or planes of 16 bits, are read with tifffile.  tifffile returns the
samples as stored, so that this module applies the tags (TIFF 6.0).
"""

import math
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import PurePath
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.errors import PictureError
from .hdr_stills import find_white
from .light import Light, decode_srgb, encode_srgb
from .pillow import check_pixels, pillow_errors, warnings_suppressed

Numbers = npt.NDArray[Any]

TIFF_SIGNATURES = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
# Tags, and their values (TIFF 6.0, sections 8, 18 and 19).
BITS_PER_SAMPLE, COMPRESSION, PHOTOMETRIC, ORIENTATION = 258, 259, 262, 274
PLANAR_CONFIGURATION, SAMPLE_FORMAT = 284, 339
WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, CMYK = 0, 1, 2, 5
UNCOMPRESSED, SEPARATE_PLANES = 1, 2
UNSIGNED = 1
PREMULTIPLIED_ALPHA = 1
ALPHA_KINDS = (PREMULTIPLIED_ALPHA, 2)
COLOUR_COUNTS = {WHITE_IS_ZERO: 1, BLACK_IS_ZERO: 1, RGB: 3, CMYK: 4}
# Values of the tag Compression.  tifffile unpacks strips and tiles of these at any size.
DEFLATE, LZMA_OR_ZSTD = (8, 32946, 50013), (34925, 34926, 50000)
# Deflate packs at most 1032 bytes into one (zlib's technical details).
MAX_PACKING_RATIO = 1032
# Largest number of samples for each pixel of the largest picture.
MAX_SAMPLES = 4
# White of grey integers of more bits, of which many have no fixed range, as in Pillow's mode I.
MAX_GREY = 65535
# Largest float in colour; the light of much larger ones would not fit in a float32.
MAX_FLOAT = 1e12

# Suffixes of camera raw files; from their bytes alone, Pillow would read the thumbnail inside.
RAW_SUFFIXES = (
    *(".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dng", ".erf", ".kdc", ".mef", ".mrw", ".nef"),
    *(".nrw", ".orf", ".pef", ".raf", ".raw", ".rw2", ".rwl", ".sr2", ".srf", ".srw", ".x3f"),
)


def is_raw_path(path: str) -> bool:
    """Return whether a file is a camera raw file by its suffix."""
    return PurePath(path).suffix.lower() in RAW_SUFFIXES


def read_raw(content: bytes) -> Light:
    """Read a camera raw file as sRGB-encoded values in 0..1, float32 (height, width, 3)."""
    with _decoder_errors():
        import rawpy

        with rawpy.imread(BytesIO(content)) as file:
            pixels: npt.NDArray[np.uint8] = file.postprocess()
    return pixels.astype(np.float32) / np.float32(255)


def is_misread_tiff(image: Image.Image) -> bool:
    """Return whether an opened image is a TIFF whose samples Pillow does not decode rightly."""
    if image.format != "TIFF":
        return False
    tags: Any = image.tag_v2  # type: ignore[attr-defined]
    with pillow_errors():
        bits, kind = tags.get(BITS_PER_SAMPLE, (1,))[0], tags.get(SAMPLE_FORMAT, (UNSIGNED,))[0]
        photometric = tags.get(PHOTOMETRIC, BLACK_IS_ZERO)
        is_raw = tags.get(COMPRESSION, UNCOMPRESSED) == UNCOMPRESSED
        has_raw_planes = is_raw and tags.get(PLANAR_CONFIGURATION) == SEPARATE_PLANES
    if bits <= 8:
        return False
    if photometric == WHITE_IS_ZERO or has_raw_planes:
        return True
    # Pillow swaps the bytes of compressed big-endian numbers twice.
    return bool(bits != 16 if kind == UNSIGNED else tags.prefix != b"II")


def read_tiff(content: bytes, image: Image.Image | None) -> Light:
    """Read the first page of a TIFF, which Pillow may have opened as ``image``.

    Returns float32: grey of any range (height, width), in which NaN is transparent, or
    sRGB-encoded values in 0..1 (height, width, 3 or 4).  If colours exceed 1, a quantile of them
    becomes white.
    """
    import tifffile

    with _decoder_errors():
        page: Any = tifffile.TiffFile(BytesIO(content)).pages[0]
        orientation = page.tags.valueof(ORIENTATION)
    _check_page(page, content)
    try:
        with _decoder_errors():
            planes = page.asarray(squeeze=False)[:, 0]  # (planes, height, width, samples)
        samples = np.moveaxis(planes, 0, 2).reshape(*planes.shape[1:3], -1)
    except _MissingCodecError:
        # libtiff has more codecs, and in these modes Pillow keeps the samples as they are.
        modes = ("I;16", "I;16B", "I", "F") if page.parent.byteorder == "<" else ("I;16B",)
        if image is None or image.mode not in modes:
            raise
        with pillow_errors():
            samples = np.asarray(image)[..., None]  # turned upright by Pillow
        orientation = None
        if page.dtype == np.uint32:
            samples = samples.view(np.uint32)
    return _turn_upright(_apply_colour_tags(page, samples), orientation)


def _check_page(page: Any, content: bytes) -> None:
    """Raise `PictureError` for a page that would need too much memory, or that is cut off."""
    with _decoder_errors():  # a damaged tag may hold text, or several numbers
        width, height = int(page.imagewidth), int(page.imagelength)
        stored_bytes = int(sum(page.databytecounts))
        strip_size = int(math.prod(page.chunks))
        strip_size = strip_size if page.is_tiled else min(strip_size, page.size)
    check_pixels(width, height)
    if page.dtype is None:
        raise PictureError(f"its samples are of an unknown kind: {page.bitspersample} bits")
    size, limit = max(page.size, strip_size), MAX_SAMPLES * (Image.MAX_IMAGE_PIXELS or math.inf)
    if size > limit:
        raise PictureError(f"it has {size} samples, but may have {limit}; make it smaller")
    if stored_bytes > len(content) or page.nbytes > MAX_PACKING_RATIO * stored_bytes:
        flaw = f"it is cut off or damaged: {page.nbytes} bytes are stored as {stored_bytes}"
        raise PictureError(flaw)
    if page.compression in LZMA_OR_ZSTD:
        raise PictureError("its compression is LZMA or Zstandard; save it with Deflate")
    if page.compression in DEFLATE:
        strip_bytes = strip_size * page.dtype.itemsize
        for start, length in zip(page.dataoffsets, page.databytecounts, strict=False):
            with _decoder_errors():
                packed = content[start : start + length]
                unpacked = zlib.decompressobj().decompress(packed, strip_bytes + 1)
            if len(unpacked) > strip_bytes:
                raise PictureError("it is damaged: a strip or tile holds more than it declares")


def _apply_colour_tags(page: Any, samples: Numbers) -> Light:
    """Convert stored samples (height, width, samples) to what `read_tiff` returns."""
    sample_count, kind = samples.shape[2], samples.dtype.kind
    photometric = page.photometric if PHOTOMETRIC in page.tags else BLACK_IS_ZERO
    colour_count = COLOUR_COUNTS.get(photometric, sample_count + 1)
    if sample_count < colour_count or kind not in "buif":
        flaw = f"{sample_count} of {samples.dtype}, {getattr(photometric, 'name', photometric)}"
        raise PictureError(f"its samples ({flaw}) are of no known kind; convert it to RGB or grey")
    extras = dict(enumerate(page.extrasamples, sample_count - len(page.extrasamples)))
    alphas = [at for at in extras if extras[at] in ALPHA_KINDS and at >= colour_count][:1]
    colours_at = [at for at in range(sample_count) if at not in alphas]
    if colour_count == 1 and len(colours_at) >= 3:
        colour_count = 3  # of several bands, QGIS and GDAL's tools show the first three as RGB
    is_grey = colour_count == 1 and not alphas
    white = 1.0 if kind == "f" else 2.0**page.bitspersample - 1
    white = min(white, MAX_GREY) if is_grey else white
    with np.errstate(all="ignore"):  # floats may be NaN, infinite, or too large for float32
        colours = samples[..., colours_at[:colour_count]].astype(np.float32) / np.float32(white)
        alpha = samples[..., alphas].astype(np.float32) / np.float32(white)
        if alphas and extras[alphas[0]] == PREMULTIPLIED_ALPHA:
            np.divide(colours, alpha, out=colours, where=alpha > 0)
        if photometric == WHITE_IS_ZERO:
            colours = 1 - colours
        elif photometric == CMYK:
            colours = (1 - colours[..., :3]) * (1 - colours[..., 3:])
    if is_grey:
        return colours[..., 0]
    colours = np.clip(np.nan_to_num(colours, nan=0.0), 0, MAX_FLOAT if kind == "f" else 1)
    white = find_white(colours)
    colours = np.minimum(colours, white)
    if white > 1:
        light = decode_srgb(colours) / decode_srgb(white)
        colours = encode_srgb(np.minimum(light, 1))  # numpy rounds arrays unlike single numbers
    colours = np.broadcast_to(colours, (*colours.shape[:2], 3))
    alpha = np.clip(np.nan_to_num(alpha, nan=0.0), 0, 1)
    return np.concatenate([colours, alpha], axis=2, dtype=np.float32)


def _turn_upright(values: Light, orientation: object) -> Light:
    """Turn a picture by the value of its tag Orientation, 1 to 8."""
    if orientation in (5, 6, 7, 8):
        values = values.swapaxes(0, 1)
    if orientation in (2, 3, 6, 7):
        values = values[:, ::-1]
    return values[::-1] if orientation in (3, 4, 7, 8) else values


class _MissingCodecError(PictureError):
    """Error for a compression that tifffile does not read without imagecodecs."""


@contextmanager
def _decoder_errors() -> Iterator[None]:
    # Wraps only calls of the libraries, which raise many kinds of exceptions on damaged files.
    with warnings_suppressed():
        try:
            yield
        except ImportError as error:
            raise PictureError("it needs rawpy; install it: pip install rawpy") from error
        except Exception as error:
            if "imagecodecs" in str(error):
                hint = "install it: pip install imagecodecs"
                raise _MissingCodecError(f"{error}; {hint}") from error
            raise PictureError(f"it is damaged or of an unknown kind ({error})") from error
