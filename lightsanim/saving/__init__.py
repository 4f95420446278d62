"""Writing files: checks before the work, all of them or none, limits of size."""
