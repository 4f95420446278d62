"""All options of `make`, the rules for combining them, and presets that set several at once."""

import inspect
import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Self, TypeVar, cast, get_args

import attrs
from attrs import field, frozen

from lightsanim.errors import OptionError
from .checks import check_choice, check_known_names, check_list, quote_value, require_keys
from .choices import (
    AUTO,
    BLUE_NOISE,
    BOTH,
    DIFFUSIONS,
    DITHER,
    FADING_DITHERS,
    LEAVE,
    MAX_COLOUR_LEVELS,
    SEARCH,
    SEARCHED_DITHERS,
    STROKES,
    THROUGH,
    TRANSITIONS,
    Preset,
)
from .colours import Colours
from .declare import flag_option, group_transformer, number_option, option_info
from .look import LookOptions
from .records import non_default_values, option_names
from .shell import format_shell_line
from .stages import (
    DEFAULT_DETAIL,
    DEFAULT_ROOM,
    DEFAULT_SPOT_DETAIL,
    MAX_SECONDS,
    STEPS_A_SECOND,
    BoardOptions,
    ClickOptions,
    PictureOptions,
    SolveOptions,
    Timing,
)

Function = TypeVar("Function", bound=Callable[..., Any])

# The options that each preset sets, chosen by eye on boards of 60 and 90 columns.
PRESETS: Mapping[str, Mapping[str, Any]] = require_keys(
    get_args(Preset),
    {
        "colour": {"rgb": True, "levels": 3, "dither": SEARCH, "detail": 0.8},
        "spot": {"spot": True, "levels": 5},
        "photograph": {"levels": 5, "dither": SEARCH, "detail": 0.8},
        "linocut": {"dither": "threshold", "detail": 3.0},
        "pencil": {"dither": "threshold", "detail": 4.0, "gamma": 2.5},
        "strokes": {"dither": STROKES},
        "engraving": {"dither": "jarvis", "detail": 4.0},
        "newsprint": {"dither": "bayer", "detail": 2.0},
        "poster": {"levels": 3, "dither": "threshold", "detail": 2.0},
        "loop": {"boomerang": True, "duration": 4.0, "hold_first": 1.5, "ease": "in-out"},
    },
)


