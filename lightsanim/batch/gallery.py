"""A gallery: a static site of a batch's animations, for any web server or none.

    index.html, gallery.css, gallery.js     the wall: all animations
    animations.js                           what the wall sorts them and finds them by
    sun-moon/index.html                     the page of one animation
    sun-moon/player.html                    the player that it frames
    sun-moon/film.js                        what the wall plays
    sun-moon/target-1.png, frame-1.png      a picture as asked and as shown, a pixel for each cell
    sun-moon/files/                         the batch's outputs; a folder of PNGs as one .zip
    .lightsanim-gallery.jsonl               which of these files were written here, see `Record`

Whatever a batch's folder or a site's list says may have been written by anyone: it is shown as
text, and its paths lead to files of that folder or to none.
"""

import hashlib
import io
import json
import os
import re
import shutil
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from filecmp import cmp
from functools import cache, cached_property
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightsanim.animate.agreement import agreements
from lightsanim.animate.animation import Animation, Shades, shades_of
from lightsanim.batch.chart import agreement_chart
from lightsanim.batch.folder import OWN, is_whole, kept_animation, size_of
from lightsanim.batch.from_folder import natural_key
from lightsanim.batch.job import digest
from lightsanim.batch.results import Result, read_results, standing
from lightsanim.board.board import Board
from lightsanim.errors import AnimationError, LightsAnimError, OptionError, OutputError
from lightsanim.recipe import make_command
from lightsanim.render.page import diagram_of, film_of, pages, player_html, sayable
from lightsanim.render.stills import SUFFIXES
from lightsanim.render.theme import Theme
from lightsanim.render.write import FORMATS, replacing
from lightsanim.settings import Settings
from lightsanim.solve.outcome import Status
from lightsanim.values import check_whole
from lightsanim.version import __version__

LIST = ".lightsanim-gallery.jsonl"
FILES = "files"
PACKAGES = ("lightsanim.batch", "lightsanim.render")
PROGRAM = Path(__file__).parent.parent

TITLE = "Animations"

# The names of folders and of the files in them: safe in every address and file system.
SLUG = re.compile(r"[a-z0-9][a-z0-9-]*")
NAME = re.compile(rf"({FILES}/)?[a-z0-9][a-z0-9-]*\.[a-z0-9]+")
LONGEST_SLUG = 40
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")  # by Windows

# A larger side than this is made smaller: no screen of the wall shows so many cells.
LARGEST_STILL = 1000

Content = bytes | Path
"""What a file is to hold: these octets, or those of another file."""


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


@dataclass(frozen=True, kw_only=True)
class Card:
    """What the wall knows of an animation.

    Attributes:
        names: of its pictures.
        words: what it is found by.
        rows, columns, clicks: numbers to sort by.
        wrong: the wrong cells of all pictures.
        look: what `render/templates/film.js` needs to paint a board.
    """

    names: Sequence[str]
    words: str
    rows: int
    columns: int
    clicks: int
    wrong: int
    look: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name, low in (("rows", 1), ("columns", 1), ("clicks", 0), ("wrong", 0)):
            check_whole(name, getattr(self, name), low)
        if not all(isinstance(text, str) for text in (self.words, *self.names)):
            raise TypeError("names and words must be texts")

    @property
    def still(self) -> str:
        """The picture on the wall: the last one, as the film shows it."""
        return f"frame-{len(self.names)}.png"


