/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_CLIFFS_H
#define ASSAY_SUITES_CLIFFS_H

/* Cliffs in a curve of cost against batch: a batch that costs more than both of its neighbours let expect. */

#include "suites/procedure.h"

static const double cliff_ratio = 1.5;

/* Index of the first cliff from `from` on, or −1. `y` is the whole cost of a batch of x items. Point i is a
 * cliff where, per item, it costs more than 1.5 times both neighbours (a slow size among linear ones), or
 * where it costs more than 1.5 times both neighbours outright (a slow size among those that a fixed cost
 * dominates), and `least` more than the dearer one lets expect: a clock's grain is no cliff. The ends have
 * one neighbour and are none. */
int cliff_find(const double *x, const double *y, int points, double least, int from);

/* How many times its dearer neighbour's expectation the point costs, for the message. */
double cliff_height(const double *x, const double *y, int i);

#endif
