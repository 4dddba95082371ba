/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_MARKDOWN_MARKDOWN_PARTS_H
#define ASSAY_REPORTS_MARKDOWN_MARKDOWN_PARTS_H

/* Sections of the Markdown report. Backends have numbers there, their places among the columns. */

#include "reports/markdown/markdown_text.h"
#include "reports/parity.h"

enum { MARKDOWN_NAME = 40 }; /* columns of a name in a table */

/* Operator × dtype, one symbol per backend, and what the symbols mean. */
void markdown_matrix(struct markdown *markdown, const struct parity *parity);

/* Where everything ran, folded. */
void markdown_environment(struct markdown *markdown, const struct parity *parity);

#endif
