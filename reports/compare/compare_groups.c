/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare/compare_parts.h"
#include "reports/records/losses.h"
#include "reports/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct compare_kind compare_kinds[CHANGE_KINDS] = {
    [CHANGE_VERDICT_WORSE] = {"verdict_worse", "verdict worse"},
    [CHANGE_GONE] = {"gone", "gone: not in the new run (--subset allows this)"},
    [CHANGE_ERROR_WORSE] = {"error_worse", "larger error, still within its bound"},
    [CHANGE_CURVE_WORSE] = {"curve_worse", "costs more"},
    [CHANGE_SHARPER] = {"sharper", "judged more strictly by another reference, not worse"},
    [CHANGE_VERDICT_BETTER] = {"verdict_better", "verdict better"},
    [CHANGE_ERROR_BETTER] = {"error_better", "smaller error"},
    [CHANGE_CURVE_BETTER] = {"curve_better", "costs less"},
};

/* The rule of a change: for a verdict, the rule by which it fails now or failed before; for a curve, its
 * name. */
static const char *rule_of(const struct change *change)
{
    const struct record *shown = change->kind == CHANGE_VERDICT_BETTER ? change->before : change->after;
    if (change->series) {
        return change->series;
    }
    if (!change->verdict) {
        return "";
    }
    return gate_fails_status(shown->status, 0) ? cluster_rule(shown, 0) : status_name(shown->status);
}

bool compare_group(const struct comparison *comparison, enum change_kind kind, struct clusters *clusters)
{
    *clusters = (struct clusters){.cluster = calloc((size_t)comparison->changes + 1, sizeof(struct cluster))};
    if (!clusters->cluster) {
        return false;
    }
    for (int c = 0; c < comparison->changes; c++) {
        const struct change *change = &comparison->change[c];
        const char *backend = comparison->pairs > 1 ? change->before->backend : NULL;
        if (change->kind == kind) {
            clusters->cluster[clusters->count++] =
                cluster_of(change->after ? change->after : change->before, backend, rule_of(change),
                           change->ratio, change);
        }
    }
    clusters_fold(clusters);
    return true;
}

/* True if the ratio is less than that of the two numbers, because an error below least_error counts as
 * least_error. */
static bool floored(const struct change *change)
{
    return fmax(change->from, change->to) > 1.001 * change->ratio * fmin(change->from, change->to);
}

char *compare_what(const struct change *change)
{
    char from[TEXT_NUMBER], to[TEXT_NUMBER], ratio[TEXT_NUMBER], *text = NULL;
    text_number(change->from, from);
    text_number(change->to, to);
    text_number(change->ratio, ratio);
    char *reason = change->verdict && change->after->reason ? text_one_line(change->after->reason) : NULL;
    int used;
    if (change->kind == CHANGE_GONE) {
        used = asprintf(&text, "%s before", status_name(change->before->status));
    } else if (change->verdict) {
        used = asprintf(&text, "%s -> %s%s%.120s", status_name(change->before->status),
                        status_name(change->after->status), reason ? ": " : "", reason ? reason : "");
    } else if (change->series) {
        used = asprintf(&text, "%s times in the median; at %.10g %s -> %s", ratio, change->at, from, to);
    } else {
        used = asprintf(&text, "error / bound %s -> %s (%s%s times)", from, to,
                        floored(change) ? "at least " : "", ratio);
    }
    free(reason);
    return used < 0 ? NULL : text;
}

/* --- the gate */

void compare_failing(const struct results *after, struct compare_failing failing[COMPARE_ADDITIONS])
{
    static const struct compare_failing kinds[COMPARE_ADDITIONS] = {
        {GATE_FAIL, "fail", 0, NULL},
        {GATE_FLAKE, "flake", 0, NULL},
        {GATE_UNSUPPORTED, "unsupported", 0, NULL},
        {GATE_UNEXPECTED_PASS, "unexpected_pass", 0, NULL},
        {GATE_VACUOUS, "vacuous", 0, NULL},
        {GATE_RANGE, "range", 0, NULL},
        {GATE_IMPLAUSIBLE, "implausible", 0, NULL}};
    memcpy(failing, kinds, sizeof kinds);
    for (int k = 0; k < COMPARE_ADDITIONS; k++) {
        for (int r = 0; r < after->records; r++) {
            const struct record *record = &after->record[r], *example = failing[k].example;
            if (!gate_fails_by(record, failing[k].addition)) {
                continue;
            }
            failing[k].count++;
            failing[k].example = !example || cluster_compare(record, example) < 0 ? record : example;
        }
    }
    struct losses losses; /* cases without a record are missing too */
    losses_find(after, false, &losses);
    for (int l = 0; l < losses.count; l++) {
        failing[0].count += (int)losses.loss[l].lost;
    }
    losses_destroy(&losses);
}

unsigned compare_gate(const struct comparison *comparison, const struct compare_options *options)
{
    bool worse = !comparison->why[0] && !(options->gate & GATE_NONE);
    return (options->gate & ~(unsigned)GATE_NONE) | (worse ? GATE_WORSE : 0);
}

bool compare_worse(const struct comparison *comparison)
{
    return comparison->changes &&
           comparison->change[0].kind <= CHANGE_CURVE_WORSE; /* the changes are sorted by kind */
}

bool compare_fails(const struct comparison *comparison, const struct results *after, unsigned gate)
{
    struct compare_failing failing[COMPARE_ADDITIONS];
    bool fails = comparison->not_whole || ((gate & GATE_WORSE) && compare_worse(comparison));
    compare_failing(after, failing);
    for (int k = 0; k < COMPARE_ADDITIONS; k++) {
        fails = fails || ((gate & failing[k].addition) && failing[k].count);
    }
    return fails;
}

const char *compare_verdict(const struct comparison *comparison, const struct results *after,
                            const struct compare_options *options)
{
    unsigned gate = compare_gate(comparison, options);
    bool worse = compare_worse(comparison), fails = compare_fails(comparison, after, gate);
    if (worse && (gate & GATE_WORSE)) {
        return "WORSE (exit 1)";
    }
    if (comparison->not_whole) {
        return "a run is incomplete (exit 1)";
    }
    if (fails) {
        return "gate of the new run: FAIL (exit 1)";
    }
    if (comparison->why[0]) {
        return "a table, not a regression (exit 0)";
    }
    return worse ? "worse, but --fail-on none (exit 0)" : "nothing got worse";
}
