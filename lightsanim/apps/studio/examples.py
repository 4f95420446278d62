"""Draw small pictures that show what each value of an option does."""

import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightsanim.film.animation import Animation
from lightsanim.film.cell_times import cell_times
from lightsanim.game.board.board import Board
from lightsanim.options.choices import AUTO, TIMED_ORDERS
from lightsanim.options.settings import Settings
from lightsanim.output.look.theme import Theme
from lightsanim.output.saving.save import save_still
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.targets import targets_for
from lightsanim.pipeline import make

# Cells on each side of an example, and pixels of a cell.
SIDE, CELL = 44, 2

# Number of tones in the examples of orders: few tones show the fronts, and make small files.
ORDER_STEPS = 6

# Cells on each side of examples that are drawn large, which show rules.
FEW = 5

COLOURS = Theme().shades_with_alpha()


def draw_example(option: str, value: str) -> bytes:
    """Return a PNG that shows what a value of one of `option_form.ILLUSTRATED` does.

    >>> Image.open(io.BytesIO(draw_example("rule", "king"))).size
    (91, 91)
    """
    given: dict[str, Any] = {
        option: int(value) if option == "levels" and value.isdigit() else value
    }
    if option in ("dither", "fit", "tone", "levels"):
        return _dithered(given)
    if option == "rule":
        board = Board(FEW, FEW, rule=value)
        click = np.zeros(board.shape, bool)
        click[FEW // 2, FEW // 2] = True
        return _still(board.toggles(click), gap=1)
    if option == "order":
        return _ordered(value)
    if option == "transition":
        short = {"sketch_frames": 3, "settle": False}
        film = _film(**given, **(short if value == "sketch" else {"perfect": value == "automaton"}))
        return _png(COLOURS[film.shades_at(len(film) // 2)])
    return _still(np.indices((3, 3)).sum(0) % 2 == 0, **given)


def _ball() -> Picture:
    """Return a picture of a lit ball on a table."""
    y, x = np.mgrid[-1:1:120j, -1.33:1.33:160j]
    height = np.sqrt(np.clip(0.64 - x**2 - y**2, 0, None))
    lit = np.clip((-0.5 * x - 0.6 * y + 0.7 * height) / 0.8, 0.02, 1) ** 1.4
    room = np.clip(0.35 - 0.3 * y, 0, 1) ** 2
    return Picture(name="ball", light=np.where(height > 0, lit, room).astype(np.float32))


def _dithered(given: dict[str, Any]) -> bytes:
    settings = Settings(**given)
    board = Board(SIDE, SIDE, levels=settings.levels)
    [target] = targets_for(_ball(), board, settings)
    colours = Theme().shades_with_alpha(levels=settings.levels)
    return _png(colours[target.configuration.astype(np.uint8)])


def _ordered(order: str) -> bytes:
    # Show the order as brightness: earlier cells are brighter, and unclicked cells darkest.
    order = order.replace(AUTO, "contour")  # the automatic choice for most pictures
    if order in TIMED_ORDERS:
        board, ball = Board(SIDE, SIDE), _ball()
        mirrored = Picture(name="mirrored ball", light=ball.light[:, ::-1])
        [first], [last] = (targets_for(side, board, Settings()) for side in (ball, mirrored))
        tones = first.grey, last.grey
        times = cell_times(order, board.shape, np.random.default_rng(1), tones)
    else:
        clicks = _film(order=order, rule="cross").clicks  # legal with most pictures
        times = np.full(SIDE * SIDE, float(len(clicks)))
        times[clicks[::-1]] = np.arange(len(clicks))[::-1]
    ties = np.random.default_rng(1).random(times.size)
    ranks = np.argsort(np.lexsort([ties, times.ravel()]))
    steps = ranks.reshape(SIDE, SIDE, 1) * ORDER_STEPS // ranks.size
    share = 1 - steps / (ORDER_STEPS - 1)
    return _png(COLOURS[0] + share * (COLOURS[1].astype(float) - COLOURS[0]))


def _film(**given: Any) -> Animation:
    ball = _ball().light
    return make([ball, ball[:, ::-1]], size=f"{SIDE}x{SIDE}", seed=1, **given)


def _still(configuration: NDArray[np.bool_], **look: Any) -> bytes:
    with TemporaryDirectory(prefix="lightsanim-") as folder:
        path = Path(folder, "example.png")
        cell = SIDE * CELL // len(configuration)
        save_still(configuration, path, **{"cell": cell, **look})
        return _pack(Image.open(path))


def _png(colours: NDArray[Any]) -> bytes:
    large = np.rint(colours).astype(np.uint8).repeat(CELL, axis=0).repeat(CELL, axis=1)
    return _pack(Image.fromarray(large))


def _pack(image: Image.Image) -> bytes:
    """Return an opaque image as the smaller PNG: with its colours, or with a palette of them."""
    image = image.convert("RGB")
    colours = image.getcolors(256)
    files = []
    for packed in (
        image,
        image.quantize(len(colours), dither=Image.Dither.NONE) if colours else image,
    ):
        packed.save(file := io.BytesIO(), "PNG", optimize=True)
        files.append(file.getvalue())
    return min(files, key=len)
