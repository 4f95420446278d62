"""Writing output files: checks in advance, all-or-nothing replacement, size limits."""
