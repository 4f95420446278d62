"""The sample pictures are recognisable by a machine's standards; by eye is up to people."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import lightsanim as la

SAMPLES = Path(__file__).parent.parent / "samples"
PICTURES = sorted(SAMPLES.glob("*.png"))


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_each_is_grey_of_the_whole_range_and_keeps_its_shapes_at_60_cells(path):
    with Image.open(path) as image:
        assert (image.mode, image.size) == ("L", (480, 480))
        low, high = np.quantile(np.asarray(image), [0.01, 0.99])
        small = np.asarray(image.resize((12, 12), Image.Resampling.BOX)) / 255
    assert high - low > 180
    # Blurred to the eye's resolution at a distance, target and picture look alike.
    picture = la.load_picture(path)
    (target,) = la.targets_for(picture, la.Board(60, 60), la.Settings(detail=0))
    blocks = target.configuration.reshape(12, 5, 12, 5).mean(axis=(1, 3))
    assert np.corrcoef(blocks.ravel(), small.ravel())[0, 1] > 0.95
