"""GF(2)[x] on Python ints: bit i of the int is the coefficient of x**i.

Addition is ``^``, multiplication by x is ``<< 1``.  For polynomials of degree n, each function
takes about n steps on ints of n bits: n * n / 64 word operations in all.
"""


def degree(a: int) -> int:
    """Return the degree of ``a``; -1 for the zero polynomial.

    >>> degree(0b1011), degree(1), degree(0)
    (3, 0, -1)
    """
    return a.bit_length() - 1


def divide(a: int, b: int) -> tuple[int, int]:
    """Return the quotient and the remainder of ``a`` divided by ``b``, which must not be 0.

    >>> [bin(part) for part in divide(0b1010, 0b11)]  # x**3 + x = (x**2 + x) (x + 1)
    ['0b110', '0b0']
    """
    if b == 0:
        raise ZeroDivisionError("division by the zero polynomial")
    quotient, n = 0, degree(b)
    while (shift := degree(a) - n) >= 0:
        quotient |= 1 << shift
        a ^= b << shift
    return quotient, a


def multiply_modulo(a: int, b: int, modulus: int) -> int:
    """Return the product of ``a`` and ``b`` modulo ``modulus``.

    >>> multiply_modulo(0b10, 0b10, 0b111)  # x * x = x + 1 in GF(4)
    3
    """
    b = divide(b, modulus)[1]
    n, product = degree(modulus), 0
    for bit in bin(a)[2:]:
        product <<= 1
        if product >> n:
            product ^= modulus
        if bit == "1":
            product ^= b
    return product


def gcd_and_cofactor(a: int, modulus: int) -> tuple[int, int]:
    """Return g = gcd(a, modulus), and u with u * a = g (mod modulus).

    This is the extended Euclidean algorithm with one shifted addition per step.  Modulo
    modulus / g, u is the inverse of a / g, as needed to solve ``a z = r (mod modulus)``.

    >>> g, u = gcd_and_cofactor(0b110, 0b1010)  # x (x + 1) and x (x + 1)**2
    >>> bin(g), multiply_modulo(u, 0b110, 0b1010) == g
    ('0b110', True)
    """
    low, high, u_low, u_high = a, modulus, 1, 0
    while low:
        shift = high.bit_length() - low.bit_length()
        if shift < 0:
            low, high, u_low, u_high, shift = high, low, u_high, u_low, -shift
        high ^= low << shift
        u_high ^= u_low << shift
        if high < low:
            low, high, u_low, u_high = high, low, u_high, u_low
    return high, divide(u_high, modulus)[1]
