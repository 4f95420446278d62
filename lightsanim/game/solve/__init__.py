"""Solvers: the nearest accessible configuration, fewest clicks, new puzzles, hardest starts."""
