"""Read games, solve them or generate new ones, and write the results to files."""
