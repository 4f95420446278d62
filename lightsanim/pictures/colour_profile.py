"""Convert pictures with ICC colour profiles to sRGB, using LittleCMS.

Phones write Display P3, cameras Adobe RGB, print shops CMYK.  A profile that is damaged or does not
match the picture's mode is ignored: the values then count as sRGB, as without a profile.  Colour
codes count if there is no profile, or if it is damaged.
"""

import io
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageCms

from .coded_colours import CodedColours, read_coded_colours

# Pillow modes of the images that a profile can describe, by the profile's colour space.  Images are
# converted to the first before the transform.
SPACE_MODES = {
    "RGB": ("RGB", "RGBA", "RGBX", "RGBa", "P", "PA"),
    "GRAY": ("L", "LA", "La", "I;16", "I;16L", "I;16B", "I;16N", "I", "F"),
    "CMYK": ("CMYK",),
}

# Limit of a profile's size in bytes; profiles of printing presses have up to 3 million.
MAX_PROFILE_BYTES = 16_000_000
# A profile counts as sRGB if it changes no value, from 0 to 255, by more than this.
MAX_IDENTITY_SHIFT = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class IccProfile:
    """A conversion of an image's colours to sRGB."""

    space: str  # Colour space of the profile: RGB, GRAY or CMYK.
    transform: ImageCms.ImageCmsTransform  # Conversion to sRGB with 8 bits per channel.
    curve: npt.NDArray[np.uint8] | None = None  # For GRAY, the sRGB value of each grey, 0 to 255.

    def to_srgb(self, image: Image.Image) -> Image.Image:
        """Convert an image to sRGB in mode L or RGB, with alpha if it has transparent parts."""
        alpha = None
        if image.has_transparency_data:
            image = image.convert("LA" if self.space == "GRAY" else "RGBA")
            alpha = image.getchannel("A")
        mode = SPACE_MODES[self.space][0]
        image = image if image.mode == mode else image.convert(mode)
        if self.curve is not None:
            converted = image.point(self.curve.tolist())
        else:
            converted = self.transform.apply(image, Image.new("RGB", image.size))
        if alpha is not None:
            converted.putalpha(alpha)
        return converted


ColourProfile: TypeAlias = IccProfile | CodedColours


def read_profile(image: Image.Image) -> ColourProfile | None:
    """Return the colour profile of an image, or None if it is sRGB, missing or unusable."""
    content = image.info.get("icc_profile")
    if isinstance(content, bytes) and 0 < len(content) <= MAX_PROFILE_BYTES:
        with suppress(Exception):  # a damaged profile must not make a good picture unreadable
            space = ImageCms.ImageCmsProfile(io.BytesIO(content)).profile.xcolor_space.strip()
            matches = image.mode in SPACE_MODES.get(space, ())
            return _build_profile(content, space) if matches else None
    return read_coded_colours(image.info)


def _build_profile(content: bytes, space: str) -> IccProfile | None:
    flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
    if space == "GRAY":  # LittleCMS's optimization halves the light of shadows for steep curves
        flags |= ImageCms.Flags.NOOPTIMIZE
    transform = ImageCms.ImageCmsTransform(
        ImageCms.ImageCmsProfile(io.BytesIO(content)),
        ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")),
        SPACE_MODES[space][0],
        "RGB",
        ImageCms.Intent.RELATIVE_COLORIMETRIC,
        flags=flags,
    )
    if space == "CMYK":
        return IccProfile(space=space, transform=transform)
    steps = np.linspace(0, 255, 6).round().astype(int)
    cube = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    probe = np.arange(256) if space == "GRAY" else cube
    image = Image.fromarray(probe.astype(np.uint8)[None])
    converted = np.asarray(transform.apply(image, Image.new("RGB", image.size)))[0]
    curve = converted[:, 1] if space == "GRAY" else None
    moved = (converted if curve is None else curve).astype(int) - probe
    if abs(moved).max() <= MAX_IDENTITY_SHIFT:
        return None
    return IccProfile(space=space, transform=transform, curve=curve)
