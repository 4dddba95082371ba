/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_MEASURE_H
#define ASSAY_HARNESS_JUDGE_MEASURE_H

/* The road of a case that is a procedure: measure, verdict, record with its series. */

#include "harness/judge/case.h"

/* Sets status, reason, detail, series and times of the record. False when the device is lost. */
bool measure(const struct suite_case *c, const char *id, const struct backend_class *class,
             struct backend *backend, const struct case_options *options, struct record *record);

#endif
