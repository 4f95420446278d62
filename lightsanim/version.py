"""The version, on its own so that every room can name it."""

__version__ = "1.0.0"
