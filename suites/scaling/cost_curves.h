/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SCALING_COST_CURVES_H
#define ASSAY_SUITES_SCALING_COST_CURVES_H

/* The verdict over cost against batch, for every curve of the family `scaling`. */

#include "suites/scaling/cliffs.h"
#include "suites/scaling/growth.h"

static const double curves_growth = 1;   /* declared: every workload is a batch of independent rows */
static const double curves_grain = 30e3; /* ns that no cliff is made of: clocks, wake-ups of threads */
static const double curves_times = 3;    /* a peak of more than so many times what is needed is told */

/* Fits the exponent of the upper octaves and notes it in the series (may be NULL). */
void curves_fit(struct series *series);

/* Fails on cliffs of "time" and "peak memory", and on an exponent of either above what is declared. "height
 * beside neighbours" and "time exponent in turn" are closer looks at suspects: what they do not confirm is
 * none; without them a suspect is accused. The exponents are the remark of what passes; so is a peak that is
 * several times, `factor` of the series, what operands and results take. */
void curves_verdict(const struct series_set *set, struct finding *finding);

/* The thresholds of that verdict, for the record: above which cost each batch is a cliff, and the exponent
 * above which "time" and "peak memory" grow too fast. */
void curves_limits(struct series_set *set);

/* One size that takes three times as long, for the negative control. */
void curves_spoil(struct series_set *set);

#endif
