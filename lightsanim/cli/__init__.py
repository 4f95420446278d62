"""The commands: each declares its options, calls the library, and says what came of it."""
