"""The game's relatives: windows, queens, submarines and ashes, solved, posed and proven."""
