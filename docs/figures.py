"""Draw the figures of the documentation with lightsanim itself, so that they are correct.

``python docs/figures.py`` writes them to ``docs/how-it-works/figures``.  Building the site runs it.
Numbers that a figure states are checked with assertions.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, ImageDraw, ImageFont

import lightsanim as la
from lightsanim.film.cell_times import contour_times
from lightsanim.options import choices, stages
from lightsanim.options.colours import Colour
from lightsanim.output.drawings.drawing import Boxes, Drawing, Layer, Lines, Words
from lightsanim.output.drawings.svg import write_svg

DOCS = Path(__file__).parent
SAMPLES = DOCS.parent / "samples"
FIGURES = DOCS / "how-it-works" / "figures"

# Colours that are visible on light and on dark pages.
FRAME, UNLIT, LIT = Colour(29, 29, 27), Colour(66, 66, 63), Colour(246, 246, 242)
CLICK, WRONG, SOFT = Colour(232, 148, 12), Colour(226, 62, 48), Colour(118, 118, 112)
PIXEL = 25.4 / 96  # millimetres
TILE, TILE_PITCH, TILES_ACROSS = 160, 176, 7  # sheets of options: sizes in pixels; tiles per row

Bits = NDArray[np.bool_]


@dataclass
class Figure:
    """A figure of boards, texts, boxes and lines, in pixels, which is saved as SVG."""

    width: float
    height: float
    layers: list[Layer] = field(default_factory=list)

    def board(
        self, x: float, y: float, cell: float, lights: Bits, clicks: Bits | None = None,
        wrong: Bits | None = None, gap: float = 1,
    ) -> None:  # fmt: skip
        """Add a board with its top left corner at x, y; dots mark clicks, wrong cells are red."""
        rows, columns = lights.shape
        pitch, every = cell + gap, np.ones_like(lights)
        self.boxes([(x, y, columns * pitch + gap, rows * pitch + gap)], FRAME)
        red = np.zeros_like(lights) if wrong is None else wrong
        for cells, colour in ((every, UNLIT), (lights, LIT), (red, WRONG)):
            self.boxes(cell_boxes(cells, x, y, cell, gap), colour)
        if clicks is not None:
            dot, inset = cell * 0.46, cell * 0.27 + gap
            places = np.argwhere(clicks) * pitch + inset
            dots = [(x + right, y + down, dot, dot) for down, right in places]
            self.boxes(dots, CLICK, radius=dot / 2)

    def boxes(self, boxes: Iterable[ArrayLike], colour: Colour, radius: float = 0) -> None:
        """Add filled boxes: left, top, width, height."""
        found = np.array(list(boxes), float).reshape(-1, 4)
        if len(found):
            self.layers.append(Boxes(colour=colour, boxes=found, radius=radius))

    def words(
        self, x: float, y: float, *lines: str, height: float = 14, bold: bool = False,
        colour: Colour = SOFT, left: bool = False,
    ) -> None:  # fmt: skip
        """Add lines of text, centred on x or, with ``left``, beginning at x."""
        places = np.array([[x, y + number * height * 1.35] for number in range(len(lines))])
        self.layers.append(
            Words(
                colour=colour, words=lines, points=places, height=height, bold=bold, from_left=left
            )
        )

    def lines(self, lines: ArrayLike, colour: Colour = SOFT, pen: float = 1) -> None:
        """Add straight lines: x and y of the start, x and y of the end."""
        self.layers.append(Lines(colour=colour, lines=np.array(lines, float), pen=pen))

    def save(self, name: str) -> None:
        """Write the figure to a file."""
        drawing = Drawing(
            width=self.width, height=self.height, pixel=PIXEL, layers=tuple(self.layers), title=name
        )
        write_svg([drawing], FIGURES / f"{name}.svg")


def cell_boxes(cells: Bits, x: float, y: float, cell: float, gap: float) -> NDArray[np.float64]:
    """Return a box for each cell or, without gaps, for each run of cells in a row."""
    edges = np.diff(np.pad(cells, ((0, 0), (1, 1))).astype(int)) if not gap else None
    rows, columns = np.nonzero(cells if edges is None else edges == 1)
    runs = np.ones(len(rows)) if edges is None else np.nonzero(edges == -1)[1] - columns
    left, top = x + gap + columns * (cell + gap), y + gap + rows * (cell + gap)
    return np.column_stack([left, top, runs * cell, np.full(len(rows), cell)])


def target_of(sample: str, size: int, **options: Any) -> la.Target:
    """Return the target of a sample picture on a square board."""
    settings = la.Settings(size=size, **options)
    board = la.Board(size, size, levels=settings.levels)
    return la.targets_for(la.load_picture(SAMPLES / f"{sample}.png"), board, settings)[0]


def chased_twice(lights: Bits, first: Bits) -> list[tuple[Bits, Bits, str]]:
    """Return the steps of light chasing: lights, the next clicks, and a caption."""
    board, off = la.Board(*lights.shape), np.zeros_like(lights)
    chased = la.chase(board, off, start=lights)
    shown = []
    for row, step in enumerate(chased.steps, start=2):
        shown.append((lights, step.clicks, f"click in row {row}"))
        lights = step.configuration
    clicks = np.zeros_like(lights)
    clicks[0] = first
    shown.append((lights, off, "some stay on"))
    shown.append((lights, clicks, "so click in row 1"))
    lights = lights ^ board.toggles(clicks)
    chased = la.chase(board, off, start=lights)
    assert not chased.wrong.any()
    for row, step in enumerate(chased.steps, start=2):
        shown.append((lights, step.clicks, f"and chase: row {row}"))
        lights = step.configuration
    return [*shown, (lights, off, "all off")]


def light_chasing() -> None:
    """Draw light chasing on the all-on board of 5 x 5: two passes, row by row."""
    first = np.array([1, 1, 0, 0, 0], bool)
    shown = chased_twice(np.ones((5, 5), bool), first)
    across, cell, step = 4, 24, 152
    figure = Figure(across * step, -(-len(shown) // across) * 178)
    for number, (lights, clicks, words) in enumerate(shown):
        x, y = number % across * step + 12, number // across * 178 + 4
        figure.board(x, y, cell, lights, clicks)
        figure.words(x + 63, y + 145, words, height=13)
    figure.save("light-chasing")


def quiet_patterns() -> None:
    """Draw the three quiet patterns of 5 x 5; the third is the sum of the others."""
    board = la.Board(5, 5)
    one, two = board.quiet_patterns()
    assert not any(board.toggles(pattern).any() for pattern in (one, two, one ^ two))
    figure, off = Figure(600, 200), np.zeros((5, 5), bool)
    for x, pattern in ((0, one), (216, two), (432, one ^ two)):
        words = f"{pattern.sum()} clicks, nothing flips"
        figure.board(x + 4, 8, 30, off, pattern)
        figure.words(x + 84, 184, words, height=13)
    figure.words(192, 86, "+", height=26)
    figure.words(408, 86, "=", height=26)
    figure.save("quiet-patterns")


def powers() -> None:
    """Draw the powers of S as rows, and the coefficients of the polynomials p_j."""
    n, mask = 31, (1 << 31) - 1
    rows, polynomials, row, before, p = [], [], 1, 0, 1
    for _ in range(n):
        rows.append(row)
        polynomials.append(p)
        row, before, p = (row << 1 ^ row >> 1) & mask, p, p << 1 ^ before
    to_rows, back = (np.array([[line >> bit & 1 for bit in range(n)] for line in lines], bool)
                     for lines in (rows, polynomials))  # fmt: skip
    assert row == 0  # the characteristic polynomial is s^31
    assert ((back.astype(int) @ to_rows) % 2 == np.eye(n)).all()
    figure, cell = Figure(640, 346), 9
    for x, cells, words in (
        (0, to_rows, "row i: the power i of S, applied to e0"),
        (328, back, "row j: the coefficients of pj"),
    ):
        figure.board(x, 0, cell, cells)
        figure.words(x + 155, 330, words, height=14)
    figure.save("powers")


def nullities() -> None:
    """Draw the nullity of every board up to 40 x 40 as the area of a dot."""
    side, pitch, edge = 40, 14, 34
    counts = np.array([[la.Board(m, n).nullity for n in range(1, side + 1)]
                       for m in range(1, side + 1)])  # fmt: skip
    assert counts.max() == counts[38, 38] == 32  # OEIS A159257
    figure = Figure(edge + side * pitch + 8, edge + side * pitch + 8)
    figure.boxes([(edge, edge, side * pitch, side * pitch)], FRAME)
    for nullity in np.unique(counts[counts > 0]).tolist():
        wide = pitch * 0.94 * (nullity / 32) ** 0.5
        inset = edge + (pitch - wide) / 2
        places = np.argwhere(counts == nullity) * pitch + inset
        dots = [(right, down, wide, wide) for down, right in places]
        figure.boxes(dots, LIT, radius=wide / 2)
    for number in (1, 10, 20, 30, 40):
        middle = edge + (number - 0.5) * pitch
        figure.words(middle, edge - 12, str(number), height=12)
        figure.words(edge - 14, middle, str(number), height=12)
    figure.save("nullities")


def nearest() -> None:
    """Draw a target, and the wrong cells of light chasing and of the nearest configuration."""
    target, board = target_of("face", 30).configuration, la.Board(30, 30)
    chased, found = la.chase(board, target), la.nearest_accessible(board, target)
    assert found.wrong == found.bound < chased.wrong.sum()
    figure, cell = Figure(640, 246), 6
    shown = [
        (target, None, "the target"),
        (chased.configuration, chased.wrong, f"light chasing: {chased.wrong.sum()} wrong"),
        (found.configuration, found.configuration ^ target, f"nearest: {found.wrong} wrong"),
    ]
    for number, (lights, wrong, words) in enumerate(shown):
        figure.board(number * 215, 0, cell, lights, wrong=wrong, gap=0.7)
        figure.words(number * 215 + 101, 226, words, height=14)
    figure.save("nearest")


def parity_checks() -> None:
    """Draw the number of parity checks of square boards."""
    sides = range(1, 129)
    checks = [la.Board(n, n).nullity for n in sides]
    assert checks[128 - 1] == 56
    assert all(map(int.__le__, checks, sides))
    figure, left, bottom, pitch, up = Figure(656, 260), 34, 226, 4.7, 1.55
    ticks = [(left, bottom - up * k, left + 128 * pitch, bottom - up * k) for k in (0, 40, 80, 120)]
    figure.lines(ticks, pen=0.4)
    figure.lines([(left + pitch, bottom - up, left + 128 * pitch, bottom - up * 128)], WRONG, 1.2)
    figure.words(left + 50 * pitch, bottom - up * 92, "n itself: there are never more", height=13)
    bars = [(left + (n - 0.8) * pitch, bottom - up * k, pitch * 0.6, up * k)
            for n, k in zip(sides, checks, strict=True)]  # fmt: skip
    figure.boxes(bars, CLICK)
    for k in (0, 40, 80, 120):
        figure.words(left - 16, bottom - up * k, str(k), height=12)
    for n in (1, 32, 64, 96, 128):
        figure.words(left + (n - 0.5) * pitch, bottom + 16, str(n), height=12)
    figure.save("parity-checks")


def sizes_of_click_sets(board: la.Board, clicks: Bits) -> NDArray[np.int64]:
    """Return the sizes of a click set's sums with all combinations of quiet patterns."""
    sums = np.packbits(clicks.ravel())[None]
    for pattern in np.packbits(board.quiet_patterns().reshape(board.nullity, -1), axis=1):
        sums = np.concatenate([sums, sums ^ pattern])
    return np.bitwise_count(sums).sum(axis=1, dtype=np.int64)


