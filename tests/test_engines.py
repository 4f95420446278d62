"""Each page in Chromium, Firefox and WebKit, on a desk and on a phone, in light and dark."""

import base64
import hashlib
import time
from contextlib import ExitStack
from functools import cache
from itertools import product

import pytest
from tools.batches import run_here, write_batch
from tools.engines import ENGINES, Chromium, wait_for
from tools.players import ASK
from tools.program import built_page
from tools.studios import studio
from tools.written import ROOT

import lightsanim as la

pytestmark = pytest.mark.long

DESK, PHONE = (1440, 900), (390, 844)
LOOKS = [*product((DESK, PHONE), (False, True))]
FIRST_LOOK = {"firefox": 0, "webkit": 2}
EACH_ENGINE = pytest.mark.parametrize("engine", ["chromium", *ENGINES])

# Returns what is wrong with the layout of a page.  A line may be a quarter into the next, links in
# a text are as high as its lines, and panels of studio and documentation scroll beside the rest.
FLAWS = """
const flaws = [], root = document.documentElement;
const of = ({ tagName, id, textContent }) => `${tagName} ${id} ${textContent.trim()}`.slice(0, 60);
const isVisible = (element) =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
if (root.scrollWidth > innerWidth) flaws.push(`the page is ${root.scrollWidth} wide`);
const isLayer = (element) => /sticky|fixed/.test(getComputedStyle(element).position);
const layerOf = (element) =>
  element && (isLayer(element) ? element : layerOf(element.parentElement));
const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode, parent = node.parentElement, range = document.createRange();
  if (!node.data.trim() || !isVisible(parent)) continue;
  if (getComputedStyle(parent).clipPath === "inset(50%)") continue; // only for screen readers
  if (parent.closest("script, style, option, #rows, #columns")) continue;
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    const isOutside = box.right <= 0 || box.left >= innerWidth; // as in a drawer that is closed
    if (box.width > 1 && !isOutside) texts.push({ box, node, parent });
  }
}
texts.forEach(({ box, node, parent }, i) => texts.slice(i + 1).forEach((other) => {
  const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
  const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
  const isOver = wide > 3 && high > Math.min(box.height, other.box.height) / 4;
  if (isOver && node !== other.node && layerOf(parent) === layerOf(other.parent))
    flaws.push(`${of(parent)} lies over ${of(other.parent)}`);
}));
const pageScrolls = root.scrollHeight > innerHeight + 1;
const hasBar = root.clientWidth < innerWidth;
const isCoarse = matchMedia("(pointer: coarse)").matches;
for (const element of document.body.querySelectorAll("*")) {
  if (!isVisible(element)) continue;
  const { overflowY } = getComputedStyle(element), { scrollHeight, clientHeight } = element;
  const isPanel = element.matches("#options, #pictures, [class*=scrollwrap]");
  if (pageScrolls && !isPanel && /auto|scroll/.test(overflowY) && scrollHeight > clientHeight + 1)
    flaws.push(`${of(element)} scrolls in a page that scrolls`);
  if (element.matches("button, select") && element.scrollWidth > element.clientWidth + 1)
    flaws.push(`${of(element)} is wider than its border`);
  if (!isCoarse || !element.matches("a, button, select, input, summary")) continue;
  if (element.matches("p a, li a")) continue;
  if (hasBar && element.matches("#window button")) continue; // no phone has a bar that takes room
  const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
  if (width && Math.min(width, height) < 43.5) flaws.push(`${of(element)}: ${width} x ${height}`);
}
return flaws;"""


# The page is loaded, and the maker or studio has made its film and drawn its targets: nothing moves
# any more.
READY = """return document.readyState === "complete" && !document.querySelector(
  "#save[inert], #facts:empty, .target:not([aria-label], .empty *), .busy, .coming");"""


def middle_of(window, selector):
    box = f"const box = document.querySelector({selector!r}).getBoundingClientRect();"
    return window.run(f"{box} return [box.x + box.width / 2, box.y + box.height / 2]")


def click(window, selector):
    wait_for(lambda: window.run(f"return document.querySelector({selector!r}) !== null"))
    window.run(f"document.querySelector({selector!r}).scrollIntoView({{ block: 'end' }})")
    window.click(*middle_of(window, selector))


