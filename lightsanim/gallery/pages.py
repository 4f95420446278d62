"""The pages of a site: the wall, and a page for each animation."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import segno

from lightsanim.animation.origin import UNSAID, Label
from lightsanim.batch.folder import originals_of
from lightsanim.errors import OptionError
from lightsanim.formats.json_text import COMPACT
from lightsanim.formats.page import diagram_of, page_pieces
from lightsanim.gallery.chart import agreement_chart
from lightsanim.gallery.downloads import Download, write_downloads
from lightsanim.gallery.entry import VIDEOS, Card, Entry
from lightsanim.gallery.feed import FEED, day_of, words_of_feed
from lightsanim.gallery.site_pictures import PREVIEW, copy_originals, write_preview, write_still
from lightsanim.inputs.picture_clips import natural_key
from lightsanim.options.checks import shown
from lightsanim.system.deadline import CUT_SHORT
from lightsanim.version import __version__
from lightsanim.web.pages import pages

TEMPLATES = ("lightsanim.gallery", "lightsanim.web")
OWN_STYLE = "custom.css"

# What a script is told of each card.
TOLD = ("slug", "name", "words", "clicks", "wrong", "made")

# An address without a name, a query or a fragment, of the characters that RFC 3986 allows.
HOST = r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
FOLDER = re.compile(rf"(?i:https?)://{HOST}(?:/[!$-;=@-\[\]_a-z~]*)?")

# The cells around a QR code, and its pattern: to try all of them takes longer than a page does.
QR_BORDER, QR_MASK = 4, 2
INK_ON_PAPER = np.array([[255, 255, 255, 255], [0, 0, 0, 255]], np.uint8)

# Creative Commons licences by their short names.
COMMONS = re.compile(r"CC[ -]?(BY(?:-NC)?(?:-SA|-ND)?|0)[ -](\d\.\d)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Site:
    """What all pages of a site share."""

    title: str  # the heading
    label: Label = UNSAID  # what else is said of it
    base: str | None = None  # its address, which ends with a slash; None where it is not known
    feed: bool = False  # whether it has an Atom feed
    style: str | None = None  # a style sheet of the user's own, or None
    originals: bool = True  # whether pages show the pictures themselves
    series: Mapping[str, str] = field(default_factory=dict)  # by name, the folder of its page


def to_base(text: str) -> str:
    """The address of a site, which ends with a slash.

    >>> to_base("https://example.org/lights")
    'https://example.org/lights/'
    """
    if not FOLDER.fullmatch(text) or text.endswith((".html", ".htm")):
        raise OptionError(
            "the base address must be a folder's on the web, in ASCII, such as "
            f"https://example.org/lights/, not {shown(text)}"
        )
    return text if text.endswith("/") else f"{text}/"


def licence_address(licence: str) -> str | None:
    """Where a Creative Commons licence is to be read; None for any other.

    >>> licence_address("CC BY-SA 4.0")
    'https://creativecommons.org/licenses/by-sa/4.0/'
    >>> licence_address("CC0 1.0")
    'https://creativecommons.org/publicdomain/zero/1.0/'
    """
    if not (found := COMMONS.fullmatch(licence)):
        return None
    kind, version = found[1].lower(), found[2]
    place = f"publicdomain/zero/{version}" if kind == "0" else f"licenses/{kind}/{version}"
    return f"https://creativecommons.org/{place}/"


def dated(text: str | None) -> str:
    """A date for people: a day of the calendar in words, and anything else as it is.

    >>> dated("2026-03-01"), dated("about 1889")
    ('1 March 2026', 'about 1889')
    """
    day = day_of(text)
    return f"{day.day} {day:%B} {day.year}" if day else text or ""


def write_entry(entry: Entry, folder: Path, place: Path, site: Site) -> None:
    """Write an animation's folder of a site."""
    animation, slug = entry.animation, entry.slug
    here = place / slug
    here.mkdir()
    downloads = write_downloads(entry.result, folder, here)
    player = "".join(page_pieces(entry.film)).encode()
    (here / "player.html").write_bytes(player)
    kind = f"player of {len(animation)} of its frames" if entry.is_shortened else "this player"
    itself = Download(name=f"{slug}.html", path="player.html", kind=kind, bytes=len(player))
    kept, count = originals_of(folder, entry.result.id), len(entry.pictures)
    originals = copy_originals(kept, here, count) if site.originals else [None] * count
    _write_stills(entry, here)
    preview = site.base and write_preview(animation, entry.ends, entry.theme, here / PREVIEW)
    if site.base:
        code = segno.make(f"{site.base}{slug}/index.html", micro=False, mask=QR_MASK).matrix
        write_still(np.pad(np.array(code, np.uint8), QR_BORDER), INK_ON_PAPER, here / "code.png")
    html = _rendered(
        "page.html.j2",
        site=site,
        entry=entry,
        card=entry.card,
        animation=animation,
        diagram=diagram_of(animation.board.offsets()),
        seconds=f"{round(entry.report['duration'], 1):,g}",
        chart=agreement_chart(animation, entry.counts),
        originals=originals,
        downloads=[*downloads, itself],
        video=next((file for file in downloads if file.path.endswith(VIDEOS)), None),
        preview=preview,
        cut_short=CUT_SHORT,
    )
    (here / "index.html").write_bytes(html)
    film = f"films[{COMPACT.encode(slug)}]={COMPACT.encode(entry.film)}\n"
    (here / "film.js").write_text(film, encoding="ascii")


