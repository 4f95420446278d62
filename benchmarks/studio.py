"""Benchmark of the studio in Chromium: from a change to its result, with two large photographs."""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import skimage.data
from PIL import Image
from playwright.sync_api import Page, Response, sync_playwright

from benchmarks.measure import ROOT
from benchmarks.tables import Bar, Findings, Table

PIXELS = (4000, 3000)
TRANSITIONS = ("wipe", "dissolve")

# Changes the option detail, and measures milliseconds until the first target and the film change.
CHANGE = """
(detail) => new Promise((resolve) => {
  const [field, canvas] = ["#o-detail", ".target"].map((name) => document.querySelector(name));
  const film = () => document.querySelector(".screen iframe:not(.coming)");
  const [seen, played, begun] = [canvas.toDataURL(), film(), performance.now()];
  let target = null;
  field.value = detail;
  for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  requestAnimationFrame(function look() {
    const now = performance.now() - begun;
    if (target === null && canvas.toDataURL() !== seen) target = now;
    if (film() && film() !== played && target !== null) resolve([target, now]);
    else requestAnimationFrame(look);
  });
})
"""

# The same, but waits only for the target.
TARGET = CHANGE.replace(
    "if (film() && film() !== played && target !== null)", "if (target !== null)"
)


def run(quick: bool) -> Findings:
    """Measure the time to target, film and first page, and the memory of the server."""
    changes, more = (3, 20) if quick else (15, 1000)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        pictures = list(photographs(Path(name)))
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        begun = time.perf_counter()
        with studio(pictures) as (server, address):
            page, sizes = browser.new_page(), list[int]()
            page.on("response", lambda answer: sizes.append(size_of(answer)))
            page.goto(address)
            page.wait_for_selector("#options .row", state="attached")
            first, weight = time.perf_counter() - begun, sum(sizes) / 1000
            page.wait_for_selector(".screen iframe:not(.coming)", state="attached")
            rows = [{"transition": way, **change(page, way, changes)} for way in TRANSITIONS]
            before = memory(server)
            for number in range(more):
                page.evaluate(TARGET, (0.5, 2, 1, 3)[number % 4])
            grown = memory(server) / before
        browser.close()
    tables = [
        Table(
            title="The studio, 10,000 cells, two photographs of 12 megapixels",
            note=f"Milliseconds from a change of the option detail, medians of {changes}, in "
            "Chromium. The film starts 100 ms after the last change. The time to the first page is "
            "mostly Chromium's own, while two workers read the photographs, on two cores.",
            rows=rows,
        ),
    ]
    bars = [
        Bar.below("studio: change to target", max(row["target, ms"] for row in rows), 150, "ms"),
        Bar.below("studio: change to film", max(row["film, ms"] for row in rows), 500, "ms"),
        Bar.below("studio: from command to first page", first, 1, "s"),
        Bar.below("studio: size of the page without pictures", weight, 200, "kB"),
        Bar.below(f"studio: growth of memory by {more} changes", grown, 1.1, "times"),
    ]
    return Findings(tables=tables, bars=[] if quick else bars)


def photographs(folder: Path) -> Iterator[Path]:
    """Write two photographs of 12 megapixels, and yield their paths."""
    for name in ("astronaut", "cat"):
        path = folder / f"{name}.jpg"
        Image.fromarray(getattr(skimage.data, name)()).resize(PIXELS).save(path, quality=90)
        yield path


@contextmanager
def studio(pictures: list[Path]) -> Iterator[tuple[int, str]]:
    """Run a studio with pictures, and yield its process number and its address."""
    command = [sys.executable, "-m", "lightsanim", "studio", *map(str, pictures), "--no-browser"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = re.search(r"http://\S+/", process.stderr.readline())
            assert said, "the studio has not started"
            yield process.pid, said[0]
        finally:
            process.terminate()


def change(page: Page, transition: str, changes: int) -> dict[str, float]:
    """Return the medians of the milliseconds until target and film have changed."""
    label = page.locator(".row[data-name=transition] label", has_text=transition)
    label.evaluate("(label) => (label.control ?? label.querySelector('input')).click()")
    page.wait_for_timeout(3000)
    seen = [page.evaluate(CHANGE, 0.4 + 0.2 * number) for number in range(changes)]
    target, film = (median(each) for each in zip(*seen, strict=True))
    return {"target, ms": target, "film, ms": film}


def size_of(answer: Response) -> int:
    """Return the size of a response in bytes; 0 for pictures."""
    is_page = "static/" in answer.url or answer.url.endswith(("/", "/options"))
    return len(answer.body()) if is_page else 0


def memory(process: int) -> float:
    """Return the resident memory of a process, in kB."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return float(found[1]) if found else 0.0
