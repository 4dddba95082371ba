# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""The constants and tables of reference/numeric/elementary/elementary.h, from series in integers; the standard library alone.

    python3 reference/numeric/elementary/elementary_tables.py header > reference/numeric/elementary/elementary_tables.h
    python3 reference/numeric/elementary/elementary_tables.py source > reference/numeric/elementary/elementary_tables.c
    python3 reference/numeric/elementary/elementary_tables.py erfc > reference/numeric/elementary/elementary_erfc_table.c

A real number is an integer here, in units of 2^-BITS, wrong by far fewer than 2^20 of them.
"""

import sys
from fractions import Fraction

BITS = 1400
ONE = 1 << BITS


def artanh_of_inverse(n):
    """artanh(1/n), as 1/n + 1/(3n³) + …"""
    term, total, k = ONE // n, 0, 1
    while term:
        total += term // k
        term //= n * n
        k += 2
    return total


def arctan_of_inverse(n):
    term, total, k = ONE // n, 0, 1
    while term:
        total += term // k if k % 4 == 1 else -(term // k)
        term //= n * n
        k += 2
    return total


PI = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))  # Machin
LN2 = 2 * artanh_of_inverse(3)
LN10 = 3 * LN2 + 2 * artanh_of_inverse(9)  # 10 = 8·(1 + 1/9)/(1 - 1/9)


def times(a, b):
    return a * b >> BITS


def over(a, b):
    return (a << BITS) // b


def root(a):
    low, high = 0, max(a, ONE)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle * middle <= a << BITS else (low, middle)
    return low


def log(q):
    """Of a Fraction near 1: 2·artanh((q - 1)/(q + 1))."""
    s = (q - 1) / (q + 1)
    power = s.numerator * ONE // s.denominator
    square = times(power, power)
    total, k = 0, 1
    while abs(power) > 1:
        total += power // k
        power = times(power, square)
        k += 2
    return 2 * total


def exp_of_minus(q):
    """exp(-q) of a Fraction q ≥ 0: the series of exp(-q/2^16), squared 16 times."""
    small = (q.numerator * ONE // q.denominator) >> 16
    term, total, n = ONE, 0, 0
    while term:
        total += term if n % 2 == 0 else -term
        n += 1
        term = times(term, small) // n
    for _ in range(16):
        total = times(total, total)
    return total


TWO_OVER_ROOT_PI = over(2 * ONE, root(PI))


def erf(q):
    """2/√π·exp(-q²)·Σ 2^n·q^(2n+1)/(1·3·…·(2n+1)), whose terms are all positive."""
    x = q.numerator * ONE // q.denominator
    term, total, n = x, 0, 0
    while term:
        total += term
        n += 1
        term = times(times(term, x), 2 * x) // (2 * n + 1)
    return times(times(TWO_OVER_ROOT_PI, exp_of_minus(q * q)), total)


def atan(q):
    """Of a Fraction on [0, 1]: Euler's Σ 2^2n·n!²/(2n + 1)!·q^(2n+1)/(1 + q²)^(n+1)."""
    term = q.numerator * q.denominator * ONE // (q.numerator**2 + q.denominator**2)
    share = q.numerator**2 * ONE // (q.numerator**2 + q.denominator**2)
    total, n = 0, 0
    while term:
        total += term
        n += 1
        term = times(term, share) * 2 * n // (2 * n + 1)
    return total


def rounded(x):
    """The double nearest to a number: Python rounds quotients of integers so."""
    return x / ONE


def whole(x):
    """A double as such an integer, exactly."""
    f = Fraction(x)
    return f.numerator * ONE // f.denominator


def split(x, *units):
    """The multiples of 2^-unit of x, cut, one after the other, and the double nearest to what is left."""
    parts = []
    for unit in units:
        part = x >> (BITS - unit) << (BITS - unit)
        parts.append(rounded(part))
        x -= part
    return parts + [rounded(x)]


def text(x):
    """A double in hexadecimal, without zeros that say nothing."""
    mantissa, exponent = x.hex().split("p") if x else ("0x0", "+0")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return "0x0p0" if not x else f"{mantissa}p{int(exponent)}"


ERF_STEP, ERF_MOST = 64, 6  # erf at multiples of 1/64 up to 6
ERFC_STEP, ERFC_MOST = 32, 11  # erfc at multiples of 1/32 up to 11
ATAN_STEP = 64  # atan at multiples of 1/64 up to 1
LOG_STEP, LOG_FIRST, LOG_LAST = 128, 91, 181  # inverses of multiples of 1/128: 91 is next to 128·√½
WORDS = 38  # of 2/π

HEAD = """/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Made by reference/numeric/elementary/elementary_tables.py; not to be changed by hand. */
/* clang-format off */
"""


