/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_HTML_HTML_DATA_H
#define ASSAY_REPORTS_HTML_HTML_DATA_H

/* What the page knows: one JSON object of columns, which reports/page/data.js reads.
 *
 *   statuses    their names; a record's is the letter 'a' + index, '.' where a backend has no record
 *   rows        [family, operator, dtype], as the parity table's
 *   cases       row by row: in (how many of each row), name, source (a text)
 *   backends    header, summary, cells (one entry per row), records (one per case that has one), told (what
 *               is said of some of them: reasons, worst elements), series, errors (by input, of the rows
 *               that have them)
 *   texts       by number, wherever a text is one
 *
 * A name that is a list of one is a whole id. Numbers have four digits, those of failures and worst elements
 * all. */

#include "reports/html/html_text.h"
#include "reports/records/losses.h"
#include "reports/parity.h"

/* Worst elements and details are told of so many cases of a cell: those to look at first. Reasons of all. */
enum { HTML_SHOWN_MAX = 16 };

/* A case: one record per backend, NULL where it has none. */
struct html_case {
    int row;
    const struct record **record; /* one per column */
};

struct html_data {
    const struct parity *parity;
    int cases;
    struct html_case *at;
    const struct record **all; /* what the cases point into */
    struct html_texts texts;
};

/* False when out of memory. Borrows from both. */
bool html_data_build(const struct results *results, const struct parity *parity, struct html_data *data);
bool html_data_write(FILE *to, struct html_data *data, const struct losses *losses);
void html_data_destroy(struct html_data *data);

/* The columns of one backend: its records, what is told of them, its curves. */
void html_records_write(FILE *to, struct html_data *data, int column);
bool html_shown_write(FILE *to, struct html_data *data, int column);
void html_series_write(FILE *to, const struct html_data *data, int column);
/* Errors by input, cell by cell. False when out of memory. */
bool html_errors_write(FILE *to, const struct html_data *data, int column);

#endif
