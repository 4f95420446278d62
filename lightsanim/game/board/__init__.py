"""The game board: which cells a click flips, and which configurations clicks can reach."""
