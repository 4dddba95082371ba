// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// lgamma, digamma and erfinv of one float32. Needs functions.glsl and trigonometry.glsl.

const float GAMMA_PI = 3.14159265;

// log Gamma(2 + t) for t in [-1/2, 1/2]: Taylor's series with coefficients from zeta(k) - 1, remainder below
// 2^-27.
float log_gamma_near_two(float t)
{
    EXACT float p = -2.03921575e-06;
    p = p * t + 4.37486679e-06;
    p = p * t - 9.43948828e-06;
    p = p * t + 2.05072128e-05;
    p = p * t - 4.49262367e-05;
    p = p * t + 9.94575128e-05;
    p = p * t - 0.000223154758;
    p = p * t + 0.000509669525;
    p = p * t - 0.00119275391;
    p = p * t + 0.00289051033;
    p = p * t - 0.00738555103;
    p = p * t + 0.0205808084;
    p = p * t - 0.0673523011;
    p = p * t + 0.322467033;
    p = p * t + 0.422784335;
    EXACT float result = t * p;
    return result;
}

// lgamma(x), without cancellation at 1 and 2, where it is 0.
float log_gamma_of_positive(float x)
{
    if (x < 1.5) {
        EXACT float s = x < 0.5 ? x : x - 1.0;
        EXACT float near = log_gamma_near_two(s) - log_one_plus(s);
        EXACT float small = near - logarithm(x);
        return x < 0.5 ? small : near;
    }
    if (x < 8.0) {
        EXACT float product = 1.0;
        EXACT float y = x;
        for (int k = 0; k < 6 && y >= 2.5; k++) {
            y -= 1.0;
            product *= y;
        }
        EXACT float sum = log_gamma_near_two(y - 2.0) + logarithm(product);
        return sum;
    }
    EXACT float inverse = 1.0 / x; // Stirling's series
    EXACT float rest = 0.41893853 + inverse * (0.083333333 - inverse * inverse * 0.0027777778);
    EXACT float sum = (x - 0.5) * (logarithm(x) - 1.0) + rest;
    return sum;
}

// By reflection: log(pi/|sin(pi x)|) - log|x| - log Gamma(|x|).
float log_gamma(float x)
{
    float size = abs(x);
    if (is_nan(x))
        return x;
    if (size > 3.4028234e38 || size == 0.0)
        return infinity(false);
    if (!is_negative(x))
        return log_gamma_of_positive(x);
    if (size == floored(size))
        return infinity(false);
    EXACT float log_of_size = logarithm(size);
    EXACT float near = size * 0.57721566 - log_of_size;
    if (size < 1e-6)
        return near;
    EXACT float angle = GAMMA_PI * abs(size - floored(size + 0.5));
    EXACT float share = sine(angle) * 0.31830989;
    EXACT float result = -logarithm(share) - log_of_size - log_gamma_of_positive(size);
    return result;
}

// digamma(x) for positive x: shifts x to 6 or beyond, then sums the asymptotic series.
float digamma_of_positive(float x)
{
    EXACT float sum = 0.0;
    EXACT float y = x;
    for (int k = 0; k < 6 && y < 6.0; k++) {
        sum += 1.0 / y;
        y += 1.0;
    }
    EXACT float inverse = 1.0 / y;
    EXACT float z = inverse * inverse;
    EXACT float rest = 0.5 * inverse + z * (0.083333333 - z * (0.0083333333 - z * 0.003968254));
    EXACT float result = logarithm(y) - rest - sum;
    return result;
}

// By reflection: psi(1 - x) - pi cot(pi x), with the cotangent computed from the exact remainder of x.
float digamma(float x)
{
    uint bits = floatBitsToUint(x), magnitude = bits & 0x7fffffffu;
    if (magnitude == 0u)
        return infinity(bits >> 31 == 0u);
    if (!is_negative(x) || is_nan(x))
        return magnitude == 0x7f800000u || is_nan(x) ? x : digamma_of_positive(x);
    if (magnitude >= 0x3f800000u && x == floored(x)) // a device may take a subnormal x for zero
        return quiet_nan();
    EXACT float r = x - floored(x + 0.5);
    EXACT float near = 1.0 / r - 3.2898681 * r;
    EXACT float angle = GAMMA_PI * r;
    EXACT float far = GAMMA_PI / tangent(angle);
    EXACT float result = digamma_of_positive(1.0 - x) - (abs(r) < 1e-3 ? near : far);
    return result;
}

// M. Giles, "Approximating the erfinv function" (GPU Computing Gems, 2011): polynomials in w = -log(1 - x^2).
float inverse_error_function(float x)
{
    float size = abs(x);
    if (is_nan(x) || size >= 1.0)
        return is_nan(x) ? x : size == 1.0 ? infinity(x < 0.0) : quiet_nan();
    EXACT float rest = (1.0 - x) * (1.0 + x);
    EXACT float w = -logarithm(rest);
    EXACT float p;
    if (w < 5.0) {
        w -= 2.5;
        p = 2.81022636e-08;
        p = p * w + 3.43273939e-07;
        p = p * w - 3.5233877e-06;
        p = p * w - 4.39150654e-06;
        p = p * w + 0.00021858087;
        p = p * w - 0.00125372503;
        p = p * w - 0.00417768164;
        p = p * w + 0.246640727;
        p = p * w + 1.50140941;
    } else {
        w = sqrt(w) - 3.0;
        p = -0.000200214257;
        p = p * w + 0.000100950558;
        p = p * w + 0.00134934322;
        p = p * w - 0.00367342844;
        p = p * w + 0.00573950773;
        p = p * w - 0.0076224613;
        p = p * w + 0.00943887047;
        p = p * w + 1.00167406;
        p = p * w + 2.83297682;
    }
    EXACT float result = p * x;
    return result;
}
