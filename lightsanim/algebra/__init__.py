"""GF(2): polynomials and linear systems on Python ints; knows nothing of lights or pictures."""
