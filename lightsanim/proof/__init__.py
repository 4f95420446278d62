"""Reading of animation files, and the proof that they show only legal clicks."""
