from functools import partial

import numpy as np
import pytest
from PIL import Image
from tools.clips import animated
from tools.films import document_of
from tools.option_values import NEEDS, SETTINGS
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.errors import OptionError, SolverError
from lightsanim.options.settings import transitions_with_option


@pytest.mark.parametrize("rgb", [False, True])
def test_make_leads_from_the_first_picture_to_the_last(photographs, rgb):
    options = {"size": 40, "seed": 7, "rgb": rgb, "ease": "linear"}
    animation, report = la.make_with_report(photographs, **options)
    board, ends = animation.board, (animation.first, animation.last)
    assert (board.columns, board.rows) == (40, 26)  # the cat's shape, 151 x 100
    assert ends[0].shape == ((3, 26, 40) if rgb else (26, 40))
    rows = zip(photographs, report.pictures, ends, animation.targets, strict=True)
    for path, facts, shown, lights in rows:
        picture, planes = la.load_picture(path, rgb=rgb), np.reshape(shown, (-1, *board.shape))
        dithered = la.targets_for(picture, board, la.Settings(**options))
        targets = [target.configuration for target in dithered]
        assert np.array_equal(np.squeeze(targets), lights)
        assert facts.bound <= (planes ^ targets).sum() == facts.wrong <= facts.chased_wrong
        assert all(map(board.is_accessible, planes))
        assert facts.path == str(path)
    assert report.moves[0].clicks == animation.count
    assert animation.pictures == ("cat", "coffee")


def test_perfect_board_has_no_wrong_cells_and_is_suggested(ramps):
    # OEIS A076436 has 15, and neither 16 nor 17.
    _, report = la.make_with_report(ramps, size="16x16", fit="stretch")
    assert any(picture.wrong for picture in report.pictures)
    [note] = report.notes
    assert all(fact in note for fact in ("--perfect", "15x15"))
    for options, side in (({"size": "16x16"}, 15), ({"size": "23x23", "rule": "king"}, 24)):
        _, report = la.make_with_report(ramps, **options, perfect=True, fit="stretch")
        assert report.board.items() >= {"nullity": 0, "columns": side, "rows": side}.items()
        assert [picture.wrong for picture in report.pictures] == [0, 0]
        assert report.notes == []


def test_a_legal_order_presses_only_unlit_cells():
    # On a board of one row and one column the one click is legal when the cell is unlit.
    black, white = np.zeros((1, 1)), np.ones((1, 1))
    animation = la.make([black, white], size="1x1", order="legal")
    assert animation.clicks.tolist() == [0]
    with pytest.raises(SolverError, match="legal"):
        la.make([white, black], size="1x1", order="legal")
    assert len(la.make([white, black], size="1x1", order="legal", press="lit").clicks) == 1


def test_a_cycle_leads_back_as_the_first_picture_once_more_does(ramps):
    cycle, report = la.make_with_report(ramps, size="12x8", ending="cycle", seed=1)
    chain, _ = la.make_with_report([*ramps, ramps[0]], size="12x8", seed=1)
    assert len(report.moves) == 2
    back = np.searchsorted(cycle.clicks_done, report.moves[0].clicks)
    for film, frames in ((cycle, [0, back]), (chain, [0, back, len(chain) - 1])):
        assert np.array_equal(film.clicks, cycle.clicks)
        assert np.array_equal(film.first, film.last)
        assert [frame for frame, _ in film.holds] == frames


def test_a_boomerang_goes_back_by_the_same_clicks(photographs):
    animation = la.make(photographs, size="12x8", ending="boomerang", rgb=True, seed=1)
    half = len(animation.clicks) // 2
    assert np.array_equal(animation.clicks[:half], animation.clicks[half:][::-1])
    assert np.array_equal(animation.primaries[:half], animation.primaries[half:][::-1])
    assert np.array_equal(animation.first, animation.last)


def test_pictures_held_in_memory_have_names_of_their_own(ramps):
    with Image.open(ramps[0]) as image:
        assert la.make([image, np.eye(20)], size=10).pictures == ("picture", "picture")


def test_one_run_writes_several_files_and_reports_them(ramps, tmp_path):
    paths = [tmp_path / name for name in ("a.gif", "a.mp4", "a.json")]
    messages, outputs = [], la.Outputs(output=paths)

    def progress(*message):
        messages.append(message)

    report = la.make_files(ramps, la.Settings(size=12), la.Theme(cell=3), outputs, progress)
    assert list(report.seconds) == ["read", "nearest", "fewest", "order", "write"]
    assert [stage for stage, share, _ in messages if share == 0] == list(report.seconds)
    assert max(share for stage, share, _ in messages if stage == "write") == 1


# Not in the animation: backdrop (the pictures are opaque), ip, time_limit; press is for the order
# legal; levels are dithered, and no more yet; start, end and at are for clips.
UNRECORDED = {"backdrop", "ip", "time_limit", "press", "levels", "start", "end", "at"}

AUTOMATON = {"size": "9x10", "transition": "automaton"}

# Without time, so that the search is quick.
SKETCH = {"size": "4x3", "transition": "sketch", "sketch_frames": 2, "time_limit": 1e-9}

WIPE = {"size": "9x9", "order": "radial", "ease": "linear"}
DEFAULTS = {("sketch",): SKETCH, ("automaton",): AUTOMATON}


