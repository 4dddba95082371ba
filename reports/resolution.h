/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RESOLUTION_H
#define ASSAY_REPORTS_RESOLUTION_H

/* The resolution of several cases: the upper median of their resolutions, infinities included. Records of
 * unknown resolution and records without a judged element (refusals) do not count. */

#include "reports/records/record.h"

struct resolutions {
    int count, room;
    double *value;
};

bool resolutions_add(struct resolutions *r, const struct record *record); /* false when out of memory */

/* The upper median, so that at least half of the cases resolve this much; NaN where none is known. Sorts
 * `value`. */
double resolutions_median(struct resolutions *r);
void resolutions_destroy(struct resolutions *r);

#endif
