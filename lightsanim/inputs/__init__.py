"""Pictures and clips of every kind, opened: stills, animated pictures, folders, video, sound."""