def fewest() -> None:
    """Draw the sizes of all 2**16 click sets that turn the all-on board of 19 x 19 off."""
    board = la.Board(19, 19)
    on = np.ones(board.shape, bool)
    found = la.fewest_clicks(board, board.clicks_between(on, ~on))
    sizes = sizes_of_click_sets(board, found.clicks)
    assert len(sizes) == 2**16
    assert found.count == found.bound == sizes.min() == 141  # OEIS A075464
    counts = np.bincount(sizes)
    first, last = int(sizes.min()), int(sizes.max())
    figure, left, bottom = Figure(640, 262), 30, 224
    pitch, up = 370 / (last - first + 1), 190 / counts.max()
    bars = [(left + (n - first) * pitch, bottom - up * counts[n], pitch * 0.9, up * counts[n])
            for n in range(first, last + 1) if counts[n]]  # fmt: skip
    figure.boxes(bars, CLICK)
    figure.lines([(left, bottom, left + 370, bottom)], pen=0.8)
    figure.lines([(left + pitch / 2, bottom - 40, left + pitch / 2, bottom - 6)], WRONG, 1.5)
    figure.words(left - 4, bottom - 54, f"{counts[first]} sets", height=13, left=True)
    for n in (first, int(np.argmax(counts)), last):
        figure.words(left + (n - first + 0.5) * pitch, bottom + 17, str(n), height=12)
    figure.board(430, 20, 9.6, np.zeros(board.shape, bool), found.clicks, gap=0.8)
    figure.words(530, 241, f"{first} clicks: one of these {counts[first]}", height=13)
    figure.words(left + 280, 120, "click sets", "by their size", height=13)
    figure.save("fewest")


