/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/ends.h"
#include "harness/verdict/bounded_loops.h"

#include <math.h>

/* So many ulp from a truth of nothing but zero, at most: one bucket for all. */
#define ENDS_VANISHED 0x1p-20

/* What holds for the whole run. */
struct kind {
    enum dtype dtype;
    double most, least; /* the greatest number, the least subnormal one */
    double u, eta;
    bool special_values, flushes, open; /* open: rounding's direction is */
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
                         .special_values = profile->special_values[dtype],
                         .flushes = profile->subnormals[dtype] == SUBNORMALS_MAY_FLUSH,
                         .open = profile->rounding[dtype] == ROUNDING_OPEN};
}

/* NaN or an infinity came, and is right wherever within its radius the truth may lie. */
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

/* B, 0 where it is a resolving power and nothing but the special value is right. False where accept_default
 * has more to say. */
static bool find_special(const struct kind *kind, const struct value *value, int i, struct bounded_run *run)
{
    double size = fabs(value_approximately(value)), compute = run->limit.compute[i];
    bool number = value->class == VALUE_FINITE,
         open = (!number || value->special_input) && !kind->special_values;
    if (open || !isfinite(compute)) {
        run->limit.radius[i] = run->held[i] = INFINITY;
        return true;
    }
    run->limit.radius[i] = number ? compute + kind->u * fmin(size, kind->most) : 0;
    run->held[i] = size - run->limit.radius[i] > kind->most ? 0 : run->limit.radius[i];
    return number || compute == 0;
}

/* A zero came of a truth far below the least subnormal number. */
static bool find_vanished(const struct kind *kind, const struct value *value, double radius, int i,
                          struct bounded_run *run)
{
    double size = fabs(value->hi), compute = run->limit.compute[i];
    bool plain = value->class == VALUE_FINITE && value->exponent == 0 && value->lo == 0 && !value->open &&
                 !value->special_input && size > 0 && run->got[i] == 0;
    if (!plain || !(size + radius <= ENDS_VANISHED * kind->least) || !isfinite(compute)) {
        return false;
    }
    double limit = compute + kind->u * size + kind->eta;
    run->limit.radius[i] = run->held[i] = limit;
    run->error[i] = 0 - value->hi;
    run->nu[i] = kind->flushes ? 0 : size / limit;
    run->quality[i] = run->graded && run->nu[i] != 0
                          ? size / (run->good.compute[i] + kind->u * size + kind->eta)
                          : run->nu[i];
    return run->nu[i] < 0.5;
}

void ends_find(const struct traversal *t, int64_t first, int count, struct bounded_run *run)
{
    const struct truth_output *out = t->output;
    const struct kind kind = kind_of(t);
    const bool flushed = t->query.truth->flushed != NULL;
    for (int i = 0; i < count; i++) {
        const struct value *value = &out->value[first + i];
        double radius = out->radius ? out->radius[first + i] : 0;
        if (run->taken[i] || (flushed && !limit_flushes_alike(&t->query, first + i))) {
            continue;
        }
        if (!value->open && is_special(&kind, value, radius, run->got[i]) &&
            find_special(&kind, value, i, run)) {
            run->nu[i] = run->quality[i] = 0;
            run->taken[i] = BOUNDED_SPECIAL;
        } else if (find_vanished(&kind, value, radius, i, run)) {
            run->taken[i] = BOUNDED_VANISHED;
        } else {
            continue;
        }
        run->truth[i] = value->class == VALUE_FINITE ? value_approximately(value) : NAN;
    }
}

/* What vanished lies next to nothing from its truth, in ulp. */
static void add_vanished(struct metrics *m, const struct kind *kind, const struct bounded_run *run, int from,
                         int to)
{
    double ulp = m->sum_ulp, square = m->sum_square_error, truths = m->sum_square_truth, most = m->max_ulp;
    int64_t count = 0;
    for (int i = from; i < to; i++) {
        if (run->taken[i] != BOUNDED_VANISHED) {
            continue;
        }
        double truth = run->truth[i], error = run->error[i], off = fabs(error / kind->least);
        most = off > most ? off : most;
        ulp += off;
        square += error * error;
        truths += truth * truth;
        count++;
        if (!kind->flushes) {
            double compute = run->limit.compute[i] + (kind->open ? kind->least : 0);
            metrics_add_bias(m, truth, -error, 0, compute, kind->least);
        }
    }
    m->sum_ulp = ulp;
    m->sum_square_error = square;
    m->sum_square_truth = truths;
    m->max_ulp = most;
    m->finite += count;
    m->over_0 += count;
    m->bucket[metrics_bucket(ENDS_VANISHED)] += count;
}

void ends_take(struct metrics *m, struct evidence *evidence, const struct traversal *t,
               const struct bounded_run *run, int from, int to)
{
    const struct kind kind = kind_of(t);
    const double u = dtype_unit_roundoff(kind.dtype);
    int count = to - from;
    evidence->elements += count;
    m->elements += count;
    m->exact += count;
    m->faithful += count;
    m->lost = !quantile_add_all(&m->nu, &run->nu[from], count) ||
              !quantile_add_all(&m->power, &run->held[from], count) || m->lost;
    for (int i = from; i < to; i++) {
        double truth = run->truth[i], limit = run->limit.radius[i];
        bool again = i > from && truth == run->truth[i - 1] && limit == run->limit.radius[i - 1];
        if (isfinite(truth) && !again && !evidence_is_resolved(evidence, u, truth, limit)) {
            evidence_resolve(evidence, truth, limit);
        }
    }
    double nu = bounded_loops_greatest(&run->nu[from], count),
           quality = bounded_loops_greatest(&run->quality[from], count);
    m->max_nu = nu > m->max_nu ? nu : m->max_nu;
    m->max_quality = quality > m->max_quality ? quality : m->max_quality;
    add_vanished(m, &kind, run, from, to);
}
