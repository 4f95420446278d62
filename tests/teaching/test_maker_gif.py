"""GIFs of the maker's page: they are legal, and show what Python and the player draw."""

import base64
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from PIL import Image, ImageSequence
from tools.players import looked, page_of_scripts, sized

from lightsanim.animation.animation import Animation
from lightsanim.board.automaton import undoing_board
from lightsanim.board.board import Board
from lightsanim.board.perfect import nearest_perfect
from lightsanim.formats.document import load_animation
from lightsanim.proof.verify import verify
from lightsanim.version import __version__

# What the page keeps of a film, and its frames as film.js draws them.
SCRIPT = """
async function kept({ board, pictures, options, look, program }) {
  const greys = pictures.map((planes) => planes.map((grey) => Float64Array.from(grey)));
  const asked = { dither: "blue-noise", levels: board.levels };
  const targets = greys.map((planes) => targetsOf(planes, board.rows, board.columns, asked));
  const animation = animated(board, targets, ["sun", "</moon> ☾"], options);
  const film = readFilm(filmOf(animation, look));
  const gif = new Blob(await gifOf({ film, look }, program, () => {}));
  const { pitch, gap } = geometryOf(film), canvas = document.createElement("canvas");
  canvas.width = film.columns * pitch + gap;
  canvas.height = film.rows * pitch + gap;
  const state = { shades: film.first.slice(), done: 0, touched: [], pitch, gap };
  state.mask = mask(film, state, film.palette[0]);
  state.hole = mask(film, state, "#000");
  const drawn = Array.from(film.frames, (done) => {
    goTo(film, state, done);
    paintBoard(film, state, canvas, picture(film, state.shades));
    return canvas.toDataURL();
  });
  return [documentOf(animation, program), base64(new Uint8Array(await gif.arrayBuffer())), drawn];
}"""


@pytest.fixture(scope="module")
def keep(pages, tmp_path_factory):
    """Makes a film of grey values (boards, rows, columns) in a page; what that keeps of it."""
    page = page_of_scripts(pages, SCRIPT)

    def kept(board, pictures, palette="ink", **options):
        planes = [[plane.ravel().tolist() for plane in planes] for planes in pictures]
        asked = {"board": sized(board), "pictures": planes, "program": __version__}
        asked |= {"options": {"fps": 10, "duration": 0.8, **options}, "look": looked(palette)}
        text, gif, drawn = page.evaluate("(asked) => kept(asked)", asked)
        folder = tmp_path_factory.mktemp("kept")
        document, mine, other = (folder / name for name in ("a.json", "page.gif", "program.gif"))
        document.write_text(text, encoding="utf-8")
        mine.write_bytes(base64.b64decode(gif))
        animation = load_animation(document)
        animation.save(other, palette=palette)
        return Kept(mine, other, animation, drawn)

    yield kept
    assert not pages.leave()


@dataclass(frozen=True, eq=False)
class Kept:
    """A GIF of the page, the same film's of Python, and the frames that the player draws."""

    page: Path
    program: Path
    animation: Animation
    drawn: list[str]

    def assert_right(self):
        """Legal, and of the frames, times and metadata that Python writes; the player's frames."""
        mine, others = frames_of(self.page), frames_of(self.program)
        drawn = [BytesIO(base64.b64decode(url.partition(",")[2])) for url in self.drawn]
        player = [np.asarray(Image.open(png).convert("RGB")) for png in drawn]
        assert len(mine) == len(self.animation)
        for frame, other, shown in zip(mine, others, player, strict=True):
            assert np.array_equal(frame.pixels, other.pixels)
            assert np.array_equal(frame.pixels, shown)
            assert frame.info == other.info
        verification = verify(self.page)  # decoded by Pillow and by FFmpeg
        assert verification.legal, verification.reason
        assert verification.clicks == self.animation.count
        assert str(verification) == str(verify(self.program))


class Frame(NamedTuple):
    pixels: np.ndarray  # uint8 (height, width, 3)
    info: dict[str, Any]  # how long, how often, and the comment


def frames_of(path):
    told = ("duration", "loop", "comment", "disposal")
    with Image.open(path) as film:
        images = [(image.convert("RGB"), image.info) for image in ImageSequence.Iterator(film)]
        return [Frame(np.asarray(rgb), {n: info.get(n) for n in told}) for rgb, info in images]


def noise(shape, boards=1, pictures=2, seed=0):
    rng = np.random.default_rng(seed)
    return [[rng.random(shape) for _ in range(boards)] for _ in range(pictures)]


@pytest.mark.parametrize(
    ("levels", "boards", "palette"),
    [
        (2, 1, "ink"), (3, 3, "blueprint"), (5, 1, "rose"),
        *(pytest.param(*kind, marks=pytest.mark.long)
          for kind in ((2, 3, "paper"), (3, 1, "sunset"), (5, 3, "pocket"))),
    ],
)  # fmt: skip
@pytest.mark.parametrize("transition", ["wipe", "dissolve", "automaton"])
def test_it_is_legal_and_shows_what_python_draws(transition, levels, boards, palette, keep):
    board = nearest_perfect(Board(36, 23, levels=levels), undoing_board)
    options = {"transition": transition} | ({"steps": 2} if transition == "automaton" else {})
    keep(board, noise(board.shape, boards), palette, **options).assert_right()


@pytest.mark.parametrize("shape", [(9, 21), (21, 9), (3, 3), (1, 1), (11, 90), (90, 11)])
def test_cells_and_gaps_are_those_of_python(shape, keep):
    board = nearest_perfect(Board(*shape))
    keep(board, noise(board.shape)).assert_right()


@pytest.mark.parametrize("clicked", [[], [(2, 3)], [(0, 0), (8, 29)]])
def test_few_clicks(clicked, keep):
    board, clicks = Board(9, 30), np.zeros((9, 30), bool)
    for cell in clicked:
        clicks[cell] = True
    first = np.indices(board.shape).sum(axis=0) % 3 == 0
    kept = keep(board, [[first * 1.0], [(first ^ board.toggles(clicks)) * 1.0]])
    assert kept.animation.count == len(clicked)
    kept.assert_right()
