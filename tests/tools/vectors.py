"""What Python computes of small boards: tests of the pages' scripts (tests/web) compare with it.

    python tests/tools/vectors.py [KIND ...]

writes tests/vectors/KIND.json.  A case depends on its kind and number alone; greys and colours are
bytes in base64, and whole numbers are packed as in pages.
"""

import base64
import hashlib
import json
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import numpy as np
from PIL import Image, ImageSequence

import lightsanim as la
from lightsanim.film.animate import animate
from lightsanim.film.build_film import build_film
from lightsanim.film.cell_times import cell_times
from lightsanim.film.clicks import Clicks, PackedSteps
from lightsanim.film.order import FRONT_ORDERS, front_progress
from lightsanim.film.origin import Origin
from lightsanim.film.transitions.dissolve import fade_spot_colours
from lightsanim.film.transitions.halftone import search_halftones
from lightsanim.film.transitions.searched_wipe import list_click_effects
from lightsanim.game.board.automaton import reversing_board
from lightsanim.game.board.perfect import nearest_perfect_board
from lightsanim.options.stages import PictureOptions
from lightsanim.options.values import Crop, Position
from lightsanim.output.formats.bit_packing import pack_numbers, pack_steps
from lightsanim.output.formats.page import build_page_film
from lightsanim.output.look.theme import PALETTE_COLOURS
from lightsanim.output.look.tiles import ACCENTS
from lightsanim.pictures.blur import blur_values, gaussian_weights
from lightsanim.pictures.dither import blue_noise_thresholds
from lightsanim.pictures.grey import grey_for_board
from lightsanim.pictures.light import image_to_light
from lightsanim.pictures.shots import still_shot
from lightsanim.pictures.spot import SpotTarget, find_spot_colours
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import StageTimer, no_progress

FOLDER = Path(__file__).parents[1] / "vectors"

# The version in files is always this one, so that vectors do not change with versions.
PROGRAM = "1.2.3"
PROGRAM_NAMES = (
    "lightsanim.output.formats.json_animation.__version__",
    "lightsanim.output.formats.page.__version__",
    "lightsanim.output.formats.metadata.__version__",
)

DITHERS = ("floyd-steinberg", "threshold", "blue-noise")
ORDERS = ("radial", "sweep", "diagonal", "spiral")

# Names that JSON in a page and in a file writes in other letters.
NAMES = ("Ein Bär ☾ 🐻", "</script> & 'moon'")


def generator_for(kind, number):
    return np.random.default_rng([*KINDS].index(kind) * 10_000 + number)


def encoded(array):
    """Bytes or float64 in base64."""
    return base64.b64encode(np.ascontiguousarray(array)).decode()


def packed(array):
    return list(pack_numbers(np.asarray(array)))


def digest_of(content):
    return hashlib.sha256(content).hexdigest()[:16]


def size_of(board):
    return {"rows": board.rows, "columns": board.columns, "levels": board.levels}