def _optional_timing_option(name: str, unset: str) -> Any:
    """Return an option of `Timing` with the default None."""
    option = getattr(attrs.fields(Timing), name)
    return field(default=None, metadata={**option.metadata, "unset": unset})


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Timing"))
class Settings(Timing, ClickOptions, SolveOptions, PictureOptions, BoardOptions):
    """All options of `make` except the look.

    The option ``order`` may also be an array or a function, as for `make`.

    Raises:
        OptionError: if a value is invalid, or if options exclude each other.

    >>> Settings(size=60, fps=25) == Settings(size="60", fps=25.0)
    True
    """

    # None until `with_defaults_for` sets the defaults for stills or for clips.
    fps: float | None = _optional_timing_option("fps", "25, or the first clip's; automaton 12")  # type: ignore[assignment]
    hold_first: float | None = _optional_timing_option("hold_first", "1 for stills, 0 for clips")  # type: ignore[assignment]
    hold_last: float | None = _optional_timing_option("hold_last", "3 for stills, 0 for clips")  # type: ignore[assignment]
    total: float | None = number_option(
        None,
        (0.001, MAX_SECONDS),
        "Length of the whole film with its holds, in seconds; replaces duration.",
        "SECONDS",
        unset="holds and transitions add up",
        slider=(2, 60, 0.5),
        marks="of_stills",
    )
    cycle: bool = flag_option(
        False, "Add a transition from the last picture back to the first.", marks="of_ways"
    )
    boomerang: bool = flag_option(
        False, "Undo all clicks at the end, back to the first picture.", marks="of_stills"
    )
    mute: bool = flag_option(False, "Leave out the sound of clips.", group="Clips")

    def __attrs_post_init__(self) -> None:
        self._check_transition()
        if self.serpentine and self.dither not in (None, AUTO, *DIFFUSIONS):
            flaw = f"serpentine needs an error-diffusion dither, not {self.dither!r}"
            raise OptionError(flaw, "serpentine")
        self._check_levels()
        self._check_spot()
        if self.order == "legal":
            for name in ("rgb", "boomerang", "reverse", "clicks_picture", "beside"):
                if getattr(self, name):
                    raise OptionError(f"order legal excludes {name}; leave one out", "order")
        if self.end is not None and self.end <= (self.start or 0):
            flaw = f"end must be later than start {self.start or 0:g}, not {self.end:g}"
            raise OptionError(flaw, "end")
        for name in ("duration", "clicks_per_frame"):
            if self.total is not None and getattr(self, name) != getattr(Timing(), name):
                raise OptionError(f"total and {name} exclude each other; leave one out", "total")
        if self.beside and self.clicks_picture:
            rule = "beside and clicks_picture exclude each other"
            raise OptionError(f"{rule}; leave one out", "beside")
        if self.cycle and self.boomerang:
            raise OptionError("cycle and boomerang exclude each other; leave one out", "cycle")

    @property
    def reads_colour(self) -> bool:
        """Whether pictures are read in colour."""
        return self.rgb or bool(self.spot)

    @property
    def more_pictures(self) -> tuple[str, ...]:
        """Paths of the pictures beside those of the film, or of the one that its clicks draw."""
        return (*self.beside, *([] if self.clicks_picture is None else [self.clicks_picture]))

    @property
    def returns(self) -> bool:
        """Whether a film of stills ends with its first picture."""
        return self.cycle or self.boomerang

    @property
    def frame_rate(self) -> float:
        """Frames per second; the default for stills if ``fps`` is None."""
        return Timing().fps if self.fps is None else self.fps

    @property
    def longest(self) -> float:
        """Longest time that a frame is shown, in seconds; None counts as the default for stills."""
        if None in (self.fps, self.hold_first, self.hold_last):
            return self.with_defaults_for().longest
        return super().longest

    def with_defaults_for(self, clip_fps: float | None = None, *, pictures: int = 2) -> Self:
        """Replace options that are None, and dither "auto", by the defaults for these pictures.

        ``hold_first`` and ``hold_last`` stay None if there are clips, because stills and clips of
        one film have different defaults.

        Args:
            clip_fps: frame rate of the first clip; None if all pictures are stills.
            pictures: number of pictures.

        >>> Settings().with_defaults_for().dither, Settings(fps=24).with_defaults_for(30).fps
        ('floyd-steinberg', 24.0)
        """
        defaults = dict[str, Any](dither=BLUE_NOISE, fps=clip_fps)
        if clip_fps is None:
            times = Timing()
            holds = {"hold_first": times.hold_first, "hold_last": times.hold_last}
            defaults = {"dither": DITHER, "fps": times.fps, **holds}
        if self.transition == "automaton":
            room = self.room or (DEFAULT_ROOM if pictures == 1 else 1)
            leaves = pictures == 1 and room > 1 and not self.cycle
            defaults |= {"fps": STEPS_A_SECOND, "room": room, "path": LEAVE if leaves else BOTH}
        if self.spot and not clip_fps:
            defaults["dither"] = SEARCH
        defaults["detail"] = DEFAULT_SPOT_DETAIL if self.spot else DEFAULT_DETAIL
        unset = None, AUTO
        updates = {name: value for name, value in defaults.items() if getattr(self, name) in unset}
        if self.more_pictures and (self.size is None or self.size.rows is None):
            updates["perfect"] = True
        if self.dither in SEARCHED_DITHERS and (clip_fps or self.transition == "dissolve"):
            updates["dither"] = BLUE_NOISE
        return attrs.evolve(self, **updates)

    def _check_transition(self) -> None:
        changed = explicit_options(self)
        for name, transitions in TRANSITIONS_BY_OPTION.items():
            if name in changed and self.transition not in transitions:
                flaw = f"{name} needs transition {' or '.join(transitions)}, not {self.transition}"
                raise OptionError(f"{flaw}; leave the option out", name)
        if self.transition == "dissolve" and self.dither in (None, AUTO):
            # Set it here, because the record of a film must name the dither.
            object.__setattr__(self, "dither", BLUE_NOISE)
        if self.transition == "dissolve" and self.dither not in (
            *FADING_DITHERS,
            *SEARCHED_DITHERS,
        ):
            expected = f"be one of {', '.join(FADING_DITHERS)} for a dissolve"
            raise OptionError(f"dither must {expected}, not {self.dither!r}", "dither")
        if self.transition == "sketch" and self.order == "legal":
            raise OptionError("order legal needs transition wipe, not sketch", "order")
        if not self.settle:
            _refuse_settle_options(changed)

    def _check_levels(self) -> None:
        if self.rgb and self.levels > MAX_COLOUR_LEVELS:
            flaw = f"levels must be at most {MAX_COLOUR_LEVELS} with rgb, not {self.levels}"
            raise OptionError(flaw, "levels")
        for name, value in (("ip", "paper"), ("order", "legal")):
            if self.levels > 2 and getattr(self, name) == value:
                flaw = f"{name} {value} needs 2 levels, not {self.levels}"
                raise OptionError(f"{flaw}; choose another {name}", name)

    def _check_spot(self) -> None:
        if not self.spot:
            return
        if self.levels == 2:
            raise OptionError("spot needs 3, 5 or 7 levels, not 2; choose levels 5", "levels")
        if isinstance(self.spot, Colours) and len(self.spot) != self.levels:
            expected = f"a colour for each of the {self.levels} levels, not {len(self.spot)}"
            raise OptionError(f"spot needs {expected}", "spot")
        if isinstance(self.spot, Colours) and len({*self.spot}) < len(self.spot):
            raise OptionError(f"spot needs different colours, not {self.spot}", "spot")
        excluded = {
            "rgb": self.rgb,
            "tone linear": self.tone == "linear",
            f"dither {STROKES}": self.dither == STROKES,
            "transition sketch": self.transition == "sketch",
            "clicks_picture": self.clicks_picture,
            "beside": self.beside,
            f"path {THROUGH}": self.path == THROUGH,
        }
        for name in (name for name, is_chosen in excluded.items() if is_chosen):
            raise OptionError(f"spot and {name} exclude each other; leave one out", "spot")


