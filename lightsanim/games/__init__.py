"""Solving, posing and patterns as users call them: the game read, solved, written."""
