"""The commands: each declares its options and makes one library call."""
