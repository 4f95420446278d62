"""Loading of pictures and clips: stills, animated pictures, folders, videos and their sound."""
