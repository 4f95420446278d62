"""Read stills whose light may exceed white, OpenEXR and Radiance HDR, with FFmpeg's decoders.

Of an EXR file FFmpeg reads the channels R, G, B and A, or Y and A, of one layer.  This module
chooses the layer.  A lone channel such as a depth is renamed to Y, which keeps the file's length.
"""

import re
import struct
from itertools import islice
from typing import Any, NamedTuple, cast

import av
import numpy as np
from PIL import Image

from lightsanim.errors import PictureError
from lightsanim.pictures.light import LUMINANCE_WEIGHTS, Light, Rgb, decode_srgb, read_plane_lines
from lightsanim.pictures.pillow import check_pixels

EXR_SIGNATURE = b"v/1\x01"
HDR_SIGNATURES = (EXR_SIGNATURE, b"#?RADIANCE", b"#?RGBE")
# Attributes in the header of an EXR file, and a channel in its list ("OpenEXR File Layout").
CHANNEL_LIST = re.compile(rb"channels\0chlist\0(.{4})", re.DOTALL)
CHANNEL = re.compile(rb"([^\0]{1,255})\0.{16}", re.DOTALL)
WINDOW = re.compile(rb"(?:data|display)Window\0box2i\0\x10\0\0\0(.{16})", re.DOTALL)
# Limits of what is read of a header: FFmpeg reads a file's first part, and a part has two windows.
MAX_WINDOWS, MAX_LIST_BYTES = 2, 1_000_000
MAX_NAMED_LAYERS = 10  # in an error message
HDR_SIZE = re.compile(rb"\n-Y +(\d{1,9}) +\+X +(\d{1,9})\n")
# Quantile of the light shown as white: a lamp may be a thousand times brighter than the rest.
WHITE_QUANTILE = 0.995


def read_hdr_light(content: bytes) -> Light:
    """Read an EXR or HDR file as linear light, float32 (height, width, 3 or 4).

    Red, green and blue are already multiplied by the fourth channel, alpha.  White is 1, or a
    quantile of the light if any of it exceeds 1.
    """
    light = _read_exr(content) if content.startswith(EXR_SIGNATURE) else _read_radiance(content)
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
    shown = light[..., :3]
    if light.shape[2] == 4:
        backdrop_light = decode_srgb(np.array(backdrop) / 255)
        shown = shown + backdrop_light * (1 - np.clip(light[..., 3:], 0, 1))
    shown = shown if rgb else shown @ np.array(LUMINANCE_WEIGHTS, np.float32)
    return np.clip(shown, 0, 1).astype(np.float32)


def _read_radiance(content: bytes) -> Light:
    if size := HDR_SIZE.search(content):
        check_pixels(int(size[2]), int(size[1]))
    return _decode("hdr", content, {})


class _Layer(NamedTuple):
    """A layer of an EXR file: the channels whose names are equal up to the last dot."""

    name: str  # Empty for channels without a layer.
    channels: dict[str, tuple[int, int]]  # Start and end of each name, by what follows the dot.


def _read_exr(content: bytes) -> Light:
    for window in islice(WINDOW.finditer(content), MAX_WINDOWS):
        left, top, right, bottom = struct.unpack("<4i", window[1])
        check_pixels(right - left + 1, bottom - top + 1)
    layers = _list_layers(content)
    names = ", ".join(layer.name or "/".join(layer.channels) for layer in layers[:MAX_NAMED_LAYERS])
    visible = [layer for layer in layers if _find_visible_channels(layer)]
    if not visible:
        raise PictureError(f"no layer has the channels R, G, B or Y; its layers: {names or 'none'}")
    layer = min(visible, key=_rank_layer)
    channels = _find_visible_channels(layer)
    renamed = bytearray(content)
    for _, end in layer.channels.values():
        renamed[end - 1] = ord("_")  # FFmpeg also takes X, U, V and others for colours
    for letter, (_, end) in channels.items():
        renamed[end - 1] = ord(letter)
    start, end = next(iter(channels.values()))
    prefix = content[start : end - 1].decode(errors="replace")
    try:
        return _decode("exr", bytes(renamed), {"layer": prefix})
    except PictureError as error:
        raise PictureError(f"{error}; its layers: {names}") from error


def _list_layers(content: bytes) -> list[_Layer]:
    """Return the layers of an EXR file's first part, in the file's order."""
    layers: dict[str, _Layer] = {}
    if listed := CHANNEL_LIST.search(content):
        (size,) = struct.unpack("<I", listed[1])
        end = listed.end() + min(size, MAX_LIST_BYTES)
        for channel in CHANNEL.finditer(content, listed.end(), end):
            name, _, letter = channel[1].decode(errors="replace").rpartition(".")
            layer = layers.setdefault(name, _Layer(name, {}))
            layer.channels[letter.upper()] = channel.span(1)
    return list(layers.values())


def _find_visible_channels(layer: _Layer) -> dict[str, tuple[int, int]]:
    """Return the channels to show, by the letters that FFmpeg reads; none for vectors and such."""
    channels = layer.channels
    for letters, others in (("RGB", ""), ("Y", "X")):  # with X, Y is part of a vector
        if all(letter in channels for letter in letters) and not channels.keys() & {*others}:
            return {letter: channels[letter] for letter in f"{letters}A" if letter in channels}
    lone = [letter for letter in channels if letter != "A" or len(channels) == 1]
    return {"Y": channels[lone[0]]} if len(lone) == 1 else {}


def _rank_layer(layer: _Layer) -> tuple[bool, ...]:
    """Return a key that sorts layers by how likely they are the picture that is meant."""
    channels = _find_visible_channels(layer)
    is_renamed = not channels.keys() <= layer.channels.keys()
    is_combined = "Combined" in layer.name.split(".")
    return is_renamed, layer.name != "", "R" not in channels, not is_combined


def _decode(codec: str, content: bytes, options: dict[str, str]) -> Light:
    """Decode one picture as float32 (height, width, channels) in the order R, G, B or Y, then A."""
    max_pixels = str(Image.MAX_IMAGE_PIXELS or 2**31 - 1)
    try:
        decoder = cast(Any, av.CodecContext.create(codec, "r"))
        decoder.options = {"max_pixels": max_pixels, **options}
        frame = [*decoder.decode(av.Packet(content)), *decoder.decode(None)][0]
    except Exception as error:  # PyAV raises many kinds on damaged files
        reason = getattr(error, "strerror", None) or str(error)
        raise PictureError(f"it is damaged or of an unknown kind ({reason})") from error
    name, components = frame.format.name, frame.format.components
    is_float = re.search(r"f(16|32)", name) is not None
    order, kind = ">" if name.endswith("be") else "<", "f" if is_float else "u"
    dtype = np.dtype(f"{order}{kind}{components[0].bits // 8}")
    depth = len(components) // len(frame.planes)  # components of a plane: 1, or all
    line_bytes = frame.width * depth * dtype.itemsize
    shape = (frame.height, frame.width, depth)
    planes = [
        read_plane_lines(plane)[:, :line_bytes].view(dtype).reshape(shape) for plane in frame.planes
    ]
    numbers = np.concatenate([planes[part.plane] for part in components[::depth]], axis=2)
    with np.errstate(invalid="ignore"):  # NaN of any kind
        return numbers.astype(np.float32) / np.float32(1 if is_float else np.iinfo(dtype).max)
