/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Findings: what fails a case, in words, and in programs with observed steps in the order of the steps. */

#include "harness/judge/judging.h"
#include "harness/judge/statistics/bias.h"
#include "reference/base/memory.h"
#include "reference/program/observed.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Keeps the rule of the first finding that is not the envelope's, or the envelope's if there is no other. */
static void keep_rule(struct judging *j, const char *rule)
{
    bool envelope = j->rule && strcmp(j->rule, RECORD_RULE_ENVELOPE) == 0;
    j->rule = !j->rule || envelope ? rule : j->rule;
}

/* Keeps a finding of a program with observed steps until all are known. */
static void keep_finding(struct judging *j, int step, const char *rule, const char *text)
{
    struct findings *all = &j->findings;
    struct finding *item = realloc(all->item, ((size_t)all->count + 1) * sizeof *item);
    if (!item) {
        memory_exit();
    }
    all->item = item;
    all->item[all->count++] = (struct finding){.step = step, .rule = rule, .text = memory_text(text)};
}

static void take_finding(struct judging *j, int step, const char *rule, const char *text)
{
    if (j->observed) {
        keep_finding(j, step, rule, text);
    } else {
        if (j->failed) {
            fprintf(j->detail, "%s\n", text);
        } else {
            snprintf(j->reason, sizeof j->reason, "%s", text);
        }
        keep_rule(j, rule);
    }
    j->failed = true;
}

void judging_finding(struct judging *j, const char *rule, const char *format, ...)
{
    char text[sizeof j->reason];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    take_finding(j, j->request->program->steps, rule, text);
}

void judging_step_finding(struct judging *j, int step, const char *rule, const char *format, ...)
{
    char text[sizeof j->reason];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    take_finding(j, step, rule, text);
}

/* Moves the first finding of the earliest step to the front, and returns it; NULL: there is none. */
static const struct finding *earliest(const struct findings *all)
{
    const struct finding *first = NULL;
    for (int k = 0; k < all->count; k++) {
        first = !first || all->item[k].step < first->step ? &all->item[k] : first;
    }
    return first;
}

/* Writes the findings behind the first into the detail, in the order of the steps. */
static void describe_others(struct judging *j, const struct finding *first)
{
    const struct program *program = j->request->program;
    for (int s = first->step; s <= program->steps; s++) {
        for (int k = 0; k < j->findings.count; k++) {
            const struct finding *item = &j->findings.item[k];
            char name[STEP_TEXT];
            if (item->step != s || item == first) {
                continue;
            }
            if (s < program->steps) {
                program_print_step(program, s, name);
                fprintf(j->detail, "%s%s: %s\n", s > first->step ? "also wrong: " : "", name, item->text);
            } else {
                fprintf(j->detail, "%s\n", item->text);
            }
        }
    }
}

int judging_first_wrong(const struct judging *j)
{
    const struct finding *first = earliest(&j->findings);
    return first && first->step < j->request->program->steps ? first->step : -1;
}

int judging_order_findings(struct judging *j)
{
    const struct program *program = j->request->program;
    const struct finding *first = earliest(&j->findings);
    char name[STEP_TEXT];
    if (!first) {
        return -1;
    }
    for (int k = 0; k < j->findings.count; k++) {
        if (j->findings.item[k].step == first->step) {
            keep_rule(j, j->findings.item[k].rule);
        }
    }
    if (first->step == program->steps) {
        snprintf(j->reason, sizeof j->reason, "%s", first->text);
    } else {
        program_print_step(program, first->step, name);
        snprintf(j->reason, sizeof j->reason, "%s: %s", name, first->text);
    }
    describe_others(j, first);
    return first->step < program->steps ? first->step : -1;
}

void judging_findings_clear(struct judging *j)
{
    for (int k = 0; k < j->findings.count; k++) {
        free(j->findings.item[k].text);
    }
    free(j->findings.item);
    j->findings = (struct findings){.count = 0};
}

/* --- what is found */

bool judging_check_bias(struct judging *j, int step)
{
    if (metrics_bias_fails(&j->metrics) && !bias_cluster(j, step, &j->metrics.cluster)) {
        return error_set(&j->error, "out of memory");
    }
    if (metrics_bias_fails(&j->metrics)) {
        judging_step_finding(
            j, step, "bias",
            "the bias of %.4g ulp over %lld elements exceeds the limit of %.4g ulp: the errors "
            "have one direction",
            metrics_bias(&j->metrics), (long long)j->metrics.biased, metrics_bias_limit(&j->metrics));
    }
    return true;
}

void judging_report_envelope(struct judging *j, int step, double t, double g, int64_t groups)
{
    if (t > EVIDENCE_T_LIMIT) {
        judging_step_finding(
            j, step, RECORD_RULE_ENVELOPE,
            "rule envelope: the root mean square of the errors (T = %.3g) is %.3g times the limit of %d for "
            "independent rounding (correct results stay below 2; false alarms below 1e-6 per case)",
            t, t / EVIDENCE_T_LIMIT, EVIDENCE_T_LIMIT);
    }
    if (g > EVIDENCE_G_LIMIT) {
        judging_step_finding(
            j, step, RECORD_RULE_ENVELOPE,
            "rule envelope: the scale error that the results have in common (G = %.3g over %lld groups) is "
            "%.3g times the limit of %d (correct results stay below 3.5; false alarms below 1e-8 per case)",
            g, (long long)groups, g / EVIDENCE_G_LIMIT, EVIDENCE_G_LIMIT);
    }
}

void judging_report_elements(struct judging *j, int step)
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
    judging_step_finding(j, step,
                         by_envelope ? RECORD_RULE_ENVELOPE
                                     : accept_rule_name(worst == RULE_ENVELOPE ? RULE_BOUND : worst),
                         "%s%s%s", accept_rule_text(worst), factor, count);
}
