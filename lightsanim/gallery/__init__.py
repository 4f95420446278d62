"""A static web site of a batch's animations."""
