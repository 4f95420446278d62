"""The game's relatives: windows, queens, submarines and ashes, solved and proven."""
