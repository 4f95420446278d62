"""Wrong arguments of the Python interface: a line that names them, and what would be right."""

import io
import math
import pickle

import numpy as np
import pytest
from tools.deadlines import EndsAfter
from tools.films import an_animation, lit_one_by_one
from tools.refusals import assert_refused, refusal

import lightsanim as la
from lightsanim import Board, Theme, dither, pose, read_board, sketch
from lightsanim.game.solve.legal_order import find_legal_order
from lightsanim.output.reports.in_words import format_make_command

BOARD, ON, RNG = Board(4, 4), np.ones((4, 4), bool), np.random.default_rng(0)
FADE = np.linspace(0, 1, 12).reshape(3, 4)
PAIR, THREE, FIVE = Board(1, 2, levels=3), Board(3, 3, levels=3), Board(5, 5)
RING, LARGE = Board(3, 4, rule="ring", wrap=True), Board(19, 19)
WIDE = Board(300, 300, rule="cross")
CUSTOM = la.Settings(order=math.hypot)


FILM, CLOSED = an_animation(), io.BytesIO()
CLOSED.close()


class Full:
    """A stream without room."""

    def write(self, content):
        raise OSError(28, "No space left on device")


def make_ordered(order):
    la.make([FADE] * 2, size="4x3", order=order, time_limit=1e-9)  # it ends before any search


