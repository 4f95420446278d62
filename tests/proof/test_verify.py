"""`lightsanim verify`, and what files say of themselves."""

import hashlib
import html
import json
import os
import re
import zlib
from dataclasses import replace
from functools import partial
from itertools import groupby, product
from xml.etree import ElementTree

import numpy as np
import pytest
from fuzz.mutation import png_of, png_parts
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy import ndimage
from tools.clips import animated
from tools.films import (
    FRAMES,
    LOSSY,
    SUFFIXES,
    assert_illegal,
    first_illegal,
    flip_a_cell,
    is_legal,
    opened,
    random_film,
    refusal,
    relabelled,
    saved,
    shown_presses,
    shown_shades,
    some_kinds,
)
from tools.program import ask
from tools.refusals import assert_refused
from tools.written import strictly

import lightsanim as la
from lightsanim.errors import AnimationError
from lightsanim.film.origin import Origin
from lightsanim.game.board.rule import RULES
from lightsanim.options.records import options_from_record
from lightsanim.output.formats.bit_packing import pack_numbers, unpack_numbers
from lightsanim.output.formats.metadata import frame_digest
from lightsanim.output.formats.page import FILM_TAG
from lightsanim.proof.click_finder import BoardChange, ClickFinder

LONG = pytest.mark.long
LEVELS = {"levels": (3, 5, 7), "seed": 2}
STEPS = {"levels": (2, 2, 3, 5), "seed": 3, "steps": True}


def kinds_of(quick, count, *args, **options):
    """Kinds as parameters: some for the quick tests, the others for the long ones alone."""
    kinds = some_kinds(count, *args, **options)
    return kinds[:quick] + [pytest.param(kind, marks=LONG) for kind in kinds[quick:]]


def a_file(folder, suffix=".gif", look=None, **options):
    animation, path = random_film(**options), folder / f"film{suffix}"
    theme = la.Theme(**{"cell": 5, "gap": 1, **(look or {})})
    la.render_files(animation, theme, la.Outputs(output=path))
    return animation, path


def commented(path, comment):
    replace(opened(path), comment=comment).write(path)
    return path


KINDS = kinds_of(8, 100) + kinds_of(4, 50, **LEVELS) + kinds_of(4, 50, **STEPS)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_verify_file_of_any_kind_is_legal(tmp_path, kind):
    animation, path = kind.animation(), tmp_path / f"film{kind.suffix}"
    la.render_files(animation, kind.theme, la.Outputs(output=path))
    verdict, board = la.verify(path), animation.board
    assert (verdict.legal, verdict.reason, verdict.first_illegal) == (True, None, None)
    assert (verdict.rows, verdict.columns, verdict.boards) == (*board.shape, kind.boards)
    assert (verdict.rule, verdict.wrap, verdict.levels) == (board.rule, board.wrap, board.levels)
    assert verdict.clicks <= animation.count
    assert verdict.clicks == animation.count or board.nullity
    assert verdict.frames == len(shown_shades(kind, animation))
    if kind.suffix:
        assert verdict.seconds == pytest.approx(animation.durations().sum(), abs=0.06)


TAMPERED = kinds_of(6, 100, FRAMES, seed=1) + kinds_of(4, 50, FRAMES, **LEVELS)
TAMPERED += kinds_of(3, 20, FRAMES, **STEPS)


def smaller(kind):
    """The kind on a board so small that all click sets for a change can be tried."""
    if kind.suffix not in LOSSY:
        kind = replace(kind, rows=min(kind.rows, 7), columns=min(kind.columns, 9))
    while kind.levels**kind.board.nullity > 256:
        side = "rows" if kind.rows > 1 else "columns"
        kind = replace(kind, **{side: getattr(kind, side) - 1})
    return kind


