"""Access control of the studio's server.

The server listens on loopback, but any page in the same browser can send requests to it, and any
program on this machine can connect.  Therefore every path begins with a secret token, the Host
header must name this machine (which prevents DNS rebinding), and requests that change something
must come from the studio's own page.

With an `Invitation` the server also listens on the local network.  The terminal shows a code that
redirects one visitor to the page.
"""

import secrets
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .requests import RefusedError

LOOPBACK = "127.0.0.1"
MAX_REQUESTS = 64  # maximum number of concurrent requests; one page makes about ten at a time

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

# The player is a whole page with inline scripts and styles; `sandbox` separates it from the studio.
PLAYER_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)

# The maker is not sandboxed, since it has to save files and to link back to the studio.
MAKER_POLICY = PLAYER_POLICY.removeprefix("sandbox allow-scripts; ") + "; worker-src blob:"

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
    """A one-time code with which one other device can open the page."""

    def __init__(self, address: str, port: int, announce: Callable[[str], None]) -> None:
        self.address = address
        self._port, self._announce = port, announce

    def renew_code(self) -> None:
        """Create a new code, and announce the address that contains it."""
        self._code = secrets.token_urlsafe(12)
        self._announce(f"http://{self.address}:{self._port}/{self._code}/")

    def redeem_code(self, code: str) -> bool:
        """Return whether ``code`` is the current code, which can then not be used again."""
        if not secrets.compare_digest(code.encode(), self._code.encode()):
            return False
        self.renew_code()
        return True


class RequestGuard:
    """ASGI middleware that refuses unauthorized requests and adds security headers to responses."""

    def __init__(
        self, app: ASGIApp, token: str, port: int, invitation: Invitation | None = None
    ) -> None:
        self._app, self._token, self._port, self._invitation = app, token, port, invitation
        # Allowed values of the Host header, by the address at which the server listens.
        self._host_names: dict[str, tuple[str, ...]] = {LOOPBACK: (LOOPBACK, "localhost")}
        if invitation is not None:
            self._host_names[invitation.address] = (invitation.address,)
        self._active_requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, redirect it to the page, or refuse it."""
        if scope["type"] != "http":
            return

        async def send_response(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        self._active_requests += 1
        try:
            if self._active_requests > MAX_REQUESTS:
                raise RefusedError("too many requests at once; try again in a moment", 503)
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
        # Returns False if the request must be redirected to the page: its path is an invitation
        # code, or the token without a slash.  Raises RefusedError if the request is not allowed.
        headers = Headers(scope=scope)
        hosts, server = headers.getlist("host"), (scope["server"] or ("", None))[0]
        own_hosts = {f"{name}:{self._port}" for name in self._host_names.get(server, ())}
        if self._port == 80:  # browsers omit the default port in Host and Origin
            own_hosts.update(self._host_names.get(server, ()))
        if len(hosts) != 1 or hosts[0].lower() not in own_hosts:
            message = "not the studio's address; open the address that lightsanim studio prints"
            raise RefusedError(message, 421)
        origins = headers.getlist("origin")
        is_foreign = origins != [f"http://{hosts[0].lower()}"]
        is_foreign &= bool(origins or scope["method"] not in ("GET", "HEAD"))
        if is_foreign or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise RefusedError("a page of another site cannot send this request", 403)
        prefix, slash, _ = scope["path"].removeprefix("/").partition("/")
        invitation = self._invitation if server != LOOPBACK and scope["method"] == "GET" else None
        if invitation is not None and invitation.redeem_code(prefix):
            return False
        if not secrets.compare_digest(prefix.encode(), self._token.encode()):
            message = "there is no page here; open the address that lightsanim studio prints"
            raise RefusedError(f"{message} (the address for another device works once)", 404)
        scope["root_path"] = f"/{self._token}"  # the part of the path that routes leave out
        return bool(slash)
