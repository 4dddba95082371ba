/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/near_midpoint.h"
#include "reference/numeric/elementary/elementary.h"

#include <math.h>

enum { FIRST_FACTORS = 128, SECOND_FACTORS = 64 };

/* The sums and products of a row from which its result follows. */
struct sums {
    double n, sum, squares, product, exponentials;
};

static double exponential(double x)
{
    double value, radius;
    elementary_exp(&x, &value, &radius, 1);
    return value;
}

static struct sums with(struct sums s, enum row_result kind, double x)
{
    s.sum += x;
    s.squares += x * x;
    s.product *= x;
    s.exponentials += kind == ROW_LOGSUMEXP ? exponential(x) : 0;
    return s;
}

static struct sums joined(const struct sums *a, const struct sums *b)
{
    return (struct sums){.n = a->n,
                         .sum = a->sum + b->sum,
                         .squares = a->squares + b->squares,
                         .product = a->product * b->product,
                         .exponentials = a->exponentials + b->exponentials};
}

static double result_of(const struct sums *s, enum row_result kind, double first)
{
    const double variance = (s->squares - s->sum * s->sum / s->n) / (s->n - 1);
    double value, radius;
    switch (kind) {
    case ROW_SUM:
        return s->sum;
    case ROW_MEAN:
        return s->sum / s->n;
    case ROW_PRODUCT:
        return s->product;
    case ROW_VARIANCE:
        return variance;
    case ROW_DEVIATION:
        return sqrt(variance);
    case ROW_NORM:
        return sqrt(s->squares);
    case ROW_RMS:
        return first / sqrt(s->squares / s->n);
    case ROW_LOGSUMEXP:
        elementary_log(&s->exponentials, &value, &radius, 1);
        return value;
    }
    return 0;
}

/* Returns the distance of a result from the nearest midpoint, in ulp of the dtype. */
static double distance(double result, enum dtype dtype)
{
    const double places = fabs(result) / dtype_ulp(dtype, result);
    return fabs(places - floor(places) - 0.5);
}

void near_midpoint(enum row_result kind, enum dtype dtype, double *row, int64_t n)
{
    const bool logarithm = kind == ROW_LOGSUMEXP; /* logarithms and exponentials cost more than all else */
    const double base = logarithm ? -2 : 1;
    const int pairs_of = logarithm ? FIRST_FACTORS / 8 : FIRST_FACTORS;
    struct sums rest = {.n = (double)n, .product = 1};
    struct sums second[SECOND_FACTORS]; /* sums of the last number alone */
    double nearest = INFINITY, last[2] = {base, base}, last_number[SECOND_FACTORS];
    for (int64_t k = 0; k < n - 2; k++) {
        row[k] = dtype_round_normal(dtype, row[k]);
        rest = with(rest, kind, row[k]);
    }
    if (dtype_info(dtype)->size > 2) { /* wider results show the order without this */
        return;
    }
    for (int j = 0; j < SECOND_FACTORS; j++) {
        last_number[j] = dtype_round_normal(dtype, base * (1 + (double)j / SECOND_FACTORS));
        second[j] = with((struct sums){.product = 1}, kind, last_number[j]);
    }
    for (int i = 0; i < pairs_of; i++) {
        const double a = dtype_round_normal(dtype, base * (1 + (double)i / pairs_of));
        const struct sums all_but_one = with(rest, kind, a);
        for (int j = 0; j < SECOND_FACTORS; j++) {
            const struct sums all = joined(&all_but_one, &second[j]);
            const double result = result_of(&all, kind, row[0]);
            if (result != 0 && distance(result, dtype) < nearest) {
                nearest = distance(result, dtype);
                last[0] = a;
                last[1] = last_number[j];
            }
        }
    }
    row[n - 2] = last[0];
    row[n - 1] = last[1];
}