@pytest.mark.parametrize("kind", TAMPERED, ids=str)
def test_verify_tampered_file_names_illegal_frame(tmp_path, kind):
    kind = smaller(kind)
    animation, path = saved(kind, tmp_path)
    film, rng = opened(path), np.random.default_rng(kind.seed)
    shades, presses = shown_shades(kind, animation), shown_presses(kind, animation)
    original, frame = [s.copy() for s in shades], int(rng.integers(len(shades)))
    lists = [film.frames, shades, presses] if presses else [film.frames, shades]
    how = kind.seed // len(FRAMES) % 4  # in the quick tests a cell is flipped in each format
    cell = int(rng.integers(kind.rows * kind.columns))
    if how == 0 or len(shades) < 3:
        flip_a_cell(film, frame, cell, kind, shades)
    elif how == 1 and presses:
        panel = kind.theme.geometry(kind.rows, kind.columns).panel
        flip_a_cell(film, frame, cell, kind, presses, panel)
    elif how <= 2:
        for frames in (film.milliseconds, *lists):
            del frames[frame]
    else:
        for frames in lists:
            frames[frame], frames[frame - 1] = frames[frame - 1], frames[frame]
    film.write(path)
    if kind.suffix == ".webp" and len(film.frames) == 1:  # Pillow makes a still of it
        assert not is_legal(path)
        return
    verdict = la.verify(path)
    if how == 3 and "mark" in kind.look and np.array_equal(shades[frame - 1], shades[frame]):
        assert verdict.verdict != "not legal"  # Marks come a frame late, and nothing else changes.
        return
    illegal = first_illegal(kind, shades, frame_digest(animation)[0], presses)
    # To drop or to swap frames that show the same changes nothing.
    assert verdict.legal == (different(shades) == different(original) and illegal is None)
    if kind.suffix not in (".gif", ".webp", ".apng"):  # Pillow leaves out what shows the same
        assert verdict.first_illegal == illegal


def different(shades):
    return [content for content, _ in groupby(s.tobytes() for s in shades)]


@pytest.mark.parametrize(("suffix", "key"), [(".json", "rows"), (".gif", "look")])
def test_json_duplicate_key_is_refused(tmp_path, suffix, key):
    # RFC 8259, section 4: which of the two values another program takes is "unpredictable".
    _, path = a_file(tmp_path, suffix)
    text = path.read_text() if suffix == ".json" else opened(path).comment
    twice = text.replace(f'"{key}":', f'"{key}":9,"{key}":', 1)
    path.write_text(twice) if suffix == ".json" else commented(path, twice)
    assert f"'{key}'" in refusal(path)


@pytest.mark.parametrize(
    ("frames", "first_illegal", "facts"),
    [
        (range(1, 9), None, "1 9 missing"),
        ([0, 1, 2, 3, 5, 6, 7, 8], 4, "frame 4"),
        (range(8), None, "1 9 missing"),
        ([*range(9), 7], 9, "frame 9"),
    ],
)
def test_verify_missing_or_extra_frame_is_illegal(tmp_path, frames, first_illegal, facts):
    _, path = a_file(tmp_path)
    film, times = opened(path), [100] * len(frames)
    replace(film, frames=[film.frames[n] for n in frames], milliseconds=times).write(path)
    assert_illegal(path, first_illegal, facts)


def test_verify_inaccessible_first_frame_is_illegal(tmp_path):
    for levels, reference in [(2, "all-on"), (3, "all-off")]:
        board, path = la.Board(5, 5, levels=levels), tmp_path / "a.gif"
        first = np.zeros_like(board.reference)
        first[0, 0] = 1  # a corner alone cannot be lit
        la.animate(board, first, [la.Clicks(np.array([7]))], la.Timing()).save(path, cell=3)
        assert_illegal(path, 0, f"{reference} frame 0")


CELL = np.s_[30:42, 16:28]
NEITHER = "frame 5 row 2 column 1 neither"


@pytest.mark.parametrize(
    ("suffix", "pixels", "levels", "facts"),
    [
        ("", (0, 30), 2, "frame 5 between"),
        (".webp", (35, 20), 2, NEITHER),
        (".gif", (35, 20), 3, "frame 5 row 2 column 1 level"),
        *((suffix, CELL, 2, NEITHER) for suffix in LOSSY),
    ],
)
def test_verify_foreign_pixel_colour_is_illegal(tmp_path, suffix, pixels, levels, facts):
    _, path = a_file(tmp_path, suffix, {"cell": 12, "gap": 2}, levels=levels)
    film = opened(path)
    film.frames[5][pixels] = (140, 130, 130)
    film.write(path)
    if suffix in LOSSY:  # A codec may have changed it.
        assert la.verify(path).verdict == "cannot tell"
        assert all(fact in refusal(path) for fact in facts.split())
    else:
        assert_illegal(path, 5, facts)


