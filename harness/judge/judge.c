/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/judging.h"
#include "harness/judge/memory/shortage.h"
#include "harness/judge/statistics/bias.h"
#include "reference/base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void judging_finding(struct judging *j, const char *rule, const char *format, ...)
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
    bool envelope = j->rule && strcmp(j->rule, RECORD_RULE_ENVELOPE) == 0;
    j->rule = !j->rule || envelope ? rule : j->rule;
    j->failed = true;
}

/* True when the case cannot be judged at all: unsupported, or an error of the backend. *why is the caller's.
 */
static bool unanswered(const struct judge_request *request, enum status *status, char **why)
{
    for (int r = 0; r < request->runs; r++) {
        for (int s = 0; s < request->program->steps; s++) {
            const struct step_result *result = &request->run[r].result[s];
            switch (result->status) {
            case STEP_OK:
            case STEP_REJECTED:
                break;
            case STEP_MISSHAPEN: /* judged; the steps behind it did not run */
                s = request->program->steps;
                break;
            case STEP_OUT_OF_MEMORY:
                *status = shortage_status(request->program, request->memory_limit, result->message, why);
                return true;
            case STEP_UNSUPPORTED:
            case STEP_CRASHED:
            case STEP_ERROR:
            case STEP_NOT_RUN:
                *status = result->status == STEP_UNSUPPORTED ? STATUS_UNSUPPORTED
                          : result->status == STEP_CRASHED   ? STATUS_CRASH
                                                             : STATUS_ERROR;
                *why = memory_text(result->message);
                return true;
            }
        }
    }
    return false;
}

/* True if a step that must be rejected was accepted in some run and the profile leaves that open; such steps
 * are counted. */
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
    j->lost = j->lost || op_writes(step->op);
    return true;
}

static bool rejections_agree(struct judging *j)
{
    bool agree = true;
    for (int s = 0; s < j->request->program->steps; s++) {
        const struct step *step = &j->request->program->step[s];
        const struct step_result *result = &j->request->run[0].result[s];
        if (result->status == STEP_MISSHAPEN) {
            judging_finding(j, "shape", "step %d: %s: %s", s, step->op->name, result->message);
            return false;
        }
        if (taken_openly(j, s)) {
            continue;
        }
        if (step->expect == EXPECT_REJECTION && result->status != STEP_REJECTED) {
            judging_finding(j, "not refused", "step %d: %s accepted operands that it must reject", s,
                            step->op->name);
            agree = false;
        }
        if (step->expect == EXPECT_VALUE && result->status == STEP_REJECTED) {
            judging_finding(j, "refused", "step %d: %s rejected operands that it must accept: %s", s,
                            step->op->name, result->message);
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
            judging_finding(j, "stray write", "the backend wrote to memory that belongs to no result");
            explain_clobber(&clobber, j->request->program, j->request->run[r].images, j->detail);
            return;
        }
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
            char name[JUDGED_TEXT];
            step_print_judged(&request->program->step[first.step], first.judged, name);
            judging_finding(j, "not repeatable",
                            "runs 0 and %d on the same inputs differ in %lld element(s), first in element "
                            "%lld of %s of step %d: %s and %s. The result depends on uninitialized memory, "
                            "on earlier work or on chance",
                            r, (long long)first.count, (long long)first.element, name, first.step, first.a,
                            first.b);
        }
    }
    return distinct;
}

/* True if both are the same number. Unless bits are required, two finite values agree as well: each has been
 * compared with the truth. */
static bool agree(enum dtype dtype, bool to_the_bit, const unsigned char *a, const unsigned char *b)
{
    const struct dtype_info *info = dtype_info(dtype);
    size_t size = dtype_info(info->component)->size;
    for (int c = 0; c < info->components; c++, a += size, b += size) {
        double x = dtype_load(info->component, a), y = dtype_load(info->component, b);
        bool bound = !to_the_bit && dtype_is_floating(dtype) && isfinite(x) && isfinite(y);
        if (!bound && !same_number(info->component, a, b)) {
            return false;
        }
    }
    return true;
}

