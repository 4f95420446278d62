"""Proof that an animation's file shows only legal clicks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, InaccessibleError, OptionError
from lightsanim.film.transitions.halftone import blurred_errors
from lightsanim.film.transitions.searched_ends import CLICK_TONES
from lightsanim.game.board.automaton import next_configuration
from lightsanim.game.levels import Lights, Shades, pack_levels, unpack_levels
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
                pictures = load_target_matches(targets, *about)
                clicked = () if clicks_target is None else (clicks_target,)
                clicks = load_target_matches(clicked, *about, CLICK_TONES)
                proof = _ProofState(file, pictures, clicks).verify_frames(on_frame)
                return replace(proof, command=make_film_command(file, local))
        except (AnimationError, OptionError) as error:
            reason = str(error).removeprefix(f"cannot read {local}: ")
            raise type(error)(f"cannot verify {local}: {reason}") from error


class _ProofState:
    """The state of the proof after the frames read so far."""

    def __init__(
        self, file: AnimationFile, pictures: list[TargetMatch], clicks_targets: list[TargetMatch]
    ) -> None:
        self._file, self._metadata, self._pictures = file, file.metadata, pictures
        self._clicks_target = next(iter(clicks_targets), None)
        self._finder = ClickFinder(file.board)
        self._hash = None if self._metadata is None else FrameHash(file.planes, file.board.levels)
        self._shades: Shades | None = None
        self._first: Shades | None = None
        self._presses: Shades | None = None
        self._marks: NDArray[np.bool_] | None = None  # Marks in the last frame.
        # Single clicks since frame 0 on a board with quiet patterns; None if unknown or not needed.
        self._clicks: Lights | None = None
        if self._clicks_target is not None and file.board.nullity:
            self._clicks = np.zeros_like(self._clicks_target.lights)
        self._frames = 0
        self._seconds: list[float | None] = []
        self._counts: list[int] = []
        self._unproven: int | None = None
        self._is_complete = False  # whether all frames were read, and follow from each other
        # First frame whose clicks differ between the halves of the board; 0 if no frame does, None
        # if the film does not consist of two halves.
        is_paired = file.origin is not None and bool(file.origin.settings.get("beside"))
        self._unpaired = 0 if is_paired and not file.board.nullity else None
        # Number of steps; frames that do not come from pressing all lit cells, None if too many.
        self._steps, self._misses = 0, cast(list[int] | None, [])

    def verify_frames(self, on_frame: OnFrame) -> Verification:
        """Check all frames up to the first illegal one, and return the result."""
        file, error = self._file, cast(FrameError | None, None)
        try:
            for number, frame in enumerate(file.frames):
                self._check_frame(number, frame)
                on_frame(number + 1, max(number + 1, file.frame_count))
            self._check_last_frame()
        except FrameError as flaw:
            error = flaw
        except OtherVersionError as flaw:
            error = FrameError(None, str(flaw), is_unclear=True)
        else:
            self._is_complete = True
            if self._unproven is not None:
                reason = f"frame {self._unproven} may need more clicks than the file states"
                error = FrameError(None, f"{reason} (not proven)", is_unclear=True)
        if file.flaw is not None:
            film = "legal" if error is None else f"not legal: {error}"
            reason = f"{file.flaw}; the film that it contains is {film}"
            is_unclear = isinstance(file.flaw, OtherVersionError)
            error = FrameError(None, reason, is_unclear=is_unclear)
        return self._build_verification(error)

    def _check_frame(self, number: int, frame: FrameShades) -> None:
        self._frames += 1
        self._seconds.append(frame.seconds)
        shades = frame.shades
        if self._shades is None:
            self._check_accessible(number, shades)
            self._shades, self._first = shades.copy(), shades.copy()
        changed = np.flatnonzero(shades != self._shades)
        if frame.presses is not None:
            clicks = self._check_click_panel(number, frame.presses, shades)
            frame = frame._replace(presses=clicks)
        if self._clicks is not None:
            self._clicks = self._add_single_clicks(self._clicks, changed, frame)
        if len(changed):
            self._check_clicks(number, changed, frame, self._check_automaton(number, frame))
            if self._unpaired == 0 and not self._clicks_halves_alike(self._shades, shades):
                self._unpaired = number
        if frame.marks is not None:
            self._check_marks(number, frame.marks, shades)
        self._shades.ravel()[changed] = shades.ravel()[changed]
        if len(changed) or number == 0:
            if self._hash is not None:
                self._hash.add_frame(shades)
            for picture in self._pictures if number else self._pictures[:1]:
                picture.compare_frame(number, shades)

    def _check_last_frame(self) -> None:
        if self._shades is None:
            raise AnimationError("it has no frames")
        self._check_accessible(self._frames - 1, self._shades)
        for number, puzzle in enumerate(self._file.puzzles, 1):
            if puzzle.last.any():
                raise FrameError(None, f"the clicks of puzzle {number} do not turn off all cells")
        if self._metadata is None or self._hash is None:
            return
        steps = self._metadata.steps
        if len(self._counts) < len(steps):
            missing = f"{len(steps) - len(self._counts)} of its {len(steps) + 1} different frames"
            raise FrameError(None, f"{missing} are missing")
        if self._hash.hex_digest != self._metadata.sha256:
            raise FrameError(None, "its frames are legal, but differ from those that were written")

    def _check_accessible(self, number: int, shades: Shades) -> None:
        board = self._file.board
        if not all(map(board.is_accessible, self._unpack_shades(shades))):
            reference = "all-on" if board.levels == 2 else "all-off"
            raise FrameError(number, f"no clicks lead from the {reference} board to frame {number}")

    def _check_click_panel(self, number: int, presses: Shades, shades: Shades) -> Shades:
        # Check that the clicks in the panel lead from the previous frame to this one; return them.
        board, old, self._presses = self._file.board, self._presses, presses.copy()
        previous = cast(Shades, self._shades)
        if old is None and presses.any():
            raise FrameError(number, "frame 0 shows clicks, but there is no frame before it")
        if old is not None and (old == presses).all() and (previous == shades).all():
            return np.zeros_like(presses)  # this frame repeats the previous one
        if self._file.shows_total and old is not None:
            total, before = map(self._unpack_shades, (presses, old))
            presses = pack_levels(board.subtract(total, before), board.levels)
        frames = map(self._unpack_shades, (previous, presses, shades))
        for before, clicks, now in zip(*frames, strict=True):
            if not np.array_equal(board.add(before, board.toggles(clicks)), now):
                raise FrameError(number, f"the clicks in the panel do not lead to frame {number}")
        return presses

    def _check_marks(self, number: int, marks: NDArray[np.bool_], shades: Shades) -> None:
        # Check that the marked cells are those that were clicked, where only these clicks fit.
        board, before = self._file.board, cast(Shades, self._shades)
        old, self._marks = self._marks, marks.copy()
        is_repeated = old is not None and (marks == old).all() and (before == shades).all()
        if is_repeated or not marks.any():
            return
        if board.nullity == 0:
            is_right = np.array_equal(self._find_only_clicks(before, shades).any(axis=0), marks)
        elif board.levels == 2 and self._file.planes == 1:
            is_right = np.array_equal(board.add(before == 1, board.toggles(marks)), shades == 1)
        else:
            return
        if not is_right:
            reason = f"frame {number} marks other cells than those that were clicked"
            raise FrameError(number, reason, is_unclear=True)

    def _clicks_halves_alike(self, before: Shades, now: Shades) -> bool:
        left, right = np.array_split(self._find_only_clicks(before, now), 2, axis=-1)
        return np.array_equal(left, right)

    def _find_only_clicks(self, before: Shades, now: Shades) -> Lights:
        # Return the click set on each plane, (planes, rows, columns), without quiet patterns.
        planes = zip(*map(self._unpack_shades, (before, now)), strict=True)
        return np.stack([self._file.board.clicks_between(*plane) for plane in planes])

    def _unpack_shades(self, shades: Shades) -> Lights:
        return unpack_levels(shades, self._file.planes, self._file.board.levels)

    def _check_clicks(
        self, number: int, changed: Cells, frame: FrameShades, lit_clicks: int | None
    ) -> None:
        # Count the clicks of a frame, and compare the count with the metadata.  ``lit_clicks`` is
        # the number of clicks if all lit cells, and no others, may have been pressed.
        if self._file.animation is not None:  # the file stores the clicks themselves
            return
        limit = None  # number of clicks according to the metadata
        if self._metadata is not None:
            steps = self._metadata.steps
            if len(self._counts) == len(steps):
                raise FrameError(number, f"frame {number} exceeds the stated number of frames")
            limit = int(steps[len(self._counts)])
        try:
            if limit is not None and lit_clicks is not None and lit_clicks <= limit:
                count = ClickCount(lit_clicks, 1)
            else:
                count = self._find_clicks(changed, frame, limit)
        except InaccessibleError:
            reason = f"no clicks lead from the previous frame to frame {number}"
            raise FrameError(number, reason) from None
        if limit is not None and count.bound > limit:
            reason = f"takes {count.clicks} clicks, but the file states {limit}"
            reason = "is not one click away from the previous frame" if limit == 1 else reason
            raise FrameError(number, f"frame {number} {reason}")
        if limit is not None and count.clicks > limit and self._unproven is None:
            self._unproven = number
        self._counts.append(count.clicks)

    def _check_automaton(self, number: int, frame: FrameShades) -> int | None:
        # Check that pressing all lit cells makes this frame, and that no other clicks are stated;
        # return the number of these clicks.
        if self._misses is None:
            return None
        self._steps += 1
        board, film = self._file.board, self._file.animation
        before = self._unpack_shades(cast(Shades, self._shades))
        expected = (next_configuration(board, plane) for plane in before)
        pressed = frame.presses if film is None else film.presses_between(number - 1, number)
        is_hit = all(map(np.array_equal, expected, self._unpack_shades(frame.shades)))
        if pressed is not None:
            is_hit = is_hit and not board.add(before, self._unpack_shades(pressed)).any()
        if not is_hit:
            self._misses.append(number)
        if len(self._misses) > max(1, self._steps // 4):
            self._misses = None
        if not is_hit:
            return None
        return sum(map(board.count, board.subtract(np.zeros_like(before), before)))

    def _find_clicks(self, changed: Cells, frame: FrameShades, limit: int | None) -> ClickCount:
        # Count the clicks from the previous frame to this one in all colour planes together.
        if frame.presses is not None:
            shown_clicks = sum(map(self._file.board.count, self._unpack_shades(frame.presses)))
            return ClickCount(shown_clicks, shown_clicks)
        changes = self._changes_by_plane(changed, frame)
        counts = self._finder.count_step_clicks(changes, limit)
        return ClickCount(sum(c.clicks for c in counts), sum(c.bound for c in counts))

    def _changes_by_plane(self, changed: Cells, frame: FrameShades) -> list[BoardChange]:
        before, now = (
            self._unpack_shades(shades.ravel()[changed][None])[:, 0]
            for shades in (cast(Shades, self._shades), frame.shades)
        )
        raised = self._file.board.subtract(now, before)
        return [BoardChange(cells=changed[rise > 0], raised=rise[rise > 0]) for rise in raised]

    def _add_single_clicks(
        self, clicks: Lights, changed: Cells, frame: FrameShades
    ) -> Lights | None:
        # Add a frame's click on each plane; return None if there is not exactly one that fits.
        added = np.zeros_like(clicks)
        for plane, change in enumerate(self._changes_by_plane(changed, frame)):
            cells = self._finder.find_clicks(change) if len(change.cells) else []
            if len(cells) != bool(len(change.cells)):
                return None
            added[plane].flat[cells] = 1
        return self._file.board.add(clicks, added)

    def _clicks_error(self, target: TargetMatch) -> float:
        # Compare the clicks from the first frame to the last with a picture.
        board, clicks = self._file.board, self._clicks
        if board.nullity == 0:
            clicks = self._find_only_clicks(cast(Shades, self._first), cast(Shades, self._shades))
        if clicks is None:
            line = "needs a board without quiet patterns, or frames one click apart"
            raise OptionError(f"clicks_target {line}", "clicks_target")
        if not clicks.any():
            line = "has no clicks to compare: they cancel out until the last frame"
            raise OptionError(f"clicks_target {line}", "clicks_target")
        return round(float(blurred_errors(clicks / (board.levels - 1), target.greys).mean()), 4)

    def _build_verification(self, error: FrameError | None) -> Verification:
        file, is_counted = self._file, self._unproven is None
        verdict: Verdict = "legal"
        if error is not None:
            verdict = "cannot tell" if error.is_unclear else "not legal"
        is_read = self._is_complete and verdict != "not legal"
        counts = self._counts if file.animation is None else file.animation.clicks_by_frame.tolist()
        has_times = None not in self._seconds
        matches = self._pictures if is_read else []
        clicks_target = self._clicks_target if is_read else None
        return Verification(
            verdict=verdict,
            **file.board.as_dict(),
            boards=file.planes,
            frames=self._frames,
            clicks=sum(counts) if is_counted else None,
            most_clicks=max(counts, default=0) if is_counted else None,
            seconds=round(sum(s for s in self._seconds if s is not None), 3) if has_times else None,
            first_illegal=error.frame if error is not None and verdict == "not legal" else None,
            reason=None if error is None else str(error),
            wrong=[int(match.difference) for match in matches if not match.is_searched] or None,
            errors=[round(match.difference, 4) for match in matches if match.is_searched] or None,
            shown=[picture.best_frame for picture in matches] or None,
            clicks_error=None if clicks_target is None else self._clicks_error(clicks_target),
            notes=list(self._proof_notes()) if is_read else [],
        )

    def _proof_notes(self) -> Iterator[str]:
        file, misses = self._file, self._misses
        if misses is not None and self._steps > 2:
            except_for = f", except frame {' and frame '.join(map(str, misses))}" * bool(misses)
            yield f"Each step pressed exactly the lit cells{except_for}."
        if self._unpaired is not None:
            difference = f"Frame {self._unpaired} clicked the two halves of the board differently."
            yield (
                difference if self._unpaired else "Each click was made on both halves of the board."
            )
        if file.metadata is None and file.animation is None and file.board.nullity == 0:
            yield "The file states no clicks, and on its board clicks can make any change of cells."
        if file.shows_total:
            film, panel = file.animation, cast(Shades, self._presses)
            panel = panel if film is None else film.presses_between(0, -1)
            count = file.board.count(self._unpack_shades(panel))
            yield f"The panel shows all clicks so far, {count} in the last frame."
        if len(file.puzzles) > 1:
            yield (
                f"The clicks in the file turn off each of its {len(file.puzzles)} puzzles, but "
                "may not be the fewest; the frames are those of the first puzzle."
            )
        if file.theme.transparent_parts:
            yield "Parts of the frames are transparent: there players show their own background."
        options = [format_picture_settings(file.origin)] if self._pictures else []
        options += [format_source(match.path, match.own) for match in self._pictures if match.own]
        if any(options):
            text = " ".join(filter(None, options))
            yield f"The pictures are dithered with the settings in the file: {text}."
        digests = file.origin.sha256 if file.origin else ()
        for picture in self._pictures:
            if any(digests) and picture.sha256 not in digests:
                yield f"{picture.path} is not one of the pictures that the file was made from."
