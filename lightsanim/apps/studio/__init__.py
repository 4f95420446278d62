"""The studio: a web page for making animations, and the local server behind it."""
