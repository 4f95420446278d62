"""A studio in a process of its own, and its page's requests."""

import asyncio
import http.client
import json
import re
import selectors
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from urllib.parse import quote

from tools.program import PROGRAM


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


@dataclass
class Visitor:
    """Whoever knows the address: the page, as long as nothing else is said."""

    port: int
    token: str
    process: subprocess.Popen

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def address(self):
        return f"{self.origin}/{self.token}/"

    def begin(self, method, path, body=None, *, root=None, headers=None, host="127.0.0.1"):
        """Send a request to a path of the studio (``root``: in place of that with the token)."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        own = {"Origin": self.origin} if method != "GET" else {}
        target = (f"/{self.token}/" if root is None else root) + path
        connection = http.client.HTTPConnection(host, self.port, timeout=60)
        connection.request(method, target, body, own | (headers or {}))
        return connection

    def ask(self, method, path, body=None, **options):
        with closing(self.begin(method, path, body, **options)) as connection:
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def get(self, path, **options):
        return self.ask("GET", path, **options)

    def post(self, path, body, **options):
        return self.ask("POST", path, body, **options)

    def drop(self, file, name=None):
        """Drop a picture; what the studio calls it."""
        dropped = self.post(f"pictures?name={quote(name or file.name)}", file.read_bytes())
        assert dropped.status == 200, dropped.body
        return dropped.json["id"]

    def saved(self, body):
        save = self.post("save", body).json["save"]
        events = self.get(f"saves/{save}/events").body.decode()
        *_, kind, facts = re.findall(r"^(?:event|data): (.*)$", events, re.MULTILINE)
        assert kind == "done", facts
        return {file["name"]: self.get(file["url"]).body for file in json.loads(facts)["files"]}


class Leap(selectors.DefaultSelector):
    """Does not wait for a time to come: it comes at once where nothing else happens before."""

    leapt = 0.0

    def select(self, timeout=None):
        ready = super().select(timeout and 0)
        self.leapt += 0 if ready else timeout or 0
        return ready


class LeapingLoop(asyncio.SelectorEventLoop):
    """An event loop for waits and time limits of minutes (but for those of threads)."""

    def __init__(self):
        self.leap = Leap()
        super().__init__(self.leap)

    def time(self):
        return super().time() + self.leap.leapt


@contextmanager
def running_loop():
    """Runs coroutines on one loop, in another thread: in this one Playwright's loop may run."""
    with ThreadPoolExecutor(1) as thread:
        runner = asyncio.Runner(loop_factory=LeapingLoop)
        try:
            yield lambda coroutine: thread.submit(runner.run, coroutine).result()
        finally:
            thread.submit(runner.close).result()


def awaited(coroutine):
    """What a coroutine returns."""
    with running_loop() as run:
        return run(coroutine)


async def requested(app, method, path, body=b"", server="127.0.0.1", **headers):
    """What a request to an application in this process is answered.

    The body may be JSON, or a tuple of pieces, of seconds between them, and None: the page goes.
    """
    if not isinstance(body, bytes | tuple):
        body = json.dumps(body).encode()
    path, _, query = path.partition("?")
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode()}
    scope |= {"server": (server, 8000), "raw_path": path.encode()}
    named = [(name.lower().replace("_", "-"), value) for name, value in headers.items()]
    scope["headers"] = [(name.encode(), value.encode()) for name, value in named]
    pieces = [body] if isinstance(body, bytes) else [*body]
    status, content, received = 0, b"", http.client.HTTPMessage()

    async def receive():
        while pieces:
            if isinstance(piece := pieces.pop(0), bytes):
                has_more = any(isinstance(later, bytes) for later in pieces)
                return {"type": "http.request", "body": piece, "more_body": has_more}
            if piece is None:
                return {"type": "http.disconnect"}
            await asyncio.sleep(piece)
        return await asyncio.Event().wait()

    async def send(message):
        nonlocal status, content
        status, content = message.get("status", status), content + message.get("body", b"")
        for name, value in message.get("headers", ()):
            received[name.decode()] = value.decode()

    await app(scope, receive, send)
    return Answer(status, received, content)


@contextmanager
def studio(*words, program=(*PROGRAM, "studio", "--no-browser")):
    words = [*program, *map(str, words)]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True)
    line = process.stderr.readline()
    match = re.search(r"http://127\.0\.0\.1:(\d+)/([\w-]+)/", line)
    try:
        assert match, line
        yield Visitor(int(match[1]), match[2], process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        finally:
            process.kill()  # if it is still there
            process.stderr.close()
