/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/batch/bounded_loops.h"
#include "harness/judge/batch/ends.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>
#include <string.h>

/* True if numbers in the normal range may be taken: wrong classes are tried on them until they are excluded.
 */
static bool takes_numbers(const struct evidence *evidence)
{
    return evidence->excluded[WRONG_NEGATED] && evidence->excluded[WRONG_DOUBLED] &&
           evidence->excluded[WRONG_ZEROS];
}

int bounded_most(const struct traversal *t, const struct evidence *evidence)
{
    enum { FEW = 16 };
    bool numbers = takes_numbers(evidence), concerned = numbers || !t->query.op->accept,
         begins = !numbers && evidence->elements < BOUNDED_BATCH;
    return !concerned || !bound_batch_concerns(&t->query) ? 0 : begins ? FEW : BOUNDED_BATCH;
}

static void load_truths(const struct truth_output *out, int64_t first, int count, struct bounded_batch *run)
{
    static const double none[BOUNDED_BATCH];
    value_batch_at(out, first, count, &run->truth);
    run->radius = out->radius ? &out->radius[first] : none;
}

void bounded_load(struct traversal *t, int64_t first, int count, const unsigned char *got, ptrdiff_t stride,
                  struct bounded_batch *run)
{
    op_forget_bounds(&t->memo); /* elements may have been certified since */
    op_forget_bounds(&t->graded);
    run->count = count;
    run->most = 0;
    run->graded = traversal_is_graded(t);
    load_truths(t->output, first, count, run);
    bound_batch_of(&t->query, first, count, &run->truth, &run->limit);
    if (run->graded) {
        const struct bound_query query = traversal_graded(t);
        bound_batch_of(&query, first, count, &run->truth, &run->good);
    }
    numbers_of(t->view.dtype, count, got, stride, run->got);
}

/* As `quality` in elements.c: from the error bounds of a good implementation, if they differ. */
static void find_quality(int count, struct bounded_batch *run)
{
    if (run->graded) {
        bounded_loops_quality(count, run);
        return;
    }
    memcpy(run->quality, run->error_over_bound, (size_t)count * sizeof *run->error_over_bound);
    for (int i = 0; run->limit.enveloped && i < count; i++) {
        run->quality[i] = run->decides[i] ? run->q[i] : run->error_over_bound[i];
    }
}

MULTIVERSION static bool any_plain(const int64_t *plain, int count)
{
    int64_t any = 0;
    for (int i = 0; i < count; i++) {
        any |= plain[i];
    }
    return any != 0;
}

MULTIVERSION static bool all_plain(const int64_t *plain, int count)
{
    int64_t all = -1;
    for (int i = 0; i < count; i++) {
        all &= plain[i];
    }
    return all != 0;
}

/* Finds errors, and errors over bounds, of the plain elements; they are 0 if there is none. */
static void find_ratios(const struct bounded_format *format, int count, bool may_fail, bool any,
                        struct bounded_batch *run)
{
    if (any) {
        bounded_loops_errors(format, count, run);
        bounded_loops_ratios(count, may_fail, run);
        find_quality(count, run);
        return;
    }
    double *none[] = {run->error, run->error_over_bound, run->quality, run->least_bound};
    memset(run->plain, 0, (size_t)count * sizeof *run->plain);
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        memset(none[k], 0, (size_t)count * sizeof *none[k]);
    }
}

void bounded_rank(const struct traversal *t, struct bounded_batch *run)
{
    const struct bounded_format format = bounded_format_of(t->view.dtype);
    const int count = run->count;
    memcpy(run->truth_radius, run->radius, (size_t)count * sizeof *run->truth_radius);
    memset(run->plain, 0, sizeof run->plain);
    memset(run->q, 0, sizeof run->q);
    if (any_plain(run->limit.plain, count)) {
        bounded_loops_errors(&format, count, run);
        bounded_loops_ratios(count, false, run);
    }
}

