/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_MERGE_H
#define ASSAY_REPORTS_RECORDS_MERGE_H

#include "reports/records/record.h"

/* Merges results of several files, so that each case of a backend has one record.
 *
 * The records must be sorted by id and backend. Of two records of one case a measured one replaces a missing
 * one; of two measured ones with different statuses the worse one stays. Cases without a record stay expected
 * by the headers (see losses.h for `whole`). `tell` receives a line for each loss and each difference of
 * status. False when two records of a case were judged on different inputs; *error names the case. */
bool merge_results(struct results *results, bool whole, void (*tell)(void *user, const char *text),
                   void *user, struct error *error);

#endif
