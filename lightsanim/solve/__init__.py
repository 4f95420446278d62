"""The solvers: nearest accessible configuration, fewest clicks, new puzzles, sketches."""
