"""Who may ask for what.

The server listens on loopback, and still any page in the same browser can send requests there, and
any program on this machine can connect.  So an address begins with a token that nobody can guess;
the Host must be this machine (a name of someone else's that resolves to it is refused); what
changes anything must come from our own page.
"""

import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lightsanim.studio.refusal import RefusedError

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

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}


class Guard:
    """Lets the page's own requests through, and gives every answer its headers."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app, self._token = app, token
        names = ("127.0.0.1", "localhost")
        self._hosts = {f"{name}:{port}" for name in names}
        if port == USUAL_PORT:
            self._hosts.update(names)
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
        # Does its path have the slash after the token?
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise RefusedError("this server is for this machine alone", 421)
        first, slash, rest = scope["path"].removeprefix("/").partition("/")
        if not secrets.compare_digest(first.encode(), self._token.encode()):
            raise RefusedError(
                "there is nothing here; open the address that lightsanim studio says", 404
            )
        origins = headers.getlist("origin")
        own = [f"http://{hosts[0].lower()}"]
        foreign = origins != own and (origins or scope["method"] not in SAFE)
        if foreign or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise RefusedError("another site's page may not ask for this", 403)
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
