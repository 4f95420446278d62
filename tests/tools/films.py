"""Animations of all kinds for the tests of `verify`, and ways to tamper with their files."""

import json
import shutil
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageSequence
from PIL.PngImagePlugin import PngInfo

import lightsanim as la
from lightsanim import Board, Theme, fewest_clicks
from lightsanim.errors import InaccessibleError
from lightsanim.film.animate import animate
from lightsanim.film.animation import Animation
from lightsanim.film.cell_times import ORDERS
from lightsanim.film.clicks import PackedSteps
from lightsanim.film.order import order_clicks
from lightsanim.film.timing import durations_to_ticks, holds_as_frames
from lightsanim.game.board.rule import RULES
from lightsanim.game.levels import pack_levels, stack_planes, unpack_levels
from lightsanim.options.choices import MAX_COLOUR_LEVELS
from lightsanim.options.stages import Timing
from lightsanim.output.formats.json_animation import animation_members
from lightsanim.output.formats.registry import FORMATS
from lightsanim.output.look.tiles import make_tiles
from tools.clips import animated, clip

SUFFIXES = tuple(s for s, f in FORMATS.items() if f.load or f.open_frames)  # that are read
LOSSY = (".mp4", ".webm")
# Those that are seen, not pressed.
FRAMES = tuple(s for s in SUFFIXES if FORMATS[s].open_frames and s not in (*LOSSY, ".svg"))
FRAMES += LOSSY


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of file: everything that decides how it looks, and how it is checked."""

    suffix: str
    rule: str = "plus"
    wrap: bool = False
    levels: int = 2
    rows: int
    columns: int
    boards: int = 1
    order: str = "radial"
    clicks_per_frame: int | None
    moves: int
    look: dict = field(default_factory=dict)
    seed: int
    steps: bool = False  # pressed as a whole, in place of single clicks

    def __str__(self):
        levels = f"-{self.levels}" * (self.levels > 2)
        return f"{self.seed}{self.suffix or '.png'}{levels}{'-steps' * self.steps}"

    @property
    def board(self):
        return Board(self.rows, self.columns, rule=self.rule, wrap=self.wrap, levels=self.levels)

    def animation(self) -> Animation:
        board, rng = self.board, self.rng()
        clicks = [rng.integers(0, self.levels, board.shape) for _ in range(self.boards)]
        first = stack_planes([board.add(board.toggles(some), board.reference) for some in clicks])
        pace = {"fps": 10, "duration": 1.5, "clicks_per_frame": self.clicks_per_frame}
        timing = Timing(**pace, hold_first=0.3, hold_last=0.4)
        moves = [self.move(board, rng) for _ in range(self.moves)]
        return animate(board, first, moves, timing, pictures=("sun", "moon"), seed=self.seed)

    def move(self, board, rng):
        if self.steps:
            shape = (self.boards, *board.shape)
            sets = [rng.integers(0, self.levels, shape) for _ in range(6)]
            return PackedSteps.pack(shape, self.levels, sets)
        # A fifth of the cells, so that few clicks make each frame; each up to levels - 1 times.
        cells = order_clicks(rng.random(board.shape) < 0.2, self.order, rng)
        cells = np.repeat(cells, rng.integers(1, self.levels, len(cells)))
        if self.boards == 1:
            return la.Clicks(cells)
        return la.Clicks(cells, rng.integers(1, 8, len(cells)).astype(np.uint8))

    def rng(self):
        return np.random.default_rng(self.seed)

    @property
    def theme(self):
        return Theme(**self.look)


def some_kinds(count, suffixes=SUFFIXES, seed=0, levels=(2,), steps=False):
    """Kinds of files in which each choice comes as often as the others."""
    rng = np.random.default_rng(seed)
    kinds = [a_kind(rng, suffixes[n % len(suffixes)], n, levels) for n in range(count)]
    for kind in kinds if steps else ():
        if kind.look["cell"] < 4:  # half of the cells are marked in each frame, and would be hidden
            kind.look.pop("mark", None)
    return [replace(kind, steps=steps) for kind in kinds]


def a_kind(rng, suffix, number, levels):
    rules, orders = list(RULES), [order for order in ORDERS if order not in ("tone", "contour")]
    boards = 3 if rng.random() < 0.25 else 1
    levels = pick(rng, [q for q in levels if boards == 1 or q <= MAX_COLOUR_LEVELS])
    lossy = suffix in LOSSY
    small = 10 if boards == 3 else 3 if levels > 3 else 1
    cell = int(rng.integers(small, 14)) if lossy else int(rng.integers(1, 12))
    look = {"cell": cell, "gap": int(rng.integers(0, 4)), "shape": pick(rng, SHAPES)}
    look |= pick(rng, COLOURS[:2] if boards == 3 and lossy else COLOURS)
    # Marks on cells of less than 4 pixels hide them, but where pixels are exact, on a board of two
    # levels; and codecs need some pixels beside them to tell many levels.
    hides = cell < (12 if lossy and levels > 3 else 4) and (lossy or boards == 3 or levels > 2)
    if rng.random() < 0.4 and not hides and not (lossy and boards == 3):
        look["mark"] = pick(rng, ["tomato", "#00a0ff"])
    rows, columns = int(rng.integers(1, 19)), int(rng.integers(1, 19))
    if number % 3 == 1:
        total = "-total" * (number // 6 % 2)
        look["show_clicks"] = ("right", "below")[number % 2] + total
    if number % 4 == 3:
        grid = reversed(Theme(**look).geometry(rows, columns).shape_with_panel)
        sides = (cells * (cell + look["gap"]) + number % 9 * 2 for cells in grid)
        look["canvas"] = "x".join(str(side + side % 2) for side in sides)
    return Kind(
        suffix=suffix,
        rule=rules[number // len(SUFFIXES) % len(rules)],
        wrap=bool(rng.random() < 0.4),
        levels=levels,
        rows=rows,
        columns=columns,
        boards=boards,
        order=orders[number % len(orders)],
        clicks_per_frame=pick(rng, [1, 1, 2, 5, None]),
        moves=pick(rng, [1, 1, 2]),
        look=look,
        seed=number,
    )


SHAPES = ["square", "rounded", "circle"]
COLOURS = [
    {},
    {"lit": "white", "unlit": "black", "background": "grey"},
    {"palette": "blueprint"},
    {"palette": "pocket"},
    {"lit": "gold", "unlit": "navy", "background": "crimson"},
    {"lit": "black", "unlit": "white", "background": "white"},
]


def pick(rng, choices):
    return choices[int(rng.integers(len(choices)))]


def saved(kind, folder):
    path = Path(folder) / f"film{kind.suffix}"
    animation = kind.animation()
    animation.save(path, **kind.look)
    return animation, path


def document_of(animation):
    members = animation_members(animation).items()
    return {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in members}


# Frames as pixels: read by Pillow or FFmpeg, changed, and written by them, with the metadata kept.


@dataclass
class Opened:
    """A file's frames, uint8 (height, width, 3) each, their times, and its comment."""

    frames: list
    milliseconds: list
    comment: str

    def write(self, path):
        images, comment, info = map(Image.fromarray, self.frames), self.comment.encode(), PngInfo()
        info.add_text("Comment", self.comment)
        match path.suffix:
            case ".gif":
                animated(path, self.paletted(), self.milliseconds, loop=0, comment=comment)
            case ".webp":
                animated(path, images, self.milliseconds, exact=True, xmp=comment, method=0)
            case ".apng":
                animated(path, images, self.milliseconds, format="PNG", pnginfo=info)
            case "":
                shutil.rmtree(path, ignore_errors=True)
                path.mkdir()
                for number, image in enumerate(images):
                    image.save(path / f"{number:05}.png", pnginfo=info)
            case suffix:
                options = {"crf": "12", "preset": "ultrafast"}
                if suffix == ".webm":
                    options = {"codec": "libvpx-vp9", "crf": "12", "b": "0", "cpu-used": "8"}
                clip(path, self.frames, pix_fmt="yuv420p", comment=self.comment, **options)

    def paletted(self):
        # Colours as whole numbers, of which NumPy finds the different ones ten times as quickly.
        numbers = np.array(self.frames) @ np.array([1 << 16, 1 << 8, 1])
        colours, indices = np.unique(numbers, return_inverse=True)
        for pixels in indices.reshape(numbers.shape).astype(np.uint8):
            image = Image.fromarray(pixels)
            image.putpalette(b"".join(int(colour).to_bytes(3, "big") for colour in colours))
            yield image


