"""Boards, clicks and time: click orders, and the animation that carries them."""
