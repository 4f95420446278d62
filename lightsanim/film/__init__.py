"""Films: clicks, their order and timing, and the transitions between pictures."""
