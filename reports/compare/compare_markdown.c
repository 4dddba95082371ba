/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/memory.h"
#include "reports/compare/compare_parts.h"
#include "reports/markdown/markdown_text.h"
#include "reports/text.h"

#include <stdlib.h>
#include <string.h>

/* The size of each section in bytes; the next section may use what one leaves over. */
enum {
    HEAD = 10000,
    TABLE = 15000,
    GROUPS = 35000,
    SECTIONS = 3,
    NAME = 40,
    PAIRS_MOST = 8,
    WHAT = 90,
    FACT = 70
};
_Static_assert(HEAD + TABLE + GROUPS + (SECTIONS + 1) * MARKDOWN_SPARE <= MARKDOWN_MOST,
               "the sections fit a comment");

struct page {
    struct markdown out;
    const struct results *after;
    const struct comparison *comparison;
    const struct compare_options *options;
    unsigned gate;
};

static void put_pair(struct page *page, const struct compare_pair *pair)
{
    struct compare_fact facts[COMPARE_FACTS];
    struct markdown_table table = {.columns = 3, .ok = true};
    compare_facts(pair, facts);
    table_put(&table, " ");
    table_put(&table, "old");
    table_put(&table, "new");
    for (int f = 0; f < COMPARE_FACTS; f++) {
        bool same = strcmp(facts[f].before, facts[f].after) == 0;
        table_put(&table, same ? "%s" : "**%s**", facts[f].name);
        table_code(&table, facts[f].before, FACT);
        if (same) {
            table_put(&table, "the same");
        } else {
            table_code(&table, facts[f].after, FACT);
        }
    }
    table_print(&page->out, &table, "lll");
    markdown_say(&page->out, "\n");
    table_destroy(&table);
}

/* The heading, the numbers of cases and curves, and the facts of each pair. */
static void put_head(struct page *page)
{
    const struct comparison *comparison = page->comparison;
    char *cases = NULL, *curves = NULL, *span;
    size_t size;
    FILE *to = open_memstream(&cases, &size);
    if (to) {
        compare_cases(to, comparison);
    }
    memory_stream_text(to, &cases);
    to = open_memstream(&curves, &size);
    if (to) {
        compare_curves_said(to, comparison, page->options);
    }
    memory_stream_text(to, &curves);
    markdown_section(&page->out, HEAD);
    markdown_put(&page->out, "## assay compare: %s\n\n",
                 compare_verdict(comparison, page->after, page->options));
    if (comparison->not_whole) {
        span = markdown_code(comparison->not_whole, 300, false);
        markdown_put(&page->out, "**Incomplete.** %s\n\n", span ? span : "");
        free(span);
    }
    span = cases ? markdown_code(cases, 400, false) : NULL;
    markdown_put(&page->out, "Cases: %s\n\n", span ? span : "");
    markdown_put(&page->out, "Curves: %s\n\n", curves ? curves : "");
    for (int p = 0; p < comparison->pairs && p < PAIRS_MOST; p++) {
        put_pair(page, &comparison->pair[p]);
    }
    if (comparison->pairs > PAIRS_MOST) {
        markdown_say(&page->out, "%d more pairs of backends; `--format json` has them.\n\n",
                     comparison->pairs - PAIRS_MOST);
    }
    page->out.ok = page->out.ok && span && curves;
    free(span);
    free(cases);
    free(curves);
}

static void put_failing(struct page *page)
{
    struct compare_failing failing[COMPARE_ADDITIONS];
    compare_failing(page->after, failing);
    for (int k = 0; k < COMPARE_ADDITIONS; k++) {
        const struct record *example = failing[k].example;
        char *id = markdown_code(example ? example->id : "no record", WHAT, false);
        if ((page->gate & failing[k].addition) && failing[k].count) {
            markdown_put(&page->out, "Fails in the new run by `--fail-on %s`: %d, for instance %s\n\n",
                         failing[k].name, failing[k].count, id ? id : "");
        }
        free(id);
    }
}

static void put_row(struct markdown_table *table, const struct compare_row *row)
{
    char ratio[TEXT_NUMBER], *name = strndup(row->name, (size_t)row->length);
    const struct record *example = row->example[1] ? row->example[1] : row->example[0];
    const char *shown = example ? example->id : "";
    int length;
    record_id_part(shown, 2, &shown, &length); /* the row has the other parts of the id */
    table_code(table, name ? name : "", NAME);
    const int counts[] = {row->cases,   row->pass[0], row->fail[0], row->pass[1],
                          row->fail[1], row->only[0], row->only[1]};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        table_put(table, "%d", counts[i]);
    }
    table_put(table, "%s", text_number(row->ratio, ratio));
    table_code(table, shown, NAME);
    free(name);
}

