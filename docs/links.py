"""Check the links of the built pages; MkDocs itself checks only links in Markdown.

Every local link, picture and script must exist, and every fragment must be an id of its page.
Nothing may be loaded from other sites.
"""

import logging
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

log = logging.getLogger("mkdocs.plugins.links")  # strict mode counts its warnings

# Attributes with addresses that the browser loads by itself, as (tag, attribute).
LOADED = {("img", "src"), ("script", "src"), ("source", "src"), ("video", "src"), ("iframe", "src")}
LOADED |= {("link", "href"), ("video", "poster")}


class Page(HTMLParser):
    """The links of a page, as (tag, attribute, address), and its ids."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[tuple[str, str, str]] = []
        self.ids: set[str] = {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the ids and the addresses of a tag."""
        for name, value in attrs:
            if name in ("id", "name"):
                self.ids.add(value or "")
            if name in ("href", "src", "poster"):
                self.links.append((tag, name, value or ""))


page_of = cache(Page)


def problems(path: Path, site: Path) -> Iterator[str]:
    """Yield a message for each broken link of a page."""
    for tag, name, address in page_of(path).links:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            if parts.scheme != "data" and (tag, name) in LOADED:
                yield f"{address} would be loaded from another site"
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if target.is_dir():
            target /= "index.html"
        if not target.is_relative_to(site) or not target.exists():
            yield f"{address} does not exist"
        elif target.suffix == ".html" and unquote(parts.fragment) not in page_of(target).ids:
            yield f"{address} has a fragment that is no id of the page"


def on_post_build(config: Any) -> None:
    """Log a warning for each broken link; in strict mode a warning fails the build."""
    page_of.cache_clear()
    site = Path(config.site_dir).resolve()
    for path in sorted(site.rglob("*.html")):
        if path.name != "404.html":  # its links are absolute
            for problem in problems(path, site):
                log.warning(f"{path.relative_to(site)}: {problem}")
