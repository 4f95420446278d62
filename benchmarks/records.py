"""The fewest clicks of the two all-on boards that take minutes: with them n = 1..78 is proven."""

from benchmarks.fewest import RECORD_SECONDS, RECORDS, against_oeis
from benchmarks.tables import Bar, Findings, Table


def run(quick: bool) -> Findings:
    """Weigh the 2**40 click sets of n = 61 and the 2**42 of n = 65; if quick, those of n = 39."""
    rows = [against_oeis(side, RECORD_SECONDS) for side in ((39,) if quick else RECORDS)]
    right = sum(row["clicks"] == row["bound"] == row["OEIS"] for row in rows)
    table = Table(
        title="Fewest clicks that turn the all-on board off, records",
        note=(
            "`make records`. With these the terms of OEIS A075464 to n = 78 are proven here, which "
            "is as far as it goes: Zhao Hui Du's computation is the record, and stands."
        ),
        rows=rows,
    )
    bar = Bar(
        what="fewest, n = 61 and 65: proven and as in OEIS",
        limit="both",
        measured=f"{right} of {len(rows)}",
        met=right == len(rows),
    )
    return Findings(tables=[table], bars=[] if quick else [bar])