@pytest.mark.parametrize(
    ("frame", "labelled", "first_illegal", "fact"),
    [
        (5, False, 5, "frame 5"),
        (8, True, None, "1 of its 9"),
        (8, False, None, None),  # how many there are is not said
    ],
)
def test_verify_folder_missing_frame_is_named(tmp_path, frame, labelled, first_illegal, fact):
    _, path = a_file(tmp_path, "")
    if not labelled:
        commented(path, "mine")
    (path / "notes.txt").write_text("mine")
    assert la.verify(path, size="10x8").legal
    (path / f"{frame:05}.png").unlink()
    verdict = la.verify(path, size="10x8")
    assert verdict.first_illegal == first_illegal
    assert verdict.legal if fact is None else fact in verdict.reason


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("levels", [2, 5])
def test_find_single_distinguishes_single_clicks(rule, levels):
    for shape, wrap in product([(1, 5), (2, 2), (3, 3), (4, 6)], [False, True]):
        board = la.Board(*shape, rule=rule, wrap=wrap, levels=levels)
        finder, rng = ClickFinder(board), np.random.default_rng(0)
        pressed = [board.neighbourhood(*divmod(c, shape[1])) for c in range(board.cells)]
        twice = [board.add(raised, raised) for raised in pressed]
        noise = rng.integers(1, levels, (30, *shape)) * (rng.random((30, *shape)) < 0.4)
        for raised in [*pressed, *twice, *noise.astype(pressed[0].dtype)]:
            if raised.any():
                clicks = finder.find_clicks(change_of(raised))
                singles = [c for c, flips in enumerate(pressed) if np.array_equal(flips, raised)]
                assert sorted(clicks) == singles, (shape, wrap)


def change_of(raised):
    return BoardChange(np.flatnonzero(raised), raised[raised != 0])


@pytest.mark.parametrize(
    ("side", "levels"),
    [(4, 2), (14, 3), *(pytest.param(*m, marks=LONG) for m in [(16, 2), (19, 5), (20, 7)])],
)
@settings(max_examples=20)
@given(data=st.data())
def test_click_finder_finds_fewest_clicks(side, levels, data):
    # These boards have quiet patterns; what is asked for is what `fewest_clicks` proves.
    board = la.Board(side, side, levels=levels)
    count = data.draw(st.integers(1, 12))
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    clicks = np.zeros_like(board.reference)
    clicks.flat[rng.choice(board.cells, count, replace=False)] = rng.integers(1, levels, count)
    fewest, change = la.fewest_clicks(board, clicks).count, change_of(board.toggles(clicks))
    assert ClickFinder(board).count_clicks(change, fewest).clicks == fewest
    if fewest > 2:
        assert ClickFinder(board).count_clicks(change, fewest - 1)[:2] == (fewest, fewest)


# Nullities 32 and 39.
@pytest.mark.parametrize(("side", "levels"), [(67, 2), pytest.param(53, 3, marks=LONG)])
def test_verify_high_nullity_board_counts_clicks(tmp_path, side, levels):
    board, rng = la.Board(side, side, levels=levels), np.random.default_rng(0)
    cells = la.order_clicks(rng.random(board.shape) < 0.1, "random", rng)
    timing = la.Timing(clicks_per_frame=100)
    animation = la.animate(board, board.reference, [la.Clicks(cells)], timing)
    animation.save(tmp_path / "a.gif", cell=1, gap=0)
    verdict = la.verify(tmp_path / "a.gif")
    assert (verdict.legal, verdict.clicks, verdict.most_clicks) == (True, len(cells), 100)


@pytest.mark.long
def test_verify_unproven_minimum_cannot_tell(tmp_path):
    # 128 x 128 has nullity 56: too many click sets to try, and no light one at hand.
    board = la.Board(128, 128)
    cells = np.flatnonzero(np.random.default_rng(1).random(board.shape) < 0.45)
    timing = la.Timing(clicks_per_frame=len(cells))
    animation = la.animate(board, np.ones(board.shape, bool), [la.Clicks(cells)], timing)
    animation.save(tmp_path / "a.gif", cell=1, gap=0)
    verdict = la.verify(tmp_path / "a.gif")
    assert (verdict.verdict, verdict.legal, verdict.clicks) == ("cannot tell", False, None)
    assert "frame 1 " in verdict.reason


