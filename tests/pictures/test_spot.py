"""Spot colours: the pictures' own colours, one for each level of a cell."""

import json
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import gaussian_filter
from skimage.color import deltaE_ciede2000, rgb2lab
from tools.films import SUFFIXES
from tools.photographs import photograph
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.errors import AnimationError, OptionError
from lightsanim.options.colours import to_spot
from lightsanim.pictures.lab import UNITS, ciede2000, rgb_to_lab
from lightsanim.pictures.spot import MIN_DIFFERENCE, find_spot_colours

NAVY, GOLD, RED, WHITE, BLUE, GREEN = COLOURS = np.array(
    [[0, 49, 83], [255, 212, 92], [223, 0, 36], [255, 255, 255], [0, 133, 199], [0, 155, 58]],
    np.uint8,
)


def logo(ground, *colours, side=60):
    """A square of each colour on a ground."""
    pixels = np.tile(ground, (side, side, 1))
    for number, colour in enumerate(colours):
        start = 6 + 18 * number
        pixels[start : start + 15, start : start + 15] = colour
    return pixels


def shown(film):
    return np.array([colour.rgb for colour in to_spot(film.origin.settings["spot"])], np.uint8)


@pytest.fixture(scope="module")
def logos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logos")
    paths = [folder / "a.png", folder / "b.png"]
    for path, colours in zip(paths, ([NAVY, GOLD, RED], [WHITE, BLUE, RED, GOLD]), strict=True):
        Image.fromarray(logo(*colours)).save(path)
    return paths


@pytest.fixture(scope="module")
def film(logos):
    return la.make(logos, preset="spot", size=60, seed=1, order="random", fps=5)


def test_lab_and_ciede2000_are_those_of_scikit_image():
    colours = np.random.default_rng(0).integers(0, 256, (2, 500, 3)).astype(np.uint8)
    colours[:, :9] = colours[:, :9, :1]  # greys have no hue
    first, second = lab = rgb_to_lab(colours)
    # The matrix from sRGB to XYZ has 4 digits in IEC 61966-2-1, and 6 in scikit-image.
    assert lab / UNITS == pytest.approx(rgb2lab(colours), abs=0.06)
    expected = deltaE_ciede2000(first / UNITS, second / UNITS)
    assert ciede2000(first, second) == pytest.approx(expected, abs=1e-4)


def test_flat_pictures_colours_are_taken_exactly(film):
    assert {*map(tuple, shown(film).tolist())} == {*map(tuple, COLOURS[:5].tolist())}
    for number, colours in ((0, [NAVY, GOLD, RED]), (-1, [WHITE, BLUE, RED, GOLD])):
        assert np.array_equal(film.frame(number, cell=1), logo(*colours))


def test_levels_follow_shortest_ring_from_darkest(film):
    lab = rgb_to_lab(shown(film)).astype(float)

    def length(ring):
        return sum(np.linalg.norm(a - b) for a, b in pairwise([*ring, ring[0]]))

    assert lab[0, 0] == lab[:, 0].min()
    shortest = min(length([lab[0], *rest]) for rest in permutations(lab[1:]))
    assert length(list(lab)) == pytest.approx(shortest)


@pytest.mark.parametrize("levels", [3, 5, 7])
def test_photographs_colours_differ_and_show_them_well(levels):
    cells = [photograph(name)[::6, ::6] for name in ("coffee", "astronaut")]
    colours = find_spot_colours(cells, levels)
    assert colours == find_spot_colours(cells[::-1], levels)
    palette = rgb_to_lab(np.array([c.rgb for c in colours], np.uint8))
    different = ciede2000(palette[:, None], palette[None])[~np.eye(levels, dtype=bool)]
    assert different.min() >= MIN_DIFFERENCE
    # Against the palette of another program, Pillow's median cut, by the error of nearest colours.
    pixels = np.concatenate([picture.reshape(-1, 3) for picture in cells])
    cut = Image.fromarray(pixels[None]).quantize(levels).getpalette()[: 3 * levels]
    other = rgb_to_lab(np.array(cut, np.uint8).reshape(-1, 3))
    errors = [
        np.square(rgb_to_lab(pixels)[:, None] - some).sum(axis=2).min(axis=1).mean()
        for some in (palette, other)
    ]
    assert errors[0] < errors[1]


def test_search_is_closer_than_floyd_steinberg():
    picture = la.load_picture(photograph("coffee"), rgb=True)
    settings = la.Settings(spot=True, levels=7, dither="search")
    (target,) = la.targets_for(picture, la.Board(60, 90, levels=7), settings)
    plain = floyd_steinberg(target.lab.astype(float), target.palette)

    def blurred_error(levels):
        excess = (target.palette[levels] - target.lab).astype(float)
        return np.sqrt(np.mean(gaussian_filter(excess, (1.3, 1.3, 0)) ** 2))

    assert blurred_error(target.configuration) < 0.9 * blurred_error(plain)


