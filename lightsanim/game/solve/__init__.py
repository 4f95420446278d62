"""Solvers: the nearest accessible configuration, fewest clicks, new puzzles, sketch films."""
