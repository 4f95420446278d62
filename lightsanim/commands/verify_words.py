"""What `lightsanim verify` says."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from lightsanim.proof.verification import Verification


def verdict(file: Path, found: Verification, targets: Sequence[Path]) -> Iterator[str]:
    """Lines on a file that is legal."""
    parts = [
        f"{found.columns}x{found.rows} cells, rule {found.rule}{', wrapped' if found.wrap else ''}",
        f"{found.frames} {'frame' if found.frames == 1 else 'frames'}",
    ]
    if found.seconds is not None:
        parts[-1] += f", {found.seconds:g} s"
    if found.clicks is not None:
        on = " on three boards" if found.boards == 3 else ""
        parts.append(f"{found.clicks} clicks{on}, at most {found.most_clicks} for a frame")
    yield f"{file} is legal: {'; '.join(parts)}."
    for target, wrong, shown in zip(targets, found.wrong or [], found.shown or [], strict=False):
        yield f"{target}: {wrong} wrong {'cell' if wrong == 1 else 'cells'} in frame {shown}."
    yield from found.notes