static void check_relations(struct judging *j)
{
    const struct images *images = j->request->run[0].images;
    const struct program *program = j->request->program;
    bool to_the_bit = true;
    for (int s = 0; s < program->steps; s++) {
        to_the_bit = to_the_bit && profile_is_invariant(j->request->profile, program->step[s].op->name);
    }
    for (int r = 0; r < program->relations; r++) {
        const struct relation *relation = &program->relation[r];
        int64_t elements = shape_elements(&relation->a.shape);
        for (int64_t i = 0; i < elements; i++) {
            const unsigned char *a = images_element(images, &relation->a, i),
                                *b = images_element(images, &relation->b, i);
            if (!agree(relation->a.dtype, to_the_bit, a, b)) {
                char x[160], y[160];
                explain_bits(relation->a.dtype, a, x, sizeof x);
                explain_bits(relation->a.dtype, b, y, sizeof y);
                judging_finding(j, "invariance",
                                "invariance violated (%s): element %lld is %s in one run and %s in the other",
                                relation->text, (long long)i, x, y);
                break;
            }
        }
    }
}

static bool check_bias(struct judging *j)
{
    if (metrics_bias_fails(&j->metrics) && !bias_cluster(j, &j->metrics.cluster)) {
        return error_set(&j->error, "out of memory");
    }
    if (metrics_bias_fails(&j->metrics)) {
        judging_finding(j, "bias",
                        "the bias of %.4g ulp over %lld elements exceeds the limit of %.4g ulp: the errors "
                        "have one direction",
                        metrics_bias(&j->metrics), (long long)j->metrics.biased,
                        metrics_bias_limit(&j->metrics));
    }
    return true;
}

/* Reports T and G of the worst tensor if they fail the case. Elements beyond Q have been refused already. */
static void report_envelope(struct judging *j)
{
    const struct envelope_result *e = &j->envelope;
    if (e->failed_t > EVIDENCE_T_LIMIT) {
        judging_finding(
            j, RECORD_RULE_ENVELOPE,
            "rule envelope: the root mean square of the errors (T = %.3g) is %.3g times the limit of %d for "
            "independent rounding (correct results stay below 2; false alarms below 1e-6 per case)",
            e->failed_t, e->failed_t / EVIDENCE_T_LIMIT, EVIDENCE_T_LIMIT);
    }
    if (e->failed_g > EVIDENCE_G_LIMIT) {
        judging_finding(
            j, RECORD_RULE_ENVELOPE,
            "rule envelope: the scale error that the results have in common (G = %.3g over %lld groups) is "
            "%.3g times the limit of %d (correct results stay below 3.5; false alarms below 1e-8 per case)",
            e->failed_g, (long long)e->groups, e->failed_g / EVIDENCE_G_LIMIT, EVIDENCE_G_LIMIT);
    }
}

/* Reports the worst of the refused elements and their number. */
static void report_elements(struct judging *j)
{
    char count[64] = "", factor[128] = "";
    if (j->metrics.elements > 1) {
        snprintf(count, sizeof count, " (%lld of %lld elements fail)", (long long)j->metrics.over_bound,
                 (long long)j->metrics.elements);
    }
    if (j->worst.verdict.rule == RULE_ENVELOPE && isinf(j->worst.verdict.error_over_bound)) {
        snprintf(factor, sizeof factor, ": no rounding turns the truth into this sign or special value");
    } else if (j->worst.verdict.rule == RULE_ENVELOPE) {
        snprintf(factor, sizeof factor, ", %.3g times it; false alarms below 1e-50 per element",
                 j->worst.verdict.error_over_bound);
    }
    bool by_envelope = j->metrics.over_bound == j->beyond_envelope; /* all of them, not the worst alone */
    enum accept_rule worst = j->worst.verdict.rule;
    judging_finding(
        j, by_envelope ? RECORD_RULE_ENVELOPE : accept_rule_name(worst == RULE_ENVELOPE ? RULE_BOUND : worst),
        "%s%s%s", accept_rule_text(worst), factor, count);
}