def opened(path, mode="RGB"):
    if path.suffix in LOSSY:
        with av.open(path) as file:
            (comment,) = [v for k, v in file.metadata.items() if k.lower() == "comment"]
            frames = [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]
        return Opened(frames, [100] * len(frames), comment)
    frames = []
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        with Image.open(file) as image:
            info = dict(image.info)
            frames += [np.array(f.convert(mode)) for f in ImageSequence.Iterator(image)]
    comment = info.get("comment") or info.get("Comment") or info.get("xmp")
    comment = comment.decode() if isinstance(comment, bytes) else comment
    return Opened(frames, [100] * len(frames), comment)


# Tampering.


def relabelled(path, **changes):
    """The file, whose metadata now says something else; members that are objects in part."""
    film = opened(path)
    document = json.loads(film.comment)
    for name, value in changes.items():
        both = isinstance(value, dict) and isinstance(document[name], dict)
        document[name] = document[name] | value if both else value
    film.comment = json.dumps(document)
    film.write(path)
    return path


def flip_a_cell(film, frame, cell, kind, shades, part=(0, 0)):
    """Draw a cell of a frame in another shade: on one board it is raised by 1.

    Args:
        part: where the part of the frame begins that shows these shades, in cells.
    """
    geometry = kind.theme.geometry(kind.rows, kind.columns)
    tiles = make_tiles(kind.theme, kind.boards, geometry.cell, kind.levels)
    row, column = divmod(cell, kind.columns)
    top, left = geometry.top_left_corner
    y = top + (row + part[0]) * geometry.cell_pitch
    x = left + (column + part[1]) * geometry.cell_pitch
    shade = int(shades[frame].flat[cell])
    shade += 1 - kind.levels * (shade % kind.levels == kind.levels - 1)
    shades[frame].flat[cell] = shade
    tile = tiles.colours[tiles.pixels[shade]]
    film.frames[frame][y : y + geometry.cell, x : x + geometry.cell] = tile


