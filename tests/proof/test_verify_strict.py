"""`verify` against players: what they may show otherwise is refused, and nothing else."""

import re
import shutil
import struct
import zlib
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from fuzz import seen
from fuzz.mutation import png_of, png_parts
from tools.clips import clip
from tools.films import FRAMES, an_animation, opened, random_film, refusal
from tools.program import ask
from tools.refusals import assert_refused

import lightsanim as la

SIZE = "7x6"


def reason_for(path):
    """Why it is refused, with our metadata and as a foreign file alike; None if it is legal."""
    reason = refusal(path)
    assert (reason is None) == (refusal(path, size=SIZE) is None)
    return reason


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """Legal films in all formats, for reading only."""
    folder = tmp_path_factory.mktemp("films")
    timing = {"clicks_per_frame": 1, "fps": 10, "hold_first": 0.3, "hold_last": 0.3}
    for suffix in (".gif", ".apng", ".webp", ".mp4", ".webm", ""):
        an_animation(6, 7, **timing).save(folder / f"film{suffix}", cell=12, gap=2)
        assert reason_for(folder / f"film{suffix}") is None
    return folder


# Each once accepted, and shown otherwise by Chromium; what is changed in which parts of the file.


def numbers_of(parts, kind):
    return [number for number, part in enumerate(parts) if part.startswith(kind)]


def with_part(kind, change):
    """Change every part of a kind but the first, or the only one."""

    def tamper(parts):
        numbers = numbers_of(parts, kind)
        for number in numbers[1:] or numbers:
            parts[number] = change(parts[number])
        return parts

    return tamper


def insert(kind, *new, without=0):
    """Put parts before the first of a kind, or in its place."""

    def tamper(parts):
        number = numbers_of(parts, kind)[0]
        return [*parts[:number], *new, *parts[number + without :]]

    return tamper


ROTATED = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0"
NOT_SRGB = b"gAMA" + struct.pack(">I", 100_000)
TOO_LARGE = "9000x5000 pixels; a frame must have 1 to 40000000 pixels"

TAMPERED = [
    (".apng", with_part(b"fcTL", lambda c: c[:-2] + b"\2" + c[-1:]), "not one click away"),
    (".apng", with_part(b"fcTL", lambda c: c[:-2] + b"\1" + c[-1:]), "transparent somewhere"),
    (".apng", insert(b"fcTL", without=1), "a first picture that is not played"),
    (".apng", with_part(b"tRNS", lambda c: c[:-1] + b"\1"), "partly transparent"),
    (".apng", insert(b"PLTE", NOT_SRGB), "sRGB"),
    (".apng", insert(b"PLTE", b"bKGD\0"), "an unknown order"),
    (".apng", insert(b"PLTE", b"eXIf" + ROTATED), "a chunk 'eXIf'"),
    (".apng", with_part(b"acTL", lambda c: c[:7] + b"\2" + c[8:]), "its header says 2"),
    (".apng", with_part(b"fdAT", lambda c: c + b"\0"), "too few or too many"),
    (".apng", with_part(b"IDAT", lambda c: c[:4]), "too few or too many"),
    (".gif", with_part(b"!\xf9", lambda c: c[:3] + b"\x09" + c[4:]), "transparent somewhere"),
    (".gif", with_part(b"!\xf9", lambda c: c[:3] + b"\x0d" + c[4:]), "not one click away"),
    (".gif", insert(b";", b"!\x01\x0c" + bytes(12) + b"\2hi\0"), "kind of block"),
    (".gif", insert(b";", b"!\xff\x0bICCRGBG1012\1x\0"), "application extension"),
    (".gif", insert(b",", b"!\xf9\4\x05\0\0\0\0"), "a graphic control"),
    (".webp", insert(b"ANIM", b"ICCP" + bytes(9)), "kind or order of chunks"),
    (".webp", lambda parts: [*parts, b"EXIF" + ROTATED], "kind or order of chunks"),
    (".webp", with_part(b"ANMF", lambda c: c[:19] + b"\1" + c[20:]), "transparent somewhere"),
    (".gif", with_part(b"GIF", lambda c: c[:6] + b"\x28\x23\x88\x13" + c[10:]), TOO_LARGE),
    (".apng", with_part(b"IHDR", lambda c: b"IHDR\0\0\x23\x28\0\0\x13\x88" + c[12:]), TOO_LARGE),
    (".webp", with_part(b"VP8X", lambda c: c[:8] + b"\x27\x23\0\x87\x13\0" + c[14:]), TOO_LARGE),
]  # fmt: skip


