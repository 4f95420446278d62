"""Which clicks: the nearest accessible configuration, and the fewest clicks to a goal."""
