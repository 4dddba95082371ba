/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_CONFLICT_H
#define ASSAY_REPORTS_RECORDS_CONFLICT_H

/* Contradictions between headers, which keep their results from being one run. The first one found stays in
 * results->conflict. */

#include "reports/records/record.h"

/* Notes a conflict if two headers of one backend differ in seed, level, assay, commit or reference; only the
 * first header is kept. */
void conflict_of_headers(struct results *to, const struct record_header *a, const struct record_header *b);

/* Notes a conflict if the part is a shard of the same selection and number as another part but of another
 * partition: then some cases could be in no shard, or in two. */
void conflict_of_part(struct results *to, const struct record_part *part);

#endif
