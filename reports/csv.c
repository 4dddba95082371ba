/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/groups.h"
#include "reports/parity.h"
#include "reports/records/losses.h"
#include "reports/report.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True if a spreadsheet would evaluate the text: the first characters that OWASP lists for CSV injection, and
 * their full-width forms. */
static bool formula(const char *text)
{
    static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
    bool runs = *text && strchr("=+-@\t\n", *text);
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        runs = runs || strncmp(text, wide[i], strlen(wide[i])) == 0;
    }
    return runs;
}

/* Writes a field as RFC 4180 says: a field with a comma, quote or line break is quoted, quotes in it are
 * doubled. A text that a spreadsheet would evaluate is preceded by an apostrophe, because a device may have
 * any name. Control and invisible characters are spelled out. */
static void cell(FILE *to, const char *text, const char *after)
{
    char *shown = utf8_visible(text);
    const char *c = shown ? shown : "";
    const char *mark = formula(c) ? "'" : "";
    if (!strpbrk(c, ",;\"\t\n")) {
        fprintf(to, "%s%s%s", mark, c, after);
        free(shown);
        return;
    }
    fprintf(to, "\"%s", mark);
    for (; *c; c++) {
        if (*c == '"') {
            putc('"', to);
        }
        putc(*c, to);
    }
    fprintf(to, "\"%s", after);
    free(shown);
}

/* Full precision, for machines; empty where no case gave a number. */
static void number(FILE *to, double value)
{
    char text[TEXT_NUMBER];
    fprintf(to, "%s,", isnan(value) ? "" : text_exact(value, text));
}

static void line(FILE *to, const struct parity_row *row, const struct parity_column *column,
                 const struct parity_cell *at)
{
    const struct record_header *header = column->header;
    cell(to, row->family, ",");
    cell(to, row->op, ",");
    cell(to, row->dtype, ",");
    cell(to, column->backend, ",");
    cell(to, header ? header->device : "", ",");
    cell(to, header ? header->driver : "", ",");
    cell(to, status_name(at->verdict), ",");
    fprintf(to, "%d,", at->cases);
    for (int status = 0; status < STATUS_COUNT; status++) {
        fprintf(to, "%d,", at->count[status]);
    }
    number(to, at->max_ulp);
    number(to, at->mean_ulp);
    number(to, at->bias_ulp);
    number(to, at->bit_exact);
    number(to, at->faithful);
    number(to, at->allowed_ulp);
    number(to, at->max_nu);
    number(to, at->quality_nu);
    number(to, at->resolution);
    fprintf(to, "%d,", at->implausible);
    number(to, at->most_implausible);
    number(to, at->vacuous);
    cell(to, at->worst->id, ",");
    fprintf(to, "%d\r\n", at->range);
}

/* Writes one row without family per loss; its last text field is the loss in words. */
static bool put_losses(FILE *to, const struct results *results)
{
    struct losses losses;
    bool good = losses_find(results, false, &losses);
    for (int i = 0; good && i < losses.count; i++) {
        const struct loss *loss = &losses.loss[i];
        const struct record_header *header = results_header(results, loss->backend);
        char *text = loss_text(loss);
        fputs(",,,", to);
        cell(to, loss->backend, ",");
        cell(to, header ? header->device : "", ",");
        cell(to, header ? header->driver : "", ",");
        fprintf(to, "%s,%" PRId64 ",", status_name(STATUS_MISSING), loss->lost);
        for (int status = 0; status < STATUS_COUNT; status++) {
            fprintf(to, "%" PRId64 ",", status == STATUS_MISSING ? loss->lost : 0);
        }
        fputs(",,,,,,,,,0,,,", to);
        cell(to, text, ",0\r\n");
        good = text;
        free(text);
    }
    losses_destroy(&losses);
    return good;
}

bool report_csv(FILE *to, const struct results *results, struct error *error)
{
    struct parity parity;
    if (!parity_build(results, &parity, error)) {
        return false;
    }
    fputs("family,operator,dtype,backend,device,driver,verdict,cases,", to);
    for (int status = 0; status < STATUS_COUNT; status++) {
        fprintf(to, "%s,", status_name((enum status)status));
    }
    fputs("max_ulp,mean_ulp,bias_ulp,bit_exact,faithful,allowed_ulp,max_error_over_bound,quality,median_"
          "resolution,implausible,most_implausible,"
          "vacuous_share,worst_case,range\r\n",
          to);
    for (int i = 0; i < parity.rows; i++) {
        for (int k = 0; k < parity.columns; k++) {
            if (parity.row[i].cell[k].cases) {
                line(to, &parity.row[i], &parity.column[k], &parity.row[i].cell[k]);
            }
        }
    }
    parity_destroy(&parity);
    if (!put_losses(to, results)) {
        return error_set(error, "CSV: out of memory");
    }
    return (fflush(to) == 0 && !ferror(to)) || error_set(error, "CSV: could not write the file");
}
