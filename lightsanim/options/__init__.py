"""Every option once; the values that options hold, and the checks of what users give."""
