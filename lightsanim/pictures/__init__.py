"""Loading of pictures, fitting them to the board, and dithering."""
