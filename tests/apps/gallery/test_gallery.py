"""Galleries: what is written and what is kept, and the site in a real browser."""

import dataclasses
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
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from tools.batches import add_job, contents, draw_all
from tools.clips import animated
from tools.films import an_animation
from tools.players import LAPTOP, PHONE, a_coloured_animation, frames_of, pixels_of, until
from tools.refusals import assert_refused
from tools.written import strictly

import lightsanim as la
from lightsanim.apps.batch.batch_folder import kept_file_path, load_kept_animation
from lightsanim.apps.batch.job_table import RESULTS
from lightsanim.apps.batch.labels import Labels, write_labels
from lightsanim.apps.batch.manifest import parse_jobs
from lightsanim.apps.batch.results import current_results, read_results
from lightsanim.apps.gallery.entry import count_matching_cells
from lightsanim.apps.gallery.entry_folder import CHART_HEIGHT as HEIGHT
from lightsanim.apps.gallery.entry_folder import CHART_WIDTH as WIDTH
from lightsanim.apps.gallery.entry_folder import Download, draw_agreement_chart, write_still
from lightsanim.apps.gallery.site_folder import LIST_FILE, assign_slugs
from lightsanim.errors import OutputError
from lightsanim.film.origin import Label
from lightsanim.game.levels import pack_levels

ASK = "window.gallery.playing()"

# The gallery's place in its folder.
SITE = "some where/site"

# Names that are markup, end lines, turn the direction of reading, are no text, or are long.
HOSTILE = (
    *("<script>alert(1)<", "\"'&amp;<!--", "line\nend", "\u202egnp", "\udcff\udcfe"),
    *("{{ 7 * 7 }}", "long " * 30),
)

# As pages show them.
SAYABLE = [name.replace("\udcff\udcfe", "\ufffd\ufffd") for name in HOSTILE]
HOSTILE_TITLE = " → ".join(SAYABLE)

# As a manifest tells them; each has its own folder of pictures.
JOBS = {
    "sun-moon": {"output": "sun-moon.gif", "size": "12x9"},
    "colour": {"output": ["colour.gif", "frames", "zoo/colour.gif"], "size": "8x8", "rgb": True,
               "sheet": {"path": "sheet.svg", "frames": 5, "columns": 2, "width": 100}, "levels": 3,
               "shape": "circle", "own": {"crop": "0,0,20,12"}},
    "round": {"output": "zoo/Round 10.gif", "size": "9x9", "ending": "cycle", "levels": 5,
              "gap": 2},
    "back": {"output": "Round 9.json", "size": "20x6", "ending": "boomerang", "palette": "amber"},
    "hostile": {"output": "hostile.gif", "size": 7, "time_limit": "inf"},
}  # fmt: skip
NAMES = {"round": ["w10", "w11", "w12"], "back": ["w9", "back"], "hostile": HOSTILE}


def add_noise(folder, name, output, own=None, **options):
    """An animation of noise in a folder's batch; ``own``: options of the first picture."""
    pictures = [f"{picture}.png" for picture in NAMES.get(name, [f"{name}0", f"{name}1"])]
    (folder / "pictures" / name).mkdir(parents=True)
    draw_all(folder / "pictures" / name, *pictures, shape=(24, 36, 3))
    first, *other_paths = (f"pictures/{name}/{picture}" for picture in pictures)
    add(folder, [{"path": first, **own} if own else first, *other_paths], output, **options)


def add(folder, pictures, output, **options):
    """An animation in a folder's batch."""
    wipe = {"duration": 0.5} if len(pictures) > 1 else {}
    paths = [output] if isinstance(output, str) else output
    outputs = [p if p.endswith(".json") else {"path": p, "width": 100} for p in paths]
    table = {"pictures": pictures, "output": outputs, "time_limit": 2}
    (job,) = parse_jobs({"animation": [{**table, **wipe, **options}]})
    add_job(folder / "batch", folder, job)


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    """A batch, its pictures, and its gallery; for reading only."""
    folder = tmp_path_factory.mktemp("gallery")
    for name, options in JOBS.items():
        add_noise(folder, name, **options)
    la.build_gallery(folder / "batch", folder / SITE, title="A & B")
    return folder


@pytest.fixture
def batch(album, tmp_path):
    """A copy of the batch."""
    return Path(shutil.copytree(album / "batch", tmp_path / "batch"))


@pytest.fixture
def site(album, tmp_path):
    """A copy of its gallery."""
    return Path(shutil.copytree(album / SITE, tmp_path / "site"))


def results_of(folder):
    return {result.files[0]: result for result in current_results(read_results(folder))}


def slugs_of(site):
    """The folder of each output."""
    return json.loads((site / LIST_FILE).read_text())["slugs"]


def listed_cards(folder):
    """What the wall's script knows of each animation."""
    text = (folder / SITE / "animations.js").read_text()
    return json.loads(text.removeprefix("animations="))


def animations_of(folder):
    """The animations by their slugs."""
    results = results_of(folder / "batch")
    return {
        slug: load_kept_animation(folder / "batch", results[output])
        for output, slug in slugs_of(folder / SITE).items()
    }


