/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/batch/rounded.h"
#include "reference/operator/bound_batch.h"

#include <math.h>
#include <string.h>

/* Sums over the taken elements of a batch. */
struct totals {
    int64_t count, inexact, biased;
    double greatest_ulp, resolution;
    struct metrics_sums sum;
};

/* What dtype and profile fix for all elements of a batch. */
struct kind {
    enum dtype dtype;
    bool floating, rounds;   /* rounds: a truth between two numbers must be rounded to nearest */
    double least, most, ulp; /* twice the least normal number, a quarter of the greatest; the unit in the last
                                place of 1 */
};

/* True if the wrong classes that exact results exclude are excluded already, except those that rounded_take
 * excludes itself. */
static bool is_tried(const struct evidence *e)
{
    const bool *excluded = e->excluded;
    return excluded[WRONG_NEGATED] &&
           (e->dtype == DTYPE_BOOL || (excluded[WRONG_DOUBLED] && excluded[WRONG_ZEROS]));
}

bool rounded_concerns(struct traversal *t, const struct evidence *evidence, int64_t element)
{
    const struct op *op = t->query.op;
    t->query.element = element;
    return dtype_info(t->view.dtype)->components == 1 && op->one_rounding && !op->flipped_sign &&
           !op->resolving_power && is_tried(evidence) &&
           (t->output->radius ? op_is_rounded(&t->query) : op->one_rounding(&t->query));
}

