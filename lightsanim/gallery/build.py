"""A gallery: a static site of a batch's animations, for any web server or none.

    index.html, gallery.css, gallery.js     the wall: all series and animations
    exhibition.html                         one animation after the other, for a large screen
    rome/index.html                         the wall of one series
    sitemap.xml                             all pages, where the site's address is known
    custom.css                              a style sheet of the user's own
    feed.xml                                the newest, as Atom, where the site's address is known
    animations.js                           what the wall sorts them and finds them by
    sun-moon/index.html                     the page of one animation
    sun-moon/player.html                    the player that it frames
    sun-moon/film.js                        what the wall plays
    sun-moon/target-1.png, frame-1.png      a picture as asked and as shown, a pixel for each cell
    sun-moon/original-1.jpg                 the picture itself, made small
    sun-moon/code.png                       the page's address, where the site's is known
    sun-moon/preview.png                    what social networks show, as feed.xml
    sun-moon/files/                         the batch's outputs; a folder of PNGs as one .zip
    .lightsanim-gallery.json                which of these files were written here, see `site.py`

The batch's folder is trusted, for the program wrote it (see SECURITY.md).  The names of pictures
and files in it may be anything all the same: pages show them as text.
"""

import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from lightsanim.animation.origin import NO_LABEL, Label
from lightsanim.batch.labels import Labels, merge_labels, read_labels
from lightsanim.batch.manifest import load_manifest
from lightsanim.batch.results import current_results, read_results
from lightsanim.errors import InputError, LightsAnimError, ManifestError, OptionError, OutputError
from lightsanim.gallery.entry import Card, Entry
from lightsanim.gallery.entry_folder import write_entry
from lightsanim.gallery.pages import Site, parse_base_url, write_wall_pages
from lightsanim.gallery.site_folder import (
    assign_slugs,
    check_site,
    open_draft_folder,
    read_file_list,
    sync_site,
)
from lightsanim.inputs.picture_clips import natural_sort_key
from lightsanim.web.templating import valid_utf8


@dataclass(frozen=True, kw_only=True)
class Gallery:
    """What `build_gallery` did."""

    animations: int  # how many the site shows
    written: int  # files that are new or changed
    unchanged: int  # files that were there already with the same content
    removed: int  # files of earlier builds that are not needed any more
    # The outputs and the reasons of those results that could not be shown.
    left_out: tuple[tuple[str, str], ...]
    # The outputs of those animations whose files say other titles or credits than the site.
    outdated: tuple[str, ...] = ()


def build_gallery(
    folder: str | Path,
    site: str | Path,
    *,
    title: str | None = None,
    base_url: str | None = None,
    feed: bool | None = None,
    css: str | Path | None = None,
    originals: bool = True,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Gallery:
    """Build a site that shows a batch's animations, in place of the one that is there.

    The site is built whole before it takes its place.  Files there that no gallery has written
    are left alone.

    Args:
        folder: of the batch.
        site: a folder that is new, empty, or was built before; it may lie in ``folder``.
        title: the heading, in place of that of the manifest.
        base_url: the address that the site will have: for previews on social networks, canonical
            links and the feed.
        feed: whether there is an Atom feed; None for one where the address is known.
        css: a style sheet of the user's own, which comes after the site's.
        originals: whether pages show the pictures themselves, too.
        progress: told how many animations are done, out of how many.

    Returns:
        What was done.

    Raises:
        OptionError: for an address that is none, a feed without one, or a title that is too long.
        InputError: for a style sheet that cannot be read.
        OutputError: if there is nothing to show, or the site cannot be written.
    """
    folder, site = Path(folder), Path(site)
    if feed and base_url is None:
        raise OptionError("a feed needs the site's address: --base-url https://example.org/lights/")
    labels = _load_current_labels(folder)
    shared = Site(
        title=Label(title=title).title or labels.site.title or "Animations",
        label=labels.site,
        base=None if base_url is None else parse_base_url(base_url),
        feed=base_url is not None if feed is None else feed,
        style=None if css is None else _read_css(Path(css)),
        originals=originals,
    )
    results = [r for r in current_results(read_results(folder)) if r.files[0] not in labels.removed]
    if not results:
        raise OutputError(
            f"there are no finished animations in {folder}; run lightsanim batch first"
        )
    cards: list[Card] = []
    outdated, left_out = [], []
    try:
        check_site(site, folder)
        with open_draft_folder(site) as draft:
            slugs, earlier_files = read_file_list(site)
            # An output never ends with a slash.
            albums = {f"{label.series}/" for label in labels.works.values() if label.series}
            slugs = assign_slugs([*(result.files[0] for result in results), *albums], slugs)
            shared = replace(shared, series={name[:-1]: slugs[name] for name in albums})
            for done, result in enumerate(results):
                progress(done, len(results))
                output, slug = result.files[0], slugs[result.files[0]]
                try:
                    entry = Entry.from_result(folder, result, labels.works.get(output, NO_LABEL))
                    card = entry.build_card(slug, index=done)
                    write_entry(entry, card, folder, draft, shared)
                    cards.append(card)
                    if entry.is_outdated:
                        outdated.append(valid_utf8(output))
                except LightsAnimError as error:
                    left_out.append((valid_utf8(output), valid_utf8(str(error))))
                    shutil.rmtree(draft / slug, ignore_errors=True)
            if not cards:
                output, reason = left_out[0]
                raise OutputError(f"no animation in {folder} can be shown; {output}: {reason}")
            write_wall_pages(_sort_cards(cards, slugs, labels.works), shared, draft)
            written, unchanged, removed = sync_site(draft, site, slugs, earlier_files)
    except OSError as error:
        raise OutputError(f"cannot write to {site}: {error.strerror or error}") from error
    progress(len(results), len(results))
    return Gallery(
        animations=len(cards),
        written=written,
        unchanged=unchanged,
        removed=removed,
        left_out=tuple(left_out),
        outdated=tuple(outdated),
    )


def _load_current_labels(folder: Path) -> Labels:
    # As the manifests say now, where they can be read; that of the last batch is the first.
    labels = read_labels(folder)
    for path in reversed(dict.fromkeys(labels.manifests.values())):
        with suppress(ManifestError):
            labels = merge_labels(labels, load_manifest(folder / path).labels, path)
    return labels


def _read_css(css: Path) -> str:
    try:
        return css.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise InputError(f"cannot read {css}: {reason}") from error


def _sort_cards(
    cards: Iterable[Card], slugs: Mapping[str, str], works: Iterable[str]
) -> list[Card]:
    # In the order of the manifest; what it does not name, by names.
    ranks = {slugs[output]: rank for rank, output in enumerate(works) if output in slugs}
    return sorted(
        cards,
        key=lambda card: (ranks.get(card.slug, len(ranks)), natural_sort_key(card.name), card.slug),
    )
