"""Update the folder of a site: build it in a draft folder, then move changed files.

A list in the folder names the files that a build wrote.  The next build removes only these, so a
CNAME, a .git folder or the user's notes stay.  The next build completes a build that was killed.
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

from lightsanim.apps.batch.batch_folder import lock_folder, unused_file_name
from lightsanim.apps.batch.job import sha256_of_bytes
from lightsanim.errors import OutputError
from lightsanim.options.values import RESERVED_NAMES
from lightsanim.system.signals import signals_deferred

LIST_FILE = ".lightsanim-gallery.json"  # JSON: {"slugs": {output: slug}, "files": [path]}.
MAX_SLUG = 40  # Maximum length of a slug, in characters.


def read_file_list(site: Path) -> tuple[dict[str, str], set[str]]:
    """Return the slugs (by output) and files of an earlier build; both are empty if none exists."""
    path = site / LIST_FILE
    if not path.is_file():
        return {}, set()
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        slugs, files = dict(document["slugs"]), set(document["files"])
        for name in map(Path, chain(files, slugs.values())):
            if name.anchor or not name.name or ".." in name.parts:
                raise ValueError(f"{name} is not inside the site")
        return slugs, files
    except (ValueError, LookupError, TypeError) as error:
        raise OutputError(
            f"{path} is damaged; remove {site}, and build the gallery again"
        ) from error


def check_site(site: Path, folder: Path) -> None:
    """Raise `OutputError` unless the folder of a site is new, empty or an earlier gallery."""
    if os.path.realpath(site) == os.path.realpath(folder):
        raise OutputError(f"{site} is the batch's own folder; choose another folder for the site")
    if site.exists() and not site.is_dir():
        raise OutputError(f"cannot write to {site}: it is a file")
    if site.is_dir() and any(site.iterdir()) and not (site / LIST_FILE).is_file():
        raise OutputError(
            f"{site} has other files; choose a folder that is new, empty or a gallery"
        )


@contextmanager
def open_draft_folder(site: Path) -> Iterator[Path]:
    """Lock a site; yield an empty draft folder beside it, which is removed at the end."""
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
    """Move a draft's files to the site; return the numbers of files changed, unchanged, removed."""
    files = {path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file()}
    document = json.dumps({"slugs": slugs, "files": sorted(files)}, indent=1)
    (new / LIST_FILE).write_text(document, encoding="utf-8")
    unchanged = 0
    home = os.path.realpath(site)
    stale = {
        path
        for path in earlier_files - files
        # Do not remove files outside the site, to which a symbolic link may lead.
        if Path(os.path.realpath((site / path).parent)).is_relative_to(home)
    }
    with signals_deferred():
        for path in stale:
            (site / path).unlink(missing_ok=True)
            with suppress(OSError):  # fails if the folder is not empty
                os.removedirs((site / path).parent)
        # The list comes first: if this build is killed, the next build knows its files.  Unchanged
        # files keep their times, so that they need not be uploaded again.
        for path in [LIST_FILE, *sorted(files)]:
            target = site / path
            if path in files and target.is_file() and cmp(new / path, target, shallow=False):
                unchanged += 1
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(new / path, target)
    return len(files) - unchanged, unchanged, len(stale)


def slugify(name: str) -> str:
    """Return a short form of a name, in lower-case ASCII, for URLs and any file system.

    >>> slugify("Käse & Brot")
    'kase-brot'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain)[:MAX_SLUG].strip("-")
    return RESERVED_NAMES.sub(r"\g<0>-1", slug)


def assign_slugs(outputs: Iterable[str], earlier_slugs: Mapping[str, str]) -> dict[str, str]:
    """Assign a unique slug to each output: that of earlier builds, its short name, or "work-1"."""
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
