"""Draw a preview: one picture with many values of the options, on one labelled contact sheet.

The variants are read from the tables of options, so a new dither, preset or flag is included
automatically.  A tile's label is the option that makes `lightsanim make` show the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeAlias, Unpack

import attrs
import numpy as np
from PIL import Image

from lightsanim.board_choice import choose_board
from lightsanim.errors import OptionError
from lightsanim.game.board.board import Board
from lightsanim.game.levels import pack_levels
from lightsanim.options.choices import (
    DIFFUSIONS,
    LEVELS,
    MAX_COLOUR_LEVELS,
    ORDERED_DITHERS,
    SEARCHED_DITHERS,
    THRESHOLD,
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
from lightsanim.options.stages import DEFAULT_DETAIL, PictureOptions
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
from lightsanim.pictures.drawn_words import draw_cells, least_shape
from lightsanim.pictures.grey import grey_for_board, grey_from_light, light_for_board
from lightsanim.pictures.light import Light
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.puzzle_pictures import load_source_picture
from lightsanim.pictures.source import PictureSource, to_source
from lightsanim.pictures.spot import find_spot_colours
from lightsanim.pictures.targets import (
    PictureCells,
    dither_cells,
    merge_picture_options,
    resolve_auto_dither,
    resolve_still,
)
from lightsanim.system.threads import map_in_order

LightKey: TypeAlias = tuple[int, int, bool, bool]  # rows, columns, in colour, flat
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
    """One tile of a preview: the picture with one option changed."""

    settings: Settings
    label: str  # The option as written on the command line.
    note: str = ""  # The options that a preset sets.


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
    drawable = (
        (title, [variant for variant in group if subject.can_be_drawn_with(variant.settings)])
        for title, group in _build_variant_groups(subject)
    )
    groups = {title: group for title, group in drawable if group}
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
        variants = []
        for change, label, note in group:
            with suppress(OptionError):  # the change conflicts with another option
                own = attrs.evolve(settings, **change)
                variants.append(Variant(settings=own, label=label, note=note))
        yield title, variants


def _load_preview_picture(
    source: PictureSource, settings: Settings, theme: Theme
) -> "_PreviewPicture":
    kinds = {rgb: attrs.evolve(settings, rgb=rgb, spot=False) for rgb in (False, True)}
    pictures = {rgb: load_source_picture(source, kind) for rgb, kind in kinds.items()}
    grey = pictures[False]
    board = choose_board(grey, settings, theme)
    if max(board.shape) > MAX_SIDE:
        flaw = f"at most {MAX_SIDE} cells a side, not {board.columns}x{board.rows}"
        raise OptionError(f"a preview shows boards of {flaw}; set a smaller size")
    if grey.word:
        draw_cells(grey.word, *board.shape)  # raises OptionError for too few cells
    part, _ = resolve_still(grey, settings, board.columns / board.rows)
    pictures = {rgb: replace(picture, own={}) for rgb, picture in pictures.items()}
    settings = attrs.evolve(settings, **part.own)
    return _PreviewPicture(pictures=pictures, settings=settings, theme=theme)


@dataclass(frozen=True, kw_only=True, eq=False)
class _PreviewPicture:
    """The picture of a preview with its options and colours."""

    pictures: Mapping[bool, Picture]  # The picture in grey (False) and in colour (True).
    settings: Settings  # Options, including the picture's own.
    theme: Theme

    @cached_property
    def is_coloured(self) -> bool:
        """True if the picture has colours other than grey."""
        return bool(np.ptp(self.pictures[True].light[::8, ::8], axis=2).max() > GREYISH)

    def can_be_drawn_with(self, settings: Settings) -> bool:
        """Return whether the board has enough cells, and the picture enough colours, if needed."""
        word = self.pictures[False].word
        if word and np.less(self._board_shape_for(settings), least_shape(word)).any():
            return False
        if not settings.spot or settings == self.settings:
            return True
        settings = self._choose_dither(settings)
        cells = self._read_cells(settings, self._load_light(self._light_cache_key(settings)))
        with suppress(OptionError):
            find_spot_colours([cells.rgb], settings.levels)
            return True
        return False

    @cached_property
    def board_shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        return self._board_shape_for(self.settings)

    def _board_shape_for(self, settings: Settings) -> tuple[int, int]:
        return self._choose_board(settings).shape

    def _choose_board(self, settings: Settings) -> Board:
        return choose_board(self.pictures[False], settings, self.theme)

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
        """Draw the tiles of several variants."""
        # Scaling the light takes as long as everything else, so tiles with equal boards share it.
        # Variants with equal settings share an image.
        chosen = [self._choose_dither(variant.settings) for variant in variants]
        distinct = list(dict.fromkeys(chosen))
        kinds = sorted(set(map(self._light_cache_key, distinct)))
        lights = dict(zip(kinds, map_in_order(self._load_light, kinds), strict=True))
        drawn_images = map_in_order(partial(self._draw_image, lights), distinct)
        images = dict(zip(distinct, drawn_images, strict=True))
        base = self._choose_dither(self.settings)
        return [
            SheetTile(image=images[own], label=variant.label, note=variant.note, marked=own == base)
            for variant, own in zip(variants, chosen, strict=True)
        ]

    def _choose_dither(self, settings: Settings) -> Settings:
        # Returns the settings with the dither and the detail that the picture gets.
        picture = self.pictures[settings.reads_colour]
        still = resolve_auto_dither(picture, settings, self._choose_board(settings))
        return merge_picture_options(settings, still).with_defaults_for()

    def _light_cache_key(self, settings: Settings) -> LightKey:
        shape = self._board_shape_for(settings)
        return *shape, settings.reads_colour, settings.has_flat_colours

    def _load_light(self, kind: LightKey) -> Light:
        rows, columns, rgb, is_flat = kind
        part = {name: getattr(self.settings, name) for name in ("crop", "focus", "fit")}
        options = PictureOptions(**part, spot=is_flat, dither=THRESHOLD if is_flat else None)
        return light_for_board(self.pictures[rgb], rows, columns, options)

    def _read_cells(self, settings: Settings, light: Light) -> PictureCells:
        grey = grey_from_light(light, *self._board_shape_for(settings), settings)
        return PictureCells(name="", grey=grey, settings=settings)

    def _draw_image(self, lights: Mapping[LightKey, Light], settings: Settings) -> Image.Image:
        cells = self._read_cells(settings, lights[self._light_cache_key(settings)])
        shape = self._board_shape_for(settings)
        spot = settings.spot and find_spot_colours([cells.rgb], settings.levels)
        targets = [target.configuration for target in dither_cells(cells, shape, spot)]
        shades = pack_levels(np.stack(targets), settings.levels)
        theme = self.theme.with_spot_colours(spot)
        pixels = theme.shades(len(targets), settings.levels)[shades]
        cell = max(1, self.cell_size * self.board_shape[1] // shades.shape[1])
        return Image.fromarray(pixels.repeat(cell, axis=0).repeat(cell, axis=1))

    def draw_original(self) -> Image.Image:
        """Draw the part of the picture that the board shows, undithered."""
        rows, columns = self.board_shape
        settings = attrs.evolve(
            self.settings, autocontrast=False, detail=0, gamma=1, invert=False, tone="srgb"
        )
        planes = grey_for_board(
            self.pictures[True], rows * self.cell_size, columns * self.cell_size, settings
        )
        return Image.fromarray(np.rint(planes * 255).astype(np.uint8).transpose(1, 2, 0))