@pytest.mark.parametrize(
    ("suffix", "change", "reason"), TAMPERED, ids=lambda value: str(value)[:20]
)
def test_verify_refuses_what_players_render_differently(films, tmp_path, suffix, change, reason):
    path, content = tmp_path / f"film{suffix}", (films / f"film{suffix}").read_bytes()
    split, join = seen.PARTS[suffix]
    assert join(split(content)) == content
    path.write_bytes(join(change([*split(content)])))
    assert reason in reason_for(path)


def test_png_wrong_checksum_is_refused(films, tmp_path):
    content = bytearray((films / "film.apng").read_bytes())
    content[content.index(b"fcTL") + 26 + 4] ^= 1
    (tmp_path / "film.apng").write_bytes(content)
    assert "'fcTL'" in reason_for(tmp_path / "film.apng")


def test_apng_first_frame_below_canvas_is_refused(tmp_path):
    # PNG specification, 11.3.6.2: the first frame, if it is the default image, fills the canvas.
    path, look = tmp_path / "film.apng", {"cell": 3, "gap": 1, "background": "none"}
    an_animation(6, 7).save(path, **look)
    parts = png_parts(path.read_bytes())
    control, pixels = numbers_of(parts, b"fcTL")[0], numbers_of(parts, b"IDAT")[0]
    width, height = struct.unpack_from(">II", parts[control], 8)
    rows = zlib.decompress(parts[pixels][4:])[: -(1 + width)]  # the last row is a gap
    parts[control] = parts[control][:12] + struct.pack(">I", height - 1) + parts[control][16:]
    parts[pixels] = b"IDAT" + zlib.compress(rows)
    path.write_bytes(png_of(parts))
    assert "a first frame that does not fill its canvas" in refusal(path)


def test_verify_folder_with_animated_frame_is_refused(films, tmp_path):
    path = shutil.copytree(films / "film", tmp_path / "film")
    shutil.copy(films / "film.apng", path / "00000.png")
    assert "00000.png" in reason_for(path)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("-i film.mp4 -i film.mp4 -map 0 -map 1 -c copy out.mp4", "tracks other than one"),
        ("-i film.mp4 -c copy -metadata:s:v rotate=90 out.mp4", "a part 'tkhd' that changes"),
        ("-i film.mp4 -c copy -aspect 2:1 out.mp4", "a part 'pasp' that changes"),
        ("-i film.webm -c copy -aspect 2:1 out.webm", "pixels that are not square"),
        (
            "-i film.webm -pix_fmt yuva420p -c:v libvpx-vp9 -auto-alt-ref 0 out.webm",
            "a part 53c0 that changes",
        ),
    ],
)
def test_verify_video_with_ambiguous_rendering_is_refused(films, tmp_path, words, reason):
    *words, name = words.split()
    ask("ffmpeg", "-v", "error", "-nostdin", "-y", *words, tmp_path / name, cwd=films)
    assert reason in reason_for(tmp_path / name)


@pytest.mark.parametrize(
    ("box", "offset", "value"),
    [
        (b"elst", 12, struct.pack(">I", 0x10000)),  # it begins late
        (b"elst", 8, struct.pack(">I", 300)),  # it ends early
        (b"elst", 4, struct.pack(">I", 2)),  # there are two
        (b"tkhd", 3, b"\0"),  # the track is not shown
        (b"tkhd", 40, struct.pack(">i", -(1 << 16))),  # it is turned over
        (b"mvhd", 36, struct.pack(">i", 1 << 15)),  # the film is squeezed
        (b"dref", 19, b"\0"),  # its pictures are elsewhere
    ],
)
def test_mp4_boxes_hiding_or_turning_film_are_refused(films, tmp_path, box, offset, value):
    content = bytearray((films / "film.mp4").read_bytes())
    start = content.index(box) + 4 + offset
    content[start : start + len(value)] = value
    (tmp_path / "film.mp4").write_bytes(content)
    assert reason_for(tmp_path / "film.mp4")


# What other programs make of a film without loss, or with as much as a codec loses.

