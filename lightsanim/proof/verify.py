"""Proof that an animation's file shows only legal clicks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, InaccessibleError, OptionError
from lightsanim.film.transitions.halftone import blurred_errors
from lightsanim.film.transitions.searched_ends import CLICK_TONES
from lightsanim.game.board.automaton import next_configuration
from lightsanim.game.levels import Lights, Shades, pack_levels
from lightsanim.options.checks import check_choice
from lightsanim.options.choices import LEVELS
from lightsanim.options.picture_options import format_source
from lightsanim.options.values import to_size
from lightsanim.output.formats.metadata import FrameHash, OtherVersionError
from lightsanim.output.formats.registry import InputFile, local_path
from lightsanim.pictures.source import PictureSource
from .animation_file import AnimationFile, ExpectedBoard, FrameShades, open_animation_file
from .cell_readers import Cells, FrameError
from .click_finder import BoardChange, ClickCount, ClickFinder
from .film_command import make_film_command
from .target_match import TargetMatch, format_picture_settings, load_target_matches

OnFrame = Callable[[int, int], None]

Verdict = Literal["legal", "not legal", "cannot tell"]


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The result of `verify`.

    Attributes:
        verdict: "legal" if the whole proof succeeded: each frame follows from the previous one by
            no more clicks than the file states; a panel of clicks shows such clicks; the first and
            the last frame are accessible; the frames are those that were written; and a page can
            play no others.  "not legal" if one of these is false.  "cannot tell" if this version
            can neither prove nor refute them: a frame's fewest clicks were not found, cells are
            not clean, or another version wrote a page or an SVG film.
        legal: whether the verdict is "legal".
        rows, columns, rule, wrap, levels: the board.
        boards: number of colour planes: 1, or 3 in colour.
        frames: number of frames; up to the first illegal frame if there is one.
        clicks: number of clicks from the first frame to the last, in all colour planes together;
            None if it could not be proven that they are as few as the file states.
        most_clicks: largest number of clicks between two frames, or None like ``clicks``.
        seconds: duration; None if the file does not state it, as for a folder.
        first_illegal: number of the first illegal frame, from 0; None if there is none, or if no
            single frame is to blame.
        reason: why the verdict is not "legal"; None if it is.
        wrong: for each target, the number of wrong cells in its frame, in all colour planes
            together; None if there are no targets, or not all frames could be read.
        errors: for each target, the blurred error of its frame, 0..1, if a search chose the
            pictures in place of dithering; ``wrong`` is then None.
        shown: for each target, the number of its frame; None without targets.
        clicks_error: blurred error of the clicks from the first frame to the last, 0..1, as the
            option ``clicks_picture`` of `make` reports it; None like ``wrong``.
        notes: further remarks, one sentence each.
        command: command that makes the file again from pictures in the current folder, if it
            states how it was made; None if not.
    """

    verdict: Verdict
    rows: int
    columns: int
    rule: str
    wrap: bool
    levels: int = 2
    boards: int
    frames: int
    clicks: int | None
    most_clicks: int | None
    seconds: float | None
    first_illegal: int | None = None
    reason: str | None = None
    wrong: list[int] | None = None
    errors: list[float] | None = None
    shown: list[int] | None = None
    clicks_error: float | None = None
    notes: list[str] = field(default_factory=list)
    command: str | None = None

    @property
    def legal(self) -> bool:
        """Whether the verdict is "legal"."""
        return self.verdict == "legal"

    def as_dict(self) -> dict[str, Any]:
        """Return the members of the JSON object that ``--json`` prints."""
        return {"verdict": self.verdict, "legal": self.legal, **asdict(self)}


