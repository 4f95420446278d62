"""The sample pictures that are drawn in the plane: sun, moon, eye, balloon and butterfly."""

import numpy as np
from drawing import (
    Array,
    curve,
    disc,
    grid,
    hairs,
    inside,
    noise,
    over,
    polygon,
    rotated,
    shrink,
    smoothstep,
    stroke,
)

# --- sun -------------------------------------------------------------------------------------

SUN_RADIUS = 0.5


def _sun_rays(picture: Array, x: Array, y: Array) -> Array:
    """The picture with sixteen rays: straight ones in two facets, and wavy ones between them."""
    for k in range(16):
        u, v = rotated(x, y, 90 + 22.5 * k)
        reach, width = (0.98, 0.13) if k % 2 == 0 else (0.88, 0.085)
        t = np.clip((u - SUN_RADIUS) / (reach - SUN_RADIUS), 0, 1)
        if k % 2:
            v = v - 0.035 * np.sin(2 * np.pi * t * 1.2)
        shape = np.maximum(np.abs(v) - width * (1 - t), np.abs(u - 0.5 * reach) - 0.5 * reach)
        facet = 0.62 + 0.38 * inside(v) if k % 2 == 0 else 0.95
        picture = over(picture, facet, inside(shape))
    return picture


def _sun_face(picture: Array, x: Array, y: Array) -> Array:
    """The picture with eyes, brows, cheeks, nose and smile at the origin."""
    side = np.abs(x)
    picture = over(picture, 0.55, 0.9 * smoothstep(0.11, 0.02, np.hypot(side - 0.29, y + 0.09)))
    picture = over(picture, 0.05, inside(disc(side - 0.17, y - 0.1, 0.066, 0.09)))
    picture = over(picture, 1.0, inside(disc(x - 0.145, y - 0.135, 0.024)))
    picture = over(picture, 1.0, inside(disc(x + 0.185, y - 0.135, 0.024)))
    brow = np.abs(y - 0.27 + 3.0 * (side - 0.165) ** 2) - 0.019
    picture = over(picture, 0.1, inside(np.maximum(brow, np.abs(side - 0.165) - 0.1)))
    nose = np.maximum(np.abs(np.hypot(x, y) - 0.055) - 0.014, y + 0.01)
    picture = over(picture, 0.25, inside(nose))
    mouth = np.maximum(disc(x, y + 0.1, 0.27, 0.25), -disc(x, y - 0.18, 0.46, 0.31))
    picture = over(picture, 0.05, inside(mouth))
    tongue = np.maximum(mouth + 0.025, disc(x, y + 0.36, 0.14, 0.12))
    return over(picture, 0.75, inside(tongue))


def sun() -> Array:
    """A friendly sun on a night-dark ground."""
    x, y = grid()
    picture = _sun_rays(np.zeros_like(x), x, y)
    picture = over(picture, 0.0, inside(disc(x, y, SUN_RADIUS + 0.035)))
    shade = 1.0 - 0.3 * smoothstep(0.45, 1.0, np.hypot(x + 0.12, y - 0.14) / 0.68)
    picture = over(picture, shade, inside(disc(x, y, SUN_RADIUS)))
    return shrink(_sun_face(picture, x, y))


# --- moon ------------------------------------------------------------------------------------

MOON_RADIUS = 0.86
SEAS = [(0.12, 0.38, 0.2, 0.17), (0.42, 0.22, 0.16, 0.13), (0.62, 0.02, 0.11, 0.15)]
SEAS += [(-0.25, 0.4, 0.22, 0.2), (-0.35, 0.02, 0.2, 0.22), (0.78, 0.3, 0.07, 0.09)]


def _craters() -> list[tuple[Array, float]]:
    """Directions and angular radii of craters that do not overlap, the largest first."""
    rng = np.random.default_rng(14)
    chosen: list[tuple[Array, float]] = []
    for radius in np.geomspace(0.17, 0.03, 400) * rng.uniform(0.6, 1, 400):
        centre = rng.normal(size=3).astype(np.float32)
        centre[2] = abs(centre[2])
        centre /= np.linalg.norm(centre)
        gaps = (np.arccos(np.clip(centre @ c, -1, 1)) - 1.5 * (radius + r) for c, r in chosen)
        if len(chosen) < 75 and all(gap > 0 for gap in gaps):
            chosen.append((centre, float(radius)))
    return chosen


