/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/judging.h"
#include "harness/judge/memory/shortage.h"
#include "reference/base/memory.h"
#include "reference/program/observed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Reports what a step did with its operands: a sentence without its subject, or a message, or both. */
static void refuse_step(struct judging *j, int s, const char *rule, const char *did, const char *message)
{
    const char *name = j->request->program->step[s].op->name, *colon = *message ? ": " : "",
               *space = *did ? " " : "";
    if (j->observed) {
        judging_step_finding(j, s, rule, "%s%s%s%s", *did ? "it " : "", did, *did ? colon : "", message);
    } else {
        judging_finding(j, rule, "step %d: %s%s%s%s%s", s, name, space, did, colon, message);
    }
}

static bool rejections_agree(struct judging *j)
{
    bool agree = true;
    for (int s = 0; s < j->request->program->steps; s++) {
        const struct step *step = &j->request->program->step[s];
        const struct step_result *result = &j->request->run[0].result[s];
        if (result->status == STEP_MISSHAPEN) {
            refuse_step(j, s, "shape", "", result->message);
            return false;
        }
        if (taken_openly(j, s)) {
            continue;
        }
        if (step->expect == EXPECT_REJECTION && result->status != STEP_REJECTED) {
            refuse_step(j, s, "not refused", "accepted operands that it must reject", "");
            agree = false;
        }
        if (step->expect == EXPECT_VALUE && result->status == STEP_REJECTED) {
            refuse_step(j, s, "refused", "rejected operands that it must accept", result->message);
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

/* Returns whether every operator of the case is declared nondeterministic. */
static bool all_nondeterministic(const struct judge_request *request)
{
    bool declared = true;
    for (int s = 0; s < request->program->steps; s++) {
        declared =
            declared && profile_is_nondeterministic(request->profile, request->program->step[s].op->name);
    }
    return declared;
}

/* Counts distinct outputs; a difference fails unless every operator of the case is declared nondeterministic
 * or, in a program with observed steps, the operator of the step or of one before it from which it descends.
 */
static int check_repeats(struct judging *j)
{
    const struct judge_request *request = j->request;
    const bool declared = !j->observed && all_nondeterministic(request);
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
        if (!seen && !declared && (!j->observed || first.undeclared)) {
            char name[JUDGED_TEXT], step[STEP_TEXT];
            step_print_judged(&request->program->step[first.step], first.judged, name);
            snprintf(step, sizeof step, "step %d", first.step);
            if (j->observed) {
                program_print_step(request->program, first.step, step);
            }
            judging_step_finding(
                j, first.step, "not repeatable",
                "runs 0 and %d on the same inputs differ in %lld element(s), first in element "
                "%lld of %s of %s: %s and %s. The result depends on uninitialized memory, "
                "on earlier work or on chance",
                r, (long long)first.count, (long long)first.element, name, step, first.a, first.b);
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

/* The last step that writes to the storage of a view; program->steps: none. */
static int writer_of(const struct program *program, const struct view *view)
{
    int writer = program->steps;
    for (int s = 0; s < program->steps; s++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = step_judged(&program->step[s], judged);
        for (int o = 0; o < count; o++) {
            writer = judged[o].storage == view->storage ? s : writer;
        }
    }
    return writer;
}

static void check_relations(struct judging *j)
{
    const struct images *images = j->request->run[0].images;
    const struct program *program = j->request->program;
    bool to_the_bit = true;
    for (int s = 0; s < program->steps; s++) {
        to_the_bit = to_the_bit && profile_is_invariant(j->request->profile, program->step[s].op->name);
    }
    const int ran = judging_ran(j->request);
    for (int r = 0; r < program->relations && ran == program->steps; r++) {
        const struct relation *relation = &program->relation[r];
        int64_t elements = shape_elements(&relation->a.shape);
        for (int64_t i = 0; i < elements; i++) {
            const unsigned char *a = images_element(images, &relation->a, i),
                                *b = images_element(images, &relation->b, i);
            if (!agree(relation->a.dtype, to_the_bit, a, b)) {
                char x[160], y[160];
                explain_bits(relation->a.dtype, a, x, sizeof x);
                explain_bits(relation->a.dtype, b, y, sizeof y);
                judging_step_finding(
                    j, writer_of(program, &relation->a), "invariance",
                    "invariance violated (%s): element %lld is %s in one run and %s in the other",
                    relation->text, (long long)i, x, y);
                break;
            }
        }
    }
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
    judging_step_finding(j, j->verified.step, found->rule ? found->rule : VERIFICATION_RULE, "%s%s",
                         found->sentence, count);
    for (int k = 1; j->observed && k < j->verified.refused_steps; k++) {
        judging_step_finding(j, j->verified.refused_step[k], VERIFICATION_RULE,
                             "the operator's own rule refuses the result");
    }
    if (!shown) {
        verification_show(&j->verified, request->program, request->truth, request->run[0].images, record);
    }
}

static bool judge_values(struct judging *j, struct record *record)
{
    const struct judge_request *request = j->request;
    if (!(j->observed ? judging_elements_by_step(j) : judging_elements(j)) ||
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
    if (j->metrics.over_bound && !j->observed) {
        judging_report_elements(j, -1);
        explain_element(&j->worst, record, j->detail);
    }
    if (!j->verified.worst.accepted) {
        report_verification(j, record, j->metrics.over_bound > 0 || j->observed);
    }
    if (!j->observed) {
        judging_report_envelope(j, -1, j->envelope.failed_t, j->envelope.failed_g, j->envelope.groups);
    }
    record->distinct = check_repeats(j);
    check_relations(j);
    if (!j->observed && !judging_check_bias(j, -1)) {
        return false;
    }
    if (j->observed && j->failed) {
        judging_describe_steps(j, record);
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

/* Names the first wrong step in the record, once everything is judged. */
static void note_first_wrong(struct judging *j, struct record *record)
{
    const int wrong = judging_order_findings(j);
    free(record->wrong_step);
    record->wrong_step = NULL;
    if (wrong >= 0) {
        char name[STEP_TEXT];
        program_print_step(j->request->program, wrong, name);
        record->wrong_step = memory_text(name);
    }
}

/* Says of a case whose steps could not all be run what is known of it. */
static void conclude_partly(struct judging *j, int ran, enum status status, const char *why,
                            struct record *record)
{
    const int steps = j->request->program->steps;
    char name[STEP_TEXT], rest[64] = "";
    program_print_step(j->request->program, ran, name);
    if (ran + 1 < steps) {
        snprintf(rest, sizeof rest, "steps %d to %d are not judged", ran + 2, steps);
    }
    if (j->failed) {
        fprintf(j->detail, "%s: %s%s%s\n", name, why, *rest ? "; " : "", rest);
        judging_conclude(j, record);
        return;
    }
    record->status = status;
    record_reason(record, "%s: %s; steps 1 to %d are right%s%s", name, why, ran, *rest ? ", " : "", rest);
}

bool judge(const struct judge_request *request, struct record *record, struct error *error)
{
    struct refine refine;
    struct judging j = judging_of(request, &refine);
    const int ran = judging_ran(request);
    enum status stuck = STATUS_ERROR;
    char *why = NULL;
    record->worst.index = -1;
    record->distinct = 1;
    if (unanswered(request, &stuck, &why) && (!j.observed || ran == 0)) {
        record->status = stuck;
        free(record->reason);
        record->reason = why;
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
        if (!j.lost && !request->again) {
            check_memory(&j);
        }
        good = (!agree && !(j.observed && ran > 0)) || j.lost || judge_values(&j, record);
        if (j.observed) {
            note_first_wrong(&j, record);
        }
    }
    if (good && why) {
        conclude_partly(&j, ran, stuck, why, record);
    } else if (good) {
        judging_conclude(&j, record);
    }
    if (good) {
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
    free(why);
    refine_close(&refine);
    ownership_destroy(&j.ownership);
    metrics_destroy(&j.metrics);
    by_input_close(&j.by_input);
    judging_findings_clear(&j);
    return good;
}
