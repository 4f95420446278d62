"""The pages that show all animations of a site: the walls, the exhibition, the feed."""

import html
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from markupsafe import Markup

from lightsanim.animation.origin import CONTROL_CHARACTERS, NO_LABEL, Label
from lightsanim.errors import OptionError
from lightsanim.formats.json_text import COMPACT
from lightsanim.formats.page import neighbourhood_diagram
from lightsanim.gallery.entry import Card
from lightsanim.inputs.picture_clips import natural_sort_key
from lightsanim.options.checks import quote_value
from lightsanim.version import __version__
from lightsanim.web.templating import load_templates

# What social networks and the feed show of a page.
PREVIEW = "preview.png"

# What a script is told of each card.
SCRIPT_FIELDS = ("slug", "name", "words", "clicks", "wrong")

# Entries of the feed: readers ask for it again and again, and want what is new.
MAX_FEED_ENTRIES = 50

# An address without a name, a query or a fragment, of the characters that RFC 3986 allows.
HOST_PATTERN = r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
SITE_ADDRESS = re.compile(rf"(?i:https?)://{HOST_PATTERN}(?:/[!$-;=@-\[\]_a-z~]*)?")

# Creative Commons licences by their short names.
CC_LICENCE = re.compile(r"CC[ -]?(BY(?:-NC)?(?:-SA|-ND)?|0)[ -](\d\.\d)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Site:
    """What all pages of a site share."""

    title: str  # the heading
    label: Label = NO_LABEL  # what else is said of it
    base: str | None = None  # its address, which ends with a slash; None where it is not known
    feed: bool = False  # whether it has an Atom feed
    style: str | None = None  # a style sheet of the user's own, or None
    originals: bool = True  # whether pages show the pictures themselves
    series: Mapping[str, str] = field(default_factory=dict)  # by name, the folder of its page


def parse_base_url(text: str) -> str:
    """The address of a site, which ends with a slash.

    >>> parse_base_url("https://example.org/lights")
    'https://example.org/lights/'
    """
    if not SITE_ADDRESS.fullmatch(text) or text.endswith((".html", ".htm")):
        raise OptionError(
            "the base address must be a folder's on the web, in ASCII, such as "
            f"https://example.org/lights/, not {quote_value(text)}"
        )
    return text if text.endswith("/") else f"{text}/"


def licence_address(licence: str) -> str | None:
    """Where a Creative Commons licence is to be read; None for any other.

    >>> licence_address("CC BY-SA 4.0")
    'https://creativecommons.org/licenses/by-sa/4.0/'
    >>> licence_address("CC0 1.0")
    'https://creativecommons.org/publicdomain/zero/1.0/'
    """
    if not (match := CC_LICENCE.fullmatch(licence)):
        return None
    kind, version = match[1].lower(), match[2]
    path = f"publicdomain/zero/{version}" if kind == "0" else f"licenses/{kind}/{version}"
    return f"https://creativecommons.org/{path}/"


def parse_iso_date(text: str | None) -> date | None:
    """The day of the calendar that a text names as 2026-03-01; None for any other text."""
    with suppress(ValueError):
        day = date.fromisoformat(text or "")
        return day if str(day) == text else None
    return None


def format_date(text: str | None) -> str:
    """A date for people: a day of the calendar in words, and anything else as it is.

    >>> format_date("2026-03-01"), format_date("about 1889")
    ('1 March 2026', 'about 1889')
    """
    day = parse_iso_date(text)
    return f"{day.day} {day:%B} {day.year}" if day else text or ""


def render_template(template: str, **variables: Any) -> bytes:
    """A page of a site, from its template."""
    page = load_templates("lightsanim.gallery", "lightsanim.web").get_template(template)
    shared = {"licence_address": licence_address, "dated": format_date, "version": __version__}
    return page.render(**shared, **variables).encode()


def write_wall_pages(cards: Sequence[Card], site: Site, folder: Path) -> None:
    """Write the files that show all animations."""
    by_name = sorted(cards, key=lambda card: (natural_sort_key(card.name), card.slug))
    name_ranks = {card.slug: number for number, card in enumerate(by_name)}
    script_data = [
        {name: getattr(card, name) for name in SCRIPT_FIELDS}
        | {"made": card.index, "rows": card.board.rows, "columns": card.board.columns}
        | {"named": name_ranks[card.slug], "series": card.label.series}
        for card in cards
    ]
    series_names = dict.fromkeys(card.label.series for card in cards if card.label.series)
    albums = {name: [card for card in cards if card.label.series == name] for name in series_names}
    files = {
        "index.html": _render_wall_page(cards, site, albums=albums, series=None),
        **{
            f"{site.series[name]}/index.html": _render_wall_page(
                works, site, albums={}, series=name
            )
            for name, works in albums.items()
        },
        "exhibition.html": render_template("exhibition.html.j2", site=site, cards=cards),
        "animations.js": f"animations={COMPACT.encode(script_data)}\n".encode(),
        "gallery.css": render_template("gallery.css.j2"),
        "gallery.js": render_template("gallery.js.j2"),
        **({} if site.style is None else {"custom.css": site.style.encode()}),
    }
    if site.feed and site.base:
        files["feed.xml"] = render_template("feed.xml.j2", site=site, **build_feed_variables(cards))
    if site.base:
        files["sitemap.xml"] = render_template(
            "sitemap.xml.j2", site=site, albums=albums, cards=cards
        )
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


def _render_wall_page(cards: Sequence[Card], site: Site, **variables: Any) -> bytes:
    # Of all works, or of a series.
    rules = {(card.board.says, card.board.levels) for card in cards}
    board = cards[0].board if len(rules) == 1 else None
    return render_template(
        "index.html.j2",
        site=site,
        cards=cards,
        tall=round(max(card.board.rows / max(card.board.shape) for card in cards), 3),
        board=board,
        diagram=board and neighbourhood_diagram(board.offsets()),
        **variables,
    )


def build_feed_variables(cards: Sequence[Card]) -> dict[str, Any]:
    """What the template of the Atom feed is told of the works: the newest ones first.

    Source: RFC 4287.  Its ids are addresses, so it needs to know where the site will be.
    """
    return {
        "cards": sorted(cards, key=lambda card: -card.index)[:MAX_FEED_ENTRIES],
        "latest": max(card.created_at for card in cards),
        "said": _escape_xml_text,
        "moment": _format_time,
        "day_of": parse_iso_date,
        "content_of": _format_feed_content,
    }


def _escape_xml_text(text: str) -> Markup:
    return Markup(escape(CONTROL_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text)))


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _format_feed_content(page: str, alt: str, caption: str) -> str:
    # The picture, and the caption's paragraphs, as HTML.
    picture = f'<img src="{page}{PREVIEW}" alt="{html.escape(alt)}">'
    paragraphs = [picture, *map(html.escape, caption.split("\n\n"))]
    return "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
