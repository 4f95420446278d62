"""From a picture file to its target: load, fit to the board, dither."""
