/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/ends.h"

#include <math.h>
#include <string.h>

/* So near a limit, or beyond it, an element is judged alone. */
static const double near_limit = 1 - 0x1p-6;

/* On numbers of the normal range wrong classes are tried until they are excluded. */
static bool takes_numbers(const struct evidence *evidence)
{
    return evidence->excluded[WRONG_NEGATED] && evidence->excluded[WRONG_DOUBLED] &&
           evidence->excluded[WRONG_ZEROS];
}

bool bounded_concerns(const struct traversal *t, const struct evidence *evidence)
{
    return limit_run_concerns(&t->query) && (takes_numbers(evidence) || !t->query.op->accept);
}

static void load_results(enum dtype dtype, int count, const unsigned char *got, ptrdiff_t stride, double *x)
{
    if (dtype == DTYPE_FLOAT32) {
        for (int i = 0; i < count; i++) {
            float value;
            memcpy(&value, got + i * stride, sizeof value);
            x[i] = (double)value;
        }
    } else {
        for (int i = 0; i < count; i++) {
            x[i] = dtype_load(dtype, got + i * stride);
        }
    }
}

/* RN(truth), and the error of what came. Not taken: what is no number; a truth so near the middle between two
 * numbers that its radius, or its second part, decides which is nearer; a radius that is not small beside the
 * unit in the last place, or where a limit is near (settle.h). */
static void find_errors(const struct truth_output *out, int64_t first, int count, struct bounded_run *run)
{
    double unit = 2 * dtype_unit_roundoff(out->dtype);
    bool narrow = out->dtype != DTYPE_FLOAT64;
    for (int i = 0; i < count; i++) {
        const struct value *value = &out->value[first + i];
        double hi = value->hi, lo = value->lo, radius = out->radius ? out->radius[first + i] : 0;
        double ulp = dtype_binade_below(hi) * unit,
               rounded = narrow ? dtype_round_normal(out->dtype, hi) : hi;
        double away = fabs(rounded - hi) + fabs(lo) + radius;
        run->truth[i] = hi;
        run->rounded[i] = rounded;
        run->error[i] = (run->got[i] - hi) - lo;
        run->taken[i] = run->limit.plain[i] && isfinite(run->got[i]) && radius <= 0x1p-12 * ulp &&
                        ((lo == 0 && radius == 0) || away < ulp / 2);
    }
}

/* |error| over B and Q. What lies near either, or beyond, is left where that may fail it or a radius may move
 * it. */
static void find_ratios(const struct truth_output *out, bool may_fail, int64_t first, int count,
                        struct bounded_run *run)
{
    const struct limit_run *limit = &run->limit;
    for (int i = 0; i < count; i++) {
        double size = fabs(run->error[i]), reach = limit->reach[i];
        bool open = out->radius && out->radius[first + i] != 0;
        double q = size == 0 ? 0 : reach > 0 ? size / reach : INFINITY;
        run->nu[i] = size == 0 ? 0 : size / limit->radius[i];
        run->decides[i] = limit->known[i] && limit->certain[i] <= limit->radius[i];
        run->q[i] = run->decides[i] ? q : 0;
        run->taken[i] = run->taken[i] && run->nu[i] < near_limit &&
                        !(limit->known[i] && (open || may_fail) && q >= near_limit);
    }
}

/* As `quality` of elements.c: over the limits of a good implementation, where those are others. */
static void find_quality(struct traversal *t, int64_t first, int count, struct bounded_run *run)
{
    run->graded = traversal_is_graded(t);
    if (!run->graded) {
        for (int i = 0; i < count; i++) {
            run->quality[i] = run->decides[i] ? run->q[i] : run->nu[i];
        }
        return;
    }
    const struct limit_run *good = &run->good;
    const struct bound_query query = traversal_graded(t);
    query.memo->truth = NULL; /* elements may have been certified since */
    limit_run_of(&query, first, count, &run->good);
    for (int i = 0; i < count; i++) {
        double size = fabs(run->error[i]), reach = good->reach[i];
        bool decides = good->known[i] && good->certain[i] <= good->radius[i];
        double nu = size / good->radius[i], q = reach > 0 ? size / reach : INFINITY;
        run->quality[i] = size == 0 ? 0 : decides ? q : nu;
        run->taken[i] = run->taken[i] && good->plain[i] && (decides || fabs(nu - 1) >= 0x1p-20);
    }
}

