/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/batch/ends.h"
#include "harness/judge/batch/bounded_loops.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>

/* The greatest truth that vanishes, in least subnormal numbers: all such errors fall into one bucket. */
#define ENDS_VANISHED 0x1p-20

/* What dtype and profile fix for all elements of a batch. */
struct kind {
    enum dtype dtype;
    double most, least; /* the greatest number, the least subnormal one */
    double u, eta;
    uint64_t far;                       /* value_batch_kind of a value beyond all numbers */
    bool special_values, flushes, open; /* open: the direction of rounding */
};

static struct kind kind_of(const struct traversal *t)
{
    enum dtype dtype = t->view.dtype;
    const struct profile *profile = &t->profile;
    return (struct kind){.dtype = dtype,
                         .most = dtype_max(dtype),
                         .least = dtype_least_subnormal(dtype),
                         .u = profile_unit_roundoff(profile, dtype),
                         .eta = profile_underflow_unit(profile, dtype),
                         .far = value_batch_far(),
                         .special_values = profile->special_values[dtype],
                         .flushes = profile->subnormals[dtype] == SUBNORMALS_MAY_FLUSH,
                         .open = profile->rounding[dtype] == ROUNDING_OPEN};
}

/* True if the result is NaN or an infinity, and right wherever within its radius the truth lies. */
static bool is_special(const struct kind *kind, const struct value *value, double radius, double got)
{
    switch ((enum value_class)value->class) {
    case VALUE_NAN:
        return isnan(got) && !value->payload;
    case VALUE_POSITIVE_INFINITY:
        return got == INFINITY;
    case VALUE_NEGATIVE_INFINITY:
        return got == -INFINITY;
    case VALUE_FINITE:
        break;
    }
    return value_is_beyond(value, radius, kind->dtype) && isinf(got) && signbit(got) == signbit(value->hi);
}

/* Sets B and the bound for the resolving power, which is 0 if only the special value is right. False if
 * accept_default decides by more than that. */
static bool find_special(const struct kind *kind, const struct value *value, int i, struct bounded_batch *run)
{
    double size = fabs(value_approximately(value)), compute = run->limit.compute[i];
    bool number = value->class == VALUE_FINITE,
         open = (!number || value->special_input) && !kind->special_values;
    if (open || !isfinite(compute)) {
        run->limit.radius[i] = run->least_bound[i] = INFINITY;
        return true;
    }
    run->limit.radius[i] = number ? compute + kind->u * fmin(size, kind->most) : 0;
    run->least_bound[i] = size - run->limit.radius[i] > kind->most ? 0 : run->limit.radius[i];
    return number || compute == 0;
}

/* True if the result is a zero and the truth lies far below the least subnormal number; sets the element's
 * columns. */
static bool find_vanished(const struct kind *kind, const struct value *value, double radius, int i,
                          struct bounded_batch *run)
{
    double size = fabs(value->hi), compute = run->limit.compute[i];
    bool plain = value->class == VALUE_FINITE && value->exponent == 0 && value->lo == 0 && !value->open &&
                 !value->special_input && size > 0 && run->got[i] == 0;
    if (!plain || !(size + radius <= ENDS_VANISHED * kind->least) || !isfinite(compute)) {
        return false;
    }
    double limit = compute + kind->u * size + kind->eta;
    run->limit.radius[i] = run->least_bound[i] = limit;
    run->error[i] = 0 - value->hi;
    run->error_over_bound[i] = kind->flushes ? 0 : size / limit;
    run->quality[i] = run->graded && run->error_over_bound[i] != 0
                          ? size / (run->good.compute[i] + kind->u * size + kind->eta)
                          : run->error_over_bound[i];
    return run->error_over_bound[i] < 0.5;
}

static void find_one(const struct kind *kind, const struct value *value, int i, struct bounded_batch *run)
{
    if (!value->open && is_special(kind, value, run->truth_radius[i], run->got[i]) &&
        find_special(kind, value, i, run)) {
        run->error_over_bound[i] = run->quality[i] = 0;
        run->taken[i] = BOUNDED_SPECIAL;
    } else if (find_vanished(kind, value, run->truth_radius[i], i, run)) {
        run->taken[i] = BOUNDED_VANISHED;
    } else {
        return;
    }
    run->truth.hi[i] = value->class == VALUE_FINITE ? value_approximately(value) : NAN;
}

/* As find_one, for values that have no exponent of their own or the greatest one. `found` is what they are
 * taken for, 0: nothing; it is −1 for all other values. Returns whether nothing was found for some of them.
 */
