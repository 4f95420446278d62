"""Scripts, styles and templates of the web pages: player, game, exhibit and maker."""
