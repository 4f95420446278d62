"""Linear algebra and polynomials over the finite fields GF(2) and GF(q).

GF(2) uses Python ints and packed bytes, GF(q) numpy arrays of residues.
"""
