"""Read request bodies, with limits on size and time; describe errors to the page."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from lightsanim.errors import LightsAnimError, OptionError, is_lack_of_memory

if TYPE_CHECKING:  # for type checkers only: worker processes need no starlette
    from starlette.requests import Request

MAX_FILE_BYTES = 500_000_000  # Maximum size of an uploaded picture or clip.
MAX_JSON_BYTES = 1_000_000  # Maximum size of a JSON request.
CHUNK_TIMEOUT = 30.0  # Seconds to wait for the next chunk of a request.


class RefusedError(LightsAnimError):
    """An error for the page: one-line message, HTTP status, option and picture at fault."""

    def __init__(
        self, message: str, status: int = 400, about: str | None = None, picture: str | None = None
    ) -> None:
        super().__init__(" ".join(message.split()))
        self.status, self.about, self.picture = status, about, picture

    @property
    def as_dict(self) -> dict[str, Any]:
        """The JSON body of the error response."""
        return {"error": str(self), "about": self.about, "picture": self.picture}


def to_refusal(error: Exception, folder: str = "") -> RefusedError:
    """Return the error for the page after a failure; its message leaves out ``folder``."""
    message = str(error).replace(folder, "")
    match error:
        case RefusedError():
            return error
        case OptionError():
            return RefusedError(message, 400, error.option, error.picture)
        case LightsAnimError():
            return RefusedError(message, 422)
        case _ if is_lack_of_memory(error):
            return RefusedError("there is not enough memory; choose fewer cells or pictures", 507)
        case OSError(strerror=str(reason)):
            return RefusedError(f"cannot write a file: {reason}", 507)
    return RefusedError(f"{type(error).__name__}: {message}; please report this", 500)


async def read_body(request: "Request", max_bytes: int) -> AsyncIterator[bytes]:
    """Yield a request's body in chunks; raise `RefusedError` if it is too large or stalls."""
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
            message = f"no data received for {CHUNK_TIMEOUT:g} seconds; send the request again"
            raise RefusedError(message, 408) from None
        size += len(chunk)
        if size > max_bytes:
            raise too_large_error(max_bytes)
        yield chunk


def too_large_error(max_bytes: int) -> RefusedError:
    """Return the error for a body that is larger than ``max_bytes``."""
    message = f"this request is larger than {max_bytes:,} bytes"
    if max_bytes >= MAX_FILE_BYTES:
        message = f"the file is larger than {MAX_FILE_BYTES // 10**6} MB; make it smaller"
    return RefusedError(message, 413)


async def read_json(request: "Request", max_bytes: int = MAX_JSON_BYTES) -> Any:
    """Parse a request's body as JSON; NaN and infinities are errors."""
    content = b"".join([chunk async for chunk in read_body(request, max_bytes)])
    try:
        return json.loads(content, parse_constant=int)  # which raises for NaN and infinities
    except (ValueError, RecursionError):
        raise RefusedError("the request's body is not JSON") from None