# The main interaction of each page: what is clicked, and what is then true.
PAGES = {
    "maker": ("[value='40']", "document.querySelector('#facts').textContent.includes('40')"),
    "player": ("#play", f"{ASK}.clicksDone() > 0"),
    "puzzle": ("#board", f"{ASK}.made() === 1"),
    "series": ("#levels button:nth-child(3)", "location.hash.length > 2"),
    "lesson": ("#press canvas", "document.querySelector('#press .said').textContent"),
    "window": ("#window button", "document.querySelector('#window [aria-pressed=false]')"),
    "exhibit": ("#board", f"{ASK}.look().scene !== 'attract'"),
    "gallery/index": (".cards a", "document.querySelector('.hero iframe')"),
    "site/index": (".md-button", "document.querySelector('#facts')"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One page of each kind."""
    folder = tmp_path_factory.mktemp("pages")
    la.write_maker(folder / "maker.html")
    film = la.make(["sample:face", "sample:skull"], size=60, seed=1)
    film.save(folder / "player.html")
    film.save(folder / "exhibit.html", visitor_clicks=30)
    puzzle, series = (la.Outputs(output=folder / f"{name}.html") for name in ("puzzle", "series"))
    la.pose_files(la.Board(5, 5), 7, la.GameOptions(seed=1), outputs=puzzle)
    la.pose_series_files(la.Board(5, 5), range(3, 14, 2), la.GameOptions(seed=1), outputs=series)
    la.save_answer(la.solve_puzzle("abbott", ["8"]), folder / "window.html")
    la.write_lesson(folder / "lesson.html")
    run_here(write_batch(folder / "batch"), folder / "films")
    la.build_gallery(folder / "films", folder / "gallery")
    return folder


@pytest.fixture(scope="module")
def window(browser):
    """The window of an engine, by its name; it is opened once."""
    with ExitStack() as stack:

        @cache
        def open_window(name):
            if name == "chromium":
                return Chromium(browser)
            return stack.enter_context(ENGINES[name]())

        yield open_window


def assert_usable(window, address, look, selector, condition):
    """A page is laid out well in a window of this size and colours, also after its use."""
    size, dark = look
    window.show(address, size, dark=dark, touch=size == PHONE)
    wait_for(lambda: window.run(READY))
    assert window.run("return matchMedia('(prefers-color-scheme: dark)').matches") is dark
    assert window.run(FLAWS) == [], look
    click(window, selector)
    wait_for(lambda: window.run(f"return Boolean({condition})"), 120)
    wait_for(lambda: window.run(READY), 120)
    assert window.run(FLAWS) == [], (*look, "used")
    assert window.complaints() == []


def looks_of(engine, page):
    """All looks in Chromium, one in the others: a page's number says which, so that all come."""
    if engine == "chromium":
        return LOOKS
    return [LOOKS[([*PAGES, "studio"].index(page) + FIRST_LOOK[engine]) % len(LOOKS)]]


@EACH_ENGINE
@pytest.mark.parametrize("name", PAGES)
def test_page_is_laid_out_well_and_can_be_used(window, folder, name, engine):
    if name == "site/index":
        folder = built_page(ROOT / "site/index.html").parents[1]
    path = folder / f"{name}.html"
    for look in looks_of(engine, name):
        assert_usable(window(engine), path.as_uri(), look, *PAGES[name])


@EACH_ENGINE
def test_studio_is_laid_out_well_and_makes_a_film(window, engine):
    pytest.importorskip("starlette")
    for look in looks_of(engine, "studio"):
        with studio() as visitor:  # a new one each time, as it keeps its pictures
            film = "document.querySelector('#stages iframe')"
            assert_usable(window(engine), visitor.address, look, "#samples button", film)


# What is seen of a gallery: the page, search and sorting, the last card's place, the film in turn.
SEEN = """const [wall, turns] = [".works > li:last-child", "section"].map((all) => [
  ...document.querySelectorAll(all)]);
return [location.pathname.split("/").pop(), location.hash.split("&at=")[0],
  wall.map((card) => Math.round(card.getBoundingClientRect().top / 4)),
  turns.findIndex((section) => !section.hidden)];"""


# On a machine that is busy, WebKit's driver loses a page that a script leaves.
LEAVING_ENGINES = pytest.mark.parametrize("engine", ["chromium", "firefox"])


def leave(page, act):
    """Leave a page by a script, which first returns: drivers repeat a script, or wait for ever."""
    page.run(f"setTimeout(() => {{ {act} }}, 100);")
    time.sleep(0.6)


@LEAVING_ENGINES
def test_gallery_returns_to_what_was_seen(window, folder, engine):
    page = window(engine)
    page.show((folder / "gallery/index.html").as_uri(), (600, 400))
    wait_for(lambda: page.run(READY))
    page.run("""const sort = document.querySelector("select");
      sort.value = "fewest";
      sort.dispatchEvent(new Event("input", { bubbles: true }));
      document.querySelector(".works > li:last-child").scrollIntoView({ block: "center" });""")
    time.sleep(0.5)  # Cards get their heights when they come onto the screen.
    wall, own = page.run(SEEN), ["index.html", "#sort=fewest", [], 0]
    first, second = (["exhibition.html", "#sort=fewest", [], turn] for turn in (0, 1))
    assert wall[1] == "#sort=fewest"
    follow = "document.querySelector('{}').click()".format
    card, home, back = follow(".works > li:last-child a"), follow("nav a"), "history.back()"
    for act, seen in (
        *((card, own), (back, wall), (card, own), (home, wall)),
        *((follow("header a"), first), (follow("[aria-label=Next]"), second)),
        *((home, wall), (back, second), (back, wall)),
    ):
        leave(page, act)
        wait_for(lambda seen=seen: page.run(SEEN) == seen)
        # Chromium forgets a page that a script leaves before it is loaded.
        wait_for(lambda: page.run(READY))
    assert page.complaints() == []


# Catches what the page keeps, and waits for it.
KEEP = """window.kept = null;
URL.createObjectURL = (file) => {
  const reader = new FileReader();
  reader.onload = () => (window.kept = reader.result.split(",")[1]);
  reader.readAsDataURL(file);
  return "#";
};
document.querySelector(arguments[0]).click();"""


def kept_digests(window, address):
    """The digests of the files that the maker of an address keeps of two films."""
    window.show(address, DESK)
    wait_for(lambda: window.run(READY))
    digests = []
    for look, transition in (("classic", "wipe"), ("spot", "dissolve")):
        for value in ("40", look, transition):
            click(window, f".tile [value='{value}']")
        wait_for(lambda: window.run(READY))
        for kind in ("gif", "page", "document"):
            window.run(KEEP, f"#save [value={kind}]")
            content = base64.b64decode(wait_for(lambda: window.run("return window.kept")))
            digests.append(hashlib.sha256(content).hexdigest())
    return digests


def test_maker_keeps_the_same_files_in_every_engine(window, folder):
    address = (folder / "maker.html").as_uri()
    chromium, *others = [kept_digests(window(engine), address) for engine in ("chromium", *ENGINES)]
    assert len(set(chromium)) == 6
    assert others == [chromium] * 2


# What is seen of the studio: its part, its open groups, and how far its panels are scrolled.
PLACE = """return [
  document.body.dataset.tab,
  [...document.querySelectorAll(".group[open]")].map((group) => group.dataset.name),
  ...["#options", "html"].map((panel) => Math.round(document.querySelector(panel).scrollTop)),
];"""
STORED_SCROLLS = """const key = `${location.pathname}place`;
const [page, pictures, options] = JSON.parse(sessionStorage.getItem(key)).scrolls;
return [options, page].map(Math.round);"""
GO_DOWN = """document.querySelector("[data-name=Timing]").open = true;
document.querySelector("#options").scrollTop = 600;
scrollTo(0, 100);"""


@LEAVING_ENGINES
def test_back_and_reload_show_the_studio_as_it_was(window, engine):
    pytest.importorskip("starlette")
    pair = [ROOT / f"samples/{name}.png" for name in ("face", "cat")]
    with studio(*pair) as visitor:
        page = window(engine)
        page.show(visitor.address, DESK)
        wait_for(lambda: page.run(READY) and page.run("return document.querySelector('iframe')"))
        page.run(GO_DOWN)
        leave(page, "window.isLeft = true; location.reload();")
        wait_for(lambda: page.run("return !window.isLeft && document.readyState === 'complete'"))
        # Until the page was left, what appeared above may have moved it.
        scrolls = page.run(STORED_SCROLLS)
        assert scrolls[0] == 600
        assert scrolls[1] >= 100
        place = ["film", ["Board", "Picture", "Look", "Timing"], *scrolls]
        wait_for(lambda: page.run(PLACE) == place)
        leave(page, "location.href = 'maker.html';")
        wait_for(lambda: page.run("return location.pathname.endsWith('maker.html')"))
        wait_for(lambda: page.run("return document.readyState === 'complete'"))
        leave(page, "history.back();")
        wait_for(lambda: page.run("return document.querySelector('#stages')"))
        # WebKit may have scrolled the page itself by then.
        wait_for(lambda: page.run(PLACE)[:3] == place[:3])
        assert page.complaints() == []
