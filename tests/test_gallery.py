"""Galleries: what is written and what is kept, and the site in a real browser."""

import io
import json
import re
import shlex
import shutil
import threading
import zipfile
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest
from films import an_animation
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from players import LAPTOP, a_coloured_animation, frames_of, pixels_of, until
from written import strictly

from lightsanim.animation.animate import animate
from lightsanim.animation.boards import shades_of
from lightsanim.animation.matching_cells import matching_cells
from lightsanim.batch.folder import kept_animation, put_in_place
from lightsanim.batch.job import Job, Outcome, run_task, sha256_of_picture, task_of, with_pictures
from lightsanim.batch.results import RESULTS, append_result, read_results, result_of, standing
from lightsanim.board.board import Board
from lightsanim.errors import OutputError
from lightsanim.gallery.build import build_gallery
from lightsanim.gallery.chart import HEIGHT, WIDTH, agreement_chart
from lightsanim.gallery.site import LIST, slug_of, slugs_for
from lightsanim.look.theme import Theme
from lightsanim.options.table import Settings, Timing
from lightsanim.pictures.source import Source
from lightsanim.proof.verify import verify

ASK = "window.gallery.playing()"

BACK, ON = "\u2039\u203a"

# Names that are markup, end lines, turn the direction of reading, are no text, or are long.
HOSTILE = (
    *("<script>alert(1)<", "\"'&amp;<!--", "line\nend", "\u202egnp", "\udcff\udcfe"),
    *("{{ 7 * 7 }}", "long " * 30),
)

# Each has its own folder of pictures: two, or as many as it names.
JOBS = {
    "sun-moon": ({"size": "12x9"}, {}, ["sun-moon.gif", "frames"], 2),
    "colour": ({"size": "8x8", "rgb": True, "levels": 3}, {"shape": "circle"}, ["colour.gif"], 2),
    "round": ({"size": "9x9", "cycle": True, "levels": 5}, {"gap": 2}, ["zoo/Round 10.gif"], 3),
    "back": ({"size": "20x6", "boomerang": True}, {"palette": "amber"}, ["Round 9.json"], 2),
    "hostile": ({"size": 7, "time_limit": "inf"}, {}, ["hostile.gif"], len(HOSTILE)),
}


def add_to(batch, pictures, name, settings, theme, outputs, count):
    folder = pictures / name
    folder.mkdir(parents=True, exist_ok=True)
    names = HOSTILE if name == "hostile" else [f"{name}{number}" for number in range(count)]
    rng = np.random.default_rng(len(name))
    for picture in names:
        noise = Image.fromarray((rng.random((24, 36, 3)) * 255).astype(np.uint8))
        noise.save(folder / f"{picture}.png")
    paths = tuple(f"{name}/{picture}.png" for picture in names)
    sheet = "sheet.png" if name == "sun-moon" else None
    add_job(batch, pictures, paths, outputs, settings, theme, sheet)


def add_job(batch, pictures, paths, outputs, settings, theme, sheet=None):
    """Do what a runner does, for one job."""
    wipe = {"duration": 0.5} if len(paths) > 1 else {}
    job = Job(
        pictures=tuple(map(Source, paths)),
        outputs=tuple(outputs),
        settings=Settings(**{"time_limit": 2, **wipe, **settings}),
        theme=Theme(width=100, **theme),
        sheet=sheet,
    )
    task = task_of(job, [sha256_of_picture(pictures / p.path) for p in job.pictures])
    work = batch / ".lightsanim" / "work" / task.id
    work.mkdir(parents=True)
    report = run_task(with_pictures(task, pictures), work)
    written = put_in_place(work, batch, task, set())
    shutil.rmtree(work.parent)
    append_result(batch, result_of(Outcome(task=task, report=report), written))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A batch, its pictures, and its gallery; for reading only."""
    folder = tmp_path_factory.mktemp("gallery")
    for name, job in JOBS.items():
        add_to(folder / "batch", folder / "pictures", name, *job)
    build_gallery(folder / "batch", folder / "some where" / "site", title="A & B")
    return folder


@pytest.fixture
def batch(made, tmp_path):
    """A copy of the batch."""
    return Path(shutil.copytree(made / "batch", tmp_path / "batch", symlinks=True))


@pytest.fixture
def site(made, tmp_path):
    """A copy of its gallery."""
    return Path(shutil.copytree(made / "some where" / "site", tmp_path / "site"))


def results_of(folder):
    return {result.files[0]: result for result in standing(read_results(folder))}


def slugs_of(site):
    """The folder of each output."""
    return json.loads((site / LIST).read_text())["slugs"]


def animations_of(folder):
    """By slug."""
    results = results_of(folder / "batch")
    return {
        slug: kept_animation(folder / "batch", results[output])
        for output, slug in slugs_of(folder / "some where" / "site").items()
    }


def files_of(folder):
    """All files with their content and time."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {p.relative_to(folder).as_posix(): (p.read_bytes(), p.stat().st_mtime_ns) for p in files}


def changed(before, after):
    """The files that were written, made or removed, but for the site's list."""
    paths = before.keys() | after.keys()
    return {path for path in paths if before.get(path) != after.get(path)} - {LIST}


def rewrite_results(folder, edit):
    lines = [json.loads(line) for line in (folder / RESULTS).read_text().splitlines() if line]
    edited = "".join(json.dumps(line) + "\n" for line in map(edit, lines) if line is not None)
    (folder / RESULTS).write_text(edited)