@pytest.mark.parametrize(
    ("suffix", "options"),
    [
        (".html", {"ending": "cycle", "hold_first": 0, "hold_last": 0}),
        (".gif", {"fps": 240, "hold_last": 0}),  # thinned to 50 frames a second
        (".mp4", {"rgb": True}),
        (".webp", {"levels": 5, "rgb": True, "ending": "cycle"}),
        (".webm", {"levels": 7, "ending": "boomerang"}),
        (".gif", {"size": "19x19"}),
        (".mp4", {"ease": "in-out", "fps": 50, "size": "5x4"}),  # frames without a click
    ],
    ids=str,
)
def test_verify_made_animation_matches_its_targets(ramps, tmp_path, suffix, options):
    timing = {"duration": 0.5, "hold_first": 0.1, "hold_last": 0.1}
    options = {"size": "9x6", "seed": 1, **timing, **options}
    animation, facts = la.make_with_report(ramps, **options)
    animation.save(tmp_path / f"a{suffix}", cell=10)
    verdict = la.verify(tmp_path / f"a{suffix}", targets=ramps)
    assert (verdict.legal, verdict.reason, verdict.notes) == (True, None, [])
    assert verdict.wrong == [picture.wrong for picture in facts.pictures]
    assert verdict.shown[0] == 0


@pytest.mark.parametrize(("boards", "levels"), [(1, 7), (3, 5)])
def test_verify_counts_wrong_cells_of_all_levels(tmp_path, boards, levels):
    animation = random_film(boards=boards, levels=levels)
    settings = {"dither": "threshold", "detail": 0, "autocontrast": False, "rgb": boards == 3}
    origin = Origin(program="1", settings={"size": "10x8", **settings}, sha256=())
    replace(animation, origin=origin).save(tmp_path / "a.gif", cell=4)
    first = np.moveaxis(animation.first, 0, -1) if boards == 3 else animation.first
    changed = first.copy()
    for number, cell in enumerate([(0, 0), (3, 4), (7, 9)]):
        changed[cell] = (changed[cell] + 1 + number % (levels - 1)) % levels
    pictures = [np.rint(p * (255 / (levels - 1))).astype(np.uint8) for p in (first, changed)]
    assert la.verify(tmp_path / "a.gif", targets=pictures).wrong[0] == 0
    assert la.verify(tmp_path / "a.gif", targets=pictures[1:]).wrong == [3 * boards]


CLICKED = {"detail": 0, "autocontrast": False}


@pytest.mark.parametrize(
    ("suffix", "side", "levels", "pace", "look", "is_known"),
    [
        (".gif", 6, 2, 4, {}, True),
        (".mp4", 6, 5, 4, {}, True),
        (".html", 5, 2, 1, {}, True),
        (".gif", 5, 2, 1, {}, True),
        (".apng", 5, 2, 4, {}, False),
        (".apng", 4, 3, 1, {"show_clicks": "right-total"}, True),
    ],
)
def test_clicks_target_is_compared_with_clicks(
    tmp_path, run, refused, suffix, side, levels, pace, look, is_known
):
    # The boards of 5 x 5 and, with three levels, 4 x 4 have quiet patterns.
    rng = np.random.default_rng(side)
    clicks = rng.integers(0, levels, (side, side))
    cells = rng.permutation(np.repeat(np.arange(side * side), clicks.ravel()))
    board = la.Board(side, side, levels=levels)
    film = la.animate(board, board.reference, [la.Clicks(cells)], la.Timing(clicks_per_frame=pace))
    film = replace(film, origin=Origin(program="1", settings=CLICKED, sha256=()))
    path, picture = tmp_path / f"a{suffix}", tmp_path / "clicks.png"
    film.save(path, cell=12, **look)
    grey = np.rint(clicks * (255 / (levels - 1))).astype(np.uint8)
    Image.fromarray(grey).save(picture)
    if not is_known:
        refused(["verify", path, "--clicks-target", picture], 2, "clicks_target quiet")
        return
    for target in (picture, 255 - grey):
        error = la.verify(path, clicks_target=target).clicks_error
        wanted = clicks / (levels - 1) if target is picture else 1 - clicks / (levels - 1)
        # The clicks of `make` draw black as 0.18 and white as 0.8.
        difference = clicks / (levels - 1) - (0.18 + 0.62 * wanted)
        blurred = ndimage.gaussian_filter(difference, 1.3, truncate=4, mode="reflect")
        assert error == pytest.approx(np.sqrt(np.mean(blurred**2)), abs=0.003)  # of rounded bytes
    line = run("verify", path, "--clicks-target", picture)[1].splitlines()[1]
    assert line.startswith(f"{picture}: the clicks have a blurred error of 0.")


