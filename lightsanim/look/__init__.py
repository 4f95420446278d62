"""What a configuration looks like: sizes, shapes, colours, and frames painted with them."""
