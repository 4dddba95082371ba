/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_CASE_SHOW_H
#define ASSAY_HARNESS_REPRO_CASE_SHOW_H

/* Prints the record of one case on one backend as text. */

#include "reports/records/record.h"

void repro_case_show(const struct record_header *header, const struct record *record);

#endif
