/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/rowwise/rowwise_infinite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The row's results with other operands, and their error bounds: `terms` + 1 numbers each, in the same
 * allocation as `operands`, which come first. */
struct trial {
    double *operands, *value, *radius, *bound;
};

static bool trial_open(struct trial *trial, const struct rowwise_terms *row)
{
    const size_t numbers = (size_t)row->terms * (size_t)row->call->inputs, results = (size_t)row->terms + 1;
    trial->operands = malloc((numbers + 3 * results) * sizeof *trial->operands);
    if (trial->operands) {
        memcpy(trial->operands, row->operands, numbers * sizeof *trial->operands);
        trial->value = trial->operands + numbers;
        trial->radius = trial->value + results;
        trial->bound = trial->radius + results;
    }
    return trial->operands != NULL;
}

/* Evaluates the row in correctly rounded arithmetic of the dtype or, with `exact`, without errors except for
 * its range. Bounds are infinite where an intermediate may leave the range, or a double leaves its own. */
static void trial_evaluate(struct trial *trial, const struct rowwise_terms *row, bool exact)
{
    const struct profile ieee = profile_ieee();
    struct primitive_errors primitive_errors =
        primitive_errors_of(&ieee, row->dtype, (double)row->terms, -1, false);
    if (exact) {
        primitive_errors = (struct primitive_errors){
            .rounded = 1, .type = row->dtype, .divisor_most = INFINITY, .to_nearest = true};
    }
    struct rowwise_arguments a;
    rowwise_take(row->call->op, row->call->attributes, row->dtype, trial->operands, row->terms, &a);
    expression_values(row->limits, &a.row, trial->value, trial->radius);
    expression_limits(row->limits, &a.row, &primitive_errors, trial->bound);
}

bool rowwise_meets_infinity(const struct rowwise_terms *row)
{
    struct trial trial;
    if (!trial_open(&trial, row)) {
        return true;
    }
    for (int64_t k = 0; k < row->terms * row->call->inputs; k++) {
        trial.operands[k] = isfinite(trial.operands[k]) ? trial.operands[k] : 0;
    }
    trial_evaluate(&trial, row, true);
    bool meets = false;
    for (int64_t t = 0; t < (row->maps ? row->terms : 1); t++) {
        meets = meets || !isfinite(trial.bound[t]) || !isfinite(trial.value[t]) || !isfinite(trial.radius[t]);
    }
    free(trial.operands);
    return meets;
}

enum rowwise_slope rowwise_slope_of(const struct rowwise_terms *row, int64_t t)
{
    struct trial trial;
    if (!row->maps || strcmp(row->call->op->operands[0].name, "grad_output") != 0 ||
        !isinf(row->operands[t])) {
        return SLOPE_CERTAIN;
    }
    if (!trial_open(&trial, row)) {
        return SLOPE_OPEN;
    }
    for (int64_t k = 0; k < row->terms; k++) {
        trial.operands[k] = 1;
    }
    trial_evaluate(&trial, row, false);
    const enum dtype type = row->dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32; /* also for 16-bit
                                                                                            dtypes */
    const double size = fabs(trial.value[t]), error = trial.bound[t] + trial.radius[t];
    const bool tiny = size + error < 2 * dtype_least_normal(type); /* the error includes underflow */
    free(trial.operands);
    return tiny ? SLOPE_VANISHES : size > error ? SLOPE_CERTAIN : SLOPE_OPEN;
}
