/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SCALING_COST_CURVES_H
#define ASSAY_SUITES_SCALING_COST_CURVES_H

/* The verdict on cost against batch, for every curve of the family `scaling`. */

#include "suites/scaling/cliffs.h"
#include "suites/scaling/growth.h"

static const double curves_growth = 1; /* declared exponent: every workload is a batch of independent rows */
static const double curves_grain = 30e3; /* ns that a cliff must exceed: clocks, wake-ups of threads */
/* a peak above so many times the bytes of operands and results is remarked */
static const double curves_times = 3;

/* Fits the exponent of the upper octaves and stores it in the series, which may be NULL. */
void curves_fit(struct series *series);

/* Fails on cliffs of "time" and "peak memory", and on an exponent of either above the declared one. "height
 * beside neighbours" and "time exponent in turn" are repeated measurements of suspects; a suspect that they
 * do not confirm passes, and without them it fails. What passes is remarked with its exponents, and with a
 * peak above curves_times of what operands and results take (`factor` of the series). */
void curves_verdict(const struct series_set *set, struct finding *finding);

/* Records the thresholds of that verdict: the cost above which each batch is a cliff, and the exponent above
 * which "time" and "peak memory" grow too fast. */
void curves_limits(struct series_set *set);

/* Makes one batch take three times as long as the largest, for the negative control. */
void curves_spoil(struct series_set *set);

#endif