def _rendered(template: str, **words: Any) -> bytes:
    page = pages(*TEMPLATES).get_template(template)
    shared = {"licence_address": licence_address, "dated": dated, "version": __version__}
    return page.render(**shared, **words).encode()


def _write_stills(entry: Entry, here: Path) -> None:
    animation = entry.animation
    palette = entry.theme.shades_with_alpha(animation.boards, animation.board.levels)
    for number, picture in enumerate(entry.pictures, start=1):
        write_still(picture.target, palette, here / f"target-{number}.png")
        write_still(picture.frame, palette, here / f"frame-{number}.png")
    if entry.is_clip:
        write_still(entry.ends[1], palette, here / entry.card.stills[1])


def write_wall(cards: Sequence[Card], site: Site, place: Path) -> None:
    """Write the files that show all animations."""
    by_name = sorted(cards, key=lambda card: (natural_key(card.name), card.slug))
    named = {card.slug: number for number, card in enumerate(by_name)}
    told = [
        {name: getattr(card, name) for name in TOLD}
        | {"rows": card.board.rows, "columns": card.board.columns}
        | {"named": named[card.slug], "series": card.label.series}
        for card in cards
    ]
    names = dict.fromkeys(card.label.series for card in cards if card.label.series)
    albums = {name: [card for card in cards if card.label.series == name] for name in names}
    files = {
        "index.html": _wall(cards, site, albums=albums, series=None),
        **{
            f"{site.series[name]}/index.html": _wall(works, site, albums={}, series=name)
            for name, works in albums.items()
        },
        "exhibition.html": _rendered("exhibition.html.j2", site=site, cards=cards),
        "animations.js": f"animations={COMPACT.encode(told)}\n".encode(),
        "gallery.css": _rendered("gallery.css.j2"),
        "gallery.js": _rendered("gallery.js.j2"),
        **({} if site.style is None else {OWN_STYLE: site.style.encode()}),
    }
    if site.feed and site.base:
        files[FEED] = _rendered("feed.xml.j2", site=site, **words_of_feed(cards))
    if site.base:
        files["sitemap.xml"] = _rendered("sitemap.xml.j2", site=site, albums=albums, cards=cards)
    for name, content in files.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(content)


def _wall(cards: Sequence[Card], site: Site, **words: Any) -> bytes:
    # Of all works, or of a series.
    rules = {(card.board.says, card.board.levels) for card in cards}
    board = cards[0].board if len(rules) == 1 else None
    return _rendered(
        "index.html.j2",
        site=site,
        cards=cards,
        tall=round(max(card.board.rows / max(card.board.shape) for card in cards), 3),
        board=board,
        diagram=board and diagram_of(board.offsets()),
        **words,
    )
