"""The maker's mathematics, run by Chromium: what Python makes of the same values is expected."""

import base64
import json
from dataclasses import replace
from io import BytesIO
from itertools import product

import numpy as np
import pytest
from PIL import Image, ImageSequence

import lightsanim as la
from lightsanim.film.build_film import build_film
from lightsanim.film.cell_times import cell_times
from lightsanim.film.order import FRONT_ORDERS, front_progress
from lightsanim.film.pace import pace_clicks
from lightsanim.film.transitions.dissolve import fade_spot_colours
from lightsanim.game.board.automaton import reversing_board
from lightsanim.game.board.perfect import nearest_perfect_board
from lightsanim.options.stages import PictureOptions
from lightsanim.options.values import Crop, Position
from lightsanim.output.formats.page import build_page_film
from lightsanim.output.look.theme import PALETTE_COLOURS
from lightsanim.output.look.tiles import ACCENTS
from lightsanim.pictures.blur import blur_values, gaussian_weights
from lightsanim.pictures.dither import blue_noise_thresholds
from lightsanim.pictures.grey import grey_for_board
from lightsanim.pictures.light import image_to_light
from lightsanim.pictures.shots import still_shot
from lightsanim.pictures.spot import SpotTarget, find_spot_colours
from lightsanim.system.progress import StageTimer, no_progress
from lightsanim.web.templating import load_templates as load_templates

SCRIPT = """
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt());
const valuesOf = (text) => new Float64Array(bytesOf(text).buffer);
const textOf = (values) => base64(new Uint8Array(Float64Array.from(values).buffer));
function makeFilm({ board, pictures, names, dither, options, look, program }) {
  const { rows, columns, levels } = board;
  const targets = pictures.map((planes) =>
    ditherPlanes(planes.map(valuesOf), rows, columns, { dither, levels }));
  const animation = buildAnimation(board, targets, names, { ...options, dither });
  const written = withDigest(buildFilm(animation, program, look)), film = readFilm(written);
  const state = { shades: film.first.slice(), done: 0, touched: [] };
  goTo(film, state, film.count);
  return [buildDocument(animation, program), toJson(written, IN_PAGE), [...state.shades]];
}
async function makeGif({ board, pictures, options, look, program }) {
  const greys = pictures.map((planes) => planes.map((grey) => Float64Array.from(grey)));
  const dithering = { dither: "blue-noise", levels: board.levels };
  const targets = greys.map((planes) => ditherPlanes(planes, board.rows, board.columns, dithering));
  const animation = buildAnimation(board, targets, ["sun", "</moon> ☾"], options);
  const film = readFilm(buildFilm(animation, program, look));
  const gif = new Blob(await encodeGif({ film, look }, program, () => {}));
  const { pitch, gap } = chooseGeometry(film), canvas = document.createElement("canvas");
  canvas.width = film.columns * pitch + gap;
  canvas.height = film.rows * pitch + gap;
  const state = { shades: film.first.slice(), done: 0, touched: [], pitch, gap };
  state.mask = cellMask(film, state, film.palette[0]);
  state.hole = cellMask(film, state, "#000");
  const frames = Array.from(film.frames, (done) => {
    goTo(film, state, done);
    paintBoard(film, state, canvas, boardImage(film, state.shades));
    return canvas.toDataURL();
  });
  const bytes = new Uint8Array(await gif.arrayBuffer());
  return [buildDocument(animation, program), base64(bytes), frames];
}"""

DITHERS = ("floyd-steinberg", "threshold", "blue-noise")

# Names that JSON in a page and in a file writes in other letters.
NAMES = ["Ein Bär ☾ 🐻", "</script> & 'moon'"]


@pytest.fixture(scope="module")
def ask(pages):
    """Asks the script, in a page of its own, for the value of a function of some arguments.

    The page has the scripts that the maker's page includes but its own, and the test's.
    """
    names = ("film", "page", "target", "seeded", "equations", "clicks", "spot", "saved", "gif")
    included = "".join(f'{{% include "{name}.js" %}}\n' for name in names)
    text = f'"use strict";\n{{% filter bare %}}\n{included}{{% endfilter %}}\n'
    page = pages.open("about:blank", allowed=[], viewport={"width": 400, "height": 300})
    content = load_templates("lightsanim.web").from_string(text).render()
    page.add_script_tag(content=f"{content}\n{SCRIPT}")
    yield lambda function, *values: page.evaluate(f"(values) => ({function})(...values)", values)
    assert not pages.leave()


