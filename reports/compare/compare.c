/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare/compare_parts.h"
#include "reports/gate.h"

#include "reports/groups.h"
#include "reports/records/losses.h"
#include "reports/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    const struct compare_options *options;
    const struct results *before, *after;
    struct comparison *out;
    int room;
};

static bool note(struct builder *b, const struct change *change)
{
    struct comparison *out = b->out;
    if (out->changes == b->room) {
        int room = b->room ? 2 * b->room : 64;
        struct change *grown = realloc(out->change, (size_t)room * sizeof *grown);
        if (!grown) {
            return false;
        }
        out->change = grown;
        b->room = room;
    }
    out->change[out->changes++] = *change;
    return true;
}

/* The rank of a status: 2 passing, 1 not judged or excused, 0 failing the gate. */
static int rank(const struct record *record)
{
    if (gate_fails_status(record->status, 0)) {
        return 0;
    }
    return record->status == STATUS_PASS || record->status == STATUS_UNEXPECTED_PASS ? 2 : 1;
}

static bool same_reference(const struct builder *b, const struct record *before, const struct record *after)
{
    const struct record_header *x = before->backend ? results_header(b->before, before->backend) : NULL,
                               *y = after->backend ? results_header(b->after, after->backend) : NULL;
    return !(x && y && x->reference && y->reference) || strcmp(x->reference, y->reference) == 0;
}

/* True if the error in ulp has grown by error_ratio, whatever the limits are now. */
static bool errs_more(const struct builder *b, const struct record *before, const struct record *after)
{
    return after->max_ulp > b->options->error_ratio * fmax(before->max_ulp, 0.5); /* false for NaN */
}

/* True if another reference causes the worse verdict. `vacuous` follows from the limits alone. */
static bool judged_more_sharply(const struct builder *b, const struct record *before,
                                const struct record *after)
{
    bool by_envelope = after->rule && strcmp(after->rule, RECORD_RULE_ENVELOPE) == 0;
    return !same_reference(b, before, after) &&
           (after->status == STATUS_VACUOUS || (by_envelope && !errs_more(b, before, after)));
}

static bool compare_errors(struct builder *b, const struct record *before, const struct record *after)
{
    double from = before->max_nu, to = after->max_nu, least = b->options->least_error;
    if (!(isfinite(from) && isfinite(to)) || rank(before) != 2 || rank(after) != 2) {
        return true;
    }
    double ratio = fmax(to, least) / fmax(from, least);
    if (ratio < b->options->error_ratio && ratio > 1 / b->options->error_ratio) {
        return true;
    }
    bool narrower = !same_reference(b, before, after) &&
                    !errs_more(b, before, after); /* then the limit changed, not the result */
    return note(b, &(struct change){.kind = ratio < 1  ? CHANGE_ERROR_BETTER
                                            : narrower ? CHANGE_SHARPER
                                                       : CHANGE_ERROR_WORSE,
                                    .before = before,
                                    .after = after,
                                    .from = from,
                                    .to = to,
                                    .ratio = ratio > 1 ? ratio : 1 / ratio,
                                    .at = NAN});
}

static bool compare_series(struct builder *b, const struct record *before, const struct record *after)
{
    bool good = true;
    for (int s = 0; good && s < before->series_count; s++) {
        for (int t = 0; good && t < after->series_count; t++) {
            const struct record_series *p = &before->series[s], *q = &after->series[t];
            struct change change = {.before = before, .after = after, .series = q->name};
            if (strcmp(p->name, q->name) != 0 || strcmp(p->name, "time") == 0) {
                continue; /* "time per item" shows the same */
            }
            good =
                compare_curve(b->options, b->out, p, q, &change) && (change.ratio == 0 || note(b, &change));
        }
    }
    return good;
}

static bool compare_case(struct builder *b, const struct record *before, const struct record *after)
{
    struct change change = {.before = before, .after = after, .at = NAN, .ratio = INFINITY};
    if (before->inputs_digest && after->inputs_digest &&
        strcmp(before->inputs_digest, after->inputs_digest) != 0) {
        b->out->other_inputs++;
        return true;
    }
    b->out->match[b->out->compared++] = (struct compare_match){before, after};
    if (rank(before) != rank(after)) {
        change.verdict = true;
        change.kind = rank(after) > rank(before)              ? CHANGE_VERDICT_BETTER
                      : judged_more_sharply(b, before, after) ? CHANGE_SHARPER
                                                              : CHANGE_VERDICT_WORSE;
        change.from = before->max_nu, change.to = after->max_nu;
        return note(b, &change);
    }
    return compare_errors(b, before, after) && (b->options->no_curves || compare_series(b, before, after));
}

