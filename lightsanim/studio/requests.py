"""What comes with a request, and what is answered to one that cannot be done."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from lightsanim.errors import LightsAnimError

if TYPE_CHECKING:  # workers get along without it
    from starlette.requests import Request

# Bytes of a picture or clip, and of a request's JSON.
MAX_FILE_BYTES = 500_000_000
MAX_JSON_BYTES = 1_000_000

# Seconds between two pieces of a body.
CHUNK_TIMEOUT = 30.0


class RefusedError(LightsAnimError):
    """One line for whoever asked, and the status of the answer."""

    def __init__(
        self, message: str, status: int = 400, about: str | None = None, picture: str | None = None
    ) -> None:
        super().__init__(" ".join(message.split()))
        self.status, self.about, self.picture = status, about, picture

    @property
    def as_dict(self) -> dict[str, Any]:
        """The answer's JSON object.

        >>> RefusedError("no such film", 404).as_dict
        {'error': 'no such film', 'about': None, 'picture': None}
        """
        return {"error": str(self), "about": self.about, "picture": self.picture}


async def read_body(request: "Request", max_bytes: int) -> AsyncIterator[bytes]:
    """A request's body as it comes."""
    declared = request.headers.get("content-length", "0")
    if not declared.isdigit() or int(declared) > max_bytes:
        raise too_large_error(max_bytes)
    size, chunks = 0, request.stream()
    while True:
        try:
            chunk = await asyncio.wait_for(anext(chunks), CHUNK_TIMEOUT)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise RefusedError(
                f"nothing came for {CHUNK_TIMEOUT:g} seconds; send it again", 408
            ) from None
        size += len(chunk)
        if size > max_bytes:
            raise too_large_error(max_bytes)
        yield chunk


def too_large_error(max_bytes: int) -> RefusedError:
    """The answer to a file, or other body, of more bytes than there may be."""
    message = f"this request has more than {max_bytes:,} bytes"
    if max_bytes >= MAX_FILE_BYTES:
        message = f"a file may have {MAX_FILE_BYTES // 10**6} MB at most; make it smaller"
    return RefusedError(message, 413)


async def read_json(request: "Request", max_bytes: int = MAX_JSON_BYTES) -> Any:
    """What a request's JSON says."""
    content = b"".join([chunk async for chunk in read_body(request, max_bytes)])
    try:
        return json.loads(content, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        raise RefusedError("this is not JSON") from None


def _reject_constant(text: str) -> None:
    raise ValueError(text)
