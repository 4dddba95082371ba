/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* vector_norm and matrix_norm. The elements are divided by the leading element, or, for the orders 2 and 3,
 * by its power of two, and then summed pairwise over blocks of at most 32, in float32 for 16-bit types. */

#include "kernels/cpu/cpu_backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 32 };

/* Orders beyond these give the same norm: above EXTREMUM lead·n^(1/p) is lead to 2^-55 for every n < 2^32,
 * and below LEAST even the factor 2^(1/p) of two elements is beyond the range of every format. float32 holds
 * both. */
static const double EXTREMUM = 0x1p60, LEAST = 0x1p-40;

/* Sums powers of x/lead, which are in [0, 1]. For small |p| a quotient out of range may still contribute, but
 * its fourth root is in range: (x/lead)^p = (x^(1/4)/lead^(1/4))^(4p). Likewise for S^(1/p), whose product
 * with lead may be in range. */
#define DEFINE_NORM(name, real, power_of, root_of, exponent_of, scaled)                                      \
    static real name##_power(real x, real lead, real p)                                                      \
    {                                                                                                        \
        real ratio = x / lead;                                                                               \
        if (isnormal(ratio) || x == 0 || isinf(x)) {                                                         \
            return power_of(ratio, p);                                                                       \
        }                                                                                                    \
        return power_of(root_of(root_of(x)) / root_of(root_of(lead)), 4 * p);                                \
    }                                                                                                        \
                                                                                                             \
    static real name##_root(real sum, real lead, real p)                                                     \
    {                                                                                                        \
        real root = power_of(sum, 1 / p), quarter;                                                           \
        if (isnormal(root) || sum == 0) {                                                                    \
            return lead * root;                                                                              \
        }                                                                                                    \
        quarter = power_of(sum, 1 / p / 4);                                                                  \
        return lead * quarter * quarter * quarter * quarter;                                                 \
    }                                                                                                        \
                                                                                                             \
    static real name##_sum(const real *x, int64_t n, double p, real lead)                                    \
    {                                                                                                        \
        if (n > LEAF) {                                                                                      \
            return name##_sum(x, n / 2, p, lead) + name##_sum(x + n / 2, n - n / 2, p, lead);                \
        }                                                                                                    \
        real sum = 0;                                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            sum += p == 0   ? (real)(x[i] != 0)                                                              \
                   : p == 1 ? x[i]                                                                           \
                   : p == 2 ? x[i] * x[i]                                                                    \
                   : p == 3 ? x[i] * x[i] * x[i]                                                             \
                            : name##_power(x[i], lead, (real)p);                                             \
        }                                                                                                    \
        return sum;                                                                                          \
    }                                                                                                        \
                                                                                                             \
    static real name(real *x, int64_t n, double p)                                                           \
    {                                                                                                        \
        real lead = p < 0 ? (real)INFINITY : 0;                                                              \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            if (p != 0 && isnan(x[i])) {                                                                     \
                return x[i];                                                                                 \
            }                                                                                                \
            lead = (p < 0 ? x[i] < lead : x[i] > lead) ? x[i] : lead;                                        \
        }                                                                                                    \
        if (fabs(p) > EXTREMUM || (p != 0 && (lead == 0 || isinf(lead)))) {                                  \
            return lead;                                                                                     \
        }                                                                                                    \
        if (p != 0 && p != 1 && p != 2 && p != 3) {                                                          \
            p = fabs(p) < LEAST ? copysign(LEAST, p) : p;                                                    \
            return name##_root(name##_sum(x, n, p, lead), lead, (real)p);                                    \
        }                                                                                                    \
        int e = p == 0 || p == 1 ? 0 : exponent_of(lead);                                                    \
        for (int64_t i = 0; e && i < n; i++) {                                                               \
            x[i] = scaled(x[i], -e);                                                                         \
        }                                                                                                    \
        real sum = name##_sum(x, n, p, lead);                                                                \
        sum = p == 0 || p == 1 ? sum : p == 2 ? root_of(sum) : power_of(sum, (real)(1 / p));                 \
        return scaled(sum, e);                                                                               \
    }

DEFINE_NORM(norm_float, float, powf, sqrtf, ilogbf, ldexpf)
DEFINE_NORM(norm_double, double, pow, sqrt, ilogb, ldexp)

/* An array of float32 or float64. */
struct buffer {
    bool wide;
    float *single;
    double *twice;
};

static bool buffer_create(struct buffer *buffer, bool wide, int64_t n, struct error *reason)
{
    *buffer = (struct buffer){.wide = wide};
    void *memory = cpu_allocate(n, wide ? sizeof(double) : sizeof(float), reason);
    *(wide ? (void **)&buffer->twice : (void **)&buffer->single) = memory;
    return memory != NULL;
}

/* Stores |x| of element i of `from` as element i of the buffer. */
static void load(struct buffer *buffer, int64_t i, const struct cpu_view *from)
{
    double x = fabs(cpu_load(from, i));
    if (buffer->wide) {
        buffer->twice[i] = x;
    } else {
        buffer->single[i] = (float)x;
    }
}

