"""Films for LED panels: wiring, C headers and WLED presets."""
