"""The commands: each declares its options, calls the library, and says what came of it.

What a command needs beside its options is loaded when it runs.
"""