def files_of(folder):
    """The content and the time of every file."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {p.relative_to(folder).as_posix(): (p.read_bytes(), p.stat().st_mtime_ns) for p in files}


def changed(before, after):
    """The files that were written, made or removed, but for the site's list."""
    paths = before.keys() | after.keys()
    return {path for path in paths if before.get(path) != after.get(path)} - {LIST_FILE}


def rewrite_results(folder, edit):
    lines = [json.loads(line) for line in (folder / RESULTS).read_text().splitlines() if line]
    edited = "".join(json.dumps(line) + "\n" for line in map(edit, lines) if line is not None)
    (folder / RESULTS).write_text(edited)


def without(*outputs):
    return lambda line: None if line["outputs"][0]["path"] in outputs else line


def command_on(page):
    """The words of the command that a page shows."""
    return shlex.split(re.sub("<[^>]*>", "", re.search("<code>(.*?)</code>", page.read_text())[1]))


@pytest.mark.parametrize(
    "animation",
    [a_coloured_animation(clicks=70), an_animation(8, 8, clicks_per_frame=9, hold_first=0)],
    ids=["coloured", "in large steps"],
)
def test_chart_curve_shows_matching_share_over_time(animation):
    targets = [animation.first, animation.last]
    counts = count_matching_cells(animation, targets)
    configurations = [*map(pack_levels, animation.configurations())]
    for target, count in zip(map(pack_levels, targets), counts, strict=True):
        assert count.tolist() == [(cells == target).sum() for cells in configurations]
    chart = ElementTree.fromstring(draw_agreement_chart(animation, counts))
    (last,) = chart.findall(".//path[@class='last']")
    top, *steps = map(int, re.findall(r"(?<!M)-?\d+", last.get("d").rpartition("H")[0]))
    along, down = steps[::2], steps[1::2]  # level and upright lines in turn
    heights = np.repeat(top + np.cumsum([0, *down]), [*along, WIDTH - sum(along)])
    stops = np.cumsum(animation.durations())
    frames = np.searchsorted(stops, (np.arange(WIDTH) + 0.5) * stops[-1] / WIDTH, side="right")
    shares = counts[1, frames] / animation.board.cells
    assert heights == pytest.approx((1 - shares) * HEIGHT, abs=0.6)
    sides = product(chart.findall(".//rect"), ("x", "width"))
    bands = [float(band.get(name).rstrip("%")) for band, name in sides]
    starts = stops - animation.durations()
    holds = [share for n, _ in animation.holds for share in (starts[n], stops[n] - starts[n])]
    assert bands == pytest.approx(np.array(holds) / stops[-1] * 100, abs=0.01)
    assert "100%" in chart.get("aria-label")


# The files of a site.


def test_site_links_lead_to_its_files(album):
    site = album / SITE
    pages = list(site.rglob("*.html"))
    assert len(pages) == 2 + 2 * len(JOBS)  # the wall and the exhibition
    for page in pages:
        links = re.findall(r'\s(?:href|src)="(?!data:)(.*?)"', page.read_text(encoding="utf-8"))
        assert links or page.name != "index.html"
        for link in map(unescape, links):
            address = urlsplit(urljoin(page.as_uri(), link))
            assert address.scheme == "file"
            path = Path(unquote(address.path))
            assert path.is_file(), link
            assert site in path.parents


def test_downloads_are_copies_and_folder_is_zip(album):
    files = contents(album / SITE / "colour/files")
    sizes = {f"files/{name}": f"{len(content) / 1000:,.0f} kB" for name, content in files.items()}
    with zipfile.ZipFile(io.BytesIO(files.pop("frames.zip"))) as archive:
        frames = {Path(name).name: archive.read(name) for name in archive.namelist()}
        assert {file.date_time[0] for file in archive.infolist()} == {1980}  # each time the same
    assert [*frames] == sorted(frames)
    assert frames == contents(album / "batch/frames")
    sources = {name: name for name in ("sheet.svg", "colour.gif")} | {
        "colour-2.gif": "zoo/colour.gif"
    }
    assert files == {name: (album / "batch" / path).read_bytes() for name, path in sources.items()}
    page = (album / SITE / "colour/index.html").read_text()
    downloads = dict(re.findall(r'<a href="(files/.*?)".*, (.* kB)</span>', page))
    assert downloads == sizes
    assert "SVG contact sheet" in page


def read(path):
    with Image.open(path) as image:
        return np.array(image)


def test_stills_are_targets_and_nearest_frames(album):
    site = album / SITE
    for slug, animation in animations_of(album).items():
        levels = animation.board.levels
        frames = [pack_levels(c, levels) for c in animation.configurations()]
        assert len([*(site / slug).glob("target-*.png")]) == len(animation.targets) > 1
        for number, target in enumerate(animation.targets, start=1):
            target = pack_levels(target, levels)
            goal, cells = (read(site / slug / f"{n}-{number}.png") for n in ("target", "frame"))
            assert np.array_equal(goal, target)
            near = [(frame == target).sum() for frame in frames]
            assert np.array_equal(cells, frames[max(np.flatnonzero(near == np.max(near)))])


