"""The game: cells that a click flips, and configurations that clicks can reach."""
