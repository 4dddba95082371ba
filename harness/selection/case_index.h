/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SELECTION_CASE_INDEX_H
#define ASSAY_HARNESS_SELECTION_CASE_INDEX_H

/* The cases of a list, sorted by id, for looking up many ids: suite_list_find compares each id with every
 * case. */

#include "suites/suite.h"

struct case_place {
    const char *id; /* borrowed from the list */
    int index;      /* in the list */
};

struct case_index {
    int count;
    struct case_place *place; /* ascending by id; owned */
};

/* Returns false when out of memory; the index is then empty. */
bool case_index_create(const struct suite_list *list, struct case_index *index);
void case_index_destroy(struct case_index *index);

/* The place of the case of this id, within `place`; NULL where there is none. */
const struct case_place *case_index_find(const struct case_index *index, const char *id);

#endif
