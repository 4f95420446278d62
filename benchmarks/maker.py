"""Benchmark of the maker's page in Chromium: first film, large photographs, playing, cropping."""

import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from benchmarks.studio import photographs
from benchmarks.tables import Bar, Findings, Table
from lightsanim.apps.teaching.maker import write_maker

# Factor by which Chromium slows down the processor, to simulate a phone.
SLOWED = 4

# Measures milliseconds from the start of the page, or from the choice of files, until a film with
# this title is shown, plus one frame.
SHOWN = """
(title) => new Promise((resolve) => {
  requestAnimationFrame(function look() {
    const label = document.querySelector("#board")?.ariaLabel ?? "";
    if (!label.startsWith(title)) requestAnimationFrame(look);
    else requestAnimationFrame(() => resolve(performance.now() - (window.begun ?? 0)));
  });
})
"""

CHOSEN = """
document.querySelector("#files").addEventListener(
  "change", () => (window.begun = performance.now()), true)
"""

# Measures milliseconds between consecutive frames of a film.
FRAMES = """
(count) => new Promise((resolve) => {
  const seen = [];
  requestAnimationFrame(function look(now) {
    seen.push(now);
    if (seen.length <= count) requestAnimationFrame(look);
    else resolve(seen.slice(1).map((time, i) => time - seen[i]));
  });
})
"""

# Measures milliseconds from each step of a drag until its handler has painted the target.
DRAGS = """
(count) => {
  const crop = document.querySelector(".crop"), box = crop.getBoundingClientRect();
  const send = (type, x) => crop.dispatchEvent(new PointerEvent(type, {
    pointerId: 1, clientX: box.left + x, clientY: box.top + x, bubbles: true,
  }));
  crop.setPointerCapture = () => {};
  crop.dispatchEvent(new WheelEvent("wheel", { deltaY: -500, cancelable: true }));
  send("pointerdown", 0);
  return Array.from({ length: count }, (_, i) => {
    const begun = performance.now();
    send("pointermove", (i % 20) + 1);
    return performance.now() - begun;
  });
}
"""


def run(quick: bool) -> Findings:
    """Measure medians of the times; the browser is slowed down for the first two."""
    repeats = 1 if quick else 5
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        file = Path(name) / "maker.html"
        write_maker(file)
        pictures = [str(path) for path in photographs(Path(name))]
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )

        def opened(slowed: int) -> Page:
            page = browser.new_page()
            page.context.new_cdp_session(page).send(
                "Emulation.setCPUThrottlingRate", {"rate": slowed}
            )
            page.goto(file.as_uri(), wait_until="commit")
            return page

        def seconds() -> tuple[float, float]:
            with opened(SLOWED) as page:
                first = page.evaluate(SHOWN, "face → cat")
                page.wait_for_timeout(2000)  # wait until the page's tiles are drawn
                page.evaluate(CHOSEN)
                with page.expect_file_chooser() as chooser:
                    page.locator(".pick").first.click()
                chooser.value.set_files(pictures)
                names = " → ".join(Path(picture).stem for picture in pictures)
                return first / 1000, page.evaluate(SHOWN, names) / 1000

        seen = [seconds() for _ in range(repeats)]
        begin, large = (median(each) for each in zip(*seen, strict=True))
        page = opened(1)
        page.evaluate(SHOWN, "face → cat")
        drag = median(page.evaluate(DRAGS, 40))
        page.locator("input[value='120']").dispatch_event("click")
        frames = sorted(page.evaluate(FRAMES, 60 if quick else 300))
        size = file.stat().st_size / 1000
        browser.close()
    rows = [
        {"what": "until the first film, of samples", "ms": 1000 * begin},
        {"what": "until a film of two photographs of 12 megapixels", "ms": 1000 * large},
        {"what": "between two frames, 120 x 120, median", "ms": median(frames)},
        {"what": "the same, 95th percentile", "ms": frames[len(frames) * 19 // 20]},
        {"what": "from a drag to the new target, 80 x 80", "ms": drag},
    ]
    table = Table(
        title="The maker",
        note=f"In Chromium, slowed {SLOWED} times in the first two rows; medians of {repeats}.",
        rows=rows,
    )
    bars = [
        Bar.below("maker: size of the file", size, 140, "kB"),
        Bar.below("maker: until the first film, slowed 4 times", begin, 1, "s"),
        Bar.below("maker: until a film of photographs, slowed 4 times", large, 3, "s"),
        Bar.below("maker: median time between frames, 120 x 120", median(frames), 17, "ms"),
        Bar.below("maker: from a drag to the new target, 80 x 80", drag, 50, "ms"),
    ]
    return Findings(tables=[table], bars=[] if quick else bars)
