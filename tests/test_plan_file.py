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
    sources = [tmp_path / "a.png", "sample:sun"]
    for outputs in (la.Outputs(output="x.gif@canvas=story"), la.Outputs(canvas="story")):
        (tmp_path / "tall.toml").write_text(la.make_plan(sources, outputs=outputs))
        size = la.load_plan(tmp_path / "tall.toml").settings.size
        assert size.rows / size.columns == pytest.approx(1920 / 1080, rel=0.05)


def test_names_of_folders_and_of_pictures_may_look_like_words(plan, run, tmp_path):
    (tmp_path / "sample:d").mkdir()
    for name in ("a.png", "b.png"):
        (tmp_path / "sample:d" / name).write_bytes((tmp_path / name).read_bytes())
    (tmp_path / "sample:d/sample:cat").write_bytes((tmp_path / "a.png").read_bytes())
    pictures = ["./sample:d/sample:cat", "./sample:d/b.png", "text:I\nI"]
    words = [*pictures, "--size", "19x25", "--seed", 1, "--title", "ü"]
    (tmp_path / "sample:d/plan.toml").write_text(run("make", *words, "--plan")[1])
    films = [tmp_path / "c.gif", tmp_path / "d.gif"]
    assert run("make", "./sample:d/plan.toml", "-o", films[0])[0] == 0
    assert run("make", *words, "-o", films[1])[0] == 0
    assert films[0].read_bytes() == films[1].read_bytes()


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
        ("detail = 2.0", 'unset = ["fit"]', "plan.toml without a default 'fit' focus"),
        ("detail = 2.0", 'detail = 2.0\nunset = ["detail"]', "plan.toml unset list not set"),
        ("seed = 1", 'beside = ["a.png"]', "plan.toml unknown 'beside'"),
        ("[options]", "clicks_picture = 5\n[options]", "plan.toml clicks_picture tables"),
        ("seed = 1", "sketch_blur = 2", "plan.toml unknown 'sketch_blur'"),
        ('path = "a.png"', 'path = ".."', "plan.toml without folders '..'"),
        ('path = "a.png"', 'path = "a\\u0000"', "plan.toml path printable name folders"),
        ('sha256 = "', 'sha256 = "0', "plan.toml sha256 64"),
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
    for words in ("--fps 9", "--levels 2", "--palette ink", "--autocontrast"):  # even if equal
        name = words.split()[0].strip("-")
        refused(["make", "plan.toml", *words.split(), "-o", "c.gif"], 2, f"{name} plan.toml")
    refused(["make", "plan.toml", "--title", "T", "-o", "c.gif"], 2, "title plan.toml")


def test_what_no_plan_can_state_is_refused(plan, tmp_path):
    (tmp_path / "other").mkdir()
    Image.fromarray(RAMP.T).save("other/a.png")
    for sources, settings, facts in (
        ([RAMP, "sample:sun"], {}, "picture has no file"),
        ([(tmp_path / "a.png").read_bytes(), "sample:sun"], {}, "picture has no file"),
        (["a.png", "other/a.png"], {}, "two different pictures a.png rename"),
        (["a.png", "b.png"], {"order": lambda rows, columns: rows}, "order array function"),
    ):
        assert_refused(lambda s=sources, o=settings: la.make_plan(s, la.Settings(**o)), facts)
