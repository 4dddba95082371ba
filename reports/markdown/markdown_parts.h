/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_MARKDOWN_MARKDOWN_PARTS_H
#define ASSAY_REPORTS_MARKDOWN_MARKDOWN_PARTS_H

/* Sections of the Markdown report. A backend's number there is its place among the columns, from 1. */

#include "reports/markdown/markdown_text.h"
#include "reports/parity.h"

enum { MARKDOWN_NAME = 40 }; /* width of a name in a table */

/* Prints the matrix of operator × dtype, one symbol per backend, and the legend of the symbols. */
void markdown_matrix(struct markdown *markdown, const struct parity *parity);

/* The totals and the matrix alone, for the page; the caller frees the text. NULL when out of memory. */
char *markdown_tables(const struct results *results, const struct parity *parity);

/* Prints the counts of all cells whose cases have several statuses, folded. */
void markdown_mixed(struct markdown *markdown, const struct parity *parity);

/* Prints the environment of all backends, folded. */
void markdown_environment(struct markdown *markdown, const struct parity *parity);

#endif
