/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_BENCH_OPTIONS_H
#define ASSAY_HARNESS_CLI_BENCH_OPTIONS_H

/* The help of `assay bench`, and which options go with which subject. */

#include "harness/selection/plan.h"

extern const char bench_about[], bench_examples[];

/* Returns EXIT_HOLDS for a subject of `assay bench`; else prints the nearest one and returns EXIT_USAGE. */
int bench_check_subject(const char *subject);

/* Refuses options that the subject does not use. `sizes`: --sizes was given. */
bool bench_check_options(const char *subject, const struct plan_options *options, bool sizes,
                         struct error *error);

#endif
