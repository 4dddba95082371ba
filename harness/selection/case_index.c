/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/case_index.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct case_place *)a)->id, ((const struct case_place *)b)->id);
}

bool case_index_create(const struct suite_list *list, struct case_index *index)
{
    size_t count = (size_t)suite_list_count(list);
    *index = (struct case_index){.place = malloc((count + 1) * sizeof *index->place)};
    if (!index->place) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        index->place[i] = (struct case_place){suite_list_id(list, (int)i), (int)i};
    }
    index->count = (int)count;
    qsort(index->place, count, sizeof *index->place, by_id);
    return true;
}

void case_index_destroy(struct case_index *index)
{
    free(index->place);
    *index = (struct case_index){.count = 0};
}

const struct case_place *case_index_find(const struct case_index *index, const char *id)
{
    const struct case_place key = {id, 0};
    return bsearch(&key, index->place, (size_t)index->count, sizeof key, by_id);
}
