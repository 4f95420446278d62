"""One animation of a gallery: its facts, its stills, its downloads and its page."""

import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightsanim.animation.animation import Animation, Shades, shades_of
from lightsanim.animation.matching_cells import matching_cells
from lightsanim.batch.chart import agreement_chart
from lightsanim.batch.folder import FRAME, OWN, kept_animation
from lightsanim.batch.results import Result
from lightsanim.batch.site import FILES, Card, Content, octets_of, slug_of
from lightsanim.checks import check_whole
from lightsanim.errors import LightsAnimError
from lightsanim.formats.page import diagram_of, film_of, pages, player_html, sayable
from lightsanim.formats.stills import SUFFIXES
from lightsanim.formats.table import FORMATS
from lightsanim.look.theme import Theme
from lightsanim.options import Settings
from lightsanim.recipe import make_command
from lightsanim.solve.outcome import Status
from lightsanim.version import __version__

PACKAGES = ("lightsanim.batch", "lightsanim.formats")

# A larger side than this is made smaller: no screen of the wall shows so many cells.
LARGEST_STILL = 1000


# Clicks, and cells, are never so many; longer numbers than some thousand digits cannot be written.
MOST = 10**12


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
            check_whole(name, number, 0, MOST)
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
            check_whole("nullity", exhibit.nullity, 0, MOST)
        except (LightsAnimError, TypeError, KeyError, ValueError, OverflowError) as error:
            raise DamagedError(f"its result is damaged: {error}") from error
        if len(exhibit.wrong) != len(animation.pictures):
            raise DamagedError("its result is that of another animation")
        return exhibit

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """The cells of each frame that agree with each target: int (pictures, frames)."""
        return matching_cells(self.animation, self.animation.targets)

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
    """A folder of PNGs as one file, and what that is; links and other names are left out."""
    pngs = sorted(
        p
        for p in frames.iterdir()
        if FRAME.fullmatch(p.name) and p.is_file() and not p.is_symlink()
    )
    octets = io.BytesIO()
    with zipfile.ZipFile(octets, "w") as archive:
        for png in pngs:
            # Without a date, so that the same pictures are the same octets.
            name = sayable(f"{frames.name}/{png.name}")
            archive.writestr(zipfile.ZipInfo(name), png.read_bytes())
    return f"{len(pngs)} PNGs", octets.getvalue()


def compact(document: Any) -> str:
    """JSON that is a script, too: all in ASCII."""
    return json.dumps(document, separators=(",", ":"))
