/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Judges programs with observed steps step by step: each step has metrics, a bias test and a worst element of
 * its own, so that the first wrong one can be named. */

#include "harness/judge/judging.h"
#include "reference/program/observed.h"

#include <math.h>

int judging_ran(const struct judge_request *request)
{
    const struct program *program = request->program;
    int ran = program->steps;
    for (int r = 0; r < request->runs && program_is_observed(program); r++) {
        for (int s = 0; s < ran; s++) {
            if (program->step[s].expect == EXPECT_VALUE && request->run[r].result[s].status != STEP_OK) {
                ran = s;
            }
        }
    }
    return ran;
}

/* What was judged before the current step. */
struct before {
    struct metrics metrics;
    int64_t beyond_envelope;
    struct explained worst;
    bool have_worst;
};

static void begin_step(struct judging *j, struct before *before)
{
    before->metrics = j->metrics;
    before->beyond_envelope = j->beyond_envelope;
    before->have_worst = j->have_worst;
    if (j->have_worst) {
        before->worst = j->worst;
    }
    j->metrics = (struct metrics){.elements = 0};
    j->beyond_envelope = 0;
    j->have_worst = false;
    j->envelope.failed_t = j->envelope.failed_g = 0;
}

/* Reports what fails the step and adds its metrics to those before. False if out of memory. */
static bool end_step(struct judging *j, int step, struct before *before)
{
    if (j->metrics.over_bound) {
        judging_report_elements(j, step);
    }
    judging_report_envelope(j, step, j->envelope.failed_t, j->envelope.failed_g, j->envelope.failed_groups);
    const bool good = judging_check_bias(j, step) && metrics_merge(&before->metrics, &j->metrics);
    if (judging_first_wrong(j) == step && j->have_worst) {
        j->first = j->worst;
        j->have_first = true;
    }
    if (before->have_worst &&
        (!j->have_worst || before->worst.verdict.error_over_bound >= j->worst.verdict.error_over_bound)) {
        j->worst = before->worst;
        j->have_worst = true;
    }
    before->metrics.cluster = fmax(before->metrics.cluster, j->metrics.cluster);
    metrics_destroy(&j->metrics);
    j->metrics = before->metrics;
    j->beyond_envelope += before->beyond_envelope;
    return good;
}

bool judging_elements_by_step(struct judging *j)
{
    const struct judge_request *request = j->request;
    struct traversal t = traversal_of(request->program, request->truth, request->profile, &j->ownership);
    struct before before;
    int step = -1;
    bool good = true;
    while (good && traversal_next_tensor(&t)) {
        if (t.step != step) {
            good = step < 0 || end_step(j, step, &before);
            begin_step(j, &before);
            step = t.step;
        }
        good = good && (step_is_verified(&t.program->step[t.step], t.judged) || judging_tensor(j, &t));
    }
    if (good && step >= 0) {
        good = end_step(j, step, &before);
    } else if (step >= 0) {
        metrics_destroy(&before.metrics);
    }
    if (j->have_first) {
        j->worst = j->first;
        j->have_worst = true;
    }
    return good;
}

void judging_describe_steps(struct judging *j, struct record *record)
{
    const struct judge_request *request = j->request;
    const int wrong = judging_first_wrong(j);
    if (j->have_first && j->first.step == wrong) {
        explain_element(&j->worst, record, j->detail); /* whose truth is certified */
    } else if (j->verified.refused_steps && j->verified.step == wrong) {
        verification_show(&j->verified, request->program, request->truth, request->run[0].images, record);
    }
}