def first_illegal(kind, shades, steps, presses=None):
    """The first of some frames that is not legal, found without `verify`; None if all are.

    Args:
        kind: of file.
        shades: uint8 (rows, columns) of each.
        steps: the clicks that make each that differs from the one before.
        presses: what the panels of their clicks show, likewise; None without.
    """
    board, done = kind.board, 0
    planes = [unpack_levels(s, kind.boards, kind.levels) for s in shades]
    if not all(map(board.is_accessible, planes[0])) or (presses and presses[0].any()):
        return 0
    for number in range(1, len(shades)):
        same = np.array_equal(shades[number], shades[number - 1])
        if presses and not (same and np.array_equal(presses[number], presses[number - 1])):
            clicks = unpack_levels(presses[number], kind.boards, kind.levels)
            if shows_total(kind):
                before = unpack_levels(presses[number - 1], kind.boards, kind.levels)
                clicks = board.subtract(clicks, before)
            if not np.array_equal(pressed(board, planes[number - 1], clicks), planes[number]):
                return number
            if not same and (done == len(steps) or clicks.sum() > steps[done]):
                return number
        if same:
            continue
        if done == len(steps):
            return number
        try:
            pairs = zip(planes[number - 1], planes[number], strict=True)
            sets = [board.clicks_between(*pair) for pair in pairs]
        except InaccessibleError:
            return number
        if sum(fewest_clicks(board, clicks).count for clicks in sets) > steps[done]:
            return number
        done += 1
    return None


def pressed(board, boards, clicks):
    """Boards, (boards, rows, columns), after click sets on each of them, click by click."""
    after = [lights.copy() for lights in boards]
    for number, cells in enumerate(clicks):
        for row, column in np.argwhere(cells):
            for _ in range(int(cells[row, column])):
                after[number] = board.add(after[number], board.neighbourhood(row, column))
    return np.array(after)