void bounded_find(struct traversal *t, const struct evidence *evidence, int64_t first,
                  struct bounded_batch *run)
{
    const struct bounded_format format = bounded_format_of(t->view.dtype);
    const int count = run->count;
    memcpy(run->truth_radius, run->radius, (size_t)count * sizeof *run->truth_radius);
    find_ratios(&format, count, evidence->may_fail, any_plain(run->limit.plain, count), run);
    if (!takes_numbers(evidence)) {
        memset(run->plain, 0, (size_t)count * sizeof *run->plain);
    }
    run->uniform = false;
    run->numbers = all_plain(run->plain, count);
    for (int i = 0; i < count; i++) {
        run->taken[i] = run->plain[i] ? BOUNDED_NUMBER : BOUNDED_ALONE;
    }
    if (run->limit.by_default && !run->numbers) {
        ends_find(t, first, count, run);
    }
}

/* Adds the elements to greatest_q (the first of equals) and to T and G. */
static void add_envelope(struct evidence *e, const struct truth_output *out, int64_t first,
                         const struct bounded_batch *run, int from, int to)
{
    const struct bound_batch *limit = &run->limit;
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

static void add_resolution(struct evidence *e, const struct bounded_format *format, struct bounded_batch *run,
                           int from, int to)
{
    struct bounded_resolution found;
    bounded_loops_resolve(format, from, to, evidence_known(e), run, &found);
    e->limit_resolution = found.least < e->limit_resolution ? found.least : e->limit_resolution;
    for (int i = from; found.more && i < to; i++) {
        if (run->unresolved[i]) { /* seldom */
            evidence_resolve(e, run->truth.hi[i], run->least_bound[i]);
        }
    }
}

/* As evidence_add, for elements whose wrong classes are excluded. */
static void add_evidence(struct evidence *e, const struct truth_output *out, int64_t first,
                         struct bounded_batch *run, int from, int to)
{
    const struct bounded_format format = bounded_format_of(out->dtype);
    add_resolution(e, &format, run, from, to);
    if (run->limit.enveloped) {
        add_envelope(e, out, first, run, from, to);
    }
    e->elements += to - from;
}

/* Adds each element to its bucket: small errors as counted, others one by one. */
static void add_buckets(struct metrics *m, const struct bounded_counts *counts,
                        const struct bounded_batch *run, int from, int to)
{
    for (int k = 0; k < BOUNDED_NEAR; k++) {
        m->bucket[k] += counts->at_most[k] - (k > 0 ? counts->at_most[k - 1] : 0);
    }
    for (int i = from; counts->at_most[BOUNDED_NEAR - 1] < to - from && i < to; i++) {
        int bucket = metrics_bucket(run->error_ulp[i]);
        m->bucket[bucket] += bucket >= BOUNDED_NEAR;
    }
}

static void add_counts(struct metrics *m, const struct bounded_counts *counts, struct bounded_batch *run,
                       int from, int to)
{
    const int count = to - from;
    m->elements += count;
    m->finite += count;
    m->exact += counts->exact;
    m->over_0 += count - counts->at_most[0];
    m->over_1 += count - counts->at_most[2];
    m->faithful += counts->faithful;
    m->max_ulp = counts->most > m->max_ulp ? counts->most : m->max_ulp;
    add_buckets(m, counts, run, from, to);
    run->most = counts->most;
}

static void add_quantiles(struct metrics *m, const struct bounded_batch *run, int from, int to)
{
    m->lost = !quantile_add_all(&m->error_over_bound, &run->error_over_bound[from], to - from) ||
              !quantile_add_all(&m->power, &run->least_bound[from], to - from) || m->lost;
}

static bool is_open(const struct traversal *t)
{
    return t->profile.rounding[t->view.dtype] == ROUNDING_OPEN;
}

/* As metrics_add and bias_bound. */
static void add_metrics(struct metrics *m, const struct traversal *t, struct bounded_batch *run, int from,
                        int to)
{
    const struct bounded_format format = bounded_format_of(t->view.dtype);
    struct bounded_counts counts;
    bounded_loops_measures(&format, from, to, is_open(t), run);
    m->biased += bounded_loops_sums(from, to, run, metrics_part(m), &m->sum);
    bounded_loops_count(from, to, run, &counts);
    add_counts(m, &counts, run, from, to);
    add_quantiles(m, run, from, to);
}

/* The end of the elements from i on that are taken in the same way, usually `to`. */
static int end_of_batch(const struct bounded_batch *run, int i, int to)
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

/* Adds the greatest error over bound and the greatest quality of the taken elements. */
static void add_furthest(struct metrics *m, double error_over_bound, double quality,
                         struct bounded_batch *run)
{
    m->max_nu = error_over_bound > m->max_nu ? error_over_bound : m->max_nu;
    m->max_quality = quality > m->max_quality ? quality : m->max_quality;
    run->furthest = error_over_bound;
}

/* True if bounded_loops_whole may take the batch. */
static bool may_be_whole(const struct judging *j, const struct evidence *evidence,
                         const struct bounded_format *format, const struct bounded_batch *run)
{
    return takes_numbers(evidence) && format->narrow && run->count % METRICS_PARTS == 0 &&
           metrics_part(&j->metrics) == 0 && !run->limit.enveloped && !(run->graded && run->good.enveloped);
}

bool bounded_take_whole(struct judging *j, const struct traversal *t, struct evidence *evidence,
                        struct bounded_batch *run)
{
    const struct bounded_format format = bounded_format_of(t->view.dtype);
    const int count = run->count;
    struct metrics *m = &j->metrics;
    struct bounded_whole whole = {.sum = m->sum, .many = refine_bits_scale(j->bits)};
    if (!may_be_whole(j, evidence, &format, run) ||
        !bounded_loops_whole(&format, count, evidence_known(evidence), is_open(t), run, &whole)) {
        return false;
    }
    if (whole.more) {
        memcpy(run->least_bound, run->limit.radius, (size_t)count * sizeof *run->least_bound);
        add_resolution(evidence, &format, run, 0, count);
    }
    evidence->elements += count;
    m->sum = whole.sum;
    m->biased += whole.biased;
    add_counts(m, &whole.counts, run, 0, count);
    m->lost =
        !quantile_add_various(&m->error_over_bound, run->error_over_bound, count, whole.error_over_bound) ||
        !quantile_add_all(&m->power, run->limit.radius, count) || m->lost;
    add_furthest(m, whole.error_over_bound, whole.quality, run);
    j->scaled = true;
    j->fewer_bits = j->fewer_bits || whole.fewer;
    run->numbers = true;
    return true;
}

void bounded_take(struct judging *j, const struct traversal *t, struct evidence *evidence, int64_t first,
                  struct bounded_batch *run, int from, int to)
{
    for (int i = from, next; i < to; i = next) {
        bool numbers = run->taken[i] == BOUNDED_NUMBER;
        next = end_of_batch(run, i, to);
        if (numbers) {
            add_evidence(evidence, t->output, first, run, i, next);
            add_metrics(&j->metrics, t, run, i, next);
        } else {
            ends_take(&j->metrics, evidence, t, run, i, next);
        }
    }
    bool same = run->numbers && !run->graded && !run->limit.enveloped; /* quality is nu */
    double error_over_bound = bounded_loops_greatest(&run->error_over_bound[from], to - from),
           quality = same ? error_over_bound : bounded_loops_greatest(&run->quality[from], to - from);
    add_furthest(&j->metrics, error_over_bound, quality, run);
    j->scaled = true;
}

int bounded_furthest(const struct bounded_batch *run, int from, double least)
{
    int worst = from;
    while (run->furthest > least && run->error_over_bound[worst] != run->furthest) {
        worst++;
    }
    return run->furthest > least ? worst : -1;
}
