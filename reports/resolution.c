/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/resolution.h"

#include "reports/text.h"

#include <math.h>
#include <stdlib.h>

bool resolutions_add(struct resolutions *r, const struct record *record)
{
    if (!record_judged(record) || record->elements == 0 || isnan(record->resolution)) {
        return true;
    }
    if (r->count == r->room) {
        int room = r->room ? 2 * r->room : 16;
        double *larger = realloc(r->value, (size_t)room * sizeof *larger);
        if (!larger) {
            return false;
        }
        r->value = larger;
        r->room = room;
    }
    r->value[r->count++] = record->resolution;
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double resolutions_median(struct resolutions *r)
{
    if (r->count == 0) {
        return NAN;
    }
    qsort(r->value, (size_t)r->count, sizeof *r->value, ascending);
    return r->value[r->count / 2];
}

void resolutions_destroy(struct resolutions *r)
{
    free(r->value);
    *r = (struct resolutions){.count = 0};
}
