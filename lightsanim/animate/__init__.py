"""When to click: orders, and the animation that carries them."""
