/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/test/planted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double plant_bits(double x, int bits, bool cut)
{
    int e;
    double m = ldexp(frexp(x, &e), bits);
    return ldexp(cut ? trunc(m) : nearbyint(m), e - bits);
}

double plant_round(enum dtype dtype, double x)
{
    unsigned char bytes[8];
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

void plant_format(struct plant *p, enum dtype format)
{
    for (int i = 0; i < p->inputs; i++) {
        for (int64_t k = 0; k < PLANT_NUMBERS; k++) {
            p->in[i].x[k] = plant_round(format, p->in[i].x[k]);
        }
    }
}

void plant_result_format(struct plant *p, enum dtype format)
{
    for (int64_t k = 0; k < p->numbers; k++) {
        p->got[k] = plant_round(format, p->got[k]);
    }
}

static double uniform(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

void plant_input(struct plant *p, int i, struct shape shape, double scale, double shift)
{
    uint64_t state = 0x9E3779B97F4A7C15u * (p->seed + 1) + (uint64_t)i * 0x1234567u;
    p->in[i].shape = shape;
    p->inputs = i >= p->inputs ? i + 1 : p->inputs;
    for (int64_t k = 0; k < shape_elements(&shape); k++) {
        double r = sqrt(-2 * log(uniform(&state))), a = 2 * 3.141592653589793 * uniform(&state);
        p->in[i].x[k] = plant_round(p->dtype, scale * r * cos(a) + shift);
    }
}

static void put(struct plant *p, int64_t at, long double x)
{
    p->got[at] = plant_round(p->dtype, (double)x);
    p->numbers = at >= p->numbers ? at + 1 : p->numbers;
}

static void product(struct plant *p, int64_t m, int64_t k, int64_t n, int64_t row, int64_t column)
{
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            long double sum = 0;
            for (int64_t l = 0; l < k; l++) {
                sum += (long double)p->in[0].x[i * k + l] * (long double)p->in[1].x[l * row + j * column];
            }
            put(p, i * n + j, sum);
        }
    }
}

void plant_matmul(struct plant *p, int64_t m, int64_t k, int64_t n)
{
    product(p, m, k, n, n, 1);
}

void plant_linear(struct plant *p, int64_t m, int64_t k, int64_t n)
{
    product(p, m, k, n, 1, k);
}

void plant_layer_norm(struct plant *p, int64_t rows, int64_t n, double eps)
{
    for (int64_t r = 0; r < rows; r++) {
        const double *x = p->in[0].x + r * n;
        long double mean = 0, variance = 0;
        for (int64_t k = 0; k < n; k++) {
            mean += (long double)x[k] / (long double)n;
        }
        for (int64_t k = 0; k < n; k++) {
            variance += (x[k] - mean) * (x[k] - mean) / (long double)n;
        }
        for (int64_t k = 0; k < n; k++) {
            put(p, r * n + k, (x[k] - mean) / sqrtl(variance + (long double)eps));
        }
    }
}

void plant_norm(struct plant *p, int64_t rows, int64_t n, double ord)
{
    for (int64_t r = 0; r < rows; r++) {
        long double sum = 0;
        for (int64_t k = 0; k < n; k++) {
            sum += powl(fabsl((long double)p->in[0].x[r * n + k]), (long double)ord);
        }
        put(p, r, powl(sum, 1 / (long double)ord));
    }
}

void plant_add(struct plant *p, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        put(p, k, (long double)p->in[0].x[k] + (long double)p->in[1].x[k]);
    }
}

void plant_mul(struct plant *p, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        put(p, k, (long double)p->in[0].x[k] * (long double)p->in[1].x[k]);
    }
}

void plant_naive(struct plant *p, int64_t groups, int64_t n, double eps)
{
    for (int64_t g = 0; g < groups; g++) {
        const double *x = p->in[0].x + g * n;
        float sum = 0, squares = 0;
        for (int64_t k = 0; k < n; k++) {
            float square = (float)x[k] * (float)x[k];
            sum += (float)x[k];
            squares += square;
        }
        float mean = sum / (float)n, mean_square = squares / (float)n, product = mean * mean;
        float r = 1 / sqrtf(mean_square - product + (float)eps);
        for (int64_t k = 0; k < n; k++) {
            float d = (float)x[k] - mean;
            put(p, g * n + k, (long double)(d * r));
        }
    }
}

double plant_log_determinant(const double *a, int64_t n, int *sign, bool float32)
{
    double m[64 * 64], sum = 0;
    memcpy(m, a, (size_t)(n * n) * sizeof *m);
    *sign = 1;
    for (int64_t c = 0; c < n; c++) {
        int64_t best = c;
        for (int64_t r = c; r < n; r++) {
            best = fabs(m[r * n + c]) > fabs(m[best * n + c]) ? r : best;
        }
        for (int64_t k = 0; best != c && k < n; k++) {
            double kept = m[c * n + k];
            m[c * n + k] = m[best * n + k];
            m[best * n + k] = kept;
        }
        *sign *= (best != c ? -1 : 1) * (m[c * n + c] < 0 ? -1 : 1);
        sum += log(fabs(m[c * n + c]));
        for (int64_t r = c + 1; r < n; r++) {
            double factor = m[r * n + c] / m[c * n + c];
            factor = float32 ? (double)(float)factor : factor;
            for (int64_t k = c; k < n; k++) {
                double x = factor * m[c * n + k];
                x = m[r * n + k] - (float32 ? (double)(float)x : x);
                m[r * n + k] = float32 ? (double)(float)x : x;
            }
        }
    }
    return sum;
}