MULTIVERSION static bool find_beyond(const struct kind *kind, int count, struct bounded_batch *run,
                                     int64_t *restrict found)
{
    const double most = kind->most, u = kind->u;
    const uint64_t beyond = kind->far;
    int64_t left = 0;
    for (int i = 0; i < count; i++) {
        double hi = run->truth.hi[i], got = run->got[i], truth_radius = run->truth_radius[i],
               error_over_bound = run->error_over_bound[i];
        double quality = run->quality[i], B = run->limit.radius[i], limit = run->least_bound[i];
        int64_t far = mask_of(run->truth.kind[i] == beyond), simple = far | mask_of(run->truth.kind[i] == 0);
        double infinite = copysign(INFINITY, hi), size = far ? INFINITY : fabs(hi);
        double least =
            size - (truth_radius < INFINITY ? truth_radius : -INFINITY); /* least magnitude of the truth */
        int64_t special = simple & ~run->plain[i] & mask_of(least >= 2 * most) & mask_of(got == infinite);
        double radius = run->limit.compute[i] + u * (size < most ? size : most);
        double least_bound = size - radius > most ? 0 : radius;
        run->limit.radius[i] = special ? radius : B;
        run->least_bound[i] = special ? least_bound : limit;
        run->error_over_bound[i] = special ? 0 : error_over_bound;
        run->quality[i] = special ? 0 : quality;
        run->truth.hi[i] = special & far ? infinite : hi;
        found[i] = special ? BOUNDED_SPECIAL : ~simple;
        left |= simple & ~special & ~run->plain[i];
    }
    return left != 0;
}

static inline __attribute__((always_inline)) void find_below_of(const struct kind *kind, bool flushes,
                                                                int count, struct bounded_batch *run,
                                                                int64_t *restrict found)
{
    const double u = kind->u, eta = kind->eta;
    const double most = ENDS_VANISHED * kind->least;
    const double *well = run->graded ? run->good.compute : run->limit.compute;
    for (int i = 0; i < count; i++) {
        double hi = run->truth.hi[i], error = run->error[i], error_over_bound = run->error_over_bound[i],
               quality = run->quality[i];
        double B = run->limit.radius[i], least_bound = run->least_bound[i], size = fabs(hi),
               compute = run->limit.compute[i];
        double limit = compute + u * size + eta, ratio = flushes ? 0 : size / limit;
        double good = flushes ? 0 : ratio != 0 ? size / (well[i] + u * size + eta) : 0;
        bool vanished = (run->truth.kind[i] == 0) & (found[i] == 0) & (run->plain[i] == 0) &
                        (run->truth.lo[i] == 0) & (size > 0) & (run->got[i] == 0) &
                        (size + run->truth_radius[i] <= most) & (compute < INFINITY) & (ratio < 0.5);
        run->limit.radius[i] = vanished ? limit : B;
        run->least_bound[i] = vanished ? limit : least_bound;
        run->error_over_bound[i] = vanished ? ratio : error_over_bound;
        run->quality[i] = vanished ? good : quality;
        run->error[i] = vanished ? 0 - hi : error;
        found[i] = vanished ? BOUNDED_VANISHED : found[i];
    }
}

MULTIVERSION static void find_below(const struct kind *kind, int count, struct bounded_batch *run,
                                    int64_t *restrict found)
{
    if (kind->flushes) { /* no division */
        find_below_of(kind, true, count, run, found);
    } else {
        find_below_of(kind, false, count, run, found);
    }
}

static inline int64_t apart(const double *x, int i)
{
    int64_t bits, first;
    memcpy(&bits, &x[i], sizeof bits);
    memcpy(&first, &x[0], sizeof first);
    return bits ^ first;
}

/* True if all columns of the batch are constant, as far beyond an end of the range: only the first element is
 * then examined. */
MULTIVERSION static bool is_uniform(const struct bounded_batch *run, int count)
{
    const double *well = run->graded ? run->good.compute : run->limit.compute;
    int64_t other = 0;
    for (int i = 0; i < count; i++) {
        other |= apart(run->truth.hi, i) | apart(run->truth.lo, i) | apart(run->truth_radius, i) |
                 apart(run->got, i) | apart(run->limit.compute, i) | apart(well, i) | run->plain[i] |
                 (int64_t)(run->truth.kind[i] ^ run->truth.kind[0]);
    }
    return other == 0;
}

/* Copies element 0 to the whole batch. */
static void spread(struct bounded_batch *run, int count)
{
    double *column[] = {run->truth.hi, run->error,       run->error_over_bound,
                        run->quality,  run->least_bound, run->limit.radius};
    for (size_t c = 0; c < sizeof column / sizeof *column; c++) {
        for (int i = 1; i < count; i++) {
            column[c][i] = column[c][0];
        }
    }
    memset(run->taken, run->taken[0], (size_t)count * sizeof *run->taken);
    run->uniform = true;
}

