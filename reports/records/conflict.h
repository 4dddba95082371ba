/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_CONFLICT_H
#define ASSAY_REPORTS_RECORDS_CONFLICT_H

/* What keeps results from being those of one run: noted in `conflict`, the first one stands. */

#include "reports/records/record.h"

/* One header will speak for both: what it says must be true of both. */
void conflict_of_headers(struct results *to, const struct record_header *a, const struct record_header *b);

/* Shards of one selection and number belong together only where one partition made them: cases would be in
 * none of them, or in two. */
void conflict_of_part(struct results *to, const struct record_part *part);

#endif
