/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_RECORD_SERIES_H
#define ASSAY_REPORTS_RECORDS_RECORD_SERIES_H

/* The members of a record that are lists: curves of a procedure, errors by input, the histogram of ulp
 * errors. record.c calls these; absent members stay empty, as in older files. */

#include "reports/records/fields.h"

bool series_put(json_t *object, const struct record *record); /* false when out of memory */
bool series_get(const json_t *object, struct record *record, struct error *error);
bool series_copy(struct record *to, const struct record *from);
void series_free(struct record *record);

bool by_input_put(json_t *object, const struct record *record); /* false when out of memory */
bool by_input_get(const json_t *object, struct record *record, struct error *error);
bool by_input_copy(struct record *to, const struct record *from);

bool histogram_put(json_t *object, const struct record *record);
bool histogram_get(const json_t *object, struct record *record, struct error *error);

#endif
