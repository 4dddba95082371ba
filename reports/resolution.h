/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RESOLUTION_H
#define ASSAY_REPORTS_RESOLUTION_H

/* What several cases resolve: the median of their resolutions, infinities included. A record whose resolution
 * is not known, or that judged no element (a refusal), does not count. */

#include "reports/records/record.h"

struct resolutions {
    int count, room;
    double *value;
};

bool resolutions_add(struct resolutions *r, const struct record *record); /* false when out of memory */

/* The upper median, so that half the cases see at least this; NaN where none is known. Sorts. */
double resolutions_median(struct resolutions *r);
void resolutions_destroy(struct resolutions *r);

#endif
