"""Read stills that Pillow cannot read, with imageio: EXR, HDR, camera raw and TIFFs of floats.

Only the plugins below are used, each for its own formats, which are recognized by their first bytes
or suffix.  By default imageio tries all plugins, and some open other files or the network.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import numpy as np
import numpy.typing as npt

from lightsanim.errors import PictureError
from lightsanim.pictures.light import LUMINANCE_WEIGHTS, Light, Rgb, decode_srgb
from lightsanim.pictures.pillow import check_pixels, warnings_suppressed

Numbers = npt.NDArray[Any]

# Quantile of the light shown as white: a lamp may be a thousand times brighter than the rest.
WHITE_QUANTILE = 0.995


@dataclass(frozen=True, kw_only=True)
class ImageioPlugin:
    """A plugin of imageio, and the form of the values that it returns."""

    name: str  # Name of the plugin in imageio.
    options: Mapping[str, Any] = field(default_factory=dict)  # Keyword arguments for `imopen`.
    is_light: bool = False  # True if values are linear light, False if they are sRGB-encoded.
    is_planar: bool = False  # True if values are planes in the order green, blue, red, alpha.

    def read_values(self, content: bytes) -> Light:
        """Read a still as float32 values (1 = white), (height, width), perhaps with channels."""
        import imageio.v3 as iio

        try:
            with (
                warnings_suppressed(),
                iio.imopen(content, "r", plugin=self.name, **self.options) as file,
            ):
                read_options = {"format": None} if self.is_planar else {}
                if self is not RAW_PLUGIN:  # a raw picture's shape is known only after decoding
                    shape = file.properties(index=0, **read_options).shape
                    height, width, *_ = shape[-2:] if self.is_planar else shape
                    check_pixels(width, height)
                numbers: Numbers = file.read(index=0, **read_options)
        except ImportError as error:
            raise PictureError(
                f"this format needs {self.name}; install it: pip install imageio[{self.name}]"
            ) from error
        except PictureError:
            raise
        except Exception as error:
            raise PictureError(f"it is damaged or of an unknown kind ({error})") from error
        if self.is_planar and numbers.ndim == 3:
            numbers = np.moveaxis(numbers[[2, 0, 1, *range(3, len(numbers))]], 0, 2)
        if numbers.ndim not in (2, 3) or numbers.dtype.kind not in "uf" or not numbers.size:
            raise PictureError(f"it holds an array, not a picture: {numbers.dtype} {numbers.shape}")
        scale = 1 if numbers.dtype.kind == "f" else np.iinfo(numbers.dtype).max
        values: Light = numbers.astype(np.float32) / np.float32(scale)
        return np.clip(np.nan_to_num(values, nan=0.0, neginf=0.0), 0, None)

    def values_to_light(self, values: Light, backdrop: Rgb, *, rgb: bool) -> Light:
        """Convert the values to linear light; if any exceeds 1, a quantile becomes white."""
        colours, opacity = np.atleast_3d(values[..., :3]), values[..., 3:]
        if colours.shape[2] != 3:
            colours, opacity = np.repeat(colours[..., :1], 3, axis=2), colours[..., 1:]
        light = colours if self.is_light else decode_srgb(colours)
        brightest = np.quantile(light.max(axis=2), WHITE_QUANTILE) if light.max() > 1 else 1.0
        light = light / np.float32(max(brightest, 1.0))
        if opacity.size:
            backdrop_light = decode_srgb(np.array(backdrop) / 255)
            share = 1 if self.is_light else opacity  # linear light is already multiplied by alpha
            light = light * share + backdrop_light * (1 - np.clip(opacity, 0, 1))
        light = light if rgb else light @ np.array(LUMINANCE_WEIGHTS, np.float32)
        return np.clip(light, 0, 1).astype(np.float32)


def _build_ffmpeg_plugin(format: str) -> ImageioPlugin:
    return ImageioPlugin(name="pyav", options={"format": format}, is_light=True, is_planar=True)


# PFM is left out: FFmpeg returns its rows in reverse, which imageio 2.38 reads out of bounds.
SIGNATURES = {
    b"v/1\x01": _build_ffmpeg_plugin("exr_pipe"),
    b"#?RADIANCE": _build_ffmpeg_plugin("hdr_pipe"),
    b"#?RGBE": _build_ffmpeg_plugin("hdr_pipe"),
}
TIFF_SIGNATURES = (b"II*\0", b"MM\0*")
TIFF_PLUGIN, RAW_PLUGIN = ImageioPlugin(name="tifffile"), ImageioPlugin(name="rawpy")

# Suffixes of camera raw files; from their bytes alone, Pillow would read the thumbnail inside.
RAW_SUFFIXES = (
    *(".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dng", ".erf", ".kdc", ".mef", ".mrw", ".nef"),
    *(".nrw", ".orf", ".pef", ".raf", ".raw", ".rw2", ".rwl", ".sr2", ".srf", ".srw", ".x3f"),
)


def choose_imageio_plugin(path: str, head: bytes) -> ImageioPlugin | None:
    """Return the plugin for a file that Pillow reads wrongly or not at all; None for other files.

    >>> choose = choose_imageio_plugin
    >>> choose("lamp.exr", b"v/1\\x01\\2").name, choose("sun.png", b"\\x89PNG")
    ('pyav', None)
    """
    if PurePath(path).suffix.lower() in RAW_SUFFIXES:
        return RAW_PLUGIN
    return next((plugin for start, plugin in SIGNATURES.items() if head.startswith(start)), None)