def test_verify_foreign_target_and_options_are_noted(ramps, tmp_path, run):
    foreign = tmp_path / "foreign.png"
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (16, 24), np.uint8)).save(foreign)
    words = "--dither bayer --no-autocontrast --detail 0.1234567 --invert"
    run("make", *ramps, "-o", "a.gif", "--size", "12x8", "--duration", 1, *words.split())
    verdict = la.verify(tmp_path / "a.gif", targets=[ramps[0], foreign])
    assert verdict.wrong[0] == 0
    assert verdict.wrong[1] > 10
    dithered, stranger = verdict.notes
    assert [word for word in words.split() if word not in dithered] == []
    assert f"{foreign}" in stranger
    assert dithered in run("verify", "a.gif", "--targets", *ramps)[1]


@pytest.mark.parametrize(
    ("suffix", "levels", "look", "facts"),
    [
        (".mp4", 2, {"cell": 2, "mark": "red"}, "marks hide"),
        (".gif", 2, {"lit": "#1a1a1a"}, "lit unlit alike"),
        (".gif", 5, {"lit": "#393939"}, "two levels alike"),
        (".mp4", 5, {"colours": "#191919,#f5f5f5,white"}, "two levels alike"),
        (".mp4", 5, {"lit": "white", "cell": 1}, "5 levels pixel"),
        (".gif", 5, {"cell": 3, "lit": "white", "mark": "red"}, "marks hide"),
        # In cells of 2 pixels marks fill the cells, so clicked cells would all look lit.
        (".gif", 2, {"cell": 2, "gap": 0, "lit": "white", "mark": "#fefefe"}, "marks hide"),
    ],
)
def test_verify_indistinguishable_cells_are_refused(tmp_path, suffix, levels, look, facts):
    _, path = a_file(tmp_path, suffix, look, levels=levels)
    assert_refused(lambda: la.verify(path), facts)


@pytest.mark.parametrize(
    ("suffix", "look"),
    [
        *((".gif", {"cell": cell, "mark": "tomato"}) for cell in (1, 3)),
        (".webp", {"cell": 4, "mark": "tomato"}),
        # Darker than half way, hardly lighter than the unlit colour, or darker than both.
        (".gif", {"colours": "black,#404040,white"}),
        (".gif", {"colours": "black,blue,white"}),
        *((suffix, {"colours": "#909090,#505050,white"}) for suffix in (".gif", ".mp4")),
    ],
)
def test_verify_any_marks_and_middle_colours_are_legal(tmp_path, suffix, look):
    levels = 3 if "colours" in look else 2
    look = {"cell": 8, **({} if "colours" in look else {"lit": "white"}), **look}
    assert is_legal(a_file(tmp_path, suffix, look, levels=levels, clicks_per_frame=3)[1])


@pytest.mark.parametrize("suffix", LOSSY)
def test_verify_one_pixel_cells_in_video_only_without_colour(tmp_path, suffix):
    words = tmp_path, suffix, {"cell": 1, "gap": 0}
    assert is_legal(a_file(*words, rows=90, columns=121, clicks=900, clicks_per_frame=300)[1])
    assert "videos" in refusal(a_file(*words, rows=30, columns=40, boards=3)[1])


def test_verify_gif_recompressed_by_gifsicle_is_legal(tmp_path):
    _, path = a_file(tmp_path)
    words = ["-O3", "--no-comments", "-c", "mine", "-c", opened(path).comment, "-c", "and mine"]
    ask("gifsicle", path, *words, "-o", tmp_path / "out.gif")
    assert is_legal(tmp_path / "out.gif")


LOOK = {"cell": 5, "gap": 1}


