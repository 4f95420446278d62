"""An animation in a gallery: `Entry` holds data for its page, `Card` data for the wall."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lightsanim.apps.batch.batch_folder import (
    kept_file_path,
    load_kept_animation,
    outputs_are_intact,
    unused_file_name,
)
from lightsanim.apps.batch.job_table import RESULTS, is_safe_output
from lightsanim.apps.batch.results import Result
from lightsanim.errors import LightsAnimError, OutputError
from lightsanim.film.animation import Animation
from lightsanim.film.origin import Label
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights, Shades, pack_levels
from lightsanim.options.checks import levels_in_words
from lightsanim.options.choices import DITHER
from lightsanim.options.outputs import Outputs
from lightsanim.options.picture_options import format_source
from lightsanim.options.records import options_from_record
from lightsanim.options.settings import Settings
from lightsanim.output.formats.page import build_page_film, count_clicks
from lightsanim.output.look.theme import Theme
from lightsanim.output.reports.in_words import format_make_command
from lightsanim.pictures.words.table import find_word, path_of_file
from lightsanim.web.templating import valid_utf8

VIDEO_SUFFIXES = (".mp4", ".webm")  # suffixes of videos that browsers play


@dataclass(frozen=True, kw_only=True)
class Card:
    """The data with which the wall shows an animation."""

    slug: str  # Name of the animation's folder in the site.
    names: Sequence[str]  # Names of the animation's pictures.
    label: Label
    words: str  # text in which the search looks
    board: Board
    clicks: int
    wrong: int  # Number of wrong cells in all pictures; 0 for sketches.
    index: int  # Number in the order of creation, 0 for the oldest.
    updated_at: float  # Time of the last change, seconds since 1970.
    look: Mapping[str, Any]  # What the script needs to paint a board.

    @property
    def name(self) -> str:
        """The animation's title, or the names of its pictures."""
        return self.label.title or " → ".join(self.names)

    @property
    def stills(self) -> tuple[str, str]:
        """The file names of the first and the last still on the wall."""
        last = len(self.names)
        return "frame-1.png", f"frame-{last}.png" if last > 1 else "end.png"

    @property
    def facts(self) -> str:
        """A sentence with the board's size and levels and the number of clicks."""
        size = f"{self.board.columns} \N{MULTIPLICATION SIGN} {self.board.rows} cells"
        levels, plural = levels_in_words(self.board.levels), "" if self.clicks == 1 else "s"
        return f"{size}{levels}, {self.clicks:,} click{plural} of the game Lights Out."

    @property
    def alt(self) -> str:
        """The alternative text of the animation's image."""
        return self.label.alt or f"{self.name}: {self.facts}"


@dataclass(frozen=True, kw_only=True, eq=False)
class EntryPicture:
    """A picture of an animation: its target, and the frame that is nearest to it."""

    name: str
    report: Mapping[str, Any]  # this picture's entry in the report of `make`
    target: Shades
    frame: Shades

    @property
    def is_clip(self) -> bool:
        """Whether the picture is the first frame of a clip."""
        return "frames" in self.report

    @property
    def is_substitute(self) -> bool:
        """Whether ``frame`` is a substitute: shortening a long film removed the exact frame."""
        return len(self.differing_cells) > int(self.report["wrong"])

    @property
    def differing_cells(self) -> list[tuple[int, int]]:
        """The cells (row, column) in which the frame differs from the target."""
        return [(row, column) for row, column in np.argwhere(self.frame != self.target).tolist()]