def verify(
    path: InputFile,
    *,
    size: str | int | None = None,
    rule: str | None = None,
    wrap: bool | None = None,
    levels: int | None = None,
    targets: Sequence[PictureSource] = (),
    clicks_target: PictureSource | None = None,
    on_frame: OnFrame = lambda done, total: None,
) -> Verification:
    """Prove that each frame of an animation's file follows from the previous one by clicks.

    The proof does not rely on the solver.  Configurations are read from the pixels, every step is
    solved again, and the clicks are pressed; if frames show their clicks, these are pressed.  The
    file's metadata state the board and the number of clicks of each frame; without metadata any
    number is legal.  The clicks in a page or a JSON file are pressed directly; a page must also
    equal, byte by byte, the page that its film renders to.

    Args:
        path: a file or a folder that `Animation.save` wrote, except for lamps; or the content of
            such a file, as bytes or a binary file object.
        size: size of the board, as for `make`; needed if the file does not state its board.
        rule: rule of the board; plus by default.
        wrap: whether the edges of the board are joined; false by default.
        levels: number of states of a cell; 2 by default.  Without metadata they must be evenly
            spaced in luma, from the darkest cell of the file to the lightest.
        targets: pictures to compare with the frames, dithered with the settings in the file: the
            first with frame 0, each other one with the nearest frame.  A clip is compared by its
            first frame, in the tones of the whole clip.
        clicks_target: picture to compare with the cells clicked from the first frame to the last.
            They are found from the frames, so a board with quiet patterns needs single clicks.
        on_frame: called with the number of proven frames and the estimated number of all frames.

    The defaults apply to files that do not state their board; for others, the options must agree.

    Raises:
        AnimationError: if the file cannot be read.
        OptionError: if the suffix is unknown, the size is missing, or an option contradicts the
            file.
        PictureError: if a target cannot be read.

    >>> import lightsanim, tempfile
    >>> fade = np.linspace(0, 1, 40).reshape(1, 40).repeat(30, axis=0)
    >>> animation = lightsanim.make([fade, fade[:, ::-1]], size="10x8", seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     animation.save(f"{folder}/out.gif")
    ...     verification = verify(f"{folder}/out.gif", targets=[fade])
    >>> verification.legal, verification.clicks == len(animation.clicks), verification.wrong
    (True, True, [0])
    """
    with local_path(path) as local:
        try:
            expected = ExpectedBoard(
                size=None if size is None else to_size(size),
                rule=rule,
                wrap=wrap,
                levels=None if levels is None else check_choice("levels", levels, LEVELS),
            )
            with open_animation_file(local, expected) as file:
                about = file.board, file.planes, file.origin
                matches = load_target_matches(targets, *about)
                clicked = () if clicks_target is None else (clicks_target,)
                clicks_match = next(iter(load_target_matches(clicked, *about, CLICK_TONES)), None)
                proof = _prove(file, matches, clicks_match, on_frame)
                return replace(proof, command=make_film_command(file, local))
        except (AnimationError, OptionError) as error:
            reason = str(error).removeprefix(f"cannot read {local}: ")
            raise type(error)(f"cannot verify {local}: {reason}") from error


