"""Shapes and words on paper or in pixels: stills, sheets, worksheets; as PNG, SVG and PDF."""
