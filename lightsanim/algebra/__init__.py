"""Linear algebra and polynomials over GF(2) and GF(q); knows nothing of lights or pictures.

Over GF(2) on Python ints and packed bytes, over GF(q) on numpy arrays of residues.
"""
