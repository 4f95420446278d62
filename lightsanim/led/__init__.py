"""Films on panels of lamps: wiring, C headers, WLED."""
