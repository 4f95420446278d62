"""A studio in a process of its own, and its page's requests."""

import asyncio
import http.client
import json
import re
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from urllib.parse import quote

from program import PROGRAM


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

    def begin(self, method, path, body=None, *, root=None, headers=None):
        """Send a request to a path of the studio (``root``: in place of that with the token)."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        sent = {"Origin": self.origin} if method != "GET" else {}
        target = (f"/{self.token}/" if root is None else root) + path
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, target, body, sent | (headers or {}))
        return connection

    def ask(self, method, path, body=None, **more):
        """What a request is answered."""
        with closing(self.begin(method, path, body, **more)) as connection:
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body, **more):
        return self.ask("POST", path, body, **more)

    def drop(self, file, name=None):
        """Drop a picture; what the studio calls it."""
        dropped = self.post(f"pictures?name={quote(name or file.name)}", file.read_bytes())
        assert dropped.status == 200, dropped.body
        return dropped.json["id"]

    def saved(self, body):
        """The files of a save by their names."""
        save = self.post("save", body).json["save"]
        events = self.get(f"saves/{save}/events").body.decode()
        *_, kind, said = re.findall(r"^(?:event|data): (.*)$", events, re.MULTILINE)
        assert kind == "done", said
        return {file["name"]: self.get(file["url"]).body for file in json.loads(said)["files"]}


def awaited(coroutine):
    """What a coroutine returns, in another thread: in this one Playwright's loop may run."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


async def requested(app, method, path, body=b"", **headers):
    """The status of a request to an application in this process, and the size of its answer."""
    scope = {"type": "http", "method": method, "path": path, "query_string": b""}
    scope["server"] = "127.0.0.1", 8000
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]
    messages, statuses, size = [{"type": "http.request", "body": body}], [], 0

    async def receive():
        return messages.pop() if messages else await asyncio.Event().wait()

    async def send(message):
        nonlocal size
        statuses.append(message.get("status"))
        size += len(message.get("body", b""))

    await app(scope, receive, send)
    return statuses[0], size


@contextmanager
def studio(*words, cwd="."):
    """A studio that is open."""
    process = subprocess.Popen(
        [*PROGRAM, "studio", "--no-browser", *map(str, words)],
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
    )
    line = process.stderr.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/([\w-]+)/", line)
    try:
        assert found, line
        yield Visitor(int(found[1]), found[2], process)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stderr.close()
