"""The folder of a site: built beside its place, then swapped with the earlier one.

A list in it says which files were written here, so that the next build knows its own and keeps
the user's: a CNAME, a .git, notes.  Whenever a build is killed, the next one finds either the old
site or the new one, perhaps put aside under a name of its own, and tidies up.
"""

import json
import os
import re
import shutil
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from filecmp import cmp
from itertools import chain, count
from pathlib import Path, PurePosixPath

from lightsanim.batch.job import sha256
from lightsanim.errors import OutputError
from lightsanim.signals import signals_deferred

# The list: {"slugs": {output: slug}, "files": [path in the site]}.
LIST = ".lightsanim-gallery.json"

LONGEST_SLUG = 40
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")  # names that Windows does not allow


def read_list(place: Path) -> tuple[dict[str, str], set[str]]:
    """What an earlier build has written to a folder; nothing where there was none.

    Returns:
        The slug of each output that names an animation, and the files.

    Raises:
        OutputError: if the list cannot be read.
    """
    path = place / LIST
    if not path.is_file():
        return {}, set()
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return dict(known["slugs"]), set(known["files"])
    except (ValueError, LookupError, TypeError) as error:
        raise OutputError(f"{path} is damaged; remove {place}") from error


def write_list(place: Path, slugs: Mapping[str, str], files: Iterable[str]) -> None:
    """Write the list of a site.

    Args:
        place: of the site.
        slugs: of each output that names an animation.
        files: their paths in the site.
    """
    known = {"slugs": slugs, "files": sorted(files)}
    (place / LIST).write_text(json.dumps(known, indent=1), encoding="utf-8")


def check_place(place: Path, folder: Path) -> None:
    """Check that a site may be put somewhere, and tidy up after a build that was killed there.

    Args:
        place: of the site.
        folder: of the batch.

    Raises:
        OutputError: for a place with files that no gallery has written.
    """
    if os.path.realpath(place) == os.path.realpath(folder):
        raise OutputError(f"{place} is the batch's own folder; name another for the site")
    _tidy_up(Path(os.path.realpath(place)))
    if place.exists() and not place.is_dir():
        raise OutputError(f"cannot write to {place}: it is a file")
    if place.is_dir() and any(place.iterdir()) and not (place / LIST).is_file():
        raise OutputError(
            f"{place} holds other files; name a folder that is new, empty or a gallery"
        )


@contextmanager
def new_site(place: Path) -> Iterator[Path]:
    """A new folder beside a place, which takes the place once it is whole.

    If anything goes wrong, the new folder is removed and an old one is as it was.

    Args:
        place: of the site; see `check_place`.
    """
    place = Path(os.path.realpath(place))
    new, old = _beside(place)
    new.mkdir(parents=True)
    try:
        yield new
        with signals_deferred():
            if place.is_dir():
                shutil.copymode(place, new)
                os.rename(place, old)
            try:
                os.rename(new, place)
            except OSError:
                if old.is_dir():
                    os.rename(old, place)
                raise
            if old.is_dir():
                _remove_old(place)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _beside(place: Path) -> tuple[Path, Path]:
    # Where the next site is built, and where the last one is put aside.
    new, old = (f".{place.name}.lightsanim-{age}" for age in ("new", "old"))
    return place.with_name(new), place.with_name(old)


def _tidy_up(place: Path) -> None:
    # After a build that was killed.
    new, old = _beside(place)
    shutil.rmtree(new, ignore_errors=True)
    if old.is_dir() and not place.is_dir():
        os.rename(old, place)
    elif old.is_dir():
        _remove_old(place)


def _remove_old(place: Path) -> None:
    # What in it is the user's goes to the same path in the new site.
    new, old = _beside(place)
    ours = read_list(old)[1] | {LIST}
    folders = {str(folder) for path in ours for folder in PurePosixPath(path).parents}
    for here, names, files in os.walk(old):
        for name in [*names, *files]:
            source = Path(here, name)
            path = source.relative_to(old).as_posix()
            target = place / path
            if path in ours:
                continue
            if name in names and not source.is_symlink() and (path in folders or target.is_dir()):
                continue  # its content follows
            if name in names:
                names.remove(name)
            if not os.path.lexists(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                os.rename(source, target)
    os.rename(old, new)  # from here on all of it may go
    shutil.rmtree(new, ignore_errors=True)


def keep_times(new: Path, old: Path, files: Iterable[str]) -> int:
    """Give files that have not changed their old times, so that they need not be uploaded again.

    Args:
        new: the folder that was built.
        old: the one that it will replace.
        files: their paths in both.

    Returns:
        How many have not changed.
    """
    unchanged = 0
    for path in files:
        if (old / path).is_file() and cmp(old / path, new / path, shallow=False):
            shutil.copystat(old / path, new / path)
            unchanged += 1
    return unchanged


def slug_of(name: str) -> str:
    """A short name for addresses and every file system.

    >>> slug_of("Käse & Brot"), slug_of("日本")
    ('kase-brot', 'animation')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain)[:LONGEST_SLUG].strip("-")
    return f"{slug}-1" if RESERVED.fullmatch(slug) else slug or "animation"


def slugs_for(outputs: Iterable[str], earlier: Mapping[str, str]) -> dict[str, str]:
    """A slug for each output that names an animation.

    One that was given before stays, whatever comes later; where several would have the same, some
    letters that depend on the whole path tell them apart.

    Args:
        outputs: paths in the batch's folder.
        earlier: the slugs that were given before.

    >>> slugs_for(["sun.gif", "zoo/sun.gif"], {"zoo/sun.gif": "sun"})
    {'zoo/sun.gif': 'sun', 'sun.gif': 'sun-0ba1'}
    """
    slugs: dict[str, str] = {}
    taken: set[str] = set()
    for output in sorted(outputs, key=lambda output: (output not in earlier, output)):
        short = slug_of(PurePosixPath(output).stem)
        longer = f"{short}-{sha256(output.encode('utf-8', 'replace'))[:4]}"
        names = [earlier.get(output, short), longer], (f"{longer}-{n}" for n in count(2))
        slugs[output] = next(name for name in chain(*names) if name not in taken)
        taken.add(slugs[output])
    return slugs
