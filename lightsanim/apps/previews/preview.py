"""Draw a preview: one picture with many values of the options, on one labelled contact sheet.

The variants are read from the tables of options, so a new dither, preset or flag is included
automatically.  A tile's label is the option that makes `lightsanim make` show the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Unpack

import attrs
import numpy as np
from PIL import Image

from lightsanim.board_choice import choose_board
from lightsanim.errors import OptionError
from lightsanim.game.levels import pack_levels
from lightsanim.options.choices import (
    DIFFUSIONS,
    LEVELS,
    MAX_COLOUR_LEVELS,
    ORDERED_DITHERS,
    SEARCHED_DITHERS,
    TONES,
)
from lightsanim.options.keywords import MakeKeywords
from lightsanim.options.outputs import Outputs
from lightsanim.options.records import non_default_values
from lightsanim.options.settings import (
    PRESETS,
    Settings,
    settings_from_values,
    with_wipe_transition,
)
from lightsanim.options.shell import format_shell_line
from lightsanim.options.stages import DEFAULT_DETAIL, PictureOptions, TargetOptions
from lightsanim.options.values import Size
from lightsanim.output.drawings.labelled_sheet import (
    MIN_COLUMN_WIDTH,
    SheetTile,
    draw_labelled_sheet,
)
from lightsanim.output.look.theme import Theme
from lightsanim.output.saving.atomic import write_files_together
from lightsanim.output.saving.output_files import (
    OutputFiles,
    check_code_contrast,
    check_no_source_is_replaced,
    check_outputs,
    choose_unused_path,
)
from lightsanim.pictures.grey import grey_for_board
from lightsanim.pictures.load import load_source_picture
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.source import PictureSource, to_source
from lightsanim.pictures.spot import find_spot_colours
from lightsanim.pictures.targets import (
    Destination,
    LightKey,
    Lights,
    PictureCells,
    cells_for,
    dither_cells,
    light_key,
    resolve_auto_dither,
    resolve_still,
)
from lightsanim.system.threads import map_in_order

SUFFIXES = (".png",)
# PNG compression level; dithers hardly compress, so a higher level is slow and saves only a tenth.
COMPRESSION = 3
# Limit of a board's longer side in cells; a larger tile would exceed two columns of the sheet.
MAX_SIDE = 480
# Sides of a cell, in pixels, on the tiles that compare board sizes.
CELL_PIXELS = (8, 6, 4, 3, 2, 1)
DETAILS = (0.0, 0.7, DEFAULT_DETAIL, 2.5, 4.0, 8.0)
GAMMAS = (0.6, 1.6)
# A pixel counts as grey if the linear light of its channels, 0 to 1, differs by at most this.
GREYISH = 0.02


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant:
    """One tile of a preview: the picture with one option changed, prepared for a board."""

    label: str  # The option as written on the command line.
    note: str = ""  # The options that a preset sets.
    picture: Picture  # In grey or in colour, with the dither that was chosen for it.
    to: Destination

    @cached_property
    def options(self) -> TargetOptions:
        """All options of the picture."""
        return self.to.options_for(self.picture)

    @property
    def light_key(self) -> LightKey | None:
        """What the scaled light of the picture depends on."""
        return light_key(self.picture, self.to.shape, self.options)

    @cached_property
    def cells(self) -> PictureCells:
        """The picture, scaled to the cells of the board."""
        return cells_for(self.picture, self.to)


def preview(picture: PictureSource, **options: Unpack[MakeKeywords]) -> Image.Image:
    """Draw one picture with many dithers, details, sizes, levels, tones and presets.

    Args:
        picture: a path, a Pillow image, an array, or a `Source` with its own options.
        options: the options of `make`, by name; each tile changes one of them.

    Returns:
        A labelled contact sheet, in mode RGB.

    Raises:
        OptionError: for an unknown option, an invalid value, or a board over 480 cells a side.
        PictureError: if the picture cannot be read.

    >>> preview(np.linspace(0, 1, 40).reshape(1, 40).repeat(30, axis=0), size=20).mode
    'RGB'
    """
    return _draw_preview_sheet(picture, settings_from_values(options), Theme())


def preview_files(
    picture: PictureSource, settings: Settings, theme: Theme, outputs: Outputs
) -> list[Path]:
    """Write a preview to the outputs, or if there are none to a new file NAME-preview.png."""
    if not outputs.paths:
        unused = choose_unused_path([to_source(picture).name, "preview"], SUFFIXES[0])
        outputs = attrs.evolve(outputs, output=[unused], overwrite=False)
    paths = outputs.paths
    files = OutputFiles.by_suffix(outputs, dict.fromkeys(SUFFIXES, ()))
    check_code_contrast([to_source(picture).path], theme)
    check_outputs(files)
    check_no_source_is_replaced([picture], paths, "the picture")
    sheet = _draw_preview_sheet(picture, settings, theme)
    write = partial(sheet.save, compress_level=COMPRESSION)
    write_files_together(dict.fromkeys(paths, write), overwrite=outputs.overwrite)
    return list(paths)


def _draw_preview_sheet(source: PictureSource, settings: Settings, theme: Theme) -> Image.Image:
    # A preview needs no clicks, so the option `perfect` need not change the size.
    base = attrs.evolve(with_wipe_transition(settings), perfect=False)
    subject = _load_preview_picture(source, base, theme)
    groups = {title: group for title, group in _build_variant_groups(subject) if group}
    variants = [variant for group in groups.values() for variant in group]
    tiles = iter(subject.draw_tiles(variants))
    rows, columns = subject.board_shape
    changed = format_shell_line(non_default_values(attrs.evolve(subject.settings, size=None)))
    return draw_labelled_sheet(
        subject.draw_original(),
        subject.pictures[False].name,
        [
            f"{columns} x {rows} cells{', with ' if changed else ''}{changed}",
            "Under each picture is the option of lightsanim make that produces it.",
            "A dot marks the picture without further options.",
        ],
        [(title, [next(tiles) for _ in group]) for title, group in groups.items()],
    )


def _build_variant_groups(subject: "_PreviewPicture") -> Iterator[tuple[str, list[Variant]]]:
    """Yield the headings of the sheet and the variants under each."""
    settings = subject.settings
    colour: list[Mapping[str, Any]] = []
    if subject.is_coloured:
        colour = [{"rgb": True}, {"rgb": True, "levels": MAX_COLOUR_LEVELS}]
    kinds = {option.name: option.metadata["kind"] for option in attrs.fields(PictureOptions)}
    flags = [name for name, kind in kinds.items() if kind == "flag" and name not in ("rgb", "spot")]
    changed = non_default_values(settings)
    groups = {
        "Presets": [
            ({**values, **changed}, f"--preset {name}", format_shell_line(values))
            for name, values in PRESETS.items()
        ]
    }
    changes: dict[str, Iterable[Mapping[str, Any]]] = {
        "Searched": ({"dither": name} for name in SEARCHED_DITHERS),
        "Error diffusion": ({"dither": name} for name in DIFFUSIONS),
        "Ordered dithers": ({"dither": name} for name in ORDERED_DITHERS),
        "Local contrast": ({"detail": amount} for amount in DETAILS),
        "Size": ({"size": size} for size in subject.tile_sizes),
        "Levels and colour" if colour else "Levels": [*({"levels": n} for n in LEVELS), *colour],
        "Tones and more": [
            *({"gamma": exponent} for exponent in GAMMAS),
            *({"tone": tone} for tone in TONES if tone != settings.tone),
            *({flag: getattr(settings, flag) is False} for flag in flags),
        ],
    }
    for title, several in changes.items():
        groups[title] = [({**change}, format_shell_line(change), "") for change in several]
    for title, group in groups.items():
        yield title, list(filter(None, (subject.try_variant(*words) for words in group)))


def _load_preview_picture(
    source: PictureSource, settings: Settings, theme: Theme
) -> "_PreviewPicture":
    kinds = {rgb: attrs.evolve(settings, rgb=rgb, spot=False) for rgb in (False, True)}
    pictures = {
        rgb: load_source_picture(source, kind, settings.time_limit) for rgb, kind in kinds.items()
    }
    grey = pictures[False]
    board = choose_board(grey, settings, theme)
    if max(board.shape) > MAX_SIDE:
        flaw = f"at most {MAX_SIDE} cells a side, not {board.columns}x{board.rows}"
        raise OptionError(f"a preview shows boards of {flaw}; set a smaller size")
    grey.word.draw(*board.shape)  # raises OptionError for too few cells
    part, _ = resolve_still(grey, Destination.of(settings, board))
    # The digest is also the key of the scaled light, so an array gets one, too.
    pictures = {
        rgb: replace(picture, own={}, sha256=picture.sha256 or "")
        for rgb, picture in pictures.items()
    }
    settings = attrs.evolve(settings, **part.own)
    return _PreviewPicture(pictures=pictures, settings=settings, theme=theme)


@dataclass(frozen=True, kw_only=True, eq=False)
class _PreviewPicture:
    """The picture of a preview with its options and colours."""

    pictures: Mapping[bool, Picture]  # The picture in grey (False) and in colour (True).
    settings: Settings  # Options, including the picture's own.
    theme: Theme
    lights: Lights = field(default_factory=dict)

    @cached_property
    def is_coloured(self) -> bool:
        """True if the picture has colours other than grey."""
        return bool(np.ptp(self.pictures[True].light[::8, ::8], axis=2).max() > GREYISH)

    @cached_property
    def base(self) -> Variant:
        """The picture without further options."""
        return self._prepare_variant({}, "")

    def try_variant(self, change: Mapping[str, Any], label: str, note: str) -> Variant | None:
        """Return the picture with changed options; None if this is not possible.

        A change may conflict with another option, a board may have too few cells for a drawn word,
        or a picture too few spot colours.
        """
        with suppress(OptionError):
            variant = self._prepare_variant(change, label, note)
            variant.picture.word.draw(*variant.to.shape)
            if variant.options.spot and variant.options != self.base.options:
                find_spot_colours([variant.cells.rgb], variant.options.levels)
            return variant
        return None

    def _prepare_variant(self, change: Mapping[str, Any], label: str, note: str = "") -> Variant:
        settings = attrs.evolve(self.settings, **change)
        board = choose_board(self.pictures[False], settings, self.theme)
        options = settings.with_defaults_for()
        to = Destination.of(options, board, request=settings, lights=self.lights)
        picture = resolve_auto_dither(self.pictures[settings.reads_colour], to)
        return Variant(label=label, note=note, picture=picture, to=to)

    @property
    def board_shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        return self.base.to.shape

    @property
    def cell_size(self) -> int:
        """Side of a cell in pixels on most tiles."""
        return max(1, round(MIN_COLUMN_WIDTH / max(self.board_shape)))

    @property
    def tile_sizes(self) -> list[Size]:
        """Board sizes that fill a tile of the same width with smaller or larger cells."""
        rows, columns = self.board_shape
        has_rows = self.settings.size is not None and self.settings.size.rows is not None
        several = sorted({max(1, self.cell_size * columns // cell) for cell in CELL_PIXELS})
        return [
            Size(columns=count, rows=max(1, round(count * rows / columns)) if has_rows else None)
            for count in several
        ]

    def draw_tiles(self, variants: Sequence[Variant]) -> list[SheetTile]:
        """Draw the tiles of several variants; those with equal options share an image."""
        # Scaling the light takes as long as everything else, so tiles with equal boards share it.
        different_lights = {variant.light_key: variant for variant in variants}.values()
        for _ in map_in_order(lambda variant: variant.cells, different_lights):
            pass
        different = {variant.options: variant for variant in reversed(variants)}
        images = dict(
            zip(different, map_in_order(self._draw_image, different.values()), strict=True)
        )
        return [
            SheetTile(
                image=images[variant.options],
                label=variant.label,
                note=variant.note,
                marked=variant.options == self.base.options,
            )
            for variant in variants
        ]

    def _draw_image(self, variant: Variant) -> Image.Image:
        options, shape = variant.options, variant.to.shape
        spot = options.spot and find_spot_colours([variant.cells.rgb], options.levels)
        targets = [t.configuration for t in dither_cells(variant.cells, shape, spot)]
        shades = pack_levels(np.stack(targets), options.levels)
        theme = self.theme.with_spot_colours(spot)
        pixels = theme.shades(len(targets), options.levels)[shades]
        cell = max(1, self.cell_size * self.board_shape[1] // shades.shape[1])
        return Image.fromarray(pixels.repeat(cell, axis=0).repeat(cell, axis=1))

    def draw_original(self) -> Image.Image:
        """Draw the part of the picture that the board shows, undithered."""
        rows, columns = self.board_shape
        plain = attrs.evolve(
            self.settings, autocontrast=False, detail=0, gamma=1, invert=False, tone="srgb"
        )
        planes = grey_for_board(
            self.pictures[True], rows * self.cell_size, columns * self.cell_size, plain
        )
        return Image.fromarray(np.rint(planes * 255).astype(np.uint8).transpose(1, 2, 0))
