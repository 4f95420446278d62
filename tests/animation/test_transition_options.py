"""Options that a transition cannot have, or not with these values: refused in one line."""

import pytest

LONG = "--size 48 --duration 80000 --fps 1000"


@pytest.mark.parametrize(
    ("transition", "words", "line"),
    [
        (
            "automaton",
            "--size 60x60",
            "steps on a 60x60 board of rule 'plus' cannot be undone; take another rule or size, "
            "such as 61x60",
        ),
        ("automaton", "--size 12x13 --rule cross", "rule 'cross' cannot be undone; take another r"),
        ("automaton", "--size 12x13 --wrap", "rule 'plus' wrapped cannot be undone; take another"),
        ("automaton", "--steps 0", "steps must be a whole number of at least 1, not 0"),
        ("automaton", "--room 1000", "room must be a whole number from 1 to 100, not 1000"),
        ("automaton", "--size 60x61 --steps 10000000", "too many for an automaton"),
        ("automaton", "--path leave", "path is for one picture without cycle; leave it out"),
        (
            "automaton",
            "--duration 3",
            "duration belongs to transition wipe or dissolve or sketch, ",
        ),
        (
            "automaton",
            "--order sweep",
            "order belongs to transition wipe or sketch, not to automat",
        ),
        (
            "dissolve",
            "--order sweep",
            "order belongs to transition wipe or sketch, not to dissolve",
        ),
        ("dissolve", "--size 998x998 --rule king", "1995 parity checks, too many for a dissolve"),
        # A bit for each cell of a frame, 15.36 GB, and as often as tracemalloc finds at the peak.
        ("dissolve", LONG, "80000000 frames of 48x32 cells are too many for a dissolve: 30.7 GB;"),
        ("dissolve", f"{LONG} --boomerang --levels 3", "122.9 GB"),  # two bits
        ("dissolve", "--no-settle", "settle belongs to transition sketch, not"),
        ("sketch", "--click-price 0", "click_price must be a number from 0.01 to 100, not 0"),
        ("sketch", "--size 12x8 --sketch-blur 13", "at most the longer side of the 12x8 board"),
        ("sketch", "--sketch-frames 1", "sketch_frames must be a whole number from 2 to 1000, not"),
        ("sketch", "--size 180x180 --sketch-frames 1000", "1000 frames of 180x180 cells are too m"),
        ("sketch", "--size 1x1", "a sketch needs more than the one cell of a 1x1 board"),
        ("sketch", "--no-settle --reverse", "reverse goes with the wipes that settle a sketch"),
        ("sketch", "--no-settle --order radial", "order goes with the wipes that settle a sketch;"),
        ("sketch", "--press lit", "press belongs to transition wipe, not to sketch"),
    ],
)
def test_invalid_transition_options_are_refused(ramps, refused, transition, words, line):
    make = ["make", *ramps, "-o", "a.json", "--transition", transition]
    refused([*make, *words.split()], 2, line)
