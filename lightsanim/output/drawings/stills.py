"""Stills: pictures of one configuration or of several configurations side by side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from lightsanim.errors import OptionError
from lightsanim.film.animation import Animation
from lightsanim.game.levels import Lights, Shades, count_planes, pack_levels
from lightsanim.options.checks import check_whole_number, require_keys
from lightsanim.options.choices import KNOWN_STILLS, STILL_SUFFIXES, VECTOR_SUFFIXES
from lightsanim.options.outputs import ContactOptions, StillOptions, list_options
from lightsanim.output.look.paint_board import paint_frame
from lightsanim.output.look.paint_film import panel_presses
from lightsanim.output.look.theme import Theme
from lightsanim.output.look.tiles import Pixels, make_tiles, with_mark_colour
from lightsanim.pictures.pillow import build_indexed_image
from .drawing import Drawing
from .pdf import write_pdf
from .sheet import Sheet, build_caption_layers, fit_captions
from .still_layers import draw_stills
from .svg import write_svg

# Writers of SVG and PDF; PNGs are painted like the frames of films instead.
VECTOR_WRITERS: dict[str, Callable[[Sequence[Drawing], Path], None]] = require_keys(
    VECTOR_SUFFIXES, {".svg": write_svg, ".pdf": write_pdf}
)


@dataclass(frozen=True, kw_only=True, eq=False)
class StillContent:
    """The content of stills: configurations of one board, with marks or clicks."""

    configurations: Sequence[Lights]  # Arrays (rows, columns), in colour (3, rows, columns).
    levels: int = 2
    marks: Lights | None = None  # Number of dots on each cell, (rows, columns).
    presses: Sequence[Shades] | None = None  # Clicks in each panel; if None, panels show the marks.
    numbers: Sequence[int] = ()  # Number of each frame, printed under its still, or none.


def write_stills(
    content: StillContent,
    path: Path,
    theme: Theme,
    *,
    across: int | None = None,
    title: str = "",
    labels: Sequence[Sequence[str]] = (),
) -> None:
    """Write configurations side by side as a picture: ``.png``, ``.svg`` or ``.pdf``."""
    configurations, levels, marks = content.configurations, content.levels, content.marks
    rows, columns = configurations[0].shape[-2:]
    boards = count_planes(configurations[0])
    look = (
        attrs.evolve(theme, mark=None) if marks is None else with_mark_colour(theme, levels=levels)
    )
    single = Sheet(theme=look, shape=(rows, columns), boards=boards, levels=levels)
    captions = fit_captions(single.geometry.width, labels, title)
    sheet = replace(single, count=len(configurations), across=across, captions=captions)
    sheet.check_paper_size(path)
    stills = [pack_levels(configuration, levels) for configuration in configurations]
    dots = np.zeros((rows, columns), np.uint8) if marks is None else marks.astype(np.uint8)
    presses = content.presses or [pack_levels(np.stack([dots] * boards), levels)] * len(stills)
    write = VECTOR_WRITERS.get(path.suffix.lower())
    if write is None:
        _write_png(stills, presses, path, sheet, dots)
    else:
        title = title or f"Lights Out {columns}x{rows}"
        parts = 1 if sheet.geometry.panel is None else 2
        panels = [board for both in zip(stills, presses, strict=True) for board in both[:parts]]
        pages = [
            draw_stills(panels[parts * page.first :][: parts * page.count], page, dots, title)
            for page in sheet.page_sheets
        ]
        write(pages, path)


@dataclass(frozen=True, kw_only=True)
class Stills:
    """A request for a picture of one or several frames of an animation."""

    path: Path  # File to write: ``.png``, ``.svg`` or ``.pdf``.
    frame: str = "-1"  # Number of the single frame, as `lightsanim.options.values.to_frame`.
    count: int | None = None  # Number of frames, evenly spaced in clicks; None for one frame.
    columns: int | None = None  # Number of frames in a row; None for all.
    has_numbers: bool = False  # Whether the number of its frame stands under each still.

    def __post_init__(self) -> None:
        if self.path.suffix.lower() not in STILL_SUFFIXES:
            raise OptionError(f"a still must be a {KNOWN_STILLS} file, not {str(self.path)!r}")
        if self.count is not None:
            check_whole_number("columns", self.columns or 1, 1, self.count)

    @classmethod
    def from_options(cls, path: Path, own: Mapping[str, Any], *, is_sheet: bool) -> "Stills":
        """Return the request for a still, or for a contact sheet, with these options."""
        if not is_sheet:
            return cls(path=path, frame=own.get("frame", StillOptions().frame))
        chosen = ContactOptions(**{n: own[n] for n in own.keys() & list_options((ContactOptions,))})
        return cls(
            path=path, count=chosen.frames, columns=chosen.columns, has_numbers=chosen.numbers
        )

    def check_options(
        self, theme: Theme, rows: int, columns: int, boards: int = 1, levels: int = 2
    ) -> None:
        """Raise `OptionError`, before the animation is made, if the stills could not be drawn."""
        if self.has_numbers and theme.paper and self.columns:
            raise OptionError(
                "the cards of a flip-book have numbers of their own; leave numbers out",
                "numbers",
            )
        sheet = Sheet(theme=theme, shape=(rows, columns), boards=boards, levels=levels)
        replace(sheet, count=self.count or 1, across=self.columns).check_paper_size(self.path)

    def build_still_content(
        self, animation: Animation, marks: Lights | None = None, *, total: bool = False
    ) -> StillContent:
        """Build stills from frames, with ``marks``, or the clicks between them or in ``total``."""
        frame_numbers = [find_frame(self.frame, len(animation))]
        if self.count is not None:
            frame_numbers = evenly_spaced_frames(animation, self.count)
        presses = [*panel_presses(animation, pair_frames_with_previous(frame_numbers), total=total)]
        return StillContent(
            configurations=list(animation.configurations(frame_numbers)),
            levels=animation.board.levels,
            marks=marks,
            presses=presses if marks is None else None,
            numbers=frame_numbers if self.has_numbers else (),
        )


def find_frame(frame: str, frames: int) -> int:
    """Return the number of a frame, from 0, of a film of so many frames.

    >>> find_frame("50%", 11), find_frame("-1", 11)
    (5, 10)
    """
    if frame.endswith("%"):
        return round(float(frame[:-1]) / 100 * (frames - 1))
    if not -frames <= int(frame) < frames:
        raise OptionError(f"frame must be {-frames} to {frames - 1}, not {frame}", "frame")
    return int(frame) % frames


def evenly_spaced_frames(animation: Animation, count: int) -> list[int]:
    """Choose frames with equally many clicks or steps between them; a single one is the last."""
    share = np.linspace(0, 1, count) if count > 1 else np.ones(1)
    clicks = np.concatenate([[0], np.cumsum(animation.clicks_by_frame)])
    done = clicks if animation.steps is None else animation.clicks_done
    return list(map(int, np.searchsorted(done, np.rint(share * done[-1]))))


def pair_frames_with_previous(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Pair each frame with the previous one in the list, and the first with the frame before it."""
    return list(zip(numbers, [max(0, numbers[0] - 1), *numbers[:-1]], strict=True))


def _write_png(
    stills: Sequence[Shades], presses: Sequence[Shades], path: Path, sheet: Sheet, dots: Pixels
) -> None:
    cell, max_dots = sheet.geometry.cell, int(dots.max())
    tiles = make_tiles(sheet.theme, sheet.boards, cell, sheet.levels, presses=max_dots)
    pixels = np.zeros(sheet.sheet_size, np.uint8)
    for (top, left), shades, clicks in zip(sheet.still_corners, stills, presses, strict=True):
        still = paint_frame(shades + np.uint16(tiles.shades) * dots, sheet.geometry, tiles, clicks)
        pixels[top : top + len(still), left : left + still.shape[1]] = still
    sheet.write_png(
        build_indexed_image(pixels, tiles.rgba), list(build_caption_layers(sheet)), path
    )
