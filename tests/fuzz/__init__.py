"""Hostile bytes for every reader; `make fuzz` runs them under atheris, tests a few of them."""
