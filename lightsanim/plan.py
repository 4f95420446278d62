"""The plan of a film: all that it is made from, with every default filled in.

`resolve` decides what the kinds and the number of the pictures decide, `complete` what their pixels
decide.  After that nothing is left open.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from typing import Any

import attrs
import numpy as np

from lightsanim.errors import OptionError
from lightsanim.film.build_film import check_clips
from lightsanim.film.cell_times import digest_order
from lightsanim.film.clip_film import estimate_clip_frames
from lightsanim.film.order import choose_order
from lightsanim.film.origin import Origin
from lightsanim.film.timing import divide_total
from lightsanim.film.transitions.searched_wipe import join_boards
from lightsanim.film.transitions.table import find_transition
from lightsanim.game.board.board import Board
from lightsanim.options.choices import (
    AUTO,
    BLUE_NOISE,
    LEVELS,
    SEARCHED_DITHERS,
    THRESHOLD,
)
from lightsanim.options.colours import Colours
from lightsanim.options.picture_options import format_source
from lightsanim.options.records import JsonValue, options_to_json_object, to_json_values
from lightsanim.options.settings import (
    PER_PICTURE,
    Settings,
    choose_seed,
    transitions_with_option,
)
from lightsanim.options.stages import ClickOptions, PictureOptions
from lightsanim.options.values import CustomOrder, PictureWords, Size
from lightsanim.pictures.faces import INSTALL_OPENCV, can_find_faces
from lightsanim.pictures.inputs import Input, Prepared
from lightsanim.pictures.shots import Shot
from lightsanim.pictures.source import Source
from lightsanim.pictures.spot import find_spot_colours
from lightsanim.pictures.targets import Destination
from lightsanim.system.cores import max_cores
from lightsanim.system.deadline import Deadline
from lightsanim.system.threads import map_in_order
from lightsanim.version import __version__

# Mean CIEDE2000 difference of flat pictures in spot colours above which more levels are suggested.
MAX_FLAT_DIFFERENCE = 1.5

NO_FACE_SEARCH_NOTE = f"No face was looked for, because OpenCV 4 is missing: {INSTALL_OPENCV}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """All that a film is made from."""

    options: Settings  # Options of `make`, with every default filled in.
    board: Board  # The board of each picture.
    sources: Sequence[Source]  # The pictures, and last those of `Settings.more_pictures`.
    prepared: Sequence[Prepared]  # What was chosen for each.
    shots: Sequence[Shot]  # Each dithered.
    notes: Sequence[str]  # Remarks on the pictures and on what was chosen for them.
    cut_short: bool  # Whether the time limit ended the search for a puzzle's answer.

    @property
    def film_board(self) -> Board:
        """The board of the film."""
        return join_boards(self.board) if self.options.beside else self.board

    @property
    def min_step_count(self) -> int | None:
        """Minimum number of steps of the film; None if it consists of single clicks."""
        clips = [shot for shot in self.shots if shot.is_clip]
        if not clips and not find_transition(self.options).makes_steps:
            return None
        return max(0, estimate_clip_frames(clips, self.options.frame_rate) - 1)

    @property
    def has_click_order(self) -> bool:
        """Whether the order of the clicks matters."""
        return has_click_order(self.options, len(self.shots))

    @property
    def shown_count(self) -> int:
        """Number of pictures that the film shows, without those of `Settings.more_pictures`."""
        return len(self.sources) - len(self.options.more_pictures)

    @property
    def digests(self) -> tuple[str | None, ...]:
        """SHA-256 of each picture's file; None without a file."""
        return tuple(picture.sha256 for picture in self.prepared)

    @property
    def own_options(self) -> tuple[dict[str, JsonValue], ...]:
        """Options of each picture alone."""
        return tuple(own_record(picture, self.options) for picture in self.prepared)

    def origin(self, *, cut_short: bool) -> Origin:
        """Return the record of how the film is made."""
        words = tuple(source.word for source in self.sources[: self.shown_count])
        settings = options_to_json_object(self.options)
        own, order, digest = self.own_options, self.options.order, None
        if isinstance(order, CustomOrder):
            digest = digest_order(order, self.board.shape)
        return Origin(
            program=__version__,
            settings=settings,
            sha256=self.digests,
            cut_short=cut_short,
            own=own if any(own) else (),
            order_sha256=digest,
            words=() if all(source.meaning.is_file for source in self.sources) else words,
        )


