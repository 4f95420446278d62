"""Operating-system services: cores, threads, processes, signals, time limits and progress."""