def metadata_in(path):
    """All that a file says, as JSON objects, each read by somebody else's program.

    RFC 8259, section 6: "Numeric values that cannot be represented in the grammar [...] (such as
    Infinity and NaN) are not permitted."
    """
    if path.is_dir():
        return [strictly(Image.open(file).text["Comment"]) for file in path.iterdir()]
    if path.suffix == ".svg":
        return [strictly(ElementTree.parse(path).findtext("{*}metadata"))]
    text = path.read_text() if path.suffix in (".json", ".html") else opened(path).comment
    if path.suffix == ".html":
        text = re.search(r'id="film">(.*?)</script>', text)[1]
    if path.suffix == ".webp":
        text = html.unescape(re.search(r"<rdf:li[^>]*>(.*?)</rdf:li>", text)[1])
    return [strictly(text)]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_metadata_reproduces_file_and_reveals_no_path(ramps, tmp_path, suffix):
    path, again = tmp_path / "deep" / f"film{suffix}", tmp_path / f"again{suffix}"
    path.parent.mkdir()
    own = {"size": "12x8", "seed": 7, "order": "noise", "rgb": True}
    film, theme = la.make(ramps, **own, duration=1), la.Theme(**LOOK)
    la.render_files(film, theme, la.Outputs(output=path))
    sums = [hashlib.sha256(ramp.read_bytes()).hexdigest() for ramp in ramps]
    for metadata in metadata_in(path):
        origin, settings = metadata["origin"], metadata["origin"]["settings"]
        assert origin["sha256"] == sums
        assert la.Settings(**settings) == la.Settings(**own, duration=1).with_defaults_for()
        assert origin["program"] == metadata.get("program", la.__version__) == la.__version__
    files = [path, *path.glob("*")] if path.is_dir() else [path]
    for file in files:
        content = file.read_bytes() if file.is_file() else b""
        for secret in (str(tmp_path), ramps[0].name, tmp_path.name, "/tmp"):
            assert secret.encode() not in content
    la.make(ramps, **settings).save(again, **metadata.get("look", LOOK))
    if suffix in (".gif", ".webp", ".apng", ".json", ".svg"):  # encoders of videos may differ
        assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", ["a.html", "a.gif"])
def test_infinite_time_limit_is_written_as_inf(run, ramps, name):
    words = ["-o", name, "--size", "4x3", "--time-limit", "inf", "--json", "-q"]
    status, out, _ = run("make", *ramps, *words)
    assert status == 0
    assert strictly(out)["outputs"] == [name]
    settings = metadata_in(ramps[0].parent / name)[0]["origin"]["settings"]
    assert settings["time_limit"] == "inf"
    assert options_from_record(la.Settings, settings).time_limit == float("inf")


@pytest.mark.parametrize("suffix", [".html", ".gif"])
def test_numpy_numbers_are_written_as_json_numbers(tmp_path, suffix):
    board, two = la.Board(np.int64(4), np.int8(4)), np.float32(2)
    moves = [la.Clicks(np.array([0, 5]))]
    timing = la.Timing(fps=np.float32(25), loop=np.int64(2), hold_last=two, hold_first=np.int64(1))
    animation = la.animate(board, np.zeros((4, 4), bool), moves, timing, seed=np.int64(3))
    holds = ((np.int64(0), two), [np.int64(1), np.float16(0.5)])
    plain = {**vars(animation), "loop": np.int8(2), "seed": np.uint8(3)}
    by_hand = la.Animation(**{**plain, "fps": np.float32(25), "holds": holds})
    for film in (animation, by_hand):
        file = tmp_path / f"a{suffix}"
        film.save(file, cell=np.int64(4), gap=np.int8(1), lit=(np.uint8(99),) * 3)
        assert la.verify(file).legal


@given(st.lists(st.integers(0, 2**32 - 1), max_size=40))
def test_unpack_numbers_inverts_pack_numbers(numbers):
    array = unpack_numbers(list(pack_numbers(np.array(numbers, np.int64))))
    assert (array.tolist(), array.dtype) == (numbers, np.min_scalar_type(max(numbers, default=1)))


@pytest.mark.parametrize(
    ("value", "facts"),
    [
        *((v, "[ bits") for v in (None, [1, 33, ""], [0, True, ""])),
        ([3, 2, "b?=="], "base64"),
        ([10**12, 1, "AA=="], "1000000000000 1"),
        ([3, 2, "bB=="], "bits"),
        ([2, 8, "AQE="], "bits"),  # that no number needs
    ],
)
def test_unpack_numbers_invalid_value_is_refused(value, facts):
    assert_refused(lambda: unpack_numbers(value), facts, AnimationError)


def with_metadata(folder, **changes):
    return relabelled(a_file(folder, clicks=2)[1], **changes)