def without(*outputs):
    return lambda line: None if line["outputs"][0]["path"] in outputs else line


def command_on(page):
    """The words of the command that a page shows."""
    return shlex.split(re.sub("<[^>]*>", "", re.search("<code>(.*?)</code>", page.read_text())[1]))


# What agrees.


KINDS = [a_coloured_animation(clicks=70), an_animation(8, 8, clicks_per_frame=9, hold_first=0)]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1), st.booleans())
def test_agreement_is_right_on_any_small_board(rows, columns, seed, coloured):
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, rows * columns, rng.integers(0, 30))
    primaries = rng.integers(1, 8, len(cells)).astype(np.uint8) if coloured else None
    shape = (3, rows, columns) if coloured else (rows, columns)
    first, target = (rng.random(shape) < 0.5 for _ in range(2))
    timing = Timing(clicks_per_frame=int(rng.integers(1, 5)))
    animation = animate(Board(rows, columns), first, [(cells, primaries)], timing)
    naive = [(shades_of(c) == shades_of(target)).sum() for c in animation.configurations()]
    assert matching_cells(animation, [target])[0].tolist() == naive


@pytest.mark.parametrize("animation", KINDS, ids=["coloured", "in large steps"])
def test_the_chart_shows_at_each_moment_the_share_that_agrees(animation):
    counts = matching_cells(animation, [animation.first, animation.last])
    chart = ElementTree.fromstring(agreement_chart(animation, counts))
    (last,) = chart.findall(".//path[@class='last']")
    ends = np.cumsum(animation.durations())
    heights = heights_of(last.get("d"))
    for x in range(WIDTH):
        frame = int(np.argmax(ends > (x + 0.5) * ends[-1] / WIDTH))
        share = counts[1, frame] / animation.board.cells
        assert heights[x] == pytest.approx((1 - share) * HEIGHT, abs=0.6)
    assert len(chart.findall(".//rect")) == len(animation.holds)
    labels = [text.text for text in chart.findall(".//text")]
    assert labels[:4] == ["0%", "50%", "100%", "0"]
    assert all(label.endswith(" s") for label in labels[4:])
    assert "100% in the last one" in chart.get("aria-label")


def heights_of(path):
    """The height of a curve of level and upright lines at each unit of its width."""
    start, steps, end = re.fullmatch(r"M0 (-?\d+)((?:h\d+v-?\d+)*)H(\d+)", path).groups()
    heights, height = [], int(start)
    for along, down in re.findall(r"h(\d+)v(-?\d+)", steps):
        heights += [height] * int(along)
        height += int(down)
    return heights + [height] * (int(end) - len(heights))


# What is written.


def test_every_link_leads_to_a_file_of_the_site(made):
    site = made / "some where" / "site"
    pages = list(site.rglob("*.html"))
    assert len(pages) == 1 + 2 * len(JOBS)
    for page in pages:
        links = re.findall(r'\s(?:href|src)="(?!data:)(.*?)"', page.read_text(encoding="utf-8"))
        assert links or page.name != "index.html"
        for link in map(unescape, links):
            place = urlsplit(urljoin(page.as_uri(), link))
            assert place.scheme == "file"
            path = Path(unquote(place.path))
            assert path.is_file(), link
            assert site in path.parents


def test_outputs_are_copied_and_a_folder_is_one_zip(made):
    site, batch = made / "some where" / "site", made / "batch"
    files = site / "sun-moon" / "files"
    assert {path.name for path in files.iterdir()} == {"frames.zip", "sheet.png", "sun-moon.gif"}
    for name in ("sheet.png", "sun-moon.gif"):
        assert (files / name).read_bytes() == (batch / name).read_bytes()
    with zipfile.ZipFile(files / "frames.zip") as archive:
        content = {Path(name).name: archive.read(name) for name in archive.namelist()}
    assert content == {p.name: p.read_bytes() for p in (batch / "frames").iterdir()}


def test_stills_are_the_targets_and_the_frames_that_show_them(made):
    site, results = made / "some where" / "site", results_of(made / "batch")
    cards = json.loads((site / "animations.js").read_text().removeprefix("animations="))
    wrong = {card["slug"]: card["wrong"] for card in cards}
    for slug, animation in animations_of(made).items():
        levels = animation.board.levels
        shown = [shades_of(c, levels) for c in animation.configurations()]
        assert len([*(site / slug).glob("target-*.png")]) == len(animation.targets) > 1
        for number, target in enumerate(animation.targets, start=1):
            target = shades_of(target, levels)
            with Image.open(site / slug / f"target-{number}.png") as asked:
                assert np.array_equal(np.array(asked), target)
            with Image.open(site / slug / f"frame-{number}.png") as frame:
                cells = np.array(frame)
            assert (cells == target).sum() == max((frame == target).sum() for frame in shown)
            assert any(np.array_equal(cells, one) for one in shown)
    for output, slug in slugs_of(site).items():
        assert wrong[slug] == sum(each["wrong"] for each in results[output].report["pictures"])
    assert sum(wrong.values()) > 0  # 9 x 9 has nullity 2 over GF(5)


def test_the_command_on_a_page_makes_the_same_film(run, made, tmp_path):
    words = command_on(made / "some where/site/colour/index.html")
    assert words[:5] == ["lightsanim", "make", "colour0.png", "colour1.png", "-o"]
    shutil.copytree(made / "pictures/colour", tmp_path, dirs_exist_ok=True)
    assert run(*words[1:])[0] == 0
    assert Path("colour.gif").read_bytes() == (made / "batch/colour.gif").read_bytes()


