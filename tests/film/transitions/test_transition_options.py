"""Options that a transition cannot have, or not with these values: refused in one line."""

import pytest

BESIDE = "--beside sample:cat --beside sample:eye"
LONG = "--size 48 --duration 80000 --fps 1000"


@pytest.mark.parametrize(
    ("transition", "words", "facts"),
    [
        ("automaton", "--size 60x60", "60x60 'plus' 61x60"),
        ("automaton", "--size 12x13 --rule cross", "'cross'"),
        ("automaton", "--size 12x13 --wrap", "'plus' wrapped"),
        ("automaton@steps=0", "", "steps 1, 0"),
        ("automaton@room=1000", "", "room 1 100, 1000"),
        ("automaton@steps=10000000", "--size 60x61", "40000000 60x61 36.6"),
        ("automaton@path=leave", "", "path cycle"),
        ("automaton@path=through@steps=6", "--size 12x8", "2 8 12x8 6"),
        ("automaton@path=through", "--size 12x7", "2 7 12x7 8"),
        ("automaton@path=through", "--wrap --size 16x17", "2 7 16x17 8"),
        ("automaton@path=through", "--size 40x40 --ending cycle", "40x40 1023 126x128"),
        ("automaton@path=through", "sample:cat sample:eye", "through 2 3 4"),
        ("automaton@path=through", "--rule king", "plus, king"),
        ("automaton@path=through", "--levels 5 --spot", "spot path through"),
        ("wipe@path=through", "", "wipe path known: press"),
        ("automaton", "--duration 3", "duration wipe dissolve sketch"),
        ("automaton", "--order sweep", "order wipe sketch automaton"),
        ("dissolve", "--order sweep", "order wipe sketch dissolve"),
        ("dissolve", "--size 998x998 --rule king", "1995"),
        # A bit for each cell of a frame, 15.36 GB, and as often as tracemalloc finds at the peak.
        ("dissolve", LONG, "80000000 48x32 30.7"),
        ("dissolve", f"{LONG} --ending boomerang --levels 3", "122.9"),  # two bits
        ("dissolve@no-settle", "", "dissolve settle"),
        ("sketch@price=0", "", "click_price 0.01 100"),
        ("sketch@price", "", "price value @price=AMOUNT"),
        ("sketch@frames=3@frames=4", "", "sketch frames twice"),
        ("sketch@settle=no", "", "settle @settle @no-settle"),
        ("sketch@blur=13", "--size 12x8", "12x8"),
        ("sketch@frames=1", "", "sketch_frames 2 1000"),
        ("sketch@frames=1000", "--size 180x180", "1000 180x180"),
        ("sketch", "--size 160x160 --rule cross", "160x160 memory smaller"),
        ("sketch", "--size 1x1", "1x1"),
        ("sketch@no-settle", "--reverse", "reverse settle"),
        ("sketch@no-settle", "--order radial", "order settle"),
        ("sketch@press=lit", "", "sketch press"),
        ("sketch", "--press lit --steps 2", "changed: wipe@press=lit automaton@steps=9"),
        ("wipe", "--clicks-picture sample:cat sample:eye", "exactly 2 pictures, not 3"),
        ("wipe", "--clicks-picture sample:cat --size 64x64", "64x64 has 28"),
        (
            "wipe",
            "--clicks-picture sample:cat --order legal",
            "order legal excludes clicks_picture",
        ),
        (
            "sketch",
            "--clicks-picture sample:cat",
            "clicks_picture needs transition wipe, not sketch",
        ),
        ("wipe", "--clicks-picture sample:cat --spot --levels 5", "spot clicks_picture exclude"),
        ("wipe", "--beside sample:cat", "a picture for each of the 2, not 1"),
        ("wipe", f"{BESIDE} --size 10x8", "20x8, the size of both halves, has"),
        ("wipe", f"{BESIDE} --order legal", "order legal excludes beside"),
        ("dissolve", BESIDE, "beside needs transition wipe, not dissolve"),
        ("wipe", f"{BESIDE} --spot --levels 5", "spot and beside exclude each other"),
        ("wipe", f"{BESIDE} --clicks-picture sample:cat", "beside and clicks_picture exclude"),
        ("wipe", "--preset spot --levels 2", "spot 3, 5 or 7 levels"),
        ("wipe", "--preset spot --rgb", "spot rgb"),
        ("wipe", "--preset spot --tone linear", "spot tone linear"),
        ("wipe", "--preset spot --dither strokes", "spot strokes"),
        ("sketch", "--preset spot", "spot sketch"),
    ],
)
def test_invalid_transition_options_are_refused(ramps, refused, transition, words, facts):
    make = ["make", *ramps, "-o", "a.json", "--transition", transition]
    refused([*make, *words.split()], 2, facts)
