/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_AGREEMENT_H
#define ASSAY_HARNESS_WORKERS_AGREEMENT_H

/* Every worker process opens the backend for itself, and so does a program that is started again. Each must
 * describe itself as the first worker did: the results file names one device, one driver and one profile, and
 * every case is judged by them. */

#include "reports/records/record.h"

/* Compares what two workers say of the backend: device, driver, API, device memory, profile, and the
 * operators and dtypes that are offered. The order of the words in a list does not matter. False with the
 * first difference in `text`: "the device is X; the first worker's was Y". A text that memory was missing for
 * differs from one that is there. */
bool agreement_holds(const struct record_header *first, const struct record_header *other, char *text,
                     size_t size);

#endif
