"""Transitions from a picture to the next, and the searches for their pictures."""
