/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Attention and its gradient by plain loops: all probabilities of one query, each divided by their sum, in
 * float32 for the 16-bit types. A query without keys has the result 0. */

#include "kernels/cpu/cpu_backend.h"
#include "kernels/shapes/attention_sizes.h"

#include <math.h>
#include <stdlib.h>

struct layout {
    struct attention_sizes s;
    int64_t batches;
    const struct cpu_view *query, *key, *value, *mask; /* mask NULL: absent */
};

static int64_t from_end(const struct shape *shape, int d)
{
    return d < shape->rank ? shape->dim[shape->rank - 1 - d] : 1;
}

/* Returns the matrix of an operand that belongs to a batch of the result. Heads that are fewer than the
 * result's, and not one, are shared by neighbours. */
static int64_t matrix_of(const struct layout *t, const struct shape *own, int64_t batch)
{
    int64_t place = 0, stride = 1;
    for (int d = 0; d < t->s.all.rank; d++) {
        int64_t all = t->s.all.dim[t->s.all.rank - 1 - d], x = from_end(own, d + 2), index = batch % all;
        place += (d == 0 ? index / (all / x) : x == 1 ? 0 : index) * stride;
        stride *= x;
        batch /= all;
    }
    return place;
}

static int64_t mask_at(const struct layout *t, int64_t batch, int64_t i, int64_t j)
{
    const struct shape *own = &t->mask->shape;
    int64_t rows = from_end(own, 1), columns = from_end(own, 0), place = 0, stride = 1;
    for (int d = 0; d < t->s.all.rank; d++) {
        int64_t all = t->s.all.dim[t->s.all.rank - 1 - d], x = from_end(own, d + 2);
        place += (x == 1 ? 0 : batch % all) * stride;
        stride *= x;
        batch /= all;
    }
    return (place * rows + (rows == 1 ? 0 : i)) * columns + (columns == 1 ? 0 : j);
}

static enum cpu_status lay(struct layout *t, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, struct error *reason)
{
    struct view view[4];
    *t = (struct layout){.query = &input[0], .key = &input[1], .value = &input[2]};
    for (int i = 0; i < inputs; i++) {
        view[i] = (struct view){
            .storage = input[i].data ? 0 : -1, .dtype = input[i].dtype, .shape = input[i].shape};
    }
    const char *fault = attention_sizes_of(attributes, inputs, view, &t->s);
    if (fault) {
        return cpu_reject(reason, fault);
    }
    t->mask = t->s.masked ? &input[3] : NULL;
    t->batches = shape_elements(&t->s.all);
    return CPU_OK;
}

/* Whether key j takes part for query i; *bias is what the mask adds. */
static bool takes(const struct layout *t, int64_t batch, int64_t i, int64_t j, double *bias)
{
    *bias = 0;
    if (!t->mask) {
        return !t->s.causal || j <= i;
    }
    int64_t at = mask_at(t, batch, i, j);
    if (t->mask->dtype == DTYPE_BOOL) {
        return *cpu_at(t->mask, at) != 0;
    }
    *bias = cpu_load(t->mask, at);
    return *bias != -INFINITY;
}

#define EXP_float  expf
#define EXP_double exp