def test_wall_and_pages_show_results(album):
    site, results = album / SITE, results_of(album / "batch")
    cards = listed_cards(album)
    assert [card["slug"] for card in cards] == BY_NAME
    assert [card["named"] for card in cards] == [0, 1, 2, 3, 4]
    assert sum(card["wrong"] for card in cards) > 0  # 9 x 9 has nullity 2 over GF(5)
    wall = re.findall('<li .*?href="(.*?)/index', (site / "index.html").read_text(), re.DOTALL)
    assert wall == BY_NAME
    outputs = {slug: output for output, slug in slugs_of(site).items()}
    for card in cards:
        output = outputs[card["slug"]]
        shape = animations_of(album)[card["slug"]].board.shape
        order = [*results].index(output), *shape
        assert (card["made"], card["rows"], card["columns"]) == order
        report, settings = results[output].report, results[output].settings
        assert card["wrong"] == sum(picture["wrong"] for picture in report["pictures"])
        assert report["order"] in card["words"].split()
        words = card["words"].split()
        for ending in ("cycle", "boomerang"):
            assert (ending in words) == (settings["ending"] == ending)
        assert ("rgb" in words) == settings["rgb"]


def test_chart_axis_has_round_seconds():
    # Steps as they are read well: fewer than 7 of them.
    for total, step in [(13, 2), (14, 5), (0.6, 0.1), (60, 10), (70, 20)]:
        film = an_animation(4, 4, hold_first=0, hold_last=0)
        film = dataclasses.replace(film, fps=len(film) / total)
        counts = count_matching_cells(film, [film.last])
        chart = ElementTree.fromstring(draw_agreement_chart(film, counts))
        labels = chart.findall("./text[@text-anchor='middle']")
        moments = [float(text.text.removesuffix(" s")) for text in labels]
        assert moments == pytest.approx(np.arange(0, total + 1e-9, step))
        positions = [float(text.get("x").rstrip("%")) / 100 for text in labels]
        assert positions == pytest.approx(np.divide(moments, total), abs=1e-4)


def test_stills_above_limit_are_shrunk(tmp_path):
    palette = np.array([[0, 0, 0, 255], [200, 200, 200, 255]], np.uint8)
    for side, size, colour in [(1000, (1000, 2), None), (2000, (1000, 1), (100, 100, 100))]:
        cells = np.indices((2, side)).sum(0).astype(np.uint8) % 2  # chequered: their mean is grey
        write_still(cells, palette, tmp_path / "a.png")
        with Image.open(tmp_path / "a.png") as still:
            assert still.size == size
            assert colour is None or still.getcolors() == [(1000, colour)]


def test_download_size_is_in_kilobytes_or_megabytes():
    for count, size in {999_499: "999 kB", 1_000_000: "1.0 MB", 12_340_000: "12.3 MB"}.items():
        assert Download(name="", path="", kind="", bytes=count).formatted_size == size


def test_page_command_makes_same_film(run, album, tmp_path):
    words = command_on(album / SITE / "colour/index.html")
    pictures = ["colour0.png@crop=0,0,20,12", "colour1.png"]
    assert words[:5] == ["lightsanim", "make", *pictures, "-o"]
    shutil.copytree(album / "pictures/colour", tmp_path, dirs_exist_ok=True)
    assert run(*words[1:])[0] == 0
    for name in ("colour.gif", "frames/00003.png", "sheet.svg"):
        assert Path(name).read_bytes() == (album / "batch" / name).read_bytes()


def test_infinite_time_limit_is_strict_json(album):
    lines = map(strictly, (album / "batch" / RESULTS).read_text().splitlines())
    limits = {line["outputs"][0]["path"]: line["settings"]["time_limit"] for line in lines}
    assert limits["hostile.gif"] == "inf"
    folder = album / SITE / "hostile"
    film = strictly((folder / "film.js").read_text().partition("=")[2])
    assert film["origin"]["settings"]["time_limit"] == "inf"
    assert "--time-limit inf" in " ".join(command_on(folder / "index.html"))


def test_page_command_does_not_overwrite_its_clip(run, tmp_path):
    # As `batch --from-folder` names its outputs, and with three of one name.
    (tmp_path / "clips").mkdir()
    greys = [np.full((9, 12), n, np.uint8) for n in (0, 255, 90)]
    animated(tmp_path / "clips/walk.gif", greys, 100)
    add(tmp_path, ["clips/walk.gif"], ["walk.gif", "small/Walk.gif", "large/walk.gif"], size="12x9")
    la.build_gallery(tmp_path / "batch", tmp_path / "site")
    words = command_on(tmp_path / "site/walk/index.html")
    clip = Path(shutil.copy(tmp_path / "clips/walk.gif", tmp_path))
    before, old_paths = clip.read_bytes(), {*tmp_path.iterdir()}
    status, _, message = run(*words[1:])
    assert (status, clip.read_bytes()) == (0, before), message
    film = (tmp_path / "batch/walk.gif").read_bytes()
    written = {*tmp_path.iterdir()} - old_paths
    names = [path.name.casefold() for path in tmp_path.iterdir()]
    assert len({*names}) == len(names)  # on every file system
    assert [path.read_bytes() for path in written] == [film] * 3


