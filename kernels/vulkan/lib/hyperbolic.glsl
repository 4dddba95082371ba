// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Hyperbolic functions of float32, their inverses and logit. Needs functions.glsl.

float hyperbolic_sine(float x)
{
    float a = abs(x), t = exp_minus_one(a), e = exp_own(0.5 * a);
    EXACT float near = 0.5 * (t + t / (t + 1.0));
    EXACT float far = 0.5 * e * e; // where exp overflows
    return is_nan(x) ? x : with_sign(a > 20.0 ? far : near, x);
}

float hyperbolic_cosine(float x)
{
    float a = abs(x), e = exp_own(a), half_e = exp_own(0.5 * a);
    EXACT float near = 0.5 * (e + 1.0 / e);
    EXACT float far = 0.5 * half_e * half_e;
    return is_nan(x) ? x : a > 20.0 ? far : near;
}

float inverse_hyperbolic_sine(float x)
{
    float a = abs(x);
    EXACT float r = 1.0 / a;
    EXACT float far = logarithm(a) + logarithm(1.0 + sqrt(1.0 + r * r));
    EXACT float near = log_one_plus(a + a * a / (1.0 + sqrt(1.0 + a * a)));
    EXACT float small = a - a * (a * a) * 0.16666667;
    return is_nan(x) ? x : with_sign(a < 9.765625e-4 ? small : a > 1e4 ? far : near, x);
}

float inverse_hyperbolic_cosine(float x)
{
    if (is_nan(x) || x < 1.0)
        return is_nan(x) ? x : quiet_nan();
    EXACT float r = 1.0 / x;
    EXACT float t = x - 1.0;
    EXACT float far = logarithm(x) + logarithm(1.0 + sqrt(1.0 - r * r));
    EXACT float near = log_one_plus(t + sqrt(t * (t + 2.0)));
    return x > 1e4 ? far : near;
}

float inverse_hyperbolic_tangent(float x)
{
    float a = abs(x);
    if (is_nan(x) || a > 1.0)
        return is_nan(x) ? x : quiet_nan();
    if (a == 1.0)
        return infinity(x < 0.0);
    EXACT float size = 0.5 * log_one_plus(2.0 * a / (1.0 - a));
    EXACT float small = a + a * (a * a) * 0.33333333;
    return with_sign(a < 9.765625e-4 ? small : size, x);
}

float log_odds(float x)
{
    if (is_nan(x) || !(x >= 0.0) || x > 1.0)
        return is_nan(x) ? x : quiet_nan();
    EXACT float odds = x / (1.0 - x);
    return x == 1.0 ? infinity(false) : logarithm(odds);
}