ORIGIN = {"program": "9", "settings": {}, "sha256": []}


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({"version": 3}, "version 3"),
        ({"board": {"rows": 9}}, "61x49 61x55"),
        ({"board": {"rule": "bishop"}}, "damaged"),
        ({"board": {"boards": 2}}, "boards 1 3 2"),
        ({"board": {"rows": 400, "columns": 400, "wrap": True}}, "400x400 large"),
        ({"look": {"cell": 2001}}, "cell 1 2000 2001"),
        ({"look": {"gap": None}}, "look gap"),
        ({"look": {"lit": "blurple"}}, "lit colour"),
        ({"steps": [10**9, 8, "AAAA"]}, "1000000000 8 3"),
        ({"frames": "many"}, "frames whole"),
        ({"origin": {}}, "origin null"),
        ({"origin": {**ORIGIN, "program": 1}}, "settings texts"),
        ({"origin": {**ORIGIN, "settings": {"a": [1]}}}, "settings texts"),
        ({"origin": {**ORIGIN, "sha256": ["x"]}}, "64 'x'"),
        ({"origin": {**ORIGIN, "cut_short": 1}}, "cut_short"),
        ({"board": {"wrap": True}}, "frame"),
        ({"sha256": "0" * 64}, "written"),
        ({"look": {"lit": "#191919", "unlit": "#f2f2f2"}}, "written"),
    ],
)
def test_metadata_contradicting_itself_or_file_is_refused(tmp_path, changes, facts):
    line = refusal(with_metadata(tmp_path, **changes))
    assert all(fact in line for fact in facts.split()), line


@pytest.mark.parametrize("settings", [{"gamma": -1, "of the future": 3}, {"time_limit": 10**400}])
def test_verify_invalid_settings_refused_only_with_targets(ramps, tmp_path, settings):
    path = with_metadata(tmp_path, origin={**ORIGIN, "settings": settings})
    assert la.verify(path).legal
    assert_refused(lambda: la.verify(path, targets=ramps), "settings", AnimationError)


def a_strange_gif(path, colours=((20, 20, 60), (230, 230, 230))):
    board, rng = la.Board(6, 7, levels=len(colours)), np.random.default_rng(0)
    frames = [rng.integers(0, board.levels, board.shape)]
    for cell in rng.integers(0, board.cells, 12).tolist():
        frames.append((frames[-1] + board.neighbourhood(*divmod(cell, 7))) % board.levels)
    animated(path, np.array(colours, np.uint8)[np.array(frames).repeat(9, 1).repeat(9, 2)], 100)
    return path


def test_verify_foreign_file_with_size_is_legal(tmp_path):
    path = a_strange_gif(tmp_path / "a.gif")
    verdict = la.verify(path, size="7x6")
    facts = verdict.legal, verdict.frames, verdict.clicks, verdict.most_clicks
    assert facts == (True, 13, 12, 1)
    assert la.verify(path, size=7) == verdict
    assert la.verify(path, size=7, rule="plus", wrap=False) == verdict
    assert len(verdict.notes) == 1  # clicks can make any change of this board
    assert la.verify(path, size=7, wrap=True).first_illegal is not None


@pytest.mark.parametrize("levels", [3, 7])
def test_verify_foreign_file_needs_evenly_spaced_levels(tmp_path, levels):
    even = np.linspace(0, 1, levels)[:, None].repeat(3, 1)
    path = a_strange_gif(tmp_path / "a.gif", 20 + 210 * even)
    verdict = la.verify(path, size="7x6", levels=levels)
    facts = verdict.legal, verdict.levels, verdict.clicks, verdict.most_clicks
    assert facts == (True, levels, 12, 1)
    assert la.verify(path, size="7x6").reason.endswith("neither lit nor unlit")
    a_strange_gif(path, 20 + 210 * even**2)
    verdict = la.verify(path, size="7x6", levels=levels)
    assert (verdict.legal, verdict.clicks) != (True, 12)


def test_verify_contradicting_board_options_are_refused(tmp_path):
    _, path = a_file(tmp_path)
    assert la.verify(path, size="10x8", rule="plus", wrap=False).legal
    assert la.verify(path, size=10).legal
    for board, facts in [
        ({"size": "8x10"}, "10x8 8x10"),
        ({"wrap": True}, "not wrapped"),
        ({"rule": "bishop"}, "rule"),
        ({"levels": 3}, "2 levels 3"),
    ]:
        assert_refused(partial(la.verify, path, **board), facts)
    assert "wrapped" in refusal(relabelled(path, board={"wrap": True}), wrap=False)


