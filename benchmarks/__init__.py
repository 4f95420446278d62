"""Measures lightsanim against other ways to do the same: `python -m benchmarks --help`."""
