// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// log(m * 2^e) in float64 for m in [1/sqrt(2), sqrt(2)), which GLSL lacks: under 1 ulp for |e| < 2^21 (0.87 measured).
//
// Reduction and polynomial of FreeBSD's e_log.c (fdlibm): f = m - 1 exact, s = f/(2+f), log(1+f) = f - f^2/2 +
// s(f^2/2 + R(s^2)), |error of R| < 2^-58.45. ln 2 = 32 bits + rest: e times the first part is exact for |e| < 2^21.
// Vulkan asks of a double division no more than of a single one: one Newton step squares its relative error, and s
// enters through a term of at most f^2/4 of the result. The large terms e ln 2 + f are summed without an error.
double log_split(double m, int e)
{
    EXACT double f = m - 1.0LF;
    EXACT double d = 2.0LF + f;
    EXACT double s0 = f / d;
    EXACT double s = s0 + (f - s0 * d) / d;
    EXACT double z = s * s;
    EXACT double w = z * z;
    EXACT double t1 =
        w * (3.999999999940941908e-01LF + w * (2.222219843214978396e-01LF + w * 1.531383769920937332e-01LF));
    EXACT double t2 = z * (6.666666666666735130e-01LF +
                           w * (2.857142874366239149e-01LF +
                                w * (1.818357216161805012e-01LF + w * 1.479819860511658591e-01LF)));
    EXACT double r = t1 + t2;
    EXACT double half_square = 0.5LF * f * f;
    EXACT double k = double(e);
    EXACT double bend = half_square - s * (half_square + r); // f - log(1+f)
    EXACT double high = k * 6.93147180369123816490e-01LF + f;
    EXACT double lost = f - (high - k * 6.93147180369123816490e-01LF); // FastTwoSum: e = 0 or |e ln 2| > |f|
    EXACT double result = high + (lost + (k * 1.90821492927058770002e-10LF - bend));
    return result;
}
