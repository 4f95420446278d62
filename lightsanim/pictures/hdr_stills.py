"""Read stills whose light may exceed white, OpenEXR and Radiance HDR, with FFmpeg's decoders.

Of an EXR file FFmpeg reads the channels R, G, B and A, or Y and A, of one layer.  This module
chooses the layer.  A lone channel such as a depth is renamed to Y, which keeps the file's length.
"""

import re
import struct
from itertools import islice
from typing import Any, TypeAlias, cast

import numpy as np
from PIL import Image

from lightsanim.errors import PictureError
from .light import LUMINANCE_WEIGHTS, Light, Rgb, decode_srgb, read_plane_lines

EXR_SIGNATURE = b"v/1\x01"
HDR_SIGNATURES = (EXR_SIGNATURE, b"#?RADIANCE", b"#?RGBE")
# The list of channels in the header of an EXR file, and a channel in it ("OpenEXR File Layout").
CHANNEL_LIST = re.compile(rb"channels\0chlist\0(.{4})", re.DOTALL)
CHANNEL = re.compile(rb"([^\0]{1,255})\0.{16}", re.DOTALL)
# Highest bit that byte 5 of an EXR file may have: the file consists of several parts.
MULTIPART_FLAG = b"\x10"
MAX_LIST_BYTES = 200_000
MAX_NAMED_LAYERS = 10  # in an error message
# Quantile of the light shown as white: a lamp may be a thousand times brighter than the rest.
WHITE_QUANTILE = 0.995


def read_hdr_light(content: bytes) -> Light:
    """Read an EXR or HDR file as linear light, float32 (height, width, 3 or 4).

    Red, green and blue are already multiplied by the fourth channel, alpha.  White is 1, or a
    quantile of the light if any of it exceeds 1.
    """
    is_exr = content.startswith(EXR_SIGNATURE)
    light = _read_exr(content) if is_exr else _decode("hdr", content, {})
    light = np.clip(np.nan_to_num(light, nan=0.0), 0, None)
    if light.shape[2] < 3:
        light = light[..., [0, 0, 0, *range(1, light.shape[2])]]
    light[..., :3] /= np.float32(find_white(light[..., :3]))
    return light


def find_white(colours: Light) -> float:
    """Return the value that is shown as white: 1, or a quantile if any value exceeds 1."""
    if colours.max() <= 1:
        return 1.0
    return max(1.0, float(np.quantile(colours.max(axis=2), WHITE_QUANTILE)))


def hdr_light_over(light: Light, backdrop: Rgb, *, rgb: bool) -> Light:
    """Return what `read_hdr_light` read, over a backdrop: linear light in 0..1, grey or RGB."""
    mixed = light[..., :3]
    if light.shape[2] == 4:
        backdrop_light = decode_srgb(np.array(backdrop) / 255)
        mixed = mixed + backdrop_light * (1 - np.clip(light[..., 3:], 0, 1))
    mixed = mixed if rgb else mixed @ np.array(LUMINANCE_WEIGHTS, np.float32)
    return np.clip(mixed, 0, 1).astype(np.float32)


Channels: TypeAlias = dict[str, tuple[int, int]]
"""Start and end of each channel's name in the file, by a letter or a word."""


def _read_exr(content: bytes) -> Light:
    layers = _list_layers(content)
    names = ", ".join(
        name or "/".join(channels) for name, channels in islice(layers.items(), MAX_NAMED_LAYERS)
    )
    name = _choose_layer(layers, is_multipart=content[5:6] >= MULTIPART_FLAG)
    if name is None:
        flaw = "its first part has no layer with R, G, B or Y"
        raise PictureError(f"{flaw}; its layers: {names or 'none'}")
    visible, renamed = _find_visible_channels(layers[name]), bytearray(content)
    for _, end in layers[name].values():
        renamed[end - 1] = ord("_")  # FFmpeg also takes X, U, V and others for colours
    for letter, (_, end) in visible.items():
        renamed[end - 1] = ord(letter)
    start, end = next(iter(visible.values()))
    prefix = content[start : end - 1].decode(errors="replace")
    try:
        return _decode("exr", bytes(renamed), {"layer": prefix})
    except PictureError as error:
        raise PictureError(f"{error}; its layers: {names}") from error