@pytest.mark.parametrize("max_bytes", [9**9, 50])
def test_page_counts_clicks_as_its_player(pages, tmp_path, monkeypatch, max_bytes):
    # A click on several of three boards is one; of a long film the player has fewer frames.
    monkeypatch.setattr("lightsanim.apps.batch.job.MAX_KEPT_BYTES", max_bytes)
    pictures = ["a.png", "b.png", "c.png"]
    draw_all(tmp_path, *pictures, shape=(8, 8, 3))
    add(tmp_path, pictures, "a.gif", size=6, rgb=True, transition="dissolve")
    la.build_gallery(tmp_path / "batch", tmp_path / "site")
    page, player = (tmp_path / f"site/a/{name}.html" for name in ("index", "player"))
    shown = pages.open(player.as_uri(), allowed=["file:"], viewport=LAPTOP)
    count, page = shown.locator("#scrub").get_attribute("max"), page.read_text()
    assert not pages.leave()
    assert f" {int(count):,} clicks" in page
    assert (
        ("web page with the player (" in page) == ("the player shows " in page) == (max_bytes == 50)
    )


@pytest.mark.parametrize(
    ("pictures", "settings", "is_shortened"),
    [
        ("abc", {}, False),
        ("ab", {"transition": "dissolve", "ending": "boomerang"}, True),
        ("ab", {"transition": "sketch", "sketch_frames": 2, "settle": False}, False),
        (["a", "clip"], {}, True),
    ],
)
def test_page_counts_clicks_as_verify(tmp_path, pictures, settings, is_shortened):
    draw_all(tmp_path, "a.gif", "b.gif", "c.gif", "d.gif", shape=(8, 8))
    animated(tmp_path / "clip.gif", [read(tmp_path / f"{name}.gif") for name in "abcd"], 100)
    films = ["film.gif", "film.mp4"] if is_shortened else ["film.gif"]
    options = {"size": "5x4", "time_limit": 1e-9, **settings}
    add(tmp_path, [f"{name}.gif" for name in pictures], films, **options)
    if is_shortened:  # as of long films, of which fewer frames are kept
        rewrite_results(tmp_path / "batch", lambda line: line["report"].update(frames=9999) or line)
    la.build_gallery(tmp_path / "batch", tmp_path / "site")
    clicks = la.verify(tmp_path / "batch/film.gif").clicks  # as proven from its frames
    assert f" {clicks} clicks. " in (tmp_path / "site/film/index.html").read_text()


def test_site_contains_no_local_path(tmp_path):
    private = tmp_path / "private"
    (private / "deep").mkdir(parents=True)
    paths = [private / "one.png", private / "deep" / ".." / "two.png", "puzzle:queens:8"]
    for path in paths[:2]:
        Image.fromarray(np.eye(8, dtype=np.uint8) * 255).save(path)
    outputs = ["zoo/a.gif", "zoo/a.html", "zoo/a.json", "zoo/a.apng", "zoo/a.webp", "zoo/frames"]
    add(tmp_path, [*map(str, paths)], outputs, size="8x8", duration=0.2)
    la.build_gallery(tmp_path / "batch", tmp_path / "site")
    words = command_on(tmp_path / "site/a/index.html")
    assert words[2:5] == ["one.png", "two.png", "puzzle:queens:8"]
    for name, content in contents(tmp_path / "site", but=(LIST_FILE,)).items():
        assert not re.search(b"private|zoo/|" + bytes(tmp_path), content), name


def test_slugs_are_distinct_and_stable():
    outputs = ["b/x.gif", "a/x.gif", "c/X.gif", "y.gif"]
    assert assign_slugs(outputs, {}) == assign_slugs(reversed(outputs), {})
    assert assign_slugs(outputs, {})["a/x.gif"] == "x"
    odd = ["Käse & Brot.gif", "CON.gif", f"{'long ' * 9}.gif", "日.gif", "本.gif", "work-2.gif"]
    slugs = ["kase-brot", "con-1", "long-" * 7 + "long", "work-1", "work-3", "work-2"]
    assert assign_slugs(odd, {}) == dict(zip(odd, slugs, strict=True))
    crowded = {"q": "x", "b/x.gif": "x", "r": assign_slugs(outputs, {})["b/x.gif"]}
    assert len({*assign_slugs([*outputs, "q", "r"], crowded).values()}) == 6


def test_rebuild_leaves_equal_files_and_reports_progress(batch, site):
    before, progress = files_of(site), []
    built = la.build_gallery(
        batch, site, title="A & B", progress=lambda *done: progress.append(done)
    )
    assert progress == [(done, len(JOBS)) for done in range(len(JOBS) + 1)]
    assert not changed(before, files_of(site))
    assert (built.written, built.removed, built.unchanged) == (0, 0, len(before) - 1)
    (site / "round-9" / "film.js").write_text("cut o")
    (site / "colour" / "frame-1.png").unlink()
    built = la.build_gallery(batch, site, title="A & C")  # no file has another length
    again = changed(before, files_of(site))
    pages = {path for path in before if path.endswith(("index.html", "exhibition.html"))}
    assert again == {*pages, "round-9/film.js", "colour/frame-1.png"}
    assert built.written == len(again)
    for page in pages:
        assert "A &amp; C" in (site / page).read_text()


