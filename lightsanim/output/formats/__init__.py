"""File formats, one module for each, and the modules that they share."""