def shown_shades(kind, animation):
    """The shades of every frame of the kind's file, repeated where the format repeats them."""
    film = film_of(kind, animation)
    return repeated(kind, film, [pack_levels(c, kind.levels) for c in film.configurations()])


def shown_presses(kind, animation):
    """What the panels of clicks show in those frames; None without panels."""
    if "show_clicks" not in kind.look:
        return None
    film, panels = film_of(kind, animation), []
    for start, end in pairwise([0, *film.clicks_done.tolist()]):
        presses = np.zeros((kind.boards, kind.rows * kind.columns), int)
        for n in range(0 if shows_total(kind) else start, end):
            if film.steps is not None:
                presses += film.steps[n].reshape(kind.boards, -1)
                continue
            planes_on = 1 if film.primaries is None else film.primaries[n]
            presses[:, film.clicks[n]] += [planes_on >> board & 1 for board in range(kind.boards)]
        planes = (presses % kind.levels).astype(np.uint8)
        panels.append(pack_levels(planes.reshape(-1, kind.rows, kind.columns), kind.levels))
    return repeated(kind, film, panels)


def shows_total(kind):
    return kind.look.get("show_clicks", "").endswith("total")


def film_of(kind, animation):
    has_panels = "show_clicks" in kind.look and kind.suffix in FRAMES
    return holds_as_frames(animation) if has_panels else animation


def repeated(kind, animation, frames):
    if kind.suffix not in LOSSY:
        return frames
    times = durations_to_ticks(animation.durations(), animation.fps)
    return [s.copy() for s, repeat in zip(frames, times, strict=True) for _ in range(repeat)]


def an_animation(rows=6, columns=9, seed=0, *, rule="plus", wrap=False, moves=1, **timing):
    board, rng = Board(rows, columns, rule=rule, wrap=wrap), np.random.default_rng(seed)
    sets = [order_clicks(rng.random(board.shape) < 0.5, "random", rng) for _ in range(moves)]
    first, clicks = rng.random(board.shape) < 0.5, list(map(la.Clicks, sets))
    return animate(board, first, clicks, Timing(**timing), pictures=("sun", "moon"), seed=seed)


def random_film(rows=8, columns=10, clicks=8, seed=0, boards=1, levels=2, **timing):
    """A film of clicks on different cells, of which each makes a frame that comes once in films."""
    board, rng = Board(rows, columns, levels=levels), np.random.default_rng(seed)
    cells = rng.choice(board.cells, clicks, replace=False)
    shape = (3, *board.shape) if boards == 3 else board.shape
    first = rng.random(shape) < 0.5 if levels == 2 else rng.integers(0, levels, shape, np.uint8)
    primaries = rng.integers(1, 8, clicks).astype(np.uint8) if boards == 3 else None
    timing = {"clicks_per_frame": 1, "fps": 10, "hold_first": 0.1, "hold_last": 0, **timing}
    return animate(board, first, [la.Clicks(cells, primaries)], Timing(**timing))


def lit_one_by_one(columns, rows, loop=0):
    """A film that lights cell after cell: the test film of the guide."""
    board, dark = Board(rows, columns, rule="1"), np.zeros((rows, columns), bool)
    done = np.arange(board.cells + 1)
    clicks = la.Clicks(np.arange(board.cells))
    return Animation(board=board, first=dark, history=clicks, clicks_done=done, fps=5, loop=loop)


def refusal(path, **options):
    """Why a file is refused, in one line; None if it is proven."""
    try:
        message = la.verify(path, **options).reason
    except la.LightsAnimError as error:
        message = str(error)
    assert message is None or "\n" not in message
    return message


def is_legal(path):
    return refusal(path) is None


def assert_illegal(path, frame, facts):
    """A file is illegal from this frame on, or as a whole; the reason has all of these words."""
    result = la.verify(path)
    assert (result.legal, result.first_illegal) == (False, frame)
    assert all(fact in result.reason for fact in facts.split()), result.reason
