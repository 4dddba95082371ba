/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Sections of the summary for cases that neither pass nor fail, and for findings. */

#include "reports/clusters.h"
#include "reports/summary_parts.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REASONS = 5 };

static int compare_failures(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left, *b = *(const struct record *const *)right;
    int by = cluster_compare(a, b);
    return by ? by : (a > b) - (a < b); /* both point into one array */
}

static int choose(const struct summary *summary, const char *backend, bool (*wanted)(const struct record *))
{
    int n = 0;
    for (int i = 0; i < summary->results->records; i++) {
        const struct record *record = &summary->results->record[i];
        if (!strcmp(record->backend, backend) && wanted(record)) {
            summary->chosen[n++] = record;
        }
    }
    if (n) {
        qsort(summary->chosen, (size_t)n, sizeof *summary->chosen, compare_failures);
    }
    return n;
}

/* Counts the runs of all cases that have the operator, dtype and backend of `like`, and the failed ones among
 * them. */
static void count_runs(const struct summary *summary, const struct record *like, int64_t *runs,
                       int64_t *failed)
{
    const char *name;
    int length;
    size_t prefix =
        record_id_part(like->id, 3, &name, &length) ? (size_t)(name - like->id) : strlen(like->id);
    *runs = *failed = 0;
    for (int r = 0; r < summary->results->records; r++) {
        const struct record *record = &summary->results->record[r];
        bool ran = record->status != STATUS_UNSUPPORTED && record->status != STATUS_MISSING;
        if (ran && strcmp(record->backend, like->backend) == 0 &&
            strncmp(record->id, like->id, prefix) == 0) {
            *runs += record->runs ? record->runs : 1;
            *failed += record->runs ? record->runs_failed : gate_fails_status(record->status, 0);
        }
    }
}

/* "     elementwise/sgn/float32/rank-0: 1 of 5 runs failed (0.7 % of its operator's)", in two lines where one
 * is too narrow. */
static void flake_line(const struct summary *summary, const struct record *record)
{
    int64_t runs, failed;
    char *id = utf8_visible(record->id), rate[160], often[64];
    count_runs(summary, record, &runs, &failed);
    snprintf(often, sizeof often, "%d of %d runs failed", record->runs_failed, record->runs);
    snprintf(rate, sizeof rate, "%s (this operator and dtype: %" PRId64 " of %" PRId64 ", %.2g %%)",
             record->runs ? often : "failed once", failed, runs,
             runs ? 100.0 * (double)failed / (double)runs : 0);
    bool fits = id && 5 + utf8_columns(id) + 2 + (int)strlen(rate) <= SUMMARY_WIDTH;
    fprintf(summary->to, "     %s:%s%s\n", id ? id : "", fits ? " " : "\n       ", rate);
    free(id);
}

static bool is_flake(const struct record *record)
{
    return record->status == STATUS_FLAKE;
}

static bool is_unexpected_pass(const struct record *record)
{
    return record->status == STATUS_UNEXPECTED_PASS;
}

static void list(const struct summary *summary, const char *backend, bool (*wanted)(const struct record *),
                 const char *what)
{
    int n = choose(summary, backend, wanted), shown = summary_limit(summary, n);
    if (n) {
        fprintf(summary->to, "%d %s\n", n, what);
    }
    for (int i = 0; i < shown; i++) {
        if (wanted == is_flake) {
            flake_line(summary, summary->chosen[i]);
            continue;
        }
        char *id = utf8_visible(summary->chosen[i]->id);
        fprintf(summary->to, "     %s\n", id ? id : "");
        free(id);
    }
    if (shown < n) {
        fprintf(summary->to, "     … and %d more\n", n - shown);
    }
}

struct reason {
    const char *text, *end; /* "zeros", " would pass" */
    int count;
};

static int compare_reasons(const void *left, const void *right)
{
    const struct reason *a = left, *b = right;
    return a->count != b->count ? (a->count < b->count) - (a->count > b->count) : strcmp(a->text, b->text);
}

/* The reason to group a case under. Vacuous cases go by their rule, because their own reasons contain
 * numbers. */
static struct reason reason_of(const struct record *record)
{
    size_t length = strlen(RECORD_RULE_WRONG_CLASS);
    bool shown = record->reason && *record->reason;
    if (record->status != STATUS_VACUOUS) {
        return (struct reason){shown ? record->reason : "no reason given", "", 0};
    }
    if (record->range_findings > 0) {
        return (struct reason){"an intermediate leaves the range, as the profile declares", "", 0};
    }
    if (record->rule && strncmp(record->rule, RECORD_RULE_WRONG_CLASS, length) == 0) {
        return (struct reason){record->rule + length, " would pass", 0};
    }
    return (struct reason){"the bound is too wide", "", 0};
}

static int gather(const struct summary *summary, const char *backend, enum status status, bool excused,
                  struct reason *reasons, int *total)
{
    int n = 0;
    for (int i = 0; i < summary->results->records; i++) {
        const struct record *record = &summary->results->record[i];
        if (record->status != status || gate_excuses(record) != excused || strcmp(record->backend, backend)) {
            continue;
        }
        struct reason reason = reason_of(record);
        int k = 0;
        while (k < n && strcmp(reasons[k].text, reason.text)) {
            k++;
        }
        if (k == n) {
            reasons[n++] = reason;
        }
        reasons[k].count++;
        ++*total;
    }
    return n;
}