def bytes_of(format="gif", **look):
    FILM.to_bytes(format, **look)


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: la.make("sun.png"), "pictures 'sun.png'"),
        (lambda: la.make([FADE] * 2, None), "size=None"),
        (lambda: la.make([FADE] * 2, palette="amber"), "palette save("),
        (lambda: la.make(FADE, FADE), "one list"),
        (lambda: la.make("sun.png", "moon.png", size=8), "one list"),
        (lambda: la.make([np.ones((20_000, 1))] * 2, size=60), "1200000"),
        (lambda: la.make([FADE] * 2, beside=7), "beside must be a list of paths, not 7"),
        (lambda: la.make([FADE] * 2, beside="it's.png"), "beside must be a list of paths"),
        (lambda: la.load_picture(la.PictureFile(path="no.png", content=b"")), "no.png empty"),
        (lambda: make_ordered("zigzag"), "order radial Python function array 'zigzag'"),
        (lambda: make_ordered(3), "order radial function array 3"),
        (lambda: make_ordered(np.eye(3, 4) * np.nan), "order finite"),
        (lambda: make_ordered(np.eye(3, 4) * 1j), "order real"),
        (lambda: make_ordered(np.eye(4, 3)), "order (3, 4)"),
        (lambda: make_ordered([[1, 2], [3]]), "order real (3, 4)"),
        (lambda: make_ordered(math.hypot), "order function arrays rows columns"),
        (lambda: make_ordered(lambda r, c: r if c > 1 else c), "order function arrays"),
        (lambda: format_make_command([], CUSTOM, Theme(), la.Outputs()), "order custom"),
        (lambda: bytes_of(color="red"), "'color' colours or lit?"),
        (lambda: la.Theme(lit=(1.5, 0.0, 0.0)), "lit (255, (1.5, 0.0, 0.0)"),
        (lambda: FILM.save(None), "file None"),
        (lambda: FILM.frame(10**9), "frame -24 23"),
        (lambda: FILM.frame(0, celll=3), "'celll' cell?"),
        (lambda: FILM.plot(0), "count 1 1000"),
        (lambda: FILM.to_bytes("bmp"), "format gif, mp4, 'bmp'"),
        (lambda: FILM.save(io.BytesIO()), "format='gif'"),
        (lambda: FILM.save("a.mp4", format="gif"), "'a.mp4'"),
        (lambda: FILM.save(CLOSED, "gif"), "BytesIO closed"),
        (lambda: FILM.save(io.StringIO(), "gif"), '"wb"'),
        (lambda: FILM.save(io.BufferedReader(io.BytesIO()), "gif"), "BufferedReader"),
        (lambda: FILM.save(Full(), "gif"), "Full No space left"),
        (lambda: la.Outputs(output=[None]), "output None"),
        (lambda: la.Outputs(output=3), "output list 3"),
        (lambda: la.Settings(dither=ON), "dither bool"),
        (lambda: la.Theme(lit=ON), "lit bool"),
        (lambda: BOARD.toggles(ON * 2), "clicks 2"),
        (lambda: BOARD.neighbourhood(4, 0), "row 0 3 4"),
        (lambda: BOARD.neighbourhood(0, 4), "column 0 3 4"),
        (lambda: BOARD.is_accessible(ON * np.nan), "configuration nan"),
        (lambda: la.nearest_accessible(BOARD, ON * np.nan), "target nan"),
        (lambda: la.nearest_accessible(BOARD, ON, margin=ON * np.nan), "margin finite"),
        (lambda: la.fewest_clicks(BOARD, None), "clicks (4, 4) None"),
        (lambda: la.solve_board(BOARD, ON[1:], ON), "start (3, 4)"),
        (lambda: la.chase(BOARD, ON * 3), "target 3"),
        (lambda: la.order_clicks(ON[0], "radial", RNG), "clicks shape (4,)"),
        (lambda: la.order_clicks(ON, "tone", RNG, tone="grey"), "tone (4, 4)"),
        (lambda: la.order_clicks(ON, "tone", RNG), "order 'tone' first"),
        (lambda: la.order_clicks(ON, "radial", RNG, spread=np.nan), "spread 0 1 nan"),
        (lambda: find_legal_order(BOARD, ON, ON, RNG, press="red"), "press unlit lit 'red'"),
        (lambda: find_legal_order(BOARD, ON, ON[1:], RNG), "clicks (4, 4)"),
        (lambda: find_legal_order(BOARD, ON[1:], ON, RNG), "first (4, 4)"),
        (lambda: find_legal_order(WIDE, *[WIDE.reference] * 2, RNG), "90000 599"),
        (lambda: la.save_still(FADE, "x.png"), "configuration 0.0909"),
        (lambda: la.save_still(ON, "x.png", marks=ON[1:]), "marks (4, 4)"),
        (lambda: la.board_text(ON, 4), "levels 2, 3, 5, 7 4"),
        (lambda: la.board_text([0, 1]), "configuration shape (2,)"),
        (lambda: la.dither(FADE * np.nan), "0..1 nan"),
        (lambda: la.Picture(name="a", light=None), "light array None"),
        (lambda: la.animate(BOARD, None, [], la.Timing()), "first array None"),
        # Boards.
        (lambda: Board(0, 40), "rows 1 0"),
        (lambda: Board(3, 3, wrap="no"), "wrap true false 'no'"),
        (lambda: Board(999, 999, wrap=True), "999x999"),
        (lambda: Board(300, 300, rule="x", levels=3), "300x300 20000"),
        (lambda: Board(3, 3, levels=4), "levels 2, 3, 5, 7 4"),
        (lambda: PAIR.toggles([[0, 3]]), "clicks levels 0 2 3"),
        (lambda: PAIR.is_accessible([[0, -1]]), "configuration 0 2 -1"),
        (lambda: PAIR.clicks_between([[0, 0]], [[0, 0.5]]), "goal 0.5"),
        (lambda: PAIR.toggles([[1], [2]]), "clicks (1, 2) (2, 1)"),
        (lambda: THREE.toggles(np.zeros(3)), "clicks (3, 3) (3,)"),
        (lambda: THREE.syndrome(np.zeros(9)), "configuration (3, 3) (9,)"),
        (lambda: PAIR.clicks_between([[1]], [[1, 0]]), "start (1, 2) (1, 1)"),
        (lambda: Board(3, 3, rule="pluss"), "cross, king, ring, 'pluss' plus?"),
        (lambda: Board(3, 3, rule=5), "stencil 010/111/010 5"),
        (lambda: Board(3, 3, rule="11/11"), "'11/11' odd 2"),
        (lambda: Board(3, 3, rule="010/111/010/"), "length 0 3"),
        (lambda: Board(3, 3, rule="0a0/111/010"), "'0a0/111/010' 0 1"),
        (lambda: Board(3, 3, rule="000/000/000"), "stencil 1"),
        (lambda: Board(3, 3, rule="1" * 401), f"'{'1' * 40}...' 99 401"),
        (lambda: read_board(" \n\r\n\t"), "empty 0 1"),
        (lambda: read_board("\n10101\n11111\n1011\n"), "line 4 4 2 5"),
        (lambda: read_board("11\n\n11"), "line 2 one several"),
        (lambda: read_board("1 1\n1 2"), "line 2 column 3 '2' --levels 3"),
        (lambda: read_board("1 #\n1 2"), "line 2 column 3 '2'"),
        (lambda: read_board("\x1b[31m"), r"line 1 column 1 '\x1b' # ."),
        (lambda: read_board("", 3), "empty 0 2"),
        (lambda: read_board("01\n14", 3), "line 2 column 2 '4' --levels 5"),
        (lambda: read_board("0#", 3), "line 1 column 2 '#' 0 2 3"),
        (lambda: read_board("01", 4), "levels 2, 3, 5, 7 4"),
        # Searches and puzzles.
        (lambda: la.nearest_accessible(BOARD, ON, ip="lp"), "ip auto 'lp'"),
        (lambda: la.nearest_accessible(Board(300, 300), np.eye(300), ip="paper"), "300x300 paper"),
        (lambda: la.nearest_accessible(BOARD, ON, time_limit=True), "time limit True"),
        (lambda: la.fewest_clicks(BOARD, ON, time_limit=np.nan), "time limit nan"),
        (lambda: la.chase(RING, ON[:3]), "chasing"),
        (lambda: la.nearest_accessible(THREE, ON[:3, :3], ip="paper"), "paper 2 levels"),
        (lambda: la.most_clicks(THREE), "hardest 2 levels 3"),
        (lambda: pose(FIVE, 1.5), "clicks 1 1.5"),
        (lambda: pose(FIVE, 4, RNG, seed=1), "rng seed"),
        (lambda: pose(RING, 12), "4x3 'ring' wrapped 12 6"),
        # Half of the 360 cells that lie on a quiet pattern, and the one that lies on none, less the
        # one that is saved where classes of cells are odd.
        (lambda: pose(LARGE, 300), "19x19 300 180"),
        (lambda: pose(LARGE, 175, RNG, time_limit=EndsAfter(200)), "180"),
        (lambda: la.pose_series(THREE, []), "counts"),
        (lambda: sketch(BOARD, np.zeros((2, 3, 4))), "greys shape (2, 3, 4)"),
        (lambda: sketch(BOARD, ON[None] / 2), "2 frames 1"),
        (lambda: sketch(BOARD, np.full((2, 4, 4), 2)), "greys 0..1 2..2"),
        (lambda: sketch(BOARD, [ON / 2] * 2, price=0), "price 0"),
        (lambda: sketch(BOARD, [ON / 2] * 2, blur=5), "blur 4 5"),
        (lambda: dither([[0.5, 1.5]]), "0.5..1.5"),
        (lambda: dither([0.5]), "(1,)"),
        (lambda: dither([[0.5], [0.5, 0.5]]), "real"),
        (lambda: dither([[0.5]], "floyd"), "'floyd'"),
        (lambda: dither([[0.5]], ["bayer"]), "threshold ['bayer']"),
        (lambda: dither([[0.5]], "bayer", serpentine=True), "dither serpentine 'bayer'"),
        (lambda: dither([[0.5]], plane=3), "plane 0 2 3"),
        # Looks.
        (lambda: Theme(language="xx"), "de, es, fr, pl or a .toml file, not 'xx'"),
        (lambda: Theme(colours="red"), "colours 2 256 1"),
        (lambda: Theme(colours="red,bluu"), "'bluu' blue?"),
        (lambda: Theme(colours="red,blue", lit="white"), "colours lit"),
        (lambda: Theme(colours="a.hex"), "'a.hex'"),  # names no file: it may be a stranger's
        (lambda: bytes_of(canvas="8x50"), "9x6 8x50"),
        (lambda: bytes_of(canvas="50x50", gap=9), "9 px 90x60 50x50"),
        (lambda: bytes_of("webm", canvas="20000x20"), "16384 canvas"),
        (lambda: bytes_of(canvas="0x9"), "canvas 1 50000 0x9"),
        (lambda: bytes_of(canvas="wide", width=300), "canvas width"),
        (lambda: bytes_of(cell=2.5), "cell 1 2000 2.5"),
        (lambda: bytes_of(gap=300), "300 px 720 px"),
        (lambda: bytes_of(cell=2000, gap=2000), "400000000"),
        (lambda: lit_one_by_one(31, 8).to_bytes("wled"), "250 249 252"),
        (lambda: lit_one_by_one(12, 9, 71).to_bytes("wled"), "250 109 251"),
        (lambda: lit_one_by_one(4, 4, 255).to_bytes("wled"), "254 255"),
    ],
)
def test_a_wrong_argument_is_refused_in_one_line(call, facts):
    assert_refused(call, facts)
    assert len(refusal(call)) < 300


def test_iterables_of_pictures_are_accepted_as_lists(tmp_path):
    def pictures():
        yield FADE
        yield FADE[:, ::-1]

    animation = la.make(pictures(), size="4x3", seed=1)
    assert np.array_equal(animation.last, la.make(list(pictures()), size="4x3", seed=1).last)
    la.make(np.array([FADE, FADE[:, ::-1]]), size="4x3")
    outputs = la.Outputs(output=(tmp_path / name for name in ["a.gif", "b.gif"]))
    la.make_files(pictures(), la.Settings(size="4x3"), la.Theme(), outputs)
    assert (tmp_path / "a.gif").exists()
    assert la.verify(tmp_path / "b.gif", targets=pictures()).wrong == [0, 0]


def test_lists_of_numbers_are_configurations():
    board = Board(2, 2)
    assert np.array_equal(board.toggles([[1, 0], [0, 1]]), board.toggles(np.eye(2) > 0))
    assert la.board_text(np.eye(2)) == "10\n01\n"


def test_public_functions_go_to_other_processes():
    assert pickle.loads(pickle.dumps(la.verify)) is la.verify
