"""Version 1.0: its records, read as options of this version, and names that have changed."""

from collections.abc import Iterable, Mapping
from typing import Any

from lightsanim.errors import OptionError
from .choices import BOOMERANG, CYCLE, STAY

SERPENTINE = "serpentine"  # An option that only records of films of 1.0 have.
RENAMED = {
    "words": "language",
    "reader": "library",
    "sheet_frames": "frames",
    "sheet_columns": "columns",
}
# What to write instead of an option of version 1.0.
CHANGED_NAMES = {
    "cycle": "ending cycle",
    "boomerang": "ending boomerang",
    "clicks_panel": "show_clicks right-total, below-total or total",
    "middle": "colours, as in #000,#f00,#fff",
    "exhibit": "visitor_clicks after a page: play.html@visitor-clicks=30",
    "words": "language after a page: play.html@language=de",
    "reader": "library after a sketch: lamps.ino@library=fastled",
    "mute": "mute after a video: film.mp4@mute",
    "sheet_frames": "frames after the sheet: sheet.png@frames=9",
    "sheet_columns": "columns after the sheet: sheet.png@columns=3",
    "frame": "frame after the still: still.png@frame=50%",
    "sketch_frames": "frames after the transition: sketch@frames=13",
    "sketch_blur": "blur after the transition: sketch@blur=0.7",
    "click_price": "price after the transition: sketch@price=2",
    "settle": "settle after the transition: sketch@no-settle",
    "steps": "steps after the transition: automaton@steps=9",
    "room": "room after the transition: automaton@room=4",
    "path": "path after the transition: automaton@path=through",
    "press": "press after the transition: wipe@press=lit",
    "serpentine": "nothing: the number of cells decides",
    "verbose": "nothing: json reports all",
    **{
        name: f"{name} after the output: {example}"
        for name, example in {
            "width": "out.gif@width=500",
            "cell": "out.gif@cell=4",
            "print_width": "still.svg@print-width=200",
            "paper": "still.svg@paper=a4",
            "hatch": "still.svg@hatch=0.5",
            "hatch_angle": "still.svg@hatch=0.5@hatch-angle=45",
            "pens": "still.svg@hatch=0.5@pens=cmyk",
            "wiring": "lamps.ino@wiring=zigzag",
            "panels": "lamps.ino@panels=2x1",
            "visitor_clicks": "play.html@visitor-clicks=30",
        }.items()
    },
}

# Those of them that were options of the look.
LOOKS_OF_VERSION_1 = {"clicks_panel", "middle", "exhibit", "words", "reader"}


def refuse_changed_names(names: Iterable[str], known: Iterable[str]) -> None:
    """Raise an OptionError that says for each changed name what to write, except for known ones.

    >>> refuse_changed_names(["size", "cycle", "cell"], ["size"])
    Traceback (most recent call last):
    lightsanim.errors.OptionError: changed in 2.0: for cycle write ending cycle; for cell write ...
    """
    changed = [name for name in dict.fromkeys(names) if name in CHANGED_NAMES.keys() - {*known}]
    if changed:
        advice = "; ".join(f"for {name} write {CHANGED_NAMES[name]}" for name in changed)
        raise OptionError(f"changed in 2.0: {advice}", changed[0])


def modernize_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as this version records them, from a record of this version or of 1.0.

    >>> modernize_record({"cycle": False, "boomerang": True, "dither": "bayer4"})
    {'dither': 'bayer', 'ending': 'boomerang'}
    >>> modernize_record({"lit": "#fff", "unlit": "#000", "middle": "#f00", "mark": None})
    {'mark': None, 'colours': '#000,#f00,#fff'}
    """
    values = dict(record)
    if values.get("dither") == "bayer4":  # the same as "bayer"
        values["dither"] = "bayer"
    is_ordered = values.get("transition", "wipe") in ("wipe", "sketch")
    if values.get("order") == "radial" and not (is_ordered and values.get("settle", True)):
        del values["order"]  # 1.0 recorded its default also where it does not apply
    if not {"cycle", "boomerang"}.isdisjoint(values):
        is_cycle, is_boomerang = values.pop("cycle", False), values.pop("boomerang", False)
        values["ending"] = CYCLE if is_cycle else BOOMERANG if is_boomerang else STAY
    for name in RENAMED.keys() & values.keys():
        values[RENAMED[name]] = values.pop(name)
    colours = [values.get("unlit"), values.pop("middle", None), values.get("lit")]
    if None not in colours:
        del values["unlit"], values["lit"]
        values["colours"] = ",".join(map(str, colours))
    if values.pop("clicks_panel", None) == "total":
        side = values.get("show_clicks")
        values["show_clicks"] = "total" if side is None else f"{side}-total"
    if values.pop("exhibit", False) and values.get("visitor_clicks") is None:
        values["visitor_clicks"] = 30
    return values
