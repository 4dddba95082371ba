/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Row reductions and row maps (kernels/cpu/rows.h). */

#include "kernels/cpu/rows.h"

#include <math.h>

enum { RUN = 16 };

#define CPU_FLOAT(name)  name##f
#define CPU_DOUBLE(name) name

/* The pairwise sum of a term of x[k] and s over blocks of at most RUN elements. */
#define DEFINE_SUM(name, REAL, TERM)                                                                         \
    static REAL name##_##REAL(const REAL *x, int64_t n, REAL s)                                              \
    {                                                                                                        \
        REAL sum = 0;                                                                                        \
        (void)s;                                                                                             \
        if (n > RUN) {                                                                                       \
            int64_t half = (n / RUN + 1) / 2 * RUN;                                                          \
            return name##_##REAL(x, half, s) + name##_##REAL(x + half, n - half, s);                         \
        }                                                                                                    \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            sum += TERM;                                                                                     \
        }                                                                                                    \
        return sum;                                                                                          \
    }

/* The leading element of a row: the first of equal ones; a NaN leads numbers. NOTHING if the row is empty. */
#define DEFINE_CHOICE(name, REAL, COMES, NOTHING)                                                            \
    static REAL name##_##REAL(const REAL *x, int64_t n)                                                      \
    {                                                                                                        \
        REAL best = n > 0 ? x[0] : NOTHING;                                                                  \
        for (int64_t k = 1; k < n; k++) {                                                                    \
            best = best COMES x[k] || isnan(best) ? best : x[k];                                             \
        }                                                                                                    \
        return best;                                                                                         \
    }
