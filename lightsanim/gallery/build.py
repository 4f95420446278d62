"""A gallery: a static site of a batch's animations, for any web server or none.

    index.html, gallery.css, gallery.js     the wall: all animations
    animations.js                           what the wall sorts them and finds them by
    sun-moon/index.html                     the page of one animation
    sun-moon/player.html                    the player that it frames
    sun-moon/film.js                        what the wall plays
    sun-moon/target-1.png, frame-1.png      a picture as asked and as shown, a pixel for each cell
    sun-moon/files/                         the batch's outputs; a folder of PNGs as one .zip
    .lightsanim-gallery.json                which of these files were written here, see `site.py`

The batch's folder is trusted, for the program wrote it (see SECURITY.md).  The names of pictures
and files in it may be anything all the same: pages show them as text.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lightsanim.batch.results import read_results, standing
from lightsanim.board.board import Board
from lightsanim.errors import LightsAnimError, OutputError
from lightsanim.formats.json_text import COMPACT
from lightsanim.formats.page import diagram_of, pages, sayable
from lightsanim.formats.picture_clips import natural_key
from lightsanim.gallery.entry import TEMPLATES, Card, Entry, write_entry
from lightsanim.gallery.site import (
    check_place,
    new_site,
    read_list,
    slugs_for,
    take_place,
)
from lightsanim.version import __version__

TITLE = "Animations"


@dataclass(frozen=True, kw_only=True)
class Gallery:
    """What `build_gallery` did.

    Attributes:
        animations: how many the site shows.
        written: files that are new or changed.
        unchanged: files that were there already with the same content.
        removed: files of earlier builds that are not needed any more.
        left_out: the outputs and the reasons of those results that could not be shown.
    """

    animations: int
    written: int
    unchanged: int
    removed: int
    left_out: tuple[tuple[str, str], ...]


def build_gallery(
    folder: str | Path,
    site: str | Path,
    *,
    title: str | None = None,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Gallery:
    """Build a site that shows a batch's animations, in place of the one that is there.

    The site is built whole before it takes its place.  Files there that no gallery has written
    are left alone.

    Args:
        folder: of the batch.
        site: a folder that is new, empty, or was built before; it may lie in ``folder``.
        title: the heading.
        progress: told how many animations are done, out of how many.

    Returns:
        What was done.

    Raises:
        OutputError: if there is nothing to show, or the site cannot be written.
    """
    folder, site = Path(folder), Path(site)
    heading = TITLE if title is None else sayable(title)
    results = standing(read_results(folder))
    if not results:
        raise OutputError(
            f"there are no finished animations in {folder}; run lightsanim batch first"
        )
    cards: list[Card] = []
    left_out = []
    try:
        check_place(site, folder)
        slugs, earlier = read_list(site)
        slugs = slugs_for([result.files[0] for result in results], slugs)
        with new_site(site) as place:
            for done, result in enumerate(results):
                progress(done, len(results))
                output, slug = result.files[0], slugs[result.files[0]]
                try:
                    entry = Entry.of(folder, result, slug)
                    write_entry(entry, folder, place, heading)
                    cards.append(entry.card)
                except LightsAnimError as error:
                    left_out.append((sayable(output), sayable(str(error))))
                    shutil.rmtree(place / slug, ignore_errors=True)
            if not cards:
                output, reason = left_out[0]
                raise OutputError(f"no animation in {folder} can be shown; {output}: {reason}")
            write_wall(cards, heading, place)
            written, unchanged, removed = take_place(place, site, slugs, earlier)
    except OSError as error:
        raise OutputError(f"cannot write to {site}: {error.strerror or error}") from error
    progress(len(results), len(results))
    return Gallery(
        animations=len(cards),
        written=written,
        unchanged=unchanged,
        removed=removed,
        left_out=tuple(left_out),
    )


def write_wall(cards: Sequence[Card], title: str, place: Path) -> None:
    """Write the files that show all animations, in the natural order of their names.

    Args:
        cards: of the animations, the oldest first.
        title: the heading.
        place: of the site.
    """
    made = {card.slug: number for number, card in enumerate(cards)}
    named = sorted(cards, key=lambda card: (natural_key(" ".join(card.names)), card.slug))
    entries = [
        {name: value for name, value in vars(card).items() if name != "look"}
        | {"made": made[card.slug]}
        for card in named
    ]
    templates = pages(*TEMPLATES)
    index = templates.get_template("index.html.j2").render(
        title=title, cards=named, diagram=diagram_of(Board(3, 3).offsets()), version=__version__
    )
    texts = {
        "index.html": index,
        "animations.js": f"animations={COMPACT.encode(entries)}\n",
        "gallery.css": templates.get_template("gallery.css.j2").render(),
        "gallery.js": templates.get_template("gallery.js.j2").render(),
    }
    for name, text in texts.items():
        (place / name).write_bytes(text.encode())
