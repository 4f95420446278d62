"""The page of a studio whose server a test plays: it holds requests, and says when time passes."""

import io
import json
from functools import cache
from itertools import count
from pathlib import Path
from urllib.parse import unquote, urlsplit

from PIL import Image

from lightsanim.apps.studio.album import Album
from lightsanim.apps.studio.saves import SaveJobs
from lightsanim.apps.studio.server import Studio, build_app
from tools.studios import awaited, requested

FACE = {"id": "a", "name": "face.png", "kind": "still", "seconds": None, "width": 40, "height": 30}
PICTURE = {**FACE, "id": "b", "name": "b.png", "width": 30, "height": 40}
PAIR = (FACE, PICTURE)
CLIP = {**FACE, "id": "clip", "name": "dance.mp4", "kind": "clip", "seconds": 10, "height": 40}

# A player that keeps what it is told, and reports where it is.
PLAYER = """<!doctype html><script>
const told = [];
let did = "play", share = 0.25;
addEventListener("message", ({ data }) => {
  if (data.do === "report") return parent.postMessage({ did, share }, "*");
  told.push(data);
  [did, share] = [data.do, data.share ?? 0];
});
</script>"""


@cache
def served(path):
    """What the studio's own server answers to a path."""
    folder = Path("/nonexistent")
    app = build_app(Studio(album=Album(folder), jobs=None, saves=SaveJobs(folder), seed=3))
    answer = awaited(requested(app, "GET", path))
    headers = {name: value for name, value in answer.headers.items() if name != "content-length"}
    return {"status": answer.status, "headers": headers, "body": answer.body}


def png(width=20, height=16):
    file = io.BytesIO()
    Image.new("L", (width, height)).save(file, "png")
    return file.getvalue()