def resolve(request: Settings, inputs: Sequence[Input]) -> Settings:
    """Return the options with the defaults for stills, or for a film with clips.

    Raises:
        OptionError: if the number of pictures, or an option for clips or for stills, is wrong.
        PictureError: if a picture cannot be read, and there are too few.
    """
    shown = len(inputs) - len(request.more_pictures)
    if request.clicks_picture is not None and shown != 2:
        raise OptionError(f"clicks_picture needs exactly 2 pictures, not {shown}", "clicks_picture")
    if request.beside and len(request.beside) != shown:
        raise OptionError(
            f"beside needs a picture for each of the {shown}, not {len(request.beside)}", "beside"
        )
    rates = [picture.fps for picture in inputs if picture.fps is not None]
    if rates:
        check_clips(len(inputs), request)
        return request.with_defaults_for(rates[0])
    if len(inputs) < (1 if request.transition == "automaton" else 2):
        for picture in inputs:  # an unreadable picture is reported first
            picture.first_frame(request, Deadline(inf))
        raise OptionError(f"an animation needs a clip or at least 2 pictures, not {len(inputs)}")
    options = request.with_defaults_for(pictures=shown)
    divide_total(options, shown)  # raises OptionError if the total is too short
    return options


def complete(
    options: Settings,
    to: Destination,
    inputs: Sequence[Input],
    prepared: Sequence[Prepared],
    *,
    cut_short: bool,
) -> Plan:
    """Dither all pictures, and return the plan with all that depends on their pixels."""
    board, shown = to.board, len(inputs) - len(options.more_pictures)
    chosen: dict[str, Any] = {"seed": choose_seed(options.seed)}
    chosen["size"] = Size(columns=board.columns, rows=board.rows)
    if options.spot is True:
        chosen["spot"] = choose_spot_colours(to, prepared)
    if options.focus is not None and isinstance(options.focus.on, str):
        chosen["focus"] = None  # Each picture has the crop that was found instead.
    options = attrs.evolve(options, **chosen)
    to = replace(to, options=options)

    def dither(picture: tuple[Input, Prepared]) -> Shot:
        opened, ready = picture
        return ready.shot(opened.source.path, to)

    pairs = list(zip(inputs, prepared, strict=True))
    shots = list(map_in_order(dither, pairs, workers=max_cores()))
    more = PictureWords(
        format_source(opened.source.word, own_record(ready, options))
        for opened, ready in pairs[shown:]
    )
    named: dict[str, Any] = {"beside": more} if options.beside else {}
    if options.clicks_picture is not None:
        named["clicks_picture"] = more[0]
    if options.order == AUTO and has_click_order(options, shown):
        stills = (next(shot.targets(1)) for shot in shots[:shown] if not shot.is_clip)
        named["order"] = choose_order([np.array([t.grey for t in planes]) for planes in stills])
    return Plan(
        options=attrs.evolve(options, **named),
        board=board,
        sources=[opened.source for opened in inputs],
        prepared=prepared,
        shots=shots,
        notes=list(dict.fromkeys(describe_choices(to, pairs, shots))),
        cut_short=cut_short,
    )


def own_record(ready: Prepared, common: PictureOptions) -> dict[str, JsonValue]:
    """Return a picture's own options; None only where it replaces one of those for all."""
    own = {name: ready.own[name] for name in PER_PICTURE if name in ready.own}
    return to_json_values(
        {n: v for n, v in own.items() if v is not None or getattr(common, n) is not None}
    )


def choose_spot_colours(to: Destination, prepared: Sequence[Prepared]) -> Colours:
    """Return the colours, one for each level, that fit all pictures best."""
    samples = chain(*(picture.samples(to) for picture in prepared))
    return find_spot_colours([cells.rgb for cells in samples], to.options.levels)


def has_click_order(options: ClickOptions, pictures: int) -> bool:
    """Return whether the order of the clicks matters for this number of pictures."""
    is_ordered = options.transition in transitions_with_option("order") and options.settle
    return is_ordered and pictures > 1


def describe_choices(
    to: Destination, pairs: Sequence[tuple[Input, Prepared]], shots: Sequence[Shot]
) -> list[str]:
    """Return remarks on what was chosen for the pictures, and on what else would suit them."""
    request, options, notes = to.request, to.options, list[str]()
    for opened, ready in pairs:
        if ready.remark:
            notes.append(f"{opened.source.path} {ready.remark}.")
    for opened, ready in pairs:
        source = opened.source
        dither = source.own.get("dither", request.dither)
        if dither in SEARCHED_DITHERS and ready.own.get("dither", options.dither) != dither:
            notes.append(f"Dither {dither} is for stills only: {BLUE_NOISE} was used instead.")
        if opened.remark:
            notes.append(f"{source.path} {opened.remark}.")
        focus = source.own.get("focus", request.focus)
        if focus is not None and focus.on == AUTO and not can_find_faces():
            notes.append(NO_FACE_SEARCH_NOTE)
    flat = [
        target.mean_difference
        for (_, ready), shot in zip(pairs, shots, strict=True)
        if options.spot and ready.own.get("dither") == THRESHOLD and not shot.is_clip
        for target in next(shot.targets(1))
    ]
    if options.levels < LEVELS[-1] and flat and np.mean(flat) > MAX_FLAT_DIFFERENCE:
        notes.append(f"The pictures have more colours than {options.levels}: try more levels.")
    return notes