static void put_table(struct page *page)
{
    static const char *const headings[] = {
        "cases",          "old: pass",          "fail",        "new: pass", "fail", "old only fails",
        "new only fails", "new/old error, ulp", "for instance"};
    struct compare_table rows;
    struct markdown_table table = {.columns = 10, .ok = true};
    if (!compare_table_build(page->comparison, page->options->by_family, &rows)) {
        page->out.ok = false;
        return;
    }
    char *why = markdown_code(page->comparison->why, 200, false);
    markdown_put(&page->out, "%s: a table, not a regression.\n\n", why ? why : "");
    table_put(&table, page->options->by_family ? "family" : "operator");
    for (int i = 0; i < 9; i++) {
        table_put(&table, "%s", headings[i]);
    }
    put_row(&table, &rows.all);
    for (int r = 0; r < rows.rows; r++) {
        put_row(&table, &rows.row[r]);
    }
    int left = table_print(&page->out, &table, "lrrrrrrrrl");
    markdown_say(&page->out, "\n");
    if (left > 0) {
        markdown_say(&page->out, "%d rows did not fit; `--format json` has them.\n\n", left);
    }
    table_destroy(&table);
    compare_table_destroy(&rows);
    free(why);
}

static void put_kind(struct page *page, enum change_kind kind)
{
    struct clusters clusters;
    struct markdown_table table = {.columns = 5, .ok = true};
    if (!compare_group(page->comparison, kind, &clusters)) {
        page->out.ok = false;
        return;
    }
    int64_t most = page->options->shown;
    int shown = most > 0 && most < clusters.count ? (int)most : clusters.count;
    const char *const headings[] = {"cases", "operator/dtype", "by", "example", "what"};
    for (int i = 0; i < 5; i++) {
        table_put(&table, "%s", headings[i]);
    }
    for (int c = 0; c < shown; c++) {
        const struct cluster *cluster = &clusters.cluster[c];
        const struct change *change = cluster->of;
        char name[160], *what = compare_what(change);
        const char *example = change->before->id;
        int length;
        record_id_part(example, 3, &example, &length);
        snprintf(name, sizeof name, "%.*s/%.*s",
                 cluster->operator_length > 70 ? 70 : cluster->operator_length, cluster->operator,
                 cluster->dtype_length> 70 ? 70 : cluster->dtype_length, cluster->dtype);
        table_put(&table, "%d", cluster->count);
        table_code(&table, name, NAME);
        table_code(&table, cluster->rule, NAME);
        table_code(&table, example, NAME);
        table_code(&table, what ? what : "", WHAT);
        free(what);
    }
    bool fits = !clusters.count ||
                markdown_put(&page->out, "### %s: %d\n\n", compare_kinds[kind].title, clusters.cases);
    int left = clusters.count && fits ? table_print(&page->out, &table, "rllll") : clusters.count;
    left = fits ? left + (clusters.count ? clusters.count - shown : 0) : clusters.count;
    if (clusters.count) {
        markdown_put(&page->out, "\n");
    }
    if (left > 0) {
        markdown_say(&page->out, "%d group%s did not fit; `--format json` has %s.\n\n", left,
                     left == 1 ? "" : "s", left == 1 ? "it" : "them");
    }
    table_destroy(&table);
    clusters_destroy(&clusters);
}

bool compare_markdown(FILE *to, const struct results *after, const struct comparison *comparison,
                      const struct compare_options *options)
{
    struct page page = {.after = after,
                        .comparison = comparison,
                        .options = options,
                        .gate = compare_gate(comparison, options)};
    if (!markdown_begin(&page.out)) {
        return false;
    }
    put_head(&page);
    put_failing(&page);
    markdown_section(&page.out, TABLE);
    if (comparison->why[0]) {
        put_table(&page);
    }
    markdown_section(&page.out, GROUPS);
    for (int kind = 0; kind < CHANGE_KINDS; kind++) {
        if (!comparison->why[0] || (page.gate & GATE_WORSE)) {
            put_kind(&page, (enum change_kind)kind);
        }
    }
    bool good = page.out.ok && fwrite(page.out.text, 1, page.out.used, to) == page.out.used;
    markdown_end(&page.out);
    return good && !ferror(to);
}