class StudioPage:
    """A page; requests to paths in `held` wait for `answer`, others are answered at once."""

    numbers = count()  # of origins: none of them has what another one stored

    def __init__(self, page):
        self.page, self.held, self.calls = page, set(), []
        self.origin = f"http://studio{next(self.numbers)}.test/"
        self.films = {"summary": "done", "report": {"pictures": [{"wrong": 2}, {"wrong": 0}]}}
        self.target_headers = {}
        self.work = None
        page.route(f"{self.origin}**", self._serve)

    def open(self, *pictures, values=None, own=None, **members):
        """Open the page with a project of some pictures, and options of all and of single ones."""
        if self.calls:  # the page sends its project when it is left, which is not wanted here
            self.page.unroute_all()
            self.page.goto("about:blank")
            self.page.route(f"{self.origin}**", self._serve)
        look = {"values": {"seed": 3, **(values or {})}, "own": own or {}}
        views = [{"view": None, **picture} for picture in pictures or PAIR]
        self.work = {"pictures": views, "looks": {"A": look, "B": None}, **members}
        self.page.goto(self.origin)
        self.page.wait_for_function("document.body.dataset.tab")
        return self

    def _serve(self, route):
        request = route.request
        path = urlsplit(request.url).path[1:] or "/"
        kind = path.split("/")[0]
        call = {"path": path, "method": request.method, "route": route, "kind": kind}
        call |= {"headers": request.headers, "query": unquote(urlsplit(request.url).query)}
        is_json = request.headers.get("content-type") == "application/json"
        call["body"] = json.loads(request.post_data) if is_json else None
        self.calls.append(call)
        if kind in self.held or path in self.held:
            return None
        return route.fulfill(**self._usual_answer(call))

    def _usual_answer(self, call):
        path, kind = call["path"], call["kind"]
        if path in ("/", "options") or kind == "static":
            return served(path if path == "/" else f"/{path}")
        if kind == "work":
            if call["method"] == "PUT":
                self.work = call["body"]
            headers = {"ETag": f'"{hash(json.dumps(self.work))}"'}
            if call["method"] == "PUT":
                return {"status": 204, "headers": headers}
            if headers["ETag"] == call["headers"].get("if-none-match"):
                return {"status": 304, "headers": headers}
            return {"json": self.work, "headers": headers}
        if path.endswith("/player"):
            return {"body": PLAYER, "content_type": "text/html"}
        if kind == "film":
            return {"json": {"film": f"f{self.count('film')}", **self.films}}
        if kind == "words":
            return {"json": {"command": "make", "python": "import", "manifest": "[x]"}}
        if kind in ("target", "pictures", "samples", "examples"):
            return {"body": png(), "content_type": "image/png", "headers": self.target_headers}
        return {"json": {}}

    # What the page has asked for

    def requests(self, path):
        """The requests to a path, or to all paths in a folder such as saves/."""
        isin = str.startswith if path.endswith("/") else str.__eq__
        return [call for call in self.calls if isin(call["path"], path)]

    def targets(self):
        """The requests for targets of cards, without those of presets."""
        return [call for call in self.requests("target") if "slot" not in call["body"]]

    def count(self, path):
        return len(self.requests(path))

    def wait(self, path, count=1):
        """Wait until a path has been asked for so often; returns the last request."""
        for _ in range(2000):
            if self.count(path) >= count:
                return self.requests(path)[-1]
            self.page.evaluate("0")
        raise AssertionError(f"{path}: {self.count(path)} requests, not {count}")

    def answer(self, call, content=None, status=200, headers=None):
        """Answer a request that waits."""
        body = content if isinstance(content, bytes) else json.dumps(content)
        kind = "image/png" if isinstance(content, bytes) else "application/json"
        headers = {"content-type": kind, **(headers or {})}
        call["route"].fulfill(status=status, body="" if status == 204 else body, headers=headers)
        self.settle()

    def send_events(self, call, *events):
        """Answer a request for the events of a save with some of them, and no more."""
        lines = [f"event: {kind}\ndata: {json.dumps(facts)}\n\n" for kind, facts in events]
        body = "retry: 1000000\n\n" + "".join(lines)
        call["route"].fulfill(body=body, content_type="text/event-stream")
        self.settle()

    def settle(self):
        """Let the page do what it does without waiting."""
        self.page.evaluate(
            """async () => {
              for (let n = 0; n < 5; n++) {
                const { port1, port2 } = new MessageChannel();
                await new Promise((done) => {
                  port1.onmessage = done;
                  port2.postMessage(n);
                });
              }
            }"""
        )

    def pass_time(self, milliseconds):
        self.page.clock.run_for(milliseconds)
        self.settle()

    def note_downloads(self):
        """Keep addresses and names of downloads that the page starts, instead of starting them."""
        self.page.evaluate(
            """() => {
              window.downloads = [];
              HTMLAnchorElement.prototype.click = function () {
                downloads.push([this.getAttribute("href"), this.getAttribute("download")]);
              };
            }"""
        )

    # What the page shows

    def row(self, name):
        """The row of an option."""
        return self.page.locator(f".row[data-name={name}]")

    def field(self, name):
        return self.row(name).locator("input:not([type=range], [type=color])")

    def texts(self, selector):
        return self.page.locator(selector).all_text_contents()

    def text(self, selector):
        return self.page.text_content(selector)

    def frames(self):
        """The films in the players, in the order of the page."""
        sources = "all => all.map((frame) => frame.getAttribute('src').split('/')[1])"
        return self.page.eval_on_selector_all(".screen iframe", sources)

    def type(self, locator, value, *kinds):
        """Set the value of a field, as by the events of some kinds."""
        locator.evaluate(
            """(field, [value, kinds]) => {
              field.value = value;
              for (const kind of kinds) field.dispatchEvent(new Event(kind, { bubbles: true }));
            }""",
            [str(value), kinds or ["input", "change"]],
        )

    def set_option(self, name, value):
        self.type(self.field(name), value)

    def project(self):
        """The project, after it has been sent to the server."""
        with self.page.expect_response(lambda answer: answer.url.endswith("/work")):
            self.pass_time(400)
        self.settle()
        return self.work
