"""Write the files of a site that list its animations: walls, exhibition, feed, site map."""

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

from lightsanim.errors import OptionError
from lightsanim.film.origin import CONTROL_CHARACTERS, NO_LABEL, Label
from lightsanim.options.checks import quote_value
from lightsanim.options.page_words import english_words
from lightsanim.output.formats.json_text import COMPACT
from lightsanim.output.formats.page import neighbourhood_diagram
from lightsanim.pictures.picture_clips import natural_sort_key
from lightsanim.version import __version__
from lightsanim.web.templating import load_bundle, load_templates
from .entry import Card

PREVIEW = "preview.png"  # Image of a page for social networks and the feed.
# Fields of `Card` that web/src/gallery reads.
SCRIPT_FIELDS = ("slug", "name", "words", "clicks", "wrong")
MAX_FEED_ENTRIES = 50  # Maximum number of entries: feed readers often download all entries.
# A web address in the characters of RFC 3986, without user name, query or fragment.
HOST_PATTERN = r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
SITE_ADDRESS = re.compile(rf"(?i:https?)://{HOST_PATTERN}(?:/[!$-;=@-\[\]_a-z~]*)?")
# Short names of Creative Commons licences, such as "CC BY-SA 4.0".
CC_LICENCE = re.compile(r"CC[ -]?(BY(?:-NC)?(?:-SA|-ND)?|0)[ -](\d\.\d)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Site:
    """Settings that all pages of a site share."""

    title: str
    label: Label = NO_LABEL
    base: str | None = None  # The site's address with a final slash, or None if unknown.
    feed: bool = False  # Whether the site has an Atom feed.
    style: str | None = None  # Content of the user's style sheet.
    originals: bool = True  # Whether pages show small copies of the pictures.
    series: Mapping[str, str] = field(default_factory=dict)  # Folder of each series, by its name.


def parse_base_url(text: str) -> str:
    """Check the web address of a site, and add a final slash if it has none."""
    if not SITE_ADDRESS.fullmatch(text) or text.endswith((".html", ".htm")):
        raise OptionError(
            "the base URL must be the web address of a folder, in ASCII, such as "
            f"https://example.org/lights/, not {quote_value(text)}"
        )
    return text if text.endswith("/") else f"{text}/"


def licence_address(licence: str) -> str | None:
    """Return the web address of a Creative Commons licence, or None for other licences."""
    if not (match := CC_LICENCE.fullmatch(licence)):
        return None
    kind, version = match[1].lower(), match[2]
    path = f"publicdomain/zero/{version}" if kind == "0" else f"licenses/{kind}/{version}"
    return f"https://creativecommons.org/{path}/"


def parse_iso_date(text: str | None) -> date | None:
    """Parse a date such as 2026-03-01; return None for any other text."""
    with suppress(ValueError):
        day = date.fromisoformat(text or "")
        return day if str(day) == text else None
    return None


def format_date(text: str | None) -> str:
    """Format a date such as 2026-03-01 as 1 March 2026; return any other text unchanged."""
    day = parse_iso_date(text)
    return f"{day.day} {day:%B} {day.year}" if day else text or ""


def render_template(template: str, **variables: Any) -> bytes:
    """Render one of the gallery's templates."""
    page = load_templates("lightsanim.apps.gallery", "lightsanim.web").get_template(template)
    return page.render(
        licence_address=licence_address,
        dated=format_date,
        version=__version__,
        t=english_words().text,
        **variables,
    ).encode()


def write_wall_pages(cards: Sequence[Card], site: Site, folder: Path) -> None:
    """Write the pages that list the animations, with their scripts, style sheets and feed."""
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
        "exhibition.html": render_template("exhibition.html.j2", site=site, cards=cards),
        "animations.js": f"animations={COMPACT.encode(script_data)}\n".encode(),
        "gallery.css": load_bundle("gallery.css").encode(),
        "gallery.js": load_bundle("gallery.js").encode(),
    }
    for name, works in albums.items():
        files[f"{site.series[name]}/index.html"] = _render_wall_page(
            works, site, albums={}, series=name
        )
    if site.style is not None:
        files["custom.css"] = site.style.encode()
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
    # Renders a wall; if all its boards have the same rule, with a diagram of the rule.
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
    """Return the variables for the Atom feed's template (RFC 4287), newest animations first."""
    return {
        "cards": sorted(cards, key=lambda card: -card.index)[:MAX_FEED_ENTRIES],
        "latest": max(card.updated_at for card in cards),
        "said": _escape_xml_text,
        "moment": lambda time: f"{datetime.fromtimestamp(int(time), UTC):%Y-%m-%dT%H:%M:%SZ}",
        "day_of": parse_iso_date,
        "content_of": _format_feed_content,
    }


def _escape_xml_text(text: str) -> Markup:
    return Markup(escape(CONTROL_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text)))


def _format_feed_content(page: str, alt: str, caption: str) -> str:
    # Returns HTML with the preview image and the paragraphs of the caption.
    picture = f'<img src="{page}{PREVIEW}" alt="{html.escape(alt)}">'
    paragraphs = [picture, *map(html.escape, caption.split("\n\n"))]
    return "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
