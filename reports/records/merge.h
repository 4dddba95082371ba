/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_MERGE_H
#define ASSAY_REPORTS_RECORDS_MERGE_H

#include "reports/records/record.h"

/* Results that several files told, as if one had: each case of a backend has one record.
 *
 * The records are sorted by id and backend. Of two of one case the measured one stands against the missing
 * one; of two measured ones that differ in status the worse one stands. Cases that no file has stay expected
 * by the headers (see losses.h for `whole`). `tell` hears of both. False, with the case, where two records of
 * it were judged on different inputs. */
bool merge_results(struct results *results, bool whole, void (*tell)(void *user, const char *text),
                   void *user, struct error *error);

#endif