@pytest.mark.posix
def test_rebuild_adds_and_removes_only_changed_works(batch, site, tmp_path):
    before, slugs = files_of(site), slugs_of(site)
    mine = {"CNAME": "example.org", "sun-moon/notes.txt": "mine", ".git/HEAD": "1"}
    (site / ".git/empty").mkdir(parents=True)
    for path, text in mine.items():
        (site / path).write_text(text)
    (site / "link").symlink_to(tmp_path)
    elsewhere = (site / "hostile").rename(tmp_path / "elsewhere")
    (site / "hostile").symlink_to(elsewhere)  # behind a link nothing is removed
    safe = files_of(elsewhere)
    rewrite_results(batch, without("colour.gif", "sun-moon.gif", "hostile.gif"))
    (site / "colour/frame-1.png").unlink()
    # It would come first, and take the name.
    add_noise(tmp_path, "other", "a/Round 10.gif", size="5x5")
    built = la.build_gallery(batch, site, title="A & B")
    removed_files = {path for path in before if path.startswith(("colour/", "sun-moon/"))}
    assert (built.removed, files_of(elsewhere)) == (len(removed_files), safe)
    removed_files |= {path for path in before if path.startswith("hostile/")}
    new = slugs_of(site)["a/Round 10.gif"]
    assert re.fullmatch("round-10-[0-9a-f]{4}", new)
    kept_slugs = {output: slugs[output] for output in ("zoo/Round 10.gif", "Round 9.json")}
    assert slugs_of(site) == {**kept_slugs, "a/Round 10.gif": new}
    other_changes = {p for p in changed(before, files_of(site)) if not p.startswith(f"{new}/")}
    shared = {"index.html", "exhibition.html", "animations.js"}
    assert other_changes == {*removed_files, *shared, *mine}
    assert not (site / "colour").exists()
    assert {path: (site / path).read_text() for path in mine} == mine
    assert (site / ".git/empty").is_dir()
    assert (site / "link").readlink() == tmp_path


def test_failed_build_has_listed_its_files(batch, site, tmp_path):
    add_noise(tmp_path, "other", "a.gif", size="5x5")  # a new work, which comes first
    (site / "sun-moon/film.js").unlink()
    (site / "sun-moon/film.js").mkdir()  # and cannot be written
    with pytest.raises(OutputError):
        la.build_gallery(batch, site, title="Another")
    listed_files = json.loads((site / LIST_FILE).read_text())["files"]
    assert (site / "a/index.html").is_file()
    # So that the next build can remove it.
    assert contents(site, but=(LIST_FILE,)).keys() <= {*listed_files}


def test_build_after_killed_build_cleans_up(batch, site, tmp_path):
    # It leaves half a new site beside the old one, some of whose files may have been replaced.
    (site / "CNAME").write_text("example.org")
    before = contents(site)
    shutil.copytree(site, tmp_path / ".site.lightsanim-new/work")
    for name in ("index.html", "stray.html"):
        (tmp_path / ".site.lightsanim-new/work" / name).write_text("cut o")
    shutil.rmtree(site / "colour")
    (site / "index.html").unlink()
    la.build_gallery(batch, site, title="A & B")
    assert {path.name for path in tmp_path.iterdir()} == {"batch", "site"}
    assert contents(site) == before


def test_concurrent_build_of_same_site_is_refused(run, batch, site, tmp_path):
    rewrite_results(batch, without("colour.gif"))
    (site / "index.html").unlink()
    before, runs = files_of(site), []

    def meanwhile(done, _):
        if done == 2:
            runs.append(run("gallery", batch, "-o", site))
            assert files_of(site) == before
            assert la.build_gallery(batch, tmp_path / "another").written  # a site of its own

    la.build_gallery(batch, site, progress=meanwhile)
    [(status, out, message)] = runs
    assert (status, out, message.count("\n"), str(site) in message) == (1, "", 1, True)
    assert (site / "index.html").is_file()
    assert {path.name for path in tmp_path.iterdir()} == {"batch", "site", "another"}


@pytest.mark.parametrize("path", ["../victim.txt", "{}/victim.txt", "z/../../b", "..", ""])
@pytest.mark.parametrize("member", ["files", "slugs"])
def test_site_list_with_outside_path_is_refused(batch, site, tmp_path, path, member):
    (tmp_path / "victim.txt").write_text("precious")
    document, path = json.loads((site / LIST_FILE).read_text()), path.format(tmp_path)
    document[member] = [path] if member == "files" else dict.fromkeys(document["slugs"], path)
    (site / LIST_FILE).write_text(json.dumps(document))
    before = files_of(tmp_path)
    assert_refused(lambda: la.build_gallery(batch, site), f"{LIST_FILE} damaged", OutputError)
    assert files_of(tmp_path) == before


def test_gallery_foreign_folder_or_empty_batch_is_refused(batch, tmp_path):
    foreign = tmp_path / "other"
    foreign.mkdir()
    (foreign / "letter.txt").write_text("dear")
    for source, site, facts in (
        (batch, foreign, "other files"),
        (batch, foreign / "letter.txt", "letter.txt file"),
        (batch, batch / "frames/..", "batch's own"),
        (batch, foreign / "letter.txt/site", "write letter.txt"),
        (foreign, tmp_path / "site", f"animations {foreign}"),
    ):
        assert_refused(partial(la.build_gallery, source, site), facts, OutputError)
    assert [path.name for path in foreign.iterdir()] == ["letter.txt"]
    assert not (tmp_path / "site").exists()


