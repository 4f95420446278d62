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
from dataclasses import dataclass, field, replace
from pathlib import Path

from lightsanim.apps.batch.labels import Labels, merge_labels, read_labels
from lightsanim.apps.batch.manifest import load_manifest
from lightsanim.apps.batch.results import Result, current_results, read_results
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
    return _update_site(folder, site, labels, shared, progress)


def _update_site(
    folder: Path, site: Path, labels: Labels, shared: Site, progress: Callable[[int, int], None]
) -> Gallery:
    all_results = read_results(folder)
    results = [r for r in current_results(all_results) if r.files[0] not in labels.removed]
    if not results:
        raise OutputError(
            f"there are no finished animations in {folder}; run lightsanim batch first"
        )
    try:
        check_site(site, folder)
        with open_draft_folder(site) as draft:
            slugs, earlier_files = read_file_list(site)
            # The final slash distinguishes series from outputs, which never end with a slash.
            albums = {f"{label.series}/" for label in labels.works.values() if label.series}
            slugs = assign_slugs([*(result.files[0] for result in results), *albums], slugs)
            shared = replace(shared, series={name[:-1]: slugs[name] for name in albums})
            entries = _EntryWriter(folder=folder, draft=draft, site=shared)
            for done, result in enumerate(results):
                progress(done, len(results))
                label = labels.works.get(result.files[0], NO_LABEL)
                entries.write_result(result, label, slugs[result.files[0]], done)
            if not entries.cards:
                output, reason = entries.left_out[0]
                raise OutputError(f"no animation in {folder} can be shown; {output}: {reason}")
            # Sort cards in the manifest's order; cards that no manifest names follow, by name.
            ranks = {slugs[output]: n for n, output in enumerate(labels.works) if output in slugs}
            cards = sorted(entries.cards, key=lambda card: (natural_sort_key(card.name), card.slug))
            cards.sort(key=lambda card: ranks.get(card.slug, len(ranks)))
            write_wall_pages(cards, shared, draft)
            written, unchanged, removed = sync_site(draft, site, slugs, earlier_files)
    except OSError as error:
        raise OutputError(f"cannot write to {site}: {error.strerror or error}") from error
    progress(len(results), len(results))
    errors = {result.files[0]: result.error for result in all_results if result.error}
    finished = {result.files[0] for result in results}
    unmade = [
        (valid_utf8(name), valid_utf8(errors.get(name) or "not made yet"))
        for name in labels.works
        if name not in finished
    ]
    return Gallery(
        animations=len(cards),
        written=written,
        unchanged=unchanged,
        removed=removed,
        left_out=(*entries.left_out, *unmade),
        outdated=tuple(entries.outdated),
    )


@dataclass(kw_only=True)
class _EntryWriter:
    """The folders of animations in a draft of a site, with what became of each animation."""

    folder: Path
    draft: Path
    site: Site
    cards: list[Card] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def write_result(self, result: Result, label: Label, slug: str, number: int) -> None:
        """Write the folder of a result, unless its files are missing or damaged."""
        output = valid_utf8(result.files[0])
        try:
            entry = Entry.from_result(self.folder, result, label)
            card = entry.build_card(slug, index=number)
            write_entry(entry, card, self.folder, self.draft, self.site)
        except LightsAnimError as error:
            self.left_out.append((output, valid_utf8(str(error))))
            shutil.rmtree(self.draft / slug, ignore_errors=True)
        else:
            self.cards.append(card)
            self.outdated += [output] * entry.is_outdated


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
