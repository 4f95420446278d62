"""What comes with a request: its body, and the news that nobody waits for an answer any more."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from typing import Any

from starlette.requests import ClientDisconnect, Request

from lightsanim.studio.album import MOST_BYTES, too_large
from lightsanim.studio.refusal import RefusedError
from lightsanim.studio.turns import GRACE

# Bytes of a request's JSON.
MOST_JSON = 1_000_000

# Seconds between two pieces of a body.
SLOWEST = 30.0


async def body_of(request: Request, most: int) -> AsyncIterator[bytes]:
    """A request's body as it comes."""
    said = request.headers.get("content-length", "0")
    _check_size(int(said) if said.isdigit() else most + 1, most)
    size, chunks = 0, request.stream()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(chunks), SLOWEST)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise RefusedError(
                f"nothing came for {SLOWEST:g} seconds; send it again", 408
            ) from None
        size += len(chunk)
        _check_size(size, most)
        yield chunk


def _check_size(size: int, most: int) -> None:
    if size > most:
        line = f"this request has more than {most:,} bytes"
        raise too_large() if most >= MOST_BYTES else RefusedError(line, 413)


async def json_of(request: Request, most: int = MOST_JSON) -> Any:
    """What a request's JSON says."""
    content = b"".join([chunk async for chunk in body_of(request, most)])
    try:
        return json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise RefusedError("this is not JSON") from None


def _no_number(word: str) -> None:
    raise ValueError(word)


async def unless_gone(request: Request, work: Coroutine[Any, Any, Any]) -> Any:
    """Work for a request; where nobody waits for it any more, it is stopped after a little time."""
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        if gone.done():
            await asyncio.wait({working}, timeout=GRACE)
            if not working.done():
                raise ClientDisconnect
        return await working
    finally:
        gone.cancel()
        working.cancel()


async def _gone(request: Request) -> None:
    # The body was read: what comes now is the end of the connection.
    while (await request.receive())["type"] != "http.disconnect":
        pass
