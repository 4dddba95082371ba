// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// log(m * 2^e) in float32 for m in [1/sqrt(2), sqrt(2)): + - * and one division; under 1 ulp for |e| < 2^12 (0.85
// measured).
//
// Reduction and polynomial of FreeBSD's e_logf.c (fdlibm): f = m - 1 exact, s = f/(2+f), log(1+f) = f - f^2/2 +
// s(f^2/2 + R(s^2)), |error of R| < 2^-34.24. The division enters through a term of at most f^2/4 of the result, so
// that Vulkan's 2.5 ulp cost 0.1 ulp. ln 2 = three parts, the first two of 12 bits: their products with e are exact
// for |e| < 2^12, and beyond that err by half an ulp more. The large terms e ln 2 + f are summed without an error,
// so that what is rounded before the last sum is below an eighth of the result.
float log_split(float m, int e)
{
    EXACT float f = m - 1.0;
    EXACT float d = 2.0 + f;
    EXACT float s = f / d;
    EXACT float z = s * s;
    EXACT float w = z * z;
    EXACT float t1 = w * (0.40000972152 + w * 0.24279078841);
    EXACT float t2 = z * (0.66666662693 + w * 0.28498786688);
    EXACT float r = t1 + t2;
    EXACT float half_square = 0.5 * f * f;
    EXACT float k = float(e);
    EXACT float bend = half_square - s * (half_square + r); // f - log(1+f)
    EXACT float high = k * 0.693115234375 + f;
    EXACT float lost = f - (high - k * 0.693115234375); // FastTwoSum: e = 0 or |e ln 2| > |f|
    EXACT float small = k * 3.193318843841553e-05 + k * 1.2996507e-08;
    EXACT float result = high + (lost + (small - bend));
    return result;
}
