/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare/compare_parts.h"
#include "reports/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The part "family" or "family/operator" of an id. */
static int name_of(const char *id, bool by_family, const char **name)
{
    const char *operator;
    int length = 5, part;
    *name = "other";
    if (record_id_part(id, 0, name, &length) && !by_family && record_id_part(id, 1, &operator, & part)) {
        length = (int)(operator- * name) + part;
    }
    return length;
}

static void count(struct compare_row *row, const struct compare_match *match)
{
    const struct record *of[2] = {match->before, match->after};
    bool pass[2], fail[2];
    row->cases++;
    for (int k = 0; k < 2; k++) {
        fail[k] = gate_fails_status(of[k]->status, 0);
        pass[k] = of[k]->status == STATUS_PASS || of[k]->status == STATUS_UNEXPECTED_PASS;
        row->pass[k] += pass[k];
        row->fail[k] += fail[k];
    }
    for (int k = 0; k < 2; k++) {
        if (!(fail[k] && pass[1 - k])) {
            continue;
        }
        row->only[k]++;
        if (!row->example[k]) {
            row->example[k] = of[k];
        }
    }
}

/* Compares errors in ulp, not error / bound, because bounds follow each backend's profile. Errors below ½ ulp
 * count as ½, the most of a correctly rounded result. False where a number is unknown. */
static bool ratio_of(const struct compare_match *match, double *ratio)
{
    const struct record *a = match->before, *b = match->after;
    bool judged = a->status == STATUS_PASS && b->status == STATUS_PASS && a->elements > 0 &&
                  b->elements > 0 && isfinite(a->max_ulp) && isfinite(b->max_ulp) && a->series_count == 0;
    *ratio = judged ? fmax(b->max_ulp, 0.5) / fmax(a->max_ulp, 0.5) : NAN;
    return judged;
}

static double median_ratio(const struct compare_match *match, int count, double *room)
{
    int n = 0;
    for (int m = 0; m < count; m++) {
        n += ratio_of(&match[m], &room[n]);
    }
    return n ? compare_median(room, n) : NAN;
}

bool compare_table_build(const struct comparison *comparison, bool by_family, struct compare_table *table)
{
    int n = comparison->compared;
    double *room = malloc(((size_t)n + 1) * sizeof *room);
    *table = (struct compare_table){.row = calloc((size_t)n + 1, sizeof *table->row)};
    if (!room || !table->row) {
        free(room);
        compare_table_destroy(table);
        return false;
    }
    for (int first = 0, end; first < n; first = end) {
        struct compare_row *row = &table->row[table->rows++];
        row->length = name_of(comparison->match[first].before->id, by_family, &row->name);
        for (end = first; end < n; end++) {
            const char *name;
            int length = name_of(comparison->match[end].before->id, by_family, &name);
            if (length != row->length || memcmp(name, row->name, (size_t)length) != 0) {
                break;
            }
            count(row, &comparison->match[end]);
            count(&table->all, &comparison->match[end]);
        }
        row->ratio = median_ratio(comparison->match + first, end - first, room);
    }
    table->all.name = "all";
    table->all.length = 3;
    table->all.ratio = median_ratio(comparison->match, n, room);
    free(room);
    return true;
}

void compare_table_destroy(struct compare_table *table)
{
    free(table->row);
    *table = (struct compare_table){.rows = 0};
}
