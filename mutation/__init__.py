"""Are the tests any good?  Change the code in thousands of small ways and see which they notice."""
