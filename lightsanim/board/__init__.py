"""The game: what a click flips, and which configurations clicks can reach."""
