"""What a request is answered that cannot be done."""

from typing import Any

from lightsanim.errors import LightsAnimError


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
