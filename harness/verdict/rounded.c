/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/rounded.h"

#include <math.h>
#include <string.h>

/* One run; of an element that is left the rest means nothing. */
struct run {
    double truth[ROUNDED_RUN], rounded[ROUNDED_RUN], got[ROUNDED_RUN];
    bool taken[ROUNDED_RUN];
};

/* What the taken elements add up to. */
struct totals {
    int64_t count, inexact;
    double ulp, greatest_ulp, square_error, square_truth, scale;
    double resolution;
};

bool rounded_concerns(const struct traversal *t, const struct evidence *evidence)
{
    const struct op *op = t->query.op;
    const struct profile *profile = &t->profile;
    const struct truth *truth = t->query.truth;
    return t->view.dtype == DTYPE_FLOAT32 && op->one_rounding && !op->accept && !op->escapes &&
           !op->other_sign && !op->resolving_power && !t->output->envelope && !t->output->radius &&
           !truth->flushed && profile->rounding[DTYPE_FLOAT32] == ROUNDING_RTE &&
           profile->rounding[profile->accumulate[DTYPE_FLOAT32]] == ROUNDING_RTE &&
           evidence->excluded[WRONG_NEGATED] && evidence->excluded[WRONG_DOUBLED] &&
           evidence->excluded[WRONG_ZEROS];
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* dtype_ulp of normal numbers of float32. */
static double ulp_of(double x)
{
    uint64_t bits = ((bits_of(x) & INT64_MAX) - 1) >> 52 << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power * 0x1p-23;
}

/* A number of one double, well inside float32's normal range; no power of two once rounded, where spacings
 * change, and no tie, of which both neighbours are equally far. */
static bool is_plain(const struct value *value, double rounded)
{
    double size = fabs(value->hi);
    return value->class == VALUE_FINITE && value->lo == 0 && value->exponent == 0 && !value->open &&
           !value->special_input && size > 0x1p-124 && size < 0x1p126 && bits_of(rounded) << 12 != 0 &&
           2 * fabs(rounded - value->hi) != ulp_of(rounded);
}

static void load(struct run *run, const struct value *value, int count, const unsigned char *got,
                 ptrdiff_t stride)
{
    for (int i = 0; i < count; i++) {
        float x;
        memcpy(&x, got + i * stride, sizeof x);
        run->truth[i] = value[i].hi;
        run->rounded[i] = (double)(float)value[i].hi;
        run->got[i] = (double)x;
        run->taken[i] = is_plain(&value[i], run->rounded[i]) && run->rounded[i] == run->got[i];
    }
}

/* The least δ that turns the rounded truth into its neighbour: half a spacing less what rounding took. */
static void add_up(const struct run *run, int count, struct totals *totals)
{
    for (int i = 0; i < count; i++) {
        if (!run->taken[i]) {
            continue;
        }
        double truth = run->truth[i], error = run->rounded[i] - truth, unit = ulp_of(truth);
        double ulp = fabs(error / unit);
        double resolved = (ulp_of(run->rounded[i]) / 2 - fabs(error)) / fabs(truth);
        totals->count++;
        totals->inexact += error != 0;
        totals->ulp += ulp;
        totals->greatest_ulp = ulp > totals->greatest_ulp ? ulp : totals->greatest_ulp;
        totals->square_error += error * error;
        totals->square_truth += truth * truth;
        totals->scale += fabs(truth) / unit;
        totals->resolution = resolved < totals->resolution ? resolved : totals->resolution;
    }
}

static void note(struct metrics *m, const struct totals *totals)
{
    m->lost =
        !quantile_add(&m->nu, 0, totals->count) || !quantile_add(&m->power, 0, totals->count) || m->lost;
    m->elements += totals->count;
    m->finite += totals->count;
    m->exact += totals->count;
    m->faithful += totals->count;
    m->over_0 += totals->inexact;
    m->bucket[metrics_bucket(0)] += totals->count - totals->inexact;
    m->bucket[metrics_bucket(0.5)] += totals->inexact;
    m->max_ulp = fmax(m->max_ulp, totals->greatest_ulp);
    m->sum_ulp += totals->ulp;
    m->sum_square_error += totals->square_error;
    m->sum_square_truth += totals->square_truth;
    m->biased += totals->count; /* with d = 0 and no bound */
    m->sum_scale += totals->scale;
}

int rounded_take(struct judging *j, struct traversal *t, struct evidence *evidence, int64_t first, int count,
                 const unsigned char *got, ptrdiff_t stride, int left[ROUNDED_RUN])
{
    struct run run;
    struct totals totals = {.resolution = INFINITY};
    int remaining = 0;
    load(&run, &t->output->value[first], count, got, stride);
    for (int i = 0; i < count; i++) {
        t->query.element = first + i;
        run.taken[i] = run.taken[i] && t->query.op->one_rounding(&t->query);
        left[remaining] = i;
        remaining += !run.taken[i];
    }
    add_up(&run, count, &totals);
    note(&j->metrics, &totals);
    j->scaled = true;
    evidence->elements += totals.count;
    evidence->limit_resolution = fmin(evidence->limit_resolution, totals.resolution);
    return remaining;
}
