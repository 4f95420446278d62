"""The sample pictures of heads, as sphere-traced solids: face, skull and cat."""

import numpy as np
from drawing import SIDE, Array, disc, grid, inside, over, shrink, smoothstep
from tracing import Lighting, carve, column, cone, ellipsoid, join, mirrored, sphere, trace, turned

# --- face ------------------------------------------------------------------------------------

FACE_SCALE = 0.95


def _face_pose(p: Array) -> Array:
    """Points in the frame of the head: chin at y = -1, crown at y = 1, looking along z."""
    return turned(p / FACE_SCALE - column((0, 0.13, 0)), 1, 8)


def _skin(q: Array) -> Array:
    """Distance to the head without hair, with the neck."""
    m = mirrored(q)
    head = join(
        0.2,
        ellipsoid(q, (0, 0.3, -0.1), (0.68, 0.72, 0.8)),
        ellipsoid(q, (0, -0.25, 0.1), (0.53, 0.72, 0.6)),
        sphere(q, (0, -0.84, 0.42), 0.14),
        sphere(m, (0.3, -0.22, 0.44), 0.2),
    )
    head = carve(0.14, head, ellipsoid(m, (0.27, 0.0, 0.86), (0.19, 0.12, 0.17)))
    eyes = ellipsoid(m, (0.26, -0.01, 0.53), (0.15, 0.09, 0.12))
    nose = join(
        0.07,
        cone(q, (0, 0.08, 0.64), (0, -0.26, 0.83), 0.05, 0.085),
        sphere(m, (0.09, -0.29, 0.73), 0.06),
    )
    neck = cone(q, (0, -0.6, -0.1), (0, -1.7, -0.25), 0.36, 0.4)
    head = join(0.03, join(0.09, head, nose), eyes)
    return join(0.12, join(0.03, head, _lips(q)), neck)


def _lips(q: Array) -> Array:
    """Distance to the lips."""
    m = mirrored(q)
    upper = cone(m, (0.045, -0.505, 0.64), (0.21, -0.525, 0.55), 0.045, 0.018)
    lower = cone(m, (0.0, -0.6, 0.63), (0.2, -0.54, 0.55), 0.06, 0.018)
    return join(0.03, upper, lower)


def _hair(q: Array) -> Array:
    """Distance to a bob with a parting, cut open for the face."""
    m = mirrored(q)
    bob = join(
        0.25,
        ellipsoid(q, (0, 0.33, -0.15), (0.86, 0.84, 0.9)),
        cone(m, (0.6, 0.2, -0.05), (0.62, -0.7, 0.05), 0.28, 0.24),
        ellipsoid(q, (0, -0.3, -0.5), (0.75, 0.8, 0.4)),
    )
    strands = 0.008 * np.sin(34 * np.arctan2(q[0] - 0.15, q[1] + 1.6) * 1.6 + 3 * q[2])
    opening = np.maximum(disc(q[0], q[1] + 0.3, 0.5, 0.86), -q[2] + 0.05)
    fringe = np.maximum(disc(q[0] + 0.1, q[1] + 0.1, 0.46, 0.6), -q[2])
    return carve(0.1, bob + strands, opening, fringe)


def _head(p: Array) -> Array:
    """Distance to the head with its hair."""
    q = _face_pose(p)
    return FACE_SCALE * np.minimum(_skin(q), _hair(q))


def _head_paint(p: Array) -> Array:
    """Albedo of the head: light skin, dark hair, drawn eyes, brows and lips."""
    q = _face_pose(p)
    tone = np.full(p.shape[1], 0.98, np.float32)
    tone = over(tone, 0.38, inside(_lips(q) - 0.012, 0.012))
    tone = np.where(q[2] > 0.3, _face_features(tone, q), tone)
    return np.where(_hair(q) < _skin(q), _sheen(q), tone)


