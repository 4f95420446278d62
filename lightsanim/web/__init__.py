"""Scripts, styles and templates that pages share: film, live board, player, game and exhibit."""
