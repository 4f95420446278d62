"""Run the studio: open the sockets, start the server, open the browser.

With ``lan`` the server also listens at this machine's address in the local network, for a phone.
"""

import asyncio
import errno
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from io import BytesIO, StringIO
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from lightsanim.errors import OutputError, PictureError
from lightsanim.pictures.words.table import find_word
from lightsanim.system.signals import signals_handled
from .album import Album, Upload, read_chunks
from .guard import LOOPBACK, Invitation, RequestGuard
from .job_queue import LatestJobQueue
from .requests import RefusedError
from .saves import SaveJobs
from .server import Studio, build_app

MAX_CONNECTIONS = 64  # Maximum number of connections from other devices.
REQUEST_TIMEOUT = 5  # Seconds in which another device must complete a request.
SHUTDOWN_TIMEOUT = 1  # Seconds to wait for running responses when the studio ends.


def run_studio(
    pictures: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    port: int = 0,
    browser: bool = True,
    lan: str | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the studio, on loopback and the network address ``lan`` if given, until Ctrl-C."""
    with (
        _open_listeners([LOOPBACK, *filter(None, [lan])], port) as listeners,
        TemporaryDirectory(prefix="lightsanim-studio-") as folder,
    ):
        asyncio.run(_serve_until_stopped(listeners, Path(folder), pictures, browser, say))


def find_network_address() -> str:
    """Return this machine's address in its local network; raise `OutputError` if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a UDP socket sends nothing, but selects the address of this machine; any
            # address in another network will do (192.0.2.1: RFC 5737).
            probe.connect(("192.0.2.1", 9))
        except OSError as error:
            raise OutputError("this machine is not in a network; leave out --lan") from error
        address = str(probe.getsockname()[0])
    if not ip_address(address).is_private:
        raise OutputError(f"{address} is not a private network address; leave out --lan")
    return address


@contextmanager
def _open_listeners(addresses: Sequence[str], port: int) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        listeners = []
        for address in addresses:
            listener = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            try:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind((address, port))
            except OSError as error:
                is_in_use = error.errno == errno.EADDRINUSE
                reason = "it is in use" if is_in_use else error.strerror
                message = f"cannot open port {port}: {reason}; leave out --port to use a free port"
                raise OutputError(message) from error
            port = listener.getsockname()[1]
            listeners.append(listener)
        yield listeners


async def _serve_until_stopped(
    listeners: list[socket.socket],
    folder: Path,
    pictures: Sequence[tuple[str, Mapping[str, Any]]],
    browser: bool,
    say: Callable[[str], None],
) -> None:
    jobs = LatestJobQueue(folder)
    try:
        studio = Studio(album=Album(folder), jobs=jobs, saves=SaveJobs(folder))
        uploads = await _receive_pictures(studio, pictures)
        token, (_, port) = secrets.token_urlsafe(16), listeners[0].getsockname()
        address, invitation = f"http://{LOOPBACK}:{port}/{token}/", None
        for listener in listeners[1:]:
            invitation = Invitation(listener.getsockname()[0], port, partial(_show_invitation, say))
        server = _Server(
            uvicorn.Config(
                RequestGuard(build_app(studio), token, port, invitation),
                loop="asyncio",
                http=_Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                backlog=128,
                timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
            )
        )

        def announce_address() -> None:
            say(f"The studio is open at {address} until Ctrl-C.")
            if browser:  # in a thread: the call may last until the browser is closed
                threading.Thread(target=_open_browser, args=(address,), daemon=True).start()
            if invitation is not None:
                invitation.renew_code()

        server.on_startup = announce_address
        # The page appears while this task reads the pictures; `Studio.list_pictures` awaits it.
        studio.startup_task = asyncio.create_task(_read_pictures(studio, uploads, server))
        await server.serve(sockets=listeners)
        if studio.startup_task.done():
            studio.startup_task.result()
    finally:
        jobs.close()


async def _receive_pictures(
    studio: Studio, pictures: Sequence[tuple[str, Mapping[str, Any]]]
) -> list[Upload]:
    uploads = []
    for path, own in pictures:
        try:
            content = find_word(path).content
            name = Path(path).name if content is None else path
            with Path(path).open("rb") if content is None else BytesIO(content) as file:
                upload = await studio.album.receive_upload(name, read_chunks(file))
        except (OSError, RefusedError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise PictureError(f"cannot read {path}: {reason}") from error
        upload.own = own
        uploads.append(upload)
    return uploads


async def _read_pictures(studio: Studio, uploads: Sequence[Upload], server: "_Server") -> None:
    try:
        for upload in uploads:
            await studio.read_upload(upload)
            studio.album.add_upload(upload)
    except RefusedError as error:
        server.should_exit = True
        raise PictureError(str(error)) from error


def _show_invitation(say: Callable[[str], None], address: str) -> None:
    say(f"Open this address on one other device in this network; it works once: {address}")
    if sys.stderr is not None and sys.stderr.isatty():
        import segno

        code = StringIO()
        segno.make(address, error="l", micro=False).terminal(code, compact=True)
        say(code.getvalue())


def _open_browser(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(address)


class _Connection(H11Protocol):
    """An HTTP connection; the number and idle time of other devices' connections are limited."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """If there are too many connections, close the one that has been idle longest."""
        super().connection_made(transport)
        self._start_timeout()
        peers = [peer for peer in self.connections if getattr(peer, "server", 0) == self.server]
        if self._is_remote and len(peers) > MAX_CONNECTIONS:
            idle = (peer for peer in peers if isinstance(peer, _Connection) and peer._is_idle)
            min(idle, key=lambda peer: peer._idle_since).transport.abort()

    def on_response_complete(self) -> None:
        """Limit the time until the next complete request; single bytes do not extend the time."""
        self._start_timeout()
        super().on_response_complete()

    def _start_timeout(self) -> None:
        self._idle_since = self.loop.time()
        if self._is_remote:
            self.loop.call_later(REQUEST_TIMEOUT, self._abort_if_idle, self.cycle)

    def _abort_if_idle(self, last_cycle: Any) -> None:
        if self.cycle is last_cycle:  # no new request has arrived
            self.transport.abort()

    @property
    def _is_remote(self) -> bool:
        return self.server is not None and self.server[0] != LOOPBACK

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete


class _Server(uvicorn.Server):
    """A Uvicorn server that calls ``on_startup`` when it listens, and ends silently on Ctrl-C."""

    on_startup: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then call ``on_startup``."""
        await super().startup(sockets)
        self.on_startup()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals that stop the server: let it finish its running responses first."""
        with signals_handled(self.handle_exit):
            yield