def _sheen(q: Array) -> Array:
    """Albedo of the hair: dark, with a band of shining strands over the crown."""
    angle = np.arctan2(q[0] - 0.1, q[1] + 1.5)
    strands = 0.5 + 0.3 * np.sin(130 * angle) + 0.3 * np.sin(57 * angle + 1)
    across = (q[1] - 0.8 + 0.75 * q[0] ** 2 - 0.05 * strands) / 0.12
    return 0.06 + 0.28 * np.exp(-(across**2)) * np.clip(strands, 0, 1)


def _face_features(tone: Array, q: Array) -> Array:
    """The albedo with eyes, brows and the line between the lips drawn on."""
    x, y = np.abs(q[0]) - 0.265, q[1] + 0.005
    lids = np.abs(y) - (0.08 + 0.25 * y) * (1 - (x / 0.19) ** 2)
    lashes = lids - 0.012 - 0.026 * smoothstep(0, 0.04, y)  # heavier above the eye than below
    tone = over(tone, 0.12, inside(lashes, 0.01))
    tone = over(tone, 1.15, inside(lids, 0.01))
    tone = over(tone, 0.03, inside(np.maximum(disc(x, y - 0.03, 0.09), lids), 0.01))
    tone = over(tone, 0.3, inside(np.maximum(disc(x, y - 0.03, 0.07), lids + 0.02), 0.02))
    tone = over(tone, 0.0, inside(disc(x, y - 0.03, 0.045), 0.01))
    crease = np.abs(y - 0.13 + 2.6 * (x - 0.01) ** 2) - 0.006
    tone = over(tone, 0.5, inside(np.maximum(crease, np.abs(x) - 0.16), 0.012))
    glint = disc(q[0] - np.sign(q[0]) * 0.265 + 0.025, y - 0.06, 0.022)
    tone = over(tone, 1.2, inside(glint, 0.01))
    brow = np.abs(y - 0.2 + 1.1 * (x - 0.03) ** 2) - 0.035 * (1 - 0.6 * (x + 0.2) / 0.4)
    tone = over(tone, 0.1, inside(np.maximum(brow, np.abs(x) - 0.2), 0.015))
    parting = np.abs(q[1] + 0.552 - 0.6 * q[0] ** 2) - 0.014 * (1 - (q[0] / 0.22) ** 2)
    return over(tone, 0.08, inside(np.maximum(parting, np.abs(q[0]) - 0.22), 0.01))


def face() -> Array:
    """A woman with dark hair."""
    light = Lighting(
        key=(-0.5, 0.4, 0.9), key_strength=1.0, fill_strength=0.25, ambient=0.22, gloss=0.05
    )
    return shrink(trace(_head, _head_paint, light, np.ones((SIDE, SIDE))))


# --- skull -----------------------------------------------------------------------------------

SKULL_SCALE = 0.84


def _skull_pose(p: Array) -> Array:
    """Points in the frame of the skull, which looks along z."""
    return turned(p / SKULL_SCALE - column((0, 0.1, 0)), 1, 11)


def _socket(m: Array) -> Array:
    """Distance to the hollow of an eye, in the mirrored frame."""
    return ellipsoid(m, (0.29, 0.0, 0.72), (0.21, 0.185, 0.36))


def _nasal_hole(m: Array) -> Array:
    """Distance to the hollow of the nose, in the mirrored frame."""
    return cone(m, (0.02, -0.14, 0.72), (0.07, -0.3, 0.7), 0.05, 0.08)


def _skull_paint(p: Array) -> Array:
    """Albedo of the skull: bone, and depths that swallow the light."""
    m = mirrored(_skull_pose(p))
    return over(np.ones(p.shape[1]), 0.12, inside(np.minimum(_socket(m), _nasal_hole(m)), 0.03))


