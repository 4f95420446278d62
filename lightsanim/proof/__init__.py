"""Reading of an animation's file, and the proof that it shows only legal clicks."""
