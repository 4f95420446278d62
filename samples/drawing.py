"""Helpers to draw grey pictures as arrays: coordinates, soft shapes, noise, and scaling down.

Pictures are drawn at twice their final size, on coordinates that run over -1..1 with y up.
"""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Array = NDArray[np.floating]

FINAL_SIDE = 480
SUPERSAMPLING = 2
SIDE = FINAL_SIDE * SUPERSAMPLING


def grid() -> tuple[Array, Array]:
    """The coordinates x and y of every pixel of the working picture."""
    line = ((np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE) * 2 - 1
    x, y = np.meshgrid(line, -line)
    return x, y


def shrink(picture: Array) -> Array:
    """The working picture averaged down to its final size and clipped to 0..1."""
    blocks = picture.reshape(FINAL_SIDE, SUPERSAMPLING, FINAL_SIDE, SUPERSAMPLING)
    return np.clip(blocks.mean((1, 3)), 0, 1)


def smoothstep(low: float, high: float, x: Array) -> Array:
    """0 below low, 1 above high (or the reverse where low > high), smooth in between."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def inside(distance: Array, softness: float = 0.004) -> Array:
    """Coverage of a shape: 1 where its signed distance is negative, with a soft edge."""
    return smoothstep(softness, -softness, distance)


def over(picture: Array, tone: Array | float, coverage: Array) -> Array:
    """The picture with a tone laid over it where the coverage says so."""
    return picture + (tone - picture) * coverage


def disc(x: Array, y: Array, radius_x: float, radius_y: float | None = None) -> Array:
    """Distance (to first order) to an ellipse about the origin."""
    ry = radius_x if radius_y is None else radius_y
    k = np.hypot(x / radius_x, y / ry)
    return (k - 1) * k / np.maximum(np.hypot(x / radius_x**2, y / ry**2), 1e-6)


def rotated(x: Array, y: Array, degrees: float) -> tuple[Array, Array]:
    """The coordinates in a frame that is turned counter-clockwise."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return c * x + s * y, c * y - s * x


def stroke(
    x: Array, y: Array, a: tuple[float, float], b: tuple[float, float], wide: tuple[float, float]
) -> Array:
    """Distance to a line with round ends whose half width runs from wide[0] to wide[1]."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy), 0, 1)
    return np.hypot(x - a[0] - t * dx, y - a[1] - t * dy) - (wide[0] + (wide[1] - wide[0]) * t)


def polygon(x: Array, y: Array, corners: list[tuple[float, float]]) -> Array:
    """Signed distance to a simple polygon."""
    nearest = np.full(x.shape, np.inf, np.float32)
    odd = np.zeros(x.shape, bool)
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        nearest = np.minimum(nearest, stroke(x, y, (ax, ay), (bx, by), (0, 0)))
        if ay != by:
            odd ^= ((ay > y) != (by > y)) & (x < ax + (y - ay) * (bx - ax) / (by - ay))
    return np.where(odd, -nearest, nearest)


def curve(knots: list[tuple[float, float]], per_knot: int = 8) -> list[tuple[float, float]]:
    """A closed Catmull-Rom curve through the knots, as the corners of a polygon."""
    k = np.array(knots)
    before, after, beyond = np.roll(k, 1, 0), np.roll(k, -1, 0), np.roll(k, -2, 0)
    t = (np.arange(per_knot) / per_knot)[:, None, None]
    linear, square = after - before, 2 * before - 5 * k + 4 * after - beyond
    points = k + 0.5 * t * (linear + t * (square + t * (3 * (k - after) + beyond - before)))
    return [(float(px), float(py)) for px, py in points.transpose(1, 0, 2).reshape(-1, 2)]


def noise(x: Array, y: Array, seed: int, octaves: int = 4) -> Array:
    """Smooth fractal noise in about -1..1, whose coarsest grain has size one."""
    lattice = np.random.default_rng(seed).uniform(-1, 1, (64, 64)).astype(np.float32)
    total, weight = np.zeros_like(x), 0.5
    for _ in range(octaves):
        i, j = np.floor(x).astype(int), np.floor(y).astype(int)
        u, v = smoothstep(0, 1, x - i), smoothstep(0, 1, y - j)
        corner = [lattice[(i + a) % 64, (j + b) % 64] for a in (0, 1) for b in (0, 1)]
        low, high = over(corner[0], corner[1], v), over(corner[2], corner[3], v)
        total = total + weight * over(low, high, u)
        x, y, weight = 2 * x + 17.3, 2 * y + 5.1, weight / 2
    return total


def hairs(tufts: list[list[tuple[float, float]]], width: float) -> Array:
    """Coverage of hairs that run along points and taper from a given half width to nothing."""
    mask = Image.new("L", (SIDE, SIDE))
    draw = ImageDraw.Draw(mask)
    for points in tufts:
        line = np.array(points) * (1, -1)
        along = np.gradient(line, axis=0)
        across = along[:, ::-1] * (-1, 1) / np.linalg.norm(along, axis=1, keepdims=True)
        half = across * width * np.linspace(1, 0, len(line))[:, None]
        outline = (np.concatenate([line + half, (line - half)[::-1]]) + 1) * SIDE / 2
        draw.polygon([(float(px), float(py)) for px, py in outline], fill=255)
    return np.asarray(mask, np.float32) / 255
