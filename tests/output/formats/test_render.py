import io
from functools import partial
from itertools import product

import numpy as np
import pytest
from PIL import Image, ImageSequence
from tools.cells import cell_centres
from tools.films import FRAMES, LOSSY, an_animation, opened, random_film, refusal, relabelled
from tools.program import ask
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim import Theme
from lightsanim.errors import OptionError
from lightsanim.film.timing import durations_to_ticks, limit_fps
from lightsanim.options.choices import PALETTES
from lightsanim.options.colours import to_colour
from lightsanim.output.formats.registry import FORMATS
from lightsanim.output.formats.video import write_video
from lightsanim.output.look.tiles import make_tiles
from lightsanim.output.saving.atomic import write_files_together
from lightsanim.output.saving.output_files import OutputFiles, describe_format_limits
from lightsanim.pictures.light import decode_srgb


@pytest.mark.parametrize(
    ("first", "last", "look"), [(0.7, 1.5, {}), (3, 0, {"shape": "circle", "palette": "amber"})]
)
@pytest.mark.parametrize("suffix", [".webp", ".apng", ".gif"])
def test_frames_and_times_of_lossless_formats_are_exact(tmp_path, suffix, first, last, look):
    animation = an_animation(9, 11, fps=30, duration=0.5, hold_first=first, hold_last=last)
    animation.save(tmp_path / f"a{suffix}", width=99, **look)
    assert_exact(tmp_path / f"a{suffix}", animation, width=99, **look)
    with Image.open(tmp_path / f"a{suffix}") as image:
        frames = (frame.copy() for frame in ImageSequence.Iterator(image))
        milliseconds = np.array([frame.info["duration"] for frame in frames])
    apart, rounding = milliseconds - 1000 * animation.durations(), 10 if suffix == ".gif" else 1
    assert np.abs(apart).max() <= rounding
    assert np.abs(apart.cumsum()).max() <= rounding


def assert_exact(path, animation, **look):
    assert np.array_equal(opened(path).frames, [*map(np.array, animation.frames(**look))])