static struct kind kind_of(const struct traversal *t)
{
    enum dtype dtype = t->view.dtype;
    const struct profile *profile = &t->profile;
    bool floating = dtype_is_floating(dtype);
    return (struct kind){.dtype = dtype,
                         .floating = floating,
                         .rounds = floating && (!t->query.op->accept || t->query.op->accepts_rounded) &&
                                   profile_rounds_to_nearest(profile, dtype),
                         .least = floating ? 2 * dtype_least_normal(dtype) : 1,
                         .most = floating ? dtype_max(dtype) / 4 : 0,
                         .ulp = floating ? 2 * dtype_unit_roundoff(dtype) : 0};
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* dtype_ulp of normal numbers; 1 of integers. */
static double ulp_of(const struct kind *kind, double x)
{
    return kind->floating ? dtype_binade_below(x) * kind->ulp : 1;
}

/* True if the truth is exactly a finite number, without a radius, and no operand is special. */
static bool is_number(const struct value *value)
{
    return value->class == VALUE_FINITE && value->exponent == 0 && value->exact && !value->open &&
           !value->special_input;
}

/* RN of a number well inside the normal range. */
static double nearest(const struct kind *kind, double x)
{
    return kind->dtype == DTYPE_FLOAT64   ? x
           : kind->dtype == DTYPE_FLOAT32 ? (double)(float)x
                                          : dtype_round_normal(kind->dtype, x);
}

/* True if the truth lies well inside the normal range, does not round to a power of two, where spacings
 * change, and is so far from a tie, of which both neighbours are equally far, that its low part does not
 * matter. */
static bool is_plain(const struct kind *kind, const struct value *value, double rounded)
{
    double size = fabs(value->hi), from_tie = 2 * fabs(rounded - value->hi) - ulp_of(kind, rounded);
    return size > 2 * kind->least && size < kind->most && bits_of(rounded) << 12 != 0 &&
           fabs(from_tie) > 2 * fabs(value->lo);
}

/* True if the truth is a number of the dtype, zero or normal, and came back to the bit, or if it rounds to
 * the result. */
static bool is_right(const struct kind *kind, const struct value *value, const unsigned char *got,
                     double *rounded)
{
    *rounded = value->hi;
    if (!kind->floating) {
        struct value x = value_of_integer(dtype_load_integer(kind->dtype, got));
        bool is_bool = kind->dtype != DTYPE_BOOL || *got <= 1;
        return is_bool && x.hi == value->hi && x.lo == value->lo;
    }
    double x = dtype_load(kind->dtype, got), size = fabs(value->hi);
    if (value->lo == 0 && bits_of(x) == bits_of(value->hi)) {
        return size == 0 || size >= kind->least;
    }
    *rounded = kind->rounds ? nearest(kind, value->hi) : NAN;
    return *rounded == x && is_plain(kind, value, *rounded);
}

/* True if the element has no part in T and G: where rounding once leaves one number, B is 0 and N, η at
 * least, is not. */
static bool is_undecided(const struct op *op, const struct truth_output *output, int64_t element)
{
    const struct envelope *e = output->envelope ? &output->envelope[element] : NULL;
    return !e || !isfinite(e->spread) || (!op->accept && e->sign_spread == 0);
}

/* Adds up the taken elements. Each resolves the least δ that turns the rounded truth into its neighbour: half
 * a spacing less the error of rounding. A truth of zero has none, and no part in the bias test. */
static void add_up(const struct rounded_batch *run, const struct kind *kind, int count, int part,
                   struct totals *totals)
{
    struct metrics_sums *sum = &totals->sum;
    for (int i = 0; i < count; i++) {
        double truth = run->truth[i];
        int own = (int)((part + totals->count) % METRICS_PARTS);
        totals->count += run->taken[i];
        if (!run->taken[i] || truth == 0) {
            continue;
        }
        double away = run->rounded[i] - truth, error = away - run->rest[i], unit = ulp_of(kind, truth);
        double resolved = (ulp_of(kind, run->rounded[i]) / 2 - fabs(away)) / fabs(truth);
        double ulp = fabs(error / unit);
        totals->biased++;
        totals->inexact += ulp != 0;
        sum->ulp[own] += ulp;
        totals->greatest_ulp = ulp > totals->greatest_ulp ? ulp : totals->greatest_ulp;
        sum->square_error[own] += error * error;
        sum->square_truth[own] += truth * truth;
        sum->scale[own] += fabs(truth) / unit;
        totals->resolution = resolved < totals->resolution ? resolved : totals->resolution;
    }
}

static void note(struct metrics *m, const struct totals *totals, bool floating, bool rounding_open)
{
    m->lost = !quantile_add(&m->error_over_bound, 0, totals->count) ||
              !quantile_add(&m->power, 0, totals->count) || m->lost;
    m->elements += totals->count;
    m->finite += totals->count;
    m->exact += totals->count;
    m->faithful += totals->count;
    m->over_0 += totals->inexact;
    m->bucket[metrics_bucket(0)] += totals->count - totals->inexact;
    m->bucket[metrics_bucket(0.5)] += totals->inexact;
    m->max_ulp = fmax(m->max_ulp, totals->greatest_ulp);
    for (int k = 0; k < METRICS_PARTS; k++) {
        m->sum.ulp[k] += totals->sum.ulp[k];
        m->sum.square_error[k] += totals->sum.square_error[k];
        m->sum.square_truth[k] += totals->sum.square_truth[k];
        m->sum.scale[k] += floating ? totals->sum.scale[k] : 0;
    }
    if (floating) { /* with d = 0 and no bound but that of open rounding */
        m->biased += totals->biased;
        m->sum.bound[0] += rounding_open ? (double)totals->biased : 0;
    }
}

void rounded_find(struct traversal *t, int64_t first, int count, const unsigned char *got, ptrdiff_t stride,
                  struct rounded_batch *run)
{
    const struct kind kind = kind_of(t);
    const struct op *op = t->query.op;
    const struct value *value = &t->output->value[first];
    const bool flushed = op_may_flush(&t->query);
    for (int i = 0; i < count; i++) {
        t->query.element = first + i;
        run->truth[i] = value[i].hi;
        run->rest[i] = kind.floating ? value[i].lo : 0;
        run->taken[i] = is_number(&value[i]) &&
                        is_right(&kind, &value[i], got + i * stride, &run->rounded[i]) &&
                        is_undecided(op, t->output, first + i) && op->one_rounding(&t->query) &&
                        (!flushed || limit_flushes_alike(&t->query, first + i)) &&
                        !(op->may_overflow && op->may_overflow(&t->query));
    }
}

void rounded_take(struct judging *j, const struct traversal *t, struct evidence *evidence,
                  const struct rounded_batch *run, int count)
{
    const struct kind kind = kind_of(t);
    struct totals totals = {.resolution = INFINITY};
    add_up(run, &kind, count, metrics_part(&j->metrics), &totals);
    note(&j->metrics, &totals, kind.floating, t->profile.rounding[kind.dtype] == ROUNDING_OPEN);
    j->scaled = j->scaled || totals.count > 0;
    if (kind.dtype == DTYPE_BOOL) { /* zeros are wrong where there are ones */
        evidence->excluded[WRONG_ZEROS] = evidence->excluded[WRONG_ZEROS] || totals.biased > 0;
    }
    evidence->elements += totals.count;
    evidence->limit_resolution = fmin(evidence->limit_resolution, totals.resolution);
}
