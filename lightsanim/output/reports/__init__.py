"""Reports of results, in words and as JSON, and the command that repeats a run."""
