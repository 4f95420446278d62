import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.refusals import assert_refused

from lightsanim import board_text, read_board
from lightsanim.errors import OptionError
from lightsanim.game.board.text import decode_text, is_board_text

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
    assert_refused(lambda: read_board(row * 1001), "50000000 50000x1001", OptionError)


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