#define DEFINE_ATTENTION(real)                                                                               \
    static real *load_##real(const struct cpu_view *view, struct error *reason)                              \
    {                                                                                                        \
        int64_t count = shape_elements(&view->shape);                                                        \
        real *x = cpu_allocate(count, sizeof *x, reason);                                                    \
        for (int64_t i = 0; x && i < count; i++) {                                                           \
            x[i] = (real)cpu_load(view, i);                                                                  \
        }                                                                                                    \
        return x;                                                                                            \
    }                                                                                                        \
    static real dot_##real(const real *a, const real *b, int64_t n)                                          \
    {                                                                                                        \
        real sum = 0;                                                                                        \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            sum += a[k] * b[k];                                                                              \
        }                                                                                                    \
        return sum;                                                                                          \
    }                                                                                                        \
    /* Fills the probabilities of a query; 0 for keys that take no part. */                                  \
    static void weigh_##real(const struct layout *t, int64_t batch, int64_t i, const real *q, const real *k, \
                             real *p)                                                                        \
    {                                                                                                        \
        real most = -INFINITY, sum = 0;                                                                      \
        for (int64_t j = 0; j < t->s.keys; j++) {                                                            \
            double bias;                                                                                     \
            bool in = takes(t, batch, i, j, &bias);                                                          \
            p[j] = in ? dot_##real(q, k + j * t->s.width, t->s.width) * (real)t->s.scale + (real)bias        \
                      : -INFINITY;                                                                           \
            most = p[j] > most ? p[j] : most;                                                                \
        }                                                                                                    \
        for (int64_t j = 0; j < t->s.keys; j++) {                                                            \
            double bias;                                                                                     \
            p[j] = takes(t, batch, i, j, &bias) ? EXP_##real(p[j] - most) : 0;                               \
            sum += p[j];                                                                                     \
        }                                                                                                    \
        for (int64_t j = 0; j < t->s.keys && sum != 0; j++) {                                                \
            p[j] /= sum;                                                                                     \
        }                                                                                                    \
    }                                                                                                        \
    static bool forward_##real(const struct layout *t, const struct cpu_view *output, struct error *reason)  \
    {                                                                                                        \
        real *q = load_##real(t->query, reason), *k = load_##real(t->key, reason),                           \
             *v = load_##real(t->value, reason), *p = cpu_allocate(t->s.keys, sizeof *p, reason);            \
        bool good = q && k && v && p;                                                                        \
        for (int64_t b = 0; good && b < t->batches; b++) {                                                   \
            const real *qb = q + matrix_of(t, &t->query->shape, b) * t->s.queries * t->s.width,              \
                       *kb = k + matrix_of(t, &t->key->shape, b) * t->s.keys * t->s.width,                   \
                       *vb = v + matrix_of(t, &t->value->shape, b) * t->s.keys * t->s.value_width;           \
            for (int64_t i = 0; i < t->s.queries; i++) {                                                     \
                weigh_##real(t, b, i, qb + i * t->s.width, kb, p);                                           \
                for (int64_t d = 0; d < t->s.value_width; d++) {                                             \
                    real sum = 0;                                                                            \
                    for (int64_t j = 0; j < t->s.keys; j++) {                                                \
                        double bias;                                                                         \
                        if (takes(t, b, i, j, &bias)) {                                                      \
                            sum += p[j] * vb[j * t->s.value_width + d];                                      \
                        }                                                                                    \
                    }                                                                                        \
                    cpu_store(output, (b * t->s.queries + i) * t->s.value_width + d, (double)sum);           \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        free(q);                                                                                             \
        free(k);                                                                                             \
        free(v);                                                                                             \
        free(p);                                                                                             \
        return good;                                                                                         \
    }                                                                                                        \
    /* The gradients of one batch, added to those of its matrices. */                                        \
    static void back_##real(const struct layout *t, int64_t b, const real *const from[4], real *const to[4], \
                            real *p, real *dp)                                                               \
    {                                                                                                        \
        const int64_t qm = matrix_of(t, &t->query->shape, b) * t->s.queries * t->s.width,                    \
                      km = matrix_of(t, &t->key->shape, b) * t->s.keys * t->s.width,                         \
                      vm = matrix_of(t, &t->value->shape, b) * t->s.keys * t->s.value_width;                 \
        for (int64_t i = 0; i < t->s.queries; i++) {                                                         \
            const real *q = from[1] + qm + i * t->s.width;                                                   \
            const real *g = from[0] + (b * t->s.queries + i) * t->s.value_width;                             \
            real d = 0;                                                                                      \
            double bias;                                                                                     \
            weigh_##real(t, b, i, q, from[2] + km, p);                                                       \
            for (int64_t j = 0; j < t->s.keys; j++) {                                                        \
                if (takes(t, b, i, j, &bias)) {                                                              \
                    dp[j] = dot_##real(g, from[3] + vm + j * t->s.value_width, t->s.value_width);            \
                    d += p[j] * dp[j];                                                                       \
                }                                                                                            \
            }                                                                                                \
            for (int64_t j = 0; j < t->s.keys; j++) {                                                        \
                if (!takes(t, b, i, j, &bias)) {                                                             \
                    continue;                                                                                \
                }                                                                                            \
                const real ds = p[j] * (dp[j] - d), *k = from[2] + km + j * t->s.width;                      \
                for (int64_t e = 0; e < t->s.value_width; e++) {                                             \
                    to[2][vm + j * t->s.value_width + e] += p[j] * g[e];                                     \
                }                                                                                            \
                for (int64_t e = 0; e < t->s.width; e++) {                                                   \
                    to[0][qm + i * t->s.width + e] += ds * k[e] * (real)t->s.scale;                          \
                    to[1][km + j * t->s.width + e] += ds * q[e] * (real)t->s.scale;                          \
                }                                                                                            \
                if (to[3]) {                                                                                 \
                    to[3][mask_at(t, b, i, j)] += ds;                                                        \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static bool backward_##real(const struct layout *t, const struct cpu_view *input, int outputs,           \
                                const struct cpu_view *output, struct error *reason)                         \
    {                                                                                                        \
        real *from[4], *to[4] = {NULL}, *p = cpu_allocate(t->s.keys, sizeof *p, reason),                     \
                       *dp = cpu_allocate(t->s.keys, sizeof *dp, reason);                                    \
        bool good = p && dp;                                                                                 \
        for (int k = 0; k < 4; k++) {                                                                        \
            from[k] = load_##real(&input[k], reason);                                                        \
            good = good && from[k];                                                                          \
        }                                                                                                    \
        for (int o = 0; o < outputs; o++) {                                                                  \
            to[o] = cpu_allocate(shape_elements(&output[o].shape), sizeof *p, reason);                       \
            good = good && to[o];                                                                            \
        }                                                                                                    \
        for (int64_t b = 0; good && b < t->batches; b++) {                                                   \
            back_##real(t, b, (const real *const *)from, to, p, dp);                                         \
        }                                                                                                    \
        for (int o = 0; o < outputs; o++) {                                                                  \
            for (int64_t e = 0; good && e < shape_elements(&output[o].shape); e++) {                         \
                cpu_store(&output[o], e, (double)to[o][e]);                                                  \
            }                                                                                                \
            free(to[o]);                                                                                     \
        }                                                                                                    \
        for (int k = 0; k < 4; k++) {                                                                        \
            free(from[k]);                                                                                   \
        }                                                                                                    \
        free(p);                                                                                             \
        free(dp);                                                                                            \
        return good;                                                                                         \
    }

DEFINE_ATTENTION(float)
DEFINE_ATTENTION(double)

static enum cpu_status run_forward(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                   const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                   struct error *reason)
{
    struct layout t;
    enum cpu_status status = lay(&t, attributes, inputs, input, reason);
    (void)op;
    if (status != CPU_OK || outputs == 0) {
        return status;
    }
    bool good = input[0].dtype == DTYPE_FLOAT64 ? forward_double(&t, output, reason)
                                                : forward_float(&t, output, reason);
    return good ? CPU_OK : CPU_OUT_OF_MEMORY;
}

static enum cpu_status run_backward(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                    const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                    struct error *reason)
{
    struct layout t;
    enum cpu_status status = lay(&t, attributes, inputs - 1, input + 1, reason);
    (void)op;
    if (status == CPU_OK &&
        (input[0].dtype != input[1].dtype || !attention_sizes_fit(&t.s, &input[0].shape))) {
        return cpu_reject(reason, "grad_output has not the shape and dtype of the result");
    }
    if (status != CPU_OK || outputs == 0) {
        return status;
    }
    bool good = input[0].dtype == DTYPE_FLOAT64 ? backward_double(&t, input, outputs, output, reason)
                                                : backward_float(&t, input, outputs, output, reason);
    return good ? CPU_OK : CPU_OUT_OF_MEMORY;
}

static const struct cpu_op ops[] = {{.name = "scaled_dot_product_attention", .run = run_forward},
                                    {.name = "scaled_dot_product_attention_backward", .run = run_backward}};

const struct cpu_op_set cpu_op_set_attention = {.op = ops, .count = sizeof ops / sizeof *ops};
