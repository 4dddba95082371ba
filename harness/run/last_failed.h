/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_LAST_FAILED_H
#define ASSAY_HARNESS_RUN_LAST_FAILED_H

/* Which cases failed the gate when they last ran in the working directory. They are kept in the user's cache
 * directory, one entry for each working directory and backend. A case stays in the list until it has run
 * again and passed. */

#include "harness/selection/case_words.h"
#include "reports/records/record.h"

/* Adds the ids of the cases that failed on the backend of this name. Returns false with the reason where no
 * run of this backend in this directory is known, or when out of memory. */
bool last_failed_read(const char *backend, struct case_words *ids, struct error *error);

/* Keeps which of the backend's records fail this gate. Does nothing where there is no cache directory. */
void last_failed_write(const char *backend, const struct results *results, unsigned gate);

#endif