def constants():
    l = split(LN2, 42)
    t = split(over(LN2, LN10), 42)
    p = split(PI // 2, 32, 65, 98)
    return [
        ("LOG2_E", rounded(over(ONE, LN2)), "log2 e"),
        ("LOG10_E", rounded(over(ONE, LN10)), "log10 e"),
        ("LN2", rounded(LN2), "ln 2"),
        ("LN2_HIGH", l[0], "ln 2, its multiple of 2^-42"),
        ("LN2_LOW", l[1], "and the rest"),
        ("LOG10_2_HIGH", t[0], "log10 2, its multiple of 2^-42"),
        ("LOG10_2_LOW", t[1], "and the rest"),
        ("TWO_OVER_PI", rounded(over(2 * ONE, PI)), "2/π"),
        ("HALF_PI_A", p[0], "π/2: its multiple of 2^-32"),
        ("HALF_PI_B", p[1], "of 2^-65"),
        ("HALF_PI_C", p[2], "of 2^-98"),
        ("HALF_PI_D", p[3], "and the rest"),
        ("HALF_PI", rounded(PI // 2), "π/2, rounded"),
        ("HALF_PI_REST", rounded(PI // 2 - whole(rounded(PI // 2))), "and what that leaves"),
    ]


def header():
    print(HEAD + "#ifndef ASSAY_REFERENCE_ELEMENTARY_TABLES_H\n#define ASSAY_REFERENCE_ELEMENTARY_TABLES_H\n")
    print("#include <stdint.h>\n")
    for name, value, what in constants():
        print(f"#define ELEMENTARY_{name:<12} {text(value):<24} /* {what} */")
    print(f"""
/* erf c and 2/√π·exp(-c²), c = 0, 1/{ERF_STEP}, 2/{ERF_STEP}, … {ERF_MOST} */
enum {{ ELEMENTARY_ERF_STEP = {ERF_STEP}, ELEMENTARY_ERF_MOST = {ERF_MOST} }};
extern const double elementary_erf_table[{ERF_STEP * ERF_MOST + 1}][2];

/* erfc c and 2/√π·exp(-c²), c = 0, 1/{ERFC_STEP}, 2/{ERFC_STEP}, … {ERFC_MOST} */
enum {{ ELEMENTARY_ERFC_STEP = {ERFC_STEP}, ELEMENTARY_ERFC_MOST = {ERFC_MOST} }};
extern const double elementary_erfc_table[{ERFC_STEP * ERFC_MOST + 1}][2];

/* atan c, c = 0, 1/{ATAN_STEP}, … 1 */
enum {{ ELEMENTARY_ATAN_STEP = {ATAN_STEP} }};
extern const double elementary_atan_table[{ATAN_STEP + 1}];

/* Row j - {LOG_FIRST}: {LOG_STEP}/j rounded to a multiple of 1/512, minus its logarithm to a multiple of 2^-42, and
 * what that leaves; a fourth number, for the sake of its place. j = {LOG_FIRST}, … {LOG_LAST} */
enum {{ ELEMENTARY_LOG_STEP = {LOG_STEP}, ELEMENTARY_LOG_FIRST = {LOG_FIRST}, ELEMENTARY_LOG_LAST = {LOG_LAST} }};
extern const double elementary_log_table[{LOG_LAST - LOG_FIRST + 1}][4];

/* Bits 1 to {32 * WORDS} of 2/π behind its point, 32 to a word */
enum {{ ELEMENTARY_WORDS = {WORDS} }};
extern const uint32_t elementary_two_over_pi[ELEMENTARY_WORDS];

#endif""")


def values_and_slopes(name, of, step, most):
    """A table of erf or erfc, two rows to a line."""
    print(f"const double elementary_{name}_table[][2] = {{")
    rows = []
    for i in range(step * most + 1):
        c = Fraction(i, step)
        slope = times(TWO_OVER_ROOT_PI, exp_of_minus(c * c))
        rows.append(f"{{{text(rounded(of(c)))}, {text(rounded(slope))}}},")
    for i in range(0, len(rows), 2):
        print("    " + " ".join(rows[i : i + 2]))
    print("};")


def erfc():
    print(HEAD + '#include "reference/numeric/elementary/elementary_tables.h"\n')
    values_and_slopes("erfc", lambda c: ONE - erf(c), ERFC_STEP, ERFC_MOST)


def source():
    print(HEAD + '#include "reference/numeric/elementary/elementary_tables.h"\n')
    values_and_slopes("erf", erf, ERF_STEP, ERF_MOST)
    print("\nconst double elementary_atan_table[] = {")
    angles = [text(rounded(atan(Fraction(i, ATAN_STEP)))) for i in range(ATAN_STEP + 1)]
    for i in range(0, len(angles), 4):
        print("    " + ", ".join(angles[i : i + 4]) + ",")
    print("};")
    print("\nconst double elementary_log_table[][4] = {")
    for j in range(LOG_FIRST, LOG_LAST + 1):
        inverse = Fraction(round(Fraction(512 * LOG_STEP, j)), 512)
        high, low = split(-log(inverse), 42)
        print(f"    {{{text(float(inverse))}, {text(high)}, {text(low)}}},")
    print("};\n\nconst uint32_t elementary_two_over_pi[] = {")
    bits = over(2 * ONE, PI)
    words = [bits >> (BITS - 32 * (w + 1)) & 0xFFFFFFFF for w in range(WORDS)]
    for w in range(0, WORDS, 8):
        print("    " + ", ".join(f"0x{word:08x}" for word in words[w : w + 8]) + ",")
    print("};")


if __name__ == "__main__":
    {"header": header, "source": source, "erfc": erfc}[sys.argv[1]]()