#define DEFINE_PARTS(REAL, F)                                                                                \
    DEFINE_SUM(plain, REAL, x[k])                                                                            \
    DEFINE_SUM(numbers, REAL, isnan(x[k]) ? 0 : x[k])                                                        \
    DEFINE_SUM(powers, REAL, F(exp)(x[k] - s))                                                               \
    DEFINE_SUM(inverse, REAL, F(exp)(s - x[k]))                                                              \
    static REAL product_##REAL(const REAL *x, int64_t n)                                                     \
    {                                                                                                        \
        REAL product = 1;                                                                                    \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            product *= x[k];                                                                                 \
        }                                                                                                    \
        return product;                                                                                      \
    }                                                                                                        \
    DEFINE_CHOICE(greatest, REAL, >=, -(REAL)INFINITY)                                                       \
    DEFINE_CHOICE(least, REAL, <=, (REAL)INFINITY)                                                           \
    DEFINE_SUM(squares, REAL, (x[k] - s) * (x[k] - s))                                                       \
    static REAL variance_##REAL(const REAL *x, int64_t n, double correction)                                 \
    {                                                                                                        \
        REAL degrees = (REAL)((double)n > correction ? (double)n - correction : 0);                          \
        return squares_##REAL(x, n, plain_##REAL(x, n, 0) / (REAL)n) / degrees;                              \
    }                                                                                                        \
    static REAL deviation_##REAL(const REAL *x, int64_t n, double correction)                                \
    {                                                                                                        \
        return F(sqrt)(variance_##REAL(x, n, correction));                                                   \
    }                                                                                                        \
    static REAL whole_##REAL(const REAL *x, int64_t n)                                                       \
    {                                                                                                        \
        REAL most = greatest_##REAL(x, n), base = isinf(most) ? 0 : most;                                    \
        return base + F(log)(powers_##REAL(x, n, base));                                                     \
    }                                                                                                        \
    static void softmax_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                           \
    {                                                                                                        \
        (void)p;                                                                                             \
        REAL most = greatest_##REAL(x, n), sum = powers_##REAL(x, n, most);                                  \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = F(exp)(x[k] - most) / sum;                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void softmin_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                           \
    {                                                                                                        \
        (void)p;                                                                                             \
        REAL most = least_##REAL(x, n), sum = inverse_##REAL(x, n, most);                                    \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = F(exp)(most - x[k]) / sum;                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void log_softmax_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                       \
    {                                                                                                        \
        (void)p;                                                                                             \
        REAL most = greatest_##REAL(x, n), sum = F(log)(powers_##REAL(x, n, most));                          \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = x[k] - most - sum;                                                                        \
        }                                                                                                    \
    }                                                                                                        \
    static void softmax_backward_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)                  \
    {                                                                                                        \
        (void)p;                                                                                             \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = x[k] * x[n + k];                                                                          \
        }                                                                                                    \
        REAL sum = plain_##REAL(y, n, 0);                                                                    \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = x[n + k] * (x[k] - sum);                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    static void log_softmax_backward_##REAL(const REAL *x, REAL *y, int64_t n, const double *p)              \
    {                                                                                                        \
        (void)p;                                                                                             \
        REAL sum = plain_##REAL(x, n, 0);                                                                    \
        for (int64_t k = 0; k < n; k++) {                                                                    \
            y[k] = x[k] - F(exp)(x[n + k]) * sum;                                                            \
        }                                                                                                    \
    }
DEFINE_PARTS(float, CPU_FLOAT)
DEFINE_PARTS(double, CPU_DOUBLE)

#define FUNCTIONS(ROW, REAL)                                                                                 \
    ROW(amax, REAL, greatest_##REAL(x, n))                                                                   \
    ROW(amin, REAL, least_##REAL(x, n))                                                                      \
    ROW(sum, REAL, plain_##REAL(x, n, 0))                                                                    \
    ROW(nansum, REAL, numbers_##REAL(x, n, 0))                                                               \
    ROW(prod, REAL, product_##REAL(x, n))                                                                    \
    ROW(mean, REAL, plain_##REAL(x, n, 0) / (REAL)n)                                                         \
    ROW(var, REAL, variance_##REAL(x, n, p[0]))                                                              \
    ROW(std, REAL, deviation_##REAL(x, n, p[0]))                                                             \
    ROW(logsumexp, REAL, whole_##REAL(x, n))

#define DEFINE_ROW(name, REAL, term)                                                                         \
    static REAL name##_of_##REAL(const REAL *x, int64_t n, const double *p)                                  \
    {                                                                                                        \
        (void)n, (void)p;                                                                                    \
        return term;                                                                                         \
    }
FUNCTIONS(DEFINE_ROW, float)
FUNCTIONS(DEFINE_ROW, double)

static int64_t amax_of_integers(const int64_t *x, int64_t n)
{
    int64_t best = x[0];
    for (int64_t k = 1; k < n; k++) {
        best = x[k] > best ? x[k] : best;
    }
    return best;
}

static int64_t amin_of_integers(const int64_t *x, int64_t n)
{
    int64_t best = x[0];
    for (int64_t k = 1; k < n; k++) {
        best = x[k] < best ? x[k] : best;
    }
    return best;
}

static int64_t sum_of_integers(const int64_t *x, int64_t n)
{
    uint64_t sum = 0;
    for (int64_t k = 0; k < n; k++) {
        sum += (uint64_t)x[k];
    }
    return (int64_t)sum;
}

static int64_t prod_of_integers(const int64_t *x, int64_t n)
{
    uint64_t product = 1;
    for (int64_t k = 0; k < n; k++) {
        product *= (uint64_t)x[k];
    }
    return (int64_t)product;
}

static int64_t count_of_integers(const int64_t *x, int64_t n)
{
    int64_t count = 0;
    for (int64_t k = 0; k < n; k++) {
        count += x[k] != 0;
    }
    return count;
}

static int64_t any_of_integers(const int64_t *x, int64_t n)
{
    return count_of_integers(x, n) > 0;
}

static int64_t all_of_integers(const int64_t *x, int64_t n)
{
    return count_of_integers(x, n) == n;
}

#define ROW_OP(name_, run_, ...)                                                                             \
    {                                                                                                        \
        .name = #name_, .run = run_, .row = &(const struct cpu_row_function)                                 \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define REDUCES(name, ...)                                                                                   \
    ROW_OP(name, cpu_reduce_rows, .single = name##_of_float, .wide = name##_of_double, __VA_ARGS__)
#define MAPS(name) ROW_OP(name, cpu_map_rows, .single_map = name##_float, .wide_map = name##_double)

static const struct cpu_op ops[] = {
    REDUCES(amax, .integer = amax_of_integers, .needs_terms = true),
    REDUCES(amin, .integer = amin_of_integers, .needs_terms = true),
    REDUCES(sum, .integer = sum_of_integers),
    REDUCES(nansum, .integer = NULL),
    REDUCES(prod, .integer = prod_of_integers),
    REDUCES(mean, .integer = NULL),
    ROW_OP(any, cpu_reduce_rows, .counts = true, .integer = any_of_integers, .none = true),
    ROW_OP(all, cpu_reduce_rows, .counts = true, .integer = all_of_integers, .none = true),
    ROW_OP(count_nonzero, cpu_reduce_rows, .counts = true, .integer = count_of_integers),
    REDUCES(logsumexp, .integer = NULL),
    REDUCES(var, .integer = NULL),
    REDUCES(std, .integer = NULL),
    MAPS(softmax),
    MAPS(softmin),
    MAPS(log_softmax),
    MAPS(softmax_backward),
    MAPS(log_softmax_backward),
};

const struct cpu_op_set cpu_op_set_rows = {.op = ops, .count = sizeof ops / sizeof *ops};
