/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_COVERAGE_H
#define ASSAY_SUITES_COVERAGE_H

/* Which cases cover which item of suites/items.def, for `assay list --coverage`. */

#include "suites/suite.h"

#include <stdio.h>

struct coverage_item {
    const char *key, *section, *text;
};

int coverage_items(void);
const struct coverage_item *coverage_item(int index);
/* Returns the index of the item with that key, −1 if there is none. */
int coverage_find(const char *key, size_t length);

/* Returns the first key in the case's `covers` that names no item, as a pointer into `covers`; NULL if all
 * keys name one. */
const char *coverage_unknown(const struct suite_case *c);

/* Writes a Markdown table of items and cases (how many, and a few ids), then the table of each suite that has
 * a `coverage` function. Returns the number of items without a case plus the number of gaps that the suites
 * report, −1 when out of memory. */
int suite_coverage_write(FILE *file, const struct suite_list *list);

#endif
