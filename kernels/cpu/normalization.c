/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The textbook's two passes, float for the 16-bit formats; sums in blocks of 8, then pairwise. */

#include "kernels/cpu/normalization.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { LEAF = 8 };

static int64_t of_channel(const struct grouping *g, int64_t channel, int64_t j)
{
    return (j / g->inner * g->channels + channel) * g->inner + j % g->inner;
}

static int64_t of_group(const struct grouping *g, int64_t group, int64_t j)
{
    return g->over_batch ? of_channel(g, group, j) : group * g->members + j;
}

/* Everything of one width: `value[X]` … are contiguous copies, NULL where the operand is absent. */
#define DEFINE_NORMALIZATION(name, real, root_of, exponent_of, scaled, beyond, greatest_of, down)              \
    struct name {                                                                                              \
        real *value[TENSORS];                                                                                  \
    };                                                                                                         \
                                                                                                               \
    static real name##_sum(const real *x, int64_t n)                                                           \
    {                                                                                                          \
        if (n > LEAF) {                                                                                        \
            return name##_sum(x, n / 2) + name##_sum(x + n / 2, n - n / 2);                                    \
        }                                                                                                      \
        real sum = 0;                                                                                          \
        for (int64_t i = 0; i < n; i++) {                                                                      \
            sum += x[i];                                                                                       \
        }                                                                                                      \
        return sum;                                                                                            \
    }                                                                                                          \
                                                                                                               \
    /* a·b·c·2^lift, lift ≤ 0, in range where it is: the two greatest first, or, where they overflow, the \
       greatest and the least, and then what lies between. */                                                  \
    static real name##_product(real a, real b, real c, int lift)                                               \
    {                                                                                                          \
        for (int k = 0; k < 2; k++) {                                                                          \
            real low = fabs(a) < fabs(b) ? a : b, next;                                                        \
            a = fabs(a) < fabs(b) ? b : a;                                                                     \
            next = fabs(low) < fabs(c) ? c : low;                                                              \
            c = fabs(low) < fabs(c) ? low : c;                                                                 \
            b = fabs(a) < fabs(next) ? a : next;                                                               \
            a = fabs(a) < fabs(next) ? next : a;                                                               \
            a = k == 0 && lift < 0 ? scaled(a, lift) : a;                                                      \
        }                                                                                                      \
        real first = a * b;                                                                                    \
        first = isinf(first) && isfinite(a) ? a * c * b : first * c;                                           \
        return first;                                                                                          \
    }                                                                                                          \
                                                                                                               \
    /* factor·(x − m)·r·2^lift; in evaluation NORMAL is r, and x − m itself may overflow. */            \
    static real name##_times(const struct grouping *g, const struct name *t, int64_t i, real factor,           \
                             int lift)                                                                         \
    {                                                                                                          \
        if (!g->evaluates) {                                                                                   \
            return name##_product(t->value[NORMAL][i], 1, factor, lift);                                       \
        }                                                                                                      \
        real x = t->value[X][i], mean = t->value[MEAN][i / g->inner % g->channels], deviation = x - mean;      \
        int halved = isinf(deviation) && isfinite(x) && isfinite(mean);                                        \
        deviation = halved ? x / 2 - mean / 2 : deviation;                                                     \
        return scaled(name##_product(deviation, t->value[NORMAL][i], factor, lift), halved);                   \
    }                                                                                                          \
                                                                                                               \
    /* Fills NORMAL for one group; the reciprocal root, and the statistics for the running ones. */            \
    static real name##_group(const struct grouping *g, struct name *t, int64_t group, real *mean,              \
                             real *variance, int *scale)                                                       \
    {                                                                                                          \
        real *row = t->value[ROW], greatest = 0, n = (real)g->members, eps = (real)g->eps;                     \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            row[j] = t->value[X][of_group(g, group, j)];                                                       \
            greatest = row[j] > greatest ? row[j] : -row[j] > greatest ? -row[j] : greatest;                   \
        }                                                                                                      \
        int e = !isfinite(greatest) || greatest < beyond || g->evaluates ? 0 : exponent_of(greatest);          \
        for (int64_t j = 0; e && j < g->members; j++) {                                                        \
            row[j] = scaled(row[j], -e);                                                                       \
        }                                                                                                      \
        *mean = 0;                                                                                             \
        if (g->evaluates) {                                                                                    \
            *mean = t->value[MEAN][group];                                                                     \
            *variance = t->value[VARIANCE][group];                                                             \
        } else {                                                                                               \
            real *square = row + g->members;                                                                   \
            *mean = g->centred ? name##_sum(row, g->members) / n : 0;                                          \
            for (int64_t j = 0; j < g->members; j++) {                                                         \
                square[j] = (row[j] - *mean) * (row[j] - *mean);                                               \
            }                                                                                                  \
            *variance = name##_sum(square, g->members) / n;                                                    \
        }                                                                                                      \
        real whole = *variance + scaled(eps, -2 * e);                                                          \
        real root = 1 / root_of(e && whole == 0 ? 1 : whole);                                                  \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            t->value[NORMAL][of_group(g, group, j)] = g->evaluates ? root : (row[j] - *mean) * root;           \
        }                                                                                                      \
        *mean = scaled(*mean, e);                                                                              \
        *scale = e;                                                                                            \
        return root;                                                                                           \
    }                                                                                                          \
                                                                                                               \
    static void name##_apply(const struct grouping *g, struct name *t, int64_t group)                          \
    {                                                                                                          \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            int64_t i = of_group(g, group, j), c = i / g->inner % g->channels;                                 \
            real gain = t->value[WEIGHT] ? t->value[WEIGHT][c] : 1, y = name##_times(g, t, i, gain, 0);        \
            if (t->value[BIAS]) {                                                                              \
                real bias = t->value[BIAS][c]; /* may bring y back into range */                               \
                y = fabs(y) < greatest_of / 4 ? y + bias                                                       \
                                              : (name##_times(g, t, i, gain, -4) + bias / 16) * 16;            \
            }                                                                                                  \
            t->value[Y][i] = y;                                                                                \
        }                                                                                                      \
    }                                                                                                          \
                                                                                                               \
    /* Means of w·2^lift and of w·2^lift·X, w = g·dy; w and w·X are left in ROW. */                       \
    static void name##_means(const struct grouping *g, struct name *t, int64_t group, int lift,                \
                             real mean[2])                                                                     \
    {                                                                                                          \
        real *row = t->value[ROW], n = (real)g->members;                                                       \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            int64_t i = of_group(g, group, j), c = i / g->inner % g->channels;                                 \
            row[j] = name##_product(t->value[GRAD][i], t->value[WEIGHT] ? t->value[WEIGHT][c] : 1, 1, lift);   \
            row[g->members + j] = row[j] * t->value[NORMAL][i];                                                \
        }                                                                                                      \
        mean[0] = g->centred ? name##_sum(row, g->members) / n : 0;                                            \
        mean[1] = name##_sum(row + g->members, g->members) / n;                                                \
    }                                                                                                          \
                                                                                                               \
    /* dx; its statistics were taken of x·2^-e. Where a sum may overflow, of dy·2^-down. */                  \
    static void name##_input(const struct grouping *g, struct name *t, int64_t group, real root, int e)        \
    {                                                                                                          \
        real *row = t->value[ROW], mean[2], most = scaled(1, down * 4 / 5);                                    \
        int lift = 0;                                                                                          \
        for (int64_t j = 0; g->evaluates && j < g->members; j++) {                                             \
            int64_t i = of_group(g, group, j), c = i / g->inner % g->channels;                                 \
            t->value[Y][i] =                                                                                   \
                name##_product(t->value[GRAD][i], t->value[WEIGHT] ? t->value[WEIGHT][c] : 1, root, 0);        \
        }                                                                                                      \
        if (g->evaluates) {                                                                                    \
            return;                                                                                            \
        }                                                                                                      \
        name##_means(g, t, group, 0, mean);                                                                    \
        if (!(fabs(mean[0]) < most && fabs(mean[1]) < most)) {                                                 \
            lift = down;                                                                                       \
            name##_means(g, t, group, -lift, mean);                                                            \
        }                                                                                                      \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            int64_t i = of_group(g, group, j);                                                                 \
            real rest = row[j] - mean[0] - t->value[NORMAL][i] * mean[1];                                      \
            t->value[Y][i] = name##_product(rest, root, scaled(1, lift - e), 0);                               \
        }                                                                                                      \
    }                                                                                                          \
                                                                                                               \
    /* Σ dy or Σ dy·X of a channel; where it overflows, once more of 2^-64 of it: the rest may bring it     \
     * back. */                                                                                                \
    static real name##_parameter(const struct grouping *g, struct name *t, int64_t c, bool of_bias)            \
    {                                                                                                          \
        int64_t terms = g->batch * g->inner;                                                                   \
        real sum = 0;                                                                                          \
        for (int lift = 0; lift <= 64; lift += 64) {                                                           \
            for (int64_t j = 0; j < terms; j++) {                                                              \
                int64_t i = of_channel(g, c, j);                                                               \
                real dy = t->value[GRAD][i];                                                                   \
                t->value[ROW][j] = of_bias ? scaled(dy, -lift) : name##_times(g, t, i, dy, -lift);             \
            }                                                                                                  \
            sum = scaled(name##_sum(t->value[ROW], terms), lift);                                              \
            if (isfinite(sum)) {                                                                               \
                break;                                                                                         \
            }                                                                                                  \
        }                                                                                                      \
        return sum;                                                                                            \
    }                                                                                                          \
                                                                                                               \
    static void name##_parameters(const struct grouping *g, struct name *t)                                    \
    {                                                                                                          \
        for (int64_t c = 0; c < g->channels; c++) {                                                            \
            for (int which = DWEIGHT; which <= DBIAS; which++) {                                               \
                if (t->value[which]) {                                                                         \
                    t->value[which][c] = name##_parameter(g, t, c, which == DBIAS);                            \
                }                                                                                              \
            }                                                                                                  \
        }                                                                                                      \
    }                                                                                                          \
                                                                                                               \
    static void name##_all(const struct grouping *g, struct name *t)                                           \
    {                                                                                                          \
        for (int64_t k = 0; k < g->groups; k++) {                                                              \
            int e;                                                                                             \
            real mean, variance, root = name##_group(g, t, k, &mean, &variance, &e);                           \
            if (g->gradient) {                                                                                 \
                name##_input(g, t, k, root, e);                                                                \
                continue;                                                                                      \
            }                                                                                                  \
            name##_apply(g, t, k);                                                                             \
            if (g->over_batch && !g->evaluates && t->value[MEAN]) {                                            \
                real taken = (real)g->momentum, kept = (real)(1 - g->momentum), n = (real)g->members;          \
                t->value[MEAN][k] = kept * t->value[MEAN][k] + taken * mean;                                   \
                real part = scaled(taken * (variance * (n / (n - 1))), 2 * e); /* may be in range alone */     \
                t->value[VARIANCE][k] = kept * t->value[VARIANCE][k] + part;                                   \
            }                                                                                                  \
        }                                                                                                      \
        if (g->gradient) {                                                                                     \
            name##_parameters(g, t);                                                                           \
        }                                                                                                      \
    }

DEFINE_NORMALIZATION(single, float, sqrtf, ilogbf, ldexpf, 0x1p40F, FLT_MAX, 120)
DEFINE_NORMALIZATION(twice, double, sqrt, ilogb, ldexp, 0x1p400, DBL_MAX, 1000)

/* Copies in, computes in the width of x, copies out. */
enum cpu_status cpu_normalize(const struct grouping *g, const struct cpu_view tensor[TENSORS],
                              struct error *reason)
{
    struct single narrow = {.value = {NULL}};
    struct twice wide = {.value = {NULL}};
    bool twice = tensor[X].dtype == DTYPE_FLOAT64, good = true;
    int64_t elements = shape_elements(&tensor[X].shape), terms = g->batch * g->inner;
    int64_t row = 2 * g->members > terms ? 2 * g->members : terms;
    for (int k = 0; k < TENSORS; k++) {
        int64_t count = k == NORMAL ? elements : k == ROW ? row : shape_elements(&tensor[k].shape);
        if (k < NORMAL && !tensor[k].data) {
            continue;
        }
        void *memory = good ? cpu_allocate(count, twice ? sizeof(double) : sizeof(float), reason) : NULL;
        good = memory;
        *(twice ? (void **)&wide.value[k] : (void **)&narrow.value[k]) = memory;
        for (int64_t i = 0; good && k < Y && i < count; i++) {
            double x = cpu_load(&tensor[k], i);
            if (twice) {
                wide.value[k][i] = x;
            } else {
                narrow.value[k][i] = (float)x;
            }
        }
    }
    if (good && twice) {
        twice_all(g, &wide);
    } else if (good) {
        single_all(g, &narrow);
    }
    bool updates = g->over_batch && !g->evaluates && !g->gradient;
    for (int k = updates ? MEAN : Y; good && k <= DBIAS; k++) { /* MEAN and VARIANCE lie before Y */
        for (int64_t i = 0; tensor[k].data && i < shape_elements(&tensor[k].shape); i++) {
            cpu_store(&tensor[k], i, twice ? wide.value[k][i] : (double)narrow.value[k][i]);
        }
    }
    for (int k = 0; k < TENSORS; k++) {
        free(wide.value[k]);
        free(narrow.value[k]);
    }
    return good ? CPU_OK : CPU_OUT_OF_MEMORY;
}
