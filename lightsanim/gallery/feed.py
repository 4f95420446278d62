"""An Atom feed of a site's newest works.

Source: RFC 4287.  Its ids are addresses, so it needs to know where the site will be.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from html import escape
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from lightsanim.animation.label import CONTROLS, Label
from lightsanim.gallery.entry import Card
from lightsanim.gallery.site_pictures import PREVIEW
from lightsanim.version import __version__

FEED = "feed.xml"
ATOM = "http://www.w3.org/2005/Atom"

# Readers ask for it again and again, and want what is new.
MOST_ENTRIES = 50


def write_feed(cards: Sequence[Card], title: str, label: Label, base: str, path: Path) -> None:
    """Write the feed of a site, the newest work first."""
    newest = sorted(cards, key=lambda card: -card.made)[:MOST_ENTRIES]
    feed = Element("feed", {"xmlns": ATOM, "xml:lang": "en"})
    _add(feed, "title", title)
    _add(feed, "subtitle", label.caption)
    _add(feed, "id", base)
    _link(feed, "self", f"{base}{FEED}")
    _link(feed, "alternate", base)
    _add(feed, "updated", _moment(max(card.moment for card in cards)))
    _add(SubElement(feed, "author"), "name", label.credit or title)
    _add(feed, "rights", label.licence)
    SubElement(feed, "generator", {"version": __version__}).text = "lightsanim"
    for card in newest:
        _entry(SubElement(feed, "entry"), card, base)
    indent(feed, " ")
    path.write_bytes(tostring(feed, "utf-8", xml_declaration=True) + b"\n")


def _entry(entry: Element, card: Card, base: str) -> None:
    page = f"{base}{card.slug}/"
    _add(entry, "title", card.name)
    _add(entry, "id", page)
    _link(entry, "alternate", f"{page}index.html")
    _add(entry, "updated", _moment(card.moment))
    if day := day_of(card.label.date):
        _add(entry, "published", f"{day}T00:00:00Z")
    if card.label.credit:
        _add(SubElement(entry, "author"), "name", card.label.credit)
    _add(entry, "rights", card.label.licence)
    said = card.label.caption or card.facts
    _add(entry, "summary", said)
    picture = f'<img src="{page}{PREVIEW}" alt="{escape(card.alt)}">'
    paragraphs = [picture, *map(escape, said.split("\n\n"))]
    _add(entry, "content", "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))
    entry[-1].set("type", "html")


def day_of(text: str | None) -> date | None:
    """The day of the calendar that a text names as 2026-03-01; None for any other text.

    >>> day_of("2026-02-30"), day_of("about 1889")
    (None, None)
    """
    with suppress(ValueError):
        day = date.fromisoformat(text or "")
        return day if str(day) == text else None
    return None


def _add(parent: Element, tag: str, text: str | None) -> None:
    if text:
        SubElement(parent, tag).text = CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def _link(parent: Element, rel: str, address: str) -> None:
    SubElement(parent, "link", {"rel": rel, "href": address})


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
