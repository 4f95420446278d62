"""The records in the documentation: checked by programs that share no code with ours."""

import json
import subprocess
import sys

import pytest
from written import ROOT

DATA = ROOT / "docs" / "how-it-works" / "data"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="a source package has no docs")


def check(name, *words):
    """What a checker says, or None if it refuses."""
    command = [sys.executable, ROOT / "benchmarks" / f"check_{name}.py", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout.splitlines()


def test_hardest_starts_and_their_proofs_hold():
    said = check("hardest", DATA / "hardest.json", 3)
    assert "9x9: some gain is at least 8, 348 cases" in said
    # W. Boyles, arXiv 2201.03452, for n = 6k - 1 of nullity 2.
    for k, n in ((1, 5), (3, 17), (7, 41), (9, 53)):
        assert f"{n} x {n}, nullity 2: {26 * k**2 - 12 * k + 1}" in said
    assert said[-1] == "29 x 29: the formula holds for k = 1, 3"


def _fewer_clicks(record):
    board = next(one for one in record["boards"] if one["rows"] == one["columns"] == 9)
    board["click set"][0] = "0" * 9


def _a_bound_too_low(record):
    record["boards"][-1]["bound"] -= 1


def _a_case_too_few(record):
    tree = record["proofs"]["9x9"]["tree"]
    tree[2] = tree[3]


def _a_gain_too_large(record):
    record["proofs"]["6x8"]["gain"] += 2


CHANGES = [_fewer_clicks, _a_bound_too_low, _a_case_too_few, _a_gain_too_large]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_wrong_in_them_is_found(tmp_path, change):
    record = json.loads((DATA / "hardest.json").read_text())
    change(record)
    (tmp_path / "changed.json").write_text(json.dumps(record))
    assert check("hardest", tmp_path / "changed.json", 1) is None


# OEIS A076437 as stored in 2018, which ends at 80.
A076437 = [1, 2, 3, 5, 6, 7, 8, 10, 12, 13, 15, 17, 18, 20, 21, 22, 25, 26, 27, 28, 31, 36, 37, 38]
A076437 += [40, 41, 42, 43, 45, 46, 48, 51, 52, 53, 55, 56, 57, 58, 60, 63, 66, 68, 70, 72, 73, 75]
A076437 += [76, 77, 78, 80]


def test_sequences_come_out_again(tmp_path):
    said = check("sequences", DATA, 66)
    assert said[0] == "A118142: 18 terms to 66"
    assert "A075464(94) = 4438: the fewest of 2^4 click sets" in said
    assert "A075464(79) is at most 2629" in said
    terms = [int(line.split()[1]) for line in (DATA / "b076437.txt").read_text().splitlines()]
    assert [term for term in terms if term <= 80] == A076437
    for path in DATA.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with (tmp_path / "b118143.txt").open("r+") as file:
        file.write("1 3\n")
    assert check("sequences", tmp_path, 30) is None