/* Reports what the operators' own `verify` refused. */
static void report_verification(struct judging *j, struct record *record, bool shown)
{
    const struct judge_request *request = j->request;
    const struct verification *found = &j->verified.worst;
    char count[64] = "";
    if (j->verified.elements > 1) {
        snprintf(count, sizeof count, " (%lld of %lld elements fail)", (long long)j->verified.refused,
                 (long long)j->verified.elements);
    }
    judging_finding(j, found->rule ? found->rule : VERIFICATION_RULE, "%s%s", found->sentence, count);
    if (!shown) {
        verification_show(&j->verified, request->program, request->truth, request->run[0].images, record);
    }
}

static bool judge_values(struct judging *j, struct record *record)
{
    const struct judge_request *request = j->request;
    if (!judging_elements(j) ||
        !verification_of_case(request->program, request->truth, request->profile, request->run[0].images,
                              &j->ownership, true, &j->verified)) {
        return false;
    }
    if (j->range_findings && !j->metrics.over_bound) {
        j->worst = j->finding; /* it is wrong, though excused; smaller errors would hide it */
        j->have_worst = true;
    }
    bool shown = j->metrics.over_bound || j->have_worst;
    if (shown && !judging_certify_worst(j)) {
        return false;
    }
    if (j->metrics.over_bound) {
        report_elements(j);
        explain_element(&j->worst, record, j->detail);
    }
    if (!j->verified.worst.accepted) {
        report_verification(j, record, j->metrics.over_bound > 0);
    }
    report_envelope(j);
    record->distinct = check_repeats(j);
    check_relations(j);
    if (!check_bias(j)) {
        return false;
    }
    if (j->have_worst &&
        !j->failed) { /* the largest error of a passing case; in a failure it would mislead */
        explain_element(&j->worst, record, NULL);
    }
    if (!j->failed && j->verified.any &&
        j->verified.error_over_bound > (j->have_worst ? j->worst.verdict.error_over_bound : 0)) {
        verification_show(&j->verified, request->program, request->truth, request->run[0].images, record);
    }
    return !j->by_input || by_input_keep(j->by_input, record);
}

bool judge(const struct judge_request *request, struct record *record, struct error *error)
{
    struct refine refine;
    struct judging j = judging_of(request, &refine);
    record->worst.index = -1;
    record->distinct = 1;
    if (unanswered(request, &record->status, &record->reason)) {
        return true;
    }
    char *detail = NULL;
    size_t size = 0;
    refine_open(&refine, request->program, request->truth);
    j.detail = open_memstream(&detail, &size);
    bool good = true;
    j.by_input = by_input_open(request->program, &good);
    good = good && j.detail && ownership_create(&j.ownership, request->program, &j.error);
    if (good) {
        bool agree = rejections_agree(&j);
        if (!j.lost) {
            check_memory(&j);
        }
        good = !agree || j.lost || judge_values(&j, record);
    }
    if (good) {
        judging_conclude(&j, record);
        good = !j.incomplete || error_set(error,
                                          "an element's acceptance set has more than %d alternatives "
                                          "(ACCEPT_SETS_MAX)",
                                          ACCEPT_SETS_MAX);
    } else {
        error_set(error, "%s", j.error.text);
    }
    memory_stream_text(j.detail, &detail);
    if (good && j.failed) {
        free(record->detail);
        record->detail = detail;
    } else {
        free(detail);
    }
    refine_close(&refine);
    ownership_destroy(&j.ownership);
    metrics_destroy(&j.metrics);
    by_input_close(&j.by_input);
    return good;
}
