/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SCALING_CLIFFS_H
#define ASSAY_SUITES_SCALING_CLIFFS_H

/* Cliffs in a curve of cost against batch: a batch that costs more than its neighbours let expect. */

#include "suites/shared/procedure.h"

static const double cliff_ratio = 1.5;

/* Index of the first cliff from `from` on, or −1. `y` is the whole cost of a batch of x items. Point i is a
 * cliff where it costs more than 1.5 times what the lines through its neighbours on the left and on the right
 * both let expect, and `least` more: a clock's grain is no cliff. A step (a cost that begins or ends with a
 * size, or another cost per item from there on) is none either, one side expects it. The first two points and
 * the last are not judged. */
int cliff_find(const double *x, const double *y, int points, double least, int from);

/* Whether cliff_find judges the point. */
bool cliff_judges(const double *x, int points, int i);

/* The second neighbour on the left of i, not next to the first; −1 when there is none. */
int cliff_second(const double *x, int i);

/* How many times that expectation the point costs. */
double cliff_height(const double *x, const double *y, int points, int i);

#endif
