"""Solve and generate related puzzles: Abbott's Window, N queens, submarines and ashes."""
