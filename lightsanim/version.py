"""The version, in a module without imports, so that every package can use it."""

__version__ = "2.0.0.dev0"