# Words, exit status, and what the one line says beside other words.
BAD = [
    ("none.gif", 1, "none.gif: No such file"),
    ("empty.gif", 1, "empty.gif: empty"),
    ("empty", 1, "folder 00000.png"),
    ("text.webp", 1, "text.webp: suffix"),
    ("other.gif --size 400x400", 2, "63x54 400x400"),
    ("grey.gif --size 7", 1, "grey.gif: alike"),
    ("dim.gif --size 7 --levels 5", 1, "dim.gif: 5 levels"),
    ("good.gif --targets none.png", 1, "none.png:"),
    ("good.gfi", 2, ".gif?"),
    ("cut.webp", 1, "cut.webp:"),
    ("cut.mp4", 1, "cut.mp4:"),
    ("cut.json", 1, "cut.json: JSON"),
    ("number.html", 1, "number.html: damaged object"),
    ("pipe.gif", 1, "pipe.gif: pipe"),
    ("63", 1, "pipe"),  # as of <(...), which has no suffix
    ("playlist.mp4", 1, "playlist.mp4: suffix"),
]


@pytest.fixture(scope="module")
def mess(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mess")
    for suffix in (".gif", ".webp", ".mp4", ".json"):
        a_file(folder, suffix)[1].rename(folder / f"good{suffix}")
        content = (folder / f"good{suffix}").read_bytes()
        (folder / f"cut{suffix}").write_bytes(content[: len(content) * 4 // 5])
    (folder / "number.html").write_text(f"{FILM_TAG}0</script>")
    (folder / "empty").mkdir()
    (folder / "empty.gif").touch()
    (folder / "text.webp").write_text("text")
    (folder / "playlist.mp4").write_text("#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n")
    a_strange_gif(folder / "other.gif")
    a_strange_gif(folder / "grey.gif", ((90, 90, 90), (95, 95, 95)))
    a_strange_gif(folder / "dim.gif", ((90, 90, 90), (120, 120, 120)))
    os.mkfifo(folder / "pipe.gif")
    os.mkfifo(folder / "63")
    return folder


@pytest.mark.parametrize(("words", "status", "facts"), BAD, ids=lambda v: None)
def test_verify_bad_input_gives_one_line_error(refused, mess, monkeypatch, words, status, facts):
    monkeypatch.chdir(mess)
    refused(["verify", *words.split()], status, facts)


def test_verify_command_legal_file_output(ramps, tmp_path, run):
    la.make(ramps, size="12x8", seed=1, rgb=True, duration=1).save(tmp_path / "a.gif", cell=3)
    status, out, err = run("verify", "a.gif", "--targets", *[ramp.name for ramp in ramps])
    assert (status, err) == (0, "")
    film, *targets = out.splitlines()
    verdict = la.verify(tmp_path / "a.gif")
    seconds = f"{4 + (verdict.frames - 1) / 25:g} s"
    for fact in ("a.gif", "12x8", "plus", seconds, verdict.frames, verdict.clicks, "three"):
        assert f"{fact}" in film
    assert re.match(r"right\.png: 0 .*\nleft\.png: 0 ", "\n".join(targets))
    assert run("verify", "a.gif", "-q") == (0, "", "")


def test_verify_command_json_report_members(tmp_path, run):
    a_file(tmp_path, levels=3)
    assert "3 levels" in run("verify", "film.gif")[1]
    status, out, err = run("verify", "film.gif", "--levels", "3", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "file": "film.gif", "verdict": "legal", "legal": True,
        "rows": 8, "columns": 10, "rule": "plus", "wrap": False, "levels": 3,
        "boards": 1, "frames": 9, "clicks": 8, "most_clicks": 1, "seconds": pytest.approx(0.9),
        "first_illegal": None, "reason": None, "wrong": None, "shown": None, "notes": [],
        "errors": None,
        "clicks_error": None,
        "command": None,
    }  # fmt: skip


def test_verify_command_illegal_file_exit_status(tmp_path, run):
    _, path = a_file(tmp_path, "")
    (path / "00003.png").unlink()
    status, out, err = run("verify", "film", "--json")
    report = json.loads(out)
    assert (status, report["legal"], report["first_illegal"]) == (1, False, 3)
    assert err == f"lightsanim: film is not legal: {report['reason']}\n"
    assert run("verify", "film")[:2] == (1, "")


def test_png_comment_bomb_is_refused(tmp_path):
    file = a_file(tmp_path, "")[1] / "00000.png"
    head, *parts = png_parts(file.read_bytes())
    packed = zlib.compress(b" " * 9_000_000)
    texts = b"zTXtComment\0\0" + packed, b"iTXtComment\0\1\0\0\0" + packed
    file.write_bytes(png_of([head, texts[0], *parts]))
    assert refusal(file.parent) is None
    file.write_bytes(png_of([head, *texts, *parts]))
    assert "comments are too large: more than 16777216 bytes" in refusal(file.parent)
