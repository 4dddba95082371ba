/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_COVERAGE_H
#define ASSAY_SUITES_COVERAGE_H

/* Which case answers which item of suites/items.def. */

#include "suites/suite.h"

#include <stdio.h>

struct coverage_item {
    const char *key, *section, *text;
};

int coverage_items(void);
const struct coverage_item *coverage_item(int index);
int coverage_find(const char *key, size_t length); /* index of an item, −1 when no item has that key */

/* The first word of a case's `covers` that names no item; NULL when all do. Points into `covers`. */
const char *coverage_unknown(const struct suite_case *c);

/* Writes the Markdown table item → cases (the first few ids, and the count), and the tables of the suites
 * (`coverage` of struct suite). Returns the number of items that no case answers and of the suites' gaps, −1 when
 * out of memory. */
int suite_coverage_write(FILE *file, const struct suite_list *list);

#endif