def parity() -> None:
    """Draw 19 x 19 in four colours, and each colour on a board of its own."""
    from lightsanim.game.solve.components import find_components
    from lightsanim.game.solve.parity_split import split_by_parity

    parts, _ = split_by_parity(*find_components(la.Board(19, 19)), 19)
    ranks = [len(part.basis) for part in parts]
    assert ranks == [8] * 4  # of a nullity of 16
    figure, colours = Figure(620, 262), (LIT, CLICK, SOFT, WRONG)
    figure.board(0, 0, 11, np.zeros((19, 19), bool))
    for number, colour in enumerate(colours):
        down, right = divmod(number, 2)
        cells = np.zeros((19, 19), bool)
        cells[down::2, right::2] = True
        figure.boxes(cell_boxes(cells, 0, 0, 11, 1), colour)
        small, x, y = cells[down::2, right::2], 290 + 165 * right, 131 * down
        figure.board(x, y, 9, np.zeros_like(small))
        figure.boxes(cell_boxes(small, x, y, 9, 1), colour)
        figure.words(x, y + 112, f"{ranks[number]} of 16 checks", left=True)
    figure.words(0, 250, "19 x 19, nullity 16", left=True)
    figure.save("parity")


def hardest() -> None:
    """Draw a quiet pattern of 4 x 4, its repetition on 14 x 14, and the hardest start there."""
    small = la.Board(4, 4).quiet_patterns()[0]
    blocks = [np.pad(block, ((0, 1), (0, 1))) for block in (small, small[:, ::-1])]
    row = np.hstack([blocks[0], blocks[1], blocks[0]])
    flipped = np.hstack([block[[3, 2, 1, 0, 4]] for block in (blocks[0], blocks[1], blocks[0])])
    large = np.vstack([row, flipped, row])[:14, :14]
    board = la.Board(14, 14)
    assert not board.toggles(large).any()
    most = la.most_clicks(board)
    assert most.count == most.bound == most.clicks.sum() == 123
    figure, cell = Figure(640, 262), 15
    figure.board(8, 94, cell, np.zeros_like(small), small)
    figure.board(104, 14, cell, np.zeros_like(large), large)
    figure.board(376, 14, cell, board.toggles(most.clicks), most.clicks)
    for x, words in ((40, "4 x 4"), (216, "14 x 14"), (488, "123 clicks turn it off")):
        figure.words(x, 176 if x == 40 else 256, words, height=13)
    figure.save("hardest")


