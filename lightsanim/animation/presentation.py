"""Late import of the module that draws and saves animations: it imports this package in turn."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    from lightsanim.options.keywords import Format


class PresentationModule(Protocol):
    """Functions that implement the drawing and saving methods of `lightsanim.Animation`."""

    def frame_image(self, animation: Any, number: int, look: Any) -> "Image": ...
    def frame_images(self, animation: Any, numbers: Sequence[int], look: Any) -> "list[Image]": ...
    def frame_arrays(self, animation: Any, look: Any) -> "Iterator[NDArray[Any]]": ...
    def plot(self, animation: Any, count: int, look: Any) -> "NDArray[Any]": ...
    def player_frame(self, animation: Any) -> str: ...
    def save(self, animation: Any, file: Any, format: "Format | None", look: Any) -> None: ...
    def to_bytes(self, animation: Any, format: "Format", look: Any) -> bytes: ...


module_name = ""


def presentation_module() -> PresentationModule:
    """Import the module that draws and saves animations."""
    return cast(PresentationModule, import_module(module_name))
