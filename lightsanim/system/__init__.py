"""The machine below: cores, threads, processes, signals, time limits, progress."""
