/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/memory.h"
#include "reports/clusters.h"
#include "reports/markdown/markdown_parts.h"
#include "reports/records/losses.h"
#include "reports/report.h"
#include "reports/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The size of each section in bytes; the next section may use what one leaves over. */
enum {
    HEAD = 2000,
    TOTALS = 8000,
    KINDS = 11000,
    EXAMPLES = 7000,
    MATRIX = 23000,
    MIXED = 2000,
    FINDINGS = 3000,
    PLACES = 4000,
    SECTIONS = 8
};
_Static_assert(HEAD + TOTALS + KINDS + EXAMPLES + MATRIX + MIXED + FINDINGS + PLACES +
                       (SECTIONS + 1) * MARKDOWN_SPARE <=
                   MARKDOWN_MOST,
               "the sections fit a comment");

enum {
    KINDS_MOST = 100,
    EXAMPLES_MOST = 40,
    FINDINGS_MOST = 20,
    EXAMPLE_COLUMNS = 200,
    SHORT_NAME = 26,
    LOSSES_MOST = 4
};

struct page {
    struct markdown out;
    const struct results *results;
    unsigned gate;
    struct parity parity;
};

static bool alone(const struct page *page)
{
    return page->parity.columns == 1;
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static void put_number(struct markdown_table *table, double value)
{
    char text[TEXT_NUMBER];
    table_put(table, "%s", text_number(value, text));
}

/* --- the gate and losses */

static void put_head(struct page *page)
{
    static const char *const verdicts[] = {[0] = "gate: PASS",
                                           [1] = "gate: FAIL",
                                           [3] = "nothing judged: every case of a backend is unsupported"};
    struct losses losses;
    markdown_section(&page->out, HEAD);
    markdown_put(&page->out, "## assay: %s\n\n", verdicts[report_exit_status(page->results, page->gate)]);
    page->out.ok = losses_find(page->results, false, &losses) && page->out.ok;
    for (int i = 0; i < losses.count && i < LOSSES_MOST; i++) {
        char *text = loss_text(&losses.loss[i]), *shown = text ? markdown_code(text, 300, false) : NULL;
        markdown_put(&page->out, "**Incomplete.** %s\n\n", shown ? shown : "");
        free(shown);
        free(text);
    }
    if (losses.count > LOSSES_MOST) {
        markdown_put(&page->out, "**Incomplete**: %d more backends.\n\n", losses.count - LOSSES_MOST);
    }
    losses_destroy(&losses);
}

/* --- a row per backend */

struct total {
    int cases, count[STATUS_COUNT], implausible, range;
    struct resolutions seen;
    double resolution;
};

static void count_all(struct page *page, struct total *total)
{
    for (int i = 0, column = -1; i < page->results->records; i++) {
        const struct record *record = &page->results->record[i];
        column = parity_column_after(&page->parity, record->backend, column);
        struct total *of = &total[column];
        of->cases++;
        of->count[record->status]++;
        of->implausible += record->implausible > 0;
        of->range += record->range_findings > 0;
        page->out.ok = resolutions_add(&of->seen, record) && page->out.ok;
    }
    for (int k = 0; k < page->parity.columns; k++) {
        total[k].resolution = resolutions_median(&total[k].seen);
        resolutions_destroy(&total[k].seen);
    }
}

static void put_total(struct page *page, struct markdown_table *table, int k, const struct total *total)
{
    const struct record_header *header = page->parity.column[k].header;
    const int *count = total->count;
    char text[TEXT_NUMBER];
    int silent = count[STATUS_CRASH] + count[STATUS_TIMEOUT] + count[STATUS_ERROR] + count[STATUS_MISSING];
    int known = count[STATUS_EXPECTED_FAIL] + count[STATUS_UNEXPECTED_PASS] + count[STATUS_FLAKE];
    table_put(table, "%d", k + 1);
    table_code(table, page->parity.column[k].backend, SHORT_NAME);
    table_code(table, header && header->device ? header->device : "unknown", SHORT_NAME);
    table_code(table, header && header->driver ? header->driver : "unknown", SHORT_NAME);
    table_put(table, "%d", total->cases);
    table_put(table, "%d", count[STATUS_PASS]);
    table_put(table, count[STATUS_FAIL] ? "**%d**" : "%d", count[STATUS_FAIL]);
    table_put(table, silent ? "**%d**" : "%d", silent);
    table_put(table, "%d", count[STATUS_VACUOUS]);
    table_put(table, "%d", total->range);
    table_put(table, "%d", count[STATUS_UNSUPPORTED]);
    table_put(table, "%d", known);
    table_put(table, "%s", text_resolution(total->resolution, text));
}

/* Lists cases that fail only by an addition of the gate, with the option. */
static void put_additions(struct page *page, const struct total *total)
{
    int range = 0;
    for (int k = 0; k < page->parity.columns; k++) {
        range += total[k].range;
    }
    if (range) {
        markdown_put(
            &page->out,
            "%d range: an intermediate result overflows or underflows, as the profile declares%s.\n\n", range,
            page->gate & GATE_RANGE ? "; they fail the gate by `--fail-on range`" : "");
    }
    static const struct {
        enum gate_addition addition;
        enum status status;
    } kinds[] = {{GATE_UNSUPPORTED, STATUS_UNSUPPORTED},
                 {GATE_FLAKE, STATUS_FLAKE},
                 {GATE_UNEXPECTED_PASS, STATUS_UNEXPECTED_PASS},
                 {GATE_VACUOUS, STATUS_VACUOUS}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int sum = 0;
        for (int k = 0; k < page->parity.columns; k++) {
            sum += total[k].count[kinds[i].status];
        }
        const char *option = gate_option(kinds[i].addition, page->gate);
        if (option && sum) {
            markdown_put(&page->out, "%d %s: fails the gate by `%s`.\n\n", sum, status_name(kinds[i].status),
                         option);
        }
    }
}

static void put_totals(struct page *page)
{
    static const char *const headings[] = {"#",           "backend", "device",    "driver",  "cases",
                                           "pass",        "fail",    "no answer", "vacuous", "range",
                                           "unsupported", "other",   "sees"};
    struct markdown_table table = {.columns = sizeof headings / sizeof *headings, .ok = true};
    struct total *total = calloc((size_t)page->parity.columns + 1, sizeof *total);
    markdown_section(&page->out, TOTALS);
    for (int i = 0; i < table.columns; i++) {
        table_put(&table, "%s", headings[i]);
    }
    page->out.ok = page->out.ok && total;
    if (total) {
        count_all(page, total);
        for (int k = 0; k < page->parity.columns; k++) {
            put_total(page, &table, k, &total[k]);
        }
        int left = table_print(&page->out, &table, "rlllrrrrrrrrr");
        if (left > 0) {
            markdown_say(&page->out, "\n%d backends did not fit; csv has them.\n", left);
        }
        markdown_say(&page->out, "\n");
        put_additions(page, total);
    }
    free(total);
    table_destroy(&table);
}

/* --- failures, in clusters */

static void put_kind(const struct page *page, struct markdown_table *table, const struct cluster *kind)
{
    char name[160];
    const char *example = kind->example->id;
    int length;
    record_id_part(example, 3, &example, &length); /* the row has the other parts of the id */
    table_put(table, "%d", kind->count);
    if (!alone(page)) {
        table_code(table, kind->backend, SHORT_NAME);
    }
    snprintf(name, sizeof name, "%.*s/%.*s", kind->operator_length > 70 ? 70 : kind->operator_length,
             kind->operator, kind->dtype_length> 70 ? 70 : kind->dtype_length, kind->dtype);
    table_code(table, name, MARKDOWN_NAME);
    table_code(table, kind->rule, MARKDOWN_NAME);
    put_number(table, kind->weight > 0                       ? kind->weight
                      : kind->example->status == STATUS_FAIL ? record_nu(kind->example)
                                                             : NAN);
    table_code(table, example, MARKDOWN_NAME);
}

/* Prints a table of clusters. Returns how many it left out; −1 when out of memory. */
static int put_kinds(struct page *page, const struct clusters *kinds, int most, const char *count,
                     const char *rule, const char *worst)
{
    const char *headings[] = {count, "backend", "operator/dtype", rule, worst, "example"};
    struct markdown_table table = {.columns = alone(page) ? 5 : 6, .ok = true};
    int shown = kinds->count < most ? kinds->count : most;
    for (int i = 0; i < 6; i++) {
        if (i != 1 || !alone(page)) {
            table_put(&table, "%s", headings[i]);
        }
    }
    for (int k = 0; k < shown; k++) {
        put_kind(page, &table, &kinds->cluster[k]);
    }
    int left = table_print(&page->out, &table, alone(page) ? "rllrl" : "rlllrl");
    table_destroy(&table);
    markdown_say(&page->out, "\n");
    return left < 0 ? left : left + kinds->count - shown;
}

/* Prints the example of each cluster as the terminal shows it, as many as there is room for. */
static void put_examples(struct page *page, const struct clusters *kinds)
{
    char *text = NULL;
    size_t size = 0;
    int shown = 0;
    FILE *to = open_memstream(&text, &size);
    markdown_section(&page->out, EXAMPLES);
    page->out.ok = page->out.ok && to;
    if (!to) {
        return;
    }
    /* An estimate: cutting lines shortens the text, fences and headings lengthen it. */
    size_t room = page->out.room - page->out.used - MARKDOWN_SPARE, whole = 0;
    for (; shown < kinds->count && shown < EXAMPLES_MOST; shown++) {
        report_failure(to, kinds->cluster[shown].example);
        fputc('\n', to);
        if (fflush(to) != 0 || (size > room && shown > 0)) {
            break;
        }
        whole = size;
    }
    if (memory_stream_text(to, &text)) {
        text[whole] = 0;
    }
    page->out.ok = page->out.ok && text;
    markdown_put(&page->out,
                 "<details><summary>%s %d of %d group%s, with the command that replays it</summary>\n\n",
                 shown == 1 ? "An example of" : "Examples of", shown, kinds->count, plural(kinds->count));
    int left = text ? markdown_block(&page->out, text, EXAMPLE_COLUMNS) : 0;
    if (left) {
        markdown_say(&page->out, "\n%d lines did not fit.\n", left);
    }
    markdown_say(&page->out, "\n</details>\n\n");
    free(text);
}

static void put_failures(struct page *page)
{
    struct clusters kinds;
    markdown_section(&page->out, KINDS);
    if (!clusters_build(page->results, NULL, page->gate & (GATE_RANGE | GATE_IMPLAUSIBLE), &kinds)) {
        page->out.ok = false;
        return;
    }
    if (kinds.count) {
        markdown_put(&page->out, "### %d failure%s in %d group%s\n\n", kinds.cases, plural(kinds.cases),
                     kinds.count, plural(kinds.count));
        int left = put_kinds(page, &kinds, KINDS_MOST, "cases", "rule", "error/bound");
        if (left > 0) {
            markdown_say(&page->out,
                         "%d group%s did not fit; `assay report RESULTS --format text --show 0` has all.\n\n",
                         left, plural(left));
        }
        put_examples(page, &kinds);
    }
    clusters_destroy(&kinds);
}

/* --- findings: errors beyond independent rounding */

static void put_findings(struct page *page)
{
    struct clusters kinds;
    markdown_section(&page->out, FINDINGS);
    if (!clusters_implausible(page->results, &kinds)) {
        page->out.ok = false;
        return;
    }
    if (kinds.count) {
        markdown_put(&page->out, "### %d implausible\n\n", kinds.cases);
        markdown_put(&page->out,
                     "Errors that are larger than independent rounding explains, in cases where that proves "
                     "nothing: findings%s.\n\n",
                     page->gate & GATE_IMPLAUSIBLE ? "; they fail the gate by `--fail-on implausible`"
                                                   : ", no failures");
        int left = put_kinds(page, &kinds, FINDINGS_MOST, "cases", "by", "times the limit");
        if (left > 0) {
            markdown_say(&page->out,
                         "%d group%s did not fit; `assay report RESULTS --format html` has all.\n\n", left,
                         plural(left));
        }
    }
    clusters_destroy(&kinds);
}

char *markdown_tables(const struct results *results, const struct parity *parity)
{
    struct page page = {.results = results, .parity = *parity};
    if (!markdown_begin(&page.out)) {
        return NULL;
    }
    put_totals(&page);
    markdown_section(&page.out, MARKDOWN_MOST);
    markdown_matrix(&page.out, parity);
    char *text = page.out.ok ? strdup(page.out.text) : NULL;
    markdown_end(&page.out);
    return text;
}

bool report_markdown(FILE *to, const struct results *results, unsigned gate, struct error *error)
{
    struct page page = {.results = results, .gate = gate};
    if (!parity_build(results, &page.parity, error)) {
        return false;
    }
    bool ok = markdown_begin(&page.out);
    if (ok) {
        put_head(&page);
        put_totals(&page);
        put_failures(&page);
        markdown_section(&page.out, MATRIX);
        markdown_matrix(&page.out, &page.parity);
        markdown_section(&page.out, MIXED);
        markdown_mixed(&page.out, &page.parity);
        put_findings(&page);
        markdown_section(&page.out, PLACES);
        markdown_environment(&page.out, &page.parity);
        ok = page.out.ok && fwrite(page.out.text, 1, page.out.used, to) == page.out.used;
    }
    parity_destroy(&page.parity);
    markdown_end(&page.out);
    ok = fflush(to) == 0 && !ferror(to) && ok;
    return ok || error_set(error, "Markdown: could not write the file");
}
