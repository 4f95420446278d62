"""Plans as files; that they make the same films is tested in `proof/test_film_command.py`."""

import numpy as np
import pytest
from PIL import Image
from tools.refusals import assert_refused

import lightsanim as la

RAMP = np.linspace(0, 255, 1536).astype(np.uint8).reshape(32, 48)


@pytest.fixture
def plan(run, tmp_path):
    """A plan of two files that stand beside it."""
    for name, pixels in {"a.png": RAMP, "b.png": RAMP[::-1]}.items():
        Image.fromarray(np.ascontiguousarray(pixels)).save(name)
    path = tmp_path / "plan.toml"
    path.write_text(run("make", "a.png@detail=2", "b.png", "--size", 9, "--seed", 1, "--plan")[1])
    return path


def test_a_plan_of_a_plan_is_the_same(plan, run):
    assert run("make", "plan.toml", "--plan")[1] == plan.read_text()


def test_a_plan_has_every_default_filled_in_and_names_no_folder(plan, run, tmp_path):
    text = run("make", tmp_path / "a.png", "sample:sun", "--spot", "--levels", 3, "--plan")[1]
    saved = la.load_plan(plan)
    assert (saved.settings.fps, saved.settings.hold_last) == (25, 3)  # defaults for stills
    assert [source.own for source in saved.pictures] == [{"detail": 2.0}, {}]
    assert str(tmp_path) not in text
    assert {"spot", "size", "seed", "order", "dither", "detail"} <= {
        line.partition(" = ")[0] for line in text.splitlines() if '"auto"' not in line
    }


def test_make_plan_shapes_the_board_as_the_output_will(plan, tmp_path):
    sources, outputs = [tmp_path / "a.png", "sample:sun"], la.Outputs(output="x.gif@canvas=story")
    (tmp_path / "tall.toml").write_text(la.make_plan(sources, outputs=outputs))
    size = la.load_plan(tmp_path / "tall.toml").settings.size
    assert size.rows / size.columns == pytest.approx(1920 / 1080, rel=0.05)


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    [
        ("plan = 1", "plan = 2", "plan.toml plan must be 1 not 2"),
        ("plan = 1", "", "plan.toml is no plan --plan"),
        ("plan = 1", "plan = 1\nplans = 1", "plan.toml unknown 'plans' plan?"),
        ("fps = ", "ftp = ", "plan.toml unknown 'ftp' fps"),
        ("fps = 25.0", "fps = 0", "plan.toml fps 0.01 1000 not 0"),
        ('palette = "ink"', 'palette = "inc"', "plan.toml palette 'inc' ink"),
        ("detail = 2.0", "detail = -1", "plan.toml detail -1"),
        ("detail = 2.0", 'unset = ["details"]', "plan.toml 'details' detail?"),
        ('path = "a.png"', 'path = "../a.png"', "plan.toml without folders '../a.png'"),
        ('path = "a.png"', "path = 5", "plan.toml path picture 5"),
        ("[[pictures]]", "[pictures]", "plan.toml cannot TOML"),
        ("[look]", "look = 3\n[looks]", "plan.toml options look"),
    ],
)
def test_a_wrong_plan_is_refused_in_one_line(plan, refused, old, new, facts):
    plan.write_text(plan.read_text().replace(old, new, 1))
    refused(["make", "plan.toml", "-o", "c.gif"], 2, facts)


def test_missing_and_changed_pictures_are_refused(plan, refused, tmp_path):
    (tmp_path / "a.png").write_bytes((tmp_path / "b.png").read_bytes())
    refused(["make", "plan.toml", "-o", "c.gif"], 1, "plan.toml a.png another picture SHA-256")
    (tmp_path / "a.png").unlink()
    refused(["make", "plan.toml", "-o", "c.gif"], 1, "plan.toml a.png No such file beside")


def test_nothing_else_goes_with_a_plan(plan, refused):
    refused(["make", "plan.toml", "b.png", "-o", "c.gif"], 2, "plan.toml names all pictures")
    refused(["make", "plan.toml", "--fps", "9", "-o", "c.gif"], 2, "fps plan.toml")
    refused(["make", "plan.toml", "--title", "T", "-o", "c.gif"], 2, "title plan.toml")


def test_what_no_plan_can_state_is_refused(plan, tmp_path):
    (tmp_path / "other").mkdir()
    Image.fromarray(RAMP.T).save("other/a.png")
    for sources, settings, facts in (
        ([RAMP, "sample:sun"], {}, "picture has no file"),
        (["a.png", "other/a.png"], {}, "two different pictures a.png rename"),
        (["a.png", "b.png"], {"order": lambda rows, columns: rows}, "order array function"),
    ):
        assert_refused(lambda s=sources, o=settings: la.make_plan(s, la.Settings(**o)), facts)
