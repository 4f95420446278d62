"""Checks the lower bound of bounds.py: Gray's order through 2**32 click sets, compiled by gcc.

    python benchmarks/check_79.py

It takes some minutes and shares no code with lightsanim.
"""

import subprocess
import tempfile
from pathlib import Path

from check_hardest import chased, quiet
from check_sequences import all_on, pivots_of

PROGRAM = """
#include <stdint.h>
#include <stdio.h>
#define WORDS 25
static const uint64_t start[WORDS] = {START};
static const uint64_t patterns[COUNT][WORDS] = {{PATTERNS}};
int main(void) {
    uint64_t now[WORDS];
    int best = 64 * WORDS;
    for (int w = 0; w < WORDS; w++) now[w] = start[w];
    for (uint64_t step = 1;; step++) {
        int size = 0;
        for (int w = 0; w < WORDS; w++) size += __builtin_popcountll(now[w]);
        if (size < best) best = size;
        if (step >> COUNT) break;
        const uint64_t *pattern = patterns[__builtin_ctzll(step)];
        for (int w = 0; w < WORDS; w++) now[w] ^= pattern[w];
    }
    printf("%d\\n", best);
}
"""


def words(number):
    """A number as 64-bit words of C."""
    return ",".join(f"{number >> 64 * w & 2**64 - 1}u" for w in range(25))


def part(grid, down, right):
    """Every other cell of every other row, as one number."""
    bits = "".join(f"{row:079b}"[::-1][right::2] for row in grid[down::2])
    return int(bits[::-1], 2)


def main():
    """Compile and run it for three parts; the fourth is one of them transposed."""
    grids = [chased(first, 79, 79)[0] for first in quiet(79, 79)]
    total = 0
    for down, right, times in ((0, 0, 1), (0, 1, 2), (1, 1, 1)):
        basis = list(pivots_of([part(grid, down, right) for grid in grids]).values())
        text = PROGRAM.replace("START", words(part(all_on(79), down, right)))
        text = text.replace("COUNT", str(len(basis)))
        text = text.replace("PATTERNS", "},{".join(map(words, basis)))
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder) / "part.c", Path(folder) / "part"
            source.write_text(text)
            subprocess.run(["gcc", "-O3", "-march=native", "-o", program, source], check=True)
            fewest = int(subprocess.run([program], check=True, capture_output=True).stdout)
        print(f"rows {down + 1}, columns {right + 1} modulo 2: {fewest} of 2^{len(basis)} sets")
        total += times * fewest
    print(f"A075464(79) is at least {total}")


if __name__ == "__main__":
    main()
