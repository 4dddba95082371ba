/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_MEASURE_H
#define ASSAY_HARNESS_JUDGE_MEASURE_H

/* Runs a case that is a procedure: measures, reaches a verdict and fills the record with its series. */

#include "harness/judge/case.h"

/* Sets status, reason, detail, series and times of the record. Returns false if the device is lost. */
bool measure(const struct suite_case *c, const char *id, const struct backend_class *class,
             struct backend *backend, const struct case_options *options, struct record *record);

#endif
