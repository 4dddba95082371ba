/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_CASE_JSON_H
#define ASSAY_HARNESS_REPRO_CASE_JSON_H

/* One case of the suite on several backends as JSON: the members that tensors from files have, and "record",
 * all that a results file holds of it. */

#include "reports/records/record.h"
#include "suites/suite.h"

#include <jansson.h>

/* One backend's answer. `written`: names of files, an array that this takes over. */
json_t *repro_case_answer(const struct record_header *header, const struct record *record, json_t *written);

/* One that could not be started. */
json_t *repro_case_unavailable(const char *name, const char *reason);

/* Prints the whole to stdout. comparison: repro_compare's, NULL: none. */
void repro_case_print(const struct suite_case *c, const char *id, uint64_t seed, json_t *backends,
                      json_t *comparison);

#endif