@pytest.mark.posix
def test_gallery_in_empty_linked_or_batch_folder_is_built(batch, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")
    rewrite_results(batch, without("colour.gif", "zoo/Round 10.gif", "hostile.gif"))
    assert la.build_gallery(batch, tmp_path / "link").written > 0
    assert (tmp_path / "link").is_symlink()
    assert la.build_gallery(batch, tmp_path / "empty").written == 0
    assert la.build_gallery(batch, batch / "site").animations == 2


def test_gallery_leaves_out_damaged_works(batch, tmp_path):
    results = results_of(batch)
    (batch / "sheet.svg").unlink()  # one of several files
    kept_file_path(batch, results["sun-moon.gif"].id).write_text("{}")
    shutil.rmtree(batch / "zoo")
    rewrite_results(
        batch, lambda line: {**line, "report": {}} if "Round 9" in str(line["outputs"]) else line
    )
    built = la.build_gallery(batch, tmp_path / "site")
    reasons = dict(built.left_out)
    assert "damaged" in reasons.pop("Round 9.json")
    assert "removed" in reasons.pop("zoo/Round 10.gif")
    assert reasons.keys() == {"sun-moon.gif", "colour.gif"}
    assert built.animations == 1
    assert not (tmp_path / "site/sun-moon").exists()
    (batch / "hostile.gif").unlink()
    assert_refused(lambda: la.build_gallery(batch, tmp_path / "site"), str(batch), OutputError)
    assert (tmp_path / "site/hostile").exists()


# The site in a browser.


@pytest.fixture(scope="module")
def addresses(album):
    """The site's addresses: on a disk, and on a server under a path."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(album))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.handle_error = lambda *words: None  # a page was left before it was loaded
        threading.Thread(target=server.serve_forever, daemon=True).start()
        http = f"http://127.0.0.1:{server.server_port}/some%20where/site"
        yield {"file": (album / SITE).as_uri(), "http": http}
        server.shutdown()


@pytest.fixture
def show(pages, addresses):
    """Opens a page of the site; at the end no errors and no requests elsewhere are allowed."""

    def open_page(path="index.html", where="file", *, motion="no-preference", **options):
        options = {"viewport": LAPTOP, "reduced_motion": motion, **options}
        return pages.open(f"{addresses[where]}/{path}", allowed=[addresses[where]], **options)

    yield open_page
    assert not pages.leave()


def cards(page):
    """The slugs of the cards that are shown, in order."""
    links = page.locator(".cards li:not([hidden]) > a")
    return links.evaluate_all("all => all.map((a) => a.getAttribute('href').split('/')[0])")


def card(page, slug):
    return page.locator(f'.cards a[href^="{slug}/index.html"]')


def sort(page, by):
    page.get_by_label("Sort by").select_option(by)


# Work 9 is before work 10.
BY_NAME = ["hostile", "colour", "sun-moon", "round-9", "round-10"]


def test_wall_sorts_and_searches(album, show):
    page = show("index.html#sort=constructor&find=%3Cb%3E%F0%9F&x")  # an address may say anything
    assert page.locator("select").input_value() == "hung"
    page.evaluate("location.hash = 'sort=newest'")
    until(page, "document.querySelector('select').value === 'newest'")
    sort(page, "hung")
    assert page.locator("h1").text_content() == "A & B"
    assert cards(page) == BY_NAME
    assert page.locator(".cards .name").first.text_content() == HOSTILE_TITLE
    assert page.locator(".cards script, .cards b").count() == 0
    status = page.locator("form").get_by_role("status")
    for text, slugs in [
        *(("W11", ["round-10"]), ("rgb", ["colour"]), ("5 levels", ["round-10"])),
        *(("BOOMERÄNG amber", ["round-9"]), ("gif amber", []), ("  ", BY_NAME), ("a.c", [])),
    ]:
        page.get_by_role("searchbox").fill(text)
        assert cards(page) == slugs
        count = "5 animations" if len(slugs) == 5 else f"{len(slugs)} of 5 animations"
        assert status.text_content() == count
    assert page.url.endswith("#find=a.c")
    page.get_by_role("button", name="Show all").click()
    assert cards(page) == BY_NAME
    assert "#" not in page.url
    for by, value in {
        "name": lambda card: card["named"], "newest": lambda card: -card["made"],
        "clicks": lambda card: -card["clicks"], "fewest": lambda card: card["clicks"],
        "largest": lambda card: -card["rows"] * card["columns"],
        "smallest": lambda card: card["rows"] * card["columns"],
        "wrong": lambda card: -card["wrong"], "exact": lambda card: card["wrong"],
    }.items():  # fmt: skip
        sort(page, by)
        assert cards(page) == [card["slug"] for card in sorted(listed_cards(album), key=value)], by


def test_wall_sort_and_search_are_in_address(show):
    page = show()
    sort(page, "clicks")
    page.get_by_role("searchbox").fill("gif")
    chosen = cards(page)
    assert len(chosen) == 4
    assert page.url.endswith("#sort=clicks&find=gif")
    card(page, chosen[1]).click()
    page.wait_for_url("**/index.html#sort=clicks&find=gif")
    for relation, number in (("prev", 0), ("next", 2)):
        link = page.locator(f"[rel={relation}]")
        assert link.get_attribute("href") == f"../{chosen[number]}/index.html#sort=clicks&find=gif"
        assert link.get_attribute("aria-label").startswith(("Previous: ", "Next: ")[number // 2])
    link.click()
    page.wait_for_url(f"**/{chosen[2]}/index.html#*")
    page.get_by_role("link", name="A & B").click()
    page.wait_for_url("**/site/index.html#sort=clicks&find=gif")
    assert cards(page) == chosen
    page.get_by_role("searchbox").fill(" ")
    sort(page, "hung")
    assert "#" not in page.url


def test_wall_of_series_finds_its_works_alone(album, show):
    batch = shutil.copytree(album / "batch", album / "labelled")
    works = dict.fromkeys(["zoo/Round 10.gif", "colour.gif"], Label(series="A"))
    write_labels(batch, Labels(works=works))
    la.build_gallery(batch, album / f"{SITE}-of-series")
    page = show("../site-of-series/a/index.html#find=rgb", motion="reduce")
    for text, names in (("rgb", ["colour0"]), ("", ["w10", "colour0"])):
        page.get_by_role("searchbox").fill(text)
        shown = page.locator(".works li:not([hidden]) bdi:first-child")
        assert shown.all_text_contents() == names
    assert page.get_by_role("status").text_content() == "2 animations"
    page.locator(".works a").first.focus()
    page.wait_for_timeout(200)
    assert page.evaluate(ASK) == []  # who wants no motion sees none


def test_exhibition_turns_and_pauses(show):
    page = show("exhibition.html")
    index = "[...document.querySelectorAll('section')].findIndex((section) => !section.hidden)"
    for act, number in (
        (lambda: None, 0),
        (lambda: page.keyboard.press("ArrowLeft"), 4),
        (lambda: page.get_by_role("button", name="Next").click(), 0),
        (lambda: page.get_by_role("button", name="Next").click(), 1),
    ):
        act()
        until(page, f"{ASK}[0]?.slug === {BY_NAME[number]!r}")
        assert page.evaluate(index) == number
        assert page.locator("section:visible").count() == 1
    page.get_by_role("button", name="Pause").click()
    until(page, f"{ASK}.length === 0")
    page.get_by_role("button", name="Next").click()
    until(page, f"{index} === 2")
    page.wait_for_timeout(200)
    assert page.evaluate(ASK) == []  # it is paused still
    page.get_by_role("button", name="Previous").click()
    page.keyboard.press("p")
    until(page, f"{ASK}.length === 1")


def assert_plays(page, animation, slug):
    """Is what is shown a configuration of the film?"""
    until(page, f"{ASK}[0]?.done > 0")
    (state,) = page.evaluate(ASK)
    assert state["slug"] == slug
    frame = animation.clicks_done.tolist().index(state["done"])
    assert state["shades"] == frames_of(animation)[frame].tolist()


def cell_colours(page, slug, animation, number=1):
    """Colours in the middle of each cell of a card's first or last board: (cells, 3)."""
    pixels = pixels_of(page, f'.cards a[href^="{slug}/"] canvas >> nth={number}')[..., :3]
    lengths = zip(animation.board.shape, pixels.shape, strict=False)
    rows, columns = ((np.arange(n) + 0.5) * length // n for n, length in lengths)
    return pixels[rows.astype(int)[:, None], columns.astype(int)].reshape(-1, 3).tolist()


def test_card_plays_under_mouse(album, show):
    # From files the pixels of pictures may not be read.
    page = show(where="http", viewport={"width": 1000, "height": 1300})
    requests, slug = [], "colour"
    page.on("request", lambda request: requests.append(request.url.split("/")[-2:]))
    animation = animations_of(album)[slug]
    theme = la.Theme(**results_of(album / "batch")["colour.gif"].theme)
    colours = theme.shades(animation.boards, animation.board.levels)
    frames = [colours[frame].tolist() for frame in frames_of(animation)]
    until(page, f"document.querySelector('.cards a[href^=\"{slug}/\"] canvas') !== null")
    last = read(album / SITE / slug / f"frame-{len(animation.pictures)}.png")
    assert cell_colours(page, slug, animation) == colours[last].reshape(-1, 3).tolist()
    assert cell_colours(page, slug, animation, 0) == frames[0]
    for name in (slug, "sun-moon", slug):
        card(page, name).hover()
        until(page, f"{ASK}.length === 1 && {ASK}[0].slug === {name!r}")
    assert_plays(page, animation, slug)
    assert cell_colours(page, slug, animation) in frames
    page.get_by_role("searchbox").hover()
    until(page, f"{ASK}.length === 0")
    assert cell_colours(page, slug, animation) == frames[-1]
    assert requests.count([slug, "film.js"]) == 1


def test_card_plays_on_focus_and_arrows_move(album, show):
    page, animations = show(viewport={"width": 1400, "height": 1300}), animations_of(album)
    page.get_by_label("Sort by").focus()
    page.keyboard.press("Tab")
    assert_plays(page, animations[BY_NAME[0]], BY_NAME[0])
    for key, number in [("Right", 1), ("Down", 4), ("Down", 4), ("Left", 3), ("Up", 0)]:
        slug, key = BY_NAME[number], f"Arrow{key}"
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.href").split("/")[-2] == slug
    assert_plays(page, animations[slug], slug)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{slug}/index.html")


@pytest.mark.long
def test_touch_screen_plays_middle_card(show):
    page = show(viewport=PHONE, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for slug in ("colour", "sun-moon"):
        card(page, slug).evaluate("a => a.scrollIntoView({ block: 'center' })")
        until(page, f"{ASK}.some((film) => film.slug === {slug!r} && film.done > 0)")
    card(page, "sun-moon").tap()
    page.wait_for_url("**/sun-moon/index.html")


@pytest.mark.long
@pytest.mark.parametrize("where", ["file", "http"])
def test_page_player_plays_and_can_be_played(album, show, where):
    page, scripts = show("sun-moon/index.html", where, motion="reduce"), []
    last, player = animations_of(album)["sun-moon"].last, page.frame_locator("iframe")
    page.route("**/gallery.js", lambda script: scripts.append(script))
    page.reload(wait_until="commit")
    player.locator("#switch").wait_for()
    frame = page.frames[1]
    frame.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    scripts.pop().continue_()  # The page's script runs only after the player told its height.
    assert not player.locator("h1").is_visible()
    frame.locator("#scrub").focus()
    page.keyboard.press("End")
    assert frame.evaluate("window.lightsanim.configuration()") == pack_levels(last).ravel().tolist()
    until(page, "document.querySelector('iframe').style.length")
    height = page.locator("iframe").bounding_box()["height"]
    player.locator("#switch").click()
    until(page, f"document.querySelector('iframe').clientHeight > {height} + 50")
    player.get_by_role("button", name="Finish").click()
    until(frame, "!window.lightsanim.look().ticking && window.lightsanim.made() > 0")
    assert frame.evaluate("window.lightsanim.configuration()") == pack_levels(last).ravel().tolist()
    player.locator("#switch").click()
    until(page, f"document.querySelector('iframe').clientHeight <= {height} + 1")


@pytest.mark.parametrize("where", ["file", pytest.param("http", marks=pytest.mark.long)])
def test_page_rings_wrong_cells_and_copies_command(album, show, where):
    page = show("round-10/index.html#find=rgb", where)  # which does not find it: it is the last
    neighbours = page.locator("[rel=prev], [rel=next]").all()
    links = [link.get_attribute("href") for link in neighbours if link.is_visible()]
    assert links == ["../round-9/index.html#find=rgb"]
    report = results_of(album / "batch")["zoo/Round 10.gif"].report
    until(page, "document.querySelectorAll('figure canvas').length === 6")
    circles = page.locator(".marked circle").evaluate_all(
        "all => all.map((c) => [+c.getAttribute('cy') - 0.5, +c.getAttribute('cx') - 0.5])"
    )
    targets, cells = (
        [read(album / SITE / f"round-10/{kind}-{n}.png") for n in (1, 2, 3)]
        for kind in ("target", "frame")
    )
    assert circles == np.argwhere(np.array(targets) != cells)[:, 1:].tolist()
    assert len(circles) == sum(picture["wrong"] for picture in report["pictures"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    until(page, "document.querySelector('.recipe [role=status]').textContent === 'Copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("code").text_content()


def test_page_of_long_clip_shows_video(tmp_path, monkeypatch):
    monkeypatch.setattr("lightsanim.apps.batch.job.MAX_KEPT_BYTES", 20)
    curtain = np.tri(6, 12, 2, dtype=np.uint8)[:, None].repeat(9, axis=1) * 255
    animated(tmp_path / "clip.gif", curtain, 100)
    options = {"size": "12x9", "dither": "threshold", "detail": 0}
    add(tmp_path, ["clip.gif"], ["a.mp4", "a.json"], **options)
    la.build_gallery(tmp_path / "batch", tmp_path / "site")
    page = (tmp_path / "site/a/index.html").read_text(encoding="utf-8")
    assert "0.6 s, 6 frames, 10 a second\n" in page
    assert '<video src="files/a.mp4"' in page
    assert '<iframe src="player' not in page
    assert np.array_equal(read(tmp_path / "site/a/frame-1.png") > 0, curtain[0] > 128)
    (result,) = results_of(tmp_path / "batch").values()
    frames = frames_of(load_kept_animation(tmp_path / "batch", result))
    assert len(frames) < 6
    lit = (curtain > 128).reshape(6, -1).tolist()
    assert all(frame.tolist() in lit for frame in frames)
    assert f"{result.report['moves'][0]['clicks']} clicks" in page


def test_hostile_names_are_text_and_page_fits_screen(show):
    page = show("hostile/index.html")
    captions = page.locator("figcaption bdi").all_text_contents()
    assert [text.strip() for text in captions] == [name.strip() for name in SAYABLE]
    assert "\n" not in page.locator("code").text_content()
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 800})
        until(page, f"document.documentElement.scrollWidth <= {width}")


@pytest.mark.long
def test_site_works_without_scripts(browser, addresses):
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(addresses["http"] + "/index.html")
    assert page.locator(".cards a").count() == 5
    assert not page.locator("form").is_visible()
    page.goto(addresses["http"] + "/sun-moon/index.html")
    assert page.locator(".still").is_visible()
    assert not page.locator("iframe").is_visible()
    context.close()
