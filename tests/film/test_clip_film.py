"""Films of clips: every frame is its target, every step legal, and the sound is heard in time.

What files hold is read by ffprobe and ffmpeg.
"""

import json
import os
import pickle
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tools.batches import table
from tools.clips import RATE, beeps, clip, curtain
from tools.films import SUFFIXES
from tools.program import ask, probed
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.apps.batch.job import create_task, load_pictures, sha256_of_picture
from lightsanim.apps.batch.manifest import parse_jobs
from lightsanim.pipeline import plan_film, solve
from lightsanim.system.progress import StageTimer, no_progress

# White pixels are lit, whatever the other options.
PLAIN = {"dither": "threshold", "detail": 0, "autocontrast": False, "seed": 1}
FADE = np.linspace(0, 1, 32).reshape(1, 32).repeat(24, axis=0)


def beginnings(path):
    """When beeps begin, in seconds of the film, as ffmpeg plays it."""
    filters = "aresample=async=1:first_pts=0"
    words = f"-v error -i {path} -map 0:a -af {filters} -f f32le -ac 1 -ar {RATE} -".split()
    loud = np.flatnonzero(np.abs(np.frombuffer(ask("ffmpeg", *words), np.float32)) > 0.2)
    return loud[np.flatnonzero(np.diff(loud, prepend=-RATE) > RATE // 2)] / RATE


def audio_sizes(path):
    packets = probed(path, "packet=size,codec_type")["packets"]
    return [packet["size"] for packet in packets if packet["codec_type"] == "audio"]


@pytest.fixture
def moving(tmp_path):
    """A clip of six frames at ten a second."""
    return clip(tmp_path / "curtain.mp4", curtain())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_clip_frames_equal_their_targets_in_every_format(tmp_path, moving, suffix):
    animation, report = la.make_with_report([moving], size="32x24", **PLAIN)
    assert np.array_equal(list(animation.configurations()), curtain() > 0)
    path = tmp_path / f"film{suffix}"
    la.render_files(animation, la.Theme(cell=6), la.Outputs(output=path))
    proof = la.verify(path, targets=[animation.targets[0].astype(float)])
    assert (proof.legal, proof.frames, proof.clicks) == (True, 6, animation.count)
    assert (proof.wrong, proof.shown) == ([0], [0])
    assert suffix == "" or proof.seconds == pytest.approx(0.6)
    (picture,), (move,) = report.pictures, report.moves
    assert (picture.frames, picture.wrong, picture.mean_wrong) == (6, 0, 0)
    assert (move.clicks, move.status) == (animation.count, "optimal")


def test_stills_and_clips_follow_each_other_in_a_chain(tmp_path, moving):
    still = np.zeros((24, 32))
    still[:, 20:] = 1
    closing = clip(tmp_path / "closing.mp4", curtain()[::-1])
    pictures, options = [still, moving, still, closing], {"size": "32x24", "duration": 0.5}
    animation = la.make(pictures, **PLAIN, **options)
    frames, durations = np.array(list(animation.configurations())), animation.durations()
    # Transitions of five frames lie between them.
    targets = [still, *curtain(), still, *curtain()[::-1]]
    assert len(frames) == 26
    chosen = [0, *range(5, 11), 15, *range(20, 26)]
    assert np.array_equal(frames[chosen], np.array(targets) > 0)
    assert durations[[0, 15]] == pytest.approx([1, 3.1])
    assert durations[[*range(1, 15), *range(16, 25)]] == pytest.approx([0.1] * 23)
    animation.save(tmp_path / "a.webp", cell=4)
    assert la.verify(tmp_path / "a.webp").legal


def test_stages_of_a_clip_film_last_no_longer_than_the_film(moving):
    stages, whole = StageTimer(no_progress), StageTimer(no_progress)
    settings = la.Settings(size="9x9", seed=1)  # a board with quiet patterns
    with whole.time_stage("film"):
        solve(plan_film(list(map(la.Source, [FADE, moving, FADE.T])), settings, stages), stages)
    assert sum(stages.seconds.values()) <= whole.seconds["film"]


@pytest.mark.long
@pytest.mark.parametrize("options", [{"transition": "dissolve"}, {"rgb": True, "levels": 3}])
def test_a_cycle_of_a_clip_and_a_still_ends_where_it_began(tmp_path, moving, options):
    animation = la.make(
        [moving, FADE], size="16x12", duration=0.5, ending="cycle", seed=1, **options
    )
    assert np.array_equal(animation.first, animation.last)
    animation.save(tmp_path / "a.webm")
    assert la.verify(tmp_path / "a.webm").legal


def test_clip_defaults_suit_clips(moving):
    film = la.make([moving], size=8, seed=1)
    settings = film.origin.settings
    assert (settings["dither"], settings["fps"], film.fps) == ("blue-noise", 10, 10)
    film = la.make([moving], size=8, seed=1, dither="floyd-steinberg", fps=25, hold_last=1)
    assert film.origin.settings["dither"] == "floyd-steinberg"
    assert len(film) == 15  # 0.6 seconds
    assert film.durations()[-1] == pytest.approx(1.04)


def test_clip_with_quiet_patterns_errs_in_the_same_cells(moving):
    options = {**PLAIN, "size": "29x23", "crop": "0,0,29,23", "fps": 20}  # each frame twice
    animation, report = la.make_with_report([moving], **options)
    board, (picture,) = animation.board, report.pictures
    assert 0 < picture.wrong <= board.nullity == 5  # OEIS A159257 tells those of squares alone
    assert (picture.status, picture.frames) == ("feasible", 12)
    frames = np.array(list(animation.configurations()))
    assert all(map(board.is_accessible, frames))
    assert np.array_equal(frames[::2], frames[1::2])
    wrong = frames[::2] ^ (curtain()[:, :23, :29] > 0)
    assert wrong.any(axis=0).sum() <= board.nullity
    assert picture.wrong == wrong.sum(axis=(1, 2)).max()
    assert any("--perfect" in note for note in report.notes)
    assert animation.steps == la.make([moving], time_limit=1e-6, **options).steps


def test_encoded_still_photograph_does_not_flicker(tmp_path, photographs):
    # 232 pixels wide: FFmpeg has ways to turn that to RGB which leave the right edge unwritten.
    with Image.open(photographs[0]) as image:
        photograph = np.asarray(image.convert("L").resize((232, 160)))
    still = clip(tmp_path / "still.mp4", [photograph] * 10, fps=25, crf="23", preset="medium")
    frames = np.array(list(la.make([still], size="60x40", seed=1).configurations()))
    assert not (frames[2:] != frames[2]).any()


@pytest.mark.long
@pytest.mark.parametrize(("suffix", "codec"), [(".mp4", "aac"), (".webm", "opus")])
def test_sound_is_heard_with_the_pictures_that_it_came_with(tmp_path, suffix, codec):
    loud = clip(tmp_path / "loud.mp4", (curtain()[k % 6] for k in range(40)), sound=beeps(4))
    for pictures, times in (
        ([loud], [0, 1, 2, 3]),
        ([la.Source(loud, start=1.5, end=3.5)], [0.5, 1.5]),
        ([FADE, loud], [1.4, 2.4, 3.4, 4.4]),  # a hold, and five frames, the last its own
        ([loud, la.Source(loud, start=2)], [0, 1, 2, 3, 4.4, 5.4]),
    ):
        wipe = {"duration": 0.5} if len(pictures) > 1 else {}
        animation = la.make(pictures, size="16x12", seed=1, **wipe)
        path = tmp_path / f"film{suffix}"
        animation.save(path)
        tracks = probed(path, "stream=codec_name,codec_type")["streams"]
        assert [track["codec_name"] for track in tracks][1:] == [codec]
        assert beginnings(path) == pytest.approx(times, abs=0.02)
        seconds = float(probed(path, "format=duration")["format"]["duration"])
        assert seconds == pytest.approx(animation.durations().sum(), abs=0.05)
        assert la.verify(path).legal


def test_sound_is_copied_where_it_can_be_and_mute_leaves_it_out(tmp_path, run):
    clip(tmp_path / "loud.mp4", curtain(10), sound=beeps(1))
    words = ("make", "loud.mp4", "-o", "a.mp4", "-o", "b.mp4@mute", "--size", "8x6", "--canvas", 32)
    status, out, err = run(*words, "-o", "a.gif", "--json")
    report = json.loads(out)
    assert (status, report["pictures"][0]["frames"], report["frames"]) == (0, 10, 10)
    assert report["moves"][0]["clicks"] > 0
    assert "a.gif: no sound" in err + out
    source, copy = map(audio_sizes, ("loud.mp4", "a.mp4"))
    assert copy == source[: len(copy)]
    assert len(copy) >= RATE // 1024
    assert len(probed("b.mp4", "stream=codec_type")["streams"]) == 1


@pytest.mark.long
def test_sound_is_in_time_after_five_minutes(tmp_path):
    frames = (curtain()[k % 6] for k in range(600))
    film = la.make([clip(tmp_path / "loud.mp4", frames, 2, sound=beeps(300))], size=8, seed=1)
    for suffix in (".mp4", ".webm"):
        film.save(tmp_path / f"film{suffix}", cell=2)
        times = beginnings(tmp_path / f"film{suffix}")
        assert times == pytest.approx(np.arange(300), abs=0.02)


@pytest.mark.posix
def test_clip_steps_file_goes_with_the_animation(tmp_path, moving, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))

    def open_files():
        links = [*Path("/proc/self/fd").iterdir()]
        return [path for path in map(os.path.realpath, links) if path.startswith(str(folder))]

    animation = la.make([moving], size="32x24", **PLAIN)
    assert len(open_files()) == 1
    assert not list(folder.iterdir())  # it has no name
    copy = pickle.loads(pickle.dumps(animation.steps))
    assert copy == animation.steps
    assert copy.press_counts.tolist() == animation.clicks_by_frame.tolist()
    del animation
    assert not open_files()


MEASURED = """
import resource, sys
import lightsanim as la
la.make([sys.argv[1]], size="80x60", seed=1).save(sys.argv[2], cell=4)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.long
def test_memory_does_not_grow_with_the_length(tmp_path):
    peaks = []
    for count in (300, 2000):
        path = clip(tmp_path / f"{count}.mp4", (curtain(12)[k % 12] for k in range(count)), 30)
        peaks.append(int(ask("python", "-c", MEASURED, path, tmp_path / "film.mp4")))
    assert peaks[1] < 1.1 * peaks[0]


def test_workers_of_a_batch_read_large_clips_themselves(tmp_path):
    sizes = {"large.mp4": 21_000_000, "small.mp4": 1000}
    for name, size in sizes.items():
        (tmp_path / name).write_bytes(bytes(size))
    (job,) = parse_jobs({"animation": [table(pictures=[*sizes])]})
    task = create_task(job, [sha256_of_picture(tmp_path / name) for name in sizes])
    local = load_pictures(task, tmp_path)
    assert [source.path for source in local.pictures] == [*sizes]
    assert os.path.samefile(local.pictures[0].picture, tmp_path / "large.mp4")
    assert len(pickle.dumps(local)) < 10_000
    assert len(pickle.dumps(load_pictures(task, tmp_path, is_local=False))) > 21_000_000


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("--ending boomerang", "ending clip"),
        ("--clicks-per-frame 3", "clicks_per_frame clips"),
        ("--total 8", "total clips"),
        ("--order sweep", "order single clip"),
        ("--at 0.2", "clip 2 pictures 1"),
        ("curtain.mp4 --order legal", "order legal stills"),
        ("-o a.json --size 1000 --fps 1000", "599 56 MB"),
    ],
)
def test_options_that_clips_cannot_have(refused, moving, words, facts):
    refused(["make", "curtain.mp4", "-o", "a.gif", *words.split()], 2, facts)


def test_missing_sound_is_reported_in_one_line(tmp_path):
    loud = clip(tmp_path / "loud.mp4", curtain(), sound=beeps(0.6))
    animation = la.make([loud], size=8, seed=1)
    loud.unlink()
    assert_refused(lambda: animation.save(tmp_path / "a.mp4"), "sound loud.mp4 mute")
    assert not list(tmp_path.iterdir())
    replace(animation, sounds=()).save(tmp_path / "a.mp4")
