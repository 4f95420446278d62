"""The machine below: cores, threads, signals, time limits, progress."""
