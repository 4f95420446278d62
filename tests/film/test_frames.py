"""An animation in Python: its frames as images and arrays, its bytes, repr, equality and plot."""

import io
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from tools.films import opened

import lightsanim as la
from lightsanim.errors import OptionError

RAMP = np.linspace(0, 1, 24)[None].repeat(16, axis=0)


@pytest.fixture(scope="module")
def film():
    return la.make([RAMP, RAMP[:, ::-1]], size="12x8", seed=1, duration=1)


@pytest.mark.parametrize(
    ("look", "options"),
    [
        ({"cell": 9, "mark": "tomato"}, {"ending": "cycle"}),
        ({"cell": 12, "shape": "circle", "palette": "sunset"}, {"levels": 5}),
        ({"cell": 6, "gap": 2}, {"rgb": True, "levels": 3}),
    ],
)
def test_frames_are_those_that_pillow_reads_from_the_file(tmp_path, look, options):
    film = la.make([RAMP, RAMP[:, ::-1]], size="8x6", seed=1, duration=0.4, **options)
    film.save(tmp_path / "a.gif", **look)
    pixels = opened(tmp_path / "a.gif").frames
    assert len(film) == len(pixels)
    assert np.array_equal([*map(np.array, film.frames(**look))], pixels)
    assert np.array_equal([film.frame(number, **look) for number in range(len(film))], pixels)


def test_unpickled_film_and_board_show_and_save_themselves(film, tmp_path):
    # In a new process, as a cluster's worker is, which has not fetched a name of the package.
    (tmp_path / "film").write_bytes(pickle.dumps((film, film.board)))
    words = """
        import pickle
        from pathlib import Path
        film, board = pickle.loads(Path("film").read_bytes())
        film.save("there.gif")
        Path("board.png").write_bytes(board._repr_png_())
        print(len(film._repr_html_()))"""
    script = "\n".join(line.strip() for line in words.splitlines())
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert int(done.stdout) == len(film._repr_html_())
    assert (tmp_path / "there.gif").read_bytes() == film.to_bytes("gif")
    assert (tmp_path / "board.png").read_bytes() == film.board._repr_png_()


def test_frames_transparency_matches_file(film):
    look = {"background": "none", "unlit": "#ff000080", "shape": "circle"}
    with Image.open(io.BytesIO(film.to_bytes("apng", **look))) as image:
        expected = np.array(image.convert("RGBA"))
    for frame in (film.frame(0, **look), next(film.frames(**look))):
        assert np.array_equal(frame, expected)


def test_an_animation_is_a_sequence_of_images(film):
    frames, count = list(film), len(film)
    for number in (0, 5, np.int64(7), count - 1):
        assert film[number] == film[number - count] == film.frame(number) == frames[number]
    assert film.frame() == film[-1]
    for part in (slice(2, 11, 4), slice(5, 1, -2), slice(5, 5), slice(-1)):
        assert film[part] == frames[part]
    with pytest.raises(IndexError, match=f"{count} .*{count}"):
        film[count]


def test_clicks_lead_from_each_frame_to_the_next(film):
    configurations = list(film.configurations())
    for number in (1, 7, len(film) - 1):
        clicks = np.bincount(film.pressed_at(number), minlength=film.board.cells) % 2
        flipped = film.board.toggles(clicks.reshape(film.board.shape).astype(bool))
        assert np.array_equal(configurations[number], configurations[number - 1] ^ flipped)
        assert np.array_equal(next(film.configurations(number)), configurations[number])
        assert np.array_equal(film.pressed_at(number - len(film)), film.pressed_at(number))
    with pytest.raises(IndexError, match=f"no frame {len(film)}"):
        film.pressed_at(len(film))
    with pytest.raises(OptionError, match=r"must ascend, not \[9, 2\]"):
        list(film.configurations([9, 2]))


def test_frame_can_be_modified_by_caller(film):
    for frame, same in ([film.frame(3), film.frame(3)], list(film)[:2]):
        copy = same.copy()
        frame.paste("red", (0, 0, 9, 9))
        assert same == copy


def test_a_file_object_gets_the_bytes_of_the_file(film, tmp_path):
    for name, look in (("gif", {"cell": 5}), ("json", {}), ("html", {"palette": "amber"})):
        film.save(tmp_path / f"a.{name}", **look)
        content = (tmp_path / f"a.{name}").read_bytes()
        stream = io.BytesIO()
        stream.write(b"before ")
        film.save(stream, format=name, **look)
        assert stream.getvalue() == b"before " + content
        assert film.to_bytes(name.upper(), **look) == content
    assert film.to_bytes("mp4", cell=4)[4:8] == b"ftyp"


def test_equal_animations_hold_the_same(film, tmp_path):
    film.save(tmp_path / "a.json")
    copy = la.load_animation(tmp_path / "a.json")
    assert copy == film
    assert copy.clicks.dtype != film.clicks.dtype
    for change in (
        {"history": la.Clicks(film.clicks[::-1])},
        {"first": ~film.first},
        {"targets": (), "pictures": ()},
        {"targets": (film.targets[0], ~film.targets[1])},
        *({"holds": ()}, {"seed": 2}, {"origin": None}),
    ):
        changed = replace(film, **change)
        assert changed == replace(changed) != film
    assert film != "film"
    with pytest.raises(TypeError, match="unhashable"):
        hash(film)


def test_the_repr_is_one_line_that_says_what_it_is(film):
    facts = f"12x8 cells, {film.count} clicks, 26 frames, 5 s"
    assert repr(film) == f"<Animation 'picture -> picture': {facts}>"
    odd = replace(film, pictures=("a\nb\x1b[31m", "c" * 500))
    assert repr(odd).isprintable()
    assert len(repr(odd)) < 200


@pytest.mark.long
def test_a_plot_shows_frames_side_by_side(film):
    pytest.importorskip("matplotlib").use("agg")
    look = {"cell": 4, "gap": 0, "palette": "rose"}
    axes = film.plot(3, **look)
    images = [np.asarray(axis.get_images()[0].get_array()) for axis in axes]
    assert len(axes) == len(axes[0].figure.axes) == 3
    assert np.array_equal(images[::2], [film.frame(number, **look) for number in (0, -1)])
