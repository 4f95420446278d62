"""Animations: transitions between pictures, click orders, and the timing of frames."""
