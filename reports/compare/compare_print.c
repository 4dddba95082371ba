/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/compare/compare_parts.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <stdlib.h>
#include <string.h>

struct page {
    FILE *to;
    const struct results *after;
    const struct comparison *comparison;
    const struct compare_options *options;
};

static void print_pair(FILE *to, const struct compare_pair *pair)
{
    struct compare_fact facts[COMPARE_FACTS];
    compare_facts(pair, facts);
    for (int f = 0; f < COMPARE_FACTS; f++) {
        bool same = strcmp(facts[f].before, facts[f].after) == 0;
        fprintf(to, "  %-10s %s%s%s\n", facts[f].name, facts[f].before, same ? "" : "  ->  ",
                same ? "" : facts[f].after);
    }
}

static void print_head(const struct page *page)
{
    const struct comparison *comparison = page->comparison;
    fputs("the runs, old -> new where they differ\n", page->to);
    for (int p = 0; p < comparison->pairs; p++) {
        print_pair(page->to, &comparison->pair[p]);
    }
    fprintf(page->to, "  %-10s ", "cases");
    compare_cases(page->to, comparison);
    fprintf(page->to, "\n  %-10s ", "curves");
    compare_curves_said(page->to, comparison, page->options);
    putc('\n', page->to);
}

static void print_cluster(FILE *to, const struct cluster *cluster)
{
    const struct change *change = cluster->of;
    char *id = text_one_line(change->before->id), *what = compare_what(change), *name = NULL;
    if (cluster->count > 1 &&
        asprintf(&name, "%d × %.*s/%.*s%s%s: ", cluster->count, cluster->operator_length, cluster->operator,
                 cluster->dtype_length, cluster->dtype, *cluster->rule ? ", " : "", cluster->rule) < 0) {
        name = NULL;
    }
    char *shown = name ? text_one_line(name) : NULL,
         *series = change->series && cluster->count == 1 ? text_one_line(change->series) : NULL;
    fprintf(to, "  %s%s\n      %s%s%s\n", shown ? shown : "", id ? id : "", series ? series : "",
            series ? ": " : "", what ? what : "");
    free(series);
    free(shown);
    free(name);
    free(what);
    free(id);
}

static bool print_kind(const struct page *page, enum change_kind kind)
{
    struct clusters clusters;
    if (!compare_group(page->comparison, kind, &clusters)) {
        return false;
    }
    int64_t most = page->options->shown;
    int shown = most > 0 && most < clusters.count ? (int)most : clusters.count, rest = 0;
    if (clusters.count) {
        fprintf(page->to, "\n%s: %d", compare_kinds[kind].title, clusters.cases);
        if (clusters.cases > clusters.count) {
            fprintf(page->to, " in %d group%s", clusters.count, clusters.count == 1 ? "" : "s");
        }
        putc('\n', page->to);
    }
    for (int c = 0; c < shown; c++) {
        print_cluster(page->to, &clusters.cluster[c]);
    }
    for (int c = shown; c < clusters.count; c++) {
        rest += clusters.cluster[c].count;
    }
    if (rest) {
        fprintf(page->to, "  … and %d more in %d group%s (--show 0 shows all)\n", rest,
                clusters.count - shown, clusters.count - shown == 1 ? "" : "s");
    }
    clusters_destroy(&clusters);
    return true;
}

static void print_row(FILE *to, const struct compare_row *row, int width)
{
    char ratio[TEXT_NUMBER], *name = strndup(row->name, (size_t)row->length),
                             *shown = name ? utf8_visible(name) : NULL;
    fprintf(to, "%-*s %6d %6d %5d %6d %5d %9d %9d  %10s\n", width, shown ? shown : "", row->cases,
            row->pass[0], row->fail[0], row->pass[1], row->fail[1], row->only[0], row->only[1],
            text_number(row->ratio, ratio));
    free(shown);
    free(name);
}

static void print_only(FILE *to, const struct compare_table *table, int k)
{
    if (table->all.only[k]) {
        fprintf(to, "\nfails in the %s run only: %d\n", k ? "new" : "old", table->all.only[k]);
    }
    for (int r = 0; r < table->rows; r++) {
        const struct compare_row *row = &table->row[r];
        char *id = row->example[k] ? utf8_visible(row->example[k]->id) : NULL;
        char *why =
            row->example[k] && row->example[k]->reason ? text_one_line(row->example[k]->reason) : NULL;
        if (id) {
            fprintf(to, "  %d × %s\n      %s%s%.120s\n", row->only[k], id,
                    status_name(row->example[k]->status), why ? ": " : "", why ? why : "");
        }
        free(id);
        free(why);
    }
}

static bool print_table(const struct page *page)
{
    struct compare_table table;
    if (!compare_table_build(page->comparison, page->options->by_family, &table)) {
        return false;
    }
    int width = 8;
    for (int r = 0; r < table.rows; r++) {
        width = table.row[r].length > width ? table.row[r].length : width;
    }
    char *why = text_one_line(page->comparison->why);
    fprintf(page->to, "\n%s: a table, not a regression\n\n", why ? why : "");
    static const char format[] = "%-*s %6s %6s %5s %6s %5s %9s %9s  %10s\n";
    fprintf(page->to, format, width, "", "", "old", "old", "new", "new", "only old", "only new", "new / old");
    fprintf(page->to, format, width, page->options->by_family ? "family" : "operator", "cases", "pass",
            "fail", "pass", "fail", "fails", "fails", "error, ulp");
    for (int r = 0; r < table.rows; r++) {
        print_row(page->to, &table.row[r], width);
    }
    print_row(page->to, &table.all, width);
    print_only(page->to, &table, 0);
    print_only(page->to, &table, 1);
    compare_table_destroy(&table);
    free(why);
    return true;
}

static void print_gate(const struct page *page, unsigned gate)
{
    struct compare_failing failing[COMPARE_ADDITIONS];
    compare_failing(page->after, failing);
    for (int k = 0; k < COMPARE_ADDITIONS; k++) {
        if (!(gate & failing[k].addition) || !failing[k].count) {
            continue;
        }
        char *id = failing[k].example ? utf8_visible(failing[k].example->id) : NULL;
        fprintf(page->to, "\nfails in the new run by --fail-on %s: %d, for instance %s\n", failing[k].name,
                failing[k].count, id ? id : "cases without a record");
        free(id);
    }
}

bool compare_text(FILE *to, const struct results *after, const struct comparison *comparison,
                  const struct compare_options *options)
{
    struct page page = {.to = to, .after = after, .comparison = comparison, .options = options};
    unsigned gate = compare_gate(comparison, options);

    print_head(&page);
    bool good = !comparison->why[0] || print_table(&page);
    for (int kind = 0; good && kind < CHANGE_KINDS; kind++) {
        if (!comparison->why[0] || (gate & GATE_WORSE)) {
            good = print_kind(&page, (enum change_kind)kind);
        }
    }
    print_gate(&page, gate);
    if (comparison->not_whole) {
        fprintf(to, "\nincomplete: %s\n", comparison->not_whole);
    }
    fprintf(to, "\n%d cases and %d curves compared · %s\n", comparison->compared, comparison->curves,
            compare_verdict(comparison, after, options));
    return good && !ferror(to);
}
