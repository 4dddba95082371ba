/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_columns.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>

void attention_weights(const struct attention_scores *s, int64_t row, double *weight)
{
    const int64_t keys = s->a->keys;
    const struct attention_score *score = &s->score[row * keys];
    for (int64_t j = 0; j < keys; j++) {
        bool takes = score[j].key == ATTENTION_TAKES_PART;
        double p = takes ? s->probability[j] : 0, x = p > 0 ? -s->x[j] : 0,
               value = p > 0 ? score[j].score : 0;
        double tau = p > 0 ? score[j].energy + 2 * value * value + x * x + 1 : 0;
        double *w = &weight[j];
        w[WEIGHT_TAKES * keys] = takes;
        w[WEIGHT_PROBABILITY * keys] = p;
        w[WEIGHT_SCORE * keys] = p * score[j].magnitude;
        w[WEIGHT_DISTANCE * keys] = p * x;
        w[WEIGHT_SECOND * keys] = p * tau;
        w[WEIGHT_TAU * keys] = p * p * tau;
        w[WEIGHT_SQUARE * keys] = p * p;
        w[WEIGHT_DISTANCE_SQUARE * keys] = p * x * (p * x);
        for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
            w[(WEIGHT_DRIFT + k) * keys] = p > 0 ? p * score[j].drift[k] : 0;
        }
    }
}

/* Adds one key to the sums of a few columns. */
MULTIVERSION static void add_key(const double w[WEIGHTS], const double *value, const double *result,
                                 int64_t columns, double *sum)
{
    for (int64_t d = 0; d < columns; d++) {
        double size = fabs(value[d]), apart = fabs(value[d] - result[d]), square = apart * apart;
        sum[SUM_VALUES * columns + d] += w[WEIGHT_TAKES] * size;
        sum[SUM_MAGNITUDE * columns + d] += w[WEIGHT_PROBABILITY] * size;
        sum[SUM_SCORES * columns + d] += w[WEIGHT_SCORE] * apart;
        sum[SUM_DISTANCE * columns + d] += w[WEIGHT_DISTANCE] * apart;
        sum[SUM_SPREAD * columns + d] += w[WEIGHT_PROBABILITY] * apart;
        sum[SUM_SECOND * columns + d] += w[WEIGHT_SECOND] * apart;
        sum[SUM_TAU * columns + d] += w[WEIGHT_TAU] * square;
        sum[SUM_SQUARE * columns + d] += w[WEIGHT_SQUARE] * square;
        sum[SUM_DISTANCE_SQUARE * columns + d] += w[WEIGHT_DISTANCE_SQUARE] * square;
        sum[(SUM_DRIFT + 0) * columns + d] += w[WEIGHT_DRIFT + 0] * apart;
        sum[(SUM_DRIFT + 1) * columns + d] += w[WEIGHT_DRIFT + 1] * apart;
        sum[(SUM_DRIFT + 2) * columns + d] += w[WEIGHT_DRIFT + 2] * apart;
    }
}
_Static_assert(ENVELOPE_WIDTHS == 3, "add_key adds the drift of each width");

void attention_columns(const double *weight, int64_t keys, const double *value, int64_t stride,
                       int64_t columns, const double *result, double *sum)
{
    for (int64_t k = 0; k < SUMS * columns; k++) {
        sum[k] = 0;
    }
    for (int64_t j = 0; j < keys; j++) {
        if (weight[WEIGHT_TAKES * keys + j] != 0) {
            double own[WEIGHTS];
            for (int w = 0; w < WEIGHTS; w++) {
                own[w] = weight[w * keys + j];
            }
            add_key(own, value + j * stride, result, columns, sum);
        }
    }
}