def cloud(rng, shape):
    """Bytes with black and white areas, the same on all machines: uint8 (rows, columns)."""
    noise = rng.integers(-500, 501, (shape[0] + 4, shape[1] + 4))
    for _ in range(2):
        rows = noise[:-2] + noise[1:-1] + noise[2:]
        noise = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    return (128 + noise * int(rng.integers(1, 12)) // 200).clip(0, 255).astype(np.uint8)


def waves(rng, shape, channels):
    """Smooth colours, the same on all machines: uint8 (rows, columns, channels)."""
    down, right = np.indices(shape)
    slopes = rng.integers(1, 60, (channels, 3))
    places = np.stack([a * down + b * right + 10 * c for a, b, c in slopes], axis=2) % 512
    return np.minimum(places, 511 - places).astype(np.uint8)


def greys_of(data):
    """Grey values of bytes, as the scripts read them."""
    return data / 255 if data.dtype == np.uint8 else data


def random_shape(rng, low, high):
    return tuple(rng.integers(low, high, 2).tolist())


def build_size(number):
    """The nearest size on which every configuration is accessible."""
    side, levels = 1 + number % 50, (2, 3, 5)[number // 50 % 3]
    board = la.Board(side, max(1, side * 4 // 3), levels=levels)
    with_ring = number // 150 == 1
    near = nearest_perfect_board(board, *[reversing_board] * with_ring)
    rules = ["plus", "ring"][: 1 + with_ring]
    return {"board": size_of(board), "rules": rules, "near": list(near.shape)}


def build_grey(number):
    """The grey values of a crop of a picture's pixels, in steps of 1/65535."""
    rng = generator_for("greys", number)
    height, width = random_shape(rng, 12, 26)
    pixels = waves(rng, (height, width), 4)
    pixels[4:8, 4:9, :3] //= 3
    pixels[..., 3] |= 255 * (number % 2)
    rgb, shape = bool(number % 3 == 0), random_shape(rng, 3, 2 * height)
    part = [1, 2, width - int(rng.integers(4)), height - int(rng.integers(4))]
    options = {"detail": float(rng.choice([0, 1.5, 3])), "autocontrast": bool(number % 5)}
    light = image_to_light(Image.fromarray(pixels), (255, 255, 255), rgb=rgb)
    crop = Crop(*(Position(side, False) for side in part))
    # The scripts' crop has the board's shape already.
    settings = PictureOptions(crop=crop, fit="stretch", **options)
    grey = grey_for_board(la.Picture(name="waves", light=light), *shape, settings)
    values = np.rint(grey * 65535).astype("<u2")
    return {
        "size": list(shape), "width": width, "height": height, "pixels": encoded(pixels),
        "rgb": rgb, "part": part, **options, "grey": encoded(values),
    }  # fmt: skip


# Shapes with all dithers and levels: single rows and boards that keep all error; then one whose
# rows all run the same way, by error diffusion.
EDGE_SHAPES = [*(shape for shape in ((1, 1), (1, 9), (9, 1), (7, 4), (8, 8)) for _ in range(9))]
EDGE_SHAPES += [(130, 160)]


def build_target(number):
    """The levels of grey values on each plane."""
    rng = generator_for("targets", number)
    levels, dither = (2, 3, 5)[number % 3], DITHERS[number // 3 % 3]
    shape = EDGE_SHAPES[number] if number < len(EDGE_SHAPES) else random_shape(rng, 2, 17)
    planes = 1 if shape == (130, 160) else (1, 3)[number // 9 % 2]
    greys = [cloud(rng, shape) for _ in range(planes)]
    targets = [
        la.dither(greys_of(grey), dither, levels=levels, plane=plane).configuration
        for plane, grey in enumerate(greys)
    ]
    return {
        "board": {"rows": shape[0], "columns": shape[1], "levels": levels}, "dither": dither,
        "greys": [*map(encoded, greys)], "levels": [*map(packed, targets)],
    }  # fmt: skip


def build_spot(number):
    """The spot colours of two pictures, their levels, and those of their mixture."""
    rng = generator_for("spots", number)
    levels, kinds = (5, 3, 7)[number // 9 % 3], ("photograph", "flat", "random")
    shape = random_shape(rng, 5, 13)
    pictures = [_coloured(rng, kinds[number // by % 3], shape) for by in (1, 3)]
    if number // 3 % 3 == 1 == number % 3:  # Two flags may have too few colours.
        pictures[1][0] = _coloured(rng, "photograph", shape)[0]
        pictures[1][1] = _coloured(rng, "random", shape)[1]
    dithers = [str(name) for name in rng.permutation(DITHERS)[:2]]
    colours = find_spot_colours(pictures, levels)
    targets = [
        SpotTarget.from_rgb(picture, colours, dither, "")
        for picture, dither in zip(pictures, dithers, strict=True)
    ]
    mixture = la.Settings(dither="blue-noise")
    [fading] = fade_spot_colours(*targets, mixture, 0, np.array([0.25]))
    return {
        "size": list(shape), "count": levels, "dithers": dithers,
        "pictures": [*map(encoded, pictures)], "colours": str(colours),
        "levels": [packed(target.configuration) for target in targets], "quarter": packed(fading),
    }  # fmt: skip


def _coloured(rng, kind, shape):
    """Cells in colour, uint8 (rows, columns, 3): noise, waves, or a flag of few colours."""
    if kind == "random":
        return rng.integers(0, 256, (*shape, 3), np.uint8)
    if kind == "flat":
        areas = [cloud(rng, shape) > 127 for _ in range(3)]
        return rng.integers(0, 256, (8, 3), np.uint8)[np.dot([1, 2, 4], np.swapaxes(areas, 0, 1))]
    return waves(rng, shape, 3)


def build_clicks(number):
    """The clicks between two configurations, the places of cells in an order, and the pace."""
    rng = generator_for("clicks", number)
    levels, planes, order = (2, 3, 5)[number % 3], (1, 3)[number // 3 % 2], ORDERS[number // 6 % 4]
    board = nearest_perfect_board(la.Board(*random_shape(rng, 2, 15), levels=levels))
    start, goal = rng.integers(0, levels, (2, planes, *board.shape), np.uint8)
    kind = bool if levels == 2 else np.uint8
    sets = [
        board.clicks_between(*pair).astype(np.uint8)
        for pair in zip(start.astype(kind), goal.astype(kind), strict=True)
    ]
    presses = np.stack(sets).reshape(planes, -1)
    times = cell_times(order, board.shape, rng).ravel().round(9)
    pressed = np.flatnonzero(presses.any(axis=0))
    pressed = pressed[np.argsort(times[pressed], kind="stable")]
    front = front_progress(times[pressed]) if order in FRONT_ORDERS else None
    clicks = Clicks.from_presses(pressed, presses[:, pressed], front)
    timing = la.Timing(fps=float(rng.choice([4, 10])), duration=float(rng.choice([0.3, 1, 2.3])))
    return {
        "board": size_of(board), "order": order, "fps": timing.fps, "duration": timing.duration,
        "start": [*map(packed, start)], "goal": [*map(packed, goal)],
        "presses": [*map(packed, presses)],
        "places": packed(np.unique(times, return_inverse=True)[1].ravel()),
        # Which of two cells of equal times comes first is random, and they may have other presses.
        "done": packed(clicks.counts_by_frame(timing)) if levels == 2 else None,
    }  # fmt: skip


def build_steps(number):
    """The steps of a dissolve or of the automaton, and how long frames are held."""
    rng = generator_for("steps", number)
    levels, planes = (2, 3, 5)[number % 3], (1, 3)[number // 3 % 2]
    transition = ("dissolve", "automaton")[number // 6 % 2]
    dither = "blue-noise" if transition == "dissolve" else DITHERS[number // 12 % 3]
    options = {"fps": float(rng.choice([4, 12]))}
    if transition == "automaton":
        options |= {"steps": int(rng.integers(1, 4))}
    else:
        options |= {"duration": float(rng.choice([0.3, 0.5, 1]))}
    wanted = la.Board(*random_shape(rng, 3, 10), levels=levels)
    board = nearest_perfect_board(wanted, reversing_board)
    greys = [[cloud(rng, board.shape) for _ in range(planes)] for _ in range(2)]
    if number == 0:  # All cells come to their threshold half way, some from above.
        board = la.Board(21, 21)
        half = blue_noise_thresholds()[:21, :21].clip(0.1, 0.9)
        away = rng.choice([-1, 1], half.shape) / 16
        greys, options = [[half - away], [half + away]], {"fps": 4.0, "duration": 1.0}
    targets = [
        [
            la.dither(greys_of(grey), dither, name, levels=board.levels, plane=plane)
            for plane, grey in enumerate(picture)
        ]
        for name, picture in zip(NAMES, greys, strict=True)
    ]
    settings = la.Settings(
        transition=transition, dither=dither, levels=board.levels, rgb=len(greys[0]) == 3, **options
    ).with_defaults_for(pictures=2)
    stills = [still_shot(name, planes) for name, planes in zip(NAMES, targets, strict=True)]
    film, _ = build_film(board, stills, settings, StageTimer(no_progress))
    return {
        "board": size_of(board), "transition": transition, "dither": dither, **options,
        "greys": [[*map(encoded, picture)] for picture in greys],
        "packed": pack_steps(film.steps), "holds": film.holds,
    }  # fmt: skip


def build_halftone(number):
    """The error of two pictures and the clicks between them that look like three pictures."""
    rng = generator_for("halftones", number)
    board = nearest_perfect_board(la.Board(*random_shape(rng, 20, 34)))
    greys = [cloud(rng, board.shape) for _ in range(3)]
    aims = [
        dark + (light - dark) * greys_of(grey)
        for grey, (dark, light) in zip(greys, HALFTONE_TONES, strict=True)
    ]
    cells = search_halftones(
        np.stack(aims)[None], list_click_effects(board), 2, weights=HALFTONE_WEIGHTS, rng=rng,
        deadline=Deadline(3600),
    )[0]  # fmt: skip
    error = sum(
        weight * float((_eye_blur(shown - aim) ** 2).mean())
        for shown, aim, weight in zip(cells, aims, HALFTONE_WEIGHTS, strict=True)
    )
    return {"board": size_of(board), "greys": [*map(encoded, greys)], "error": round(error, 6)}


HALFTONE_TONES = ((0.12, 0.88), (0.12, 0.88), (0.18, 0.8))
HALFTONE_WEIGHTS = (1.0, 1.0, 1.2)


def _eye_blur(values):
    return blur_values(values.astype(np.float32), gaussian_weights(1.2, 3)[3:], "constant")


def build_document(number):
    """A saved animation, and the digests of its film in a page, flashing or not."""
    return _describe(_animation(generator_for("documents", number), number, (2, 7)), number)


def build_gif(number):
    """The same of a low board, and the pixels and times of its GIF."""
    rng = generator_for("gifs", number)
    shape = (9, 21) if number == 0 else (2, 2) if number == 1 else (3, 31)
    animation = _animation(rng, number, (2, 5), None if number > 2 else shape)
    case = _describe(animation, number)
    content = animation.to_bytes("gif", palette=case["palette"])
    with Image.open(BytesIO(content)) as film:
        frames = [
            (digest_of(image.convert("RGB").tobytes()), int(image.info["duration"]))
            for image in ImageSequence.Iterator(film)
        ]
        pixels, delays = zip(*frames, strict=True)
        return case | {
            "comment": digest_of(film.info["comment"]), "frames": pixels, "delays": delays,
        }  # fmt: skip


def _animation(rng, number, sides, shape=None):
    """Random clicks or steps from a random configuration."""
    levels, planes = (2, 3, 5)[number % 3], (1, 3)[number // 3 % 2]
    wide = shape is None and sides == (2, 5)
    rows, columns = shape or random_shape(rng, *sides)
    board = la.Board(rows, int(rng.integers(20, 40)) if wide else columns, levels=levels)
    of_planes = board.shape if planes == 1 else (planes, *board.shape)
    kind = bool if levels == 2 else np.uint8
    first = rng.integers(0, levels, of_planes).astype(kind)
    if number // 6 % 3 == 2:
        sets = [rng.integers(0, levels, (planes, *board.shape)) for _ in range(3)]
        holds = np.array([1, 0, 0.25, 1.5])
        move = PackedSteps.pack((planes, *board.shape), levels, sets, holds)
    else:
        cells = rng.permutation(rows * board.columns)[: int(rng.integers(0, 24))]
        presses = rng.integers(0, levels, (planes, len(cells))).astype(np.uint8)
        move = Clicks.from_presses(cells, presses)
    timing = la.Timing(
        fps=float(rng.choice([10, 12, 25, 29.97])), duration=0.4,
        hold_last=float(rng.choice([0, 1e-5, 0.1, 2])),
    )  # fmt: skip
    animation = animate(board, first, [move], timing, pictures=NAMES)
    origin = None
    if number % 4 == 0:
        settings = {"levels": levels, "detail": 1.5, "transition": "wipe", "crop": None}
        digests = None, digest_of(bytes([number % 256])) * 4
        own = {"crop": "0%,1%"}, {"detail": 0.5}
        origin = Origin(
            program=PROGRAM, settings=settings, sha256=digests, cut_short=False, own=own
        )
    return replace(animation, targets=(animation.first, animation.last), origin=origin)


def _describe(animation, number):
    # In colour, the ends of other palettes are alike in red, green or blue.
    palette = "ink" if animation.boards > 1 else [*PALETTE_COLOURS][number % len(PALETTE_COLOURS)]
    theme = la.Theme(palette=palette)
    films = [build_page_film(animation, theme, flashes=flashes) for flashes in (False, True)]
    measured = build_page_film(animation, theme).get("flashes", False)
    return {
        "document": animation.to_bytes("json").decode(), "palette": palette,
        "films": [film["sha256"][:16] for film in films], "flashes": measured,
    }  # fmt: skip


# How many cases of each kind, and the function that builds one from its number.
KINDS = {
    "sizes": (300, build_size),
    "greys": (40, build_grey),
    "targets": (300, build_target),
    "spots": (300, build_spot),
    "clicks": (300, build_clicks),
    "steps": (300, build_steps),
    "halftones": (4, build_halftone),
    "documents": (300, build_document),
    "gifs": (150, build_gif),
}


def is_same(case, other):
    """Whether cases are equal; sums of real numbers differ a little from machine to machine."""
    if "error" in case:
        return case | {"error": other["error"]} == other and (
            abs(case["error"] - other["error"]) < 0.1 * other["error"]
        )
    if "grey" not in case:
        return case == other
    greys = [np.frombuffer(base64.b64decode(one["grey"]), "<u2") for one in (case, other)]
    return case | {"grey": other["grey"]} == other and np.ptp(greys, axis=0).max() <= MAX_STEPS


# Steps of grey values, of 65535, that machines may be apart.
MAX_STEPS = 4


def build_case(kind, number):
    """A case, as its file has it."""
    _, build = KINDS[kind]
    patches = [patch(name, PROGRAM) for name in PROGRAM_NAMES]
    for each in patches:
        each.start()
    try:
        return json.loads(json.dumps(build(number)))
    finally:
        for each in patches:
            each.stop()


def look_of(palette):
    """Colours of a palette as the scripts get them."""
    lit, unlit, background, middle = PALETTE_COLOURS[palette]
    return {"background": background, "colours": [c for c in (unlit, middle, lit) if c]}


def read_cases(kind):
    """The cases of a kind, as its file has them."""
    return json.loads((FOLDER / f"{kind}.json").read_text("utf-8"))["cases"]


def write_cases(kind):
    """Write all cases of a kind, one a line."""
    count, _ = KINDS[kind]
    cases = [json.dumps(build_case(kind, number), separators=(",", ":")) for number in range(count)]
    palettes = {palette: look_of(palette) for palette in PALETTE_COLOURS}
    head = {"program": PROGRAM, "accents": ACCENTS, "palettes": palettes}
    start = json.dumps(head, separators=(",", ":"))[:-1]
    text = f'{start},"cases":[\n' + ",\n".join(cases) + "\n]}\n"
    (FOLDER / f"{kind}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for kind in sys.argv[1:] or KINDS:
        write_cases(kind)
