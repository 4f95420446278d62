"""Records of version 1.0: films, and results of batches, read as options of this version."""

from collections.abc import Mapping
from typing import Any

from .choices import BOOMERANG, CYCLE, STAY


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
    if "boomerang" in values:
        is_cycle, is_boomerang = values.pop("cycle"), values.pop("boomerang")
        values["ending"] = CYCLE if is_cycle else BOOMERANG if is_boomerang else STAY
    colours = [values.get("unlit"), values.pop("middle", None), values.get("lit")]
    if None not in colours:
        del values["unlit"], values["lit"]
        values["colours"] = ",".join(map(str, colours))
    if values.pop("clicks_panel", None) == "total":
        values["show_clicks"] = "-".join(filter(None, [values.get("show_clicks"), "total"]))
    if values.pop("exhibit", False) and values.get("visitor_clicks") is None:
        values["visitor_clicks"] = 30
    return values
