"""For teachers: puzzles to print, with their answers."""
