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

from lightsanim.batch.batch_folder import lock_folder, unused_file_name
from lightsanim.batch.job import sha256_of_bytes
from lightsanim.errors import OutputError
from lightsanim.options.values import RESERVED_NAMES
from lightsanim.system.signals import signals_deferred

# The list: {"slugs": {output: slug}, "files": [path in the site]}.
LIST_FILE = ".lightsanim-gallery.json"

MAX_SLUG = 40


def read_file_list(site: Path) -> tuple[dict[str, str], set[str]]:
    """What an earlier build has written to a folder; nothing where there was none."""
    path = site / LIST_FILE
    if not path.is_file():
        return {}, set()
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        slugs, files = dict(document["slugs"]), set(document["files"])
        for name in map(Path, chain(files, slugs.values())):
            if name.anchor or not name.name or ".." in name.parts:
                raise ValueError(f"{name} does not lie in the site")
        return slugs, files
    except (ValueError, LookupError, TypeError) as error:
        raise OutputError(f"{path} is damaged; remove {site}") from error


def check_site(site: Path, folder: Path) -> None:
    """Check that a site may be put somewhere."""
    if os.path.realpath(site) == os.path.realpath(folder):
        raise OutputError(f"{site} is the batch's own folder; name another for the site")
    if site.exists() and not site.is_dir():
        raise OutputError(f"cannot write to {site}: it is a file")
    if site.is_dir() and any(site.iterdir()) and not (site / LIST_FILE).is_file():
        raise OutputError(
            f"{site} holds other files; name a folder that is new, empty or a gallery"
        )


@contextmanager
def open_draft_folder(site: Path) -> Iterator[Path]:
    """A new folder beside a site's place to build it in; it is gone when the build is over.

    No other build of the same site runs meanwhile.
    """
    home = Path(os.path.realpath(site))
    beside = home.with_name(f".{home.name}.lightsanim-new")
    with lock_folder(site, beside) as new:
        try:
            yield new
        finally:
            shutil.rmtree(beside, ignore_errors=True)


def sync_site(
    new: Path, site: Path, slugs: Mapping[str, str], earlier_files: set[str]
) -> tuple[int, int, int]:
    """Move what is new or changed from a folder to a site, and remove what has gone.

    Files that have not changed keep their times, and need not be uploaded again.  The list goes
    first, so that the next build knows all files of this one if it is killed.
    """
    files = {path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file()}
    document = json.dumps({"slugs": slugs, "files": sorted(files)}, indent=1)
    (new / LIST_FILE).write_text(document, encoding="utf-8")
    unchanged = 0
    home = os.path.realpath(site)
    stale = {
        path
        for path in earlier_files - files
        if Path(os.path.realpath((site / path).parent)).is_relative_to(home)  # not behind a link
    }
    with signals_deferred():
        for path in stale:
            (site / path).unlink(missing_ok=True)
            with suppress(OSError):  # something else is in it
                os.removedirs((site / path).parent)
        for path in [LIST_FILE, *sorted(files)]:
            target = site / path
            if path in files and target.is_file() and cmp(new / path, target, shallow=False):
                unchanged += 1
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(new / path, target)
    return len(files) - unchanged, unchanged, len(stale)


def slugify(name: str) -> str:
    """A short name for addresses and every file system.

    >>> slugify("Käse & Brot")
    'kase-brot'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain)[:MAX_SLUG].strip("-")
    return RESERVED_NAMES.sub(r"\g<0>-1", slug)


def assign_slugs(outputs: Iterable[str], earlier_slugs: Mapping[str, str]) -> dict[str, str]:
    """A slug for each output that names an animation.

    One that was given before stays, whatever comes later; where several would have the same, some
    letters that depend on the whole path tell them apart.  Without Latin letters it is a number.
    """
    slugs: dict[str, str] = {}
    used, number = set[str](), 1
    for output in sorted(outputs, key=lambda output: (output not in earlier_slugs, output)):
        short = slugify(PurePosixPath(output).stem)
        longer = f"{short}-{sha256_of_bytes(output.encode('utf-8', 'replace'))[:4]}"
        while not short and f"work-{number}" in used:
            number += 1
        preferred = earlier_slugs.get(output, short or f"work-{number}")
        slugs[output] = preferred if preferred not in used else unused_file_name(longer, used)
        used.add(slugs[output])
    return slugs
