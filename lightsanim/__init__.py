"""Two pictures in, an animation of the game Lights Out."""

__version__ = "0.1.0"
