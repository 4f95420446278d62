"""Linear algebra and polynomials over GF(2) and GF(q); independent of lights and pictures.

GF(2) uses Python ints and packed bytes, GF(q) numpy arrays of residues.
"""
