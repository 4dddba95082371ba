/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/programs/peculiar_forms.h"

#include <math.h>

/* Sums in float32, in sequence. */
void sum_in_sequence(const struct call *c)
{
    float sum = 0;
    int64_t n = shape_elements(&c->input[0].shape);
    for (int64_t i = 0; i < n; i++) {
        sum += fabsf((float)cpu_load(&c->input[0], i));
    }
    cpu_store(&c->output[0], 0, sum);
}

/* √Σx² of the whole tensor without scaling. */
void norm_naively(const struct call *c, float factor)
{
    float sum = 0;
    int64_t n = shape_elements(&c->input[0].shape);
    for (int64_t i = 0; i < n; i++) {
        float x = (float)cpu_load(&c->input[0], i);
        sum += x * x;
    }
    cpu_store(&c->output[0], 0, sqrtf(sum) * factor);
}

/* e^x over the sum of e^x along the dimension, without subtracting the maximum. */
void softmax_naively(const struct call *c)
{
    const struct shape *shape = &c->input[0].shape;
    int64_t dim = attributes_integer(&c->attributes, "dim", 0), inner = 1;
    dim += dim < 0 ? shape->rank : 0;
    for (int64_t d = dim + 1; d < shape->rank; d++) {
        inner *= shape->dim[d];
    }
    int64_t n = shape->dim[dim], all = shape_elements(shape);
    for (int64_t i = 0; i < all; i++) {
        int64_t first = i / (n * inner) * n * inner + i % inner;
        float sum = 0;
        for (int64_t k = 0; k < n; k++) {
            sum += expf((float)cpu_load(&c->input[0], first + k * inner));
        }
        cpu_store(&c->output[0], i, expf((float)cpu_load(&c->input[0], i)) / sum);
    }
}

void elu_as_documented(const struct call *c, float factor)
{
    const float alpha = (float)attributes_real(&c->attributes, "alpha", 1);
    int64_t n = shape_elements(&c->input[0].shape);
    for (int64_t i = 0; i < n; i++) {
        float x = (float)cpu_load(&c->input[0], i);
        cpu_store(&c->output[0], i, (x > 0 ? x : alpha * (expf(x) - 1)) * factor);
    }
}

enum { HALF = STRASSEN_ORDER / 2 };
typedef float block[HALF][HALF];

static void multiply(block a, block b, block c)
{
    for (int i = 0; i < HALF; i++) {
        for (int j = 0; j < HALF; j++) {
            c[i][j] = 0;
            for (int k = 0; k < HALF; k++) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}

static void combine(block x, float sign, block y, block out)
{
    for (int i = 0; i < HALF * HALF; i++) {
        out[i / HALF][i % HALF] = x[i / HALF][i % HALF] + sign * y[i / HALF][i % HALF];
    }
}

/* One level of Strassen's product of two matrices of order 128 (Strassen 1969). */
void multiply_fast(const struct call *c)
{
    static block a[4], b[4], m[7], s, t;
    for (int64_t e = 0; e < 4 * HALF * HALF; e++) {
        int64_t i = e / (2 * HALF), j = e % (2 * HALF);
        a[i / HALF * 2 + j / HALF][i % HALF][j % HALF] = (float)cpu_load(&c->input[0], e);
        b[i / HALF * 2 + j / HALF][i % HALF][j % HALF] = (float)cpu_load(&c->input[1], e);
    }
    combine(a[0], 1, a[3], s), combine(b[0], 1, b[3], t), multiply(s, t, m[0]);
    combine(a[2], 1, a[3], s), multiply(s, b[0], m[1]);
    combine(b[1], -1, b[3], t), multiply(a[0], t, m[2]);
    combine(b[2], -1, b[0], t), multiply(a[3], t, m[3]);
    combine(a[0], 1, a[1], s), multiply(s, b[3], m[4]);
    combine(a[2], -1, a[0], s), combine(b[0], 1, b[1], t), multiply(s, t, m[5]);
    combine(a[1], -1, a[3], s), combine(b[2], 1, b[3], t), multiply(s, t, m[6]);
    for (int64_t e = 0; e < 4 * HALF * HALF; e++) {
        int64_t row = e / (2 * HALF), column = e % (2 * HALF), i = row % HALF, j = column % HALF;
        int which = (int)(row / HALF * 2 + column / HALF);
        float of[] = {m[0][i][j] + m[3][i][j] - m[4][i][j] + m[6][i][j], m[2][i][j] + m[4][i][j],
                      m[1][i][j] + m[3][i][j], m[0][i][j] - m[1][i][j] + m[2][i][j] + m[5][i][j]};
        cpu_store(&c->output[0], e, of[which]);
    }
}
