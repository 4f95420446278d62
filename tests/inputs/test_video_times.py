"""Times of video clips: late, anew in joined files, declared wrongly, and cut off.

Frames tell their numbers; parts, joins and raw DV are written by FFmpeg's own program.
"""

import struct

import av
import numpy as np
import pytest
from tools.clips import beeps, ffmpeg, greys, number_of, numbers, refusal
from tools.clips import clip as film
from tools.program import probed

import lightsanim as la
from lightsanim.inputs.load import load_source
from lightsanim.pictures.light import decode_srgb


def numbers_of(source):
    return numbers(clip := load_source(source), clip.fps)


@pytest.mark.parametrize("suffix", ["mkv", "mp4", "flv", "asf", "ts"])
def test_clip_that_begins_late_is_read_whole(tmp_path, suffix):
    whole, late = film(tmp_path / "a.mkv", greys(20)), tmp_path / f"late.{suffix}"
    ffmpeg("-i", whole, "-c", "copy", "-output_ts_offset", 30, late)
    clip = load_source(late)
    assert (clip.seconds, clip.remark) == (pytest.approx(2, abs=0.01), None)
    assert numbers_of(late) == list(range(20))
    assert numbers_of(la.Source(late, start=1.5)) == list(range(15, 20))


@pytest.mark.parametrize("offsets", [(0, 0), (0, 100), (100, 0)])
@pytest.mark.parametrize(("kind", "codec"), [("mpegts", "libx264"), ("vob", "mpeg2video")])
def test_joined_files_show_all_frames_in_turn(tmp_path, kind, codec, offsets):
    path, content = tmp_path / "joined.mpg", b""
    for offset, frames in zip(offsets, (greys(40)[:20], greys(40)[20:]), strict=True):
        words = ("-c:v", codec, "-q:v", 1, "-output_ts_offset", offset, "-f", kind, "-")
        content += ffmpeg("-i", film(tmp_path / "a.mkv", frames, 25), *words)
    path.write_bytes(content)
    assert load_source(path).seconds == pytest.approx(1.6, abs=0.01)
    assert numbers_of(path) == list(range(40))
    assert numbers_of(la.Source(path, start=0.6, end=1.2)) == list(range(15, 30))
    assert number_of(la.load_picture(la.Source(path, at=1.4))) == 35


def test_sound_of_joined_files_stays_in_step(tmp_path):
    part = film(tmp_path / "a.mkv", greys(15), sound=beeps(1.5))
    content = ffmpeg("-i", part, "-c", "copy", "-f", "mpegts", "-")
    (tmp_path / "joined.ts").write_bytes(content * 3)
    la.make([tmp_path / "joined.ts"], size="8x6").save(tmp_path / "a.mp4")
    with av.open(str(tmp_path / "a.mp4")) as file:
        loud = [f.time for f in file.decode(audio=0) if np.abs(f.to_ndarray()).max() > 0.3]
    # Each part has beeps after 0 and 1 seconds.
    beginnings = [
        time for before, time in zip([-1, *loud], loud, strict=False) if time - before > 0.2
    ]
    assert beginnings == pytest.approx([0, 1, 1.5, 2.5, 3, 4], abs=0.06)


def test_raw_dv_plays_at_its_rate(tmp_path):
    words = ["-vf", "scale=720:576", "-r", 25, "-pix_fmt", "yuv420p", tmp_path / "a.dv"]
    ffmpeg("-i", film(tmp_path / "a.mkv", greys(10), 25), *words)
    assert load_source(tmp_path / "a.dv").fps == 25
    assert len(numbers_of(tmp_path / "a.dv")) == 10


@pytest.mark.parametrize("name", ["a.avi", "a.mov"])
def test_palette_in_first_packet_serves_later_frames(tmp_path, name):
    words = ("-f", "lavfi", "-i", "testsrc=d=2:r=10:s=64x48", "-pix_fmt", "pal8")
    ffmpeg(*words, "-c:v", "rawvideo", tmp_path / name)
    raw = ffmpeg("-i", tmp_path / name, "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
    frames = decode_srgb(np.frombuffer(raw, np.uint8).reshape(-1, 48, 64, 3) / 255)
    for start in (0, 1):
        clip = load_source(la.Source(tmp_path / name, start=start), la.Settings(rgb=True))
        assert np.abs(clip.first_frame.light - frames[10 * start]).max() < 1e-5


@pytest.mark.parametrize(
    ("name", "mark", "value"),
    [
        ("a.mkv", b"\x44\x89\x88", struct.pack(">d", 60_000)),
        ("a.flv", b"duration\0", struct.pack(">d", 60)),
    ],
)
def test_clip_shorter_than_its_header_says_is_noted(tmp_path, name, mark, value):
    path = film(tmp_path / name, greys(10), bf="0", qp="0")
    head, tail = path.read_bytes().split(mark, 1)
    path.write_bytes(head + mark + value + tail[len(value) :])
    assert numbers_of(path) == list(range(10))
    # The tones are measured in frames of the whole clip.
    assert len(list(load_source(path).sample_lights())) == 10
    notes = la.make_with_report([path], size="8x6")[1].notes
    assert [note for note in notes if name in note] == [
        f"{path} ends after 1 s, though its header says 60 s."
    ]
    assert load_source(la.Source(path, end=0.5)).remark is None


@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
def test_clip_cut_off_is_read_to_last_whole_frame(tmp_path, suffix):
    noise = np.random.default_rng(0).integers(0, 256, (20, 48, 64, 3), np.uint8)
    source, path = film(tmp_path / "source.mov", noise, bf="0"), tmp_path / f"a.{suffix}"
    ffmpeg("-i", source, "-c", "copy", "-movflags", "faststart", path)
    packet = probed(path, "packet=pos,size")["packets"][12]
    content, middle = path.read_bytes(), int(packet["pos"]) + int(packet["size"]) // 2
    path.write_bytes(content[:middle])
    assert len(numbers_of(path)) == 12
    assert load_source(path).remark == "ends after 1.2 s, though its header says 2 s"
    path.write_bytes(content[: len(content) // 100])
    assert refusal(path).startswith(f"cannot read {path}: ")