@pytest.mark.parametrize("option", [name for name in SETTINGS if name not in UNRECORDED])
def test_every_option_reaches_the_animation(photographs, option):
    defaults = DEFAULTS.get(transitions_with_option(option), WIPE)
    pictures = photographs[:1] if defaults is AUTOMATON else photographs
    options = {"seed": 1, **defaults, **NEEDS.get(option, {})}
    if option == "transition":
        del options["order"]  # which is of wipes
    changed = options | {option: SETTINGS[option][0]}
    films = [la.make(pictures, **some) for some in (options, changed)]
    assert document_of(films[0])["sha256"] != document_of(films[1])["sha256"]


def test_make_uses_fewest_clicks_and_least_visible_cells(photographs):
    options = {"size": "19x19", "seed": 7}
    animation, report = la.make_with_report(photographs, **options)
    settings = la.Settings(**options)
    board = animation.board
    assert report.moves[0].status == "optimal"
    clicks = board.clicks_between(animation.first, animation.last)
    assert report.moves[0].clicks == len(animation.clicks) == la.fewest_clicks(board, clicks).count
    (target,) = la.targets_for(la.load_picture(photographs[0]), board, settings)
    wrong = animation.first ^ target.configuration
    nearest = la.nearest_accessible(board, target.configuration)
    visibility = target.margin[wrong].sum()
    assert visibility < target.margin[nearest.configuration ^ target.configuration].sum()


def test_make_files_beyond_limits_is_refused(ramps, tmp_path):
    make, film = partial(la.make_files, [ramps[0]] * 3), la.Outputs(output=[tmp_path / "a.gif"])
    sheet = {"path": tmp_path / "s.png", "frames": 1000}
    sheet = la.Outputs(output=[tmp_path / "a.json"], sheet=sheet)
    long, wide = la.Settings(size=12, hold_last=400), la.Theme(width=40_000)
    assert_refused(lambda: make(long, la.Theme(), film), "655", OptionError)  # holds add up
    assert_refused(lambda: make(la.Settings(), wide, sheet), "pixels", OptionError)
    assert not list(tmp_path.glob("a.*"))


@pytest.mark.parametrize("kind", ["film", "still", "sheet"])
@pytest.mark.posix
def test_make_files_never_overwrites_linked_source(tmp_path, kind):
    source, link = tmp_path / "source", tmp_path / ("out.gif" if kind == "film" else "out.png")
    animated(tmp_path / "clip.gif", [np.eye(9) > 0, np.ones((9, 9)) > 0], 100).rename(source)
    link.symlink_to(source)
    content = source.read_bytes()
    outputs = {
        "film": la.Outputs(output=[link]),
        "still": la.Outputs(output=[tmp_path / "a.gif"], still={"path": link, "frame": 0}),
        "sheet": la.Outputs(output=[tmp_path / "a.gif"], sheet={"path": link, "frames": 2}),
    }
    make = partial(la.make_files, [source, source], la.Settings(size="4x4"), la.Theme())
    assert_refused(lambda: make(outputs[kind]), link.name, OptionError)
    assert source.read_bytes() == content


# What `make` does when nobody says more.


@pytest.mark.parametrize(
    ("shape", "levels"),
    [((300, 450), 2), ((300, 450), 3), ((100, 80), 3), ((90, 160), 5), ((70, 70), 2), ((9, 40), 3)],
)
def test_the_usual_board_is_perfect_and_has_ten_thousand_cells(shape, levels):
    height, width = shape
    ramp = np.linspace(0, 1, height * width).reshape(shape)
    options = {"levels": levels, "clicks_per_frame": 999, "order": "random"}  # is quick
    film, report = la.make_with_report([ramp, ramp[::-1]], **options)
    board = film.board
    assert board.nullity == 0
    assert board.cells == pytest.approx(10_000, rel=0.1)
    assert board.columns / board.rows == pytest.approx(width / height, rel=0.06)
    assert film.origin.settings["size"] == f"{board.columns}x{board.rows}"
    assert not any(picture.wrong for picture in report.pictures)


@pytest.mark.parametrize(
    "options",
    [
        {"size": 60},
        {"transition": "sketch", "time_limit": 1e-9},
        {"rule": "110/111/010"},  # takes elimination
    ],
)
def test_other_boards_have_sixty_columns(options):
    ramp = np.linspace(0, 1, 30 * 45).reshape(30, 45)
    assert la.make([ramp, ramp[::-1]], clicks_per_frame=999, **options).board.shape == (40, 60)


def test_a_canvas_gives_the_board_its_shape(run, ramps):
    assert run("make", *ramps, "-o", "story.json", "--canvas", "story")[0] == 0
    board = la.load_animation("story.json").board
    assert 15 * board.columns == 1080
    assert 15 * board.rows == 1920


def test_auto_order_contour_for_photos_radial_for_drawings(photographs):
    drawings = ["sample:cat", "sample:butterfly"]
    for pictures, order in ((photographs, "contour"), (drawings, "radial")):
        options = {"size": "40x40", "seed": 1, "ease": "linear"}
        film, expected = la.make(pictures, **options), la.make(pictures, **options, order=order)
        assert film.origin.settings["order"] == order
        assert film.clicks.tolist() == expected.clicks.tolist()


def test_a_picture_of_one_colour_is_named():
    flat = np.full((30, 40, 3), [200, 30, 30], np.uint8)
    ramp = np.linspace(0, 1, 1200).reshape(30, 40)
    _, report = la.make_with_report([flat, ramp], size="10x8")
    assert "colour" in report.notes[0]
    assert len(la.make([flat[:1, :1], ramp], size="10x8").clicks)
