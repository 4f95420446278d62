"""Films on lamps: the C header, played by the very reader of docs/how-to/lamps.md."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from films import Kind
from program import ask

GUIDE = (Path(__file__).parent.parent / "docs" / "how-to" / "lamps.md").read_text()
READER = re.search(r"```c\n(.*?)```", GUIDE, re.S)[1]

# Prints the milliseconds of each frame, and the level of each lamp; then the first frame again.
MAIN = """
#include <stdio.h>
static uint8_t lamps[%s_LAMPS];
int main(void) {
  struct lights_player player = {&%s, lamps, 0, 0};
  lights_begin(&player);
  for (uint32_t frame = 0; frame <= player.film->frames; frame++) {
    printf("%%u", lights_milliseconds(&player));
    for (unsigned lamp = 0; lamp < sizeof lamps; lamp++) printf(" %%u", lamps[lamp]);
    puts("");
    lights_next(&player);
  }
  return 0;
}
"""


def played(header, name="film"):
    """Milliseconds (frames + 1,) and levels (frames + 1, lamps) of a header, by the guide."""
    program = READER.replace("film.h", header.name) + MAIN % (name.upper(), name)
    (header.parent / "play.c").write_text(program)
    strict = "-std=c99 -pedantic -Wall -Wextra -Werror"
    trapping = "-fsanitize=undefined -fsanitize-undefined-trap-on-error"
    words = [*strict.split(), *trapping.split(), "-o", "play", "play.c"]
    ask("gcc", *words, cwd=header.parent)
    said = subprocess.run([header.parent / "play"], capture_output=True, text=True, check=True)
    numbers = np.array([line.split() for line in said.stdout.splitlines()], int)
    return numbers[:, 0], numbers[:, 1:]


KINDS = [
    Kind(suffix=".h", rule=rule, wrap=wrap, levels=levels, rows=rows, columns=columns,
         boards=boards, order="radial", clicks_per_frame=each, moves=2, look={}, seed=levels)
    for rule, wrap, levels, rows, columns, boards, each in [
        ("plus", False, 2, 13, 17, 1, None),
        ("king", True, 7, 6, 5, 1, 1),
        ("cross", True, 2, 4, 9, 3, 2),
        ("110/011/000", False, 5, 7, 8, 3, 5),
    ]
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "wiring"), [*zip(KINDS, ["straight", *["serpentine"] * 3], strict=True)], ids=str
)
def test_the_reader_of_the_guide_shows_every_frame(tmp_path, kind, wiring):
    animation, header = kind.animation(), tmp_path / "film.h"
    animation.save(header, wiring=wiring)
    milliseconds, lamps = played(header)
    boards = np.array([np.reshape(c, (-1, *kind.board.shape)) for c in animation.configurations()])
    if wiring == "serpentine":
        boards[:, :, 1::2] = boards[:, :, 1::2, ::-1]
    expected = boards.reshape(len(animation), -1).astype(int)
    assert np.array_equal(lamps[:-1], expected)
    assert np.array_equal(lamps[-1], expected[0])
    assert np.allclose(milliseconds[:-1], animation.durations() * 1000, atol=1)


@pytest.mark.parametrize(
    ("stem", "name"),
    [("while", "film_while"), ("3 */ 日", "film_3")],
)
def test_no_name_breaks_out_of_the_comment_or_out_of_c(tmp_path, stem, name):
    hostile = "*/ int main; /*", "sun\n#error\u202e\u2028??/", "\udcff" + "\\" * 99
    film = replace(KINDS[1].animation(), pictures=hostile)
    header = tmp_path / f"{stem}.h".replace("/", "_")
    film.save(header)
    assert played(header, name)[1].shape == (len(film) + 1, 30)


@pytest.mark.long
def test_all_commands_that_make_films_write_headers(tmp_path, run, ramps):
    for words, wiring in (
        (f"make {ramps[0]} {ramps[1]} -o film.h -o film.json --size 9x9", "serpentine"),
        ("render film.json -o film.h", "straight"),
        ("solve on off --size 9x9 -o film.h", "serpentine"),
        ("pose 9x9 --clicks 9 -o film.h -o start.txt", "straight"),
    ):
        assert run(*words.split(), "--wiring", wiring)[0] == 0
        _, lamps = played(tmp_path / "film.h")
        assert lamps.shape[1] == 81
    assert lamps[-2].sum() == 0  # all off
    start = (tmp_path / "start.txt").read_text().split()
    assert ["".join(map(str, row)) for row in lamps[0].reshape(9, 9)] == start


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("-o film.h --transition dissolve", "a C header holds single clicks, and a dissolve or"),
        ("-o film.h --size 300x300", "a C header is for at most 65535 lamps, not 90000; take"),
        ("-o film.gif --wiring serpentine", "wiring is for a .h file, and there is none"),
        ("-o film.h --wiring zigzag", "wiring must be one of straight, serpentine, not"),
    ],
)
def test_what_no_lamps_can_show_is_refused(refused, ramps, words, line):
    refused(["make", *ramps, *words.split()], 2, line)


def test_a_header_is_written_only(tmp_path, refused):
    KINDS[0].animation().save(tmp_path / "film.h")
    refused(["verify", "film.h"], 2, "a C header is written only; write a .json beside it")