def _choose_layer(layers: dict[str, Channels], *, is_multipart: bool) -> str | None:
    """Return the name of the layer that is the picture, perhaps empty; None if there is none."""
    visible = {
        name: channels for name in layers if (channels := _find_visible_channels(layers[name]))
    }
    lone = {
        name for name, channels in visible.items() if not channels.keys() <= layers[name].keys()
    }
    if is_multipart:  # FFmpeg reads only the first part, and a depth may belong to a second one
        visible = {name: channels for name, channels in visible.items() if name not in lone}

    def rank(name: str) -> tuple[bool, ...]:
        # Channels without a layer come first, and lone channels last.
        return name in lone, name != "", "R" not in visible[name], "Combined" not in name.split(".")

    return min(visible, key=rank, default=None)


def _list_layers(content: bytes) -> dict[str, Channels]:
    """Return the channels of each layer of an EXR file's first part, by what follows the dot."""
    layers: dict[str, Channels] = {}
    if start := CHANNEL_LIST.search(content):
        (size,) = struct.unpack("<I", start[1])
        end = start.end() + min(size, MAX_LIST_BYTES)
        for channel in CHANNEL.finditer(content, start.end(), end):
            layer, _, letter = channel[1].decode(errors="replace").rpartition(".")
            layers.setdefault(layer, {})[letter.upper()] = channel.span(1)
    return layers


def _find_visible_channels(channels: Channels) -> Channels:
    """Return the channels to show, by FFmpeg's letters for them; none of a vector and the like."""
    letters = "RGBA" if channels.keys() >= {"R", "G", "B"} else "YA"
    if letters == "RGBA" or ("Y" in channels and "X" not in channels):  # X and Y are a vector
        return {letter: channels[letter] for letter in letters if letter in channels}
    lone = [letter for letter in channels if letter != "A" or len(channels) == 1]
    return {"Y": channels[lone[0]]} if len(lone) == 1 else {}


def _decode(codec: str, content: bytes, options: dict[str, str]) -> Light:
    """Decode one picture as float32 (height, width, channels) in the order R, G, B or Y, then A."""
    import av  # imported late: FFmpeg's libraries load slowly

    limit = Image.MAX_IMAGE_PIXELS or 2**31 - 1
    try:
        decoder = cast(Any, av.CodecContext.create(codec, "r"))
        decoder.options = {"max_pixels": str(limit), **options}
        frame = [*decoder.decode(av.Packet(content)), *decoder.decode(None)][0]
    except Exception as error:  # PyAV raises many kinds on damaged files
        reason = getattr(error, "strerror", None) or str(error)
        flaw = f"it is damaged, of an unknown kind, or has more than {limit} pixels ({reason})"
        raise PictureError(flaw) from error
    name, components = frame.format.name, frame.format.components
    order, kind = ">" if name.endswith("be") else "<", "f" if re.search(r"f\d\d", name) else "u"
    dtype = np.dtype(f"{order}{kind}{components[0].bits // 8}")
    depth = len(components) // len(frame.planes)  # components of a plane: 1, or all
    planes = [
        read_plane_lines(plane)
        .view(dtype)[:, : frame.width * depth]
        .reshape(-1, frame.width, depth)
        for plane in frame.planes
    ]
    numbers = np.concatenate([planes[part.plane] for part in components[::depth]], axis=2)
    with np.errstate(invalid="ignore"):  # NaN of any kind
        return numbers.astype(np.float32) / np.float32(1 if kind == "f" else np.iinfo(dtype).max)
