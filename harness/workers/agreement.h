/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_AGREEMENT_H
#define ASSAY_HARNESS_WORKERS_AGREEMENT_H

/* Checks that all worker processes of a run opened the same backend. Each worker opens the backend for
 * itself, and may start its program again; every greeting must agree with that of the first worker, because
 * the results file names one device, one driver and one profile, and every case is judged by them. */

#include "reports/records/record.h"

/* Compares the descriptions that two workers give of the backend: device, driver, API, device memory,
 * profile, and the offered operators and dtypes. The order of the words in a list does not matter. Returns
 * false with the first difference in `text`: "the device is X; the first worker's was Y". A text that is NULL
 * because memory ran out differs from any text. */
bool agreement_holds(const struct record_header *first, const struct record_header *other, char *text,
                     size_t size);

#endif