def test_a_batch_without_time_limits_and_its_gallery_hold_strict_json(made):
    lines = map(strictly, (made / "batch" / RESULTS).read_text().splitlines())
    limits = {line["outputs"][0]["path"]: line["settings"]["time_limit"] for line in lines}
    assert limits["hostile.gif"] == "inf"
    folder = made / "some where/site/hostile"
    film = strictly((folder / "film.js").read_text().partition("=")[2])
    assert film["origin"]["settings"]["time_limit"] == "inf"
    assert "--time-limit inf" in " ".join(command_on(folder / "index.html"))


def test_the_command_on_a_clip_s_page_does_not_write_over_the_clip(run, tmp_path):
    # As `batch --from-folder` names its outputs, and with two of one name.
    frames = [Image.fromarray(np.full((9, 12), level, np.uint8)) for level in (0, 255, 90)]
    (tmp_path / "clips").mkdir()
    clip = tmp_path / "clips/walk.gif"
    frames[0].save(clip, save_all=True, append_images=frames[1:], duration=100)
    outputs = ["walk.gif", "small/Walk.gif"]
    add_job(tmp_path / "batch", tmp_path, ["clips/walk.gif"], outputs, {"size": "12x9"}, {})
    build_gallery(tmp_path / "batch", tmp_path / "site")
    words = command_on(tmp_path / "site/walk/index.html")
    shutil.copy(clip, tmp_path)
    known = {path.name for path in tmp_path.iterdir()}
    status, _, said = run(*words[1:])
    assert (status, (tmp_path / "walk.gif").read_bytes()) == (0, clip.read_bytes()), said
    written = [path for path in tmp_path.iterdir() if path.name not in known]
    made = (tmp_path / "batch/walk.gif").read_bytes()
    assert [path.read_bytes() for path in written] == [made, made]


ONE, NEXT, FRAME = "One picture turns into the other", "Each picture turns", "Each frame turns"


@pytest.mark.parametrize(
    ("pictures", "settings", "turns", "shortened"),
    [
        ("abc", {}, NEXT, False),
        ("ab", {"cycle": True}, ONE, False),
        ("ab", {"transition": "dissolve", "boomerang": True}, ONE, True),
        ("ab", {"transition": "sketch", "sketch_frames": 2, "settle": False}, ONE, False),
        (["a", "clip"], {}, FRAME, True),
    ],
)
def test_a_page_says_how_many_clicks_the_whole_film_takes(
    tmp_path, pictures, settings, turns, shortened
):
    rng = np.random.default_rng(0)
    noise = [Image.fromarray(rng.integers(256, size=(8, 8), dtype=np.uint8)) for _ in range(4)]
    for name, image in zip("abc", noise, strict=False):
        image.save(tmp_path / f"{name}.gif")
    noise[0].save(tmp_path / "clip.gif", save_all=True, append_images=noise[1:], duration=100)
    paths = [f"{name}.gif" for name in pictures]
    add_job(tmp_path / "batch", tmp_path, paths, ["film.gif"], {"size": "5x4", **settings}, {})
    if shortened:  # as of long films, of which fewer frames are kept
        report = results_of(tmp_path / "batch")["film.gif"].report
        rewrite_results(
            tmp_path / "batch", lambda line: {**line, "report": {**report, "frames": 9999}}
        )
    build_gallery(tmp_path / "batch", tmp_path / "site")
    page = (tmp_path / "site/film/index.html").read_text()
    clicks = verify(tmp_path / "batch/film.gif").clicks  # as proven from its frames
    plural = "click" if clicks == 1 else "clicks"
    assert re.search(f"{turns}.* by nothing but clicks of the game Lights Out", page)
    assert f"The film takes {clicks} {plural}; each flips a cell and its neighbours." in page
    assert page.count("its frame is a sketch of it") == (2 if "settle" in settings else 0)
    if "settle" in settings:  # it does not reach its pictures
        assert not re.search("ringed|the fewest|the same, cell by cell", page)


def test_a_page_says_that_the_time_limit_ended_a_search(made, tmp_path):
    settings = {"size": "24x24", "ip": "paper", "time_limit": 1e-9}
    add_to(tmp_path / "b", tmp_path / "p", "paper", settings, {}, ["paper.gif"], 2)
    build_gallery(tmp_path / "b", tmp_path / "s")
    said = "The time limit ended a search: another run may find other clicks."
    assert said in (tmp_path / "s/paper/index.html").read_text()
    assert said not in (made / "some where/site/sun-moon/index.html").read_text()


def test_no_file_of_a_site_tells_a_path(tmp_path):
    private = tmp_path / "private"
    (private / "deep").mkdir(parents=True)
    paths = [private / "one.png", private / "deep" / ".." / "two.png", "puzzle:queens:8"]
    for path in paths[:2]:
        Image.fromarray(np.eye(8, dtype=np.uint8) * 255).save(path)
    outputs = ["zoo/a.gif", "zoo/a.html", "zoo/a.json", "zoo/a.apng", "zoo/a.webp", "zoo/frames"]
    settings = {"size": "8x8", "duration": 0.2}
    add_job(tmp_path / "batch", tmp_path, tuple(map(str, paths)), outputs, settings, {})
    build_gallery(tmp_path / "batch", tmp_path / "site")
    words = command_on(tmp_path / "site/a/index.html")
    assert words[2:5] == ["one.png", "two.png", "puzzle:queens:8"]
    for file in (tmp_path / "site").rglob("*"):
        told = b"" if file.is_dir() or file.name == LIST else file.read_bytes()
        assert not re.search(b"private|zoo/|" + bytes(tmp_path), told), file


