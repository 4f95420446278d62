"""What a browser shows of a file: every frame, as Chromium decodes and composes it."""

import base64
import hashlib
import io
from contextlib import contextmanager

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from PIL import Image

from lightsanim.output.formats.registry import open_frames
from lightsanim.output.look.theme import premultiply
from tools.program import outside

# One page is looked at at a time.
ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-sync", "--disable-background-networking", "--disable-component-update",
        "--num-raster-threads=1", "--renderer-process-limit=1", "--process-per-site"]  # fmt: skip

TYPES = {".gif": "image/gif", ".apng": "image/png", ".png": "image/png", ".webp": "image/webp",
         ".mp4": "video/mp4", ".webm": "video/webm"}  # fmt: skip

# Of 256 levels: decoders are this far apart over the colours of a video, at most.
COLOURS_APART = 30

# Of colours mixed with their alphas: half-transparent ones are rounded more than once.
ROUNDING = np.array([2, 2, 2, 2 / 255])

# The last frame may be shown a little longer.
SECONDS_APART = 0.5

# Stands an SVG still at a time, in milliseconds.
SEEK = """time => { for (const animation of document.getAnimations()) {
  animation.pause(); animation.currentTime = time; } }"""

# What a function says of each frame, by the decoder that <img> uses.
DECODE = """async (data, type, describe) => {
  const decoder = new ImageDecoder({ data, type, preferAnimation: true }), frames = [];
  await decoder.tracks.ready;
  await decoder.completed;
  while (frames.length < decoder.tracks.selectedTrack.frameCount) {
    const { image } = await decoder.decode({ frameIndex: frames.length });
    const pixels = new Uint8Array(image.allocationSize({ format: "RGBA" }));
    await image.copyTo(pixels, { format: "RGBA" });
    frames.push(await describe(image, pixels));
    image.close();
  }
  decoder.close();
  return frames;
}"""

# Digests of all frames' pixels; of pictures by that decoder, of videos as <video>
# shows them at the middle of each frame's time.
PAGE = """<!doctype html><script>
const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const digest = async (pixels) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", pixels))]
  .map((byte) => byte.toString(16).padStart(2, "0")).join("");
const picture = async (base64, type) =>
  ({ frames: await (DECODE)(bytes(base64), type, (image, pixels) => digest(pixels)) });
async function video(base64, type, times) {
  const film = document.createElement("video"), canvas = document.createElement("canvas");
  const happens = (name) => new Promise((done, failed) => {
    film.addEventListener(name, done, { once: true });
    film.addEventListener("error", () => failed(film.error.message), { once: true });
    setTimeout(() => failed(`no ${name}`), 5000);
  });
  const frames = [];
  try {
    film.muted = true;
    film.src = URL.createObjectURL(new Blob([bytes(base64)], { type }));
    await happens("loadeddata");
    [canvas.width, canvas.height] = [film.videoWidth, film.videoHeight];
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    for (const time of times) {
      const painted = new Promise((done) => film.requestVideoFrameCallback(done));
      film.currentTime = time;
      await happens("seeked");
      await Promise.race([painted, new Promise((done) => setTimeout(done, 500))]);
      pen.drawImage(film, 0, 0);
      frames.push(canvas.toDataURL("image/png").split(",")[1]);
    }
    return { frames, seconds: film.duration };
  } finally {
    URL.revokeObjectURL(film.src);
  }
}
const answer = (promise) => promise.catch((error) => ({ error: String(error) }));
</script>""".replace("DECODE", DECODE)

# Size and pixels of each frame.
FRAMES = """([base64, type]) => (DECODE)(
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)), type,
  (image, pixels) => [image.codedWidth, image.codedHeight, [...pixels]])""".replace(
    "DECODE", DECODE
)


@contextmanager
def chromium():
    from playwright.sync_api import sync_playwright

    path = outside("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGS)
        yield browser
        browser.close()


class Pages:
    """Pages of a browser for one test after the other: a new one takes longer than most tests.

    There is one for each choice of what a page keeps, such as touch.  What goes wrong on any is
    noted.
    """

    def __init__(self, browser):
        self._browser, self._pages = browser, {}
        self._complaints, self._allowed = [], ()

    def open(
        self, address, *, allowed, viewport, reduced_motion="no-preference", color_scheme="light",
        device_scale_factor=1, has_touch=False, is_mobile=False,
    ):  # fmt: skip
        """Open an address from which nothing but addresses that begin so may be asked for."""
        page = self._page(device_scale_factor, has_touch, is_mobile)
        self._empty(page)
        page.set_viewport_size(viewport)
        page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion=reduced_motion)
        self._allowed = allowed
        page.goto(address)
        return page

    def leave(self):
        """Empty all pages; returns the errors, messages and requests that should not have been."""
        for page in self._pages.values():
            self._empty(page)
        complaints, self._complaints = self._complaints, []
        return complaints

    def _page(self, scale, touch, mobile):
        key = scale, touch, mobile
        if key not in self._pages:
            context = self._browser.new_context(
                device_scale_factor=scale, has_touch=touch, is_mobile=mobile
            )
            page = self._pages[key] = context.new_page()
            page.on("console", lambda message: self._complaints.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: self._complaints.append(f"error: {error}"))
            page.on("request", self._requested)
        return self._pages[key]

    def _requested(self, request):
        if not request.url.startswith((*self._allowed, "about:", "data:")):
            self._complaints.append(f"request: {request.url}")

    @staticmethod
    def _empty(page):
        if page.url != "about:blank":
            page.goto("about:blank")  # first: while a script loops, no other call would ever end
            page.mouse.move(0, 0)
            page.unroute_all()  # with nothing under way

    def close(self):
        for page in self._pages.values():
            page.context.close()


