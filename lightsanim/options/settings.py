"""All options of `make`, the rules for combining them, and presets that set several at once."""

import inspect
import secrets
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from itertools import chain
from typing import Any, Self, TypeVar, cast, get_args

import attrs
from attrs import field, frozen

from lightsanim.errors import OptionError
from .at_options import AT, format_at_options, parse_at_options
from .checks import check_choice, check_known_names, check_list, quote_value, require_keys
from .choices import (
    AUTO,
    BLUE_NOISE,
    BOOMERANG,
    BOTH,
    CYCLE,
    FADING_DITHERS,
    LEAVE,
    MAX_COLOUR_LEVELS,
    SEARCH,
    SEARCHED_DITHERS,
    STAY,
    STROKES,
    THROUGH,
    Ending,
    Preset,
)
from .colours import Colours
from .declare import choice_option, group_transformer, number_option, option_info
from .legacy import refuse_changed_names
from .look import DrawingOptions
from .records import non_default_values, option_names
from .shell import format_shell_line
from .stages import (
    DEFAULT_ROOM,
    MAX_SECONDS,
    OPTIONS_BY_TRANSITION,
    STEPS_A_SECOND,
    TRANSITIONS,
    ClickOptions,
    OrderOptions,
    SolveOptions,
    TargetOptions,
    Timing,
    Transition,
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
        "loop": {"ending": BOOMERANG, "duration": 4.0, "hold_first": 1.5, "ease": "in-out"},
    },
)


def _optional_timing_option(name: str, unset: str) -> Any:
    """Return an option of `Timing` with the default None."""
    option = getattr(attrs.fields(Timing), name)
    return field(default=None, metadata={**option.metadata, "unset": unset})


@frozen(kw_only=True, slots=False, field_transformer=group_transformer("Timing"))
class Settings(Timing, ClickOptions, SolveOptions, TargetOptions):
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
    ending: Ending = choice_option(
        STAY,
        "What follows the last picture (cycle adds a transition back to the first picture; "
        "boomerang undoes all clicks, and is only for stills)",
        group="Clicks",
        marks="of_ways",
    )

    def __attrs_post_init__(self) -> None:
        self._check_transition()
        self._check_levels()
        self._check_spot()
        if self.order == "legal":
            excluded = {
                "rgb": self.rgb,
                "ending boomerang": self.is_boomerang,
                "reverse": self.reverse,
                "clicks_picture": self.clicks_picture,
                "beside": self.beside,
            }
            for name, is_chosen in excluded.items():
                if is_chosen:
                    raise OptionError(f"order legal excludes {name}; leave one out", "order")
        super().__attrs_post_init__()
        for name in ("duration", "clicks_per_frame"):
            if self.total is not None and getattr(self, name) != getattr(Timing(), name):
                raise OptionError(f"total and {name} exclude each other; leave one out", "total")
        if self.beside and self.clicks_picture:
            rule = "beside and clicks_picture exclude each other"
            raise OptionError(f"{rule}; leave one out", "beside")

    @property
    def returns(self) -> bool:
        """Whether a film of stills ends with its first picture."""
        return self.ending != STAY

    @property
    def is_cycle(self) -> bool:
        """Whether a transition leads from the last picture back to the first."""
        return self.ending == CYCLE

    @property
    def is_boomerang(self) -> bool:
        """Whether all clicks are undone at the end."""
        return self.ending == BOOMERANG

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
            defaults = {"dither": self.dither_of_stills, "fps": times.fps, **holds}
        if self.transition == "automaton":
            room = self.room or (DEFAULT_ROOM if pictures == 1 else 1)
            leaves = pictures == 1 and room > 1 and not self.is_cycle
            defaults |= {"fps": STEPS_A_SECOND, "room": room, "path": LEAVE if leaves else BOTH}
        defaults["detail"] = self.added_contrast
        unset = None, AUTO
        updates = {name: value for name, value in defaults.items() if getattr(self, name) in unset}
        if self.more_pictures and (self.size is None or self.size.rows is None):
            updates["perfect"] = True
        if self.dither in SEARCHED_DITHERS and (clip_fps or self.transition == "dissolve"):
            updates["dither"] = BLUE_NOISE
        return attrs.evolve(self, **updates)

    def _check_transition(self) -> None:
        changed = non_default_values(self)
        for name in changed:
            takers = transitions_with_option(name)
            if self.transition not in takers:
                flaw = f"{name} needs transition {' or '.join(takers)}, not {self.transition}"
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


