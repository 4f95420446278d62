"""Colour profiles (ICC): what the numbers of a picture mean, by LittleCMS.

Phones write Display P3, cameras Adobe RGB, presses CMYK.  A profile is bytes of a file like all
others: one that is damaged, or of another kind of pixels, is left out, and the numbers are taken as
sRGB, as they are without one.
"""

import io
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageCms

# The kinds of pixels that a profile can be of, with the mode in which they are transformed, and all
# modes that are of that kind.
TRANSFORM_MODES = {"RGB": "RGB", "GRAY": "L", "CMYK": "CMYK"}
SPACE_MODES = {
    "RGB": ("RGB", "RGBA", "RGBX", "RGBa", "P", "PA"),
    "GRAY": ("L", "LA", "La", "I;16", "I;16L", "I;16B", "I;16N", "I", "F"),
    "CMYK": ("CMYK",),
}

# Bytes; those of presses have up to some 3 million.
MAX_PROFILE_BYTES = 16_000_000

# A profile that moves no colour by more than this, of 255, is sRGB in other words.
MAX_IDENTITY_SHIFT = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class ColourProfile:
    """What turns the colours of an image into sRGB."""

    space: str  # RGB, GRAY or CMYK, as the profile says
    transform: ImageCms.ImageCmsTransform  # from that space to sRGB, of 8 bits a channel
    # Of greys uint8 (256,), the sRGB value of each; otherwise None.
    curve: npt.NDArray[np.uint8] | None = None

    def to_srgb(self, image: Image.Image) -> Image.Image:
        """An image of any mode of the space, in sRGB: L or RGB, with A if parts are transparent."""
        alpha = None
        if image.has_transparency_data:
            image = image.convert("LA" if self.space == "GRAY" else "RGBA")
            alpha = image.getchannel("A")
        mode = TRANSFORM_MODES[self.space]
        image = image if image.mode == mode else image.convert(mode)
        if self.curve is not None:
            converted = image.point(self.curve.tolist())
        else:
            converted = self.transform.apply(image, Image.new("RGB", image.size))
        if alpha is not None:
            converted.putalpha(alpha)
        return converted


def read_profile(image: Image.Image) -> ColourProfile | None:
    """The profile of an image; None where its numbers are sRGB, or nothing better is known."""
    content = image.info.get("icc_profile")
    if not isinstance(content, bytes) or not 0 < len(content) <= MAX_PROFILE_BYTES:
        return None
    try:
        space = ImageCms.ImageCmsProfile(io.BytesIO(content)).profile.xcolor_space.strip()
        return _build_profile(content, space) if image.mode in SPACE_MODES.get(space, ()) else None
    except Exception:  # damaged profiles must not cost a good picture
        return None


def _build_profile(content: bytes, space: str) -> ColourProfile | None:
    flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
    if space == "GRAY":  # of steep curves the quick way makes shadows of half the light
        flags |= ImageCms.Flags.NOOPTIMIZE
    transform = ImageCms.ImageCmsTransform(
        ImageCms.ImageCmsProfile(io.BytesIO(content)),
        ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")),
        TRANSFORM_MODES[space],
        "RGB",
        ImageCms.Intent.RELATIVE_COLORIMETRIC,
        flags=flags,
    )
    if space == "CMYK":
        return ColourProfile(space=space, transform=transform)
    steps = np.linspace(0, 255, 6).round().astype(int)
    cube = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    probe = np.arange(256) if space == "GRAY" else cube
    image = Image.fromarray(probe.astype(np.uint8)[None])
    converted = np.asarray(transform.apply(image, Image.new("RGB", image.size)))[0]
    curve = converted[:, 1] if space == "GRAY" else None
    moved = (converted if curve is None else curve).astype(int) - probe
    if abs(moved).max() <= MAX_IDENTITY_SHIFT:
        return None
    return ColourProfile(space=space, transform=transform, curve=curve)