def _relief(normals: Array) -> Array:
    """The normals of the unit sphere, tilted by bowls and raised rims of craters."""
    tilted = normals.copy()
    for centre, radius in _craters():
        cosine = np.tensordot(centre, normals, 1)
        near = cosine > np.cos(2 * radius)
        n = normals[:, near]
        outward = n * cosine[near] - centre[:, None]
        t = np.linalg.norm(outward, axis=0) / radius
        slope = np.where(t < 1, 1.6 * t**4, -0.9 * (2 - t).clip(0) ** 4)
        tilted[:, near] -= slope * 0.6 * outward / np.maximum(t * radius, 1e-6)
    return tilted / np.linalg.norm(tilted, axis=0)


def _seas(normals: Array) -> Array:
    """Albedo of the moon: dark seas on light highlands."""
    x, y, _ = normals
    x, y = x + 0.08 * noise(3 * x + 9, 3 * y, 3), y + 0.08 * noise(3 * x, 3 * y + 9, 4)
    albedo = 1.0 + 0.12 * noise(9 * x, 9 * y, 5)
    for cx, cy, rx, ry in SEAS:
        albedo -= 0.55 * smoothstep(0.05, -0.06, disc(x - cx, y - cy, rx, ry))
    return np.maximum(albedo, 0.3)


def _stars(x: Array, y: Array) -> Array:
    """A dark sky with a few four-pointed stars."""
    rng = np.random.default_rng(5)
    sky = np.zeros_like(x)
    for k in range(26):
        angle, size = rng.uniform(0, 2 * np.pi), 0.03 if k % 4 else 0.075
        distance = rng.uniform(0.95, 1.3)
        u, v = x - distance * np.cos(angle), y - distance * np.sin(angle)
        arms = np.sqrt(np.abs(u)) + np.sqrt(np.abs(v)) - np.sqrt(size)
        sky = over(sky, 1.0, inside(np.minimum(arms, np.hypot(u, v) - 0.22 * size), 0.02))
    return sky


def moon() -> Array:
    """A waxing gibbous moon among stars."""
    x, y = grid()
    r2 = (x**2 + y**2) / MOON_RADIUS**2
    normals = np.stack([x / MOON_RADIUS, y / MOON_RADIUS, np.sqrt(np.maximum(1 - r2, 0))])
    light = np.array([0.66, 0.26, 0.705])
    ball = np.tensordot(light, _relief(normals), 1)
    ball *= smoothstep(-0.05, 0.1, np.tensordot(light, normals, 1))
    grey = _seas(normals) * np.maximum(ball, 0) ** 0.7 * 1.1
    return shrink(over(_stars(x, y), grey, inside(disc(x, y, MOON_RADIUS))))


# --- eye -------------------------------------------------------------------------------------

IRIS, PUPIL = 0.35, 0.15

Hair = list[tuple[float, float]]


def _lids(x: Array) -> tuple[Array, Array]:
    """Heights of the edges of the upper and the lower lid."""
    s = np.clip(np.abs(x / 0.86), 0, 1)
    tilt = 0.05 * x
    return 0.40 * (1 - s**2.3) + tilt, -0.30 * (1 - s**2) + tilt


def _iris(picture: Array, x: Array, y: Array) -> Array:
    """The picture with iris, pupil and highlights about the origin."""
    r, angle = np.hypot(x, y), np.arctan2(y, x)
    wrapped = noise(14 * np.cos(angle) + 20, 14 * np.sin(angle) + 20 + 1.5 * r, 8)
    fibres = 0.4 + 0.6 * wrapped + 0.25 * smoothstep(0.3, -0.35, y)
    fibres -= 0.35 * smoothstep(PUPIL + 0.07, PUPIL, r)
    tone = over(fibres, 0.06, smoothstep(IRIS - 0.09, IRIS - 0.02, r))
    picture = over(picture, tone, inside(r - IRIS, 0.012))
    picture = over(picture, 0.0, inside(r - PUPIL, 0.008))
    picture = over(picture, 1.0, inside(disc(x + 0.13, y - 0.13, 0.075, 0.065), 0.01))
    return over(picture, 0.9, 0.8 * inside(disc(x - 0.15, y + 0.15, 0.035), 0.02))


def _bent(foot: tuple[float, float], mid: tuple[float, float], tip: tuple[float, float]) -> Hair:
    """A hair along the quadratic curve with these control points."""
    t = np.linspace(0, 1, 9)[:, None]
    line = (1 - t) ** 2 * np.array(foot) + 2 * t * (1 - t) * np.array(mid) + t**2 * np.array(tip)
    return [(float(px), float(py)) for px, py in line]