def packed(values):
    return base64.b64encode(np.ascontiguousarray(values, float)).decode()


def size_of(board):
    return {"rows": board.rows, "columns": board.columns, "levels": board.levels}


def request_of(board, pictures, palette, options, **members):
    """A film as the maker's scripts are asked for it."""
    lit, unlit, background, middle = PALETTE_COLOURS[palette]
    colours = [colour for colour in (unlit, middle, lit) if colour]
    look = {"background": background, "colours": colours, "accents": ACCENTS}
    members |= {"pictures": pictures, "options": options, "look": look, "program": la.__version__}
    return {"board": size_of(board), **members}


def clouds(rng, shape):
    """Grey values with pure black and white areas and all between: (rows, columns)."""
    noise = rng.standard_normal(shape).astype(np.float32)
    cloud = blur_values(noise, gaussian_weights(3, 9)[9:], "constant").astype(float)
    # sRGB's curve ends at 0.9999999 or so.
    return (0.5 + cloud / (rng.uniform(1.5, 6) * cloud.std())).clip(0, 0.9999999)


def filmed(ask, board, pictures, file, /, *, dither="floyd-steinberg", palette="ink", **options):
    """The script's film of grey values (boards, rows, columns), read by Python.

    Each film is checked: it is as Python writes it, and film.js plays it to its end.
    """
    planes = [[packed(plane) for plane in planes] for planes in pictures]
    names = NAMES[: len(pictures)]
    request = request_of(board, planes, palette, options, names=names, dither=dither)
    text, film, shades = ask("makeFilm", request)
    file.write_text(text, encoding="utf-8")
    animation = la.load_animation(file)
    animation.save(file)
    assert file.read_text(encoding="utf-8") == text
    waits = json.loads(film).get("flashes", False)
    expected = build_page_film(animation, la.Theme(palette=palette), flashes=waits)
    expected = json.dumps(expected, separators=(",", ":"))
    for letter in "<>&'":
        expected = expected.replace(letter, f"\\u{ord(letter):04x}")
    assert film == expected
    assert shades == animation.shades_at(-1).ravel().tolist()
    return animation


def dithered(pictures, name, levels):
    return [
        [la.dither(p, name, NAMES[n], levels=levels, plane=i) for i, p in enumerate(planes)]
        for n, planes in enumerate(pictures)
    ]


def lights_of(targets):
    return [np.squeeze(np.stack([t.configuration for t in planes])) for planes in targets]


