"""Looks for what is broken in the pages as they are built: MkDocs sees only links in Markdown.

Every local link, picture and script must be there, every fragment be an id of its page, and
nothing may be loaded from elsewhere.
"""

import logging
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

log = logging.getLogger("mkdocs.plugins.links")  # whose warnings strict mode counts

# What an address in these is for: the browser loads it by itself.
LOADED = {("img", "src"), ("script", "src"), ("source", "src"), ("video", "src"), ("iframe", "src")}
LOADED |= {("link", "href"), ("video", "poster")}


class Page(HTMLParser):
    """What a page links to, as (tag, attribute, address), and the ids that it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[tuple[str, str, str]] = []
        self.ids: set[str] = {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note its ids and addresses."""
        for name, value in attrs:
            if name in ("id", "name"):
                self.ids.add(value or "")
            if name in ("href", "src", "poster"):
                self.links.append((tag, name, value or ""))


page_of = cache(Page)


def problems(path: Path, site: Path) -> Iterator[str]:
    """What is wrong with a page's links."""
    for tag, name, address in page_of(path).links:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            if parts.scheme != "data" and (tag, name) in LOADED:
                yield f"{address} would be loaded from elsewhere"
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if target.is_dir():
            target /= "index.html"
        if not target.is_relative_to(site) or not target.exists():
            yield f"{address} leads nowhere"
        elif target.suffix == ".html" and unquote(parts.fragment) not in page_of(target).ids:
            yield f"{address} leads to no place of that page"


def on_post_build(config: Any) -> None:
    """Warn of each; in strict mode a warning fails the build."""
    page_of.cache_clear()
    site = Path(config.site_dir).resolve()
    for path in sorted(site.rglob("*.html")):
        if path.name != "404.html":  # whose links are absolute
            for problem in problems(path, site):
                log.warning(f"{path.relative_to(site)}: {problem}")
