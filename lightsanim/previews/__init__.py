"""One picture under many options, side by side on a labelled sheet."""
