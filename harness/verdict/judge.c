/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/judge.h"
#include "harness/verdict/metrics.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_FAILURES = 3 };
static const double vacuous_rho = 0.1;

struct judging {
    const struct judge_request *request;
    struct ownership ownership;
    struct profile profile; /* as it holds for the step in hand */
    struct metrics metrics;
    struct explained worst;
    bool have_worst;
    bool failed;
    int taken; /* steps whose operands must be refused and were taken, which the profile leaves open */
    bool lost; /* one of them writes to its operands: what memory holds from there on is anything */
    int64_t range_findings;
    int shown;
    int bits;
    char reason[512];
    FILE *detail;
};

/* The first finding is the reason, the others follow in the detail. */
static void finding(struct judging *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void finding(struct judging *j, const char *format, ...)
{
    char text[sizeof j->reason];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (j->failed) {
        fprintf(j->detail, "%s\n", text);
    } else {
        memcpy(j->reason, text, sizeof text);
    }
    j->failed = true;
}

/* True when the case cannot be judged at all: unsupported, or an error of the backend. */
static bool unanswered(const struct judge_request *request, enum status *status, const char **why)
{
    for (int r = 0; r < request->runs; r++) {
        for (int s = 0; s < request->program->steps; s++) {
            const struct step_result *result = &request->run[r].result[s];
            *why = result->message;
            switch (result->status) {
            case STEP_OK:
            case STEP_REJECTED:
                break;
            case STEP_MISSHAPEN: /* judged; the steps behind it did not run */
                s = request->program->steps;
                break;
            case STEP_UNSUPPORTED:
            case STEP_OUT_OF_MEMORY:
                *status = STATUS_UNSUPPORTED;
                return true;
            case STEP_CRASHED:
                *status = STATUS_CRASH;
                return true;
            case STEP_ERROR:
            case STEP_NOT_RUN:
                *status = STATUS_ERROR;
                return true;
            }
        }
    }
    return false;
}

/* Operands that must be refused were taken in some run, and the profile leaves that open. */
static bool taken_openly(struct judging *j, int s)
{
    const struct step *step = &j->request->program->step[s];
    bool taken = false;
    for (int r = 0; r < j->request->runs; r++) {
        taken = taken || j->request->run[r].result[s].status == STEP_OK;
    }
    if (step->expect != EXPECT_REJECTION || !taken || j->request->profile->refusals != REFUSALS_OPEN) {
        return false;
    }
    j->taken++;
    j->lost = j->lost || step->op->mutates != 0;
    return true;
}

static bool rejections_agree(struct judging *j)
{
    bool agree = true;
    for (int s = 0; s < j->request->program->steps; s++) {
        const struct step *step = &j->request->program->step[s];
        const struct step_result *result = &j->request->run[0].result[s];
        if (result->status == STEP_MISSHAPEN) {
            finding(j, "step %d: %s: %s", s, step->op->name, result->message);
            return false;
        }
        if (taken_openly(j, s)) {
            continue;
        }
        if (step->expect == EXPECT_REJECTION && result->status != STEP_REJECTED) {
            finding(j, "step %d: %s accepted operands that it must reject", s, step->op->name);
            agree = false;
        }
        if (step->expect == EXPECT_VALUE && result->status == STEP_REJECTED) {
            finding(j, "step %d: %s rejected operands that it must accept: %s", s, step->op->name,
                    result->message);
            agree = false;
        }
    }
    return agree;
}

static void check_memory(struct judging *j)
{
    for (int r = 0; r < j->request->runs; r++) {
        struct clobber clobber;
        if (images_clobbered(j->request->run[r].images, j->request->program, &j->ownership, r, &clobber)) {
            finding(j, "memory was written that belongs to no result");
            explain_clobber(&clobber, j->request->program, j->detail);
            return;
        }
    }
}

static const unsigned char *element_at(const struct images *images, const struct view *view, int64_t element)
{
    size_t at = (size_t)view_element(view, element) * dtype_info(view->dtype)->size;
    return images->image[view->storage] + BACKEND_GUARD + at;
}

static void judge_element(struct judging *j, int step, int judged, int64_t i, const unsigned char *got)
{
    const struct judge_request *request = j->request;
    const struct step *s = &request->program->step[step];
    const struct truth *truth = request->truth->truth[step];
    const struct truth_output *output = &truth->output[judged];
    struct bound_query query = {.op = s->op,
                                .profile = &j->profile,
                                .attributes = &s->attributes,
                                .truth = truth,
                                .output = judged,
                                .element = i,
                                .exact = s->exact};
    struct explained e = {
        .program = request->program, .output = output, .step = step, .judged = judged, .element = i};
    op_accept(&query, &e.accept);
    e.verdict = accept_judge(&e.accept, got);
    e.got = got;
    if (!e.verdict.accepted && op_range_finding(&query)) {
        j->range_findings++;
        return;
    }
    int components = dtype_info(output->dtype)->components;
    struct measured measured = {.dtype = output->dtype,
                                .truth = &output->value[i * components],
                                .got = got,
                                .accepted = e.verdict.accepted,
                                .nu = e.verdict.nu,
                                .rho = op_resolving_power(&query, &e.accept),
                                .compute_error = -1};
    const struct accept_set *set = &e.accept.set[0];
    bool flushable = e.accept.sets > 1; /* a flushed operand may move the result by any number of ulps */
    if (set->component[0].finite && !set->unbounded_below && isfinite(set->radius) && !flushable) {
        measured.compute_error = s->op->bound ? s->op->bound(&query) : 0;
        if (dtype_is_floating(output->dtype) && j->profile.rounding[output->dtype] == ROUNDING_OPEN) {
            measured.compute_error += dtype_ulp(output->dtype, value_approximately(measured.truth));
        }
    }
    if (e.verdict.nu > 0) {
        struct accept strict;
        query.quality = true;
        op_accept(&query, &strict);
        measured.quality_nu = accept_judge(&strict, got).nu;
    }
    metrics_add(&j->metrics, &measured);
    if (e.verdict.nu > 0 && (!j->have_worst || e.verdict.nu > j->worst.verdict.nu)) {
        j->worst = e;
        j->have_worst = true;
    }
}

/* Every element that this step was the last to write, as run 0 left it. */
static void judge_step(struct judging *j, int step)
{
    const struct judge_request *request = j->request;
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = request->truth->truth[step] ? step_judged(&request->program->step[step], judged) : 0;
    j->profile = profile_of_operator(request->profile, request->program->step[step].op->name);
    for (int o = 0; o < count; o++) {
        int64_t elements = shape_elements(&judged[o].shape);
        size_t size = dtype_info(judged[o].dtype)->size;
        for (int64_t i = 0; i < elements; i++) {
            size_t at = (size_t)view_element(&judged[o], i) * size;
            if (j->ownership.owner[judged[o].storage][at] == ownership_mark(step, o)) {
                judge_element(j, step, o, i, element_at(request->run[0].images, &judged[o], i));
            }
        }
    }
    if (count && request->truth->truth[step]->bits < j->bits) {
        j->bits = request->truth->truth[step]->bits;
    }
}

/* Counts distinct outputs; a difference fails unless every operator of the case is declared nondeterministic.
 */
static int check_repeats(struct judging *j)
{
    const struct judge_request *request = j->request;
    bool declared = true;
    for (int s = 0; s < request->program->steps; s++) {
        declared =
            declared && profile_is_nondeterministic(request->profile, request->program->step[s].op->name);
    }
    int distinct = 1;
    for (int r = 1; r < request->runs; r++) {
        struct difference first = {.count = 0};
        bool seen = false;
        for (int q = 0; q < r && !seen; q++) {
            struct difference found;
            find_differences(request, &j->ownership, q, r, &found);
            first = q == 0 ? found : first;
            seen = found.count == 0;
        }
        distinct += !seen;
        if (!seen && !declared) {
            finding(
                j,
                "runs 0 and %d on the same inputs differ in %lld element(s), first in element %lld of result "
                "%d of step %d: %s and %s: the result depends on filler, earlier work or chance",
                r, (long long)first.count, (long long)first.element, first.judged, first.step, first.a,
                first.b);
        }
    }
    return distinct;
}

/* The same number. Under INVARIANCE_BOUND two finite values also agree: each has been held against the truth.
 */
static bool agree(const struct judging *j, enum dtype dtype, const unsigned char *a, const unsigned char *b)
{
    const struct dtype_info *info = dtype_info(dtype);
    size_t size = dtype_info(info->component)->size;
    for (int c = 0; c < info->components; c++, a += size, b += size) {
        double x = dtype_load(info->component, a), y = dtype_load(info->component, b);
        bool bound = j->request->profile->invariance == INVARIANCE_BOUND && dtype_is_floating(dtype) &&
                     isfinite(x) && isfinite(y);
        if (!bound && !same_number(info->component, a, b)) {
            return false;
        }
    }
    return true;
}

static void check_relations(struct judging *j)
{
    const struct images *images = j->request->run[0].images;
    for (int r = 0; r < j->request->program->relations; r++) {
        const struct relation *relation = &j->request->program->relation[r];
        int64_t elements = shape_elements(&relation->a.shape);
        for (int64_t i = 0; i < elements; i++) {
            const unsigned char *a = element_at(images, &relation->a, i),
                                *b = element_at(images, &relation->b, i);
            if (!agree(j, relation->a.dtype, a, b)) {
                char x[160], y[160];
                explain_bits(relation->a.dtype, a, x, sizeof x);
                explain_bits(relation->a.dtype, b, y, sizeof y);
                finding(j, "invariance broken (%s): element %lld is %s here and %s there", relation->text,
                        (long long)i, x, y);
                break;
            }
        }
    }
}

static void check_bias(struct judging *j)
{
    if (metrics_bias_fails(&j->metrics)) {
        finding(j, "bias %.4g ulp over %lld elements exceeds %.4g: the results lean one way",
                metrics_bias(&j->metrics), (long long)j->metrics.biased, metrics_bias_limit(&j->metrics));
    }
}

static void fill_record(struct judging *j, struct record *record)
{
    struct metrics *m = &j->metrics;
    double n = m->elements ? (double)m->elements : 1;
    record->truth_bits = j->bits == INT_MAX ? 0 : j->bits;
    record->elements = m->elements;
    record->max_ulp = m->max_ulp;
    record->mean_ulp = m->finite ? m->sum_ulp / (double)m->finite : 0;
    record->bias_ulp = m->biased >= BIAS_LEAST_ELEMENTS ? metrics_bias(m) : 0; /* a few elements show none */
    record->bias_resolution = metrics_bias_resolution(m);
    record->max_nu = m->max_nu;
    record->quality_nu = m->max_quality;
    record->p99_nu = metrics_percentile_nu(m, 0.99);
    record->median_rho = metrics_median_rho(m);
    record->nmse = m->sum_square_truth > 0   ? m->sum_square_error / m->sum_square_truth
                   : m->sum_square_error > 0 ? INFINITY
                                             : 0;
    record->bit_exact = m->elements ? (double)m->exact / n : 1;
    record->faithful = m->elements ? (double)m->faithful / n : 1;
    record->over_0 = m->over_0;
    record->over_1 = m->over_1;
    record->over_bound = m->over_bound;
    record->range_findings = j->range_findings;
}

/* What the profile leaves open and the backend made use of. */
static void describe_findings(struct judging *j)
{
    size_t used = 0;
    if (j->range_findings) {
        used =
            (size_t)snprintf(j->reason, sizeof j->reason,
                             "finding of class RANGE: in %lld element(s) an intermediate of the naive form "
                             "leaves the range, as the profile declares",
                             (long long)j->range_findings);
    }
    if (j->taken) {
        snprintf(j->reason + used, sizeof j->reason - used,
                 "%s%d step(s) took operands that PyTorch refuses, which the profile leaves open%s",
                 used ? "; " : "", j->taken, j->lost ? ": nothing further is judged" : "");
    }
}

static void conclude(struct judging *j, struct record *record)
{
    fill_record(j, record);
    if (j->failed) {
        record->status = STATUS_FAIL;
    } else if (j->taken || j->range_findings) {
        bool nothing = record->elements == 0; /* is left to be judged */
        record->status = nothing && j->taken                           ? STATUS_UNSUPPORTED
                         : nothing || record->median_rho > vacuous_rho ? STATUS_VACUOUS
                                                                       : STATUS_PASS;
        describe_findings(j);
    } else if (record->median_rho > vacuous_rho) {
        record->status = STATUS_VACUOUS;
        snprintf(j->reason, sizeof j->reason,
                 "the bound is too wide to be evidence: median bound/scale is %.3g, above %.1g",
                 record->median_rho, vacuous_rho);
    } else {
        record->status = STATUS_PASS;
    }
    if (j->reason[0]) {
        free(record->reason);
        record->reason = strdup(j->reason);
    }
}

static void judge_values(struct judging *j, struct record *record)
{
    for (int s = 0; s < j->request->program->steps; s++) {
        judge_step(j, s);
    }
    if (j->metrics.over_bound) {
        char count[64] = "";
        if (j->metrics.elements > 1) {
            snprintf(count, sizeof count, " (%lld of %lld elements fail)", (long long)j->metrics.over_bound,
                     (long long)j->metrics.elements);
        }
        finding(j, "%s%s", accept_rule_text(j->worst.verdict.rule), count);
    }
    if (j->metrics.over_bound) {
        explain_element(&j->worst, record, j->detail);
    }
    record->distinct = check_repeats(j);
    check_relations(j);
    check_bias(j);
    if (j->have_worst &&
        !j->failed) { /* the largest error of a passing case; in a failure it would mislead */
        explain_element(&j->worst, record, NULL);
    }
}

static int64_t judged_elements(const struct program *program)
{
    int64_t count = 0;
    for (int s = 0; s < program->steps; s++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int tensors = step_judged(&program->step[s], judged);
        for (int o = 0; o < tensors; o++) {
            count += shape_elements(&judged[o].shape);
        }
    }
    return count;
}

bool judge(const struct judge_request *request, struct record *record, struct error *error)
{
    struct judging j = {.request = request, .bits = INT_MAX};
    const char *why = "";
    record->worst.index = -1;
    record->distinct = 1;
    if (unanswered(request, &record->status, &why)) {
        record->reason = strdup(why);
        return true;
    }
    char *detail = NULL;
    size_t size = 0;
    j.detail = open_memstream(&detail, &size);
    bool good = j.detail && ownership_create(&j.ownership, request->program) &&
                metrics_create(&j.metrics, judged_elements(request->program));
    if (good) {
        bool agree = rejections_agree(&j);
        if (!j.lost) {
            check_memory(&j);
        }
        if (agree && !j.lost) {
            judge_values(&j, record);
        }
        conclude(&j, record);
    } else {
        error_set(error, "out of memory while judging");
    }
    if (j.detail) {
        fclose(j.detail);
    }
    if (good && j.failed) {
        free(record->detail);
        record->detail = detail;
    } else {
        free(detail);
    }
    ownership_destroy(&j.ownership);
    metrics_destroy(&j.metrics);
    return good;
}