/* Prints "12 unsupported: shaderFloat64 missing (12)"; several reasons get a line each. */
static void reasons(const struct summary *summary, const char *backend, enum status status, bool excused,
                    const char *what)
{
    struct reason *found = calloc((size_t)summary->results->records + 1, sizeof *found);
    int total = 0, n = found ? gather(summary, backend, status, excused, found, &total) : 0;
    if (n) {
        qsort(found, (size_t)n, sizeof *found, compare_reasons);
    }
    if (n) {
        fprintf(summary->to, "%d %s:%s", total, what, n > 1 ? "\n" : "");
    }
    for (int i = 0; i < n && i < REASONS; i++) {
        char *text = text_one_line(found[i].text);
        fprintf(summary->to, "%s%s%s (%d)\n", n > 1 ? "     " : " ", text ? text : "", found[i].end,
                found[i].count);
        free(text);
    }
    if (n > REASONS) {
        fprintf(summary->to, "     … and %d more reasons\n", n - REASONS);
    }
    free(found);
}

static void vacuous(const struct summary *summary, const char *backend)
{
    int judged = 0, empty = 0;
    char what[96];
    for (int i = 0; i < summary->results->records; i++) {
        const struct record *record = &summary->results->record[i];
        if (strcmp(record->backend, backend) || !record_judged(record)) {
            continue;
        }
        judged++;
        empty += record->status == STATUS_VACUOUS;
    }
    const char *option = gate_option(GATE_VACUOUS, summary->options->gate);
    snprintf(what, sizeof what, "vacuous (%.1f %% of %d judged), %s%s", judged ? 100.0 * empty / judged : 0,
             judged, option ? "fails the gate: " : "no evidence", option ? option : "");
    reasons(summary, backend, STATUS_VACUOUS, false, what);
    reasons(summary, backend, STATUS_VACUOUS, true, "vacuous (in the baseline)");
}

/* "unsupported (fails the gate: --strict)": the words and, in brackets, the option that makes these cases
 * fail. */
static const char *with_option(const struct summary *summary, enum gate_addition addition, const char *what,
                               char *text, size_t size)
{
    const char *option = gate_option(addition, summary->options->gate);
    snprintf(text, size, "%s%s%s%s", what, option ? " (fails the gate: " : "", option ? option : "",
             option ? ")" : "");
    return text;
}

/* Findings of class RANGE: wrong elements that the profile excuses, in cases that pass or are vacuous. */
static void range(const struct summary *summary, const char *backend)
{
    const struct record *example = NULL;
    int n = 0;
    char what[96];
    for (int i = 0; i < summary->results->records; i++) {
        const struct record *record = &summary->results->record[i];
        if (strcmp(record->backend, backend) || !(record->range_findings > 0)) {
            continue;
        }
        n++;
        example = !example || cluster_compare(record, example) < 0 ? record : example;
    }
    char *id = example ? text_one_line(example->id) : NULL;
    if (example) {
        fprintf(summary->to,
                "%d %s: an intermediate result overflows or underflows, as the profile declares;\n     %s: "
                "%" PRId64 " wrong element%s\n",
                n, with_option(summary, GATE_RANGE, "range", what, sizeof what), id ? id : "",
                example->range_findings, example->range_findings == 1 ? "" : "s");
    }
    free(id);
}

/* Findings of the envelope: errors beyond independent rounding in cases where the envelope may not fail them.
 */
static void implausible(const struct summary *summary, const char *backend)
{
    const struct record *worst = NULL;
    int n = 0;
    for (int i = 0; i < summary->results->records; i++) {
        const struct record *record = &summary->results->record[i];
        if (strcmp(record->backend, backend) || !(record->implausible > 0)) {
            continue;
        }
        n++;
        if (!worst || record->implausible > worst->implausible ||
            (record->implausible == worst->implausible && strcmp(record->id, worst->id) < 0)) {
            worst = record;
        }
    }
    char *id = worst ? text_one_line(worst->id) : NULL, factor[TEXT_NUMBER];
    char *by = worst ? text_one_line(text_statistic(worst->implausible_by)) : NULL;
    char *step = worst && worst->implausible_step ? text_one_line(worst->implausible_step) : NULL;
    if (worst) {
        fprintf(summary->to,
                "%d implausible: up to %s times the limit of independent rounding,\n     %s%s%s%s%s%s\n", n,
                text_number(worst->implausible, factor), id ? id : "", by && *by ? " (" : "", by ? by : "",
                by && *by ? ")" : "", step ? " in " : "", step ? step : "");
    }
    free(step);
    free(id);
    free(by);
}

void summary_others(const struct summary *summary, const char *backend)
{
    char text[160];
    reasons(summary, backend, STATUS_MISSING, false, "missing (fails the gate)");
    reasons(summary, backend, STATUS_UNSUPPORTED, false,
            with_option(summary, GATE_UNSUPPORTED, "unsupported", text, sizeof text));
    reasons(summary, backend, STATUS_UNSUPPORTED, true, "unsupported (in the baseline)");
    reasons(summary, backend, STATUS_EXPECTED_FAIL, false, "expected to fail (in the baseline)");
    vacuous(summary, backend);
    range(summary, backend);
    implausible(summary, backend);
    list(
        summary, backend, is_flake,
        with_option(summary, GATE_FLAKE, "flaky: failed, then passed on the same inputs", text, sizeof text));
    list(summary, backend, is_unexpected_pass,
         with_option(summary, GATE_UNEXPECTED_PASS, "passed unexpectedly: the baseline is stale", text,
                     sizeof text));
}
