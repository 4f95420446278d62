"""The look of a configuration: sizes, shapes and colours of cells, and painted frames."""