def test_a_folder_that_is_not_empty_is_not_touched(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    assert_refused(lambda: an_animation().save(tmp_path), "folder not empty")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_one_click_changes_only_its_neighbourhood_in_the_file(tmp_path):
    animation = an_animation(12, 12, clicks_per_frame=1)
    animation.save(tmp_path / "a.gif", cell=10, gap=1)
    with Image.open(tmp_path / "a.gif") as image:
        for number in range(1, image.n_frames):
            image.seek(number)
            left, top, right, bottom = image.tile[0][1]
            assert max(right - left, bottom - top) <= 32


def test_holds_never_lose_or_shorten_frames():
    for fps, hold in product([10, 24, 25, 30, 50], [0, 0.025, 0.25, 0.3, 0.5, 0.505, 0.75, 1]):
        durations = an_animation(9, 9, fps=fps, hold_first=hold, hold_last=hold).durations()
        assert durations_to_ticks(durations, fps).min() >= 1
        assert durations_to_ticks(durations, 100).min() >= 2


@pytest.mark.parametrize(("boards", "levels"), [(1, 7), (3, 5)])
@pytest.mark.parametrize("suffix", FRAMES)
def test_every_format_shows_every_level(tmp_path, suffix, boards, levels):
    animation, path = random_film(6, 8, 10, boards=boards, levels=levels), tmp_path / f"a{suffix}"
    animation.save(path, cell=12, gap=0, lit="white", unlit="black")
    frames = opened(path).frames
    assert len(frames) == 11
    for pixels, lights in zip(frames, animation.configurations(), strict=True):
        # From 0 to 255 in even steps; on one board grey.
        steps = np.moveaxis(np.broadcast_to(lights, (3, 6, 8)), 0, 2) * (255 / (levels - 1))
        if suffix in LOSSY:
            assert np.abs(pixels[6::12, 6::12] - steps).max() < 0.5 * (255 / (levels - 1))
        else:
            assert np.array_equal(pixels, np.rint(np.kron(steps, np.ones((12, 12, 1)))))


@pytest.mark.parametrize("suffix", [".webp", ".apng"])
def test_half_transparent_cells_replace_each_other(tmp_path, suffix):
    film, path = an_animation(5, 6), tmp_path / f"a{suffix}"
    film.save(path, cell=4, lit="#ff800080", unlit="#00000080", background="none")
    colours = np.array([[0, 0, 0, 128], [255, 128, 0, 128]])
    geometry = Theme(cell=4).geometry(5, 6)
    with Image.open(path) as image:
        frames = zip(ImageSequence.Iterator(image), film.configurations(), strict=True)
        for frame, lights in frames:
            pixels = np.array(frame.convert("RGBA"))
            assert np.array_equal(cell_centres(geometry, pixels), colours[lights.astype(int)])


def test_odd_sides_of_an_mp4_get_background_and_no_rescaling(tmp_path):
    animation = an_animation(5, 5, clicks_per_frame=9)
    animation.save(tmp_path / "a.mp4", cell=5, gap=4, background="red")
    frame = opened(tmp_path / "a.mp4").frames[0].astype(int)
    assert frame.shape == (50, 50, 3)  # 49, and a line
    assert frame[49, :, 0].min() > 150
    assert frame[49, :, 1:].max() < 100


@pytest.mark.parametrize(
    ("suffix", "codec", "frames"),
    [
        (".gif", "gif,118,100", None),
        pytest.param(".apng", "apng,118,100", None, marks=pytest.mark.long),
        pytest.param(".webm", "vp9,118,100,yuv420p", 50, marks=pytest.mark.long),
        (".mp4", "h264,118,100,yuv420p", 50),
    ],
)
def test_another_program_reads_the_file(tmp_path, suffix, codec, frames):
    animation = an_animation(11, 13, fps=25, duration=1, hold_first=0.4, hold_last=0.6)
    path = tmp_path / f"a{suffix}"
    animation.save(path, cell=8, gap=1)
    entries = "stream=codec_name,width,height,nb_read_frames" + ",pix_fmt" * (suffix in LOSSY)
    words = ["-v", "error", "-count_frames", "-of", "csv=p=0", "-show_entries", entries]
    words += ["-f", "apng"] if suffix == ".apng" else []
    assert ask("ffprobe", *words, path).decode().strip() == f"{codec},{frames or len(animation)}"
    if suffix == ".mp4":  # plays before it is all there
        assert path.read_bytes().index(b"moov") < path.read_bytes().index(b"mdat")


def test_shapes_have_smooth_edges_in_the_colours_between():
    theme = Theme(shape="circle", background="red", lit="white", unlit="black")
    tiles = make_tiles(theme, 1, 14)
    assert 2 * 3 < len(tiles.colours) <= 1 + 2 * 6
    assert (tiles.colours[tiles.pixels[:2, 0, 0]] == (255, 0, 0)).all()  # corners
    # A disc of diameter 14 covers pi / 4 of its square.
    covered = 1 - (tiles.pixels[1] == 0).mean()
    assert covered == pytest.approx(np.pi / 4, abs=0.12)


def test_a_mark_is_on_the_clicked_cells_for_one_frame(tmp_path):
    animation = an_animation(5, 6, clicks_per_frame=2)
    look = {"cell": 9, "gap": 1, "mark": "red", "lit": "white", "unlit": "black"}
    animation.save(tmp_path / "a.gif", **look)
    geometry, frames = Theme(**look).geometry(5, 6), opened(tmp_path / "a.gif").frames
    configurations = enumerate(animation.configurations())
    for frame, (number, lights) in zip(frames, configurations, strict=True):
        red = (cell_centres(geometry, frame) == (255, 0, 0)).all(axis=-1)
        done = animation.clicks_done[[max(number - 1, 0), number]]
        is_held = number in dict(animation.holds)  # then it shows its picture and nothing else
        clicked = [] if is_held else sorted(animation.clicks[slice(*done)])
        assert sorted(np.flatnonzero(red)) == clicked
        corners = frame[1 : geometry.height : 10, 1 : geometry.width : 10, 1] > 128
        assert np.array_equal(corners, lights)


@pytest.mark.parametrize("palette", PALETTES)
def test_palettes_have_contrast_and_even_level_steps(palette):
    # Relative luminance and contrast ratio as in WCAG 2.1; steps of encoded light, in which
    # pictures are dithered.  Both by the weights of Rec. ITU-R BT.709.
    weights = 0.2126, 0.7152, 0.0722
    unlit, lit = (decode_srgb(shade / 255) @ weights for shade in Theme(palette=palette).shades())
    assert (lit + 0.05) / (unlit + 0.05) > 4.5
    for levels in (3, 5, 7):
        light = Theme(palette=palette).shades(levels=levels) @ weights
        assert light == pytest.approx(np.linspace(light[0], light[-1], levels), abs=1.5)


def test_middle_colour_given_or_from_palette():
    look = {"lit": "white", "unlit": "black", "palette": "sunset"}
    assert Theme(**look).shades(levels=3).tolist() == [[0] * 3, [128] * 3, [255] * 3]
    for own in ({"lit": "white"}, {"unlit": "black"}):
        unlit, middle, lit = Theme(**own, palette="sunset").shades(levels=3).astype(int)
        assert abs(unlit + lit - 2 * middle).max() <= 1
    own = Theme(colours="black,#ff0000,white")
    shades = own.shades(levels=5).tolist()
    assert shades == [[0] * 3, [128, 0, 0], [255, 0, 0], [255, 128, 128], [255] * 3]
    assert own.shades().tolist() == [[0] * 3, [255] * 3]


@pytest.mark.parametrize("suffix", [".gif", ".svg", ".json"])
@pytest.mark.parametrize("look", [{}, {"lit": "white"}])
def test_a_film_of_levels_is_proven_in_a_palette_with_a_middle_colour(tmp_path, suffix, look):
    film = la.make(["sample:sun", "sample:moon"], size="6x5", levels=3, seed=1)
    film.save(tmp_path / f"a{suffix}", palette="sunset", **look)
    proof = la.verify(tmp_path / f"a{suffix}")
    assert (proof.legal, "--palette sunset" in proof.command) == (True, True)


def test_three_boards_have_a_colour_for_each_of_their_levels():
    shades = Theme(lit="#ff8040", unlit="#000010", palette="sunset").shades(3, 5)
    for number, colour in enumerate(shades.tolist()):
        digits = number % 5, number // 5 % 5, number // 25
        limits = zip((0, 0, 16), (255, 128, 64), digits, strict=True)
        exact = [low + (high - low) * digit / 4 for low, high, digit in limits]
        assert colour == pytest.approx(exact, abs=0.5)


# Six colours of each shade at the edges of cells and six more at those of marks are too many of 27
# and 125 shades: the edges of cells lose some first.
COARSE = {
    *(("circle", None, 5), ("circle", "orange", 3), ("circle", "orange", 5)),
    *(("rounded", None, 5), ("rounded", "orange", 3), ("rounded", "orange", 5)),
    ("square", "orange", 5),
}


@pytest.mark.parametrize("shape", ["square", "rounded", "circle"])
@pytest.mark.parametrize("mark", [None, "orange"])
@pytest.mark.parametrize(("boards", "levels"), [(1, 2), (1, 7), (3, 2), (3, 3), (3, 5)])
def test_tiles_fit_palette_and_report_coarse_edges(shape, mark, boards, levels):
    theme = Theme(shape=shape, mark=mark)
    tiles = make_tiles(theme, boards, 12, levels)
    assert len(tiles.colours) < 256  # one more says what stays as it is
    shades = theme.shades(boards, levels)
    assert np.array_equal(tiles.colours[tiles.pixels[: tiles.shades, 6, 2]], shades)
    if mark:
        assert np.array_equal(tiles.colours[tiles.pixels[tiles.shades :, 6, 2]], shades)
        assert (tiles.colours[tiles.pixels[tiles.shades :, 6, 6]] == (255, 165, 0)).all()
    assert tiles.coarse == (boards == 3 and (shape, mark, levels) in COARSE)
    assert not make_tiles(theme, boards, 3, levels).coarse  # small cells are square anyway


@pytest.mark.parametrize(
    ("columns", "rows", "width", "cell", "gap"),
    [(30, 30, 720, 22, 2), (30, 20, 150, 5, 0), (100, 100, 720, 7, 0), (1920, 1080, 720, 1, 0)],
)
def test_frames_are_about_as_wide_as_asked(columns, rows, width, cell, gap):
    geometry = Theme(width=width).geometry(rows, columns)
    assert (geometry.cell, geometry.gap) == (cell, gap)
    if columns <= width:
        assert geometry.width == pytest.approx(width, rel=0.1)


@pytest.mark.parametrize(
    ("columns", "boards", "levels", "gap"),
    [(60, 3, 2, 0), (31, 1, 2, 0), (30, 1, 2, 2), (24, 3, 5, 2), (5, 1, 3, 10)],
)
def test_a_dark_grid_does_not_cover_pictures(columns, boards, levels, gap):
    assert Theme().geometry(columns, columns, boards, levels).gap == gap
    assert Theme(gap=3).geometry(columns, columns, boards, levels).gap == 3


@pytest.mark.parametrize(("suffix", "fps"), [(".gif", 50), (".webp", 100), (".apng", 100)])
def test_a_frame_rate_that_a_format_cannot_show_is_capped(tmp_path, suffix, fps):
    animation = an_animation(20, 20, fps=240, duration=1)
    path = tmp_path / f"a{suffix}"
    animation.save(path, cell=2, gap=0)
    assert_exact(path, limit_fps(animation, fps), cell=2, gap=0)
    (note,) = describe_format_limits(OutputFiles(animations=(path,)), animation, Theme())
    assert f"{fps} frames a second" in note


def test_largest_cells_that_are_advised_are_accepted():
    def check_cell(cell):
        FORMATS[".webp"].check_look(Theme(cell=cell, gap=7), la.Board(4, 300), 1)

    with pytest.raises(OptionError, match=r"at most (\d+) px$") as refused:
        check_cell(90)
    advised = int(str(refused.value).split()[-2])
    check_cell(advised)
    assert_refused(lambda: check_cell(advised + 1), f"16383 {advised}", OptionError)


def test_files_say_how_often_to_play():
    # A GIF says how often to repeat, and nothing for playing once.
    for loop, repeats in {0: 0, 1: None, 3: 2}.items():
        film = an_animation(4, 4, clicks_per_frame=3, loop=loop)
        for suffix, number in {"gif": repeats, "webp": loop, "apng": loop}.items():
            with Image.open(io.BytesIO(film.to_bytes(suffix))) as image:
                assert image.info.get("loop") == number


@pytest.mark.posix
def test_an_mp4_on_a_full_disk_is_told_in_one_line(tmp_path):
    def full(temporary):
        temporary.symlink_to("/dev/full")
        write_video(an_animation(40, 40), temporary, Theme(), lambda: None)

    assert_refused(lambda: write_files_together({tmp_path / "a.mp4": full}), "a.mp4: disk full?")
    assert not list(tmp_path.iterdir())


@pytest.mark.posix
def test_save_through_link_keeps_link_and_mode(tmp_path):
    real, link = tmp_path / "real.gif", tmp_path / "link.gif"
    real.touch(mode=0o600)
    link.symlink_to("real.gif")
    an_animation(1, 2).save(link)
    assert link.is_symlink()
    assert (real.read_bytes()[:6], real.stat().st_mode & 0o777) == (b"GIF89a", 0o600)


def test_an_apng_shows_a_frame_for_minutes():
    film = an_animation(1, 2, fps=10, hold_last=600)  # beyond 65,535 ten-thousandths
    with Image.open(io.BytesIO(film.to_bytes("apng"))) as image:
        image.seek(len(film) - 1)
        assert image.info["duration"] == pytest.approx(600_100, abs=20)


# Colours that are transparent: kept by the formats that hold them, refused by the others.

NOTE = "Parts of the frames are transparent: there players show their own background."
KEEPING = [".gif", ".webp", ".apng", ""]


def frames_in(path):
    """Every frame as Pillow composes it: uint8 (height, width, 4), 0 where nothing is."""
    return [np.where(frame[..., 3:] > 0, frame, 0) for frame in opened(path, "RGBA").frames]


@pytest.mark.parametrize("suffix", KEEPING)
@pytest.mark.parametrize(
    "look",
    [
        {"background": "none"},
        {"unlit": "none", "background": "red"},
        {"lit": "transparent", "unlit": "black", "background": "none"},
        {"lit": "#ff800080", "unlit": "#0000ffff", "background": "#00ff0040"},
    ],
)
def test_what_is_transparent_stays_so_in_every_frame(tmp_path, suffix, look):
    look = {"lit": "white", "unlit": "navy", **look}
    animation, path = an_animation(6, 9, clicks_per_frame=3), tmp_path / f"a{suffix}"
    animation.save(path, cell=3, gap=1, canvas="41x30", **look)
    # (9 x 4 - 1) pixels in the middle of 41, and (6 x 4 - 1) in the middle of 30.
    colours = {name: np.array(to_colour(value), np.uint8) for name, value in look.items()}
    if suffix == ".gif":  # each pixel opaque or not there
        for colour in colours.values():
            colour[3] = 255 if colour[3] >= 128 else 0
            colour *= colour[3] > 0
    frames = frames_in(path)
    assert len(frames) == len(animation)
    for frame, configuration in zip(frames, animation.configurations(), strict=True):
        expected = np.tile(colours["background"], (30, 41, 1))
        for (row, column), lit in np.ndenumerate(configuration):
            y, x = 3 + 4 * row, 3 + 4 * column
            expected[y : y + 3, x : x + 3] = colours["lit" if lit else "unlit"]
        assert np.array_equal(frame, expected)
    verdict = la.verify(path)
    assert (verdict.legal, NOTE in verdict.notes) == (True, True)


@pytest.mark.parametrize("suffix", KEEPING)
def test_round_edges_fade_and_keep_their_colour(tmp_path, suffix):
    animation, path = an_animation(4, 5, clicks_per_frame=5), tmp_path / f"a{suffix}"
    look = {"shape": "circle", "cell": 24, "unlit": "none", "background": "none", "lit": "gold"}
    animation.save(path, **look)
    frames, cells = frames_in(path), sum(map(np.count_nonzero, animation.configurations()))
    for frame in frames:
        assert (frame[frame[..., 3] > 0][:, :3] == (255, 215, 0)).all()  # no fringe of another
        assert (len(np.unique(frame[..., 3])) > 4) == (suffix != ".gif")
    covered = sum(frame[..., 3].sum() / 255 for frame in frames) / cells
    assert covered == pytest.approx(np.pi * 12**2, rel=0.02)
    assert la.verify(path).legal


@pytest.mark.parametrize("suffix", [".webp", ".apng"])
def test_levels_on_the_way_to_nothing_are_partly_transparent(tmp_path, suffix):
    board = la.Board(4, 4, levels=5)
    first = np.arange(16, dtype=np.uint8).reshape(4, 4) % 5
    animation = la.animate(
        board, first, [la.Clicks(np.array([5, 6]))], la.Timing(clicks_per_frame=1)
    )
    look = {"lit": "black", "unlit": "none", "cell": 8, "gap": 0}
    animation.save(tmp_path / f"a{suffix}", **look)
    frames = frames_in(tmp_path / f"a{suffix}")
    for frame, levels in zip(frames, animation.configurations(), strict=True):
        assert np.array_equal(frame[4::8, 4::8, 3], np.rint(levels * (255 / 4)))
        assert not frame[..., :3].any()
    assert_refused(lambda: animation.save(tmp_path / "a.gif", **look), "GIF partly transparent")


def test_stills_are_transparent(tmp_path):
    lit = np.eye(4, dtype=bool)
    look = {"unlit": "none", "background": "none", "cell": 9, "gap": 1}
    la.save_still(lit, tmp_path / "a.png", **look)
    alpha = np.array(Image.open(tmp_path / "a.png").convert("RGBA"))[5::10, 5::10, 3]
    assert np.array_equal(alpha, 255 * lit)
    la.save_still(lit, tmp_path / "a.svg", **look)
    assert "#000000" not in (tmp_path / "a.svg").read_text()


def test_videos_and_svg_refuse_what_they_cannot_hold(tmp_path):
    for name in ("a.mp4", "a.webm", "a.svg"):
        save = partial(an_animation().save, tmp_path / name, unlit="none", mark="#ff000080")
        assert_refused(save, "(unlit, mark) GIF WebP")
    assert not list(tmp_path.iterdir())
    assert_refused(lambda: la.Settings(backdrop="#ffffff80"), "backdrop opaque")


@pytest.mark.parametrize(
    ("suffix", "look", "facts"),
    [
        (".gif", {"background": "none"}, "between"),
        (".apng", {"unlit": "none"}, "neither lit unlit"),
        (".gif", {"unlit": "none", "lit": "none"}, "lit unlit alike"),
        (".gif", {"unlit": "#f2f2f2", "lit": "#f2f2f2f0"}, "lit unlit alike"),
        (".mp4", {"unlit": "none"}, "MP4 (unlit)"),
        (".webm", {"lit": "#f2f2f2f0"}, "WebM (lit)"),
    ],
)
def test_verify_wrong_transparency_is_refused(tmp_path, suffix, look, facts):
    path = tmp_path / f"a{suffix}"
    an_animation(6, 8, fps=10, duration=0.5).save(path, cell=6, gap=1)
    reason = refusal(relabelled(path, look=look))
    assert all(fact in reason for fact in facts.split()), reason