def order() -> None:
    """Draw contour's times from a face to a skull, and frames half-way in three orders."""
    size, cell, pitch = 72, 154 / 72, 162
    targets = [target_of(name, size) for name in ("face", "skull")]
    figure = Figure(640, 186)
    times = contour_times(*(target.grey for target in targets)).ravel()
    band = (times.argsort().argsort() * 8 // times.size).reshape(size, size)
    for number in range(8):
        grey = 250 - 28 * number
        boxes = cell_boxes(band == number, 0, 0, cell, 0)
        boxes[:, 2:] += 0.05  # overlap, so that no hairlines appear between boxes
        figure.boxes(boxes, Colour(grey, grey, grey))
    figure.words(77, 172, "contour: light is early", height=13)
    counts = []
    for place, options in enumerate(({"order": "noise"}, {"ease": "linear"}, {}), start=1):
        pictures = [SAMPLES / "face.png", SAMPLES / "skull.png"]
        film = la.make(pictures, size=size, seed=1, **{"order": "contour", **options})
        first, *_, last = film.configurations()
        clicks = np.zeros(first.shape, bool)
        clicks.flat[film.clicks[: len(film.clicks) // 2]] = True
        half = first ^ film.board.toggles(clicks)
        wrong = (half != first) & (half != last)
        counts.append(wrong.sum())
        figure.board(place * pitch, 0, cell, half, wrong=wrong, gap=0)
        name = ("noise", "contour", "with the seam")[place - 1]
        figure.words(place * pitch + 77, 172, f"{name}: {counts[-1]} wrong", height=13)
    assert counts[0] > counts[1] > counts[2]
    figure.save("order")


def sketch() -> None:
    """Draw five frames of a fade, and the clicks between them."""
    stops = [target_of(name, 48).grey for name in ("face", "skull")]
    shares = np.linspace(0, 1, 5)[:, None, None]
    board = la.Board(48, 48)
    film = la.sketch(board, (1 - shares) * stops[0] + shares * stops[1], seed=1)
    figure, lights, cell = Figure(640, 248), film.first, 2.4
    for number in range(5):
        figure.board(number * 130, 0, cell, lights, gap=0)
        if number < 4:
            clicks = film.clicks[number]
            figure.board(number * 130 + 75, 128, 1.8, clicks, gap=0)
            figure.words(number * 130 + 120, 232, f"{clicks.sum()} clicks", height=13)
            lights = lights ^ board.toggles(clicks)
    figure.save("sketch")


def freedom() -> None:
    """Draw both ends of a film, and the clicks between them, which are a third picture."""
    film = la.make(
        ["sample:face", "sample:skull"], clicks_picture="sample:cat", size="72x70", seed=1,
        time_limit=600,
    )  # fmt: skip
    clicks = film.presses_between(0, len(film) - 1) > 0
    assert np.array_equal(film.last, film.first ^ film.board.toggles(clicks))
    figure = Figure(640, 224)
    words = "first frame", "last frame", f"the {clicks.sum():,} clicks"
    boards = film.first, film.last, clicks
    for place, (lights, name) in enumerate(zip(boards, words, strict=True)):
        figure.board(place * 214, 0, 2.8, lights, gap=0)
        figure.words(place * 214 + 101, 216, name, height=14)
    figure.save("freedom")


def twins() -> None:
    """Draw both ends of two films side by side, whose clicks are the same."""
    film = la.make(
        ["sample:face", "sample:skull"], beside=["sample:eye", "sample:moon"], size="64x64", seed=1,
        time_limit=600,
    )  # fmt: skip
    clicks = film.presses_between(0, len(film) - 1)
    assert np.array_equal(*np.split(clicks, 2, axis=1))
    figure = Figure(640, 184)
    for place, (lights, name) in enumerate(
        ((film.first, "first frame"), (film.last, "last frame"))
    ):
        figure.board(place * 328, 0, 2.4, lights, gap=0)
        figure.words(place * 328 + 154, 176, name, height=14)
    figure.save("twins")


CAT = ["#.....#", "##...##", "#######", "#.###.#", "#######", ".##.##.", "..###.."]


def automaton() -> None:
    """Draw steps of the automaton: a cat that becomes four and sixteen, and an eye from noise."""
    board = la.Board(63, 63)
    cat = np.pad([[cell == "#" for cell in line] for line in CAT], 28)
    after = [cat, *la.automaton(board, cat, 24)]
    assert np.array_equal(after[8].sum(), 4 * cat.sum())
    assert np.array_equal(after[24].sum(), 16 * cat.sum())
    figure = Figure(640, 152)
    for place, step in enumerate((0, 4, 8, 16, 24)):
        figure.board(place * 129, 0, 1.95, after[step], gap=0)
        figure.words(place * 129 + 61, 143, f"step {step}", height=13)
    figure.save("automaton")

    board = la.Board(60, 61)
    eye = la.targets_for(la.load_picture(SAMPLES / "eye.png"), board, la.Settings())[0]
    there = np.asarray(eye.configuration, bool)
    before = [there, *la.automaton(board, there, -31)]
    figure = Figure(640, 152)
    for place, step in enumerate((31, 16, 8, 1, 0)):
        figure.board(place * 129, 0, 2, before[step], gap=0)
        words = f"{step} step{'s' * (step > 1)} before" if step else "there"
        figure.words(place * 129 + 61, 143, words, height=13)
    figure.save("static")


def portraits() -> None:
    """Draw one picture with four different options."""
    shown = [
        ({}, "as it comes"),
        ({"detail": 0}, "--detail 0"),
        ({"focus": "52%,38%,1.6"}, "--focus 52%,38%,1.6"),
        ({"dither": "threshold", "detail": 3}, "--preset linocut"),
    ]
    side(Figure(640, 186), [(target_of("face", 60, **some), words) for some, words in shown],
         "portraits")  # fmt: skip


def logos() -> None:
    """Draw a flat drawing with options that suit outlines."""
    shown = [
        ({}, "as it comes"),
        ({"dither": "floyd-steinberg"}, "--dither floyd-steinberg"),
        ({"invert": True}, "--invert"),
        ({"dither": "bayer", "detail": 0}, "--dither bayer"),
    ]
    side(Figure(640, 186), [(target_of("butterfly", 60, **some), words) for some, words in shown],
         "logos")  # fmt: skip


def levels() -> None:
    """Draw one picture in 2, 3, 5 and 7 levels."""
    shown = [(target_of("eye", 60, levels=q), f"--levels {q}") for q in (2, 3, 5, 7)]
    side(Figure(640, 186), shown, "levels")


def spot() -> None:
    """Draw two flat pictures in three levels of three colours, and in spot colours."""
    pictures, side = [Image.new("RGB", (600, 600), ground) for ground in ("#f7f3e8", "#16324f")], 60
    house, night = map(ImageDraw.Draw, pictures)
    house.polygon([(80, 300), (300, 90), (520, 300)], "#d1495b")
    house.rectangle([130, 300, 470, 530], "#edae49")
    house.rectangle([250, 380, 350, 530], "#16324f")
    night.ellipse([120, 90, 440, 410], "#edae49")
    night.ellipse([210, 60, 500, 350], "#16324f")
    night.polygon([(0, 600), (200, 400), (330, 510), (450, 430), (600, 600)], "#3a7d44")
    figure = Figure(640, 186)
    for number, preset in enumerate(("colour", "spot")):
        film = la.make(pictures, preset=preset, size=side, seed=1)
        for place, frame in ((0, 0), (2, -1)):
            pixels, x = np.asarray(film.frame(frame, cell=1)), (place + number) * 162
            for colour in np.unique(pixels.reshape(-1, 3), axis=0).tolist():
                boxes = cell_boxes((pixels == colour).all(axis=2), x, 0, 154 / side, 0)
                boxes[:, 2:] += 0.05  # overlap, so that no hairlines appear between boxes
                figure.boxes(boxes, Colour(*colour))
            figure.words(x + 77, 172, f"--preset {preset}", height=13)
    figure.save("spot")


def side(figure: Figure, targets: list[tuple[la.Target, str]], name: str) -> None:
    """Draw targets side by side, without gaps between their cells."""
    for number, (target, words) in enumerate(targets):
        x, cell = number * 162, 154 / target.configuration.shape[1]
        brightest = len(target.shown) - 1
        for level in range(brightest + 1):
            grey = round(255 * level / brightest)
            boxes = cell_boxes(target.configuration == level, x, 0, cell, 0)
            boxes[:, 2:] += 0.05  # overlap, so that no hairlines appear between boxes
            figure.boxes(boxes, Colour(grey, grey, grey))
        figure.words(x + 77, 172, words, height=13)
    figure.save(name)


def hatched() -> None:
    """Draw a frame as for a pen plotter."""
    animation = la.make([SAMPLES / "skull.png", SAMPLES / "face.png"], size=30, seed=1)
    first = next(iter(animation.configurations()))
    look = {"gap": 0, "lit": "#777670", "unlit": "none", "background": "none"}
    path = FIGURES / "hatched.svg"
    la.save_still(first, path, hatch=1, print_width=110, **look)
    strokes = path.read_text()  # drawn with a thin pen, so that single strokes are visible
    path.write_text(
        re.sub('(?<=stroke-width=")[^"]*', lambda wide: f"{float(wide[0]) / 2:g}", strokes)
    )


def pages() -> None:
    """Write the pages that readers of the site can try: player, maker, lesson and worksheet."""
    pictures = [SAMPLES / "face.png", SAMPLES / "skull.png"]
    la.make(pictures, size=60, seed=1).save(FIGURES / "play.html", maker="maker.html")
    puzzle, series = (
        la.Outputs(output=[FIGURES / f"{name}.html"]) for name in ("puzzle", "series")
    )
    la.pose_files(la.Board(5, 5), 7, la.GameOptions(seed=1), outputs=puzzle)
    counts = (3, 5, 7, 9, 11, 13)
    la.pose_series_files(la.Board(5, 5), counts, la.GameOptions(seed=1), outputs=series)
    la.save_answer(la.solve_puzzle("abbott", ["8"]), FIGURES / "window.html")
    la.write_maker(FIGURES / "maker.html")
    la.write_lesson(FIGURES / "lesson.html")
    sheet = la.SheetOptions(count=4, clicks="3..9")
    la.worksheet_files(sheet, la.GameOptions(seed=1), la.Outputs(output=FIGURES / "worksheet.svg"))
    sea = la.worksheet(puzzle="submarines", size=6, count=4, seed=1)
    for suffix in (".svg", ".html"):
        sea.save(FIGURES / f"submarines{suffix}")


def films() -> None:
    """Write the films of the gallery that are not stored in docs/."""
    make = la.make
    make([SAMPLES / "eye.png", SAMPLES / "sun.png"], size=40, seed=1, order="spiral").save(
        FIGURES / "spiral.webp", palette="amber", shape="circle", width=360
    )
    make(
        [SAMPLES / "knight.png", SAMPLES / "duck.png"], size=48, seed=1, rule="king", order="sweep"
    ).save(FIGURES / "king.webp", palette="blueprint", width=360)
    make(["puzzle:abbott:24", "puzzle:queens:24"], size=24, seed=1, order="noise").save(
        FIGURES / "puzzles.webp", palette="sunset", width=360
    )
    make([SAMPLES / "sun.png", SAMPLES / "moon.png"], size=60, seed=1, order="diagonal").save(
        FIGURES / "clicks.webp", show_clicks="right", width=640
    )


def option_sheets() -> None:
    """Draw a sheet for each of some options, with a tile for each of its choices."""
    face, eye, sun, moon = (SAMPLES / f"{name}.png" for name in ("face", "eye", "sun", "moon"))

    def middle(**options: Any) -> Image.Image:
        film = la.make([sun, moon], size="37x36", seed=1, **options)
        return film.frame(len(film) // 2, width=TILE)

    still = la.make([eye, eye], size=14, seed=1)
    grey = la.make([face, face], size=40, seed=1, levels=5)
    sheets: dict[str, dict[str, Image.Image]] = {
        "dither": {
            name: la.make([face, face], size=60, seed=1, dither=name, time_limit=5).frame(
                0, width=TILE
            )
            for name in choices.DITHERS
        },
        "order": {name: middle(order=name) for name in choices.TIMED_ORDERS},
        "transition": {name: middle(transition=name) for name in stages.TRANSITIONS},
        "palette": {name: grey.frame(0, width=TILE, palette=name) for name in choices.PALETTES},
        "shape": {name: still.frame(0, width=TILE, shape=name, gap=2) for name in choices.SHAPES},
    }
    for option, tiles in sheets.items():
        across = len(tiles) if len(tiles) < TILES_ACROSS else -(-len(tiles) // 2)
        rows = -(-len(tiles) // across)
        sheet = Image.new("RGBA", (across * TILE_PITCH, rows * (TILE_PITCH + 12)))
        for number, (name, tile) in enumerate(tiles.items()):
            x, y = number % across * TILE_PITCH, number // across * (TILE_PITCH + 12)
            sheet.paste(tile.resize((TILE, TILE)), (x, y))
            label = ImageDraw.Draw(sheet)
            label.text((x, y + TILE + 4), name, SOFT, ImageFont.load_default(15))
        sheet.save(FIGURES / f"option-{option}.png", optimize=True)


ALL = (light_chasing, quiet_patterns, powers, nullities, nearest, parity_checks, fewest, parity,
       hardest, order, sketch, freedom, twins, automaton, portraits, logos, levels, spot, hatched,
       pages, films, option_sheets)  # fmt: skip


if __name__ == "__main__":
    FIGURES.mkdir(parents=True, exist_ok=True)
    for draw in ALL:
        draw()