def floyd_steinberg(values, palette):
    """The nearest colours, with the errors of R. W. Floyd and L. Steinberg (1976)."""
    rows, columns = values.shape[:2]
    levels = np.zeros((rows, columns), int)
    for row, column in np.ndindex(rows, columns):
        value = values[row, column]
        levels[row, column] = np.square(palette - value).sum(axis=1).argmin()
        error = value - palette[levels[row, column]]
        for down, right, share in ((0, 1, 7), (1, -1, 3), (1, 0, 5), (1, 1, 1)):
            if row + down < rows and 0 <= column + right < columns:
                values[row + down, column + right] += error * share / 16
    return levels


@pytest.mark.parametrize(
    ("suffix", "options"),
    [
        *((suffix, {"duration": 1, "fps": 5}) for suffix in SUFFIXES),
        (".gif", {"transition": "dissolve", "fps": 5}),
        (".gif", {"transition": "automaton", "size": "22x20"}),
    ],
)
def test_files_are_legal_and_hit_both_targets(suffix, options, logos, tmp_path):
    path = tmp_path / f"a{suffix}"
    film = la.make(logos, **{"preset": "spot", "size": 20, "seed": 1, **options})
    la.render_files(film, la.Theme(cell=4), la.Outputs(output=path))
    proof = la.verify(path, targets=logos)
    assert (proof.legal, proof.wrong) == (True, [0, 0])


def test_saved_film_keeps_its_colours_until_others_are_given(film, tmp_path):
    film.save(tmp_path / "a.json")
    saved = la.load_animation(tmp_path / "a.json")
    assert np.array_equal(saved.frame(0, cell=1), film.frame(0, cell=1))
    ring = ["black", "blue", "red", "orange", "white"]
    for look in ({"colours": ring}, {"palette": "paper"}, {"lit": "red"}):
        assert not np.array_equal(saved.frame(0, cell=1, **look), film.frame(0, cell=1))


def test_more_levels_are_suggested_only_where_they_help(logos):
    notes = [
        la.make_with_report(logos, preset="spot", levels=levels, size=60, order="random")[1].notes
        for levels in (3, 5)
    ]
    assert [any("more levels" in note for note in some) for some in notes] == [True, False]


def test_clear_level_is_clear_in_a_gif(film, tmp_path):
    film.save(tmp_path / "a.gif", colours=["navy", "red", "gold", "none", "white"], cell=1)
    assert la.verify(tmp_path / "a.gif").legal
    with Image.open(tmp_path / "a.gif") as image:
        image.seek(image.n_frames - 1)
        pixels = np.asarray(image.convert("RGBA"))
    assert np.array_equal(pixels[..., 3] == 0, (logo(WHITE, BLUE, RED, GOLD) == WHITE).all(axis=2))


@pytest.mark.parametrize("spot", ["5", '"blurple"', '"#000,#fff"'])
def test_damaged_record_of_colours_is_one_line(spot, film, tmp_path):
    text = film.to_bytes("json").decode()
    record = f'"spot": "{film.origin.settings["spot"]}"'
    origin = replace(film.origin, settings={**film.origin.settings, "spot": json.loads(spot)})
    assert record in text
    with pytest.raises(AnimationError, match="record"):
        replace(film, origin=origin).save(tmp_path / "a.gif")


def test_pixel_art_keeps_its_pixels():
    art = np.random.default_rng(0).choice(COLOURS[:5], (12, 12))
    film = la.make([art, art[::-1]], preset="spot", size=36, seed=1)
    large = art.repeat(3, axis=0).repeat(3, axis=1)
    assert np.array_equal(film.frame(0, cell=1), large)


def test_flat_picture_is_measured_without_the_padding_of_room(logos):
    options = {"spot": True, "levels": 3, "transition": "automaton", "path": "leave", "room": 3}
    _, report = la.make_with_report(logos[:1], size=27, **options)
    assert any("try more levels" in note for note in report.notes)  # it has four colours


def test_clip_has_one_palette_for_all_its_frames(tmp_path):
    # Of six colours, each in one frame of six.
    clip = np.array([logo(colour, BLUE, side=30) for colour in COLOURS])
    film = la.make([clip], preset="spot", levels=7, size=30, seed=1, fps=10)
    found = {film.frame(number, cell=1).getpixel((0, 0)) for number in range(6)}
    assert found == {*map(tuple, COLOURS.tolist())}


@pytest.mark.parametrize(
    ("pictures", "options", "facts"),
    [
        ([logo(NAVY)] * 2, {"spot": "red,white"}, "spot 5 levels 2"),
        ([logo(NAVY)] * 2, {"spot": "red,white,none,blue,gold"}, "spot opaque none"),
        ([logo(NAVY)] * 2, {}, "colours (1) 5 levels leave out spot"),
        ([logo(NAVY, GOLD), logo(RED)], {"levels": 7}, "colours (3) 7 levels choose levels 3"),
    ],
)
def test_impossible_spot_colours_are_refused(pictures, options, facts):
    options = {"preset": "spot", "size": 60, **options}
    assert_refused(lambda: la.make(pictures, **options), facts, OptionError)