@dataclass(frozen=True, kw_only=True)
class Record:
    """A line of the site's list: the files of one animation.

    It is written before its files are, so that none is forgotten when a build is killed.

    Attributes:
        slug: the animation's folder.
        output: of the batch, that named it.
        key: the sha256 of all that decides what the files hold.
        card: for the wall.
        files: their sizes, by their paths in the site.
    """

    slug: str
    output: str
    key: str
    card: Card
    files: Mapping[str, int]

    @classmethod
    def from_line(cls, line: str) -> Self | None:
        """The record that a line holds, or None if it was cut off or names files of others.

        >>> Record.from_line('{"slug": "..", "files": {"../../a.txt": 1}}') is None
        True
        """
        try:
            members = json.loads(line)
            record = cls(**{**members, "card": Card(**members["card"])})
            return record if record._is_sound() else None
        except (LightsAnimError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def _is_sound(self) -> bool:
        own = f"{self.slug}/"
        return (
            all(isinstance(text, str) for text in (self.slug, self.output, self.key))
            and SLUG.fullmatch(self.slug) is not None
            and all(isinstance(size, int) for size in self.files.values())
            and all(path.startswith(own) for path in self.files)
            and all(NAME.fullmatch(path.removeprefix(own)) for path in self.files)
        )

    def as_line(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(asdict(self)) + "\n"


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


def brought_up_to_date(folder: Path, site: "Site", result: Result, slug: str, title: str) -> Record:
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
        files={f"{slug}/{name}": octets_of(content) for name, content in contents.items()},
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


# One animation


class DamagedError(Exception):
    """Why a result cannot be shown."""


@dataclass(frozen=True, kw_only=True)
class Proof:
    """A number that a search made as small as it could: at least ``bound``, perhaps proven."""

    count: int
    bound: int
    optimal: bool

    @classmethod
    def of(cls, facts: Mapping[str, Any], name: str) -> Self:
        """What a report says of ``name``."""
        for number in (facts[name], facts["bound"]):
            check_whole(name, number, 0)
        return cls(
            count=facts[name], bound=facts["bound"], optimal=facts["status"] == Status.OPTIMAL
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Shown:
    """A picture of an animation: its name and wrong cells, its target, and the frame it is in."""

    name: str
    proof: Proof
    target: Shades
    frame: Shades

    @property
    def differing(self) -> list[tuple[int, int]]:
        """The cells (row, column) where the frame is not as the target."""
        return [(row, column) for row, column in np.argwhere(self.frame != self.target).tolist()]


@dataclass(frozen=True, kw_only=True)
class Download:
    """A file to take away: what it is called, where it lies beside the page, and what it is."""

    name: str
    path: str
    kind: str
    content: Content

    @property
    def size(self) -> str:
        """How large it is, for people."""
        octets = octets_of(self.content)
        return f"{octets / 1000:,.0f} kB" if octets < 1_000_000 else f"{octets / 1e6:,.1f} MB"


@dataclass(frozen=True, kw_only=True, eq=False)
class Exhibit:
    """An animation with all that its page says of it.

    Attributes:
        slug: its folder in the site.
        result: of the batch.
        animation: which cells are clicked, and when.
        settings: the options of `make`.
        theme: the look.
        wrong: the wrong cells of each picture.
        moves: the clicks of each move.
        nullity: of the board.
    """

    slug: str
    result: Result
    animation: Animation
    settings: Settings
    theme: Theme
    wrong: list[Proof]
    moves: list[Proof]
    nullity: int

    @classmethod
    def of(cls, folder: Path, result: Result, slug: str) -> Self:
        """The exhibit of a result.

        Raises:
            DamagedError: if the result contradicts itself, or leads out of the batch's folder.
            AnimationError: if what the batch has kept is missing or damaged.
        """
        inside(folder, f"{OWN}/{result.id}.json")
        animation, report = kept_animation(folder, result), result.report or {}
        if not animation.targets:
            raise DamagedError("it was kept without its targets; run the batch again")
        try:
            exhibit = cls(
                slug=slug,
                result=result,
                animation=animation,
                settings=Settings(**result.settings),
                theme=Theme(**result.theme),
                wrong=[Proof.of(picture, "wrong") for picture in report["pictures"]],
                moves=[Proof.of(move, "clicks") for move in report["moves"]],
                nullity=report["board"]["nullity"],
            )
            check_whole("nullity", exhibit.nullity, 0)
        except (LightsAnimError, TypeError, KeyError, ValueError, OverflowError) as error:
            raise DamagedError(f"its result is damaged: {error}") from error
        if len(exhibit.wrong) != len(animation.pictures):
            raise DamagedError("its result is that of another animation")
        return exhibit

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """The cells of each frame that agree with each target: int (pictures, frames)."""
        return agreements(self.animation, self.animation.targets)

    @cached_property
    def film(self) -> dict[str, Any]:
        """What scripts play."""
        return film_of(self.animation, self.theme)

    @cached_property
    def pictures(self) -> list[Shown]:
        """Each where the film comes nearest to its target: of equal frames, in the last."""
        animation, shown = self.animation, []
        for name, target, counts, proof in zip(
            animation.pictures, animation.targets, self.counts, self.wrong, strict=True
        ):
            done = animation.frames[len(counts) - 1 - int(np.argmax(counts[::-1]))]
            frame = shades_of(animation.first)
            primaries = None if animation.primaries is None else animation.primaries[:done]
            animation.board.flip(frame, animation.clicks[:done], primaries)
            asked = shades_of(target)
            shown.append(Shown(name=sayable(name), proof=proof, target=asked, frame=frame))
        return shown

    @cached_property
    def card(self) -> Card:
        """What the wall knows of it."""
        board, settings, theme = self.animation.board, self.settings, self.theme
        words = [*self.animation.pictures, *self.result.files, f"{board.columns}x{board.rows}"]
        words += [settings.order, settings.dither, theme.shape, theme.palette]
        words += [way for way in ("cycle", "boomerang", "reverse") if getattr(settings, way)]
        words += ["colour", "rgb"] if settings.rgb else []
        return Card(
            names=[picture.name for picture in self.pictures],
            words=sayable(" ".join(words)),
            rows=board.rows,
            columns=board.columns,
            clicks=len(self.animation.clicks),
            wrong=sum(proof.count for proof in self.wrong),
            look={name: self.film[name] for name in ("rows", "columns", "shape", "gap", "palette")},
        )

    @property
    def command(self) -> str:
        """What makes it again: in whatever folder one is, not in those of the batch."""
        result = self.result
        return make_command(
            [str(picture["path"]) for picture in result.pictures],
            [PurePosixPath(path).name for path in result.files if path != result.sheet],
            self.settings,
            self.theme,
            sheet=result.sheet and PurePosixPath(result.sheet).name,
            sheet_frames=result.sheet_frames,
        )


def contents_of(exhibit: Exhibit, folder: Path, title: str) -> dict[str, Content]:
    """The files of an animation's folder in the site."""
    animation, slug = exhibit.animation, exhibit.slug
    player = player_html(animation, exhibit.theme, framed=True).encode()
    itself = Download(name=f"{slug}.html", path="player.html", kind="this player", content=player)
    downloads = downloads_of(exhibit.result, folder)
    shades = exhibit.theme.shades(animation.boards)
    page = pages(*PACKAGES).get_template("page.html.j2")
    html = page.render(
        gallery=title,
        exhibit=exhibit,
        card=exhibit.card,
        animation=animation,
        diagram=diagram_of(animation.board),
        seconds=f"{round(float(animation.durations().sum()), 1):,g}",
        chart=agreement_chart(animation, exhibit.counts),
        downloads=[*downloads, itself],
        version=__version__,
    )
    return {
        "index.html": html.encode(),
        "player.html": player,
        "film.js": f"films[{json.dumps(slug)}]={compact(exhibit.film)}\n".encode(),
        **{
            f"{kind}-{number}.png": still(getattr(picture, kind), shades)
            for number, picture in enumerate(exhibit.pictures, start=1)
            for kind in ("target", "frame")
        },
        **{download.path: download.content for download in downloads},
    }


def still(shades: Shades, palette: NDArray[np.uint8]) -> bytes:
    """A PNG with a pixel for each cell; on large boards, for the mean of several."""
    image = Image.fromarray(shades)
    image.putpalette(palette.tobytes())
    if max(image.size) > LARGEST_STILL:
        image = image.convert("RGB")
        image.thumbnail((LARGEST_STILL, LARGEST_STILL), Image.Resampling.BOX)
    octets = io.BytesIO()
    image.save(octets, "PNG")
    return octets.getvalue()


def downloads_of(result: Result, folder: Path) -> list[Download]:
    """A result's outputs, under names that every address can hold.

    Raises:
        DamagedError: for one that is no output, or lies elsewhere.
    """
    downloads: list[Download] = []
    for path in result.files:
        source, name = inside(folder, path), PurePosixPath(path)
        suffix = name.suffix.lower()
        content: Content = source
        if source.is_dir() and not suffix:
            kind, content = zipped(source)
            suffix = ".zip"
        elif source.is_file() and suffix in SUFFIXES:
            kind = f"{suffix[1:].upper()} of several frames"
        elif source.is_file() and suffix and suffix in FORMATS:
            kind = FORMATS[suffix].name
        else:
            raise DamagedError(f"{path} is nothing that a batch writes")
        short = slug_of(name.stem)
        names = chain([short], (f"{short}-{n}" for n in count(2)))
        taken = {download.path for download in downloads}
        place = next(p for n in names if (p := f"{FILES}/{n}{suffix}") not in taken)
        called = f"{sayable(name.stem)}{suffix}"
        downloads.append(Download(name=called, path=place, kind=kind, content=content))
    return downloads


def inside(folder: Path, path: str) -> Path:
    """Where a path in a batch's folder really leads.

    Raises:
        DamagedError: if it leads out of the folder.
    """
    real = Path(os.path.realpath(folder / path))
    if Path(os.path.realpath(folder)) not in real.parents:
        raise DamagedError(f"{path} leads out of {folder} through a link")
    return real


def zipped(frames: Path) -> tuple[str, bytes]:
    """A folder of PNGs as one file, and what that is; links are left out."""
    pngs = sorted(p for p in frames.glob("*.png") if p.is_file() and not p.is_symlink())
    octets = io.BytesIO()
    with zipfile.ZipFile(octets, "w") as archive:
        for png in pngs:
            # Without a date, so that the same pictures are the same octets.
            name = sayable(f"{frames.name}/{png.name}")
            archive.writestr(zipfile.ZipInfo(name), png.read_bytes())
    return f"{len(pngs)} PNGs", octets.getvalue()


# The wall


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


def compact(document: Any) -> str:
    """JSON that is a script, too: all in ASCII."""
    return json.dumps(document, separators=(",", ":"))


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

    >>> slugs_for(["sun.gif", "zoo/sun.gif"], {"zoo/sun.gif": "sun"})
    {'zoo/sun.gif': 'sun', 'sun.gif': 'sun-0ba1'}
    """
    slugs: dict[str, str] = {}
    for output in sorted(outputs, key=lambda output: (output not in earlier, output)):
        short = slug_of(PurePosixPath(output).stem)
        longer = f"{short}-{digest(output.encode('utf-8', 'replace'))[:4]}"
        names = [earlier.get(output, short), longer], (f"{longer}-{n}" for n in count(2))
        slugs[output] = next(name for name in chain(*names) if name not in slugs.values())
    return slugs


# The site


class Site:
    """A gallery's folder: writes what differs, and knows what was written.

    Raises:
        OutputError: for a folder that holds what no gallery has written.
    """

    def __init__(self, place: Path, folder: Path) -> None:
        self.place = place
        self.written = self.unchanged = self.removed = 0
        if os.path.realpath(place) == os.path.realpath(folder):
            raise OutputError(f"{place} is the batch's own folder; name another for the site")
        ours = self._list.is_file() and not self._list.is_symlink()
        if place.is_dir() and any(place.iterdir()) and not ours:
            raise OutputError(
                f"{place} holds other files; name a folder that is new, empty or a gallery"
            )
        place.mkdir(parents=True, exist_ok=True)
        if not ours:
            self._list.touch()
        lines = self._list.read_text(encoding="utf-8", errors="replace").split("\n")
        records = [*filter(None, map(Record.from_line, lines))]
        self.records = {record.slug: record for record in records}
        self._known = {path for record in records for path in record.files}

    @property
    def _list(self) -> Path:
        return self.place / LIST

    @property
    def slugs(self) -> dict[str, str]:
        """The slug of each output that earlier builds have shown."""
        return {record.output: slug for slug, record in self.records.items()}

    def holds(self, record: Record) -> bool:
        """Are the files of a record there?"""
        return all(size_of(self.place / path) == size for path, size in record.files.items())

    def announce(self, record: Record) -> None:
        """Say what will be written."""
        with self._list.open("a", encoding="utf-8") as file:
            # What a killed build has cut off stays a line of its own.
            file.write("\n" + record.as_line())

    def put(self, path: str, content: Content) -> None:
        """Write a file, unless it is there already."""
        target = self._checked(path)
        if target.is_symlink():
            target.unlink()
        if is_same(target, content):
            self.unchanged += 1
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as temporary:
            if isinstance(content, bytes):
                temporary.write_bytes(content)
            else:
                shutil.copyfile(content, temporary)
        self.written += 1

    def forget_others(self, records: Sequence[Record]) -> None:
        """Remove what was written for other animations than these."""
        for path in self._known.difference(*(record.files for record in records)):
            target = self._checked(path)
            if target.is_file() or target.is_symlink():
                target.unlink()
                self.removed += 1
        for slug in {path.split("/")[0] for path in self._known}:
            for folder in (self.place / slug / FILES, self.place / slug):
                with suppress(OSError):  # there is something in it, or nothing at all
                    folder.rmdir()
        lines = sorted(record.as_line() for record in records)
        if is_same(self._list, "".join(lines).encode()):
            return
        with replacing(self._list) as temporary:
            temporary.write_text("".join(lines), encoding="utf-8")

    def _checked(self, path: str) -> Path:
        # A folder that is a link might lead anywhere.
        for folder in PurePosixPath(path).parents:
            if (self.place / folder).is_symlink() and folder.name:
                raise OutputError(f"{self.place / folder} is a link; remove it")
        return self.place / path


def is_same(target: Path, content: Content) -> bool:
    """Does a file hold these octets?"""
    if not target.is_file() or target.stat().st_size != octets_of(content):
        return False
    if isinstance(content, bytes):
        return target.read_bytes() == content
    return cmp(target, content, shallow=False)


def octets_of(content: Content) -> int:
    """How many octets."""
    return len(content) if isinstance(content, bytes) else content.stat().st_size