def _lashes() -> tuple[list[Hair], list[Hair]]:
    """Lashes that fan out from the upper lid, and shorter ones from the lower lid."""
    above, below = [], []
    for k, foot in enumerate(np.linspace(-0.78, 0.78, 23)):
        upper, lower = (float(edge) for edge in _lids(np.float32(foot)))
        rise = 0.26 - 0.1 * abs(foot)
        mid, tip = (foot * 1.08, upper + 0.3 * rise), (foot * 1.26, upper + rise)
        above.append(_bent((foot, upper), mid, tip))
        if k % 2 and abs(foot) < 0.72:
            below.append(_bent((foot, lower), (foot, lower - 0.08), (foot * 1.12, lower - 0.12)))
    return above, below


def _brow() -> list[Hair]:
    """The hairs of an eyebrow, which lean outwards."""
    rng = np.random.default_rng(2)
    brow = []
    for t in rng.uniform(-1, 1, 420):
        spread = 0.045 * (1.0 - 0.75 * max(t, -0.4))
        x, y = 0.86 * t, 0.74 + 0.12 * (1 - (t - 0.25) ** 2) + spread * rng.uniform(-1, 1)
        lean = 0.85 - 0.6 * (t + 1)
        mid, tip = (x + 0.06, y + 0.06 * lean), (x + 0.13, y + 0.1 * lean)
        brow.append(_bent((x, y), mid, tip))
    return brow


def _skin(x: Array, y: Array) -> Array:
    """The skin round the eye, shaded along both lids and away from the light."""
    upper, lower = _lids(x)
    middle = smoothstep(0.95, 0.5, np.abs(x))
    skin = 1.0 - 0.3 * smoothstep(0.2, 1.5, x - 0.3 * y)
    skin -= 0.3 * np.exp(-(((y - upper - 0.16) / 0.09) ** 2)) * middle
    skin -= 0.25 * np.exp(-(((y - lower + 0.12) / 0.1) ** 2)) * middle
    crease = inside(np.abs(y - upper * 1.15 - 0.13) - 0.014, 0.012)
    return over(skin, 0.2, crease * smoothstep(0.85, 0.6, np.abs(x)))


def eye() -> Array:
    """An eye with lashes and brow."""
    x, y = grid()
    upper, lower = _lids(x)
    white = 1.0 - 0.45 * smoothstep(0.45, 0.9, np.abs(x))
    ball = over(_iris(white, x, y - 0.05), 0.0, 0.75 * smoothstep(0.16, 0.0, upper - y))
    ends = np.abs(x) - 0.855
    opening = np.maximum(np.maximum(y - upper, lower - y), ends)
    picture = over(_skin(x, y), ball, inside(opening, 0.006))
    picture = over(picture, 0.0, inside(np.maximum(np.abs(y - upper) - 0.03, ends), 0.01))
    picture = over(picture, 0.25, inside(np.maximum(np.abs(y - lower) - 0.012, ends), 0.008))
    above, below = _lashes()
    picture = over(picture, 0.0, hairs(above, 0.021))
    picture = over(picture, 0.1, hairs(below, 0.01))
    return shrink(over(picture, 0.03, hairs(_brow(), 0.0085)))


# --- hot-air balloon -------------------------------------------------------------------------

BALLOON_HEIGHT, BALLOON_HALF = 1.35, 0.64
CLOUDS = [(-0.75, -0.45, 0.2), (0.72, -0.15, 0.16), (-0.85, 0.55, 0.12)]
PUFFS = [(-1.1, -0.15, 0.6), (-0.35, 0.2, 0.85), (0.5, 0.1, 0.75), (1.2, -0.2, 0.5)]


def _envelope(x: Array, y: Array) -> tuple[Array, Array]:
    """Distance to the balloon's envelope, and its half width at each height."""
    t = np.clip((0.95 - y) / BALLOON_HEIGHT, 0, 1)
    dome = BALLOON_HALF * np.sqrt(np.clip(1 - ((t - 0.42) / 0.42) ** 2, 0, 1))
    skirt = 0.12 + (BALLOON_HALF - 0.12) * np.cos(np.clip((t - 0.42) / 0.58, 0, 1) * 1.57) ** 1.1
    half = np.where(t > 0.42, skirt, dome)
    middle = 0.95 - BALLOON_HEIGHT / 2
    return np.maximum(np.abs(x) - half, np.abs(y - middle) - BALLOON_HEIGHT / 2), half