def _prove(
    file: AnimationFile,
    matches: list[TargetMatch],
    clicks_target: TargetMatch | None,
    on_frame: OnFrame,
) -> Verification:
    finder, lit_cells, seconds = ClickFinder(file.board), _LitCells(file), list[float | None]()
    clicks = _FewClicks(file, finder, lit_cells)
    sum_of_clicks = _ClicksPicture(file, finder, clicks_target)
    proofs = [
        *(_AccessibleEnds(file), lit_cells, _EqualHalves(file), _PanelClicks(file), clicks),
        *(_ClickMarks(file), _PuzzleSolutions(file), _WrittenFrames(file)),
        *(_NearestFrames(file, matches), sum_of_clicks),
    ]
    error = _find_flaw(file, proofs, seconds, on_frame)
    is_complete, is_counted = error is None, clicks.unproven is None
    if error is None and not is_counted:
        reason = f"frame {clicks.unproven} may need more clicks than the file states (not proven)"
        error = FrameError(None, reason, is_unclear=True)
    if file.flaw is not None:
        film = "legal" if error is None else f"not legal: {error}"
        reason = f"{file.flaw}; the film that it contains is {film}"
        error = FrameError(None, reason, is_unclear=isinstance(file.flaw, OtherVersionError))
    flawed: Verdict = "cannot tell" if error and error.is_unclear else "not legal"
    verdict: Verdict = "legal" if error is None else flawed
    is_read = is_complete and verdict != "not legal"
    counts = clicks.counts if file.animation is None else file.animation.clicks_by_frame.tolist()
    total, shown = sum(time or 0 for time in seconds), matches if is_read else []
    return Verification(
        verdict=verdict,
        **file.board.as_dict(),
        boards=file.planes,
        frames=len(seconds),
        clicks=sum(counts) if is_counted else None,
        most_clicks=max(counts, default=0) if is_counted else None,
        seconds=None if None in seconds else round(total, 3),
        first_illegal=error.frame if error is not None and verdict == "not legal" else None,
        reason=None if error is None else str(error),
        wrong=[int(match.difference) for match in shown if not match.is_searched] or None,
        errors=[round(match.difference, 4) for match in shown if match.is_searched] or None,
        shown=[match.best_frame for match in shown] or None,
        clicks_error=sum_of_clicks.find_error() if is_read else None,
        notes=[note for proof in proofs for note in proof.notes()] if is_read else [],
    )


def _find_flaw(
    file: AnimationFile,
    proofs: Sequence["_Proof"],
    seconds: list[float | None],  # To which the durations of frames are added.
    on_frame: OnFrame,
) -> FrameError | None:
    # Return what refutes one of the proofs, or what they cannot tell; None if all succeed.
    try:
        for step in _iter_steps(file):
            seconds.append(step.frame.seconds)
            for proof in proofs:
                proof.see(step)
            on_frame(step.number + 1, max(step.number + 1, file.frame_count))
        if not seconds:
            raise AnimationError("it has no frames")
        for proof in proofs:
            proof.end()
    except FrameError as flaw:
        return flaw
    except OtherVersionError as flaw:
        return FrameError(None, str(flaw), is_unclear=True)
    return None


class _Step(NamedTuple):
    """The step to a frame from the previous one; frame 0 follows itself."""

    number: int  # Number of the frame.
    frame: FrameShades
    before: Shades  # Shades of the previous frame.
    changed: Cells  # Numbers of the cells whose shades differ.
    presses: Shades | None  # The clicks of this step that the panel shows; None without a panel.


def _iter_steps(file: AnimationFile) -> Iterator[_Step]:
    board, before, panel = file.board, cast(Shades | None, None), cast(Shades | None, None)
    for number, frame in enumerate(file.frames):
        before = frame.shades.copy() if before is None else before
        changed = np.flatnonzero(frame.shades != before)
        presses = frame.presses
        if presses is not None and panel is not None:
            if (panel == presses).all() and not len(changed):
                presses = np.zeros_like(presses)  # this frame repeats the previous one
            elif file.shows_total:
                raised = board.subtract(file.unpack_shades(presses), file.unpack_shades(panel))
                presses = pack_levels(raised, board.levels)
        yield _Step(number, frame, before, changed, presses)
        before.ravel()[changed] = frame.shades.ravel()[changed]
        panel = None if frame.presses is None else frame.presses.copy()


@dataclass
class _Proof:
    """The proof of one property of a film, which sees the film step by step."""

    file: AnimationFile

    def see(self, step: _Step) -> None:
        """Check a step; raise FrameError if the film does not have the property."""

    def end(self) -> None:
        """Check the film as a whole, after its last step; raise FrameError like `see`."""

    def notes(self) -> Iterator[str]:
        """Yield remarks for the user, one sentence each."""
        yield from ()

    def _find_only_clicks(self, before: Shades, now: Shades) -> Lights:
        # Return the click set on each plane, (planes, rows, columns), without quiet patterns.
        planes = zip(*map(self.file.unpack_shades, (before, now)), strict=True)
        return np.stack([self.file.board.clicks_between(*plane) for plane in planes])

    def _list_changes(self, step: _Step) -> list[BoardChange]:
        # Return the change of each colour plane.
        before, now = (
            self.file.unpack_shades(shades.ravel()[step.changed][None])[:, 0]
            for shades in (step.before, step.frame.shades)
        )
        raised = self.file.board.subtract(now, before)
        return [BoardChange(cells=step.changed[rise > 0], raised=rise[rise > 0]) for rise in raised]


