"""One animation of a gallery: what is known of it, and what the wall shows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.origin import Label
from lightsanim.batch.batch_folder import (
    kept_animation_path,
    load_kept_animation,
    outputs_are_intact,
    unused_file_name,
)
from lightsanim.batch.job import RESULTS
from lightsanim.batch.results import Result
from lightsanim.board.board import Board
from lightsanim.errors import LightsAnimError, OutputError
from lightsanim.formats.page import build_page_film, count_clicks
from lightsanim.look.levels import Lights, Shades, pack_levels
from lightsanim.look.theme import Theme
from lightsanim.options.choices import DITHER, WORD_PREFIXES
from lightsanim.options.outputs import OF_FILES, Outputs
from lightsanim.options.picture_options import format_source
from lightsanim.options.records import options_from_record
from lightsanim.options.settings import Settings
from lightsanim.pipeline import add_label
from lightsanim.reports.make_command import format_make_command
from lightsanim.web.templating import valid_utf8

# Suffixes of what browsers play, with sound.
VIDEO_SUFFIXES = (".mp4", ".webm")


@dataclass(frozen=True, kw_only=True)
class Card:
    """What the wall shows of an animation."""

    slug: str  # its folder in the site
    names: Sequence[str]  # of its pictures
    label: Label  # what is said of it
    words: str  # what it is found by
    board: Board  # the board
    clicks: int  # how many it has
    wrong: int  # the wrong cells of all pictures; none of those that are sketched
    index: int  # its place among all, the oldest first
    created_at: float  # when it was made, in seconds since 1970
    look: Mapping[str, Any]  # what `web/templates/film.js` needs to paint a board

    @property
    def name(self) -> str:
        """Its title, or what its pictures are called."""
        return self.label.title or " → ".join(self.names)

    @property
    def stills(self) -> tuple[str, str]:
        """The pictures on the wall: its beginning and its end."""
        last = len(self.names)
        return "frame-1.png", f"frame-{last}.png" if last > 1 else "end.png"

    @property
    def facts(self) -> str:
        """Its numbers in one sentence."""
        size = f"{self.board.columns} \N{MULTIPLICATION SIGN} {self.board.rows} cells"
        levels = f" of {self.board.levels} levels" if self.board.levels > 2 else ""
        plural = "" if self.clicks == 1 else "s"
        return f"{size}{levels}, {self.clicks:,} click{plural} of the game Lights Out."

    @property
    def alt(self) -> str:
        """What it looks like, for who cannot see it."""
        return self.label.alt or f"{self.name}: {self.facts}"


@dataclass(frozen=True, kw_only=True, eq=False)
class EntryPicture:
    """A picture of an animation."""

    name: str  # of the picture
    report: Mapping[str, Any]  # what `make` says of it
    target: Shades  # uint8 (rows, columns), the shades asked for
    frame: Shades  # the same of the frame that shows it

    @property
    def is_clip(self) -> bool:
        """Whether it is the first frame of a clip."""
        return "frames" in self.report

    @property
    def is_substitute(self) -> bool:
        """Whether its own frame was not kept, and this is another."""
        return len(self.differing_cells) > int(self.report["wrong"])

    @property
    def differing_cells(self) -> list[tuple[int, int]]:
        """The cells (row, column) where the frame is not as the target."""
        return [(row, column) for row, column in np.argwhere(self.frame != self.target).tolist()]


@dataclass(frozen=True, kw_only=True, eq=False)
class Entry:
    """An animation with all that its page says of it."""

    label: Label  # what is said of it now
    created_at: float  # when it was made, in seconds since 1970
    is_outdated: bool  # whether its files say something else
    result: Result  # of the batch
    report: Mapping[str, Any]  # of `make`
    animation: Animation  # which cells are clicked, and when
    settings: Settings  # the options of `make`
    theme: Theme  # the look

    @classmethod
    def from_result(cls, folder: Path, result: Result, label: Label) -> Self:
        """The entry of a result."""
        if not any((folder / file).exists() for file in result.files):
            raise OutputError("it was removed; run the batch to have it back")
        if not outputs_are_intact(folder, result):
            raise OutputError("its files are not as the batch wrote them; run the batch again")
        original = load_kept_animation(folder, result)
        animation = add_label(original, label)
        try:
            settings, theme = (
                options_from_record(Settings, result.settings),
                options_from_record(Theme, result.theme),
            )
            report = result.report or {}
            if len(report.get("pictures", ())) != len(animation.pictures):
                raise OutputError("its report is not of these pictures")
        except LightsAnimError as error:
            raise OutputError(
                f"its result is damaged ({error}); remove it from {RESULTS} and run the batch again"
            ) from error
        return cls(
            label=label,
            created_at=kept_animation_path(folder, result.id).stat().st_mtime,
            is_outdated=animation is not original,
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

    @property
    def is_shortened(self) -> bool:
        """Whether fewer frames were kept for the gallery than it has, as of a long film."""
        return bool(self.report["frames"] != len(self.animation))

    @property
    def clicks(self) -> int:
        """How many clicks its page counts: a video's, or the player's."""
        if self.has_video:
            directions = 2 if self.settings.boomerang and self.animation.board.levels == 2 else 1
            return directions * sum(int(move["clicks"]) for move in self.report["moves"])
        return count_clicks(self.film)

    @property
    def has_video(self) -> bool:
        """Whether its page shows a video: the whole film, where the player has fewer frames."""
        return self.is_shortened and any(
            file.lower().endswith(VIDEO_SUFFIXES) for file in self.result.files
        )

    @property
    def order(self) -> str:
        """The order of its clicks, given or chosen."""
        return str(self.report.get("order") or self.settings.order)

    @cached_property
    def match_counts(self) -> NDArray[np.int64]:
        """The cells of each frame that agree with each target: int (pictures, frames)."""
        return count_matching_cells(self.animation, self.animation.targets)

    @cached_property
    def film(self) -> dict[str, Any]:
        """The JSON that scripts play, and the player in its page's frame."""
        return build_page_film(self.animation, self.theme, framed=True)

    @cached_property
    def pictures(self) -> list[EntryPicture]:
        """Each in the frame that is nearest to its target; the last of several such frames."""
        animation, items = self.animation, []
        for name, target, counts, report in zip(
            animation.pictures,
            animation.targets,
            self.match_counts,
            self.report["pictures"],
            strict=True,
        ):
            frame = animation.shades_at(len(counts) - 1 - int(np.argmax(counts[::-1])))
            goal = pack_levels(target, animation.board.levels)
            items.append(
                EntryPicture(name=valid_utf8(name), report=report, target=goal, frame=frame)
            )
        return items

    @cached_property
    def end_frames(self) -> tuple[Shades, Shades]:
        """The frames of its first and its last picture; of a clip its first and last frames."""
        last = self.animation.shades_at(-1) if self.is_clip else self.pictures[-1].frame
        return self.pictures[0].frame, last

    @property
    def flips_per_click(self) -> int:
        """How many cells a click changes in the middle of the board."""
        board = self.animation.board
        return int(np.count_nonzero(board.neighbourhood(board.rows // 2, board.columns // 2)))

    def build_card(self, slug: str, index: int) -> Card:
        """What the wall shows of it."""
        board, settings, theme = self.animation.board, self.settings, self.theme
        words = [*self.label.as_dict.values(), *self.animation.pictures, *self.file_names]
        words += [f"{board.columns}x{board.rows}", board.rule]
        transition = self.order if settings.transition == "wipe" else settings.transition
        words += ["clip"] if self.is_clip else [transition]
        words += [settings.dither or DITHER, theme.shape, str(theme.colours or theme.palette)]
        words += [flag for flag in ("cycle", "boomerang", "reverse") if getattr(settings, flag)]
        words += ["colour", "rgb"] if settings.rgb else []
        words += [f"{board.levels} levels"] if board.levels > 2 else []
        return Card(
            slug=slug,
            names=[picture.name for picture in self.pictures],
            label=self.label,
            words=valid_utf8(" ".join(words)),
            board=board,
            clicks=self.clicks,
            wrong=0 if self.is_sketched else sum(p.report["wrong"] for p in self.pictures),
            index=index,
            created_at=self.created_at,
            look={name: self.film[name] for name in ("rows", "columns", "shape", "gap", "palette")},
        )

    @property
    def file_names(self) -> list[str]:
        """Of its files, without their folders: a site tells no paths."""
        return [PurePosixPath(path).name for path in self.result.files]

    @property
    def command(self) -> str:
        """The command that makes it again, where its pictures lie in the current folder."""
        result = self.result
        pictures = [Path(str(picture["path"])).name for picture in result.pictures]
        names = _make_names_distinct(self.file_names, pictures)
        sheet = names.pop() if result.sheet else None
        return format_make_command(
            [
                format_source(
                    _path_from_current_folder(str(picture["path"])), picture.get("own", {})
                )
                for picture in result.pictures
            ],
            self.settings,
            self.theme,
            Outputs(output=names, sheet=sheet, **{n: getattr(result, n) for n in OF_FILES}),
        )


def count_matching_cells(animation: Animation, targets: Sequence[Lights]) -> NDArray[np.int64]:
    """Count the cells of each frame that are as in each target; the cost grows with the clicks.

    Returns int64 (targets, frames).
    """
    target_shades = np.array(
        [pack_levels(target, animation.board.levels) for target in targets], np.uint8
    )
    target_shades = target_shades.reshape(len(targets), animation.board.cells)
    changes = animation.changes()
    shades, _ = next(changes)
    cells = shades.reshape(-1)  # a view: it changes with the frames
    matches = cells == target_shades
    counts = [matches.sum(axis=1)]
    for _, touched in changes:
        flipped = np.unique(touched)
        matching = cells[flipped] == target_shades[:, flipped]
        counts.append(counts[-1] + matching.sum(axis=1) - matches[:, flipped].sum(axis=1))
        matches[:, flipped] = matching
    return np.stack(counts, axis=1)


def _path_from_current_folder(path: str) -> str:
    # As a command names it in the current folder, where a file may be called as a sample is.
    name = Path(path).name
    is_file = name.startswith(WORD_PREFIXES) and not path.startswith(WORD_PREFIXES)
    return f"./{name}" if is_file else name


def _make_names_distinct(names: Sequence[str], used_names: Iterable[str]) -> list[str]:
    # Without their folders an output can be called as a clip that it is made of, or as another.
    used, distinct = set(map(str.casefold, used_names)), list[str]()
    for path in map(PurePosixPath, names):
        distinct.append(unused_file_name(path.stem, used, path.suffix))
        used.add(distinct[-1].casefold())
    return distinct