def test_large_boards_have_smaller_stills(tmp_path):
    add_to(tmp_path / "b", tmp_path / "p", "big", {"size": "1300x13"}, {}, ["big.json"], 2)
    build_gallery(tmp_path / "b", tmp_path / "s")
    with Image.open(tmp_path / "s" / "big" / "frame-2.png") as frame:
        assert frame.size == (1000, 10)


def test_slugs_are_safe_short_and_their_own():
    names = ["..", "<b>", "CON", "Ünë", "A rather LONG name: with (many) signs and no end"]
    slugs = ["animation", "b", "con-1", "une", "a-rather-long-name-with-many-signs-and-n"]
    assert [*map(slug_of, names)] == slugs


def test_slugs_do_not_depend_on_when_their_animations_were_made():
    outputs = ["b/x.gif", "a/x.gif", "c/X.gif", "y.gif"]
    assert slugs_for(outputs, {}) == slugs_for(reversed(outputs), {})
    assert slugs_for(outputs, {})["a/x.gif"] == "x"
    crowded = {"q": "x", "b/x.gif": "x", "r": slugs_for(outputs, {})["b/x.gif"]}
    slugs = slugs_for([*outputs, "q", "r"], crowded)
    assert len(set(slugs.values())) == 6


# Building again.


def test_what_is_the_same_keeps_its_time(batch, site):
    before = files_of(site)
    built = build_gallery(batch, site, title="A & B")
    assert not changed(before, files_of(site))
    assert (built.written, built.removed, built.unchanged) == (0, 0, len(before) - 1)
    (site / "round-9" / "film.js").write_text("cut o")
    (site / "colour" / "frame-1.png").unlink()
    built = build_gallery(batch, site, title="<i>Mine</i>")
    again = changed(before, files_of(site))
    pages = {path for path in before if path.endswith("index.html")}
    assert again == {*pages, "round-9/film.js", "colour/frame-1.png"}
    assert built.written == len(again)
    for page in pages:
        assert "&lt;i&gt;Mine&lt;/i&gt;" in (site / page).read_text()


def test_animations_come_and_go_and_the_others_stay_where_they_are(batch, site, tmp_path):
    before, slugs = files_of(site), slugs_of(site)
    mine = {"CNAME": "example.org", "sun-moon/notes.txt": "mine", ".git/HEAD": "1"}
    (site / ".git/empty").mkdir(parents=True)
    for path, text in mine.items():
        (site / path).write_text(text)
    (site / "link").symlink_to(tmp_path)
    rewrite_results(batch, without("colour.gif", "sun-moon.gif"))
    # It would come first, and take the name.
    add_to(batch, tmp_path / "p", "other", {"size": "5x5"}, {}, ["a/Round 10.gif"], 2)
    built = build_gallery(batch, site, title="A & B")
    gone = {path for path in before if path.startswith(("colour/", "sun-moon/"))}
    new = slugs_of(site)["a/Round 10.gif"]
    after = changed(before, files_of(site))
    assert re.fullmatch("round-10-[0-9a-f]{4}", new)
    kept = {output: slug for output, slug in slugs.items() if slug not in ("colour", "sun-moon")}
    assert slugs_of(site) == {**kept, "a/Round 10.gif": new}
    assert built.removed == len(gone)
    shared = {"index.html", "animations.js"}
    assert {path for path in after if not path.startswith(f"{new}/")} == gone | shared | {*mine}
    assert not (site / "colour").exists()
    assert {path: (site / path).read_text() for path in mine} == mine
    assert (site / ".git/empty").is_dir()
    assert (site / "link").readlink() == tmp_path


def test_it_tells_how_far_it_is_and_where_it_fails_the_old_site_stays(batch, site, tmp_path):
    before, told = files_of(site), []

    def stop(done, count):
        told.append((done, count))
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_gallery(batch, site, progress=stop)
    assert told == [(done, len(JOBS)) for done in range(4)]
    assert files_of(site) == before
    assert {path.name for path in tmp_path.iterdir()} == {"batch", "site"}


def test_after_a_killed_build_the_next_one_tidies_up(batch, site, tmp_path):
    # It leaves half a new site beside the old one, some of whose files may have been replaced.
    before = {path: content for path, (content, _) in files_of(site).items()}
    new = tmp_path / ".site.lightsanim-new"
    shutil.copytree(site, new)
    (new / "index.html").write_text("cut o")
    shutil.rmtree(site / "colour")
    (site / "index.html").unlink()
    (site / "CNAME").write_text("example.org")
    build_gallery(batch, site, title="A & B")
    assert {path.name for path in tmp_path.iterdir()} == {"batch", "site"}
    after = {path: content for path, (content, _) in files_of(site).items()}
    assert after == {**before, "CNAME": b"example.org"}


