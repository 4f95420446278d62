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
# What became of the names of options of version 1.0.
CHANGED_NAMES = {
    "cycle": "is ending cycle",
    "boomerang": "is ending boomerang",
    "clicks_panel": "is part of show_clicks: right-total, below-total or total",
    "middle": "is part of colours, as in #000,#f00,#fff",
    "exhibit": "is visitor_clicks, as in play.html@visitor-clicks=30",
    "words": "is language, as in play.html@language=de or worksheet --language FILE",
    "reader": "is library, which follows the output, as in lamps.ino@library=fastled",
    "sheet_frames": "is frames, which follows the sheet, as in sheet.png@frames=9",
    "sheet_columns": "is columns, which follows the sheet, as in sheet.png@columns=3",
    "sketch_frames": "is frames, which follows the transition, as in sketch@frames=13",
    "sketch_blur": "is blur, which follows the transition, as in sketch@blur=0.7",
    "click_price": "is price, which follows the transition, as in sketch@price=2",
    "serpentine": "is gone: the number of cells decides",
    "verbose": "is gone: json reports all",
    **{
        name: f"follows the transition, as in {example}"
        for name, example in {
            "settle": "sketch@no-settle",
            "steps": "automaton@steps=9",
            "room": "automaton@room=4",
            "path": "automaton@path=through",
            "press": "wipe@press=lit",
        }.items()
    },
    **{
        name: f"follows the output, as in {example}"
        for name, example in {
            "mute": "film.mp4@mute",
            "frame": "still.png@frame=50%",
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
    """Raise an OptionError that says what became of each changed name, except of known ones.

    >>> refuse_changed_names(["size", "cycle", "cell"], ["size"])
    Traceback (most recent call last):
    lightsanim.errors.OptionError: options have changed: cycle is ending cycle; cell ...
    """
    changed = [name for name in dict.fromkeys(names) if name in CHANGED_NAMES.keys() - {*known}]
    if changed:
        advice = "; ".join(f"{name} {CHANGED_NAMES[name]}" for name in changed)
        raise OptionError(f"options have changed: {advice}", changed[0])


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