def _cranium(q: Array) -> Array:
    """Distance to the upper skull, with its holes."""
    m = mirrored(q)
    bone = join(
        0.2,
        ellipsoid(q, (0, 0.35, -0.15), (0.76, 0.72, 0.86)),
        ellipsoid(q, (0, -0.1, 0.25), (0.5, 0.45, 0.45)),
        cone(m, (0.42, -0.12, 0.42), (0.6, -0.1, 0.0), 0.13, 0.08),
        cone(m, (0.1, 0.22, 0.63), (0.42, 0.18, 0.5), 0.1, 0.1),
        ellipsoid(q, (0, -0.48, 0.4), (0.3, 0.17, 0.28)),
    )
    temples = sphere(m, (0.98, 0.02, 0.35), 0.32)
    hollows = ellipsoid(m, (0.52, -0.42, 0.4), (0.16, 0.2, 0.3))
    return carve(0.06, bone, _socket(m), _nasal_hole(m), temples, hollows)


def _teeth(q: Array) -> Array:
    """Distance to both rows of teeth, evenly set round an arch."""
    angle = np.arctan2(q[0], q[2] - 0.3)
    nearest = np.clip(np.round(angle / 0.27 - 0.5) + 0.5, -4.5, 4.5) * 0.27
    x, z = 0.29 * np.sin(nearest), 0.3 + 0.32 * np.cos(nearest)
    q = np.stack([q[0] - x, q[1], q[2] - z])  # centred on the nearest pair of teeth
    upper = ellipsoid(q, (0, -0.64, 0), (0.042, 0.1, 0.05))
    lower = ellipsoid(q, (0, -0.83, 0), (0.04, 0.08, 0.05))
    return np.minimum(upper, lower)


def _jaw(q: Array) -> Array:
    """Distance to the lower jaw."""
    m = mirrored(q)
    body = cone(m, (0.1, -0.97, 0.5), (0.42, -0.8, 0.1), 0.13, 0.1)
    branch = cone(m, (0.42, -0.8, 0.1), (0.52, -0.2, -0.02), 0.1, 0.08)
    return join(0.08, body, branch, ellipsoid(q, (0, -1.0, 0.54), (0.2, 0.12, 0.1)))


def _skull(p: Array) -> Array:
    """Distance to the whole skull."""
    q = _skull_pose(p)
    return SKULL_SCALE * join(0.03, _cranium(q), _teeth(q), _jaw(q))


def skull() -> Array:
    """A skull on black."""
    light = Lighting(key=(-0.5, 0.55, 0.9), fill_strength=0.3, ambient=0.14, gloss=0.05)
    return shrink(trace(_skull, _skull_paint, light, np.zeros((SIDE, SIDE))))


# --- cat -------------------------------------------------------------------------------------

CAT_SCALE = 0.86


def _cat_pose(p: Array) -> Array:
    """Points in the frame of the cat's head, which looks along z and is slightly tilted."""
    return turned(p / CAT_SCALE - column((0, -0.06, 0)), 2, 5)


def _cat_head(q: Array) -> Array:
    """Distance to the head with ears and muzzle."""
    m = mirrored(q)
    ears = cone(m, (0.44, 0.45, 0.0), (0.66, 1.0, -0.02), 0.29, 0.03)
    ears = carve(0.05, ears, cone(m, (0.44, 0.45, 0.22), (0.64, 0.92, 0.12), 0.22, 0.02))
    head = join(
        0.15,
        ellipsoid(q, (0, 0.05, 0), (0.8, 0.7, 0.62)),
        ellipsoid(m, (0.44, -0.2, 0.1), (0.43, 0.34, 0.4)),
        ellipsoid(q, (0, -0.44, 0.38), (0.3, 0.2, 0.3)),
    )
    head = carve(0.1, head, ellipsoid(m, (0.34, 0.1, 0.78), (0.2, 0.17, 0.2)))
    muzzle = join(
        0.05,
        ellipsoid(m, (0.14, -0.27, 0.6), (0.2, 0.15, 0.16)),
        cone(q, (0, 0.1, 0.52), (0, -0.12, 0.7), 0.12, 0.08),
    )
    eyes = sphere(m, (0.33, 0.09, 0.42), 0.2)
    return join(0.02, join(0.1, join(0.06, head, ears), muzzle), eyes)