def _clouds(sky: Array, x: Array, y: Array) -> Array:
    """The sky with puffs of cloud."""
    for cx, cy, size in CLOUDS:
        for dx, dy, r in PUFFS:
            puff = np.hypot(x - cx - dx * size, y - cy - dy * size) - r * size
            sky = over(sky, 1.0, inside(np.maximum(puff, cy - 0.35 * size - y), 0.01))
    return sky


def balloon() -> Array:
    """A striped hot-air balloon above hills."""
    x, y = grid()
    picture = _clouds(0.68 + 0.25 * smoothstep(1.0, -0.6, y), x, y)
    hills = y + 0.87 - 0.08 * np.sin(3 * x + 0.5) - 0.05 * np.sin(7 * x)
    picture = over(picture, 0.03, inside(hills))
    shape, half = _envelope(x, y)
    across = np.clip(x / np.maximum(half, 1e-3), -1, 1)
    gore = np.arcsin(across) / np.pi * 7
    stripes = np.where(np.floor(gore + 0.5).astype(int) % 2 == 0, 1.0, 0.06)
    lit = 1.05 - 0.45 * smoothstep(-0.1, 1, across) - 0.2 * smoothstep(0.2, -0.4, y)
    picture = over(picture, stripes * lit, inside(shape))
    for side in (-1, 1):
        rope = stroke(x, y, (0.11 * side, -0.39), (0.09 * side, -0.6), (0.012, 0.012))
        picture = over(picture, 0.0, inside(rope))
    basket = np.maximum(np.abs(x) - 0.1, np.abs(y + 0.68) - 0.09)
    return shrink(over(picture, 0.05, inside(basket)))


# --- butterfly -------------------------------------------------------------------------------

FOREWING = [(0.03, 0.12), (0.25, 0.42), (0.6, 0.72), (0.9, 0.78), (0.95, 0.62), (0.84, 0.36)]
FOREWING += [(0.78, 0.12), (0.55, 0.0), (0.25, 0.0), (0.04, 0.02)]
HINDWING = [(0.03, 0.06), (0.3, 0.03), (0.6, -0.04), (0.76, -0.22), (0.72, -0.48), (0.52, -0.72)]
HINDWING += [(0.34, -0.74), (0.2, -0.52), (0.06, -0.22)]


def _wing(
    picture: Array, x: Array, y: Array, knots: list[tuple[float, float]], root: tuple[float, float]
) -> Array:
    """The picture with one wing: pale cells between dark veins, and a dotted dark margin."""
    edge = polygon(x, y, curve(knots))
    margin = inside(-edge - 0.11, 0.01)
    glow = 1.0 - 0.5 * smoothstep(0.5, 0.1, np.hypot(x - root[0], y - root[1]))
    wing = over(glow, 0.03, margin)
    for tip in knots[1:-1]:
        wing = over(wing, 0.03, inside(stroke(x, y, root, tip, (0.012, 0.012))))
    outline = np.array(curve(knots, 6))
    along = np.roll(outline, -1, 0) - np.roll(outline, 1, 0)
    inward = along[:, ::-1] * (1, -1) / np.linalg.norm(along, axis=1, keepdims=True)
    for sx, sy in (outline + 0.055 * inward)[9:-12:3]:
        wing = over(wing, 1.0, inside(np.hypot(x - sx, y - sy) - 0.026))
    return over(picture, wing, inside(edge))


def butterfly() -> Array:
    """A butterfly with open wings."""
    x, y = grid()
    side, y = np.abs(x), y + 0.02
    picture = np.ones_like(x)
    picture = _wing(picture, side, y, HINDWING, (0.03, 0.0))
    picture = _wing(picture, side, y, FOREWING, (0.03, 0.1))
    body = np.minimum(disc(x, y - 0.06, 0.055, 0.2), disc(x, y + 0.27, 0.04, 0.28))
    body = np.minimum(body, disc(x, y - 0.28, 0.05))
    picture = over(picture, 0.02, inside(body))
    feeler = np.abs(side - 0.02 - 0.5 * (y - 0.3).clip(0) ** 1.3) - 0.009
    feeler = np.maximum(feeler, np.abs(y - 0.48) - 0.2)
    knob = np.hypot(side - 0.17, y - 0.68) - 0.025
    return shrink(over(picture, 0.02, inside(np.minimum(feeler, knob))))
