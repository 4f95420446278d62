import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lightsanim import board_text, read_board
from lightsanim.board.text import decode_text, is_board_text
from lightsanim.errors import OptionError

LENGTHS = "all rows must have the same length"
CELL = "a cell is 0 or ., or where it is lit 1 or #"
DIGIT = "a cell is a digit from 0 to 2 where there are 3 levels"
BOARD = np.array([[True, False, True], [False, False, True]])


@pytest.mark.parametrize(
    "written",
    [
        "101\n001",
        "101\n001\n",
        "1 0 1\n0 0 1\n",
        "#.#\n..#\n",
        "\t# 0 1 \n.0#",
        "\r\n101\r\n001\r\n\r\n",
        "101\r001\r",
        "\n  \n101\n001\n\t\n\n",
        "\ufeff101\n001\n",
    ],
)
def test_a_board_is_read_however_it_is_written(written):
    assert np.array_equal(read_board(written), BOARD)
    assert is_board_text(written)


@pytest.mark.parametrize("encoding", ["ascii", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_is_decoded_as_its_first_bytes_say(encoding):
    mark = {"utf-16-le": "\ufeff", "utf-16-be": "\ufeff"}.get(encoding, "")
    assert np.array_equal(read_board(decode_text((mark + "101\n001").encode(encoding))), BOARD)
    assert decode_text(b"\xff\xfe1") is None  # half a character of UTF-16


@pytest.mark.parametrize(
    ("levels", "written", "message"),
    [
        (2, " \n\r\n\t", "the board is empty; it has rows of 0 and 1, where 1 is a lit cell"),
        (2, "\n10101\n11111\n1011\n", f"line 4 of the board has 4 cells, line 2 has 5; {LENGTHS}"),
        (2, "11\n\n11", f"line 2 of the board has 0 cells, line 1 has 2; {LENGTHS}"),
        (2, "1 1\n1 2", f"line 2, column 3 of the board is '2'; {CELL}; --levels 3 would read it"),
        (2, "1 #\n1 2", f"line 2, column 3 of the board is '2'; {CELL}"),
        (2, "\x1b[31m", f"line 1, column 1 of the board is '\\x1b'; {CELL}"),
        (3, "", "the board is empty; it has rows of digits from 0 to 2"),
        (3, "01\n14", f"line 2, column 2 of the board is '4'; {DIGIT}; --levels 5 would read it"),
        (3, "0#", f"line 1, column 2 of the board is '#'; {DIGIT}"),
        (4, "01", "levels must be one of 2, 3, 5, 7, not 4"),
    ],
)
def test_invalid_board_text_is_refused_with_its_place(levels, written, message):
    with pytest.raises(OptionError) as error:
        read_board(written, levels)
    assert str(error.value) == message


@pytest.mark.parametrize("levels", [3, 5, 7])
def test_boards_of_more_levels_are_digits(levels):
    board = np.arange(12, dtype=np.uint8).reshape(3, 4) % levels
    written = board_text(board, levels)
    assert written.split() == ["".join(map(str, row)) for row in board.tolist()]
    spaced = " ".join(written).replace("\n ", "\r\n")
    for text in (written, spaced, "\n" + written):
        assert is_board_text(text)
        read = read_board(text, levels)
        assert read.dtype == np.uint8
        assert np.array_equal(read, board)


@pytest.mark.long
def test_boards_that_are_too_large_are_refused():
    row = "01" * 25_000 + "\n"
    assert read_board(row * 1000).shape == (1000, 50_000)
    with pytest.raises(OptionError, match=r"too large: 50000x1001 cells, but at most 50000000$"):
        read_board(row * 1001)


ANY_TEXT = st.text(st.sampled_from("01.# \t\r\n\ufeff?\x00\x85\u0661\ud800"), max_size=40)


@settings(max_examples=80)
@given(ANY_TEXT | st.binary(max_size=40).map(lambda data: decode_text(data) or ""))
def test_any_text_is_a_board_or_refused_in_one_line(written):
    try:
        board = read_board(written)
    except OptionError as error:
        [_] = str(error).splitlines()
    else:
        assert board.dtype == bool
        assert 0 not in board.shape
        assert np.array_equal(read_board(board_text(board)), board)
        board ^= True  # it is the caller's
