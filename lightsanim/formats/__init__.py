"""File formats: one module for each, and what they share."""
