/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_values.h"
#include "reference/ops/attention/attention_bound.h"

#include <math.h>
#include <stdlib.h>

bool attention_values_create(struct attention_values *v, const struct attention *a)
{
    const size_t count = (size_t)(a->keys * (a->value_width + 1)) + 1;
    *v = (struct attention_values){.matrix = -1,
                                   .original = malloc(count * sizeof *v->original),
                                   .value = malloc(count * sizeof *v->value)};
    return v->original && v->value;
}

void attention_values_clear(struct attention_values *v)
{
    free(v->original);
    free(v->value);
}

void attention_values_load(struct attention_values *v, const struct attention *a, const struct tensor *tensor,
                           int64_t batch)
{
    const int64_t matrix = attention_value_matrix(a, batch), columns = a->value_width,
                  count = a->keys * columns;
    if (matrix == v->matrix) {
        return;
    }
    v->matrix = matrix;
    v->special = v->subnormal = false;
    tensor_components(tensor, matrix * count, count, v->original);
    const double least = dtype_least_normal(tensor->dtype);
    for (int64_t j = 0; j < a->keys; j++) {
        for (int64_t d = 0; d < columns; d++) {
            double x = v->original[j * columns + d];
            v->special = v->special || !isfinite(x);
            v->subnormal = v->subnormal || (x != 0 && fabs(x) < least);
            v->value[j * (columns + 1) + d] = isfinite(x) ? x : 0;
        }
        v->value[j * (columns + 1) + columns] = 1;
    }
}

void attention_common(const struct attention *a, const struct attention_row *row, double *s)
{
    s[ATTENTION_KEYS] = (double)a->keys;
    s[ATTENTION_WIDTH] = (double)a->width;
    s[ATTENTION_SCORE_MOST] = row->score_most;
    s[ATTENTION_DISTANCE_MOST] = row->distance_most;
    s[ATTENTION_FAR_MOST] = row->far;
    s[ATTENTION_MAXIMUM] = row->empty || row->is_nan ? 0 : fabs(row->most);
    s[ATTENTION_OVERFLOW] = row->plain;
    s[ATTENTION_SUBNORMAL] = row->subnormal;
    s[ATTENTION_FLAGS] = (row->empty ? ATTENTION_IS_EMPTY : 0) | (row->spoilt ? ATTENTION_MAY_BE_NAN : 0);
}
