"""An Atom feed of a site's newest works.

Source: RFC 4287.  Its ids are addresses, so it needs to know where the site will be.
"""

import html
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any
from xml.sax.saxutils import escape

from markupsafe import Markup

from lightsanim.animation.origin import CONTROLS
from lightsanim.gallery.entry import Card
from lightsanim.gallery.site_pictures import PREVIEW

FEED = "feed.xml"

# Readers ask for it again and again, and want what is new.
MOST_ENTRIES = 50


def words_of_feed(cards: Sequence[Card]) -> dict[str, Any]:
    """What the template of the feed is told of the works: the newest ones first."""
    return {
        "cards": sorted(cards, key=lambda card: -card.made)[:MOST_ENTRIES],
        "latest": max(card.moment for card in cards),
        "said": _said,
        "moment": _moment,
        "day_of": day_of,
        "content_of": _content_of,
    }


def day_of(text: str | None) -> date | None:
    """The day of the calendar that a text names as 2026-03-01; None for any other text.

    >>> day_of("2026-02-30"), day_of("about 1889")
    (None, None)
    """
    with suppress(ValueError):
        day = date.fromisoformat(text or "")
        return day if str(day) == text else None
    return None


def _said(text: str) -> Markup:
    return Markup(escape(CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)))


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _content_of(page: str, alt: str, caption: str) -> str:
    # The picture, and the caption's paragraphs, as HTML.
    picture = f'<img src="{page}{PREVIEW}" alt="{html.escape(alt)}">'
    paragraphs = [picture, *map(html.escape, caption.split("\n\n"))]
    return "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