def test_a_site_of_an_earlier_version_is_brought_up_to_date(batch, site):
    # It had a line for each animation, with its files and their digests.
    known = site / ".lightsanim-gallery.json"
    lines = [
        {"output": output, "slug": slug, "files": {f"{slug}/index.html": "", f"{slug}/gone.js": ""}}
        for output, slug in json.loads(known.read_text())["slugs"].items()
    ]
    known.unlink()
    (site / ".lightsanim-gallery.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    (site / "colour" / "gone.js").write_text("")
    (site / "CNAME").write_text("example.org")
    built = build_gallery(batch, site)
    assert (built.animations, built.removed) == (len(JOBS), 1 + len(JOBS))
    assert known.exists()
    assert not (site / ".lightsanim-gallery.jsonl").exists()
    assert not (site / "colour" / "gone.js").exists()
    assert (site / "CNAME").read_text() == "example.org"


# What is refused, and what is left out.


OUTSIDE = {"../victim.txt": "files", "{}/victim.txt": "files", "z/../../b": "slugs", "..": "slugs"}


@pytest.mark.parametrize(("path", "member"), OUTSIDE.items())
def test_a_list_that_leads_out_of_the_site_is_refused(batch, site, tmp_path, path, member):
    (tmp_path / "victim.txt").write_text("precious")
    known = json.loads((site / LIST).read_text())
    path = path.format(tmp_path)
    known[member] = [path] if member == "files" else dict.fromkeys(known["slugs"], path)
    (site / LIST).write_text(json.dumps(known))
    before = files_of(tmp_path)
    with pytest.raises(OutputError, match=r"lightsanim-gallery.json is damaged; remove .*site"):
        build_gallery(batch, site)
    assert files_of(tmp_path) == before


def test_nothing_is_removed_behind_a_link(batch, site, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (site / "colour").rename(elsewhere)
    (site / "colour").symlink_to(elsewhere)
    before = files_of(elsewhere)
    rewrite_results(batch, without("colour.gif"))
    assert build_gallery(batch, site).removed == 0
    assert files_of(elsewhere) == before


def test_folders_of_others_and_empty_batches_are_refused(batch, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    for place, message in {
        other: "holds other files; name a folder that is new",
        batch / "frames" / "..": "is the batch's own folder",
        other / "letter.txt" / "site": "cannot write to",
    }.items():
        with pytest.raises(OutputError, match=message):
            build_gallery(batch, place)
    assert [path.name for path in other.iterdir()] == ["letter.txt"]
    message = f"no finished animations in {re.escape(str(other))}; run lightsanim batch first"
    with pytest.raises(OutputError, match=message):
        build_gallery(other, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_an_empty_folder_or_one_in_the_batch_or_behind_a_link_is_fine(batch, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")
    assert build_gallery(batch, tmp_path / "link").written > 0
    assert (tmp_path / "link").is_symlink()
    assert build_gallery(batch, tmp_path / "empty").written == 0
    assert build_gallery(batch, batch / "site").animations == len(JOBS)


def test_what_is_damaged_is_left_out_and_named(batch, tmp_path):
    results = results_of(batch)
    (batch / "sun-moon.gif").write_bytes(b"GIF")
    (batch / ".lightsanim" / f"{results['colour.gif'].id}.json").write_text("{}")
    shutil.rmtree(batch / "zoo")
    rewrite_results(
        batch, lambda line: {**line, "report": {}} if "Round 9" in str(line["outputs"]) else line
    )
    built = build_gallery(batch, tmp_path / "site")
    reasons = dict(built.left_out)
    assert reasons.pop("Round 9.json").startswith("its result is damaged")
    assert reasons.pop("zoo/Round 10.gif") == "it was removed; run the batch to have it back"
    changed = "its files are not as the batch wrote them; run the batch again"
    assert reasons == dict.fromkeys(["sun-moon.gif", "colour.gif"], changed)
    assert built.animations == 1
    assert not (tmp_path / "site/sun-moon").exists()
    (batch / "hostile.gif").unlink()
    with pytest.raises(OutputError, match=r"no animation in .* can be shown; "):
        build_gallery(batch, tmp_path / "site")
    assert (tmp_path / "site/hostile").exists()


def test_what_a_later_version_has_noted_is_shown_all_the_same(batch, tmp_path):
    new = {"mood": 1}
    rewrite_results(batch, lambda line: {**line, **new, "settings": {**line["settings"], **new}})
    built = build_gallery(batch, tmp_path / "site")
    assert (built.animations, built.left_out) == (len(JOBS), ())


# The site in a browser.


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, *words):
        pass  # a page was left before it was loaded


@pytest.fixture(scope="module")
def addresses(made):
    """Where the site is: on a disk, and on a server under a path."""
    with Server(("127.0.0.1", 0), partial(Quiet, directory=str(made))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield {
            "file": (made / "some where" / "site").as_uri(),
            "http": f"http://127.0.0.1:{server.server_port}/some%20where/site",
        }
        server.shutdown()


@pytest.fixture
def show(pages, addresses):
    """Opens a page of the site; at the end no errors and no requests elsewhere are allowed."""

    def open_page(path="index.html", where="http", *, motion="no-preference", **more):
        options = {"viewport": LAPTOP, "reduced_motion": motion, "locale": "en", **more}
        return pages.open(f"{addresses[where]}/{path}", allowed=[addresses[where]], **options)

    yield open_page
    assert not pages.leave()


def cards(page):
    """The slugs of the cards that are shown, in order."""
    links = page.locator(".cards li:not([hidden]) > a")
    return links.evaluate_all("all => all.map((a) => a.getAttribute('href').split('/')[0])")


def card(page, slug):
    return page.locator(f'.cards a[href^="{slug}/index.html"]')


def find(page, text):
    page.get_by_role("searchbox").fill(text)


def sort(page, by):
    page.get_by_label("Sort by").select_option(by)


def status(page):
    return page.locator("form").get_by_role("status").text_content()


BOTH = pytest.mark.parametrize("where", ["file", "http"])

BY_NAME = ["hostile", "round-9", "colour", "round-10", "sun-moon"]


@pytest.mark.long
def test_the_wall_can_be_sorted_by_the_numbers_shown(show):
    page = show("index.html#sort=constructor&find=%3Cb%3E%F0%9F&x")  # an address may say anything
    assert page.locator("select").input_value() == "hung"
    page.evaluate("location.hash = 'sort=newest'")
    until(page, "document.querySelector('select').value === 'newest'")
    first = {"newest": "hostile", "largest": "round-9", "smallest": "hostile", "name": "hostile"}
    for by, slug in first.items():
        sort(page, by)
        assert cards(page)[0] == slug
        assert sorted(cards(page)) == sorted(BY_NAME)
    for most, fewest, unit in [("clicks", "fewest", "click"), ("wrong", "exact", "wrong cell")]:
        sort(page, most)
        labels = page.locator(".cards .soft").all_text_contents()
        shown = [int((re.search(rf"(\d+) {unit}", label) or [0, 0])[1]) for label in labels]
        assert shown == sorted(shown, reverse=True)
        assert len(set(shown)) > 1
        slug = cards(page)[0]
        sort(page, fewest)
        assert slug in cards(page)[-2:]


def test_the_wall_shows_all_animations_by_name_and_can_be_searched(show):
    page = show()
    assert page.locator("h1").text_content() == "A & B"
    assert cards(page) == BY_NAME
    for text, found in [
        *(("ROUND1", ["round-10"]), ("rgb", ["colour"]), ("5 levels", ["round-10"])),
        *(("boomerang amber", ["round-9"]), ("  ", BY_NAME), ("a.c", [])),
    ]:
        find(page, text)
        assert cards(page) == found
        count = "5 animations" if len(found) == 5 else f"{len(found)} of 5 animations"
        assert status(page) == count
    assert page.get_by_text("Nothing here is called that.").is_visible()
    page.get_by_role("button", name="Show all").click()
    assert cards(page) == BY_NAME
    assert not page.get_by_text("Nothing here is called that.").is_visible()


@pytest.mark.long
def test_order_and_choice_are_in_the_address_and_lead_through_the_pages(show):
    page = show(where="file")
    sort(page, "clicks")
    find(page, "gif")
    chosen = cards(page)
    assert len(chosen) == 4
    assert page.url.endswith("#sort=clicks&find=gif")
    card(page, chosen[1]).click()
    page.wait_for_url("**/index.html#sort=clicks&find=gif")
    assert page.locator("[rel=prev]").get_attribute("href").startswith(f"../{chosen[0]}/")
    page.locator("[rel=next]").click()
    page.wait_for_url(f"**/{chosen[2]}/index.html#*")
    page.get_by_role("link", name="A & B").click()
    page.wait_for_url("**/site/index.html#sort=clicks&find=gif")
    assert cards(page) == chosen
    page.go_back()
    page.wait_for_url(f"**/{chosen[2]}/index.html#*")
    page.go_back()
    page.go_back()
    page.wait_for_url("**/site/index.html#*")
    assert cards(page) == chosen
    assert page.get_by_role("searchbox").input_value() == "gif"
    find(page, "")
    sort(page, "hung")
    assert "#" not in page.url


def assert_plays(page, animation, slug):
    """Is what is shown a configuration of the film?"""
    until(page, f"{ASK}[0]?.done > 0")
    (shown,) = page.evaluate(ASK)
    assert shown["slug"] == slug
    frame = animation.clicks_done.tolist().index(shown["done"])
    assert shown["shades"] == frames_of(animation)[frame].tolist()


def seen(page, slug, animation, place=1):
    """What a card's first or last board shows in the middle of each cell, uint8 (cells, 3)."""
    pixels = pixels_of(page, f'.cards a[href^="{slug}/"] canvas >> nth={place}')[..., :3]
    ways = zip(animation.board.shape, pixels.shape, strict=False)
    rows, columns = ((np.arange(n) + 0.5) * length // n for n, length in ways)
    return pixels[rows.astype(int)[:, None], columns.astype(int)].reshape(-1, 3).tolist()


@pytest.mark.long
@BOTH
def test_a_card_comes_alive_under_the_mouse(made, show, where):
    page, animation = show(where=where), animations_of(made)["sun-moon"]
    wanted = []
    page.on("request", lambda request: wanted.append(request.url.split("/")[-2:]))
    for _ in range(2):
        card(page, "sun-moon").hover()
        assert_plays(page, animation, "sun-moon")
        page.get_by_role("searchbox").hover()
        until(page, f"{ASK}.length === 0")
    assert wanted.count(["sun-moon", "film.js"]) == 1


@pytest.mark.long
def test_cards_show_the_last_picture_and_then_the_film(made, show):
    slug = "colour"
    page, animation = show(viewport={"width": 1000, "height": 1300}), animations_of(made)[slug]
    theme = Theme(**results_of(made / "batch")["colour.gif"].theme)
    colours = theme.shades(animation.boards, animation.board.levels)
    frames = [colours[frame].tolist() for frame in frames_of(animation)]
    until(page, f"document.querySelector('.cards a[href^=\"{slug}/\"] canvas') !== null")
    with Image.open(made / f"some where/site/{slug}/frame-{len(animation.pictures)}.png") as last:
        assert seen(page, slug, animation) == colours[np.array(last)].reshape(-1, 3).tolist()
    assert seen(page, slug, animation, 0) == frames[0]
    card(page, slug).hover()
    until(page, f"{ASK}.some((film) => film.done > 0)")
    assert seen(page, slug, animation) in frames
    page.mouse.move(0, 0)
    until(page, f"{ASK}.length === 0")
    assert seen(page, slug, animation) == frames[-1]


@pytest.mark.long
def test_a_card_comes_alive_on_keyboard_focus_and_arrows_lead_on(made, show):
    page, animations = show(viewport={"width": 1400, "height": 1300}), animations_of(made)
    page.get_by_label("Sort by").focus()
    page.keyboard.press("Tab")
    box = card(page, BY_NAME[0]).bounding_box()
    beside = {"x": box["x"] - 6, "y": box["y"] + 20, "width": 6, "height": 1}
    with Image.open(io.BytesIO(page.screenshot(clip=beside))) as strip:  # the focus is seen
        assert [0x1D, 0x1D, 0x1B] in np.array(strip.convert("RGB"))[0].tolist()
    assert_plays(page, animations[BY_NAME[0]], BY_NAME[0])
    for key, place in [("Right", 1), ("Down", 4), ("Down", 4), ("Left", 3), ("Up", 0)]:
        slug, key = BY_NAME[place], f"Arrow{key}"
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.href").split("/")[-2] == slug
    assert_plays(page, animations[slug], slug)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{slug}/index.html")


@pytest.mark.long
def test_moving_over_the_wall_never_speeds_it_up(show):
    page = show(viewport={"width": 1000, "height": 1300})
    page.evaluate(
        """const ask = window.requestAnimationFrame;
        window.asked = 0;
        window.requestAnimationFrame = (act) => { window.asked++; return ask(act); }; null"""
    )
    for slug in BY_NAME * 3:
        card(page, slug).hover()
        until(page, f"{ASK}.length === 1")
    # What asks for the next frame is one film, and not one for each that was begun.
    asked = page.evaluate(
        """new Promise((resolve) => {
            const before = asked;
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(asked - before)));
        })"""
    )
    assert asked <= 5  # these two among them, and 15 films began


@pytest.mark.long
def test_without_motion_a_card_stands_still(show):
    page = show(motion="reduce", viewport={"width": 1000, "height": 1300})
    until(page, "document.querySelectorAll('.cards canvas').length === 10")
    card(page, "sun-moon").focus()
    page.evaluate("new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))")
    assert page.evaluate(ASK) == []


@pytest.mark.long
def test_on_a_touched_screen_what_is_in_its_middle_is_alive(made, show):
    phone = {"width": 390, "height": 844}
    page = show(viewport=phone, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for slug in ("colour", "sun-moon"):
        card(page, slug).evaluate("a => a.scrollIntoView({ block: 'center' })")
        until(page, f"{ASK}.some((film) => film.slug === {slug!r} && film.done > 0)")
    card(page, "sun-moon").tap()
    page.wait_for_url("**/sun-moon/index.html")


@pytest.mark.long
def test_boards_are_painted_near_the_screen_only_and_as_wide_as_they_are_shown(show):
    page = show(viewport={"width": 320, "height": 200})
    until(page, "document.querySelectorAll('.cards canvas').length > 0")
    assert page.locator(".cards canvas").count() < 10
    card(page, BY_NAME[-1]).scroll_into_view_if_needed()
    until(page, "document.querySelector('.cards li:last-child canvas') !== null")
    until(page, "document.querySelector('.cards li:first-child canvas') === null")
    before = page.evaluate("document.querySelector('.cards li:last-child canvas').width")
    page.set_viewport_size({"width": 800, "height": 2000})
    until(page, "document.querySelectorAll('.cards canvas').length === 10")
    until(page, f"document.querySelector('.cards li:last-child canvas').width !== {before}")
    boxes = page.locator(".cards .work").evaluate_all(
        "works => works.map((w) => [w.clientWidth, w.querySelector('canvas').clientWidth])"
    )
    assert all(0.7 * box < canvas <= box + 1 for box, canvas in boxes)


@pytest.mark.parametrize(
    "path", ["hostile/index.html", pytest.param("index.html", marks=pytest.mark.long)]
)
def test_nothing_is_wider_than_the_screen(show, path):
    page = show(path)
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 800})
        until(page, f"document.documentElement.scrollWidth <= {width}")


# A page.


@pytest.mark.long
@BOTH
def test_the_player_of_a_page_plays_and_can_be_played(made, show, where):
    page = show("sun-moon/index.html", where, motion="reduce")
    animation, player = animations_of(made)["sun-moon"], page.frame_locator("iframe")
    player.locator("#switch").wait_for()
    frame = page.frames[1]
    assert not player.locator("h1").is_visible()
    frame.locator("#scrub").focus()
    page.keyboard.press("End")
    shown = np.array(frame.evaluate("window.lightsanim.configuration()"))
    assert np.array_equal(shown, shades_of(animation.last).ravel())
    board = frame.locator("#board").bounding_box()
    height = page.locator("iframe").bounding_box()["height"]
    player.locator("#switch").click()
    until(page, f"document.querySelector('iframe').clientHeight > {height} + 50")
    # But for the numbers of its rows and columns, the board keeps its size.
    until(frame, f"document.querySelector('#board').clientHeight >= {board['height']} * 0.9")
    player.get_by_role("button", name="Finish").click()
    until(frame, "!window.lightsanim.look().ticking && window.lightsanim.made() > 0")
    shown = np.array(frame.evaluate("window.lightsanim.configuration()"))
    assert np.array_equal(shown, shades_of(animation.last).ravel())
    player.locator("#switch").click()
    until(page, f"document.querySelector('iframe').clientHeight <= {height} + 1")


def test_a_page_says_what_is_known(made, show):
    page = show("round-10/index.html", "file")
    report = results_of(made / "batch")["zoo/Round 10.gif"].report
    assert page.locator("h1").text_content() == "round0 → round1 → round2"
    facts = page.locator("dl").inner_text()
    assert "9 \N{MULTIPLICATION SIGN} 9, 81 cells of 5 levels" in facts
    assert "2: one picture in 5" in facts
    for number, picture in enumerate(report["pictures"]):
        assert f"{picture['wrong']} in round{number}" in facts
    for move in report["moves"]:
        assert f"{move['clicks']}, the fewest possible" in facts
    assert page.locator("figure").count() == 3
    until(page, "document.querySelectorAll('figure canvas').length === 6")
    ringed = sum(picture["wrong"] for picture in report["pictures"])
    assert page.locator(".marked circle").count() == ringed
    assert page.locator(".chart path.other").count() == 2


@pytest.mark.parametrize("kept", [1000, 20])
def test_a_clip_is_shown_by_its_player_or_where_it_is_too_long_by_its_film(
    tmp_path, monkeypatch, kept
):
    monkeypatch.setattr("lightsanim.batch.job.MOST_KEPT", kept)
    curtain = np.tri(6, 12, 2, dtype=np.uint8)[:, None].repeat(9, axis=1) * 255
    first, *others = map(Image.fromarray, curtain)
    first.save(tmp_path / "clip.gif", save_all=True, append_images=others, duration=100)
    settings = {"size": "12x9", "dither": "threshold", "detail": 0}
    add_job(tmp_path / "batch", tmp_path, ["clip.gif"], ["a.mp4", "a.json"], settings, {})
    build_gallery(tmp_path / "batch", tmp_path / "site")
    page = (tmp_path / "site/a/index.html").read_text(encoding="utf-8")
    assert "its first frame is the same, cell by cell" in page
    assert "0.6 s, 6 frames, 10 a second" in page
    assert ('<iframe src="player' in page) == (kept == 1000)
    assert ('<video src="files/a.mp4"' in page) == (kept == 20)
    assert (tmp_path / "site/a/files/a.mp4").is_file()
    with Image.open(tmp_path / "site/a/frame-1.png") as still:
        assert np.array_equal(np.array(still.convert("L")) > 128, curtain[0] > 128)
    (result,) = results_of(tmp_path / "batch").values()
    frames = frames_of(kept_animation(tmp_path / "batch", result))
    assert (len(frames) == 6) == (kept == 1000)
    asked = [(picture > 128).ravel().tolist() for picture in curtain]
    assert all(frame.tolist() in asked for frame in frames)
    assert f"{result.report['moves'][0]['clicks']} clicks" in page


@pytest.mark.long
def test_the_first_and_the_last_page_lead_one_way_only(show):
    page = show(f"{BY_NAME[0]}/index.html")
    assert not page.locator("[rel=prev]").is_visible()
    assert page.locator("[rel=next]").text_content() == f"back0 → back1 {ON}"
    page = show(f"{BY_NAME[-1]}/index.html#find=colour")  # it is not among those
    assert page.locator("[rel=prev]").text_content().startswith(f"{BACK} round0")
    assert not page.locator("[rel=next]").is_visible()


@pytest.mark.parametrize("where", ["file", pytest.param("http", marks=pytest.mark.long)])
def test_the_command_can_be_copied(show, where):
    page = show("sun-moon/index.html", where)
    if where == "http":
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    command = page.locator("code").text_content()
    assert command.startswith("lightsanim make sun-moon0.png sun-moon1.png -o ")
    assert "--sheet sheet.png" in command
    page.get_by_role("button", name="Copy").click()
    said = page.locator(".recipe").get_by_role("status")
    until(page, "document.querySelector('.recipe [role=status]').textContent !== ''")
    if said.text_content() == "Copied.":
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        assert page.evaluate("navigator.clipboard.readText()") == command
    else:
        assert page.evaluate("getSelection().toString()").replace("\n", " ") == command


def test_hostile_names_are_text(show):
    page = show()
    title = page.locator(".cards li").first.locator(".name").text_content()
    names = [name.replace("\udcff\udcfe", "\ufffd\ufffd") for name in HOSTILE]
    assert title == " → ".join(names)
    assert page.locator(".cards script, .cards b").count() == 0
    page = show("hostile/index.html")
    assert page.locator("h1").text_content() == " → ".join(names)
    assert page.locator("main script").count() == 0
    captions = page.locator("figcaption bdi").all_text_contents()
    assert [text.strip() for text in captions] == [name.strip() for name in names]
    assert "\n" not in page.locator("code").text_content()
    page = show("round-9/index.html")
    assert page.locator("[rel=prev]").text_content() == f"{BACK} {' → '.join(names)}"


def test_without_scripts_everything_is_there(browser, addresses):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(addresses["http"] + "/index.html")
    assert page.locator(".cards a").count() == 5
    assert page.locator(".cards img").first.is_visible()
    assert not page.locator("form").is_visible()
    context.close()