def _cat(p: Array) -> Array:
    """Distance to the cat: head, neck and shoulders."""
    q = _cat_pose(p)
    body = join(
        0.2,
        ellipsoid(q, (0, -1.5, -0.35), (0.95, 0.9, 0.5)),
        ellipsoid(q, (0, -0.95, 0.0), (0.4, 0.4, 0.35)),
    )
    return CAT_SCALE * join(0.1, _cat_head(q), body)


def _cat_paint(p: Array) -> Array:
    """Albedo of a black cat with a white muzzle and bib and pale eyes."""
    q = _cat_pose(p)
    m = mirrored(q)
    front = q[2] > 0.1
    muzzle = disc(q[0], q[1] + 0.42, 0.46, 0.36)
    blaze = np.abs(q[0]) - 0.14 * (0.62 - q[1])
    bib = disc(q[0], q[1] + 1.15, 0.4, 0.6)
    white = np.minimum(np.minimum(muzzle, blaze), bib)
    tone = over(np.full(p.shape[1], 0.1), 1.0, inside(white, 0.025) * front)
    tone = over(tone, 0.75, (q[2] > -0.2) * inside(_inner_ear(m), 0.02))
    return _cat_features(tone, q, m, front)


def _cat_features(tone: Array, q: Array, m: Array, front: Array) -> Array:
    """The albedo with eyes, nose and mouth drawn on the front."""
    x, y = m[0] - 0.34, q[1] - 0.09 - 0.15 * (m[0] - 0.34)
    lids = np.abs(y) - 0.15 * (1 - (x / 0.19) ** 2)
    tone = over(tone, 0.02, front * inside(lids - 0.03, 0.01))
    tone = over(tone, 1.15, front * inside(lids, 0.01))
    pupil = np.maximum(lids + 0.01, disc(x, y, 0.065, 0.16))
    tone = over(tone, 0.0, front * inside(pupil, 0.01))
    nose = np.maximum(np.abs(q[0]) - 0.11 - (q[1] + 0.13) * 0.9, q[1] + 0.09)
    smile = np.abs(q[1] + 0.44 - 5.5 * (m[0] - 0.15) ** 2) - 0.02
    smile = np.maximum(smile, m[0] - 0.27)
    cleft = np.maximum(m[0] - 0.02, np.abs(q[1] + 0.24) - 0.1)
    drawn = np.minimum(nose, np.minimum(smile, cleft))
    return over(tone, 0.08, front * inside(drawn, 0.012))


def _inner_ear(m: Array) -> Array:
    """Distance to the inner face of an ear, in the mirrored frame and seen from the front."""
    return cone(np.stack([m[0], m[1], 0 * m[2]]), (0.49, 0.6, 0), (0.64, 0.9, 0), 0.15, 0.015)


def _whiskers(picture: Array) -> Array:
    """The picture with six pale whiskers drawn over it."""
    x, y = grid()
    for side in (-1, 1):
        for drop in (0.12, -0.02, -0.16):
            t = (side * x - 0.2) / 0.75
            line = np.abs(y + 0.34 - drop * t * 1.6 + 0.12 * t * t) - 0.008 * (1.1 - t)
            picture = over(picture, 0.95, inside(line, 0.004) * ((t > 0) & (t < 1)))
    return picture


def cat() -> Array:
    """The head of a black and white cat."""
    light = Lighting(
        key=(-0.4, 0.4, 0.9),
        fill_strength=0.35,
        ambient=0.3,
        rim=0.25,
        gloss=0.1,
        sharpness=14,
    )
    return shrink(_whiskers(trace(_cat, _cat_paint, light, np.ones((SIDE, SIDE)))))
