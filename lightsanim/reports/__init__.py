"""What was done and found, in words and as JSON; the command that makes it again."""
