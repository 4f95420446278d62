"""For teachers: puzzles to print, and a lesson page."""