/* --- pairs of records: both lists are sorted by id and backend */

typedef int (*order_fn)(const void *a, const void *b);

static int by_id(const void *a, const void *b)
{
    const struct record *x = *(const struct record *const *)a, *y = *(const struct record *const *)b;
    return strcmp(x->id, y->id);
}

static int by_id_and_backend(const void *a, const void *b)
{
    const struct record *x = *(const struct record *const *)a, *y = *(const struct record *const *)b;
    int order = strcmp(x->id, y->id);
    return order ? order : strcmp(x->backend ? x->backend : "", y->backend ? y->backend : "");
}

static const struct record **sorted(const struct results *results, order_fn order)
{
    const struct record **list = malloc(((size_t)results->records + 1) * sizeof(*list));
    for (int r = 0; list && r < results->records; r++) {
        list[r] = &results->record[r];
    }
    if (list) {
        qsort(list, (size_t)results->records, sizeof *list, order);
    }
    return list;
}

static bool one_backend(const struct results *results)
{
    for (int r = 1; r < results->records; r++) {
        if (strcmp(results->record[r].backend ? results->record[r].backend : "",
                   results->record[0].backend ? results->record[0].backend : "") != 0) {
            return false;
        }
    }
    return true;
}

static int by_kind(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->ratio != y->ratio) {
        return x->ratio > y->ratio ? -1 : 1;
    }
    int order = strcmp(x->before->id, y->before->id);
    return order ? order : strcmp(x->series ? x->series : "", y->series ? y->series : "");
}

/* Notes a case that the new run lacks; it is a change only if it was measured before. */
static bool note_gone(struct builder *b, const struct record *before)
{
    b->out->only_before++;
    if (b->options->subset || before->status == STATUS_MISSING || before->status == STATUS_UNSUPPORTED) {
        return true;
    }
    return note(b, &(struct change){.kind = CHANGE_GONE,
                                    .before = before,
                                    .from = before->max_nu,
                                    .to = NAN,
                                    .ratio = INFINITY,
                                    .at = NAN});
}

/* Fills not_whole with the first loss of the new run, else of the old one. */
static bool find_loss(const struct results *before, const struct results *after, struct comparison *out)
{
    const struct results *const runs[] = {after, before};
    bool good = true;
    for (int r = 0; good && !out->not_whole && r < 2; r++) {
        struct losses losses;
        good = losses_find(runs[r], false, &losses);
        char *text = good && losses.count ? loss_text(&losses.loss[0]) : NULL;
        if (text) {
            good = asprintf(&out->not_whole, "the %s run: %s", r ? "old" : "new", text) >= 0;
        } else {
            good = good && losses.count == 0;
        }
        out->not_whole = good ? out->not_whole : NULL;
        free(text);
        losses_destroy(&losses);
    }
    return good;
}

bool compare_build(const struct results *before, const struct results *after,
                   const struct compare_options *options, struct comparison *comparison)
{
    struct builder b = {.options = options, .before = before, .after = after, .out = comparison};
    bool by_name = !(one_backend(before) && one_backend(after));
    order_fn by_case = by_name ? by_id_and_backend : by_id;
    const struct record **x = sorted(before, by_case), **y = sorted(after, by_case);
    *comparison =
        (struct comparison){.match = calloc((size_t)before->records + 1, sizeof(struct compare_match))};
    bool good = x && y && comparison->match && compare_find_pairs(before, after, by_name, comparison) &&
                find_loss(before, after, comparison);
    for (int i = 0, j = 0; good && (i < before->records || j < after->records);) {
        int order = i == before->records ? 1 : j == after->records ? -1 : by_case(&x[i], &y[j]);
        if (order == 0) {
            good = compare_case(&b, x[i++], y[j++]);
        } else if (order < 0) {
            good = note_gone(&b, x[i++]);
        } else {
            comparison->only_after++, j++;
        }
    }
    free(x);
    free(y);
    if (good && comparison->changes) {
        qsort(comparison->change, (size_t)comparison->changes, sizeof *comparison->change, by_kind);
    }
    return good;
}

void compare_destroy(struct comparison *comparison)
{
    free(comparison->change);
    free(comparison->match);
    free(comparison->pair);
    free(comparison->not_whole);
    *comparison = (struct comparison){.changes = 0};
}
