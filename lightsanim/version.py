"""The version, in a module without imports, so that every package can use it."""

__version__ = "1.0.0"
