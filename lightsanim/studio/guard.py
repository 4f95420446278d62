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
MAX_REQUESTS = 64

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

SECURITY_HEADERS: Mapping[str, str] = {
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

    def __init__(self, address: str, port: int, announce: Callable[[str], None]) -> None:
        self.address = address
        self._port, self._announce = port, announce

    def renew_code(self) -> None:
        """Tell a new code."""
        self._code = secrets.token_urlsafe(12)
        self._announce(f"http://{self.address}:{self._port}/{self._code}/")

    def redeem_code(self, code: str) -> bool:
        """Is this the code? Then it was."""
        if not secrets.compare_digest(code.encode(), self._code.encode()):
            return False
        self.renew_code()
        return True


class RequestGuard:
    """Lets the page's own requests through, and gives every answer its headers."""

    def __init__(
        self, app: ASGIApp, token: str, port: int, invitation: Invitation | None = None
    ) -> None:
        self._app, self._token, self._port, self._invitation = app, token, port, invitation
        # The names of each address that is listened at.
        self._host_names: dict[str, tuple[str, ...]] = {LOOPBACK: (LOOPBACK, "localhost")}
        if invitation is not None:
            self._host_names[invitation.address] = (invitation.address,)
        self._active_requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        send_response = _add_headers(send)
        self._active_requests += 1
        try:
            if self._active_requests > MAX_REQUESTS:
                raise RefusedError("too many requests at once; wait a little", 503)
            if self._authorize_request(scope):
                await self._app(scope, receive, send_response)
            else:
                await RedirectResponse(f"/{self._token}/")(scope, receive, send_response)
        except RefusedError as error:
            response = JSONResponse(error.as_dict, status_code=error.status)
            await response(scope, receive, send_response)
        finally:
            self._active_requests -= 1

    def _authorize_request(self, scope: Scope) -> bool:
        # Does its path begin with the token and a slash?  Otherwise it is led there.
        headers = Headers(scope=scope)
        hosts, server = headers.getlist("host"), (scope["server"] or ("", None))[0]
        own_hosts = {f"{name}:{self._port}" for name in self._host_names.get(server, ())}
        if self._port == 80:  # of http, which browsers leave out of Host and Origin
            own_hosts.update(self._host_names.get(server, ()))
        if "\0" in scope["path"]:
            raise RefusedError("there is nothing here", 404)
        if len(hosts) != 1 or hosts[0].lower() not in own_hosts:
            raise RefusedError("this is no address of the studio; open what it says", 421)
        origins = headers.getlist("origin")
        is_foreign = origins != [f"http://{hosts[0].lower()}"]
        is_foreign &= bool(origins or scope["method"] not in ("GET", "HEAD"))
        if is_foreign or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise RefusedError("another site's page may not ask for this", 403)
        prefix, slash, rest = scope["path"].removeprefix("/").partition("/")
        invitation = self._invitation if server != LOOPBACK and scope["method"] == "GET" else None
        if invitation is not None and invitation.redeem_code(prefix):
            return False
        if not secrets.compare_digest(prefix.encode(), self._token.encode()):
            raise RefusedError(
                "there is nothing here; open the address that lightsanim studio says (one for "
                "another device is good once)",
                404,
            )
        scope["path"] = scope["raw_path"] = f"/{rest}"
        return bool(slash)


def _add_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