static void find_each(const struct traversal *t, int64_t first, int count, bool flushed,
                      struct bounded_batch *run)
{
    const struct kind kind = kind_of(t);
    int64_t found[BOUNDED_BATCH];
    if (flushed) {
        for (int i = 0; i < count; i++) {
            found[i] = limit_flushes_alike(&t->query, first + i) ? -1 : 0;
        }
    } else if (find_beyond(&kind, count, run, found)) {
        find_below(&kind, count, run, found);
    }
    for (int i = 0; i < count; i++) {
        if (run->taken[i] || found[i] == 0) {
            continue;
        }
        if (found[i] > 0) {
            run->taken[i] = (unsigned char)found[i];
        } else {
            const struct value value = truth_output_value(t->output, first + i);
            find_one(&kind, &value, i, run);
        }
    }
}

void ends_find(const struct traversal *t, int64_t first, int count, struct bounded_batch *run)
{
    const bool flushed = op_may_flush(&t->query), uniform = !flushed && is_uniform(run, count);
    find_each(t, first, uniform ? 1 : count, flushed, run);
    if (uniform) {
        spread(run, count);
    }
}

/* Adds x `times` times, to the parts in turn from `first` on. Once an addition changes nothing, no later one
 * will. */
static void add_again(double sum[METRICS_PARTS], int first, double x, int64_t times)
{
    for (int k = 0; k < METRICS_PARTS; k++) {
        double *part = &sum[(first + k) % METRICS_PARTS], next;
        for (int64_t left = (times - k + METRICS_PARTS - 1) / METRICS_PARTS;
             left > 0 && (next = *part + x) != *part; left--) {
            *part = next;
        }
    }
}

/* Adds `times` vanished elements, all with the columns of element i. Their errors are a tiny part of an ulp.
 */
static void add_vanished(struct metrics *m, const struct kind *kind, const struct bounded_batch *run, int i,
                         int64_t times)
{
    double truth = run->truth.hi[i], error = run->error[i], error_ulp = fabs(error / kind->least);
    const int part = metrics_part(m);
    m->max_ulp = error_ulp > m->max_ulp ? error_ulp : m->max_ulp;
    add_again(m->sum.ulp, part, error_ulp, times);
    add_again(m->sum.square_error, part, error * error, times);
    add_again(m->sum.square_truth, part, truth * truth, times);
    m->finite += times;
    m->over_0 += times;
    m->bucket[metrics_bucket(ENDS_VANISHED)] += times;
    for (int64_t k = 0; !kind->flushes && k < times; k++) {
        double compute = run->limit.compute[i] + (kind->open ? kind->least : 0);
        metrics_add_bias(m, (int)((part + k) % METRICS_PARTS), truth, -error, 0, compute, kind->least);
    }
}

static void add_all_vanished(struct metrics *m, const struct kind *kind, const struct bounded_batch *run,
                             int from, int to)
{
    for (int i = from, next; i < to; i = next) {
        next = run->uniform ? to : i + 1;
        if (run->taken[i] == BOUNDED_VANISHED) {
            add_vanished(m, kind, run, i, next - i);
        }
    }
}

/* True if all elements with a finite truth are resolved, so that evidence_resolve has nothing to do. */
MULTIVERSION static bool all_resolved(const struct evidence *evidence, double u,
                                      const struct bounded_batch *run, int from, int to)
{
    int64_t open = 0;
    for (int i = from; i < to; i++) {
        double truth = run->truth.hi[i], limit = run->limit.radius[i];
        open += (fabs(truth) < INFINITY) & !evidence_is_resolved(evidence, u, truth, limit);
    }
    return open == 0;
}

void ends_take(struct metrics *m, struct evidence *evidence, const struct traversal *t,
               const struct bounded_batch *run, int from, int to)
{
    const struct kind kind = kind_of(t);
    const double u = dtype_unit_roundoff(kind.dtype);
    int count = to - from;
    evidence->elements += count;
    m->elements += count;
    m->exact += count;
    m->faithful += count;
    m->lost = !quantile_add_all(&m->error_over_bound, &run->error_over_bound[from], count) ||
              !quantile_add_all(&m->power, &run->least_bound[from], count) || m->lost;
    const int last = run->uniform ? from + 1 : to;
    bool resolved = all_resolved(evidence, u, run, from, last);
    for (int i = from; i < last && !resolved; i++) {
        double truth = run->truth.hi[i], limit = run->limit.radius[i];
        bool again = i > from && truth == run->truth.hi[i - 1] && limit == run->limit.radius[i - 1];
        if (isfinite(truth) && !again && !evidence_is_resolved(evidence, u, truth, limit)) {
            evidence_resolve(evidence, truth, limit);
        }
    }
    add_all_vanished(m, &kind, run, from, to);
}