# FFmpeg dithers GIFs by default, which changes pixels of all cells.
PALETTE = "split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none"
PAD = "pad=ceil(iw/2)*2:ceil(ih/2)*2"
REPACKED = [
    *(f"gifsicle {how} film.gif -o out.gif" for how in [
        "-O3", "--interlace", "-U --disposal=background", "-U --disposal=previous",
    ]),
    *(f"convert film.gif {how}" for how in [
        "out.gif", "-coalesce -layers optimize out.gif",
        "-coalesce -define webp:lossless=true out.webp",
        "-coalesce out/%05d.png", "-coalesce PNG8:out/%05d.png",
    ]),
    *(f"ffmpeg -v error -nostdin -i {how}" for how in [
        f"film.gif -filter_complex {PALETTE} out.gif",
        "film.gif -plays 0 out.apng",
        "film.gif -c:v libwebp_anim -lossless 1 out.webp",
        "film.mp4 -c:v libx264 -crf 23 out.mp4",
        f"film.gif -c:v libx264 -vf {PAD} -pix_fmt yuv420p out.mp4",
        "film.mp4 -c:v libx264 -color_range pc -vf scale=out_range=pc out.mp4",
        "film.mp4 -c:v libx265 -pix_fmt yuv444p -x265-params log-level=none out.mp4",
        "film.mp4 -c:v libvpx-vp9 -cpu-used 8 -crf 30 -b:v 0 out.webm",
        "film.gif -c:v libvpx-vp9 -cpu-used 8 -b:v 0 -pix_fmt yuv444p out.webm",
        "film.webm -c:v libvpx -b:v 1M out.webm",
        "film.mp4 -c:v libsvtav1 -crf 35 out.webm",
        "film.mp4 -c:v libaom-av1 -cpu-used 8 -crf 30 out.mp4",
        "film.mp4 -c copy out.mp4",
        "film.mp4 -f lavfi -i sine=440:d=1 -c:v copy -c:a aac out.mp4",
    ]),
    "apngasm out.apng film/00000.png 1 25 -kc -kp",
    "apngopt film.apng out.apng",
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("words", REPACKED)
def test_verify_file_recompressed_by_others_is_legal(films, tmp_path, words):
    words = words.split()
    matches = (re.fullmatch(r"(PNG\d+:)?(out\.?[a-z0-9]*)(/.*)?", word) for word in words)
    (out,) = (match[2] for match in matches if match)
    for film in films.iterdir():
        (tmp_path / film.name).symlink_to(film)
    if not Path(out).suffix:
        (tmp_path / out).mkdir()
    ask(*words, cwd=tmp_path)
    assert la.verify(tmp_path / out, size=SIZE).legal


@pytest.mark.long
@pytest.mark.parametrize(
    ("suffix", "count"),
    [(".gif", 60), (".apng", 150), (".webp", 60), (".svg", 60), (".mp4", 15), (".webm", 15)],
)
def test_legal_changed_files_render_as_verified(difference, tmp_path, suffix, count):
    counts = seen.compare(difference, suffix, count, 7, tmp_path)
    assert (counts["files"], counts["shown differently"]) == (count, 0)
    assert counts["legal"] > 0


# Whole frames count, as viewers see them; and where it cannot tell, it says so.

PITCH = 26  # Pixels from cell to cell; the middle of a cell shows its state in each forgery.


def tint_disc(frame):
    y, x = np.ogrid[: len(frame), : frame.shape[1]]
    # Rec. 709: this changes the colour, but not luma, 0.2126 R + 0.7152 G + 0.0722 B.
    disc = np.hypot(y - 100, x - 130) < 40
    frame[disc] = frame[disc] + [-40, 12, 0]


def raise_unlit_cells(frame):
    frame[frame.max(axis=2) < 0x50] = 0x60


def draw_around_middles(frame):
    places = np.indices(frame.shape[:2]) % PITCH
    is_middle = (abs(places - PITCH // 2) < 6).all(axis=0)
    frame[~is_middle & (np.arange(frame.shape[1]) // 40 % 2 == 0)] = 0x80


@pytest.fixture(scope="module", params=product(FRAMES, (True, False)), ids=str)
def legal_film(request, tmp_path_factory):
    """A legal film with its own metadata, or with another text, so that looks are learnt."""
    (suffix, has_metadata), folder = request.param, tmp_path_factory.mktemp("legal")
    random_film().save(
        path := folder / f"a{suffix}", cell=24, gap=2, lit="#c0c0c0", unlit="#404040"
    )
    film = opened(path)
    film = film if has_metadata else replace(film, comment="mine")
    film.write(path)
    assert has_metadata or "--size" in refusal(path)
    verdict = la.verify(path, size="10x8")
    assert (verdict.legal, verdict.clicks, verdict.most_clicks) == (True, 8, 1)
    return film, suffix, has_metadata


@pytest.mark.parametrize("forge", [tint_disc, raise_unlit_cells, draw_around_middles])
def test_verify_picture_between_middles_is_not_legal(tmp_path, legal_film, forge):
    film, suffix, has_metadata = legal_film
    if forge is raise_unlit_cells and not has_metadata:
        return  # Nothing states the colour of unlit cells.
    forged = replace(film, frames=[frame.copy() for frame in film.frames])
    for frame in forged.frames:
        forge(frame)
    forged.write(tmp_path / f"a{suffix}")
    assert la.verify(tmp_path / f"a{suffix}", size="10x8").verdict != "legal"


def test_verify_frames_too_short_to_see_are_no_steps(tmp_path):
    random_film().save(tmp_path / "film.mp4", cell=24)
    film, path = opened(tmp_path / "film.mp4"), tmp_path / "brief.mp4"
    for rate, is_legal in [(25, True), (4000, False)]:
        clip(path, film.frames, rate, pix_fmt="yuv420p", comment=film.comment, crf="12")
        assert la.verify(path).legal == is_legal


def test_verify_mark_on_another_cell_cannot_tell(tmp_path):
    animation, path = random_film(), tmp_path / "a.gif"
    animation.save(path, cell=8, gap=2, mark="red")
    film, (row, column) = opened(path), divmod(int(animation.clicks[0]), 10)
    assert not animation.board.neighbourhood(*divmod(int(animation.clicks[1]), 10))[row, column]
    cell = np.s_[2 + 10 * row : 10 + 10 * row, 2 + 10 * column : 10 + 10 * column]
    film.frames[2][cell] = film.frames[1][cell]  # The cell that frame 1 clicked keeps its mark.
    film.write(path)
    assert la.verify(path).verdict == "cannot tell"
    assert "frame 2 marks other cells" in la.verify(path).reason


def test_verify_webm_with_other_colours_than_its_frames_is_refused(tmp_path):
    random_film().save(tmp_path / "a.webm", cell=8)
    content, matrix = (tmp_path / "a.webm").read_bytes(), b"\x55\xb1\x81"
    assert content.count(matrix + b"\1") == 1  # Matroska's MatrixCoefficients: BT.709
    (tmp_path / "b.webm").write_bytes(content.replace(matrix + b"\1", matrix + b"\0"))
    assert_refused(lambda: la.verify(tmp_path / "b.webm"), "colours container differently")


@pytest.mark.parametrize(
    ("gap", "places"), [(2, np.r_[2:100]), (0, np.arange(105) * 100 // 105), (2, np.r_[0:102])]
)
def test_verify_film_of_others_is_legal_in_usual_layouts(tmp_path, gap, places):
    # Gaps are only between cells; cells are stretched to 10 and 11 pixels; gaps are all around.
    random_film(10, 10).save(tmp_path / "a.gif", cell=10 - gap, gap=gap)
    film = opened(tmp_path / "a.gif")
    film.frames = [frame[places][:, places] for frame in film.frames]
    film.comment = "mine"
    film.write(tmp_path / "a.gif")
    assert la.verify(tmp_path / "a.gif", size="10x10").legal


def test_verify_middles_unlike_their_cells_cannot_tell(tmp_path):
    random_film().save(tmp_path / "a.gif", cell=9, gap=0)
    film = opened(tmp_path / "a.gif")
    for frame in film.frames:
        places = np.indices(frame.shape[:2]) % 9
        is_middle = (places == 4).all(axis=0)
        frame[~is_middle] ^= 0x19 ^ 0xF2  # Viewers see the negative.
    film.comment = "mine"
    film.write(tmp_path / "a.gif")
    assert la.verify(tmp_path / "a.gif", size="10x8").verdict == "cannot tell"
