"""An animation: a first configuration, clicks one after the other, and when to show what.

It carries boards and clicks, never pixels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.clicks import Clicks, PackedSteps
from lightsanim.animation.origin import Origin
from lightsanim.animation.presentation import presentation_module
from lightsanim.board.arithmetic import arithmetic_of
from lightsanim.board.board import Board
from lightsanim.errors import AnimationError, OptionError
from lightsanim.look.levels import Lights as Lights
from lightsanim.look.levels import Shades, pack_levels, unpack_levels
from lightsanim.options.checks import check_number, check_whole_number, quote_value
from lightsanim.options.choices import MAX_COLOUR_LEVELS
from lightsanim.options.keywords import Format, LookKeywords, SavedLookKeywords
from lightsanim.options.stages import MAX_FPS, MAX_LOOP, MAX_SECONDS, MIN_FPS
from lightsanim.pictures.clip import FilmSound

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Animation:
    """A first configuration and the clicks that follow, cut into frames.

    In colour, three boards lie on top of each other, one for each primary; a click is made on one
    or more of them at once.

    Its length is the number of its frames; ``animation[0]``, ``animation[-1]``, ``animation[::50]``
    and a loop over it give them as Pillow images.  Two are equal where all that they hold is; as
    arrays can change, they have no hash.

    Attributes:
        board: the board that the clicks are made on.
        first: the configuration of frame 0: (rows, columns), or in colour (3, rows, columns): red,
            green and blue; bool, at more than two levels uint8.
        clicks: int (clicks,), the cells clicked, ``row * columns + column``, in order.
        primaries: in colour uint8 (clicks,), the boards that each click is made on: 1 for red,
            2 for green, 4 for blue, or their sum; otherwise None.
        steps: in place of single clicks, click sets that are pressed as a whole; then there are no
            ``clicks``, and in colour no ``primaries`` in their array.
        clicks_done: int64 (frames,), how many clicks, or steps, are done when each frame is shown;
            starts with 0, never falls, and ends with the number of them.
        fps: frames a second; each frame is shown for 1 / fps seconds.
        holds: (frame, seconds): this frame is shown for these seconds longer.
        loop: how often it is played; 0 for ever.
        pictures: the names of the pictures, in the order shown.
        targets: what the pictures' frames should show, each as `first`; or none of them.
        seed: what the random parts of the order were drawn with.
        origin: how it was made, where that is known.
        sounds: that go with it, for formats that hold sound.

    Raises:
        AnimationError: if these contradict each other.
        OptionError: for a number out of its range.
    """

    board: Board
    first: Lights
    clicks: NDArray[np.integer]
    primaries: NDArray[np.uint8] | None = None
    steps: PackedSteps | None = None
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
        for name in ("first", "clicks", "clicks_done"):
            if not isinstance(getattr(self, name), np.ndarray):
                raise AnimationError(
                    f"{name} must be an array, not {quote_value(getattr(self, name))}"
                )
        for name in ("clicks", "primaries", "clicks_done"):
            numbers = getattr(self, name)
            if numbers is not None and numbers.size and numbers.dtype.kind not in "iu":
                raise AnimationError(
                    f"{name} must be whole numbers, not {quote_value(numbers.tolist())}"
                )
        if self.boards > 1 and self.board.levels > MAX_COLOUR_LEVELS:
            raise AnimationError(
                f"{self.board.levels} levels are for grey alone; three boards have at most "
                f"{MAX_COLOUR_LEVELS}"
            )
        object.__setattr__(
            self, "first", self._check_configuration("the first configuration", self.first)
        )
        if self.targets and len(self.targets) != len(self.pictures):
            raise AnimationError(
                f"{len(self.pictures)} pictures must have as many targets, not {len(self.targets)}"
            )
        targets = tuple(self._check_configuration("a target", target) for target in self.targets)
        object.__setattr__(self, "targets", targets)
        if self.pictures and self.origin and len(self.origin.sha256) != len(self.pictures):
            raise AnimationError("the origin must have a sha256, or None, for each picture")
        outside = (self.clicks < 0) | (self.clicks >= self.board.cells)
        if outside.any():
            raise AnimationError(
                f"clicks must be cells 0 to {self.board.cells - 1}, not {self.clicks[outside][0]}"
            )
        if self.primaries is not None:
            if self.primaries.shape != self.clicks.shape:
                raise AnimationError("each click must have its primaries")
            if ((self.primaries < 1) | (self.primaries > 7)).any():
                raise AnimationError("primaries must be 1 to 7")
        if self.steps is not None:
            shape = (self.boards, *self.board.shape)
            if (self.steps.shape, self.steps.levels) != (shape, self.board.levels):
                raise AnimationError("steps must be of the animation's own boards and levels")
            if len(self.clicks):
                raise AnimationError("an animation has either clicks or steps")
        self._check_times()

    def _check_configuration(self, name: str, configuration: Lights) -> Lights:
        shape = self.board.shape if self.boards == 1 else (3, *self.board.shape)
        try:
            return arithmetic_of(self.board.levels).validate_levels(configuration, name, shape)
        except OptionError as error:
            raise AnimationError(str(error)) from error

    def _check_times(self) -> None:
        done, moves = self.clicks_done, self._click_history
        if not len(done) or (done[0], done[-1]) != (0, len(moves)):
            raise AnimationError(f"frames must lead from 0 to {len(moves)} {moves.name}")
        if (np.diff(self.clicks_done) < 0).any():
            raise AnimationError("frames must not take clicks back")
        checked = {  # of numpy's numbers, Python's own
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
        """How many boards lie on top of each other: 1, or in colour 3."""
        return 1 if self.primaries is None else 3

    @property
    def _click_history(self) -> Clicks | PackedSteps:
        return Clicks(self.clicks, self.primaries) if self.steps is None else self.steps

    @property
    def count(self) -> int:
        """How many clicks, on all boards together."""
        return int(self.clicks_by_frame.sum())

    @property
    def clicks_by_frame(self) -> NDArray[np.int64]:
        """The clicks that each frame but the first adds, on all boards: int64 (frames - 1,)."""
        done = np.cumsum(self._click_history.press_counts, dtype=np.int64)
        return np.diff(np.concatenate([[0], done])[self.clicks_done])

    @property
    def last(self) -> Lights:
        """The configuration after all clicks, of the same shape as `first`."""
        return next(self.configurations([-1]))

    def shades_at(self, number: int) -> Shades:
        """The shades of all cells in a frame, see `pack_levels`; -1 is the last one."""
        [(shades, _)] = self.changes([number])
        return shades

    def pressed_at(self, number: int) -> NDArray[np.int64]:
        """The cells that a frame's clicks are made on, int64; none for the first frame."""
        start, end = self.clicks_done[[max(0, number - 1), number]].tolist()
        return self._click_history.pressed_cells(self.board, start, end)

    def presses_between(self, start: int, end: int) -> Shades:
        """How often each cell is pressed from one frame to a later one: uint8 (rows, columns).

        On all boards, modulo the levels, numbered as `pack_levels` does: pressed in that way at
        once, the cells make the same change.

        Args:
            start: the number of a frame, from 0.
            end: that of a later one, or the same.
        """
        first, last = self.clicks_done[[start, end]].tolist()
        return pack_levels(
            self._click_history.count_presses(self.board, first, last), self.board.levels
        )

    def durations(self) -> NDArray[np.float64]:
        """How long each frame is shown, in seconds: float64 (frames,)."""
        seconds = np.full(len(self.clicks_done), 1 / self.fps)
        for frame, extra in self.holds:
            seconds[frame] += extra
        return seconds

    def changes(
        self, numbers: Sequence[int] | slice = slice(None)
    ) -> Iterator[tuple[Shades, NDArray[np.int64]]]:
        """Frame by frame, the shades of all cells and the cells that its clicks touched.

        The shades are one array that is changed in place from frame to frame; the cost grows with
        the clicks, not with frames times cells; that of steps with the cells.

        Args:
            numbers: of the frames, rising; touched are cells since the one before.
        """
        shades = pack_levels(self.first, self.board.levels)
        done = np.concatenate([[0], self.clicks_done[numbers]])
        for touched in self._click_history.apply_to_shades(self.board, shades, done):
            yield shades, touched

    def configurations(self, numbers: Sequence[int] | slice = slice(None)) -> Iterator[Lights]:
        """The configurations of frames, see `changes`, each a new array of `first`'s shape."""
        for shades, _ in self.changes(numbers):
            yield unpack_levels(shades, self.boards, self.board.levels).reshape(self.first.shape)

    def __len__(self) -> int:
        return len(self.clicks_done)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Animation):
            return NotImplemented
        names = [field.name for field in fields(self)]
        return all(_are_deeply_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        board, pictures = self.board, " -> ".join(self.pictures)
        levels = f" of {board.levels} levels" if board.levels > 2 else ""
        parts = [
            f"{board.columns}x{board.rows} cells{levels}{' in colour' if self.boards > 1 else ''}",
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
        numbers = range(len(self))
        if isinstance(key, slice):
            return presentation_module().frame_images(self, numbers[key], {})
        try:
            return self.frame(numbers[index(key)])
        except IndexError:
            raise IndexError(f"there are {len(self)} frames, and no frame {key}") from None

    def __iter__(self) -> Iterator["Image"]:
        from PIL.Image import fromarray

        return map(fromarray, self.frames())

    def _repr_html_(self) -> str:
        # A notebook shows the player.
        return presentation_module().player_frame(self)

    def frame(self, number: int = -1, **look: Unpack[LookKeywords]) -> "Image":
        """A frame as a Pillow image.

        Args:
            number: from 0; -1 is the last.
            look: what to draw, see `lightsanim.Theme`: ``cell``, ``gap``, ``lit``, ...

        Raises:
            OptionError: for a frame that is not there, or an unknown look.
        """
        return presentation_module().frame_image(self, number, look)

    def frames(self, **look: Unpack[LookKeywords]) -> Iterator[NDArray[np.uint8]]:
        """The frames one after the other, as pixels: uint8 (height, width, 3), a new array each.

        Where parts of the look are transparent there are 4 channels, the last one opacity.

        Args:
            look: what to draw, see `lightsanim.Theme`: ``cell``, ``gap``, ``lit``, ...

        Raises:
            OptionError: for an unknown look.
        """
        return presentation_module().frame_arrays(self, look)

    def plot(self, count: int = 4, **look: Unpack[LookKeywords]) -> NDArray[Any]:
        """Show some frames side by side with matplotlib, which must be installed.

        Args:
            count: how many, evenly spaced in clicks, the first and the last among them.
            look: what to draw, see `lightsanim.Theme`: ``cell``, ``gap``, ``lit``, ...

        Returns:
            Matplotlib's axes, (count,); the figure is ``axes[0].figure``.

        Raises:
            OptionError: for a count out of range, or an unknown look.
            OutputError: without matplotlib.
        """
        return presentation_module().plot(self, count, look)

    def save(
        self,
        file: str | Path | BinaryIO,
        format: Format | None = None,
        **look: Unpack[SavedLookKeywords],
    ) -> None:
        """Write the animation; the suffix of a path says in which format.

        Args:
            file: ``.gif``, ``.mp4``, ``.webm``, ``.webp``, ``.apng``, ``.svg``, ``.html``,
                ``.json``, or no suffix for a folder of PNGs; or a file object, open for bytes.
            format: of a file object, such as "gif".
            look: what to draw, see `lightsanim.Theme`: ``cell``, ``gap``, ``lit``, ...; for a GIF
                also ``max_bytes``.

        Raises:
            OptionError: for an unknown suffix, format or look.
            OutputError: if the file cannot be written; an old one is then left as it was.
        """
        presentation_module().save(self, file, format, look)

    def to_bytes(self, format: Format, **look: Unpack[SavedLookKeywords]) -> bytes:
        """The content of the animation's file.

        Args:
            format: "gif", "mp4", "webm", "webp", "apng", "svg", "html" or "json".
            look: what to draw, see `lightsanim.Theme`: ``cell``, ``gap``, ``lit``, ...

        Raises:
            OptionError: for an unknown format or look.
        """
        return presentation_module().to_bytes(self, format, look)


def _are_deeply_equal(first: Any, second: Any) -> bool:
    # Arrays by what they hold, also in tuples.
    if isinstance(first, tuple):
        return len(first) == len(second) and all(map(_are_deeply_equal, first, second))
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return np.array_equal(first, second)
    return bool(first == second)
