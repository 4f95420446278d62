"""What comes with a request, and what is answered to one that cannot be done."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from lightsanim.errors import LightsAnimError

if TYPE_CHECKING:  # workers get along without it
    from starlette.requests import Request

# Bytes of a picture or clip, and of a request's JSON.
MOST_BYTES = 500_000_000
MOST_JSON = 1_000_000

# Seconds between two pieces of a body.
SLOWEST = 30.0


class RefusedError(LightsAnimError):
    """One line for whoever asked, and the status of the answer."""

    def __init__(
        self, line: str, status: int = 400, about: str | None = None, picture: str | None = None
    ) -> None:
        super().__init__(" ".join(line.split()))
        self.status, self.about, self.picture = status, about, picture

    @property
    def as_dict(self) -> dict[str, Any]:
        """The answer's JSON object.

        >>> RefusedError("no such film", 404).as_dict
        {'error': 'no such film', 'about': None, 'picture': None}
        """
        return {"error": str(self), "about": self.about, "picture": self.picture}


async def body_of(request: "Request", most: int) -> AsyncIterator[bytes]:
    """A request's body as it comes."""
    said = request.headers.get("content-length", "0")
    if not said.isdigit() or int(said) > most:
        raise too_large(most)
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
        if size > most:
            raise too_large(most)
        yield chunk


def too_large(most: int) -> RefusedError:
    """The answer to a file, or other body, of more bytes than there may be."""
    line = f"this request has more than {most:,} bytes"
    if most >= MOST_BYTES:
        line = f"a file may have {MOST_BYTES // 10**6} MB at most; make it smaller"
    return RefusedError(line, 413)


async def json_of(request: "Request", most: int = MOST_JSON) -> Any:
    """What a request's JSON says."""
    content = b"".join([chunk async for chunk in body_of(request, most)])
    try:
        return json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise RefusedError("this is not JSON") from None


def _no_number(word: str) -> None:
    raise ValueError(word)
