"""The commands: each declares its options, calls the library and prints the result.

Modules that `--help` does not need are imported when a command runs, so that help starts faster.
"""
