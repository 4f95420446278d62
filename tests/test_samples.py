"""The sample pictures are recognisable by a machine's standards; by eye is up to people."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import lightsanim as la

SAMPLES = Path(__file__).parent.parent / "samples"
PICTURES = sorted(SAMPLES.glob("*.png"))


def test_there_are_at_least_six_pictures():
    assert len(PICTURES) >= 6


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_each_is_grey_and_uses_the_whole_range(path):
    with Image.open(path) as image:
        assert (image.mode, image.size) == ("L", (480, 480))
        low, high = np.quantile(np.asarray(image), [0.01, 0.99])
    assert high - low > 180


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_each_keeps_its_shapes_at_60_cells(path):
    # Blurred to the eye's resolution at a distance, target and picture look alike.
    picture = la.load_picture(path)
    (target,) = la.targets_for(picture, la.Board(60, 60), la.Settings(detail=0))
    blocks = target.configuration.reshape(12, 5, 12, 5).mean(axis=(1, 3))
    with Image.open(path) as image:
        small = np.asarray(image.resize((12, 12), Image.Resampling.BOX)) / 255
    assert np.corrcoef(blocks.ravel(), small.ravel())[0, 1] > 0.95


def test_the_script_makes_the_pictures_again(tmp_path):
    # The quickest one stands for all.
    script = (SAMPLES / "make_samples.py").read_text()
    assert "def main" in script
    for module in SAMPLES.glob("*.py"):
        (tmp_path / module.name).write_text(module.read_text())
    subprocess.run([sys.executable, tmp_path / "make_samples.py", "eye"], check=True)
    with Image.open(tmp_path / "eye.png") as made, Image.open(SAMPLES / "eye.png") as kept:
        difference = np.abs(np.asarray(made, int) - np.asarray(kept, int))
    assert difference.mean() < 1
