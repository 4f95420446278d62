"""One animation of a gallery: its facts, its stills and its page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightsanim.animation.animation import Animation, Shades, shades_of
from lightsanim.animation.matching_cells import matching_cells
from lightsanim.batch.folder import is_whole, kept_animation
from lightsanim.batch.job import RESULTS, read_options
from lightsanim.batch.results import Result, has_form
from lightsanim.deadline import CUT_SHORT
from lightsanim.errors import LightsAnimError, OutputError
from lightsanim.formats.indexed import indexed_image
from lightsanim.formats.json_text import COMPACT
from lightsanim.formats.page import diagram_of, film_of, pages, player_html, sayable
from lightsanim.gallery.chart import agreement_chart
from lightsanim.gallery.downloads import Download, write_downloads
from lightsanim.look.theme import Theme
from lightsanim.options import Outputs, Settings
from lightsanim.pictures.source import word_of
from lightsanim.recipe import make_command
from lightsanim.version import __version__

TEMPLATES = ("lightsanim.gallery", "lightsanim.formats")

# A still with a larger side is made smaller: no screen shows more cells on the wall.
LARGEST_STILL = 1000

# What pages say of a report of `make`.
REPORT_FORM = {
    "board": {"nullity": int},
    "pictures": [{"wrong": int, "status": str}],
    "moves": [{"clicks": int, "status": str}],
}


@dataclass(frozen=True, kw_only=True)
class Card:
    """What the wall shows of an animation.

    Attributes:
        slug: its folder in the site.
        names: of its pictures.
        words: what it is found by.
        rows, columns, clicks: numbers to sort by.
        levels: how many states a cell has.
        wrong: the wrong cells of all pictures; none of those that are sketched.
        look: what `formats/templates/film.js` needs to paint a board.
    """

    slug: str
    names: Sequence[str]
    words: str
    rows: int
    columns: int
    clicks: int
    levels: int
    wrong: int
    look: Mapping[str, Any]

    @property
    def still(self) -> str:
        """The picture on the wall: the last one, as the film shows it."""
        return f"frame-{len(self.names)}.png"


@dataclass(frozen=True, kw_only=True, eq=False)
class Shown:
    """A picture of an animation.

    Attributes:
        name: of the picture.
        report: what `make` says of it.
        target: uint8 (rows, columns), the shades asked for.
        frame: the same of the frame that shows it.
    """

    name: str
    report: Mapping[str, Any]
    target: Shades
    frame: Shades

    @property
    def is_clip(self) -> bool:
        """Whether it is the first frame of a clip."""
        return "frames" in self.report

    @property
    def is_near(self) -> bool:
        """Whether its own frame was not kept, and this is another."""
        return len(self.differing) > int(self.report["wrong"])

    @property
    def differing(self) -> list[tuple[int, int]]:
        """The cells (row, column) where the frame is not as the target."""
        return [(row, column) for row, column in np.argwhere(self.frame != self.target).tolist()]


@dataclass(frozen=True, kw_only=True, eq=False)
class Entry:
    """An animation with all that its page says of it.

    Attributes:
        slug: its folder in the site.
        result: of the batch.
        report: of `make`.
        animation: which cells are clicked, and when.
        settings: the options of `make`.
        theme: the look.
    """

    slug: str
    result: Result
    report: Mapping[str, Any]
    animation: Animation
    settings: Settings
    theme: Theme

    @classmethod
    def of(cls, folder: Path, result: Result, slug: str) -> Self:
        """The entry of a result.

        Args:
            folder: of the batch.
            result: of a job that succeeded.
            slug: its folder in the site.

        Raises:
            LightsAnimError: if a file of the batch is missing or damaged.
        """
        if not is_whole(folder, result):
            raise OutputError("its files are not as the batch wrote them; run the batch again")
        animation = kept_animation(folder, result)
        try:
            settings, theme = read_options(vars(result))
            report = result.report
            if report is None or not has_form(report, REPORT_FORM):
                raise OutputError("its report is not one of lightsanim")
            if len(report["pictures"]) != len(animation.pictures):
                raise OutputError("its report is not of these pictures")
        except LightsAnimError as error:
            raise OutputError(
                f"its result is damaged ({error}); remove it from {RESULTS} and run the batch again"
            ) from error
        return cls(
            slug=slug,
            result=result,
            report=report,
            animation=animation,
            settings=settings,
            theme=theme,
        )

    @property
    def is_sketched(self) -> bool:
        """Whether no picture is shown exactly, nor meant to be."""
        return not self.settings.settle

    @property
    def is_clip(self) -> bool:
        """Whether it is a clip alone, which turns into nothing."""
        return len(self.animation.pictures) == 1

    @cached_property
    def frames(self) -> int:
        """How many frames it has; of a long film fewer were kept for the gallery."""
        return int(self.report.get("frames", len(self.animation)))

    @property
    def fps(self) -> float:
        """How many of them are shown in a second."""
        return float(self.report.get("fps", self.animation.fps))

    @property
    def seconds(self) -> float:
        """How long it is."""
        return float(self.report.get("duration", self.animation.durations().sum()))

    @property
    def is_shortened(self) -> bool:
        """Whether fewer frames were kept than it has."""
        return self.frames != len(self.animation)

    @property
    def clicks(self) -> int:
        """How many clicks it has."""
        if self.is_shortened:
            return sum(move["clicks"] for move in self.report["moves"])
        return self.animation.count

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """The cells of each frame that agree with each target: int (pictures, frames)."""
        return matching_cells(self.animation, self.animation.targets)

    @cached_property
    def film(self) -> dict[str, Any]:
        """The JSON that scripts play."""
        return film_of(self.animation, self.theme)

    @cached_property
    def pictures(self) -> list[Shown]:
        """Each in the frame that is nearest to its target; the last of several such frames."""
        animation, shown = self.animation, []
        for name, target, counts, report in zip(
            animation.pictures,
            animation.targets,
            self.counts,
            self.report["pictures"],
            strict=True,
        ):
            frame = animation.shades_at(len(counts) - 1 - int(np.argmax(counts[::-1])))
            asked = shades_of(target, animation.board.levels)
            shown.append(Shown(name=sayable(name), report=report, target=asked, frame=frame))
        return shown

    @cached_property
    def card(self) -> Card:
        """What the wall shows of it."""
        board, settings, theme = self.animation.board, self.settings, self.theme
        words = [*self.animation.pictures, *self.names, f"{board.columns}x{board.rows}"]
        way = str(settings.order) if settings.transition == "wipe" else settings.transition
        words += ["clip"] if self.is_clip else [way]
        words += [settings.suited().dither, theme.shape, theme.palette]
        words += [way for way in ("cycle", "boomerang", "reverse") if getattr(settings, way)]
        words += ["colour", "rgb"] if settings.rgb else []
        words += [f"{board.levels} levels"] if board.levels > 2 else []
        return Card(
            slug=self.slug,
            names=[picture.name for picture in self.pictures],
            words=sayable(" ".join(words)),
            rows=board.rows,
            columns=board.columns,
            clicks=self.clicks,
            levels=board.levels,
            wrong=0 if self.is_sketched else sum(p.report["wrong"] for p in self.pictures),
            look={name: self.film[name] for name in ("rows", "columns", "shape", "gap", "palette")},
        )

    @property
    def names(self) -> list[str]:
        """Of its files, without their folders: a site tells no paths."""
        return [PurePosixPath(path).name for path in self.result.files]

    @property
    def command(self) -> str:
        """The command that makes it again, where its pictures lie in the current folder."""
        result, sheet = self.result, self.names[-1] if self.result.sheet else None
        return make_command(
            [
                word_of(Path(str(picture["path"])).name, picture.get("own", {}))
                for picture in result.pictures
            ],
            self.settings,
            self.theme,
            Outputs(
                output=self.names[:-1] if sheet else self.names,
                sheet=sheet,
                sheet_frames=result.sheet_frames,
                max_bytes=result.max_bytes,
            ),
        )


def write_entry(entry: Entry, folder: Path, place: Path, title: str) -> None:
    """Write an animation's folder of a site.

    Args:
        entry: the animation.
        folder: of the batch.
        place: of the site.
        title: of the site.
    """
    animation, slug = entry.animation, entry.slug
    here = place / slug
    here.mkdir()
    downloads = write_downloads(entry.result, folder, here)
    player = player_html(animation, entry.theme, framed=True).encode()
    (here / "player.html").write_bytes(player)
    kind = f"player of {len(animation)} of its frames" if entry.is_shortened else "this player"
    itself = Download(name=f"{slug}.html", path="player.html", kind=kind, bytes=len(player))
    html = (
        pages(*TEMPLATES)
        .get_template("page.html.j2")
        .render(
            gallery=title,
            entry=entry,
            card=entry.card,
            animation=animation,
            diagram=diagram_of(animation.board.offsets()),
            seconds=f"{round(entry.seconds, 1):,g}",
            chart=agreement_chart(animation, entry.counts),
            downloads=[*downloads, itself],
            video=next((file for file in downloads if file.is_video), None),
            cut_short=CUT_SHORT,
            version=__version__,
        )
    )
    (here / "index.html").write_bytes(html.encode())
    film = f"films[{COMPACT.encode(slug)}]={COMPACT.encode(entry.film)}\n"
    (here / "film.js").write_text(film, encoding="ascii")
    palette = entry.theme.shades_with_alpha(animation.boards, animation.board.levels)
    for number, picture in enumerate(entry.pictures, start=1):
        _write_still(picture.target, palette, here / f"target-{number}.png")
        _write_still(picture.frame, palette, here / f"frame-{number}.png")


def _write_still(shades: Shades, palette: NDArray[np.uint8], path: Path) -> None:
    # A PNG with a pixel for each cell; on large boards, for the mean of several.
    image = indexed_image(shades, palette)
    if max(image.size) > LARGEST_STILL:
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
        image.thumbnail((LARGEST_STILL, LARGEST_STILL), Image.Resampling.BOX)
    image.save(path, "PNG")
