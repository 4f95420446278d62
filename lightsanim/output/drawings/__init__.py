"""Drawings on paper or in pixels: stills, sheets and worksheets, as PNG, SVG and PDF."""
