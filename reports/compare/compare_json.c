/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare/compare_parts.h"
#include "reports/records/fields.h"

#include <stdlib.h>
#include <string.h>

static bool append(json_t *to, json_t *one)
{
    return one && json_array_append_new(to, one) == 0;
}

static json_t *side(const struct compare_fact *facts, bool after)
{
    json_t *one = json_object();
    bool good = one;
    for (int f = 0; good && f < COMPARE_FACTS; f++) {
        good = !json_object_set_new(one, facts[f].name,
                                    field_text_put(after ? facts[f].after : facts[f].before));
    }
    return one;
}

static json_t *pairs_of(const struct comparison *comparison)
{
    json_t *list = json_array();
    for (int p = 0; p < comparison->pairs; p++) {
        struct compare_fact facts[COMPARE_FACTS];
        compare_facts(&comparison->pair[p], facts);
        append(list, json_pack("{s:o, s:o}", "old", side(facts, false), "new", side(facts, true)));
    }
    return list;
}

static json_t *change_of(const struct change *change)
{
    json_t *one =
        json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:o}", "kind", compare_kinds[change->kind].key, "id",
                  field_text_put(change->before->id), "old_status", status_name(change->before->status),
                  "new_status", status_name(change->after ? change->after->status : STATUS_MISSING), "old",
                  field_real_put(change->from), "new", field_real_put(change->to), "ratio",
                  field_real_put(change->ratio));
    if (one && change->series) {
        json_object_set_new(one, "series", field_text_put(change->series));
        json_object_set_new(one, "at", field_real_put(change->at));
    }
    return one;
}

/* A JSON string of a text that is not terminated. */
static json_t *part_of(const char *text, int length)
{
    char *copy = strndup(text, (size_t)length);
    json_t *part = copy ? field_text_put(copy) : NULL;
    free(copy);
    return part;
}

static json_t *groups_of(const struct comparison *comparison, bool *good)
{
    json_t *list = json_array();
    for (int kind = 0; kind < CHANGE_KINDS; kind++) {
        struct clusters clusters;
        *good = *good && compare_group(comparison, (enum change_kind)kind, &clusters);
        for (int c = 0; *good && c < clusters.count; c++) {
            const struct cluster *cluster = &clusters.cluster[c];
            const struct change *example = cluster->of;
            *good = append(list, json_pack("{s:s, s:o, s:o, s:o, s:i, s:o}", "kind", compare_kinds[kind].key,
                                           "operator", part_of(cluster->operator, cluster->operator_length),
                                           "dtype", part_of(cluster->dtype, cluster->dtype_length), "rule",
                                           field_text_put(cluster->rule), "count", cluster->count, "example",
                                           field_text_put(example->before->id)));
        }
        if (*good) {
            clusters_destroy(&clusters);
        }
    }
    return list;
}

static json_t *row_of(const struct compare_row *row)
{
    json_t *one =
        json_pack("{s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o}", "name", part_of(row->name, row->length),
                  "cases", row->cases, "old_pass", row->pass[0], "old_fail", row->fail[0], "new_pass",
                  row->pass[1], "new_fail", row->fail[1], "old_only_fails", row->only[0], "new_only_fails",
                  row->only[1], "error_ratio", field_real_put(row->ratio));
    static const char *const examples[] = {"old_example", "new_example"};
    for (int k = 0; one && k < 2; k++) {
        if (row->example[k]) {
            json_object_set_new(one, examples[k], field_text_put(row->example[k]->id));
        }
    }
    return one;
}

/* The table; null where the two runs are of one device. */
static json_t *table_of(const struct comparison *comparison, const struct compare_options *options,
                        bool *good)
{
    struct compare_table table;
    json_t *rows = json_array();
    if (!comparison->why[0]) {
        json_decref(rows);
        return json_null();
    }
    *good = *good && compare_table_build(comparison, options->by_family, &table);
    for (int r = 0; *good && r < table.rows; r++) {
        *good = append(rows, row_of(&table.row[r]));
    }
    json_t *all = *good ? row_of(&table.all) : json_null();
    if (*good) {
        compare_table_destroy(&table);
    }
    return json_pack("{s:o, s:o, s:o}", "why", field_text_put(comparison->why), "rows", rows, "all", all);
}

static json_t *failing_of(const struct results *after, unsigned gate)
{
    struct compare_failing failing[COMPARE_ADDITIONS];
    json_t *one = json_object();
    compare_failing(after, failing);
    for (int k = 0; k < COMPARE_ADDITIONS; k++) {
        if (gate & failing[k].addition) {
            json_object_set_new(one, failing[k].name, json_integer(failing[k].count));
        }
    }
    return one;
}

bool compare_json(FILE *to, const struct results *after, const struct comparison *comparison,
                  const struct compare_options *options)
{
    unsigned gate = compare_gate(comparison, options);
    bool good = true;
    json_t *changes = json_array();
    for (int c = 0; changes && good && c < comparison->changes; c++) {
        good = append(changes, change_of(&comparison->change[c]));
    }
    json_t *groups = groups_of(comparison, &good), *table = table_of(comparison, options, &good);
    json_t *root = json_pack(
        "{s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:b, s:b, s:s, s:s?, s:o, s:o, s:o, s:o}", "pairs",
        pairs_of(comparison), "compared", comparison->compared, "curves", comparison->curves,
        "curves_excused", comparison->excused, "curves_unsure", comparison->unsure, "only_old",
        comparison->only_before, "only_new", comparison->only_after, "other_inputs", comparison->other_inputs,
        "worse", compare_worse(comparison), "fails", compare_fails(comparison, after, gate), "verdict",
        compare_verdict(comparison, after, options), "not_whole", comparison->not_whole, "new_run_fails",
        failing_of(after, gate), "table", table, "groups", groups, "changes", changes);
    good = root && good && json_print(to, root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) &&
           putc('\n', to) != EOF;
    json_decref(root);
    return good;
}
