"""Small functions that several rooms use: each gives what its example says."""

import numpy as np
import pytest

from lightsanim import Settings, Timing
from lightsanim.apps.puzzles.solve_and_pose import timing_for_clicks
from lightsanim.apps.teaching.worksheet_drawing import wrap_text
from lightsanim.game.relatives.answer import format_grid
from lightsanim.game.solve.status import count_with_bound
from lightsanim.options.checks import find_hidden_character, format_names, quote_value
from lightsanim.options.page_words import normalize_nfc
from lightsanim.options.settings import with_wipe_transition
from lightsanim.options.shell import quote_for_shell
from lightsanim.options.values import Span, spread_evenly, to_file_stem, to_panels, to_wiring
from lightsanim.pictures.font import text_width


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (find_hidden_character, ["\u0645\u06cc\u200c\u062e\u0648\u0631"], None),  # Persian
        (find_hidden_character, ["a\u200cb"], "U+200C"),
        (normalize_nfc, ["z\u0301"], "\u017a"),
        (quote_value, ["a\nb"], r"'a\nb'"),
        (quote_value, [[1] * 100], "[1, 1, 1, 1, 1, 1, ...]"),
        (quote_value, [10**5000], "a number with too many digits"),
        (format_names, [["a"]], "a"),
        (format_names, [["a", "b"]], "a and b"),
        (format_names, [["a", "b", "c", "d", "e"]], "a, b, c and 2 more"),
        (count_with_bound, [15, "clicks", 15], "15 clicks, proven the fewest"),
        (count_with_bound, [1, "clicks", 0], "1 click, 0 or more proven"),
        (format_grid, [np.array([[1, -10], [0, 2]]), ""], "1 -10\n0   2"),
        (text_width, ["A", 1000], 615.0),  # 1260 of 2048 units, by the font file
        (text_width, ["\u4e00", 1000], 1000.0),
        (wrap_text, ["Lights Out for children", 28, 5], ["Lights Out", "for children"]),
        (wrap_text, ["M" * 7, 13, 5], ["MMM", "MMM", "M"]),
        (spread_evenly, [Span(3, 12), 6], (3, 5, 7, 8, 10, 12)),
        (spread_evenly, [Span(3, 12), 1], (8,)),
        (spread_evenly, [Span(3, 4), 4], (3, 3, 4, 4)),
        (timing_for_clicks, [15, None], Timing(fps=2, clicks_per_frame=1)),
        (timing_for_clicks, [280, None], Timing(fps=25, clicks_per_frame=1)),
        (to_file_stem, ["../<b>sun\n: moon"], "-b-sun- moon"),
        (to_file_stem, ["..."], "animation"),
        (to_wiring, ["wiring", "zigzag,bottom-right"], "bottom-right,zigzag"),
        (to_panels, ["4x2,columns,bottom-right"], (4, 2, "bottom-right,columns")),
        (quote_for_shell, ["\ud800"], r"$'\077'"),  # a lone surrogate
        (with_wipe_transition, [Settings(transition="sketch", settle=False)], Settings()),
    ],
)
def test_a_function_gives_what_its_example_says(function, arguments, expected):
    assert function(*arguments) == expected
