/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_CASE_JSON_H
#define ASSAY_HARNESS_REPRO_CASE_JSON_H

/* Prints one case of the suite on several backends as JSON: the members that the answers about tensors from
 * files have, and "record" with all that a results file would hold. */

#include "reports/records/record.h"
#include "suites/suite.h"

#include <jansson.h>

/* Returns one backend's answer. `written`: an array of file names, taken over. */
json_t *repro_case_answer(const struct record_header *header, const struct record *record, json_t *written);

/* Returns the answer of a backend that could not be started. */
json_t *repro_case_unavailable(const char *name, const char *reason);

/* Prints the whole object to stdout. `comparison`: of repro_compare; NULL: none. */
void repro_case_print(const struct suite_case *c, const char *id, uint64_t seed, json_t *backends,
                      json_t *comparison);

#endif