void bounded_find(struct traversal *t, const struct evidence *evidence, int64_t first, int count,
                  const unsigned char *got, ptrdiff_t stride, struct bounded_run *run)
{
    t->query.memo->truth = NULL; /* elements may have been certified since */
    limit_run_of(&t->query, first, count, &run->limit);
    load_results(t->view.dtype, count, got, stride, run->got);
    find_errors(t->output, first, count, run);
    find_ratios(t->output, evidence->may_fail, first, count, run);
    find_quality(t, first, count, run);
    if (!takes_numbers(evidence)) {
        memset(run->taken, BOUNDED_ALONE, (size_t)count);
    }
    if (run->limit.by_default) {
        ends_find(t, first, count, run);
    }
}

void bounded_remember(struct traversal *t, int64_t first, const struct bounded_run *run, int i)
{
    t->query.element = first + i;
    if (t->query.op->bounds) {
        op_remember_bound(&t->query, run->limit.compute[i]);
    }
    if (t->query.op->bounds && run->graded) {
        const struct bound_query graded = traversal_graded(t);
        op_remember_bound(&graded, run->good.compute[i]);
    }
}

/* As evidence_add, of elements whose wrong classes are excluded. */
static void add_evidence(struct evidence *e, const struct truth_output *out, int64_t first,
                         const struct bounded_run *run, int from, int to)
{
    const struct limit_run *limit = &run->limit;
    for (int i = from; i < to; i++) {
        bool narrow = run->decides[i] && e->may_fail && limit->reach[i] < limit->radius[i];
        evidence_resolve(e, run->truth[i], narrow ? limit->reach[i] : limit->radius[i]);
        if (!run->decides[i]) {
            continue;
        }
        if (run->q[i] > e->greatest_q || e->greatest_at < 0) {
            e->greatest_q = run->q[i];
            e->greatest_at = first + i;
        }
        if (limit->spread[i] > 0) {
            const struct envelope *envelope = &out->envelope[first + i];
            struct envelope_limit one = {.spread = limit->spread[i],
                                         .certain = limit->certain[i],
                                         .group = envelope->group,
                                         .group_spread = limit->group_u * envelope->group_spread};
            evidence_keep(e, run->truth[i], run->error[i], &one);
        }
    }
    e->elements += to - from;
}

/* As metrics_add and bias_allowance. */
static void add_metrics(struct metrics *m, const struct traversal *t, bool may_fail,
                        const struct bounded_run *run, int from, int to)
{
    enum dtype dtype = t->view.dtype;
    const struct limit_run *limit = &run->limit;
    double unit = 2 * dtype_unit_roundoff(dtype);
    bool open = t->profile.rounding[dtype] == ROUNDING_OPEN;
    for (int i = from; i < to; i++) {
        double truth = run->truth[i], ulp = dtype_binade_below(truth) * unit, error = run->error[i];
        double reach = limit->reach[i], off = fabs(error / ulp);
        bool narrow = may_fail && run->decides[i] && reach < limit->radius[i];
        double step = run->got[i] - run->rounded[i];
        m->lost = !quantile_add(&m->nu, run->nu[i], 1) ||
                  !quantile_add(&m->power, narrow ? reach : limit->radius[i], 1) || m->lost;
        m->max_nu = run->nu[i] > m->max_nu ? run->nu[i] : m->max_nu;
        m->max_quality = run->quality[i] > m->max_quality ? run->quality[i] : m->max_quality;
        m->exact += run->got[i] == run->rounded[i];
        m->over_0 += off != 0;
        m->over_1 += off > 1;
        m->faithful += off < 1;
        m->max_ulp = off > m->max_ulp ? off : m->max_ulp;
        m->sum_ulp += off;
        m->bucket[metrics_bucket(off)]++;
        m->sum_square_error += error * error;
        m->sum_square_truth += truth * truth;
        metrics_add_bias(m, truth, step - error, step, limit->compute[i] + (open ? ulp : 0), ulp);
    }
    m->elements += to - from;
    m->finite += to - from;
}

int bounded_take(struct judging *j, const struct traversal *t, struct evidence *evidence, int64_t first,
                 const struct bounded_run *run, int from, int to)
{
    for (int i = from, next; i < to; i = next) {
        for (next = i; next < to && run->taken[next] == BOUNDED_NUMBER; next++) {
        }
        add_evidence(evidence, t->output, first, run, i, next);
        add_metrics(&j->metrics, t, evidence->may_fail, run, i, next);
        for (; next < to && run->taken[next] != BOUNDED_NUMBER; next++) {
            ends_take(&j->metrics, evidence, t, run, next);
        }
    }
    j->scaled = true;
    int worst = from;
    for (int i = from + 1; i < to; i++) {
        worst = run->nu[i] > run->nu[worst] ? i : worst;
    }
    return worst;
}
