"""The sample pictures of toys, as sphere-traced solids: rubber duck and chess knight."""

from functools import cache

import numpy as np
from drawing import SIDE, Array, curve, grid, inside, over, polygon, shrink, smoothstep
from tracing import Lighting, carve, column, cone, ellipsoid, join, sphere, trace, turned

# --- rubber duck -----------------------------------------------------------------------------

DUCK_SCALE = 0.88


def _duck_pose(p: Array) -> Array:
    """Points in the frame of the duck, which swims along x and is seen from its right front."""
    return turned(p / DUCK_SCALE - column((-0.1, 0.0, 0)), 1, -24)


def _duck_body(q: Array) -> Array:
    """Distance to body, head, wings and tail."""
    m = np.stack([q[0], q[1], np.abs(q[2])])
    body = join(
        0.25,
        ellipsoid(q, (0, -0.3, 0), (0.85, 0.5, 0.6)),
        cone(q, (-0.6, -0.1, 0), (-0.98, 0.3, 0), 0.28, 0.04),
        ellipsoid(q, (0.42, -0.1, 0), (0.42, 0.4, 0.45)),
    )
    wing = join(
        0.1,
        ellipsoid(m, (-0.15, -0.2, 0.52), (0.42, 0.26, 0.14)),
        cone(m, (-0.4, -0.15, 0.53), (-0.68, 0.05, 0.5), 0.14, 0.03),
    )
    head = sphere(q, (0.45, 0.5, 0), 0.43)
    torso = carve(0.05, join(0.12, body, head), wing - 0.045)
    return np.minimum(torso, wing)


def _bill(q: Array) -> Array:
    """Distance to the bill."""
    upper = ellipsoid(q, (0.93, 0.46, 0), (0.26, 0.075, 0.2))
    lower = ellipsoid(q, (0.88, 0.36, 0), (0.2, 0.06, 0.16))
    tip = ellipsoid(q, (1.1, 0.5, 0), (0.1, 0.06, 0.14))
    return np.minimum(join(0.06, upper, tip), lower)


def _duck(p: Array) -> Array:
    """Distance to the whole duck."""
    q = _duck_pose(p)
    return DUCK_SCALE * join(0.03, _duck_body(q), _bill(q))


def _duck_paint(p: Array) -> Array:
    """Albedo of the duck: light, with a dark seam round the bill and dark eyes with a glint."""
    q = _duck_pose(p)
    m = np.stack([q[0], q[1], np.abs(q[2])])
    seam = np.maximum(_bill(q), _duck_body(q)) - 0.05
    tone = over(np.full(p.shape[1], 1.0), 0.03, inside(seam, 0.02))
    tone = over(tone, 0.02, inside(sphere(m, (0.74, 0.62, 0.3), 0.11), 0.01))
    return over(tone, 3.0, inside(sphere(m, (0.74, 0.68, 0.32), 0.04), 0.01))


def _water() -> Array:
    """A dark ground with ripples round the duck."""
    x, y = grid()
    r = np.hypot(x, 3.2 * (y + 0.62))
    crest = smoothstep(0.4, 0.9, np.cos(2 * np.pi * (r - 0.98) / 0.3)) * smoothstep(2.0, 0.9, r)
    return 0.7 * crest * (r > 0.85)


def duck() -> Array:
    """A rubber duck."""
    light = Lighting(
        key=(0.4, 0.75, 0.7),
        fill=(-0.9, 0.1, 0.4),
        key_strength=1.0,
        fill_strength=0.25,
        ambient=0.22,
        gloss=0.3,
    )
    return shrink(trace(_duck, _duck_paint, light, _water()))


# --- chess knight ----------------------------------------------------------------------------

HORSE = [(-0.4, -0.56), (-0.42, -0.36), (-0.22, -0.08), (-0.3, 0.0), (-0.52, -0.1), (-0.68, -0.06)]
HORSE += [(-0.75, 0.08), (-0.66, 0.24), (-0.4, 0.5), (-0.25, 0.66), (-0.17, 0.9), (-0.02, 0.7)]
HORSE += [(0.14, 0.66), (0.36, 0.46), (0.5, 0.12), (0.5, -0.22), (0.42, -0.56)]
KNIGHT_SCALE = 0.95
TABLE_SIDE, TABLE_REACH = 240, 1.5


