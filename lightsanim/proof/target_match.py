"""Comparison of a file's frames with the targets of pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, OptionError
from lightsanim.film.origin import Origin
from lightsanim.film.transitions.halftone import blurred_errors
from lightsanim.film.transitions.searched_ends import (
    has_searched_ends,
    picture_tones,
    searched_greys,
)
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights, Shades, unpack_levels
from lightsanim.options.legacy import SERPENTINE, modernize_record
from lightsanim.options.records import option_names, options_from_record
from lightsanim.options.settings import PER_PICTURE, Settings
from lightsanim.options.shell import format_shell_line
from lightsanim.options.stages import PictureOptions
from lightsanim.pictures.clip import Clip, dither_clip
from lightsanim.pictures.load import load_source
from lightsanim.pictures.source import PictureSource, Source, to_source
from lightsanim.pictures.targets import Destination, targets_for


@dataclass(kw_only=True, eq=False)
class TargetMatch:
    """The target of a picture, and the nearest frame so far."""

    path: str  # Name of the picture in messages.
    sha256: str | None  # SHA-256 of the picture's file; None for an image or an array.
    own: Mapping[str, Any]  # The picture's own options, according to the animation file.
    lights: Lights  # Configuration of the target, (planes, rows, columns).
    greys: NDArray[np.float64]  # What a search aims at, 0..1, (planes, rows, columns).
    is_searched: bool  # Whether a search chose the picture's frame, instead of dithering.
    levels: int  # Number of levels of a cell.
    # Number of wrong cells in the nearest frame, in all colour planes; or its blurred error.
    difference: float = 0
    best_frame: int = -1  # Number of the nearest frame; -1 before the first comparison.

    def compare_frame(self, number: int, shades: Shades) -> None:
        """Compare the target with a frame, and keep the frame if it is the nearest so far."""
        lights = unpack_levels(shades, len(self.lights), self.levels)
        # In a film of two halves, the picture may be in either.
        for part in np.split(lights, lights.shape[-1] // self.lights.shape[-1], axis=-1):
            if self.is_searched:
                difference = float(blurred_errors(part / (self.levels - 1), self.greys).mean())
            else:
                difference = float(np.count_nonzero(part != self.lights))
            if self.best_frame < 0 or difference < self.difference:
                self.difference, self.best_frame = difference, number


def load_target_matches(
    pictures: Sequence[PictureSource],
    board: Board,
    planes: int,
    origin: Origin | None,
    tones: tuple[float, float] | None = None,
) -> list[TargetMatch]:
    """Load pictures, and dither them with the settings in the file, or with the defaults."""
    settings, matches = settings_from_origin(origin if pictures else None), list[TargetMatch]()
    settings = attrs.evolve(settings, levels=cast(Any, board.levels), rgb=planes == 3)
    tones = tones or picture_tones(settings, len(origin.sha256) if origin else 0)
    if settings.beside and board.columns % 2 == 0:
        board = replace(board, columns=board.columns // 2)
    own_by_digest = _picture_options_by_digest(origin)
    for source in map(to_source, pictures):
        picture = load_source(source, settings, settings.fps)
        # If a picture occurs several times, its options are used in order of appearance.
        own_options: list[Mapping[str, Any]] = own_by_digest.get(picture.sha256, [{}])
        own = own_options.pop(0) if len(own_options) > 1 else own_options[0]
        # Options that choose a frame of a clip, or a backdrop, take effect only during loading.
        if isinstance(picture, Clip) or "backdrop" in own:
            known = {name: value for name, value in own.items() if name != SERPENTINE}
            again = Source(source.picture, **{**known, **source.own})
            picture = load_source(again, settings, settings.fps)
        picture = replace(picture, own={**own, **picture.own})
        if isinstance(picture, Clip):  # only its first frame, with the tones of the whole clip
            clip_settings = settings.with_defaults_for(picture.fps)
            to = Destination.of(clip_settings, board)
            targets = next(dither_clip(picture, to, clip_settings.frame_rate))
        else:
            targets = targets_for(picture, board, settings)
        matches.append(
            TargetMatch(
                path=source.path,
                sha256=picture.sha256,
                own=own,
                lights=np.stack([target.configuration for target in targets]),
                greys=searched_greys(targets, tones),
                is_searched=has_searched_ends(settings),
                levels=board.levels,
            )
        )
    return matches


def _picture_options_by_digest(origin: Origin | None) -> dict[str | None, list[Mapping[str, Any]]]:
    # Collect the options of each picture by its digest, for each of its occurrences.
    by_digest: dict[str | None, list[Mapping[str, Any]]] = {}
    if origin is not None:
        for digest, own in zip(origin.sha256, origin.own, strict=False):
            record = modernize_record(own)
            options = {n: value for n, value in record.items() if n in (*PER_PICTURE, SERPENTINE)}
            by_digest.setdefault(digest, []).append(options)
    return by_digest


def format_picture_settings(origin: Origin | None) -> str:
    """Format the picture options in a file's settings that differ from the defaults.

    >>> origin = Origin(program="1", settings={"dither": "bayer4", "gamma": 2.0}, sha256=())
    >>> format_picture_settings(origin)
    '--dither bayer --gamma 2'
    """
    settings = settings_from_origin(origin).with_defaults_for()
    default = Settings().with_defaults_for()
    # The frames themselves show whether ``rgb`` was set.
    names = [name for name in option_names(PictureOptions) if name != "rgb"]
    diff = {n: getattr(settings, n) for n in names if getattr(settings, n) != getattr(default, n)}
    return format_shell_line(diff)


def settings_from_origin(origin: Origin | None) -> Settings:
    """Return the settings that an animation was made with, or the default settings."""
    try:
        return options_from_record(Settings, {} if origin is None else origin.settings)
    except (OptionError, TypeError, ValueError) as error:
        raise AnimationError(f"its metadata has settings that `make` refuses: {error}") from error
