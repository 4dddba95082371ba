/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Normalizations by the textbook's two passes: the mean, then the variance around it. The 16-bit types are
 * computed in float32. Sums are pairwise over blocks of at most 8 terms. */

#include "kernels/cpu/normalization.h"

#include <float.h>
#include <limits.h>
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

/* All functions for one type. `value[k]` is a contiguous copy of tensor k, or NULL if it is absent. */
#define DEFINE_NORMALIZATION(name, real, root_of, exponent_of, scaled, beyond, greatest_of, down)             \
    struct name {                                                                                             \
        real *value[TENSORS];                                                                                 \
    };                                                                                                        \
                                                                                                              \
    static real name##_sum(const real *x, int64_t n)                                                          \
    {                                                                                                         \
        if (n > LEAF) {                                                                                       \
            return name##_sum(x, n / 2) + name##_sum(x + n / 2, n - n / 2);                                   \
        }                                                                                                     \
        real sum = 0;                                                                                         \
        for (int64_t i = 0; i < n; i++) {                                                                     \
            sum += x[i];                                                                                      \
        }                                                                                                     \
        return sum;                                                                                           \
    }                                                                                                         \
                                                                                                              \
    /* Returns a·b·c·2^lift, lift ≤ 0, without overflow unless the result overflows: multiplies the two  \
     * greatest first, or, if they overflow, the greatest and the least, and then the third. */               \
    static real name##_product(real a, real b, real c, int lift)                                              \
    {                                                                                                         \
        for (int k = 0; k < 2; k++) {                                                                         \
            real low = fabs(a) < fabs(b) ? a : b, next;                                                       \
            a = fabs(a) < fabs(b) ? b : a;                                                                    \
            next = fabs(low) < fabs(c) ? c : low;                                                             \
            c = fabs(low) < fabs(c) ? low : c;                                                                \
            b = fabs(a) < fabs(next) ? a : next;                                                              \
            a = fabs(a) < fabs(next) ? next : a;                                                              \
            a = k == 0 && lift < 0 ? scaled(a, lift) : a;                                                     \
        }                                                                                                     \
        real first = a * b;                                                                                   \
        first = isinf(first) && isfinite(a) ? a * c * b : first * c;                                          \
        return first;                                                                                         \
    }                                                                                                         \
                                                                                                              \
    /* Returns x − m in evaluation; if that overflows, half of it, and sets *halved to 1. */                \
    static real name##_deviation(const struct grouping *g, const struct name *t, int64_t i, int *halved)      \
    {                                                                                                         \
        real x = t->value[X][i], mean = t->value[MEAN][i / g->inner % g->channels], deviation = x - mean;     \
        *halved = isinf(deviation) && isfinite(x) && isfinite(mean);                                          \
        return *halved ? x / 2 - mean / 2 : deviation;                                                        \
    }                                                                                                         \
                                                                                                              \
    /* Returns factor·(x − m)·r·2^lift; in evaluation NORMAL is r, and x − m itself may overflow. */   \
    static real name##_times(const struct grouping *g, const struct name *t, int64_t i, real factor,          \
                             int lift)                                                                        \
    {                                                                                                         \
        if (!g->evaluates) {                                                                                  \
            return name##_product(t->value[NORMAL][i], 1, factor, lift);                                      \
        }                                                                                                     \
        int halved;                                                                                           \
        real deviation = name##_deviation(g, t, i, &halved);                                                  \
        return scaled(name##_product(deviation, t->value[NORMAL][i], factor, lift), halved);                  \
    }                                                                                                         \
                                                                                                              \
    /* Fills NORMAL for one group. Returns the reciprocal root and the variance of x·2^-*scale, and the mean \
     * of x. */                                                                                               \
    static real name##_group(const struct grouping *g, struct name *t, int64_t group, real *mean,             \
                             real *variance, int *scale)                                                      \
    {                                                                                                         \
        real *row = t->value[ROW], greatest = 0, n = (real)g->members, eps = (real)g->eps;                    \
        for (int64_t j = 0; j < g->members; j++) {                                                            \
            row[j] = t->value[X][of_group(g, group, j)];                                                      \
            greatest = row[j] > greatest ? row[j] : -row[j] > greatest ? -row[j] : greatest;                  \
        }                                                                                                     \
        int e = !isfinite(greatest) || greatest < beyond || g->evaluates                                      \
                    ? 0                                                                                       \
                    : exponent_of(greatest) - exponent_of(beyond);                                            \
        for (int64_t j = 0; e && j < g->members; j++) {                                                       \
            row[j] = scaled(row[j], -e);                                                                      \
        }                                                                                                     \
        *mean = 0;                                                                                            \
        if (g->evaluates) {                                                                                   \
            *mean = t->value[MEAN][group];                                                                    \
            *variance = t->value[VARIANCE][group];                                                            \
        } else {                                                                                              \
            real *square = row + g->members;                                                                  \
            *mean = g->centred ? name##_sum(row, g->members) / n : 0;                                         \
            for (int64_t j = 0; j < g->members; j++) {                                                        \
                square[j] = (row[j] - *mean) * (row[j] - *mean);                                              \
            }                                                                                                 \
            *variance = name##_sum(square, g->members) / n;                                                   \
        }                                                                                                     \
        real whole = *variance + scaled(eps, -2 * e);                                                         \
        real root = 1 / root_of(e && whole == 0 ? 1 : whole);                                                 \
        for (int64_t j = 0; j < g->members; j++) {                                                            \
            t->value[NORMAL][of_group(g, group, j)] = g->evaluates ? root : (row[j] - *mean) * root;          \
        }                                                                                                     \
        *mean = scaled(*mean, e);                                                                             \
        *scale = e;                                                                                           \
        return root;                                                                                          \
    }                                                                                                         \
                                                                                                              \
    static void name##_apply(const struct grouping *g, struct name *t, int64_t group)                         \
    {                                                                                                         \
        for (int64_t j = 0; j < g->members; j++) {                                                            \
            int64_t i = of_group(g, group, j), c = i / g->inner % g->channels;                                \
            real gain = t->value[WEIGHT] ? t->value[WEIGHT][c] : 1, y = name##_times(g, t, i, gain, 0);       \
            if (t->value[BIAS]) {                                                                             \
                real bias = t->value[BIAS][c]; /* may bring y back into range */                              \
                y = fabs(y) < greatest_of / 4 ? y + bias                                                      \
                                              : (name##_times(g, t, i, gain, -4) + bias / 16) * 16;           \
            }                                                                                                 \
            t->value[Y][i] = y;                                                                               \
        }                                                                                                     \
    }                                                                                                         \
                                                                                                              \
    /* Returns a·b·c as a fraction and an exponent, so that no part of it overflows or underflows. */       \
    static real name##_apart(real a, real b, real c, int *exponent)                                           \
    {                                                                                                         \
        int e[3] = {0, 0, 0};                                                                                 \
        double fraction = frexp((double)a, &e[0]) * frexp((double)b, &e[1]) * frexp((double)c, &e[2]);        \
        *exponent = e[0] + e[1] + e[2];                                                                       \
        return (real)fraction;                                                                                \
    }                                                                                                         \
                                                                                                              \
    /* Returns the sum of the n terms row[j]·2^row[n + j] as a fraction and an exponent; if terms are        \
     * infinite or NaN, the sum of those terms. */                                                            \
    static real name##_total(real *row, int64_t n, int *exponent)                                             \
    {                                                                                                         \
        real outside = 0;                                                                                     \
        int most = INT_MIN;                                                                                   \
        for (int64_t j = 0; j < n; j++) {                                                                     \
            outside += isfinite(row[j]) ? 0 : row[j];                                                         \
            most = row[j] != 0 && row[n + j] > (real)most ? (int)row[n + j] : most;                           \
        }                                                                                                     \
        *exponent = outside != 0 || most == INT_MIN ? 0 : most;                                               \
        for (int64_t j = 0; outside == 0 && j < n; j++) {                                                     \
            row[j] = row[j] != 0 ? scaled(row[j], (int)row[n + j] - most) : 0;                                \
        }                                                                                                     \
        return outside != 0 ? outside : name##_sum(row, n);                                                   \
    }                                                                                                         \
                                                                                                              \
    static real name##_gain(const struct grouping *g, const struct name *t, int64_t i)                        \
    {                                                                                                         \
        return t->value[WEIGHT] ? t->value[WEIGHT][i / g->inner % g->channels] : 1;                           \
    }                                                                                                         \
                                                                                                              \
    /* dx of one group, with separate exponents; root and NORMAL are those of x·2^-e. */                     \
    static void name##_far_input(const struct grouping *g, struct name *t, int64_t group, real root, int e)   \
    {                                                                                                         \
        real *row = t->value[ROW], mean[2] = {0, 0}, n = (real)g->members;                                    \
        int of[2] = {0, 0}, own[2];                                                                           \
        for (int k = !g->centred; k < 2; k++) {                                                               \
            for (int64_t j = 0; j < g->members; j++) {                                                        \
                int64_t i = of_group(g, group, j);                                                            \
                row[j] =                                                                                      \
                    name##_apart(t->value[GRAD][i], name##_gain(g, t, i), k ? t->value[NORMAL][i] : 1, own);  \
                row[g->members + j] = (real)own[0];                                                           \
            }                                                                                                 \
            mean[k] = name##_total(row, g->members, &of[k]) / n;                                              \
        }                                                                                                     \
        for (int64_t j = 0; j < g->members; j++) {                                                            \
            int64_t i = of_group(g, group, j);                                                                \
            real w = name##_apart(t->value[GRAD][i], name##_gain(g, t, i), 1, &own[0]),                       \
                 share = name##_apart(t->value[NORMAL][i], mean[1], 1, &own[1]);                              \
            own[1] += of[1];                                                                                  \
            int most = w != 0 ? own[0] : own[1];                                                              \
            most = share != 0 && own[1] > most ? own[1] : most;                                               \
            most = mean[0] != 0 && of[0] > most ? of[0] : most;                                               \
            real rest =                                                                                       \
                scaled(w, own[0] - most) - scaled(mean[0], of[0] - most) - scaled(share, own[1] - most);      \
            t->value[Y][i] = scaled(rest * root, most - e);                                                   \
        }                                                                                                     \
    }                                                                                                         \
                                                                                                              \
    /* dx of one group; root and NORMAL are those of x·2^-e. */                                              \
    static void name##_input(const struct grouping *g, struct name *t, int64_t group, real root, int e)       \
    {                                                                                                         \
        real *row = t->value[ROW], mean[2] = {0, 0}, most = scaled(1, down * 4 / 5), n = (real)g->members;    \
        for (int64_t j = 0; j < g->members; j++) {                                                            \
            int64_t i = of_group(g, group, j);                                                                \
            real w = name##_product(t->value[GRAD][i], name##_gain(g, t, i), g->evaluates ? root : 1, 0);     \
            t->value[Y][i] = w;                                                                               \
            row[j] = w;                                                                                       \
            row[g->members + j] = w * t->value[NORMAL][i];                                                    \
        }                                                                                                     \
        if (g->evaluates) {                                                                                   \
            return;                                                                                           \
        }                                                                                                     \
        mean[0] = g->centred ? name##_sum(row, g->members) / n : 0;                                           \
        mean[1] = name##_sum(row + g->members, g->members) / n;                                               \
        if (!(fabs(mean[0]) < most && fabs(mean[1]) < most)) {                                                \
            name##_far_input(g, t, group, root, e);                                                           \
            return;                                                                                           \
        }                                                                                                     \
        for (int64_t j = 0; j < g->members; j++) {                                                            \
            int64_t i = of_group(g, group, j);                                                                \
            real rest = t->value[Y][i] - mean[0] - t->value[NORMAL][i] * mean[1];                             \
            t->value[Y][i] = name##_product(rest, root, scaled(1, -e), 0);                                    \
        }                                                                                                     \
    }                                                                                                         \
    /* Σ dy or Σ dy·X of a channel. If it overflows, it is computed again with separate exponents, because \
     * only a part of the sum may be out of range. */                                                         \
    static real name##_parameter(const struct grouping *g, struct name *t, int64_t c, bool of_bias)           \
    {                                                                                                         \
        int64_t terms = g->batch * g->inner;                                                                  \
        real *row = t->value[ROW];                                                                            \
        for (int64_t j = 0; j < terms; j++) {                                                                 \
            int64_t i = of_channel(g, c, j);                                                                  \
            row[j] = of_bias ? t->value[GRAD][i] : name##_times(g, t, i, t->value[GRAD][i], 0);               \
        }                                                                                                     \
        real sum = name##_sum(row, terms);                                                                    \
        for (int64_t j = 0; !isfinite(sum) && j < terms; j++) {                                               \
            int64_t i = of_channel(g, c, j);                                                                  \
            int halved = 0, e;                                                                                \
            real deviation = of_bias || !g->evaluates ? 1 : name##_deviation(g, t, i, &halved);               \
            row[j] = name##_apart(t->value[GRAD][i], deviation, of_bias ? 1 : t->value[NORMAL][i], &e);       \
            row[terms + j] = (real)(e + halved);                                                              \
        }                                                                                                     \
        int most;                                                                                             \
        real again = isfinite(sum) ? 0 : name##_total(row, terms, &most);                                     \
        return isfinite(sum) ? sum : scaled(again, most);                                                     \
    }                                                                                                         \
                                                                                                              \
    static void name##_parameters(const struct grouping *g, struct name *t)                                   \
    {                                                                                                         \
        for (int64_t c = 0; c < g->channels; c++) {                                                           \
            for (int which = DWEIGHT; which <= DBIAS; which++) {                                              \
                if (t->value[which]) {                                                                        \
                    t->value[which][c] = name##_parameter(g, t, c, which == DBIAS);                           \
                }                                                                                             \
            }                                                                                                 \
        }                                                                                                     \
    }                                                                                                         \
                                                                                                              \
    /* kept·old + taken·now; computed again on scaled numbers if the products overflow with opposite signs. \
     */                                                                                                       \
    static real name##_running(real kept, real old, real taken, real now)                                     \
    {                                                                                                         \
        real sum = kept * old + taken * now;                                                                  \
        return !isnan(sum) ? sum : scaled(kept * scaled(old, -down) + taken * scaled(now, -down), down);      \
    }                                                                                                         \
                                                                                                              \
    static void name##_all(const struct grouping *g, struct name *t)                                          \
    {                                                                                                         \
        for (int64_t k = 0; k < g->groups; k++) {                                                             \
            int e;                                                                                            \
            real mean, variance, root = name##_group(g, t, k, &mean, &variance, &e);                          \
            if (g->gradient) {                                                                                \
                name##_input(g, t, k, root, e);                                                               \
                continue;                                                                                     \
            }                                                                                                 \
            name##_apply(g, t, k);                                                                            \
            for (int which = 0; g->updates && which < 2;                                                      \
                 which++) { /* samples of a channel are contiguous */                                         \
                int64_t samples = g->groups / g->channels, at = k % g->channels * samples + k / g->channels;  \
                real n = (real)g->members, unbiased = (real)g->momentum * (variance * (n / (n - 1)));         \
                t->value[TAKEN][which * g->groups + at] =                                                     \
                    which ? scaled(unbiased / (real)samples, 2 * e) : mean / (real)samples;                   \
            }                                                                                                 \
        }                                                                                                     \
        for (int64_t c = 0; g->updates && g->groups && c < g->channels; c++) {                                \
            int64_t samples = g->groups / g->channels;                                                        \
            real *taken = t->value[TAKEN] + c * samples, kept = (real)(1 - g->momentum);                      \
            real mean = name##_sum(taken, samples), part = name##_sum(taken + g->groups, samples);            \
            t->value[MEAN][c] = name##_running(kept, t->value[MEAN][c], (real)g->momentum, mean);             \
            t->value[VARIANCE][c] = name##_running(kept, t->value[VARIANCE][c], 1, part);                     \
        }                                                                                                     \
        if (g->gradient) {                                                                                    \
            name##_parameters(g, t);                                                                          \
        }                                                                                                     \
    }

DEFINE_NORMALIZATION(single, float, sqrtf, ilogbf, ldexpf, 0x1p40F, FLT_MAX, 120)
DEFINE_NORMALIZATION(twice, double, sqrt, ilogb, ldexp, 0x1p400, DBL_MAX, 1000)

/* Copies the operands, computes in float64 for float64 and else in float32, and stores the results. */
enum cpu_status cpu_normalize(const struct grouping *g, const struct cpu_view tensor[TENSORS],
                              struct error *reason)
{
    struct single narrow = {.value = {NULL}};
    struct twice wide = {.value = {NULL}};
    bool twice = tensor[X].dtype == DTYPE_FLOAT64, good = true;
    int64_t elements = shape_elements(&tensor[X].shape), terms = g->batch * g->inner;
    int64_t row = 2 * (g->members > terms ? g->members : terms);
    for (int k = 0; k < TENSORS; k++) {
        int64_t count = k == NORMAL  ? elements
                        : k == ROW   ? row
                        : k == TAKEN ? (g->updates ? 2 * g->groups : 0)
                                     : shape_elements(&tensor[k].shape);
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
    for (int k = g->updates ? MEAN : Y; good && k <= DBIAS; k++) { /* MEAN and VARIANCE come before Y */
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
