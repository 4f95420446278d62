"""Convert pictures to sRGB whose colour space is given by codes or numbers, not by an ICC profile.

Codes are those of ITU-T H.273: of primaries (table 2) and of transfer characteristics (table 3).
Stills look as in Chromium, which tone-maps high dynamic range (HDR); in videos, HDR is clipped.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from PIL import Image

from .png_chunks import find_png_chunk

Floats = npt.NDArray[np.floating[Any]]
Bytes = npt.NDArray[np.uint8]
ImageInfo = dict[str | tuple[int, int], Any]

SRGB_PRIMARIES, BT2020_PRIMARIES = 1, 9
D65, ILLUMINANT_C = (0.3127, 0.3290), (0.310, 0.316)
# Chromaticities x and y of white, red, green and blue, as in PNG's cHRM chunk, by code.
PRIMARIES: dict[int, tuple[float, ...]] = {
    SRGB_PRIMARIES: (*D65, 0.640, 0.330, 0.300, 0.600, 0.150, 0.060),
    4: (*ILLUMINANT_C, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08),
    5: (*D65, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06),
    **dict.fromkeys((6, 7), (*D65, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070)),
    8: (*ILLUMINANT_C, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049),
    BT2020_PRIMARIES: (*D65, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046),
    10: (1 / 3, 1 / 3, 1, 0, 0, 1, 0, 0),
    11: (0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060),
    12: (*D65, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060),
    22: (*D65, 0.630, 0.340, 0.295, 0.605, 0.155, 0.077),
}
# Primaries of standard-definition video, which count as those of sRGB in videos.
BT601_PRIMARIES = (5, 6, 7, 22)
# Bradford's matrix from CIE XYZ to the responses of the eye's cones.
TO_CONES = np.array(
    [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
)

SRGB_CURVE, PQ, HLG = 13, 16, 18
# Curves of cameras, which displays decode otherwise: in PNGs as BT.1886, in other files as sRGB.
CAMERA_CURVES = (1, 6, 11, 14, 15)
# Luminances in cd/m²: HDR's reference white (ITU-R BT.2408), and the peak of a usual HDR display.
HDR_WHITE, HDR_PEAK = 203, 1000

# AVIF's codes if they are not those of sRGB, BT.709 or unspecified colours.
UNUSUAL_AVIF_CODES = re.compile(rb"colrnclx(?!\x00[\x01\x02]\x00[\x01\x02\x0d])")
# A PNG's gAMA alone counts as sRGB's, 1 / 2.2, if it differs by less than this share.
MAX_SRGB_GAMMA_ERROR = 0.05
# Pixels converted at a time, so that their light stays in the CPU cache.
BLOCK_PIXELS = 32_768
# Largest factor of a conversion; the factors of nearly equal primaries are larger.
MAX_FACTOR = 1e6


def _decode_power(power: float, offset: float = 0, slope: float = 1, end: float = 0) -> Floats:
    """Return the light of each byte by a curve that is straight up to a signal ``end``."""
    signal = np.arange(256) / 255
    curve = ((signal + offset) / (1 + offset)) ** power
    return np.asarray(np.where(signal <= end, signal / slope, curve), np.float32)


def _decode_pq() -> Floats:
    """Return the light of each byte by SMPTE ST 2084."""
    root = (np.arange(256) / 255) ** (32 / 2523)
    share = np.maximum(root - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * root)
    return np.asarray(share ** (16384 / 2610) * (10_000 / HDR_WHITE), np.float32)


def _decode_hlg() -> Floats:
    """Return the light of each byte by ITU-R BT.2100, which a display raises to the power 1.2."""
    signal = np.arange(256) / 255
    upper = (np.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    scene = np.where(signal <= 0.5, signal**2 / 3, upper)
    return np.asarray(scene * (HDR_PEAK / HDR_WHITE) ** (1 / 1.2), np.float32)


# Linear light of each byte, by code of the curve; 1 is white, and HDR has more.
LIGHT_OF_BYTES: dict[int, Floats] = {
    **dict.fromkeys(CAMERA_CURVES, _decode_power(2.4)),
    4: _decode_power(2.2),
    5: _decode_power(2.8),
    7: _decode_power(1 / 0.45, 0.1115, 4, 0.0912),
    8: _decode_power(1),
    SRGB_CURVE: _decode_power(2.4, 0.055, 12.92, 0.04045),
    PQ: _decode_pq(),
    17: _decode_power(2.6) * np.float32(52.37 / 48),
    HLG: _decode_hlg(),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class CodedColours:
    """A conversion of an image's colours to sRGB."""

    light: Floats  # Linear light of each byte; 1 is white.
    to_xyz: Floats  # Matrix (3, 3) from linear red, green and blue to CIE XYZ under D65.
    is_hlg: bool = False  # True for HLG, whose light is that of the scene.
    is_tone_mapped: bool = False  # True to show HDR's peak as white, and all other light darker.

    @property
    def curve(self) -> Bytes:
        """The sRGB value of each grey, 0 to 255."""
        greys = np.arange(256, dtype=np.uint8)[None]
        curve: Bytes = self.convert_planes([greys, greys, greys])[1, 0]
        return curve

    def to_srgb(self, image: Image.Image) -> Image.Image:
        """Convert an image to sRGB in mode RGB, with alpha if it has transparent parts."""
        alphas = []
        if image.has_transparency_data:
            image = image.convert("RGBA")
            alphas = [image.getchannel("A")]
        planes = self.convert_planes([np.asarray(p) for p in image.convert("RGB").split()])
        return Image.merge("RGBA" if alphas else "RGB", [*map(Image.fromarray, planes), *alphas])

    def convert_planes(self, planes: Sequence[Bytes]) -> Bytes:
        """Convert planes of red, green and blue, (height, width) each, to sRGB, (3, height, width).

        Light above white and colours outside the gamut of sRGB are clipped.
        """
        converted = np.empty((3, *planes[0].shape), np.uint8)
        to_srgb = _xyz_to_rgb(SRGB_PRIMARIES) @ self.to_xyz
        to_bt2020, tone_curve = _xyz_to_rgb(BT2020_PRIMARIES) @ self.to_xyz, _build_tone_curve()
        lines = max(1, BLOCK_PIXELS // max(1, converted.shape[2]))
        for top in range(0, converted.shape[1], lines):
            light = self.light[np.stack([plane[top : top + lines] for plane in planes])]
            if self.is_hlg:
                light = light * np.tensordot(self.to_xyz[1], light, 1) ** 0.2
            if self.is_tone_mapped:
                brightest = np.tensordot(to_bt2020, light, 1).max(axis=0)
                light = light * (np.interp(brightest, *tone_curve) / np.maximum(brightest, 1e-9))
            light = np.tensordot(to_srgb, light, 1).clip(0, 1)
            steps = (light * 65535 + 0.5).astype(np.uint16)
            converted[:, top : top + lines] = _srgb_of_light()[steps]
        return converted


def read_colour_codes(content: bytes, image_format: str | None) -> ImageInfo:
    """Return the colour codes that Pillow does not read, as items for an image's ``info``."""
    if image_format == "PNG":
        match list(find_png_chunk(content, b"cICP")):
            case [primaries, transfer, 0, 1] if primaries in PRIMARIES:  # RGB of the full range
                if transfer in LIGHT_OF_BYTES:
                    return {"cicp": (primaries, transfer), "icc_profile": None}  # codes go first
    if image_format == "AVIF" and UNUSUAL_AVIF_CODES.search(content):
        from pillow_heif import HeifFile  # importing it takes 25 ms

        try:
            return {"nclx_profile": cast(Any, HeifFile)(content).info.get("nclx_profile")}
        except Exception:  # damaged codes must not make a good picture unreadable
            return {}
    return {}


def read_coded_colours(info: ImageInfo) -> CodedColours | None:
    """Return the conversion for the codes in an image's ``info``, or None if they mean sRGB.

    A PNG's chunks have the precedence of the PNG specification, third edition.
    """
    match info:
        case {"cicp": (primaries, transfer)}:
            return _build_coded_colours(primaries, transfer, tone_mapped=True)
        case {"nclx_profile": {"color_primaries": primaries, "transfer_characteristics": transfer}}:
            transfer = SRGB_CURVE if transfer in CAMERA_CURVES else transfer
            return _build_coded_colours(primaries, transfer, tone_mapped=True)
        case {"srgb": 0 | 1 | 2 | 3}:  # rendering intents; other values are invalid
            return None
        case {"gamma": float(gamma), "chromaticity": tuple(chromaticities)}:
            return _build_gamma_colours(gamma, chromaticities)
        case {"gamma": float(gamma)} if abs(2.2 * gamma - 1) > MAX_SRGB_GAMMA_ERROR:
            return _build_gamma_colours(gamma, PRIMARIES[SRGB_PRIMARIES])
    return None


def find_video_colours(primaries: int, transfer: int) -> CodedColours | None:
    """Return the conversion for the codes of a video's frames, or None if they count as sRGB."""
    primaries = SRGB_PRIMARIES if primaries in BT601_PRIMARIES else primaries
    transfer = SRGB_CURVE if transfer in (*CAMERA_CURVES, 7) else transfer
    return _build_coded_colours(primaries, transfer, tone_mapped=False)


def _build_coded_colours(
    primaries: int, transfer: int, *, tone_mapped: bool
) -> CodedColours | None:
    primaries = primaries if primaries in PRIMARIES else SRGB_PRIMARIES
    transfer = transfer if transfer in LIGHT_OF_BYTES else SRGB_CURVE
    if (primaries, transfer) == (SRGB_PRIMARIES, SRGB_CURVE):
        return None
    return CodedColours(
        light=LIGHT_OF_BYTES[transfer],
        to_xyz=_build_xyz_matrix(PRIMARIES[primaries]),
        is_hlg=transfer == HLG,
        is_tone_mapped=tone_mapped and transfer in (PQ, HLG),
    )


def _build_gamma_colours(gamma: float, chromaticities: tuple[float, ...]) -> CodedColours | None:
    """Return the conversion for a PNG's gAMA and cHRM, or None if they are invalid."""
    in_range = len(chromaticities) == 8 and 0 <= min(chromaticities) <= max(chromaticities) <= 1
    if not in_range or chromaticities[1] == 0 or gamma <= 0:
        return None
    try:
        to_xyz = _build_xyz_matrix(chromaticities)
    except np.linalg.LinAlgError:  # the primaries lie on a line
        return None
    is_usable = np.abs(to_xyz).max() < MAX_FACTOR  # also false for NaN
    return CodedColours(light=_decode_power(1 / gamma), to_xyz=to_xyz) if is_usable else None


def _build_xyz_matrix(chromaticities: tuple[float, ...]) -> Floats:
    """Return the matrix from linear RGB to CIE XYZ (SMPTE RP 177), with white adapted to D65."""
    points = np.reshape(chromaticities, (4, 2))
    white, *primaries = np.column_stack([points, 1 - points.sum(axis=1)])
    white /= white[1]
    columns = np.transpose(primaries)
    cones = TO_CONES @ (columns * np.linalg.solve(columns, white))
    d65 = np.array([*D65, 1 - sum(D65)]) / D65[1]
    adapted = (TO_CONES @ d65 / (TO_CONES @ white))[:, None] * cones
    return np.linalg.solve(TO_CONES, adapted).astype(np.float32)


@cache
def _build_tone_curve() -> tuple[Floats, Floats]:
    """Return light and its tone-mapped light (SMPTE ST 2094-50, reference white tone mapping)."""
    t = np.linspace(0, 1, 256)
    weights = np.transpose([(1 - t) ** 2, 2 * t * (1 - t), t**2])  # of a quadratic Bézier curve
    light = weights @ [1, 0.35 + 0.65 / 0.5, HDR_PEAK / HDR_WHITE]
    mapped = weights @ [0.5, 0.35 * 0.5 + 0.65, 1]
    return np.array([0, *light]), np.array([0, *mapped])


@cache
def _xyz_to_rgb(primaries: int) -> Floats:
    """Return the matrix from CIE XYZ to the linear RGB of primaries."""
    return np.asarray(np.linalg.inv(_build_xyz_matrix(PRIMARIES[primaries])))


@cache
def _srgb_of_light() -> Bytes:
    """Return the sRGB value of light in 65535 steps from black to white."""
    light = np.linspace(0, 1, 65536)
    return np.interp(light, LIGHT_OF_BYTES[SRGB_CURVE], np.arange(256)).round().astype(np.uint8)
