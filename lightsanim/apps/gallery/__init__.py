"""A gallery: a static web site that shows a batch's animations."""
