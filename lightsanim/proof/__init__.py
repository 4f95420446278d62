"""Reading an animation's file back, and proving that it shows nothing but legal clicks."""
