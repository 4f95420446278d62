"""The animation: a first configuration, the clicks that follow, and the timing of its frames."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from io import BytesIO
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError, OptionError
from lightsanim.game.board.board import Board
from lightsanim.game.board_view import NotebookMixin
from lightsanim.game.levels import Lights as Lights
from lightsanim.game.levels import Shades, check_lights, pack_levels, unpack_levels
from lightsanim.game.showing import presentation
from lightsanim.options.checks import (
    check_number,
    check_whole_number,
    levels_in_words,
    quote_value,
)
from lightsanim.options.choices import MAX_COLOUR_LEVELS
from lightsanim.options.keywords import Format, LookKeywords, SavedLookKeywords
from lightsanim.options.records import JsonValue
from lightsanim.options.stages import MAX_FPS, MAX_LOOP, MAX_SECONDS, MIN_FPS
from lightsanim.pictures.clip import FilmSound
from .clicks import History, PackedSteps
from .origin import Label, Origin

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Animation(NotebookMixin):
    """A first configuration and the clicks that follow, divided into frames.

    A colour animation has three colour planes; a click changes one or more of them.

    The length of an animation is its number of frames.  Indexing, slicing and iteration give the
    frames as Pillow images.  Animations are equal if all their attributes are; they have no hash,
    because arrays are mutable.

    Attributes:
        board: board that is clicked.
        first: configuration of frame 0: an array of shape (rows, columns), or in colour
            (3, rows, columns) for red, green and blue; bool, or with more than two levels uint8.
        history: all clicks in order: `Clicks`, or `PackedSteps`, which press many cells at once.
        clicks_done: int64 array of shape (frames,): the number of clicks or steps made before each
            frame.  It starts with 0, never decreases, and ends with the number of all of them.
        fps: frames per second; each frame is shown for 1 / fps seconds.
        holds: (frame, seconds) pairs: additional seconds for which a frame is shown.
        loop: number of plays; 0 = for ever.
        pictures: names of the pictures in the order shown.
        targets: targets of the pictures, each an array like `first`; may be empty.
        seed: seed of the random numbers in the click order.
        origin: record of how the animation was made, if known.
        sounds: sounds for formats that can hold sound.

    Raises:
        AnimationError: if attributes contradict each other.
        OptionError: if a number is out of range.
    """

    board: Board
    first: Lights
    history: History
    clicks_done: NDArray[np.int64]
    fps: float
    holds: tuple[tuple[int, float], ...] = ()
    loop: int = 0
    pictures: tuple[str, ...] = ()
    targets: tuple[Lights, ...] = ()
    seed: int | None = None
    origin: Origin | None = None
    sounds: tuple[FilmSound, ...] = ()

    def __post_init__(self) -> None:
        for name in ("first", "clicks_done"):
            if not isinstance(value := getattr(self, name), np.ndarray):
                raise AnimationError(f"{name} must be an array, not {quote_value(value)}")
        if self.clicks_done.size and self.clicks_done.dtype.kind not in "iu":
            shown = quote_value(self.clicks_done.tolist())
            raise AnimationError(f"clicks_done must be whole numbers, not {shown}")
        if self.boards > 1 and self.board.levels > MAX_COLOUR_LEVELS:
            raise AnimationError(
                f"levels must be at most {MAX_COLOUR_LEVELS} in colour, not {self.board.levels}"
            )
        first = self._check_configuration("the first configuration", self.first)
        object.__setattr__(self, "first", first)
        if self.targets and len(self.targets) != len(self.pictures):
            raise AnimationError(
                f"pictures need {len(self.pictures)} targets, one each, not {len(self.targets)}"
            )
        targets = tuple(self._check_configuration("a target", target) for target in self.targets)
        object.__setattr__(self, "targets", targets)
        if self.pictures and self.origin and len(self.origin.sha256) < len(self.pictures):
            raise AnimationError("the origin must have a sha256 digest, or None, for each picture")
        self.history.check_on_board(self.board)
        self._check_times()

    def _check_configuration(self, name: str, configuration: Lights) -> Lights:
        shape = self.board.shape if self.boards == 1 else (3, *self.board.shape)
        try:
            return check_lights(configuration, name, shape, levels=self.board.levels)
        except OptionError as error:
            raise AnimationError(str(error)) from error

    def _check_times(self) -> None:
        done, moves = self.clicks_done, self.history
        if not len(done) or (done[0], done[-1]) != (0, len(moves)):
            raise AnimationError(f"frames must start at 0 and end at {len(moves)} {moves.name}")
        if (np.diff(self.clicks_done) < 0).any():
            raise AnimationError("the click counts of frames must not decrease")
        checked = {  # numpy's numbers are converted to Python's
            "seed": None if self.seed is None else check_whole_number("seed", self.seed, 0),
            "loop": check_whole_number("loop", self.loop, 0, MAX_LOOP),
            "fps": check_number("fps", self.fps, MIN_FPS, MAX_FPS),
            "holds": tuple(
                (
                    check_whole_number("a hold's frame", frame, 0, len(self.clicks_done) - 1),
                    check_number("a hold's seconds", seconds, 0, MAX_SECONDS),
                )
                for frame, seconds in self.holds
            ),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def boards(self) -> int:
        """Number of colour planes: 1, or 3 in colour."""
        return self.history.plane_count

    @property
    def clicks(self) -> NDArray[np.integer]:
        """The clicked cells, ``row * columns + column``, in order: int (clicks,); none in steps."""
        return self.history.cells

    @property
    def primaries(self) -> NDArray[np.uint8] | None:
        """In colour the planes that each click changes, uint8 (clicks,); otherwise None.

        They are 1 for red, 2 for green, 4 for blue, or a sum of these.
        """
        return self.history.primaries

    @property
    def steps(self) -> PackedSteps | None:
        """Click sets that are each pressed at once; None if the animation has single clicks."""
        return self.history.steps

    @property
    def count(self) -> int:
        """Number of clicks, summed over all colour planes."""
        return int(self.clicks_by_frame.sum())

    @property
    def clicks_by_frame(self) -> NDArray[np.int64]:
        """Number of clicks between frames, summed over all planes: int64 (frames - 1,)."""
        done = np.cumsum(self.history.press_counts, dtype=np.int64)
        return np.diff(np.concatenate([[0], done])[self.clicks_done])

    @property
    def last(self) -> Lights:
        """Configuration after all clicks, with the shape of `first`."""
        return next(self.configurations([-1]))

    def shades_at(self, number: int) -> Shades:
        """Return a frame's configuration packed by `pack_levels`; frame -1 is the last one."""
        [(shades, _)] = self.changes([number])
        return shades

    def pressed_at(self, number: int) -> NDArray[np.int64]:
        """Return the numbers of the cells clicked from the previous frame to frame ``number``."""
        number = self._check_frame_number(number)
        start, end = self.clicks_done[[max(0, number - 1), number]].tolist()
        return self.history.pressed_cells(self.board, start, end)

    def presses_between(self, start: int, end: int) -> Shades:
        """Return how often each cell is pressed between two frames, modulo the number of levels.

        The presses on all colour planes are packed in one uint8 by `pack_levels`.  Pressing them
        all at once turns frame ``start`` into frame ``end``; frames count from 0.
        """
        first, last = self.clicks_done[[start, end]].tolist()
        presses = self.history.count_presses(self.board, first, last)
        return pack_levels(presses, self.board.levels)

    def with_label(self, label: Label) -> "Animation":
        """Return the animation with a label in its origin; unchanged if it has no origin."""
        if self.origin is None or self.origin.label == label:
            return self
        return replace(self, origin=replace(self.origin, label=label))

    def with_settings(self, **settings: JsonValue) -> "Animation":
        """Return the animation whose origin, if it has one, states these settings, too."""
        if self.origin is None:
            return self
        stated = {**self.origin.settings, **settings}
        return replace(self, origin=replace(self.origin, settings=stated))

    def durations(self) -> NDArray[np.float64]:
        """Return the seconds for which each frame is shown: float64 (frames,)."""
        seconds = np.full(len(self.clicks_done), 1 / self.fps)
        for frame, extra in self.holds:
            seconds[frame] += extra
        return seconds

    def changes(
        self, numbers: int | Sequence[int] | slice = slice(None)
    ) -> Iterator[tuple[Shades, NDArray[np.int64]]]:
        """Yield each frame, packed by `pack_levels`, and the cells changed since the previous one.

        All frames are the same array, modified in place.  The time of single clicks is linear in
        their number, that of each step linear in the number of cells.

        Args:
            numbers: numbers of the frames, in ascending order; by default all.

        Raises:
            OptionError: if the numbers do not ascend.
        """
        shades = pack_levels(self.first, self.board.levels)
        done = np.append(0, self.clicks_done[numbers])
        if (np.diff(done) < 0).any():
            raise OptionError(f"frame numbers must ascend, not {quote_value(numbers)}")
        for touched in self.history.apply_to_shades(self.board, shades, done):
            yield shades, touched

    def configurations(
        self, numbers: int | Sequence[int] | slice = slice(None)
    ) -> Iterator[Lights]:
        """Yield the configurations of frames, each a new array with the shape of `first`.

        The ``numbers`` of the frames are as for `changes`.
        """
        for shades, _ in self.changes(numbers):
            yield unpack_levels(shades, self.boards, self.board.levels).reshape(self.first.shape)

    def __len__(self) -> int:
        return len(self.clicks_done)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Animation):
            return NotImplemented
        # The clicks are compared, but not the pace that they had when they were divided.
        names = [f.name for f in fields(self) if f.name != "history"]
        names += ["clicks", "primaries", "steps"]
        return all(_are_deeply_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        board, pictures = self.board, " -> ".join(self.pictures)
        parts = [
            f"{board.columns}x{board.rows} cells{levels_in_words(board.levels)}"
            f"{' in colour' if self.boards > 1 else ''}",
            f"{self.count} {'click' if self.count == 1 else 'clicks'}",
            f"{len(self)} {'frame' if len(self) == 1 else 'frames'}",
            f"{self.durations().sum():.3g} s",
        ]
        return f"<Animation{f' {quote_value(pictures)}:' if pictures else ''} {', '.join(parts)}>"

    @overload
    def __getitem__(self, key: int) -> "Image": ...
    @overload
    def __getitem__(self, key: slice) -> list["Image"]: ...
    def __getitem__(self, key: int | slice) -> "Image | list[Image]":
        if isinstance(key, slice):
            return presentation().frame_images(self, range(len(self))[key], {})
        return self.frame(self._check_frame_number(key))

    def _check_frame_number(self, number: int) -> int:
        try:
            return range(len(self))[index(number)]
        except IndexError:
            frames = f"the animation has {len(self)} frames"
            raise IndexError(f"{frames}, but no frame {number}") from None

    def __iter__(self) -> Iterator["Image"]:
        from PIL.Image import fromarray

        return map(fromarray, self.frames())

    def _repr_png_(self) -> bytes:
        file = BytesIO()
        self.frame().save(file, "PNG")
        return file.getvalue()

    def _repr_html_(self) -> str:
        return presentation().player_frame(self)

    def frame(self, number: int = -1, **look: Unpack[LookKeywords]) -> "Image":
        """Return a frame as a Pillow image.

        Args:
            number: number of the frame from 0; -1 is the last frame.
            look: fields of `lightsanim.Theme`, such as ``cell``, ``gap`` and ``lit``.

        Raises:
            OptionError: if there is no such frame, or a field of the look is unknown.
        """
        return presentation().frame_image(self, number, look)

    def frames(self, **look: Unpack[LookKeywords]) -> Iterator[NDArray[np.uint8]]:
        """Yield the pixels of each frame as a new uint8 array of shape (height, width, 3).

        If parts of the look are transparent, there is a fourth channel for opacity.

        Args:
            look: fields of `lightsanim.Theme`, such as ``cell``, ``gap`` and ``lit``.

        Raises:
            OptionError: if a field of the look is unknown.
        """
        return presentation().frame_arrays(self, look)

    def plot(self, count: int = 4, **look: Unpack[LookKeywords]) -> NDArray[Any]:
        """Show some frames side by side with matplotlib, which must be installed.

        Args:
            count: number of frames, evenly spaced in clicks, from the first to the last.
            look: fields of `lightsanim.Theme`, such as ``cell``, ``gap`` and ``lit``.

        Returns:
            Array of ``count`` axes of matplotlib; the figure is ``axes[0].figure``.

        Raises:
            OptionError: if the count is out of range, or a field of the look is unknown.
            OutputError: if matplotlib is not installed.
        """
        return presentation().plot(self, count, look)

    def save(
        self,
        file: str | Path | BinaryIO,
        format: Format | None = None,
        **look: Unpack[SavedLookKeywords],
    ) -> None:
        """Write the animation to a file in the format that its suffix names.

        Args:
            file: path that ends in ``.gif`` or another of the formats, or has no suffix for a
                folder of PNGs; or a binary file object.
            format: format of a file object, such as "gif".
            look: fields of `lightsanim.Theme`, such as ``cell``, ``gap`` and ``lit``; for a GIF
                also ``max_bytes``.

        Raises:
            OptionError: if the suffix, the format or a field of the look is unknown.
            OutputError: if the file cannot be written; an existing file is then kept unchanged.
        """
        presentation().save(self, file, format, look)

    def to_bytes(self, format: Format, **look: Unpack[SavedLookKeywords]) -> bytes:
        """Return the bytes of the file that `save` would write.

        Args:
            format: the suffix without its dot, such as "gif".
            look: fields of `lightsanim.Theme`, such as ``cell``, ``gap`` and ``lit``.

        Raises:
            OptionError: if the format or a field of the look is unknown.
        """
        return presentation().to_bytes(self, format, look)


def _are_deeply_equal(first: Any, second: Any) -> bool:
    # Compare arrays by value, also within tuples.
    if isinstance(first, tuple):
        return len(first) == len(second) and all(map(_are_deeply_equal, first, second))
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return np.array_equal(first, second)
    return bool(first == second)