def drop(page, *groups):
    """Drop groups of files, one right after the other, beside what is on the page."""
    page.evaluate(
        """(groups) => groups.forEach((contents) => {
          const dataTransfer = new DataTransfer();
          for (const [name, content] of contents) {
            const bytes = Uint8Array.from(content, (letter) => letter.charCodeAt(0));
            dataTransfer.items.add(new File([bytes], name));
          }
          const event = { dataTransfer, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent("drop", event));
        })""",
        [[(p.name, p.read_bytes().decode("latin-1")) for p in paths] for paths in groups],
    )


@contextmanager
def viewer(browser):
    """A function that says what Chromium shows otherwise than `open_frames`; None if nothing."""
    with browser.new_page() as page:
        # A secure address, where pictures may be decoded; nothing is fetched.
        address = "https://films.test/"
        page.route(address, lambda route: route.fulfill(body=PAGE, content_type="text/html"))

        def difference(path):
            if path.suffix == ".svg":
                return compare_drawing(page, path)
            if page.url != address:
                page.goto(address)
            kind = TYPES[path.suffix]
            content = base64.b64encode(path.read_bytes()).decode()
            with open_frames(path) as file:
                if kind.startswith("video"):
                    frames = [(f.raster.rgb_channels.copy(), f.seconds) for f in file.frames]
                    seconds = np.array([seconds for _, seconds in frames])
                    words = [content, kind, (np.cumsum(seconds) - seconds / 2).tolist()]
                    for _ in range(6):  # it may tell of a picture a little before it shows it
                        answer = page.evaluate("([c, k, t]) => answer(video(c, k, t))", words)
                        problem = answer.get("error") or compare_video(frames, answer)
                        if not problem:
                            break
                    return problem
                digests = [digest_of(frame.raster) for frame in file.frames]
            answer = page.evaluate("([c, k]) => answer(picture(c, k))", [content, kind])
            return answer.get("error") or (answer["frames"] != digests and "other frames") or None

        yield difference


def digest_of(raster):
    return hashlib.sha256(rgba_of(raster).tobytes()).hexdigest()


def rgba_of(raster):
    return raster.pixels.astype("<u4")[..., None].view(np.uint8)[..., [2, 1, 0, 3]]


def compare_drawing(page, path):
    # At the middle of each frame's time; where colours meet, a pixel is between them.
    with open_frames(path) as file:
        height, width = file.size
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path.as_uri())
        end = 0
        for frame in file.frames:
            end += frame.seconds
            page.evaluate(SEEK, 1000 * (end - frame.seconds / 2))
            shot = page.screenshot(animations="allow", omit_background=True)
            there = premultiply(np.asarray(Image.open(io.BytesIO(shot)).convert("RGBA")))
            ours = np.pad(premultiply(rgba_of(frame.raster)), [(1, 1), (1, 1), (0, 0)], "edge")
            near = sliding_window_view(ours, (3, 3), (0, 1))
            low, high = near.min((-2, -1)) - ROUNDING, near.max((-2, -1)) + ROUNDING
            if ((there < low) | (there > high)).any():
                return f"another frame {frame.number}"
    return None


def compare_video(frames, answer):
    seconds = sum(seconds for _, seconds in frames)
    if abs(answer["seconds"] - seconds) > SECONDS_APART:
        return f"{answer['seconds']} seconds, not {seconds}"
    for number, ((pixels, _), picture) in enumerate(zip(frames, answer["frames"], strict=True)):
        with Image.open(io.BytesIO(base64.b64decode(picture))) as image:
            there = np.asarray(image.convert("RGB"))
        if there.shape != pixels.shape:
            return f"frame {number} in another size"
        if (np.abs(there.astype(int) - pixels) > COLOURS_APART).any():
            return f"another frame {number}"
    return None
