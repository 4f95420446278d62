"""Who may ask for what.

The server listens on loopback, and still any page in the same browser can send requests there, and
any program on this machine can connect.  So an address begins with a token that nobody can guess;
the Host must be this machine (a name of someone else's that resolves to it is refused); what
changes anything must come from our own page.

With an `Invitation` it listens in the own network, too.  Whoever knows its code, which is told on
the terminal and is good for one visit, is led to the page.
"""

import secrets
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightsanim.studio.requests import RefusedError

LOOPBACK = "127.0.0.1"

# Requests at a time; a page has some ten, the events of its savings included.
MOST_REQUESTS = 64

SAFE = ("GET", "HEAD")

# The port of http, which browsers leave out of Host and Origin.
USUAL_PORT = 80

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

# A player is a whole page with its script inside, and has an origin of its own.
PLAYER_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)

# The maker has no sandbox, as it keeps files and leads back.
MAKER_POLICY = PLAYER_POLICY.removeprefix("sandbox allow-scripts; ")

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}


class Invitation:
    """The code by which one other device comes to the page; the next one needs another."""

    def __init__(self, address: str, port: int, tell: Callable[[str], None]) -> None:
        self.address = address
        self._port, self._tell = port, tell

    def renew(self) -> None:
        """Tell a new code."""
        self._code = secrets.token_urlsafe(12)
        self._tell(f"http://{self.address}:{self._port}/{self._code}/")

    def is_taken_by(self, word: str) -> bool:
        """Is this the code? Then it was."""
        if not secrets.compare_digest(word.encode(), self._code.encode()):
            return False
        self.renew()
        return True


class Guard:
    """Lets the page's own requests through, and gives every answer its headers."""

    def __init__(
        self, app: ASGIApp, token: str, port: int, invitation: Invitation | None = None
    ) -> None:
        self._app, self._token, self._port, self._invitation = app, token, port, invitation
        # The names of each address that is listened at.
        self._names: dict[str, tuple[str, ...]] = {LOOPBACK: (LOOPBACK, "localhost")}
        if invitation is not None:
            self._names[invitation.address] = (invitation.address,)
        self._at_work = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        answer = _with_headers(send)
        self._at_work += 1
        try:
            if self._at_work > MOST_REQUESTS:
                raise RefusedError("too many requests at once; wait a little", 503)
            if self._check(scope):
                await self._app(scope, receive, answer)
            else:
                await RedirectResponse(f"/{self._token}/")(scope, receive, answer)
        except RefusedError as refused:
            refusal = JSONResponse(refused.as_dict, status_code=refused.status)
            await refusal(scope, receive, answer)
        finally:
            self._at_work -= 1

    def _check(self, scope: Scope) -> bool:
        # Does its path begin with the token and a slash?  Otherwise it is led there.
        headers = Headers(scope=scope)
        hosts, at = headers.getlist("host"), (scope["server"] or ("", None))[0]
        own = {f"{name}:{self._port}" for name in self._names.get(at, ())}
        if self._port == USUAL_PORT:
            own.update(self._names.get(at, ()))
        if "\0" in scope["path"]:
            raise RefusedError("there is nothing here", 404)
        if len(hosts) != 1 or hosts[0].lower() not in own:
            raise RefusedError("this is no address of the studio; open what it says", 421)
        origins = headers.getlist("origin")
        foreign = origins != [f"http://{hosts[0].lower()}"]
        foreign &= bool(origins or scope["method"] not in SAFE)
        if foreign or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise RefusedError("another site's page may not ask for this", 403)
        first, slash, rest = scope["path"].removeprefix("/").partition("/")
        invitation = self._invitation if at != LOOPBACK and scope["method"] == "GET" else None
        if invitation is not None and invitation.is_taken_by(first):
            return False
        if not secrets.compare_digest(first.encode(), self._token.encode()):
            raise RefusedError(
                "there is nothing here; open the address that lightsanim studio says (one for "
                "another device is good once)",
                404,
            )
        scope["path"] = scope["raw_path"] = f"/{rest}"
        return bool(slash)


def _with_headers(send: Send) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return answer