@pytest.mark.parametrize(
    "seed",
    [*range(8), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(8, 80))],
)
def test_targets_and_clicks_are_those_of_python(seed, ask, tmp_path):
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(8, 161 if seed > 7 else 40, 2).tolist()
    levels, boards = (2, 3, 5)[seed % 3], int(rng.choice([1, 3]))
    board = nearest_perfect_board(la.Board(rows, columns, levels=levels))
    near = ask("perfectBoard", {"rows": rows, "columns": columns, "levels": levels})
    assert (near["rows"], near["columns"]) == board.shape
    pictures = [[clouds(rng, board.shape) for _ in range(boards)] for _ in range(2)]
    name, palette = DITHERS[seed // 3 % 3], str(rng.choice([*PALETTE_COLOURS]))
    order = str(rng.choice(["radial", "noise", "spiral", "random"]))
    animation = filmed(
        ask, board, pictures, tmp_path / "a.json", dither=name, palette=palette, order=order,
        fps=float(rng.choice([12, 25, 29.97])), hold_last=float(rng.choice([0, 1e-5, 0.1, 2])),
    )  # fmt: skip
    expected = lights_of(dithered(pictures, name, levels))
    assert all(map(np.array_equal, animation.targets, expected))
    assert np.array_equal(animation.first, expected[0])
    assert np.array_equal(animation.last, expected[1])
    # No perfect board has other clicks; so many there are when all are counted.
    start, goal = (lights.reshape(-1, *board.shape) for lights in expected)
    sets = [board.clicks_between(*planes) for planes in zip(start, goal, strict=True)]
    assert animation.count == sum(map(board.count, sets))
    pressed = animation.presses_between(0, len(animation) - 1)
    weights = levels ** np.arange(boards)
    assert np.array_equal(pressed, sum(w * s for w, s in zip(weights, sets, strict=True)))


def coloured(rng, kind, shape):
    """Cells in colour, uint8 (rows, columns, 3): noise, a photograph, or a flag of few colours."""
    if kind == "random":
        return rng.integers(0, 256, (*shape, 3), np.uint8)
    if kind == "flat":
        areas = [clouds(rng, shape) > 0.5 for _ in range(3)]
        return rng.integers(0, 256, (8, 3), np.uint8)[np.dot([1, 2, 4], np.swapaxes(areas, 0, 1))]
    return np.asarray(Image.fromarray(photograph(rng)[..., :3]).resize(shape[::-1]))


SPOT_KINDS = ("photograph", "flat", "random")


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 50))]
)
def test_spot_colours_and_levels_are_those_of_python(seed, ask):
    rng, levels = np.random.default_rng(seed), (5, 3, 7)[seed // 9 % 3]
    board = la.Board(*rng.integers(5, 81 if seed > 2 else 40, 2).tolist(), levels=levels)
    pictures = [coloured(rng, SPOT_KINDS[seed // by % 3], board.shape) for by in (1, 3)]
    planes = [(picture.reshape(-1, 3).T / 255).tolist() for picture in pictures]
    dithers = [str(name) for name in rng.permutation(DITHERS)[:2]]
    script = """(...request) => {
        const { targets, spot } = ditherToSpot(...request), [[one], [other]] = targets;
        const third = fadeColours(request[1], one, other, { dither: "blue-noise" })(0.25);
        return [spot, [one.configuration, other.configuration, third].map((levels) => [...levels])];
    }"""
    spot, (*targets, third) = ask(script, planes, size_of(board), levels, dithers)
    colours = find_spot_colours(pictures, levels)
    assert ",".join(spot) == str(colours)
    pairs = zip(pictures, dithers, strict=True)
    expected = [SpotTarget.from_rgb(picture, colours, name, "") for picture, name in pairs]
    assert targets == [target.configuration.ravel().tolist() for target in expected]
    [fading] = fade_spot_colours(*expected, la.Settings(dither="blue-noise"), 0, np.array([0.25]))
    assert third == fading.ravel().tolist()


@pytest.mark.parametrize("dithering", DITHERS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (7, 4), (8, 8), (130, 160)])
def test_dithers_of_edge_cases_equal_python(dithering, shape, ask):
    values = clouds(np.random.default_rng(1), shape) if min(shape) > 3 else np.full(shape, 0.4)
    options = {"dither": dithering, "levels": 3}
    script = "(text, ...more) => [...ditherPlanes([valuesOf(text)], ...more)[0].configuration]"
    expected = la.dither(values, dithering, levels=3).configuration
    assert ask(script, packed(values), *shape, options) == expected.ravel().tolist()


def photograph(rng):
    """Smooth colours with edges, parts of them transparent: uint8 (90, 140, 4)."""
    down, right = np.indices((90, 140)) / 20
    waves = [np.sin(down * a + right * b + c) for a, b, c in rng.uniform(0.2, 3, (4, 3))]
    pixels = np.asarray(127.5 + 127.5 * np.stack(waves, axis=2), np.uint8)
    pixels[30:50, 40:90, :3] //= 3
    return pixels


@pytest.mark.parametrize(
    ("rgb", "shape", "opaque", "options"),
    [
        (False, (40, 60), True, {}),
        (True, (45, 30), False, {}),
        (False, (7, 5), False, {"detail": 4}),
        (False, (120, 170), True, {"detail": 0}),  # larger than the part itself
    ],
)
def test_grey_values_are_those_of_python(rgb, shape, opaque, options, ask):
    pixels, box = photograph(np.random.default_rng(3)), [13, 8, 121, 83]
    pixels[..., 3] |= 255 * opaque
    script = """(text, rgb, ...more) => {
        const data = new Uint8ClampedArray(bytesOf(text));
        const light = computeLight({ data, width: 140, height: 90 }, { rgb });
        return computeGrey(light, ...more).map(textOf);
    }"""
    text = base64.b64encode(pixels.tobytes()).decode()
    planes = ask(script, text, rgb, box, *shape, options)
    light = image_to_light(Image.fromarray(pixels), (255, 255, 255), rgb=rgb)
    crop = Crop(*(Position(side, False) for side in box))
    settings = PictureOptions(crop=crop, fit="cover", **options)
    expected = grey_for_board(la.Picture(name="waves", light=light), *shape, settings)
    grey = np.squeeze([np.frombuffer(base64.b64decode(p)).reshape(shape) for p in planes])
    assert np.abs(grey - expected).max() < 1e-3


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_perfect_board_sizes_equal_python(levels, ask):
    for side in range(1, 40):
        board = la.Board(side, side * 4 // 3, levels=levels)
        for rules, fits in ((["plus"], []), (["plus", "ring"], [reversing_board])):
            near = ask("perfectBoard", size_of(board), rules)
            assert (near["rows"], near["columns"]) == nearest_perfect_board(board, *fits).shape


@pytest.mark.parametrize("order", ["radial", "sweep", "diagonal", "spiral", "noise", "random"])
def test_orders_are_those_of_python(order, ask, tmp_path):
    board, rng = la.Board(21, 34), np.random.default_rng(5)
    pictures = [[clouds(rng, board.shape)] for _ in range(2)]
    options = {"order": order, "spread": 0, "duration": 2.3}
    path = tmp_path / "a.json"
    animation = filmed(ask, board, pictures, path, **options)
    cells, timing = animation.clicks, la.Timing(duration=2.3)
    if order in ("radial", "sweep", "diagonal", "spiral"):
        times = cell_times(order, board.shape, rng).flat[cells]
        assert (np.diff(times) > -1e-9).all()
        front = front_progress(times) if order in FRONT_ORDERS else None
        done = pace_clicks(len(cells), timing, front)
        assert animation.clicks_done[1:].tolist() == done.tolist()
    assert filmed(ask, board, pictures, path, **options) == animation
    near = filmed(ask, board, pictures, path, **options | {"spread": 0.1}).clicks
    away = np.abs(np.argsort(near) - np.argsort(cells))  # cells are clicked once
    assert 2 < away.mean() < away.max() <= len(cells) * 0.1 / 0.9


def assert_as_python(ask, board, pictures, file, /, *, dither="blue-noise", **options):
    """Is the script's film of steps the one that Python makes?"""
    look = {"dither": dither, "levels": board.levels, "rgb": len(pictures[0]) == 3}
    settings = la.Settings(**options, **look).with_defaults_for(pictures=2)
    stills = map(still_shot, NAMES, dithered(pictures, dither, board.levels))
    expected, _ = build_film(board, list(stills), settings, StageTimer(no_progress))
    film = filmed(ask, board, pictures, file, dither=dither, **options)
    assert film == replace(expected, seed=None)


@pytest.mark.parametrize("levels", [2, 3, 5])
@pytest.mark.parametrize("boards", [1, 3])
def test_steps_are_those_of_python(boards, levels, ask, tmp_path):
    board = nearest_perfect_board(la.Board(17, 22, levels=levels), reversing_board)
    path, rng = tmp_path / "a.json", np.random.default_rng(levels)
    pictures = [[clouds(rng, board.shape) for _ in range(boards)] for _ in range(2)]
    fade = {"transition": "dissolve", "fps": 12.0, "duration": 1.1}
    assert_as_python(ask, board, pictures, path, **fade)
    steps = {"transition": "automaton", "fps": 12.0, "dither": "floyd-steinberg"}
    assert_as_python(ask, board, pictures, path, **steps)
    assert_as_python(ask, board, pictures, path, **steps, steps=9)


def test_a_dissolve_lights_a_cell_exactly_at_its_threshold(ask, tmp_path):
    # All cells come to it half way, in the second of four frames, some from above.
    half, rng = blue_noise_thresholds()[:21, :21].clip(0.1, 0.9), np.random.default_rng(0)
    away = rng.choice([-1, 1], half.shape) / 16
    pictures, fade = [[half - away], [half + away]], {"transition": "dissolve", "duration": 1.0}
    assert_as_python(ask, la.Board(21, 21), pictures, tmp_path / "a.json", **fade, fps=4.0)


def test_boards_with_quiet_patterns_are_refused(ask):
    board = {"rows": 4, "columns": 4, "levels": 2}  # OEIS A159257: 4 quiet patterns
    with pytest.raises(Exception, match="4x4"):
        ask("clicksFor", board, [1] * 16)


def test_squares_of_pixels_are_averaged_as_light(ask):
    # Black and white pixels by turns, three by two: the last column is left over, and cut off.
    script = """() => {
        const data = new Uint8ClampedArray(24).map((_, i) => (i % 4 < 3 && i % 8 < 4 ? 0 : 255));
        return [...computeLight({ data, width: 3, height: 2 }, { factor: 2 }).planes[0]];
    }"""
    assert ask(script) == [pytest.approx(0.5, abs=1e-6)]


# Its GIFs: they are legal, and show what Python and the player draw.


@pytest.fixture
def gif_of(ask, tmp_path):
    """Checks the GIF that a page makes of grey values (boards, rows, columns); its animation."""

    def check(board, pictures, palette="ink", **options):
        planes = [[plane.ravel().tolist() for plane in planes] for planes in pictures]
        options = {"fps": 10, "duration": 0.6, **options}
        text, gif, urls = ask("makeGif", request_of(board, planes, palette, options))
        document, ours, expected = (tmp_path / name for name in ("a.json", "page.gif", "ours.gif"))
        document.write_text(text, encoding="utf-8")
        ours.write_bytes(base64.b64decode(gif))
        animation = la.load_animation(document)
        animation.save(expected, palette=palette)
        pngs = [BytesIO(base64.b64decode(url.partition(",")[2])) for url in urls]
        assert len(pngs) == len(animation)
        for frame, same, png in zip(frames_of(ours), frames_of(expected), pngs, strict=True):
            assert np.array_equal(frame[0], same[0])
            assert np.array_equal(frame[0], np.asarray(Image.open(png).convert("RGB")))
            assert frame[1] == same[1]
        verification = la.verify(ours)  # decoded by Pillow and by FFmpeg
        assert verification.legal, verification.reason
        assert verification.clicks == animation.count
        assert str(verification) == str(la.verify(expected))
        return animation

    return check


def frames_of(path):
    """The frames of a GIF: pixels, and how long, how often, and the comment."""
    names = ("duration", "loop", "comment", "disposal")
    with Image.open(path) as film:
        images = [(image.convert("RGB"), image.info) for image in ImageSequence.Iterator(film)]
        return [(np.asarray(rgb), [info.get(name) for name in names]) for rgb, info in images]


def noise(shape, boards=1, pictures=2, seed=0):
    rng = np.random.default_rng(seed)
    return [[rng.random(shape) for _ in range(boards)] for _ in range(pictures)]


KINDS = [(2, 1, "ink"), (3, 3, "blueprint"), (5, 1, "rose"), (2, 3, "paper"), (3, 1, "sunset"),
         (5, 3, "pocket")]  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "transition", "levels", "boards", "palette"),
    [
        # Quick: each transition once, and the first three kinds.
        pytest.param((24, 17), transition, *kind, marks=[pytest.mark.long] * (number % 7 > 0))
        for number, (transition, kind) in enumerate(
            product(["wipe", "dissolve", "automaton"], KINDS)
        )
    ]
    # Boards whose cells and gaps have other sizes.
    + [(shape, "wipe", *KINDS[0]) for shape in ((9, 21), (1, 1), (90, 11))]
    + [
        pytest.param(shape, "wipe", *KINDS[0], marks=pytest.mark.long)
        for shape in ((21, 9), (3, 3), (11, 90))
    ],
)
def test_gif_shows_what_python_draws(shape, transition, levels, boards, palette, gif_of):
    is_automaton = transition == "automaton"
    options = {"transition": transition} | ({"steps": 2} if is_automaton else {"duration": 0.3})
    board = la.Board(*shape, levels=levels)
    board = nearest_perfect_board(board, *[reversing_board] * is_automaton)
    gif_of(board, noise(board.shape, boards), palette, **options)


# With gaps between cells, and on 31 columns without.
@pytest.mark.parametrize(
    ("columns", "clicked"), [(31, []), (30, [(2, 3)]), (30, [(0, 0), (8, 29)])]
)
def test_gif_of_few_clicks_is_right(columns, clicked, gif_of):
    board, clicks = la.Board(9, columns), np.zeros((9, columns), bool)
    for cell in clicked:
        clicks[cell] = True
    lights = np.indices(board.shape).sum(axis=0) % 3 == 0
    film = gif_of(board, [[lights * 1.0], [(lights ^ board.toggles(clicks)) * 1.0]])
    assert film.count == len(clicked)
