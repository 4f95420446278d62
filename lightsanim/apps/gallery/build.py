"""Build a gallery: a static site of a batch's animations, which also works without a web server.

    index.html, gallery.css, gallery.js     the wall: all series and animations
    exhibition.html                         a slide show for a large screen
    rome/index.html                         the wall of one series
    sitemap.xml                             all pages, for search engines (*)
    custom.css                              the user's own style sheet
    feed.xml                                the newest animations as an Atom feed (*)
    animations.js                           data for search and sorting
    sun-moon/index.html                     the page of one animation
    sun-moon/player.html                    the player embedded in the page
    sun-moon/film.js                        the film that the wall plays
    sun-moon/target-1.png, frame-1.png      a picture's target and its frame, one pixel per cell
    sun-moon/original-1.jpg                 a small copy of the picture
    sun-moon/code.png                       a QR code of the page's address (*)
    sun-moon/preview.png                    image for social networks and the feed (*)
    sun-moon/files/                         the batch's outputs; a folder of PNGs as one .zip
    .lightsanim-gallery.json                the list of these files, see `site_folder.py`

    (*) only if the site's address is known

The batch's folder is trusted, since this program wrote it (see SECURITY.md).  Names of pictures and
files are not trusted: pages show them as text.
"""

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from lightsanim.apps.batch.labels import Labels, merge_labels, read_labels
from lightsanim.apps.batch.manifest import load_manifest
from lightsanim.apps.batch.results import current_results, read_results
from lightsanim.errors import InputError, LightsAnimError, ManifestError, OptionError, OutputError
from lightsanim.film.origin import NO_LABEL, Label
from lightsanim.pictures.picture_clips import natural_sort_key
from lightsanim.web.templating import valid_utf8
from .entry import Card, Entry
from .entry_folder import write_entry
from .pages import Site, parse_base_url, write_wall_pages
from .site_folder import assign_slugs, check_site, open_draft_folder, read_file_list, sync_site


@dataclass(frozen=True, kw_only=True)
class Gallery:
    """The report of `build_gallery`: numbers of animations and files, and any problems."""

    animations: int
    written: int  # number of new and changed files
    unchanged: int
    removed: int  # Number of files of earlier builds that were removed.
    left_out: tuple[tuple[str, str], ...]  # Animations that cannot be shown: (output, reason).
    outdated: tuple[str, ...] = ()  # Outputs with old titles or credits in their files.


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
    """Build or update a site that shows a batch's animations, and return a report.

    The new site is complete before the old one is changed.  Files that no gallery wrote stay.

    Args:
        folder: the batch's folder.
        site: a folder that is new, empty or an earlier gallery; it may lie in ``folder``.
        title: heading of the gallery; None for the title in the manifest.
        base_url: the future web address of the site, for previews on social networks, canonical
            links and the feed.
        feed: whether to write an Atom feed; None means: if there is a ``base_url``.
        css: the user's own style sheet, applied after the site's.
        originals: whether pages show small copies of the pictures.
        progress: called with the number of finished animations, and of all animations.

    Raises:
        OptionError: for an invalid address, a feed without address, or a title that is too long.
        InputError: if the style sheet cannot be read.
        OutputError: if there is no animation, or the site cannot be written.
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
    all_results = read_results(folder)
    results = [r for r in current_results(all_results) if r.files[0] not in labels.removed]
    if not results:
        reason = f"there are no finished animations in {folder}"
        raise OutputError(f"{reason}; run lightsanim batch first")
    cards: list[Card] = []
    outdated, left_out = [], []
    try:
        check_site(site, folder)
        with open_draft_folder(site) as draft:
            slugs, earlier_files = read_file_list(site)
            # The final slash distinguishes series from outputs, which never end with a slash.
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
            # Sort cards in the manifest's order; cards that no manifest names follow, by name.
            ranks = {slugs[output]: n for n, output in enumerate(labels.works) if output in slugs}
            cards.sort(key=lambda card: (natural_sort_key(card.name), card.slug))
            cards.sort(key=lambda card: ranks.get(card.slug, len(ranks)))
            write_wall_pages(cards, shared, draft)
            written, unchanged, removed = sync_site(draft, site, slugs, earlier_files)
    except OSError as error:
        raise OutputError(f"cannot write to {site}: {error.strerror or error}") from error
    progress(len(results), len(results))
    errors = {result.files[0]: result.error for result in all_results if result.error}
    finished = {result.files[0] for result in results}
    for output in (name for name in labels.works if name not in finished):
        left_out.append((valid_utf8(output), valid_utf8(errors.get(output) or "not made yet")))
    return Gallery(
        animations=len(cards),
        written=written,
        unchanged=unchanged,
        removed=removed,
        left_out=tuple(left_out),
        outdated=tuple(outdated),
    )


def _load_current_labels(folder: Path) -> Labels:
    # Reads the labels of all readable manifests again; the last batch run's manifest comes first.
    labels = read_labels(folder)
    for path in reversed(dict.fromkeys(labels.manifests.values())):
        with suppress(ManifestError):
            labels = merge_labels(labels, load_manifest(folder / path).labels, path)
    return labels


def _read_css(css: Path) -> str:
    try:
        return css.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read {css}: {reason}") from error
