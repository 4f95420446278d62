"""Pictures and their targets: loading, fitting to the board, dithering."""
