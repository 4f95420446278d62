"""The sample pictures are recognisable by a machine's standards; by eye is up to people."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import lightsanim as la

SAMPLES = Path(__file__).parents[2] / "samples"
PICTURES = sorted(SAMPLES.glob("*.png"))


def blurred(picture, settings):
    """To the eye's resolution at a distance: the shares of lit cells in 12 x 12 blocks."""
    (target,) = la.targets_for(picture, la.Board(60, 60), settings)
    return target.configuration.reshape(12, 5, 12, 5).mean(axis=(1, 3)).ravel()


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_sample_is_grey_clear_and_opened_by_its_word(path):
    with Image.open(path) as image:
        assert (image.mode, image.size) == ("L", (480, 480))
        low, high = np.quantile(np.asarray(image), [0.01, 0.99])
        small = np.asarray(image.resize((12, 12), Image.Resampling.BOX)) / 255
    assert high - low > 180
    cells = blurred(la.load_picture(path), la.Settings(detail=0))
    assert np.corrcoef(cells, small.ravel())[0, 1] > 0.95
    file, word = la.load_picture(path), la.load_picture(f"sample:{path.stem}")
    assert (word.name, word.light.shape[0]) == (path.stem, word.light.shape[1])
    cells = [blurred(picture, la.Settings()) for picture in (file, word)]
    assert np.corrcoef(*cells)[0, 1] > 0.98


def test_make_without_output_picks_unused_name(run, refused, tmp_path):
    words = "make", "sample:face", "sample:skull@invert", "--size", "12"
    assert run(*words)[0] == 0
    original = Path("face-skull.gif").read_bytes()
    assert "face-skull-2.gif" in run(*words)[2]
    assert Path("face-skull.gif").read_bytes() == original
    assert len(list(tmp_path.iterdir())) == 2
    refused(["make", "sample:face", "sample:nobody"], 2, "balloon, butterfly, cat, nobody")


def test_film_beside_words_records_the_names_of_its_pictures():
    ramp = np.linspace(0, 1, 40).reshape(1, 40).repeat(30, axis=0)
    options = {"size": "8x6", "seed": 1}
    film = la.make([ramp, ramp[:, ::-1]], beside=["sample:cat", "sample:eye"], **options)
    assert film.origin.words == ("picture", "picture")
    assert la.make([ramp, ramp[:, ::-1]], **options).origin.words == ()