# For each option that is valid only for some transitions, the names of these transitions.
TRANSITIONS_BY_OPTION: Mapping[str, tuple[str, ...]] = {
    field.name: can
    for field in attrs.fields(Settings)
    if (can := tuple(name for name in TRANSITIONS if name in field.metadata["marks"].split()))
}

PER_PICTURE = option_names(Settings, "per_picture")  # Options that can be set per picture.
OF_CLIPS = option_names(Settings, "of_clips")  # Options that have no effect on stills.


def explicit_options(settings: Settings) -> dict[str, Any]:
    """Return the options that differ from both their defaults and the defaults of version 1.0."""
    legacy, values = {"order": "radial", "ease": "front"}, non_default_values(settings)
    return {name: value for name, value in values.items() if value != legacy.get(name)}


def with_wipe_transition(settings: Settings) -> Settings:
    """Change the transition to wipe, and reset the options that do not apply to it."""
    unused = [name for name, can in TRANSITIONS_BY_OPTION.items() if "wipe" not in can]
    return attrs.evolve(settings, transition="wipe", **{n: getattr(Settings(), n) for n in unused})


def _refuse_settle_options(names: Iterable[str]) -> None:
    for name in option_names(Settings, "of_settling"):
        if name in names:
            raise OptionError(f"{name} applies to wipes only; leave it out, or set settle", name)


def _to_presets(value: Preset | Iterable[Preset]) -> tuple[Preset, ...]:
    """Convert the name of a preset, or a list of such names."""
    names = [value] if isinstance(value, str) else check_list("preset", value)
    return tuple(check_choice("preset", name, get_args(Preset)) for name in names)


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Picture"))
class MakeRequest(Settings):
    """The options of `make` as users give them, perhaps with the names of presets."""

    preset: tuple[Preset, ...] = field(
        default=(),
        converter=_to_presets,
        metadata=option_info(
            "Set several options by one name, repeatable; other options override them: "
            + "; ".join(f"{name} ({format_shell_line(values)})" for name, values in PRESETS.items())
            + ".",
            "NAME",
        ),
    )


def settings_from_values(values: Mapping[str, Any]) -> Settings:
    """Convert options of `make`, which may name a preset, into `Settings`."""
    check_known_names("option", values, option_names(MakeRequest))
    return Settings(**apply_preset(values))


def apply_preset(values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace ``preset`` by the options that it sets; the other values override these.

    Raises:
        OptionError: if two presets disagree on an option that the other values do not set.
    """
    options = dict(values)
    if options.get("transition") == "sketch" and options.get("settle") is False:
        _refuse_settle_options(options)
    presets, chosen = _to_presets(options.pop("preset", None) or ()), dict[str, Any]()
    for preset in presets:
        for name, value in PRESETS[preset].items():
            if chosen.setdefault(name, value) != value and name not in options:
                flaw = f"presets {' and '.join(presets)} disagree on {name}"
                raise OptionError(f"{flaw} ({chosen[name]} and {value}); set {name}, too", "preset")
    if options.get("total") or options.get("transition") == "automaton":
        chosen.pop("duration", None)
    return {**chosen, **options}


def choose_seed(settings: Settings) -> int:
    """Return the seed of the settings, or a random one of at most 6 digits."""
    return secrets.randbelow(10**6) if settings.seed is None else settings.seed


def require_named_options(make: Function) -> Function:
    """Decorate a function: list all options in its signature, and refuse unnamed options."""

    @wraps(make)
    def call_with_options(*pictures: Any, **options: Any) -> Any:
        if len(pictures) > 1 and not isinstance(pictures[0], list | tuple):
            raise OptionError("put the pictures in one list, as in make([first, second])")
        for unnamed in pictures[1:]:
            raise OptionError(f"options must be named, such as size={quote_value(unnamed)}")
        for name in [name for name in option_names(LookOptions) if name in options]:
            raise OptionError(f"{name} is an option of save(...), frame(...) or plot(...)", name)
        return make(*pictures, **options)

    signature = inspect.signature(make)
    *leading, _ = signature.parameters.values()
    parameters = [*leading, *inspect.signature(MakeRequest).parameters.values()]
    call_with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return cast(Function, call_with_options)
