/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* log x in double by + − × ÷ only, so that every machine gets the same bits. The relative error is below
 * 2^-49, because
 *
 *     x = m·2^e, √½ ≤ m < √2,   log x = e·log 2 + 2·atanh s,   s = (m − 1)/(m + 1),   |s| < 0.1716.
 *
 * m − 1 is exact and s has relative error 2^-52. The series ends with s^21/21 and omits less than 2^-57 of
 * its sum. Its terms after the first, added from the least on, are below 1/100 of the first: 2^-51 in all. As
 * |log m| is at most half of |e·log 2|, their sum is at least half of either, so the errors of both, 2^-51,
 * stay below 2^-50 of it; the sum rounds once. log 1 is 0. */

#include "reference/numeric/elementary/double_log.h"

#include <math.h>

double double_log(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1) { /* √½ */
        m *= 2;
        e--;
    }
    double s = (m - 1) / (m + 1), square = s * s, tail = 0;
    for (int k = 21; k >= 3; k -= 2) {
        tail = (tail + 1.0 / k) * square;
    }
    return (double)e * 0x1.62e42fefa39efp-1 + 2 * (s + s * tail);
}
