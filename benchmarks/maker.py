"""The maker in Chromium: the first film, photographs of 12 megapixels, playing, cropping."""

import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from benchmarks.studio import photographs
from benchmarks.tables import Bar, Findings, Table
from lightsanim.teaching.maker import write_maker

# What the browser slows its own work down by, where it stands for a phone.
SLOWED = 4

# Milliseconds from the page's begin, or its files' choice, until a film of that title is there, and
# one frame more.
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

# Milliseconds between frames that are painted one after the other, while a film is played.
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

# Milliseconds from each step of a drag until the target is painted, which is at once.
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
    """Medians of the times, of a browser that is slowed down where a phone has to wait."""
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
                page.wait_for_timeout(2000)  # until its tiles are drawn
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
        {"what": "the first film, of samples", "ms": 1000 * begin},
        {"what": "a film of two photographs of 12 megapixels", "ms": 1000 * large},
        {"what": "between two frames, 120 x 120 (median)", "ms": median(frames)},
        {"what": "between two frames, 120 x 120 (19 of 20)", "ms": frames[len(frames) * 19 // 20]},
        {"what": "from a drag to its target, 80 x 80", "ms": drag},
    ]
    table = Table(
        title="The maker",
        note=f"In Chromium, the first two slowed {SLOWED} times; medians of {repeats}.",
        rows=rows,
    )
    bars = [
        Bar.below("maker: its file", size, 130, "kB"),
        Bar.below("maker: the first film, slowed 4 times", begin, 1, "s"),
        Bar.below("maker: two photographs of 12 megapixels, slowed 4 times", large, 3, "s"),
        Bar.below("maker: median between frames, 120 x 120", median(frames), 17, "ms"),
        Bar.below("maker: drag to target, 80 x 80", drag, 50, "ms"),
    ]
    return Findings(tables=[table], bars=[] if quick else bars)
