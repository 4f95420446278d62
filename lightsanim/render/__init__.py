"""What is drawn and written: animations to files."""
