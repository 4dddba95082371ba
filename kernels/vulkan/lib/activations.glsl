// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The assay authors
//
// Activations of one float32, and their derivatives. Needs functions.glsl.

float tanh_argument(float x)
{
    EXACT float cube = x * x * x;
    EXACT float t = 0.79788456 * (x + 0.044715 * cube);
    return t;
}

float gelu_by_tanh(float x)
{
    EXACT float twice = 2.0 * tanh_argument(x);
    EXACT float product = x * sigmoid(twice);
    return product;
}

float gelu_by_erf(float x)
{
    EXACT float argument = -x * 0.70710678;
    EXACT float half_x = 0.5 * x;
    EXACT float product = half_x * error_function_complement(argument);
    return product;
}

float softplus(float x, float beta, float threshold)
{
    EXACT float t = x * beta;
    if (t > threshold)
        return x;
    EXACT float bent = ((t > 0.0 ? t : 0.0) + log_one_plus(exp_own(-abs(t)))) / beta;
    return is_nan(x) ? x : bent;
}

float softplus_slope(float x, float beta, float threshold)
{
    EXACT float t = x * beta;
    return t > threshold ? 1.0 : sigmoid(t);
}

float silu_slope(float x)
{
    EXACT float bent = 1.0 + x * sigmoid(-x);
    EXACT float slope = sigmoid(x) * bent;
    return slope;
}

// tanh(log(1 + exp(x))) and its derivative, from e = exp(-|x|).
float mish_slope(float x)
{
    float e = exp_own(-abs(x));
    bool left = x < 0.0;
    EXACT float w = left ? 2.0 + e * (2.0 + e) : 1.0 + 2.0 * e * (1.0 + e);
    EXACT float level = (left ? e * (2.0 + e) : 1.0 + 2.0 * e) / w;
    EXACT float b = (left ? 1.0 : e) * (1.0 + e) / w;
    EXACT float slope = level + x * sigmoid(x) * (4.0 * b * b);
    return is_nan(x) ? x : slope;
}

float gelu_slope_by_tanh(float x)
{
    if (abs(x) > 50.0) // the square overflows
        return x > 0.0 ? 1.0 : 0.0;
    EXACT float twice = 2.0 * tanh_argument(x);
    EXACT float steep = 0.79788456 * (1.0 + 0.134145 * (x * x));
    EXACT float s = sigmoid(twice);
    EXACT float slope = s + 2.0 * x * (s * sigmoid(-twice)) * steep;
    return slope;
}

float gelu_slope_by_erf(float x)
{
    EXACT float argument = -x * 0.70710678;
    EXACT float exponent = -0.5 * (x * x);
    EXACT float density = 0.39894228 * exp_own(exponent);
    EXACT float slope = 0.5 * error_function_complement(argument) + x * density;
    return slope;
}

float swiglu(float x, float y)
{
    EXACT float product = silu(x) * y;
    return product;
}

// Of x * sigmoid(y) times grad: by y where `half_` is not 0, else by x.
float gated_slope(float grad, float x, float y, float half_)
{
    float s = sigmoid(y);
    EXACT float other = grad * (x * (s * sigmoid(-y)));
    EXACT float own = grad * s;
    return half_ != 0.0 ? other : own;
}
