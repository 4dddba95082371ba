/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_columns.h"
#include "reference/numeric/simd/multiversion.h"

#include <math.h>
#include <string.h>

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

/* Columns that are summed at once: with their SUMS totals they fit into the registers of AVX2. */
enum { LANES = 4 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t masks __attribute__((vector_size(LANES * sizeof(int64_t))));

/* Computes the sums of LANES columns: of `count` columns from the first on, and of zeros behind them. Each
 * sum adds the keys in their order. */
MULTIVERSION static void add_columns(const double *weight, int64_t keys, const double *value, int64_t stride,
                                     const double *result, int64_t count, int64_t columns, double *sum)
{
    const masks all_but_sign = INT64_MAX - (masks){0};
    lanes total[SUMS], own = {0};
    for (int k = 0; k < SUMS; k++) {
        total[k] = (lanes){0};
    }
    memcpy(&own, result, (size_t)count * sizeof *result);
    for (int64_t j = 0; j < keys; j++) {
        const double *w = &weight[j];
        lanes x = {0};
        if (w[WEIGHT_TAKES * keys] == 0) {
            continue;
        }
        if (count == LANES) {
            memcpy(&x, value + j * stride, sizeof x);
        } else {
            memcpy(&x, value + j * stride, (size_t)count * sizeof *value);
        }
        lanes size = (lanes)((masks)x & all_but_sign), apart = (lanes)((masks)(x - own) & all_but_sign),
              square = apart * apart;
        total[SUM_VALUES] += w[WEIGHT_TAKES * keys] * size;
        total[SUM_MAGNITUDE] += w[WEIGHT_PROBABILITY * keys] * size;
        total[SUM_SCORES] += w[WEIGHT_SCORE * keys] * apart;
        total[SUM_DISTANCE] += w[WEIGHT_DISTANCE * keys] * apart;
        total[SUM_SPREAD] += w[WEIGHT_PROBABILITY * keys] * apart;
        total[SUM_SECOND] += w[WEIGHT_SECOND * keys] * apart;
        total[SUM_TAU] += w[WEIGHT_TAU * keys] * square;
        total[SUM_SQUARE] += w[WEIGHT_SQUARE * keys] * square;
        total[SUM_DISTANCE_SQUARE] += w[WEIGHT_DISTANCE_SQUARE * keys] * square;
        total[SUM_DRIFT + 0] += w[(WEIGHT_DRIFT + 0) * keys] * apart;
        total[SUM_DRIFT + 1] += w[(WEIGHT_DRIFT + 1) * keys] * apart;
        total[SUM_DRIFT + 2] += w[(WEIGHT_DRIFT + 2) * keys] * apart;
    }
    for (int k = 0; k < SUMS; k++) {
        memcpy(&sum[k * columns], &total[k], (size_t)count * sizeof *sum);
    }
}
_Static_assert(ENVELOPE_WIDTHS == 3, "add_columns adds the drift of each width");

void attention_columns(const double *weight, int64_t keys, const double *value, int64_t stride,
                       int64_t columns, const double *result, double *sum)
{
    for (int64_t d = 0; d < columns; d += LANES) {
        add_columns(weight, keys, value + d, stride, result + d, columns - d < LANES ? columns - d : LANES,
                    columns, sum + d);
    }
}
