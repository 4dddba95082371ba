/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_HELP_PAGES_H
#define ASSAY_HARNESS_CLI_HELP_PAGES_H

/* The pages of docs/reference that the program prints: `assay help --markdown PAGE`. A page is named by its
 * path there, without ".md": "cli", "cli/run", "operators", "operators/linalg". */

#include "harness/cli/commands.h"

/* The names of all pages, one a line. The exit status. */
int help_page_names(const struct command *commands);

/* One page; EXIT_USAGE where there is no such page. */
int help_page(const struct command *commands, const char *page);

/* --- for help_pages.c: what is known of the operators (help_operators.c) */

/* The family of the operators number `index`, in the order in which the registry names them; NULL at the end.
 */
const char *help_operator_family(int index);

/* True if an operator of assay is of this family. */
bool help_has_operators(const char *family);

/* The page of all families, or of one. False: out of memory. */
bool help_operator_families(void);
bool help_operators_of(const char *family);

#endif
