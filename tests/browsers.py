"""What a browser shows of a file: every frame, as Chromium decodes and composes it."""

import base64
import hashlib
import shutil
from contextlib import contextmanager

import numpy as np

CHROMIUM = shutil.which("chromium")
ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

TYPES = {".gif": "image/gif", ".apng": "image/png", ".png": "image/png", ".webp": "image/webp",
         ".mp4": "video/mp4", ".webm": "video/webm"}  # fmt: skip

# Digests of all frames' pixels; of pictures by the decoder that <img> uses, of videos as <video>
# shows them at the middle of each frame's time.
PAGE = """<!doctype html><script>
const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const digest = async (pixels) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", pixels))]
  .map((byte) => byte.toString(16).padStart(2, "0")).join("");
async function picture(base64, type) {
  const frames = [];
  try {
    const decoder = new ImageDecoder({ data: bytes(base64), type, preferAnimation: true });
    await decoder.tracks.ready;
    await decoder.completed;
    const count = decoder.tracks.selectedTrack.frameCount;
    for (let frameIndex = 0; frameIndex < count; frameIndex += 1) {
      const { image } = await decoder.decode({ frameIndex });
      const pixels = new Uint8Array(image.allocationSize({ format: "RGBA" }));
      await image.copyTo(pixels, { format: "RGBA" });
      frames.push(await digest(pixels));
      image.close();
    }
    decoder.close();
    return { frames };
  } catch (error) {
    return { frames, error: String(error) };
  }
}
</script>"""


@contextmanager
def viewer():
    """A function that tells the digests of a file's frames, and what went wrong."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        page = browser.new_page()
        # A secure address, where pictures may be decoded; nothing is fetched.
        page.route("**/*", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        page.goto("https://films.test/")

        def shown(path):
            content = base64.b64encode(path.read_bytes()).decode()
            return page.evaluate("([c, t]) => picture(c, t)", [content, TYPES[path.suffix]])

        yield shown
        browser.close()


def same(frames, shown):
    """Does the browser show these frames, and nothing else?"""
    return "error" not in shown and shown["frames"] == frames


def digest_of(raster):
    pixels = np.ascontiguousarray(raster.channels)
    opaque = np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
    return hashlib.sha256(opaque.tobytes()).hexdigest()
