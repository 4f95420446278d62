"""Previews: one picture with many values of the options, on one labelled contact sheet."""