def transitions_with_option(name: str) -> tuple[Transition, ...]:
    """Return the transitions to which an option applies."""
    can = tuple(way for way, options in OPTIONS_BY_TRANSITION.items() if name in options)
    return can or TRANSITIONS


PER_PICTURE = option_names(Settings, "per_picture")  # Options that can be set per picture.
OF_CLIPS = option_names(Settings, "of_clips")  # Options that have no effect on stills.


def with_wipe_transition(settings: Settings) -> Settings:
    """Change the transition to wipe, and reset the options that do not apply to it."""
    names = chain(*OPTIONS_BY_TRANSITION.values())
    unused = {name for name in names if "wipe" not in transitions_with_option(name)}
    return attrs.evolve(settings, transition="wipe", **{n: getattr(Settings(), n) for n in unused})


def _refuse_settle_options(names: Iterable[str]) -> None:
    for name in option_names(OrderOptions):
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


def transition_options(transition: str) -> dict[str, str]:
    """Return the options that follow a transition's name, by their names after the sign @."""
    names = OPTIONS_BY_TRANSITION.get(cast(Transition, transition), ())
    fields = attrs.fields(Settings)
    return {at: name for name in names if (at := getattr(fields, name).metadata["at"])}


def split_transition_word(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return options in which those after the transition's name stand by themselves.

    >>> split_transition_word({"transition": "sketch@frames=20@no-settle", "fps": 12})
    {'transition': 'sketch', 'fps': 12, 'sketch_frames': 20, 'settle': False}
    """
    name, *words = str(values.get("transition") or "").split(AT)
    if not words:
        return dict(values)
    known = transition_options(check_choice("transition", name, TRANSITIONS))
    if not known:
        raise OptionError(f"transition {name} has no options, so no {words[0]}", "transition")
    fields = {at: getattr(attrs.fields(Settings), option) for at, option in known.items()}
    pairs = (
        (given, text if sign else None) for given, sign, text in (w.partition("=") for w in words)
    )
    own = parse_at_options(pairs, fields, f"transition {name}", f"transition {name}")
    return {**values, "transition": name, **{known[at]: value for at, value in own.items()}}


def join_transition_word(values: Mapping[str, Any]) -> dict[str, Any]:
    """Invert `split_transition_word`: the options of the transition follow its name."""
    transition = str(values.get("transition", Settings().transition))
    known = {name: at for at, name in transition_options(transition).items()}
    own = {known[name]: value for name, value in values.items() if name in known}
    others = {name: value for name, value in values.items() if name not in known}
    return {**others, "transition": transition + format_at_options(own)} if own else others


def settings_from_values(values: Mapping[str, Any]) -> Settings:
    """Convert options of `make`, which may name a preset, into `Settings`."""
    refuse_changed_names(values, option_names(MakeRequest))
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


def choose_seed(seed: int | None) -> int:
    """Return the seed that the user gave, or a random one of at most 6 digits."""
    return secrets.randbelow(10**6) if seed is None else seed


def require_named_options(make: Function) -> Function:
    """Decorate a function: list all options in its signature, and refuse unnamed options."""

    @wraps(make)
    def call_with_options(*pictures: Any, **options: Any) -> Any:
        if len(pictures) > 1 and not isinstance(pictures[0], list | tuple):
            raise OptionError("put the pictures in one list, as in make([first, second])")
        for unnamed in pictures[1:]:
            raise OptionError(f"options must be named, such as size={quote_value(unnamed)}")
        for name in [name for name in option_names(DrawingOptions) if name in options]:
            raise OptionError(f"{name} is an option of save(...), frame(...) or plot(...)", name)
        return make(*pictures, **options)

    signature = inspect.signature(make)
    *leading, _ = signature.parameters.values()
    offered = inspect.signature(MakeRequest).parameters
    parameters = [*leading, *(offered[name] for name in option_names(MakeRequest))]
    call_with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return cast(Function, call_with_options)
