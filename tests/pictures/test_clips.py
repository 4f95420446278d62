"""Clips that go in: their times, how they are turned, one tone curve, and what is refused.

Times are compared with ffprobe and with Pillow, pixels with FFmpeg's own program and with Pillow.
"""

import io
import itertools
import json
import struct
from fractions import Fraction
from functools import partial
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image, ImageOps
from tools.clips import animated, beeps, ffmpeg, greys, number_of, numbers, pictures_of, refusal
from tools.clips import clip as film
from tools.photographs import photograph
from tools.program import probed
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.errors import PictureError
from lightsanim.pictures.clip import dither_clip
from lightsanim.pictures.light import decode_srgb
from lightsanim.pictures.load import load_source
from lightsanim.pictures.targets import Destination


def first_frame_by_ffmpeg(path, width, height):
    raw = ffmpeg("-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-frames:v", "1", "-")
    return decode_srgb(np.frombuffer(raw, np.uint8).reshape(height, width, 3) / 255)


def frames_at(times, end, fps):
    """The definition: at k / fps the last frame that has begun, to within a millisecond."""
    for time in np.arange(0, end - 0.001, 1 / fps):
        yield np.searchsorted(times, time + 0.001, side="right") - 1


@pytest.mark.parametrize(
    ("name", "codec", "rate"),
    [
        *(("a.mp4", "libx264", 30), ("a.avi", "ffv1", 25), ("a.webm", "libvpx-vp9", 30)),
        ("a.y4m", "wrapped_avframe", 25),
    ],
)
def test_at_its_own_rate_a_film_gives_each_frame_once(tmp_path, name, codec, rate):
    path = film(tmp_path / name, greys(20), rate, codec=codec)
    clip = load_source(path)
    assert (clip.fps, clip.size, clip.name) == (rate, (32, 24), "a")
    assert clip.seconds == pytest.approx(20 / rate, abs=0.002)
    assert numbers(clip, rate) == list(range(20))


@pytest.mark.parametrize(("suffix", "fps"), [("mp4", 60), ("mkv", 5)])
def test_frames_of_any_length_are_resampled_by_time(tmp_path, suffix, fps):
    milliseconds = [0, 40, 80, 400, 433, 900, 910, 1500]
    path = film(tmp_path / f"a.{suffix}", greys(8), 25, times=milliseconds)
    packets = probed(path, "packet=pts_time,duration_time")["packets"]
    times = sorted(float(packet["pts_time"]) for packet in packets)
    assert times == pytest.approx(np.array(milliseconds) / 1000, abs=0.001)
    frames, expected = numbers(load_source(path), fps), list(frames_at(times, 1.6, fps))
    assert frames[: len(expected)] == expected[: len(frames)]
    assert len(frames) >= 1.5 * fps


def test_clip_with_long_holds_has_default_rate(tmp_path):
    hurried = animated(tmp_path / "hurried.gif", greys(4), 0)
    assert load_source(hurried).seconds == pytest.approx(0.4)  # as browsers play it
    gif = animated(tmp_path / "a.gif", greys(9), [50] * 8 + [3000])
    assert numbers(clip := load_source(gif), clip.fps)[:10] == [*range(9), 8]
    webp = animated(tmp_path / "a.webp", greys(9), [1] + [300_000] * 8)
    assert load_source(webp).fps == 10
    path = film(tmp_path / "a.mp4", greys(9), 25, times=[*range(0, 400, 50), 9000])
    assert numbers(clip := load_source(path), clip.fps)[:8] == list(range(8))


def test_a_part_and_a_frame_are_taken_by_time(tmp_path):
    path = film(tmp_path / "a.mp4", greys(20), bf="2", g="7", qp="0")
    part = load_source(la.Source(path, start=0.5, end=1.2))
    assert (part.seconds, numbers(part, 10)) == (pytest.approx(0.7), [5, 6, 7, 8, 9, 10, 11])
    assert np.array_equal(part.first_frame.light, next(pictures_of(part, 10)).light)
    for at, number in {0: 0, 0.3: 3, 0.39: 3, 1.9: 19}.items():
        assert number_of(la.load_picture(la.Source(path, at=at))) == number
    assert isinstance(load_source(path, la.Settings(at=1)), la.Picture)
    assert numbers(load_source(path, la.Settings(start=1.8)), 10) == [18, 19]


PHOTO = photograph("astronaut")[40:136, 160:288]


@pytest.mark.parametrize(("turn", "size"), [(90, (96, 128)), (180, (128, 96))])
def test_a_film_is_turned_as_its_head_says(tmp_path, turn, size):
    path = tmp_path / "turned.mp4"
    words = ("-metadata:s:v", f"rotate={turn}", "-c", "copy")
    ffmpeg("-i", film(tmp_path / "flat.mp4", [PHOTO] * 2), *words, path)
    clip = load_source(path, la.Settings(rgb=True))
    assert clip.size == size
    assert np.abs(clip.first_frame.light - first_frame_by_ffmpeg(path, *size)).max() < 0.01


