/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/losses.h"
#include "reports/parity.h"
#include "reports/report.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A table of texts, printed with columns padded to their widest text: it must read well without a renderer.
 */
struct table {
    int columns, cells, room;
    char **cell; /* row by row, owned */
    bool ok;
};

/* One line, with what Markdown would take for markup escaped. */
static char *escape(const char *text)
{
    char *shown = text_one_line(text), *copy = shown ? malloc(5 * strlen(shown) + 1) : NULL, *end = copy;
    for (const char *c = shown; copy && *c; c++) {
        if (*c == '<' || *c == '&')
            end = stpcpy(end, *c == '<' ? "&lt;" : "&amp;");
        else {
            if (strchr("|\\`*[]", *c)) /* brackets make links, to whatever stands behind them */
                *end++ = '\\';
            *end++ = *c;
        }
    }
    if (copy)
        *end = 0;
    free(shown);
    return copy;
}

static void put(struct table *table, const char *text)
{
    if (table->ok && table->cells == table->room) {
        int more = table->room ? 2 * table->room : 64;
        char **larger = realloc(table->cell, (size_t)more * sizeof *larger);
        table->ok = larger;
        if (larger) {
            table->cell = larger;
            table->room = more;
        }
    }
    char *copy = table->ok ? escape(text) : NULL;
    table->ok = copy;
    if (copy)
        table->cell[table->cells++] = copy;
}

