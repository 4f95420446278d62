"""The folder of a site: built whole beside its place, then its files are moved there one by one.

A list in it says which files were written here, so that the next build removes its own and leaves
the user's alone: a CNAME, a .git, notes.  Whenever a build is killed, the next one completes it.
"""

import json
import os
import re
import shutil
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from filecmp import cmp
from itertools import chain
from pathlib import Path, PurePosixPath

from lightsanim.batch.folder import free_name, locked
from lightsanim.batch.job import sha256
from lightsanim.errors import OutputError
from lightsanim.options.values import RESERVED
from lightsanim.system.signals import signals_deferred

# The list: {"slugs": {output: slug}, "files": [path in the site]}.
LIST = ".lightsanim-gallery.json"

LONGEST_SLUG = 40


def read_list(place: Path) -> tuple[dict[str, str], set[str]]:
    """What an earlier build has written to a folder; nothing where there was none."""
    path = place / LIST
    if not path.is_file():
        return {}, set()
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        slugs, files = dict(known["slugs"]), set(known["files"])
        for name in map(Path, chain(files, slugs.values())):
            if name.anchor or not name.name or ".." in name.parts:
                raise ValueError(f"{name} does not lie in the site")
        return slugs, files
    except (ValueError, LookupError, TypeError) as error:
        raise OutputError(f"{path} is damaged; remove {place}") from error


def check_place(place: Path, folder: Path) -> None:
    """Check that a site may be put somewhere."""
    if os.path.realpath(place) == os.path.realpath(folder):
        raise OutputError(f"{place} is the batch's own folder; name another for the site")
    if place.exists() and not place.is_dir():
        raise OutputError(f"cannot write to {place}: it is a file")
    if place.is_dir() and any(place.iterdir()) and not (place / LIST).is_file():
        raise OutputError(
            f"{place} holds other files; name a folder that is new, empty or a gallery"
        )


@contextmanager
def new_site(place: Path) -> Iterator[Path]:
    """A new folder beside a site's place to build it in; it is gone when the build is over.

    No other build of the same site runs meanwhile.
    """
    home = Path(os.path.realpath(place))
    beside = home.with_name(f".{home.name}.lightsanim-new")
    with locked(place, beside) as new:
        try:
            yield new
        finally:
            shutil.rmtree(beside, ignore_errors=True)


def take_place(
    new: Path, place: Path, slugs: Mapping[str, str], earlier: set[str]
) -> tuple[int, int, int]:
    """Move what is new or changed from a folder to a site, and remove what has gone.

    Files that have not changed keep their times, and need not be uploaded again.  The list goes
    first, so that the next build knows all files of this one if it is killed.
    """
    files = {path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file()}
    known = json.dumps({"slugs": slugs, "files": sorted(files)}, indent=1)
    (new / LIST).write_text(known, encoding="utf-8")
    unchanged = 0
    home = os.path.realpath(place)
    gone = {
        path
        for path in earlier - files
        if Path(os.path.realpath((place / path).parent)).is_relative_to(home)  # not behind a link
    }
    with signals_deferred():
        for path in gone:
            (place / path).unlink(missing_ok=True)
            with suppress(OSError):  # something else is in it
                os.removedirs((place / path).parent)
        for path in [LIST, *sorted(files)]:
            target = place / path
            if path in files and target.is_file() and cmp(new / path, target, shallow=False):
                unchanged += 1
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(new / path, target)
    return len(files) - unchanged, unchanged, len(gone)


def slug_of(name: str) -> str:
    """A short name for addresses and every file system.

    >>> slug_of("Käse & Brot")
    'kase-brot'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain)[:LONGEST_SLUG].strip("-")
    return RESERVED.sub(r"\g<0>-1", slug)


def slugs_for(outputs: Iterable[str], earlier: Mapping[str, str]) -> dict[str, str]:
    """A slug for each output that names an animation.

    One that was given before stays, whatever comes later; where several would have the same, some
    letters that depend on the whole path tell them apart.  Without Latin letters it is a number.
    """
    slugs: dict[str, str] = {}
    taken, number = set[str](), 1
    for output in sorted(outputs, key=lambda output: (output not in earlier, output)):
        short = slug_of(PurePosixPath(output).stem)
        longer = f"{short}-{sha256(output.encode('utf-8', 'replace'))[:4]}"
        while not short and f"work-{number}" in taken:
            number += 1
        first = earlier.get(output, short or f"work-{number}")
        slugs[output] = first if first not in taken else free_name(longer, taken)
        taken.add(slugs[output])
    return slugs