@dataclass(frozen=True, kw_only=True, eq=False)
class Entry:
    """An animation, and the data that its page shows."""

    label: Label
    updated_at: float  # Time of the last change, seconds since 1970.
    is_outdated: bool  # Whether its files have an older label.
    result: Result
    report: Mapping[str, Any]
    animation: Animation
    settings: Settings
    theme: Theme

    @classmethod
    def from_result(cls, folder: Path, result: Result, label: Label) -> Self:
        """Load the entry of a result; raise `OutputError` if its files are missing or changed."""
        if not all(map(is_safe_output, result.files)):
            raise OutputError("its files are not in the batch's folder")
        if not any((folder / file).exists() for file in result.files):
            raise OutputError("its files were removed; run the batch to make it again")
        if not outputs_are_intact(folder, result):
            raise OutputError("its files were changed after the batch; run the batch again")
        original = load_kept_animation(folder, result)
        animation = original.with_label(label)
        try:
            settings = options_from_record(Settings, result.settings)
            # The first output that has a language, or a maker, decides for the page.
            own = {
                name: output[name]
                for output in reversed(result.own_options)
                for name in ("language", "maker")
                if output.get(name)
            }
            theme = options_from_record(Theme, {**result.theme, **own})
            report = result.report or {}
            if len(report.get("pictures", ())) != len(animation.pictures):
                raise OutputError("its report has a different number of pictures")
        except LightsAnimError as error:
            raise OutputError(
                f"its result is damaged ({error}); remove its line from {RESULTS} and run the "
                "batch again"
            ) from error
        return cls(
            label=label,
            updated_at=result.updated_at or kept_file_path(folder, result.id).stat().st_mtime,
            is_outdated=animation is not original,
            result=result,
            report=report,
            animation=animation,
            settings=settings,
            theme=theme,
        )

    @property
    def is_clip(self) -> bool:
        """Whether it was made from a single picture, such as a clip."""
        return len(self.animation.pictures) == 1

    @property
    def is_shortened(self) -> bool:
        """Whether the kept animation has fewer frames than the film, which was too long to keep."""
        return bool(self.report["frames"] != len(self.animation))

    @property
    def clicks(self) -> int:
        """The number of clicks in the video or the player, whichever the page shows."""
        if self.has_video:
            directions = 2 if self.settings.is_boomerang and self.animation.board.levels == 2 else 1
            return directions * sum(int(move["clicks"]) for move in self.report["moves"])
        return count_clicks(self.film)

    @property
    def has_video(self) -> bool:
        """Whether the page shows a video, because the player's film is shortened."""
        return self.is_shortened and any(
            file.lower().endswith(VIDEO_SUFFIXES) for file in self.result.files
        )

    @property
    def order(self) -> str:
        """The click order, set by an option or chosen by the program."""
        return str(self.report.get("order") or self.settings.order)

    @cached_property
    def match_counts(self) -> NDArray[np.int64]:
        """The number of cells that agree with a target in a frame: array (targets, frames)."""
        return count_matching_cells(self.animation, self.animation.targets)

    @cached_property
    def film(self) -> dict[str, Any]:
        """The JSON of the film, for the player and for the wall's script."""
        return build_page_film(self.animation, self.theme, framed=True)

    @cached_property
    def pictures(self) -> list[EntryPicture]:
        """The pictures, each with the frame nearest to its target; of equal frames, the last."""
        animation, reports = self.animation, self.report["pictures"]
        goals = [pack_levels(target, animation.board.levels) for target in animation.targets]
        last_of = [len(counts) - 1 - int(np.argmax(counts[::-1])) for counts in self.match_counts]
        members = zip(
            animation.pictures, reports, goals, map(animation.shades_at, last_of), strict=True
        )
        return [
            EntryPicture(name=valid_utf8(name), report=report, target=goal, frame=frame)
            for name, report, goal, frame in members
        ]

    @cached_property
    def end_frames(self) -> tuple[Shades, Shades]:
        """The frames of the first and the last picture; of a clip, its first and last frame."""
        last = self.animation.shades_at(-1) if self.is_clip else self.pictures[-1].frame
        return self.pictures[0].frame, last

    @property
    def flips_per_click(self) -> int:
        """The number of cells that a click in the middle of the board changes."""
        board = self.animation.board
        return int(np.count_nonzero(board.neighbourhood(board.rows // 2, board.columns // 2)))

    def build_card(self, slug: str, index: int) -> Card:
        """Build the card, including the words by which the wall's search finds it."""
        board, settings, theme = self.animation.board, self.settings, self.theme
        words = [*self.label.as_dict.values(), *self.animation.pictures, *self.file_names]
        words += [f"{board.columns}x{board.rows}", board.rule]
        transition = self.order if settings.transition == "wipe" else settings.transition
        words += ["clip"] if self.is_clip else [transition]
        words += [settings.dither or DITHER, theme.shape, str(theme.colours or theme.palette)]
        words += [settings.ending] * settings.returns + ["reverse"] * settings.reverse
        words += ["colour", "rgb"] if settings.rgb else []
        words += [f"{board.levels} levels"] if board.levels > 2 else []
        return Card(
            slug=slug,
            names=[picture.name for picture in self.pictures],
            label=self.label,
            words=valid_utf8(" ".join(words)),
            board=board,
            clicks=self.clicks,
            wrong=sum(p.report["wrong"] for p in self.pictures) if settings.settle else 0,
            index=index,
            updated_at=self.updated_at,
            look={name: self.film[name] for name in ("rows", "columns", "shape", "gap", "palette")},
        )

    @property
    def file_names(self) -> list[str]:
        """The names of the animation's files, without their folders, which are private."""
        return [PurePosixPath(path).name for path in self.result.files]

    @property
    def command(self) -> str:
        """The command that makes the animation again from pictures in the current folder."""
        result = self.result
        paths = [str(picture["path"]) for picture in result.pictures]
        names = _make_names_distinct(self.file_names, [Path(path).name for path in paths])
        sources = [
            format_source(
                path_of_file(Path(path).name) if find_word(path).is_file else path,
                picture.get("own", {}),
            )
            for path, picture in zip(paths, result.pictures, strict=True)
        ][: len(paths) - len(self.settings.more_pictures)]
        files = [
            {**own, "path": Path(name)} for name, own in zip(names, result.own_options, strict=True)
        ]
        sheet = files.pop() if result.sheet else None
        shared: dict[str, Any] = {"max_bytes": result.max_bytes, "canvas": result.canvas}
        outputs = Outputs(output=files, sheet=sheet, **shared)
        return format_make_command(sources, self.settings, self.theme, outputs)


def count_matching_cells(animation: Animation, targets: Sequence[Lights]) -> NDArray[np.int64]:
    """Count the cells that agree with each target in each frame: int64 (targets, frames)."""
    board = animation.board
    packed = np.array([pack_levels(target, board.levels) for target in targets], np.uint8)
    target_shades = packed.reshape(len(targets), board.cells)
    changes = animation.changes()
    shades, _ = next(changes)
    cells = shades.reshape(-1)  # a view of an array that `changes` updates
    matches = cells == target_shades
    counts = [matches.sum(axis=1)]
    for _, touched in changes:  # comparing only these, the time grows with the number of clicks
        flipped = np.unique(touched)
        matching = cells[flipped] == target_shades[:, flipped]
        counts.append(counts[-1] + matching.sum(axis=1) - matches[:, flipped].sum(axis=1))
        matches[:, flipped] = matching
    return np.stack(counts, axis=1)


def _make_names_distinct(names: Sequence[str], used_names: Iterable[str]) -> list[str]:
    # Numbers the names: without folders, an output can have the name of a picture or output.
    used, distinct = set(map(str.casefold, used_names)), list[str]()
    for path in map(PurePosixPath, names):
        distinct.append(unused_file_name(path.stem, used, path.suffix))
        used.add(distinct[-1].casefold())
    return distinct
