"""The game Lights Out, without pictures."""
