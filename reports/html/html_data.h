/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_HTML_HTML_DATA_H
#define ASSAY_REPORTS_HTML_HTML_DATA_H

/* The data of the parity page: one JSON object of columns, which reports/page/data.js reads.
 *
 *   title       the heading of the page; null: the page makes one of the backends' names
 *   statuses    their names; a record's status is the letter 'a' + index, '.' where a backend has no record
 *   severity    by status, for orders; signs, meanings: by status (parity_sign), and of range cells
 *   rows        [family, operator, dtype], as in the parity table
 *   cases       row by row: in (the number of cases of each row), name, source (index of a text)
 *   backends    header, summary, cells (one entry per row), records (one per case that has one), told (the
 *               reasons, worst elements and details of some records), series, errors (by input, of the rows
 *               that have them)
 *   losses      in words; lost: [backend, number of cases] of each of them
 *   markdown    totals and matrix as the Markdown report prints them
 *   before      of another release: its backends, whose `of` is the index of a backend here or −1; `cells`
 *               has [verdict, greatest error / bound, range, counts] or 0 per row; `gone` the rows that are
 *               there only: [family, operator, dtype, index in before.backends, cell]
 *   texts       the texts that other members refer to by index
 *
 * The name of a case is the part of its id behind the family, operator and dtype of its row. If the id does
 * not begin with them, the name is a list with one text, the whole id. Most numbers are rounded to four
 * digits. Those of cells, failures and worst elements are exact: reading them gives the same double. */

#include "reports/html/html_text.h"
#include "reports/parity.h"
#include "reports/records/losses.h"

/* The page has worst elements and details of this many cases of a cell, the worst first. It has the reasons
 * of all. */
enum { HTML_SHOWN_MAX = 16 };

/* A case; `record` has one entry per column, NULL where the backend has no record. */
struct html_case {
    int row;
    const struct record **record; /* one per column */
};

struct html_data {
    const struct results *results;
    const struct parity *parity;
    int cases;
    struct html_case *at;
    const struct record **all; /* storage of the cases' `record` arrays */
    struct html_texts texts;
};

/* Builds and writes the data; it borrows from results and parity. `before` may be NULL. False when out of
 * memory. */
bool html_data_build(const struct results *results, const struct parity *parity, struct html_data *data);
bool html_data_write(FILE *to, struct html_data *data, const struct losses *losses, const char *title,
                     const struct parity *before);
void html_data_destroy(struct html_data *data);

/* Write members other than the backends: title and signs; what is lost; the Markdown text; the release
 * before. False when out of memory. */
void html_words_write(FILE *to, const char *title);
void html_losses_write(FILE *to, const struct losses *losses);
bool html_markdown_write(FILE *to, const struct html_data *data);
void html_before_write(FILE *to, const struct parity *parity, const struct parity *before);

/* Writes the members of a backend that say where it ran. */
void html_header_write(FILE *to, const struct parity_column *column);

/* Write the columns of one backend: its records, the details of some of them, its curves. False when out of
 * memory. */
void html_records_write(FILE *to, struct html_data *data, int column);
bool html_shown_write(FILE *to, struct html_data *data, int column);
void html_series_write(FILE *to, const struct html_data *data, int column);
/* Writes the errors by input of each cell. False when out of memory. */
bool html_errors_write(FILE *to, const struct html_data *data, int column);

#endif
