/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/bounded_loops.h"
#include "harness/verdict/ends.h"

#include <math.h>
#include <string.h>

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

static void load_truths(const struct truth_output *out, int64_t first, int count, struct bounded_run *run)
{
    value_run_of(&out->value[first], count, &run->truth);
    if (out->radius) {
        memcpy(run->wide, &out->radius[first], (size_t)count * sizeof *run->wide);
    } else {
        memset(run->wide, 0, (size_t)count * sizeof *run->wide);
    }
}

/* As `quality` of elements.c: over the limits of a good implementation, where those are others. */
static void find_quality(struct traversal *t, int64_t first, int count, struct bounded_run *run)
{
    run->graded = traversal_is_graded(t);
    if (run->graded) {
        const struct bound_query query = traversal_graded(t);
        limit_run_of(&query, first, count, &run->truth, &run->good);
        bounded_loops_quality(count, run);
        return;
    }
    memcpy(run->quality, run->nu, (size_t)count * sizeof *run->nu);
    for (int i = 0; run->limit.enveloped && i < count; i++) {
        run->quality[i] = run->decides[i] ? run->q[i] : run->nu[i];
    }
}

void bounded_find(struct traversal *t, const struct evidence *evidence, int64_t first, int count,
                  const unsigned char *got, ptrdiff_t stride, struct bounded_run *run)
{
    op_forget_bounds(&t->memo); /* elements may have been certified since */
    op_forget_bounds(&t->graded);
    load_truths(t->output, first, count, run);
    limit_run_of(&t->query, first, count, &run->truth, &run->limit);
    numbers_of(t->view.dtype, count, got, stride, run->got);
    const struct bounded_format format = bounded_format_of(t->view.dtype);
    bounded_loops_errors(&format, count, run);
    bounded_loops_ratios(count, evidence->may_fail, run);
    find_quality(t, first, count, run);
    if (!takes_numbers(evidence)) {
        memset(run->plain, 0, (size_t)count * sizeof *run->plain);
    }
    int64_t all = -1;
    for (int i = 0; i < count; i++) {
        run->taken[i] = run->plain[i] ? BOUNDED_NUMBER : BOUNDED_ALONE;
        all &= run->plain[i];
    }
    run->uniform = false;
    if (run->limit.by_default && !all) {
        ends_find(t, first, count, run);
    }
}

/* The greatest of a run so far, the first of equals; T and G. */
static void add_envelope(struct evidence *e, const struct truth_output *out, int64_t first,
                         const struct bounded_run *run, int from, int to)
{
    const struct limit_run *limit = &run->limit;
    for (int i = from; i < to; i++) {
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
            evidence_keep(e, run->truth.hi[i], run->error[i], &one);
        }
    }
}

/* As evidence_add, of elements whose wrong classes are excluded. */
static void add_evidence(struct evidence *e, const struct truth_output *out, int64_t first,
                         struct bounded_run *run, int from, int to)
{
    const struct bounded_format format = bounded_format_of(out->dtype);
    double step = bounded_loops_resolve(&format, from, to, run);
    e->limit_resolution = step < e->limit_resolution ? step : e->limit_resolution;
    for (int i = from; i < to; i++) {
        if (run->unresolved[i]) { /* seldom */
            evidence_resolve(e, run->truth.hi[i], run->held[i]);
        }
    }
    if (run->limit.enveloped) {
        add_envelope(e, out, first, run, from, to);
    }
    e->elements += to - from;
}

static void add_counts(struct metrics *m, const struct bounded_run *run, int from, int to)
{
    struct bounded_counts counts;
    bounded_loops_count(from, to, run, &counts);
    m->elements += to - from;
    m->finite += to - from;
    m->exact += counts.exact;
    m->over_0 += counts.wrong;
    m->over_1 += counts.far;
    m->faithful += counts.faithful;
    double nu = bounded_loops_greatest(&run->nu[from], to - from),
           quality = bounded_loops_greatest(&run->quality[from], to - from),
           off = bounded_loops_greatest(&run->off[from], to - from);
    m->max_nu = nu > m->max_nu ? nu : m->max_nu;
    m->max_quality = quality > m->max_quality ? quality : m->max_quality;
    m->max_ulp = off > m->max_ulp ? off : m->max_ulp;
    for (int i = from; i < to; i++) {
        m->bucket[metrics_bucket(run->off[i])]++;
    }
}

/* One element after the other, as each alone would be added. */
static void add_sums(struct metrics *m, const struct bounded_run *run, int from, int to)
{
    double ulp = m->sum_ulp, error = m->sum_square_error, truth = m->sum_square_truth;
    double d = m->sum_d, square = m->sum_square_d, bound = m->sum_bound, scale = m->sum_scale;
    for (int i = from; i < to; i++) {
        ulp += run->off[i];
        error += run->error[i] * run->error[i];
        truth += run->truth.hi[i] * run->truth.hi[i];
        if (!run->tie[i]) {
            d += run->lean[i];
            square += run->lean[i] * run->lean[i];
            bound += run->slack[i];
            scale += run->size[i];
            m->biased++;
        }
    }
    m->sum_ulp = ulp;
    m->sum_square_error = error;
    m->sum_square_truth = truth;
    m->sum_d = d;
    m->sum_square_d = square;
    m->sum_bound = bound;
    m->sum_scale = scale;
}

/* As metrics_add and bias_allowance. */
static void add_metrics(struct metrics *m, const struct traversal *t, struct bounded_run *run, int from,
                        int to)
{
    const struct bounded_format format = bounded_format_of(t->view.dtype);
    bounded_loops_measures(&format, from, to, t->profile.rounding[t->view.dtype] == ROUNDING_OPEN, run);
    add_counts(m, run, from, to);
    m->lost = !quantile_add_all(&m->nu, &run->nu[from], to - from) ||
              !quantile_add_all(&m->power, &run->held[from], to - from) || m->lost;
    add_sums(m, run, from, to);
}

/* The end of the stretch from i on that is taken alike, as mostly all of it is. */
static int end_of_stretch(const struct bounded_run *run, int i, int to)
{
    const unsigned char *taken = run->taken;
    const bool numbers = taken[i] == BOUNDED_NUMBER;
    int next = i + 1;
    if (memcmp(&taken[i], &taken[next], (size_t)(to - next)) == 0) {
        return to;
    }
    while (next < to && (taken[next] == BOUNDED_NUMBER) == numbers) {
        next++;
    }
    return next;
}

void bounded_take(struct judging *j, const struct traversal *t, struct evidence *evidence, int64_t first,
                  struct bounded_run *run, int from, int to)
{
    for (int i = from, next; i < to; i = next) {
        bool numbers = run->taken[i] == BOUNDED_NUMBER;
        next = end_of_stretch(run, i, to);
        if (numbers) {
            add_evidence(evidence, t->output, first, run, i, next);
            add_metrics(&j->metrics, t, run, i, next);
        } else {
            ends_take(&j->metrics, evidence, t, run, i, next);
        }
    }
    j->scaled = true;
}

int bounded_furthest(const struct bounded_run *run, int from, int to, double least)
{
    double most = bounded_loops_greatest(&run->nu[from], to - from);
    int worst = from;
    while (most > least && run->nu[worst] != most) {
        worst++;
    }
    return most > least ? worst : -1;
}
