"""A gallery: a static site of a batch's animations, for any web server or none.

    index.html, gallery.css, gallery.js     the wall: all animations
    animations.js                           what the wall sorts them and finds them by
    sun-moon/index.html                     the page of one animation
    sun-moon/player.html                    the player that it frames
    sun-moon/film.js                        what the wall plays
    sun-moon/target-1.png, frame-1.png      a picture as asked and as shown, a pixel for each cell
    sun-moon/files/                         the batch's outputs; a folder of PNGs as one .zip
    .lightsanim-gallery.jsonl               which of these files were written here, see `site.py`

Whatever a batch's folder or a site's list says may have been written by anyone: it is shown as
text, and its paths lead to files of that folder or to none.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lightsanim.batch.exhibit import PACKAGES, DamagedError, Exhibit, compact, contents_of
from lightsanim.batch.folder import is_whole
from lightsanim.batch.from_folder import natural_key
from lightsanim.batch.job import digest
from lightsanim.batch.results import Result, read_results, standing
from lightsanim.batch.site import (
    Content,
    Record,
    Site,
    slugs_for,
    sum_of_content,
)
from lightsanim.board.board import Board
from lightsanim.errors import AnimationError, OptionError, OutputError
from lightsanim.formats.page import diagram_of, pages, sayable
from lightsanim.version import __version__

PROGRAM = Path(__file__).parent.parent

TITLE = "Animations"


@dataclass(frozen=True, kw_only=True)
class Gallery:
    """What `build_gallery` did.

    Attributes:
        animations: how many the site shows.
        written: files that are new or changed.
        unchanged: files that were there already, with the same octets.
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
    """Build a site that shows a batch's animations, or bring it up to date.

    Files that would be the same are left alone, and what earlier builds wrote for animations that
    are gone is removed.

    Args:
        folder: of the batch.
        site: a folder that is new, empty, or was built before; it may lie in ``folder``.
        title: the heading.
        progress: told how many animations are done, out of how many.

    Raises:
        OutputError: if there is nothing to show, or the site cannot be written.
    """
    folder, title = Path(folder), TITLE if title is None else sayable(title)
    results = standing(read_results(folder))
    if not results:
        raise OutputError(
            f"there are no finished animations in {folder}; run lightsanim batch first"
        )
    shown: list[Record] = []
    left_out = []
    try:
        place = Site(Path(site), folder)
        slugs = slugs_for([result.files[0] for result in results], place.slugs)
        for done, result in enumerate(results):
            progress(done, len(results))
            output = result.files[0]
            try:
                shown.append(brought_up_to_date(folder, place, result, slugs[output], title))
            except (AnimationError, OptionError, DamagedError, RecursionError) as error:
                left_out.append((sayable(output), sayable(str(error))))
        if not shown:
            output, reason = left_out[0]
            raise OutputError(f"no animation in {folder} can be shown; {output}: {reason}")
        for path, content in wall_of(shown, title).items():
            place.put(path, content)
        place.forget_others(shown)
    except OSError as error:
        raise OutputError(f"cannot write to {site}: {error.strerror or error}") from error
    progress(len(results), len(results))
    return Gallery(
        animations=len(shown),
        written=place.written,
        unchanged=place.unchanged,
        removed=place.removed,
        left_out=tuple(left_out),
    )


def brought_up_to_date(folder: Path, site: Site, result: Result, slug: str, title: str) -> Record:
    """The record of an animation whose files are in the site: made anew where they must be."""
    if not is_whole(folder, result):
        raise DamagedError("its files are not as the batch wrote them; run the batch again")
    times = [(folder / path).stat().st_mtime_ns for path in result.files]
    key = digest(json.dumps([program_digest(), title, vars(result), times]).encode())
    known = site.records.get(slug)
    if known is not None and known.key == key and site.holds(known):
        site.unchanged += len(known.files)
        return known
    exhibit = Exhibit.of(folder, result, slug)
    contents = contents_of(exhibit, folder, title)
    record = Record(
        slug=slug,
        output=result.files[0],
        key=key,
        card=exhibit.card,
        files={f"{slug}/{name}": sum_of_content(content) for name, content in contents.items()},
    )
    site.announce(record)
    for name, content in contents.items():
        site.put(f"{slug}/{name}", content)
    return record


@cache
def program_digest() -> str:
    """The sha256 of the program, to the letter: whatever is changed in it may change a page."""
    known = hashlib.sha256()
    for path in sorted(PROGRAM.rglob("*")):
        if path.suffix in (".py", ".js", ".css", ".j2"):
            known.update(path.read_bytes())
    return known.hexdigest()


def wall_of(records: Sequence[Record], title: str) -> dict[str, Content]:
    """The files that show all animations, in the natural order of their names."""
    named = sorted(records, key=lambda r: (natural_key(Path(" ".join(r.card.names))), r.slug))
    made = {record.slug: number for number, record in enumerate(records)}
    entries = [
        {
            "slug": record.slug,
            "made": made[record.slug],
            **{name: value for name, value in vars(record.card).items() if name != "look"},
        }
        for record in named
    ]
    templates = pages(*PACKAGES)
    index = templates.get_template("index.html.j2").render(
        title=title, records=named, diagram=diagram_of(Board(3, 3)), version=__version__
    )
    return {
        "index.html": index.encode(),
        "animations.js": f"animations={compact(entries)}\n".encode(),
        "gallery.css": templates.get_template("gallery.css.j2").render().encode(),
        "gallery.js": templates.get_template("gallery.js.j2").render().encode(),
    }