@pytest.mark.parametrize("orientation", [3, 6])
def test_a_film_of_jpegs_is_turned_as_their_exif_says(tmp_path, orientation):
    image, content = Image.fromarray(PHOTO), io.BytesIO()
    image.getexif()[ExifTags.Base.Orientation] = orientation
    image.save(content, "JPEG", quality=95, exif=image.getexif())
    with av.open(str(tmp_path / "a.mov"), "w") as file:
        stream = file.add_stream("mjpeg", rate=10)
        stream.width, stream.height, stream.pix_fmt = *image.size, "yuvj420p"
        for number in range(2):
            packet = av.Packet(content.getvalue())
            packet.pts = packet.dts = number
            packet.time_base, packet.stream, packet.is_keyframe = Fraction(1, 10), stream, True
            file.mux(packet)
    upright = ImageOps.exif_transpose(image)
    clip = load_source(tmp_path / "a.mov", la.Settings(rgb=True))
    assert clip.size == upright.size
    assert np.abs(clip.first_frame.light - decode_srgb(np.asarray(upright) / 255)).mean() < 0.01


def test_pixels_that_are_not_square_are_made_so(tmp_path):
    for aspect, size in ((Fraction(2), (256, 96)), (Fraction(1, 2), (128, 192))):
        clip = load_source(film(tmp_path / "a.mp4", [PHOTO] * 2, aspect=aspect))
        assert (clip.size, clip.first_frame.light.shape) == (size, size[::-1])


@pytest.mark.parametrize(("width", "height"), [(112, 96), (116, 95), (122, 96), (128, 95)])
def test_colours_are_those_of_ffmpeg_to_the_last_column(tmp_path, width, height):
    noise = np.random.default_rng(0).integers(0, 256, (2, height, width, 3), np.uint8)
    path = film(tmp_path / "a.mkv", noise, codec="ffv1", pix_fmt="yuv420p")
    with av.open(path) as file:
        pixels = next(file.decode(video=0)).to_ndarray(format="rgb24")
    light, grey = (load_source(path, la.Settings(rgb=on)).first_frame.light for on in (True, False))
    assert light == pytest.approx(decode_srgb(pixels / 255), abs=1e-6)
    assert np.abs(grey - light @ [0.2126, 0.7152, 0.0722]).max() < 1e-6  # BT.709


@pytest.mark.parametrize("suffix", ["png", "webp"])
def test_frames_of_animated_picture_come_at_their_times(tmp_path, suffix):
    delays = [40, 200, 60, 100, 350, 80]
    clip = load_source(animated(tmp_path / f"a.{suffix}", greys(6), delays))
    assert (clip.seconds, clip.fps) == (pytest.approx(0.83), pytest.approx(25))  # of the shortest
    starts = np.cumsum([0, *delays[:-1]]) / 1000
    assert numbers(clip, 50) == list(frames_at(starts, 0.83, 50))


def test_what_is_transparent_in_a_film_shows_the_backdrop(tmp_path):
    pixels = np.zeros((24, 32, 4), np.uint8)
    pixels[:, 16:] = 255
    path = film(tmp_path / "a.webm", [pixels] * 3, codec="libvpx-vp9")
    light = load_source(path, la.Settings(backdrop="#808080")).first_frame.light
    assert light[12, 2] == pytest.approx(decode_srgb(128 / 255), abs=0.01)
    assert light[12, 30] > 0.98


def test_folder_clip_is_sorted_by_number(tmp_path):
    for number, pixels in enumerate(greys(12)):
        Image.fromarray(pixels).save(tmp_path / f"shot {number}.png")
    (tmp_path / "notes 3.txt").write_text("no picture")
    clip = load_source(f"{tmp_path}")
    assert (clip.fps, clip.seconds) == (25, 12 / 25)
    assert numbers(clip, 25) == list(range(12))
    clip = load_source(la.Source(tmp_path, fps=4, start=1))
    assert (clip.fps, numbers(clip, 2)) == (4, [4, 6, 8, 10])