class _AccessibleEnds(_Proof):
    """The first and the last frame are accessible, and so all frames between them."""

    def see(self, step: _Step) -> None:
        self._last = step.number, step.frame.shades  # an array that all frames share
        if step.number == 0:
            self.end()

    def end(self) -> None:
        number, shades = self._last
        if not all(map(self.file.board.is_accessible, self.file.unpack_shades(shades))):
            reference = "all-on" if self.file.board.levels == 2 else "all-off"
            raise FrameError(number, f"no clicks lead from the {reference} board to frame {number}")


@dataclass
class _LitCells(_Proof):
    """Each step presses exactly the lit cells, with few exceptions: a film of the automaton."""

    lit_clicks: int | None = None  # Number of clicks of the last step, if these fit.
    steps: int = 0
    misses: list[int] | None = field(default_factory=list)  # The exceptions; None if too many.

    def see(self, step: _Step) -> None:
        self.lit_clicks = None
        if self.misses is None or not len(step.changed):
            return
        self.steps += 1
        board, film, unpack = self.file.board, self.file.animation, self.file.unpack_shades
        before, number = unpack(step.before), step.number
        expected = (next_configuration(board, plane) for plane in before)
        pressed = step.presses if film is None else film.presses_between(number - 1, number)
        is_hit = all(map(np.array_equal, expected, unpack(step.frame.shades)))
        if pressed is not None:
            is_hit = is_hit and not board.add(before, unpack(pressed)).any()
        if is_hit:
            pressed_once = board.subtract(np.zeros_like(before), before)
            self.lit_clicks = sum(map(board.count, pressed_once))
        else:
            self.misses.append(number)
        if len(self.misses) > max(1, self.steps // 4):
            self.misses = None

    def notes(self) -> Iterator[str]:
        if self.misses is not None and self.steps > 2:
            misses = " and frame ".join(map(str, self.misses))
            except_for = f", except frame {misses}" * bool(misses)
            yield f"Each step pressed exactly the lit cells{except_for}."


@dataclass
class _EqualHalves(_Proof):
    """Each step of a film with pictures beside makes the same clicks on both halves."""

    unpaired: int = 0  # First frame whose clicks differ between the halves, or 0.

    @property
    def _has_halves(self) -> bool:
        origin = self.file.origin
        has_pictures_beside = origin is not None and bool(origin.settings.get("beside"))
        return has_pictures_beside and not self.file.board.nullity

    def see(self, step: _Step) -> None:
        if self._has_halves and not self.unpaired and len(step.changed):
            clicks = self._find_only_clicks(step.before, step.frame.shades)
            left, right = np.array_split(clicks, 2, axis=-1)
            self.unpaired = 0 if np.array_equal(left, right) else step.number

    def notes(self) -> Iterator[str]:
        if self.unpaired:
            yield f"Frame {self.unpaired} clicked the two halves of the board differently."
        elif self._has_halves:
            yield "Each click was made on both halves of the board."


class _PanelClicks(_Proof):
    """The clicks that the panel shows lead from each frame to the next."""

    def see(self, step: _Step) -> None:
        self._panel, number = step.frame.presses, step.number
        if step.presses is None:
            return
        if number == 0 and step.presses.any():
            raise FrameError(number, "frame 0 shows clicks, but there is no frame before it")
        boards = map(self.file.unpack_shades, (step.before, step.presses, step.frame.shades))
        for before, clicks, now in zip(*boards, strict=True):
            reached = self.file.board.add(before, self.file.board.toggles(clicks))
            if not np.array_equal(reached, now):
                raise FrameError(number, f"the clicks in the panel do not lead to frame {number}")

    def notes(self) -> Iterator[str]:
        if self.file.shows_total:
            film = self.file.animation
            panel = cast(Shades, self._panel) if film is None else film.presses_between(0, -1)
            count = self.file.board.count(self.file.unpack_shades(panel))
            yield f"The panel shows all clicks so far, {count} in the last frame."


@dataclass
class _FewClicks(_Proof):
    """Each step takes no more clicks than the file states, and no step is missing."""

    finder: ClickFinder
    lit_cells: _LitCells
    counts: list[int] = field(default_factory=list)  # Empty if the file stores the clicks.
    unproven: int | None = None  # First frame whose fewest clicks were not found.

    def see(self, step: _Step) -> None:
        if self.file.animation is not None or not len(step.changed):
            return
        number = step.number
        limit = None  # number of clicks according to the metadata
        if self.file.metadata is not None:
            steps = self.file.metadata.steps
            if len(self.counts) == len(steps):
                raise FrameError(number, f"frame {number} exceeds the stated number of frames")
            limit = int(steps[len(self.counts)])
        try:
            count = self._find_clicks(step, limit)
        except InaccessibleError:
            reason = f"no clicks lead from the previous frame to frame {number}"
            raise FrameError(number, reason) from None
        if limit is not None and count.bound > limit:
            reason = f"takes {count.clicks} clicks, but the file states {limit}"
            reason = "is not one click away from the previous frame" if limit == 1 else reason
            raise FrameError(number, f"frame {number} {reason}")
        if limit is not None and count.clicks > limit and self.unproven is None:
            self.unproven = number
        self.counts.append(count.clicks)

    def _find_clicks(self, step: _Step, limit: int | None) -> ClickCount:
        # Count the clicks of a step in all colour planes together.
        lit_clicks = self.lit_cells.lit_clicks
        if limit is not None and lit_clicks is not None and lit_clicks <= limit:
            return ClickCount(lit_clicks, 1)
        if step.presses is not None:
            shown_clicks = sum(map(self.file.board.count, self.file.unpack_shades(step.presses)))
            return ClickCount(shown_clicks, shown_clicks)
        counts = self.finder.count_step_clicks(self._list_changes(step), limit)
        return ClickCount(sum(c.clicks for c in counts), sum(c.bound for c in counts))

    def end(self) -> None:
        steps = () if self.file.metadata is None else self.file.metadata.steps
        if (missing := len(steps) - len(self.counts)) > 0:
            raise FrameError(
                None, f"{missing} of its {len(steps) + 1} different frames are missing"
            )

    def notes(self) -> Iterator[str]:
        states_clicks = self.file.metadata is not None or self.file.animation is not None
        if not states_clicks and self.file.board.nullity == 0:
            yield "The file states no clicks, and on its board clicks can make any change of cells."


class _ClickMarks(_Proof):
    """The marked cells are those that were clicked, where only these clicks fit."""

    _marks: NDArray[np.bool_] | None = None  # Marks in the last frame.

    def see(self, step: _Step) -> None:
        if step.frame.marks is None:
            return
        board, before, shades = self.file.board, step.before, step.frame.shades
        old, self._marks = self._marks, step.frame.marks.copy()
        is_repeated = old is not None and not len(step.changed) and (old == self._marks).all()
        if is_repeated or not self._marks.any():
            return
        if board.nullity == 0:
            clicked = self._find_only_clicks(before, shades).any(axis=0)
            is_right = np.array_equal(clicked, self._marks)
        elif board.levels == 2 and self.file.planes == 1:
            reached = board.add(before == 1, board.toggles(self._marks))
            is_right = np.array_equal(reached, shades == 1)
        else:
            return
        if not is_right:
            raise FrameError(
                step.number,
                f"frame {step.number} marks other cells than those that were clicked",
                is_unclear=True,
            )


class _PuzzleSolutions(_Proof):
    """The clicks of each puzzle of a page turn off all cells."""

    def end(self) -> None:
        for number, puzzle in enumerate(self.file.puzzles, 1):
            if puzzle.last.any():
                raise FrameError(None, f"the clicks of puzzle {number} do not turn off all cells")

    def notes(self) -> Iterator[str]:
        if len(self.file.puzzles) > 1:
            yield (
                f"The clicks in the file turn off each of its {len(self.file.puzzles)} puzzles, "
                "but may not be the fewest; the frames are those of the first puzzle."
            )


class _WrittenFrames(_Proof):
    """The frames are those that were written, by their digest in the metadata."""

    @cached_property
    def _hash(self) -> FrameHash:
        return FrameHash(self.file.planes, self.file.board.levels)

    def see(self, step: _Step) -> None:
        if self.file.metadata is not None and (len(step.changed) or step.number == 0):
            self._hash.add_frame(step.frame.shades)

    def end(self) -> None:
        metadata = self.file.metadata
        if metadata is not None and self._hash.hex_digest != metadata.sha256:
            raise FrameError(None, "its frames are legal, but differ from those that were written")

    def notes(self) -> Iterator[str]:
        if self.file.theme.transparent_parts:
            yield "Parts of the frames are transparent: there players show their own background."


@dataclass
class _NearestFrames(_Proof):
    """The frames that are nearest to pictures; these may differ, so nothing is refuted."""

    matches: list[TargetMatch]

    def see(self, step: _Step) -> None:
        if len(step.changed) or step.number == 0:
            for match in self.matches if step.number else self.matches[:1]:
                match.compare_frame(step.number, step.frame.shades)

    def notes(self) -> Iterator[str]:
        origin = self.file.origin
        options = [format_picture_settings(origin)] if self.matches else []
        options += [format_source(match.path, match.own) for match in self.matches if match.own]
        if any(options):
            text = " ".join(filter(None, options))
            yield f"The pictures are dithered with the settings in the file: {text}."
        digests = origin.sha256 if origin else ()
        for match in self.matches:
            if any(digests) and match.sha256 not in digests:
                yield f"{match.path} is not one of the pictures that the file was made from."


@dataclass
class _ClicksPicture(_Proof):
    """The clicks from the first frame to the last, to compare with a picture."""

    finder: ClickFinder
    target: TargetMatch | None
    # Single clicks since frame 0 on a board with quiet patterns; None if unknown or not needed.
    clicks: Lights | None = None

    def see(self, step: _Step) -> None:
        self._last = step.frame.shades
        if step.number == 0:
            self._first = step.frame.shades.copy()
            if self.target is not None and self.file.board.nullity:
                self.clicks = np.zeros_like(self.target.lights)
        if self.clicks is None:
            return
        # Add the click on each plane, unless there is not exactly one that fits.
        added = np.zeros_like(self.clicks)
        for plane, change in enumerate(self._list_changes(step)):
            cells = self.finder.find_clicks(change) if len(change.cells) else []
            if len(cells) != bool(len(change.cells)):
                self.clicks = None
                return
            added[plane].flat[cells] = 1
        self.clicks = self.file.board.add(self.clicks, added)

    def find_error(self) -> float | None:
        """Return the blurred error of the clicks; None without a picture."""
        if self.target is None:
            return None
        clicks = self.clicks
        if self.file.board.nullity == 0:
            clicks = self._find_only_clicks(self._first, self._last)
        if clicks is None:
            raise OptionError(
                "clicks_target needs a board without quiet patterns, or frames one click apart",
                "clicks_target",
            )
        if not clicks.any():
            raise OptionError(
                "clicks_target has no clicks to compare: they cancel out until the last frame",
                "clicks_target",
            )
        shown = clicks / (self.file.board.levels - 1)
        return round(float(blurred_errors(shown, self.target.greys).mean()), 4)
