"""A small sphere tracer: grey pictures of solids given by signed distance functions.

Points are float32 arrays of shape (3, n); a distance function maps them to n distances, and a
paint function maps points on the surface to n albedos in 0..1.  The camera looks along -z at the
origin, with y up, and sees the square -1..1 of the plane z = 0.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from drawing import SIDE, Array, grid

Solid = Callable[[Array], Array]
Vector = tuple[float, float, float]

CAMERA_Z = 6.0
STEPS = 100
HIT = 1.5e-3
KNEE = 0.85  # greys above it are compressed so that highlights keep their shape


@dataclass(frozen=True)
class Lighting:
    """Strengths and directions of the lights, and the gloss of the surface."""

    key: Vector = (-0.55, 0.65, 0.6)
    key_strength: float = 0.95
    fill: Vector = (0.8, 0.1, 0.5)
    fill_strength: float = 0.18
    ambient: float = 0.16
    rim: float = 0.0
    gloss: float = 0.0
    sharpness: float = 40.0


def column(v: Vector) -> Array:
    """A vector as a (3, 1) array, ready to combine with points."""
    return np.array(v, dtype=np.float32)[:, None]


def unit(p: Array) -> Array:
    """The points scaled to length one."""
    return p / np.maximum(length(p), 1e-9)


def length(p: Array) -> Array:
    """The distances of the points from the origin."""
    return np.sqrt(np.einsum("ij,ij->j", p, p))


def mirrored(p: Array) -> Array:
    """The points folded on to x >= 0, so that one limb models both."""
    return np.stack([np.abs(p[0]), p[1], p[2]])


def turned(p: Array, axis: int, degrees: float) -> Array:
    """The points in the frame of a solid that is turned about a coordinate axis."""
    c, s = np.float32(np.cos(np.radians(degrees))), np.float32(np.sin(np.radians(degrees)))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    q = p.copy()
    q[i], q[j] = c * p[i] + s * p[j], c * p[j] - s * p[i]
    return q


def sphere(p: Array, centre: Vector, radius: float) -> Array:
    """Distance to a sphere."""
    return length(p - column(centre)) - radius


def ellipsoid(p: Array, centre: Vector, radii: Vector) -> Array:
    """Distance to an ellipsoid, to first order: there is no closed form."""
    q = (p - column(centre)) / column(radii)
    k = length(q)
    return k * (k - 1) / np.maximum(length(q / column(radii)), 1e-6)


def cone(p: Array, a: Vector, b: Vector, radius_a: float, radius_b: float) -> Array:
    """Distance to a rod with round ends from a to b whose radius runs linearly."""
    axis = column(b) - column(a)
    q = p - column(a)
    t = np.clip((q * axis).sum(0) / (axis * axis).sum(), 0, 1)
    return length(q - axis * t) - (radius_a + (radius_b - radius_a) * t)


def join(k: float, *distances: Array) -> Array:
    """Union whose seams are rounded over a width k."""
    total = distances[0]
    for d in distances[1:]:
        seam = np.maximum(k - np.abs(total - d), 0)
        total = np.minimum(total, d) - seam * seam / (4 * k)
    return total


def carve(k: float, solid: Array, *tools: Array) -> Array:
    """The solid without the tools, with edges rounded over a width k."""
    return -join(k, -solid, *tools)


def _rays() -> tuple[Array, Array]:
    """Camera position and the unit direction of each pixel's ray."""
    x, y = grid()
    ends = np.stack([x.ravel(), y.ravel(), np.zeros(x.size, np.float32)])
    eye = column((0, 0, CAMERA_Z))
    return eye, unit(ends - eye)


def _march(solid: Solid, eye: Array, rays: Array) -> tuple[Array, Array]:
    """Indices of the rays that hit the solid, and the points where they do."""
    active = np.arange(rays.shape[1])
    travel = np.full(rays.shape[1], CAMERA_Z - 2.5, np.float32)
    hits = []
    for _ in range(STEPS):
        d = solid(eye + rays[:, active] * travel[active])
        hits.append(active[d < HIT])
        travel[active] += 0.85 * d  # distances are not exact everywhere: step short of them
        active = active[(d >= HIT) & (travel[active] < CAMERA_Z + 2.5)]
        if not active.size:
            break
    else:
        hits.append(active)  # rays that graze the solid come ever closer to it, and count as hits
    found = np.sort(np.concatenate(hits))
    return found, eye + rays[:, found] * travel[found]


def _normals(solid: Solid, p: Array) -> Array:
    """Outward unit normals, from differences over the corners of a tetrahedron."""
    corners = [(1.0, -1.0, -1.0), (-1.0, -1.0, 1.0), (-1.0, 1.0, -1.0), (1.0, 1.0, 1.0)]
    return unit(sum(column(c) * solid(p + 2e-3 * column(c)) for c in corners))


def _occlusion(solid: Solid, p: Array, normals: Array) -> Array:
    """How open the surroundings of each point are: 1 on open ground, near 0 in a crevice."""
    blocked = np.zeros(p.shape[1], np.float32)
    for i, reach in enumerate((0.02, 0.06, 0.12, 0.2, 0.3)):
        blocked += np.maximum(reach - solid(p + normals * reach), 0) * 0.75**i
    return np.clip(1 - 2.2 * blocked, 0, 1)


def _shadow(solid: Solid, p: Array, normals: Array, light: Array) -> Array:
    """How much of a soft key light reaches each point."""
    start = p + normals * 0.015
    travel = np.full(p.shape[1], 0.02, np.float32)
    lit = np.ones(p.shape[1], np.float32)
    for _ in range(22):
        d = solid(start + light * travel)
        lit = np.minimum(lit, 9 * d / travel)
        travel += np.clip(d, 0.02, 0.2)
    lit = np.clip(lit, 0, 1)
    return lit * lit * (3 - 2 * lit)


def trace(solid: Solid, paint: Solid, lighting: Lighting, background: Array) -> Array:
    """The picture of a solid over a background, at the working size of `grid`."""
    eye, rays = _rays()
    found, p = _march(solid, eye, rays)
    normals = _normals(solid, p)
    picture = background.astype(np.float32).ravel().copy()
    picture[found] = _shade(solid, paint(p), lighting, p, normals, -rays[:, found])
    return picture.reshape(SIDE, SIDE)


def _shade(
    solid: Solid, albedo: Array, lighting: Lighting, p: Array, normals: Array, view: Array
) -> Array:
    """The grey of each surface point: key, fill, ambient and rim light, and highlights."""
    key, fill = unit(column(lighting.key)), unit(column(lighting.fill))
    open_sky = _occlusion(solid, p, normals)
    lit = _shadow(solid, p, normals, key)
    diffuse = lighting.key_strength * lit * np.maximum((normals * key).sum(0), 0)
    diffuse += lighting.fill_strength * np.maximum((normals * fill).sum(0), 0) * open_sky
    diffuse += lighting.ambient * open_sky * (0.75 + 0.25 * normals[1])
    edge = (1 - np.clip((normals * view).sum(0), 0, 1)) ** 3
    highlight = np.maximum((normals * unit(key + view)).sum(0), 0) ** lighting.sharpness
    grey = albedo * diffuse + lighting.rim * edge * open_sky + lighting.gloss * highlight * lit
    return np.where(grey < KNEE, grey, 1 - (1 - KNEE) * np.exp((KNEE - grey) / (1 - KNEE)))