@pytest.mark.parametrize("kind", [np.stack, iter, lambda frames: map(Image.fromarray, frames)])
def test_clip_from_array_iterator_or_map(kind):
    clip = load_source(la.Source(kind(greys(9)), fps=3, start=1))
    assert (clip.path, clip.fps, clip.size) == ("clip", 3, (32, 24))
    assert numbers(clip, 3) == [3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("count", [2, 100, 101])
def test_a_generator_of_any_length_makes_a_film(count):
    frames = (np.full((3, 4), k % 2 * 1.0) for k in range(count))
    assert len(la.make([frames], size="4x3", seed=1)) == count


def test_generator_clip_is_read_lazily_and_once():
    numbers = itertools.count()
    clip = load_source(la.Source((np.full((24, 32), k % 7 / 7) for k in numbers), fps=10))
    assert len(list(clip.sample_lights())) == next(numbers) == 100
    assert len(list(itertools.islice(pictures_of(clip, 10), 150))) == 150
    assert next(numbers) <= 153
    assert_refused(lambda: list(pictures_of(clip, 10)), "once", PictureError)


def test_clip_tones_stay_constant_while_view_moves():
    # A window moves over a wide picture, dark on the left and bright on the right.
    wide = np.tile(np.linspace(0.2, 0.6, 120), (30, 1))
    clip = load_source(la.Source([wide[:, 4 * k : 4 * k + 40] for k in range(12)], fps=10))
    board, settings = la.Board(30, 40), la.Settings(size="40x30", detail=0)
    frames = [targets[0].grey for targets in dither_clip(clip, Destination.of(settings, board), 10)]
    assert len(frames) == 12
    for earlier, later in itertools.pairwise(frames):
        assert np.abs(earlier[:, 6:-2] - later[:, 2:-6]).max() < 0.01
    assert np.ptp(frames) > 0.94  # it is stretched all the same, as a whole


def test_crop_focus_and_colour_are_those_of_pictures():
    frames = [PHOTO] * 3
    board = la.Board(24, 32)
    for own in ({"crop": "10%,0,90%,60%"}, {"focus": "40%,40%,2"}, {"focus": "auto"}):
        settings = la.Settings(size="32x24", rgb=True, dither="blue-noise")
        clip = load_source(la.Source(frames, **own), settings)
        still = la.load_picture(la.Source(PHOTO, **own), rgb=True)
        expected = la.targets_for(still, board, settings)
        for targets in dither_clip(clip, Destination.of(settings, board), 25):
            for moving, static in zip(targets, expected, strict=True):
                assert (moving.configuration != static.configuration).mean() < 0.02


def test_a_clip_of_one_frame_is_a_still(tmp_path):
    assert load_source(film(tmp_path / "a.mp4", greys(1))).light.shape == (24, 32)
    assert load_source(la.Source(greys(1))).light.shape == (24, 32)
    Image.fromarray(greys(1)[0]).save(tmp_path / "a.gif", save_all=True)
    assert "start" in refusal(la.Source(tmp_path / "a.gif", start=1))


def test_clip_times_out_of_range_are_refused(tmp_path):
    path = film(tmp_path / "a.mp4", greys(10))
    gif = animated(tmp_path / "a.gif", greys(3), 100)
    for source, facts in {
        la.Source(path, at=5): f"{path}: 5 1",
        la.Source(path, start=1.5): f"{path}: 1.5 1",
        la.Source(gif, at=0.31): f"{gif}: 0.31 0.3",
        la.Source(path, fps=5): f"{path}: fps",
        la.Source(greys(3), at=1): "clip: 1 0.12",
    }.items():
        assert_refused(partial(load_source, source), facts)
    for start, end in ({"start": 0.6, "end": 0.4}, {}), ({"start": 0.6}, {"end": 0.4}):
        make = partial(la.make, [la.Source(path, **end)], **start)
        assert_refused(make, "end 0.4 start 0.6")
    assert_refused(lambda: la.Source(greys(3), fps=0), "fps 0")
    assert_refused(lambda: la.load_picture(gif), "a.gif@at=0", PictureError)


@pytest.mark.parametrize("suffix", ["mp4", "gif", "webp"])
def test_clip_cut_off_or_empty_is_refused(tmp_path, suffix):
    frames = [np.roll(photograph("camera")[::16, ::16], 3 * k, 1) for k in range(30)]
    path = tmp_path / f"a.{suffix}"
    animated(path, frames, 40) if suffix in ("gif", "webp") else film(path, frames, 25)
    content = path.read_bytes()
    path.write_bytes(b"")
    assert "the file is empty" in refusal(path)
    for share in (0.01, 0.7):
        path.write_bytes(content[: int(len(content) * share)])
        assert refusal(path).startswith(f"cannot read {path}: ")


def test_clip_sound_alone_refused_with_pictures_located(tmp_path):
    ffmpeg("-f", "lavfi", "-i", "sine=d=1", tmp_path / "a.m4a")
    assert "it has no moving pictures" in refusal(tmp_path / "a.m4a")
    assert load_source(film(tmp_path / "a.mp4", greys(2))).sound is None
    path = film(tmp_path / "b.mp4", greys(10), sound=beeps(1))
    sound = load_source(la.Source(path, start=0.5, end=0.8)).sound
    assert (sound.file, sound.start, sound.end) == (path, 0.5, 0.8)


def test_clip_too_large_or_fast_is_refused_early(tmp_path):
    def a_clip(side, fps):
        head = f"YUV4MPEG2 W{side} H{side} F{fps}:1 Ip A1:1 C420jpeg\n".encode()
        (tmp_path / "a.y4m").write_bytes(head + (b"FRAME\n" + bytes(24 * 36)) * 3)
        return tmp_path / "a.y4m"

    for side, fps, fact in ((10_000, 25, "10000x10000"), (8000, 25, "clip"), (24, 10**6, "1e+06")):
        assert fact in refusal(a_clip(side, fps))
    assert load_source(a_clip(24, 0)).fps == 25  # as FFmpeg plays it


def test_frames_must_be_alike_and_be_there(tmp_path):
    assert "no frames" in refusal(la.Source([]))
    odd = [np.zeros((3, 4)), np.zeros((3, 4)), np.zeros((4, 3))]
    assert "frame 2 has 3x4" in refusal(la.Source(odd))
    assert "complex128" in refusal(la.Source([np.zeros((3, 4)), np.zeros((3, 4), "c16")]))
    assert "folder" in refusal(tmp_path)
    for name, content in (("1.png", b"no picture"), ("2.png", b"nor this")):
        (tmp_path / name).write_bytes(content)
    assert refusal(tmp_path).startswith(f"cannot read {tmp_path}/1.png: ")


def test_clip_damaged_in_middle_is_refused_silently(tmp_path, capfd):
    path = film(tmp_path / "a.mp4", [np.roll(PHOTO, k, 1) for k in range(50)], 25, crf="23")
    content, rng = path.read_bytes(), np.random.default_rng(0)
    for _ in range(4):
        damaged = np.array(bytearray(content))
        damaged[rng.integers(len(content) // 4, len(content), 40)] = rng.integers(0, 256, 40)
        path.write_bytes(damaged.tobytes())
        assert refusal(path).startswith(f"cannot read {path}: ")
    assert capfd.readouterr() == ("", "")


def test_no_clip_opens_other_files(tmp_path):
    film(tmp_path / "a.mp4", greys(3))
    (tmp_path / "list.m3u8").write_text("#EXTM3U\n#EXTINF:1,\na.mp4\n#EXT-X-ENDLIST\n")
    (tmp_path / "list.ffconcat").write_text("ffconcat version 1.0\nfile a.mp4\n")
    for path in tmp_path.glob("list.*"):
        assert f"{path}: " in refusal(path)


@pytest.mark.parametrize("suffix", ["exr", "hdr"])
def test_float_pictures_clip_at_highlight_quantile(tmp_path, suffix):
    light = np.tile(np.linspace(0, 4, 200, dtype=np.float32), (20, 1))[..., None] * [1, 0.5, 0.25]
    light[0, 0] = 1e4  # a lamp
    light, path = light.astype(np.float32), tmp_path / f"lamp.{suffix}"
    if suffix == "exr":
        with av.open(str(path), "w", format="image2") as file:
            stream = file.add_stream("exr", rate=1, width=200, height=20, pix_fmt="gbrpf32le")
            frame = av.VideoFrame.from_ndarray(light, format="gbrpf32le")
            file.mux([*stream.encode(frame), *stream.encode(None)])
    else:
        cv2.imwrite(str(path), light[..., ::-1])
    picture = la.load_picture(path, rgb=True)
    assert picture.light.shape == (20, 200, 3)
    white = np.quantile(light.max(axis=2), 0.995)
    assert np.abs(picture.light - np.clip(light / white, 0, 1)).max() < 0.01
    assert picture.light.max() == 1
    path.write_bytes(path.read_bytes()[:300])
    assert refusal(path).startswith(f"cannot read {path}: ")


def test_a_frame_of_a_clip_is_a_picture_of_an_animation(tmp_path, run):
    path = film(tmp_path / "a.mp4", [np.roll(PHOTO, 8 * k, 1) for k in range(10)])
    Image.fromarray(np.roll(PHOTO, 24, 1)).save(tmp_path / "still.png")
    words = ("--size", "16x12", "--json", "-o", "a.json")
    status, out, err = run("make", f"{path}@at=0.3", "still.png", *words)
    assert status == 0, err
    assert Path(json.loads(out)["pictures"][0]["path"]).name == "a.mp4"
    assert la.load_animation("a.json").origin.own[0] == {"at": 0.3}
    assert la.verify("a.json", targets=[path, "still.png"]).wrong == [0, 0]
    assert run("make", path, *words)[0] == 0
    assert la.verify("a.json", targets=[path]).wrong == [0]


# Times of videos: late, anew in joined files, declared wrongly, and cut off.  Frames tell their
# numbers; parts, joins and raw DV are written by FFmpeg's own program.


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
