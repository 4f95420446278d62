"""The studio from its start to its end: a socket on loopback, the server, the browser."""

import asyncio
import errno
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn

from lightsanim.errors import OutputError, PictureError
from lightsanim.studio.album import Album, Photo, pieces_of
from lightsanim.studio.guard import Guard
from lightsanim.studio.refusal import RefusedError
from lightsanim.studio.saves import Saves
from lightsanim.studio.server import Studio, app_of
from lightsanim.studio.turns import Turns
from lightsanim.system.signals import signals_handled

LOOPBACK = "127.0.0.1"

# Seconds that answers under way have when the studio ends.
LAST_SECONDS = 1


def run_studio(
    pictures: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    port: int = 0,
    browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the page until Ctrl-C."""
    with _listening(port) as listener, TemporaryDirectory(prefix="lightsanim-studio-") as folder:
        asyncio.run(_serve(listener, Path(folder), pictures, browser, say))


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((LOOPBACK, port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            reason = "it is in use" if taken else error.strerror
            raise OutputError(
                f"cannot listen at port {port}: {reason}; leave out --port"
            ) from error
        yield listener


async def _serve(
    listener: socket.socket,
    folder: Path,
    pictures: Sequence[tuple[str, Mapping[str, Any]]],
    browser: bool,
    say: Callable[[str], None],
) -> None:
    turns = Turns(folder)
    try:
        studio = Studio(album=Album(folder), turns=turns, saves=Saves(folder))
        photos = await _received(studio, pictures)
        token, port = secrets.token_urlsafe(16), listener.getsockname()[1]
        address = f"http://{LOOPBACK}:{port}/{token}/"
        server = _Server(
            uvicorn.Config(
                Guard(app_of(studio), token, port),
                loop="asyncio",
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                backlog=128,
                timeout_graceful_shutdown=LAST_SECONDS,
            )
        )
        server.on_start = lambda: _show(address, browser, say)
        # The page is there while pictures are still being read; it asks for them next.
        studio.beginning = asyncio.create_task(_read(studio, photos, server))
        await server.serve(sockets=[listener])
        if studio.beginning.done():
            studio.beginning.result()
    finally:
        turns.close()


async def _received(
    studio: Studio, pictures: Sequence[tuple[str, Mapping[str, Any]]]
) -> list[Photo]:
    photos = []
    for path, own in pictures:
        try:
            with Path(path).open("rb") as file:
                photo = await studio.album.receive(Path(path).name, pieces_of(file))
        except (OSError, RefusedError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise PictureError(f"cannot read {path}: {reason}") from error
        photo.own = own
        photos.append(photo)
    return photos


async def _read(studio: Studio, photos: Sequence[Photo], server: "_Server") -> None:
    try:
        for photo in photos:
            await studio.read(photo)
            studio.album.add(photo)
    except RefusedError as refused:
        server.should_exit = True
        raise PictureError(str(refused)) from refused


def _show(address: str, browser: bool, say: Callable[[str], None]) -> None:
    say(f"The studio is open at {address} until Ctrl-C.")
    if browser:
        # Some browsers return only when they are closed.
        threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(address)


class _Server(uvicorn.Server):
    """Uvicorn, which Ctrl-C ends as it is meant to be ended: without a complaint."""

    on_start: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and tell so."""
        await super().startup(sockets)
        self.on_start()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals that ask to stop let answers under way end first."""
        with signals_handled(self.handle_exit):
            yield
