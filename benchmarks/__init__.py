"""Benchmarks of lightsanim and of alternatives: `python -m benchmarks --help`."""
