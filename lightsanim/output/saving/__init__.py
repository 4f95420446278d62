"""Write output files: check them in advance, replace all files or none, keep size limits."""