@cache
def _horse_table() -> Array:
    """Distances to the horse's profile, tabulated because the polygon has many edges."""
    line = np.linspace(-TABLE_REACH, TABLE_REACH, TABLE_SIDE, dtype=np.float32)
    x, y = np.meshgrid(line, line)
    return polygon(x, y, curve(HORSE, 6)).astype(np.float32)


def _profile(x: Array, y: Array) -> Array:
    """Distance to the horse's profile in the plane, interpolated from its table."""
    steps = (TABLE_SIDE - 1) / (2 * TABLE_REACH)
    u = np.clip((x + TABLE_REACH) * steps, 0, TABLE_SIDE - 1.001)
    v = np.clip((y + TABLE_REACH) * steps, 0, TABLE_SIDE - 1.001)
    i, j = u.astype(int), v.astype(int)
    table, u, v = _horse_table(), u - i, v - j
    low = over(table[j, i], table[j, i + 1], u)
    return over(low, over(table[j + 1, i], table[j + 1, i + 1], u), v)


def _horse_head(q: Array) -> Array:
    """Distance to the carved head."""
    m = np.stack([q[0], q[1], np.abs(q[2])])
    flat = _profile(q[0], q[1])
    thick = 0.17 + 0.07 * smoothstep(-0.6, 0.0, q[0]) + 0.06 * smoothstep(0.1, -0.5, q[1])
    rounding = 0.16
    a, b = flat + rounding, m[2] - thick + rounding
    head = np.hypot(np.maximum(a, 0), np.maximum(b, 0)) + np.minimum(np.maximum(a, b), 0) - rounding
    head = join(0.08, head, ellipsoid(m, (-0.16, 0.18, 0.16), (0.2, 0.19, 0.13)))
    head = join(0.05, head, cone(m, (-0.46, 0.4, 0.14), (-0.24, 0.5, 0.21), 0.03, 0.045))
    return carve(0.03, head, _carvings(q))


def _carvings(q: Array) -> Array:
    """Distance to what is cut out of the head: eye, nostril, mouth and grooves of the mane."""
    m = np.stack([q[0], q[1], np.abs(q[2])])
    eye = ellipsoid(m, (-0.37, 0.34, 0.25), (0.085, 0.055, 0.1))
    nostril = sphere(m, (-0.63, 0.1, 0.2), 0.05)
    mouth = cone(m, (-0.74, 0, 0.15), (-0.48, 0.05, 0.2), 0.02, 0.03)
    cuts = [eye, nostril, mouth]
    for k in range(5):
        x, y = 0.16 + 0.03 * k, 0.56 - 0.2 * k
        cuts.append(cone(m, (x, y, 0.27), (x + 0.14, y - 0.12, 0.26), 0.02, 0.04))
        cuts.append(cone(m, (x + 0.14, y - 0.12, 0.26), (x + 0.4, y - 0.16, 0.0), 0.04, 0.06))
    return np.min(cuts, axis=0)


def _wheel(q: Array, y: float, radius: float, half: float) -> Array:
    """Distance to a disc about the y axis whose edge is a half round."""
    beyond = np.maximum(np.hypot(q[0], q[2]) - radius + half, 0)
    return np.hypot(beyond, q[1] - y) - half


def _knight_pose(p: Array) -> Array:
    """Points in the frame of the knight, whose profile lies in the plane z = 0."""
    return turned(p / KNIGHT_SCALE - column((0.06, 0.06, 0)), 1, 18)


def _knight(p: Array) -> Array:
    """Distance to the knight on its turned base."""
    q = _knight_pose(p)
    base = join(
        0.04,
        _wheel(q, -0.92, 0.62, 0.09),
        _wheel(q, -0.74, 0.52, 0.08),
        _wheel(q, -0.58, 0.44, 0.05),
    )
    return KNIGHT_SCALE * join(0.03, base, _horse_head(q))


def _knight_paint(p: Array) -> Array:
    """Albedo of the knight: ivory with dark carvings."""
    return over(np.full(p.shape[1], 0.97), 0.1, inside(_carvings(_knight_pose(p)) - 0.006, 0.012))


def knight() -> Array:
    """A white chess knight."""
    light = Lighting(
        key=(-0.5, 0.45, 0.85), key_strength=1.0, fill_strength=0.3, ambient=0.16, gloss=0.2
    )
    return shrink(trace(_knight, _knight_paint, light, np.zeros((SIDE, SIDE))))