static void putf(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void putf(struct table *table, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    table->ok = table->ok && text;
    put(table, text);
    free(text);
}

/* The first row is the heading; numeric columns stand on the right. */
static void print(FILE *to, const struct table *table, const bool *numeric)
{
    int n = table->columns;
    int *width = calloc((size_t)n, sizeof *width);
    for (int i = 0; width && i < table->cells; i++) {
        int columns = utf8_columns(table->cell[i]);
        width[i % n] = columns > width[i % n] ? columns : width[i % n];
    }
    for (int i = 0; width && i < table->cells; i++) {
        int gap = width[i % n] - utf8_columns(table->cell[i]);
        bool right = numeric[i % n];
        fprintf(to, "| %*s%s%*s %s", right ? gap : 0, "", table->cell[i], right ? 0 : gap, "",
                i % n == n - 1 ? "|\n" : "");
        for (int k = 0; i == n - 1 && k < n; k++) {
            fprintf(to, "|%s", numeric[k] ? "-" : ":");
            for (int dash = 0; dash < width[k]; dash++)
                putc('-', to);
            fprintf(to, "%s%s", numeric[k] ? ":" : "-", k == n - 1 ? "|\n" : "");
        }
    }
    free(width);
}

static void table_destroy(struct table *table)
{
    for (int i = 0; i < table->cells; i++)
        free(table->cell[i]);
    free(table->cell);
}

/* --- the environment: one row per property, one column per backend */

enum environment { DEVICE, DRIVER, API, ASSAY, STARTED, LEVEL, SEED, OS, CPU, MEMORY, LINES };

static void put_environment(struct table *table, const struct record_header *header, enum environment what)
{
    const char *const texts[LINES] = {
        [DEVICE] = header->device,   [DRIVER] = header->driver, [API] = header->api,
        [STARTED] = header->started, [LEVEL] = header->level,   [OS] = header->os,
        [CPU] = header->cpu};
    if (what == ASSAY)
        putf(table, "%s (%s)", header->assay, header->commit ? header->commit : "unknown");
    else if (what == SEED)
        putf(table, "%" PRIu64, header->seed);
    else if (what == MEMORY)
        putf(table, "%.1f GiB, device %.1f GiB", (double)header->memory_bytes * 0x1p-30,
             (double)header->device_memory_bytes * 0x1p-30);
    else
        put(table, texts[what]);
}

/* The profile's or the environment's entries of a column. */
static int entries(const struct parity_column *column, bool profile, const struct record_pair **pairs)
{
    const struct record_header *header = column->header;
    *pairs = !header ? NULL : profile ? header->profile : header->environment;
    return !header ? 0 : profile ? header->profile_count : header->environment_count;
}

static const char *lookup(const struct parity_column *column, bool profile, const char *name)
{
    const struct record_pair *pairs;
    int n = entries(column, profile, &pairs);
    for (int i = 0; i < n; i++) {
        if (!strcmp(pairs[i].name, name))
            return pairs[i].value ? pairs[i].value : "";
    }
    return NULL;
}

/* One row per name that any backend has, in the order in which they come up. */
static void put_entries(struct table *table, const struct parity *parity, bool profile)
{
    for (int k = 0; k < parity->columns; k++) {
        const struct record_pair *pairs;
        int n = entries(&parity->column[k], profile, &pairs);
        for (int i = 0; i < n; i++) {
            bool known = false;
            for (int before = 0; before < k; before++)
                known = known || lookup(&parity->column[before], profile, pairs[i].name);
            if (known)
                continue;
            putf(table, "%s%s", profile ? "profile: " : "", pairs[i].name);
            for (int each = 0; each < parity->columns; each++) {
                const char *value = lookup(&parity->column[each], profile, pairs[i].name);
                put(table, value ? value : "-");
            }
        }
    }
}

static bool print_environment(FILE *to, const struct parity *parity)
{
    static const char *const names[LINES] = {"device", "driver", "API", "assay", "started",
                                             "level",  "seed",   "OS",  "CPU",   "memory"};
    struct table table = {.columns = parity->columns + 1, .ok = true};
    bool *numeric = calloc((size_t)table.columns, sizeof *numeric);
    table.ok = numeric;
    put(&table, "environment");
    for (int k = 0; k < parity->columns; k++)
        put(&table, parity->column[k].backend);
    for (int line = 0; line < LINES; line++) {
        put(&table, names[line]);
        for (int k = 0; k < parity->columns; k++) {
            if (parity->column[k].header)
                put_environment(&table, parity->column[k].header, (enum environment)line);
            else
                put(&table, "unknown");
        }
    }
    put_entries(&table, parity, true);
    put_entries(&table, parity, false);
    if (table.ok)
        print(to, &table, numeric);
    free(numeric);
    table_destroy(&table);
    return table.ok;
}

/* --- the table itself */

enum { KEYS = 2, GROUP = 10 };
static const char *const group_names[GROUP] = {"verdict",       "cases",     "max ulp",    "bias ulp",
                                               "max err/bound", "quality",   "resolution", "implausible",
                                               "vacuous",       "worst case"};

static void put_number(struct table *table, double value)
{
    char text[TEXT_NUMBER];
    put(table, text_number(value, text));
}

/* Median resolution; "3, up to 12.4" findings. */
static void put_envelope(struct table *table, const struct parity_cell *cell)
{
    char text[TEXT_NUMBER];
    put(table, cell->judged ? text_resolution(cell->resolution, text) : "-");
    if (cell->implausible)
        putf(table, "%d, up to %s", cell->implausible, text_number(cell->most_implausible, text));
    else
        put(table, cell->judged ? "0" : "-");
}

static void put_cell(struct table *table, const struct parity_cell *cell)
{
    if (!cell->cases) {
        for (int i = 0; i < GROUP; i++)
            put(table, "-");
        return;
    }
    char *verdict = parity_verdict(cell);
    const char *worst = cell->worst->id;
    int length;
    record_id_part(cell->worst->id, 3, &worst, &length); /* the row says the rest */
    put(table, verdict);
    putf(table, "%d", cell->cases);
    put_number(table, cell->max_ulp);
    put_number(table, cell->bias_ulp);
    put_number(table, cell->max_nu);
    put_number(table, cell->quality_nu);
    put_envelope(table, cell);
    if (isnan(cell->vacuous))
        put(table, "-");
    else
        putf(table, "%.0f %%", 100 * cell->vacuous);
    put(table, worst);
    free(verdict);
}

static void put_group_heading(struct table *table, const struct parity_column *column)
{
    const char *device = column->header ? column->header->device : NULL;
    putf(table, "%s%s%s: %s", column->backend, device ? ", " : "", device ? device : "", group_names[0]);
}

static bool print_rows(FILE *to, const struct parity *parity)
{
    struct table table = {.columns = KEYS + GROUP * parity->columns, .ok = true};
    bool *numeric = calloc((size_t)table.columns, sizeof *numeric);
    table.ok = numeric;
    put(&table, "operator");
    put(&table, "dtype");
    for (int k = 0; k < parity->columns; k++) {
        for (int i = 0; i < GROUP; i++) {
            if (i == 0)
                put_group_heading(&table, &parity->column[k]);
            else
                put(&table, group_names[i]);
            if (numeric)
                numeric[KEYS + k * GROUP + i] = i > 0 && i < GROUP - 1;
        }
    }
    for (int i = 0; i < parity->rows; i++) {
        putf(&table, "%s/%s", parity->row[i].family, parity->row[i].op);
        put(&table, parity->row[i].dtype);
        for (int k = 0; k < parity->columns; k++)
            put_cell(&table, &parity->row[i].cell[k]);
    }
    if (table.ok)
        print(to, &table, numeric);
    free(numeric);
    table_destroy(&table);
    return table.ok;
}

static const char legend[] =
    "Each backend's columns begin with its verdict: the worst status of the row's cases, with counts where "
    "they "
    "differ.\n"
    "\n"
    "- **max ulp**: the largest error of a finite element, in units in the last place of the dtype.\n"
    "- **bias ulp**: the mean signed error against the correctly rounded truth, of the case where it is "
    "largest.\n"
    "- **max err/bound**: the largest error over the certified bound; above 1 a case fails.\n"
    "- **quality**: the largest error over a good implementation's bound; a grade, never a verdict.\n"
    "- **resolution**: what half the cases see: the least relative error of scale, of a whole result, that "
    "fails. `none`: no such error would; `–`: not known (records of version 1, procedures).\n"
    "- **implausible**: cases beyond what independent rounding errs, and the greatest factor beyond its "
    "limit; a finding, never a failure.\n"
    "- **vacuous**: the share of judged cases that are evidence of nothing: the bound is too wide, or a "
    "wrong "
    "answer such as zeros would pass; never a pass.\n"
    "- **worst case**: the case to look at first, by status, then by error over bound.\n"
    "- `-`: nothing was measured.\n";

bool report_markdown(FILE *to, const struct results *results, struct error *error)
{
    struct parity parity;
    if (!parity_build(results, &parity, error))
        return false;
    fputs("# Parity\n\n", to);
    struct losses losses;
    bool found = losses_find(results, false, &losses);
    for (int i = 0; i < losses.count; i++) {
        char text[256], *shown = escape(loss_text(&losses.loss[i], text, sizeof text));
        fprintf(to, "**Incomplete.** %s.\n\n", shown ? shown : "");
        free(shown);
    }
    losses_destroy(&losses);
    bool ok = found && print_environment(to, &parity);
    putc('\n', to);
    ok = ok && print_rows(to, &parity);
    fprintf(to, "\n%s", legend);
    parity_destroy(&parity);
    ok = fflush(to) == 0 && !ferror(to) && ok;
    return ok || error_set(error, "Markdown: could not write the file");
}
