/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare.h"
#include "reports/fields.h"
#include "reports/text.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *key, *title;
} kinds[CHANGE_KINDS] = {
    [CHANGE_VERDICT_WORSE] = {"verdict_worse", "verdict worse"},
    [CHANGE_GONE] = {"gone", "gone: not in the new run (--subset where that is meant)"},
    [CHANGE_ERROR_WORSE] = {"error_worse", "larger error, still within its bound"},
    [CHANGE_CURVE_WORSE] = {"curve_worse", "costs more"},
    [CHANGE_SHARPER] = {"sharper", "judged more sharply by another reference, not worse"},
    [CHANGE_VERDICT_BETTER] = {"verdict_better", "verdict better"},
    [CHANGE_ERROR_BETTER] = {"error_better", "smaller error"},
    [CHANGE_CURVE_BETTER] = {"curve_better", "costs less"},
};

static void print_header(FILE *to, const char *which, const struct results *results)
{
    for (int h = 0; h < results->headers; h++) {
        const struct record_header *header = &results->header[h];
        fprintf(to, "%s  %s: %s%s%s, assay %s (%s), %s, %d records\n", which, header->backend,
                header->device ? header->device : "unknown device", header->driver ? ", " : "",
                header->driver ? header->driver : "", header->assay, header->commit ? header->commit : "?",
                header->started ? header->started : "?", results->records);
    }
}

static void print_change(FILE *to, const struct change *change)
{
    char from[TEXT_NUMBER], to_text[TEXT_NUMBER], ratio[TEXT_NUMBER];
    text_number(change->from, from);
    text_number(change->to, to_text);
    text_number(change->ratio, ratio);
    fprintf(to, "  %-60s ", change->before->id);
    if (change->kind == CHANGE_GONE)
        fprintf(to, "%s before\n", status_name(change->before->status));
    else if (change->verdict) {
        char *reason = change->after->reason ? text_one_line(change->after->reason) : NULL;
        fprintf(to, "%s -> %s%s%.120s\n", status_name(change->before->status),
                status_name(change->after->status), reason ? ": " : "", reason ? reason : "");
        free(reason);
    } else if (change->series) {
        fprintf(to, "%s: %s times in the median; at %.10g %s -> %s\n", change->series, ratio, change->at,
                from, to_text);
    } else {
        fprintf(to, "error / bound %s -> %s (%s times)\n", from, to_text, ratio);
    }
}

bool compare_text(FILE *to, const struct results *before, const struct results *after,
                  const struct comparison *comparison, const struct compare_options *options)
{
    print_header(to, "old", before);
    print_header(to, "new", after);
    int start = 0, worse = 0;
    for (int kind = 0; kind < CHANGE_KINDS; kind++) {
        int end = start;
        while (end < comparison->changes && (int)comparison->change[end].kind == kind)
            end++;
        worse += kind <= CHANGE_CURVE_WORSE ? end - start : 0;
        if (end > start)
            fprintf(to, "\n%s: %d\n", kinds[kind].title, end - start);
        int shown = options->shown && end - start > options->shown ? start + options->shown : end;
        for (int c = start; c < shown; c++)
            print_change(to, &comparison->change[c]);
        if (shown < end)
            fprintf(to, "  ... and %d more\n", end - shown);
        start = end;
    }
    fprintf(to, "\n%d cases and %d curves compared", comparison->compared, comparison->curves);
    if (comparison->only_before || comparison->only_after)
        fprintf(to, ", %d only in the old run, %d only in the new", comparison->only_before,
                comparison->only_after);
    if (comparison->other_inputs)
        fprintf(to, ", %d left out: their inputs differ (another seed, or another assay)",
                comparison->other_inputs);
    fprintf(to, " · %s\n", worse ? "WORSE (exit 1)" : "nothing got worse");
    return !ferror(to);
}

bool compare_json(FILE *to, const struct comparison *comparison)
{
    json_t *changes = json_array();
    json_t *root = json_pack("{s:i, s:i, s:i, s:i, s:i, s:b, s:o}", "compared", comparison->compared,
                             "curves", comparison->curves, "only_old", comparison->only_before, "only_new",
                             comparison->only_after, "other_inputs", comparison->other_inputs, "worse",
                             compare_worse(comparison), "changes", changes);
    bool good = root;
    for (int c = 0; good && c < comparison->changes; c++) {
        const struct change *change = &comparison->change[c];
        json_t *one =
            json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "kind", kinds[change->kind].key, "id",
                      change->before->id, "old_status", status_name(change->before->status), "new_status",
                      status_name(change->after ? change->after->status : STATUS_MISSING), "old",
                      field_real_put(change->from), "new", field_real_put(change->to), "ratio",
                      field_real_put(change->ratio));
        good = one && !json_array_append_new(changes, one);
        if (good && change->series)
            good = !json_object_set_new(one, "series", json_string(change->series)) &&
                   !json_object_set_new(one, "at", field_real_put(change->at));
    }
    good =
        good && json_dumpf(root, to, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && putc('\n', to) != EOF;
    json_decref(root);
    return good;
}
