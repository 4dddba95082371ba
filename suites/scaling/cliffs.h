/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SCALING_CLIFFS_H
#define ASSAY_SUITES_SCALING_CLIFFS_H

/* Cliffs in a curve of cost against batch: a batch that costs more than its neighbours predict. */

#include "suites/shared/procedure.h"

static const double cliff_ratio = 1.5;

/* Returns the index of the first cliff from `from` on, −1 if there is none. `y` is the total cost of a batch
 * of x items. Point i is a cliff if it costs more than cliff_ratio times what the lines through its
 * neighbours on the left and on the right both predict, and more than `least` above it, because the
 * resolution of a clock is no cliff. A step (a cost that begins or ends at a size, or another cost per item
 * from there on) is no cliff: one side predicts it. The first two points and the last are not judged. */
int cliff_find(const double *x, const double *y, int points, double least, int from);

/* True if cliff_find() judges the point. */
bool cliff_judges(const double *x, int points, int i);

/* Returns the second neighbour on the left of i, one that is not close to the first; −1 if there is none. */
int cliff_second(const double *x, int i);

/* Returns the cost of point i over the cost that its neighbours predict. */
double cliff_height(const double *x, const double *y, int points, int i);

#endif
