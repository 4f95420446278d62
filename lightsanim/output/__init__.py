"""All that shows and keeps films and boards: looks, drawings, file formats, lamps, reports."""
