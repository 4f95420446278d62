"""All options: their declarations, the values that they hold, and the checks of user input."""
