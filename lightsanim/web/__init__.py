"""What pages share: the film's script, the live board, the player, the game, the exhibit."""