static double norm_of(struct buffer *buffer, int64_t n, double p)
{
    return buffer->wide ? norm_double(buffer->twice, n, p) : (double)norm_float(buffer->single, n, p);
}

/* Computes norms of order p over the dimensions in `mask`, and then, unless q is 0, norms of order q (±inf:
 * the extremum) of them over the dimensions in `outer_mask`. */
static bool reduce(const struct cpu_view *x, unsigned mask, unsigned outer_mask, double p, double q,
                   const struct cpu_view *y, struct error *reason)
{
    struct cpu_view kept = cpu_restricted(x, ~(mask | outer_mask)), inner = cpu_restricted(x, mask),
                    outer = cpu_restricted(x, outer_mask);
    int64_t n = shape_elements(&inner.shape), m = shape_elements(&outer.shape),
            count = shape_elements(&kept.shape);
    struct buffer row = {.wide = false}, norms = {.wide = false};
    bool wide = x->dtype == DTYPE_FLOAT64;
    bool good = buffer_create(&row, wide, n, reason) && buffer_create(&norms, wide, m, reason);
    for (int64_t o = 0; good && o < count; o++) {
        for (int64_t k = 0; k < m; k++) {
            inner.data = cpu_at(&kept, o) + (cpu_at(&outer, k) - outer.data);
            for (int64_t i = 0; i < n; i++) {
                load(&row, i, &inner);
            }
            double norm = norm_of(&row, n, p);
            *(wide ? &norms.twice[k] : &norm) = norm;
            if (!wide) {
                norms.single[k] = (float)norm;
            }
        }
        cpu_store(y, o,
                  wide ? q != 0 ? norm_double(norms.twice, m, q) : norms.twice[0]
                       : (double)(q != 0 ? norm_float(norms.single, m, q) : norms.single[0]));
    }
    free(row.single);
    free(row.twice);
    free(norms.single);
    free(norms.twice);
    return good;
}

static enum cpu_status vector(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                              const struct cpu_view *input, int outputs, const struct cpu_view *output,
                              struct error *reason)
{
    (void)op, (void)inputs, (void)outputs;
    const struct cpu_view *x = &input[0];
    const struct integers *dim = attributes_integers(attributes, "dim");
    double p = attributes_real(attributes, "ord", 2);
    unsigned mask = 0;
    bool empty = false;
    if (!dtype_is_real(x->dtype)) {
        error_set(reason, "the CPU backend has no vector_norm for %s", dtype_info(x->dtype)->name);
        return CPU_UNSUPPORTED;
    }
    for (int d = 0; d < x->shape.rank; d++) {
        int named = !dim || dim->count == 0;
        for (int k = 0; dim && k < dim->count; k++) {
            named += dim->item[k] == d || dim->item[k] == d - x->shape.rank;
        }
        if (named > 1) {
            return cpu_reject(reason, "a dimension is named twice");
        }
        mask |= named ? 1U << d : 0;
        empty = empty || (named && x->shape.dim[d] == 0);
    }
    for (int k = 0; dim && k < dim->count; k++) {
        if (dim->item[k] < -x->shape.rank || dim->item[k] >= x->shape.rank) {
            return cpu_reject(reason, "a dimension is out of range");
        }
    }
    if (isnan(p) || (empty && (p < 0 || isinf(p)))) {
        return cpu_reject(reason, "no such norm of nothing");
    }
    return reduce(x, mask, 0, p, 0, &output[0], reason) ? CPU_OK : CPU_OUT_OF_MEMORY;
}

static enum cpu_status matrix(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                              const struct cpu_view *input, int outputs, const struct cpu_view *output,
                              struct error *reason)
{
    (void)op, (void)inputs, (void)outputs;
    const struct cpu_view *x = &input[0];
    double p = attributes_real(attributes, "ord", 0); /* absent: the Frobenius norm */
    if (!dtype_is_real(x->dtype)) {
        error_set(reason, "the CPU backend has no matrix_norm for %s", dtype_info(x->dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (x->shape.rank < 2) {
        return cpu_reject(reason, "a matrix has two dimensions");
    }
    unsigned rows = 1U << (x->shape.rank - 2), columns = rows << 1;
    double q = p > 0 ? (double)INFINITY : -(double)INFINITY;
    bool good;
    if (p == 0) {
        good = reduce(x, rows | columns, 0, 2, 0, &output[0], reason);
    } else if (x->shape.dim[x->shape.rank - (isinf(p) ? 2 : 1)] == 0) {
        return cpu_reject(reason, "no greatest sum of none");
    } else {
        good = reduce(x, isinf(p) ? columns : rows, isinf(p) ? rows : columns, 1, q, &output[0], reason);
    }
    return good ? CPU_OK : CPU_OUT_OF_MEMORY;
}

static const struct cpu_op ops[] = {{.name = "vector_norm", .run = vector},
                                    {.name = "matrix_norm", .run = matrix}};

const struct cpu_op_set cpu_op_set_vector_norm = {.op = ops, .count = sizeof ops / sizeof *ops};
