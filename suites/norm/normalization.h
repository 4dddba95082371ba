/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_NORM_NORMALIZATION_H
#define ASSAY_SUITES_NORM_NORMALIZATION_H

/* Table rows, data and builders that the suites of layer, RMS, group, instance and batch normalization
 * share. */

#include "reference/ops/normalization/normalization.h"
#include "suites/shared/data.h"
#include "suites/shared/rows.h"

enum normalization_fill {
    FILL_RANDOM,      /* `mean` + uniform, standard deviation 1 */
    FILL_CONSTANT,    /* 12345.678 (float16: 1234.5678) */
    FILL_ALTERNATING, /* ±3 in turn */
    FILL_PAIRS,       /* c + 2 and c in turn, c² beyond the precision of the sums: c = 2^22, float64 2^51 */
    FILL_RANGE,       /* ±1e20 (float64 ±1e200, float16 ±2e4) times 1 … 1.9 */
    FILL_VARIANCES,   /* groups of variance 0, eps/100, eps and 100·eps in turn */
    /* 1 ± 1/36 with signs + + − − in turn: a sum over a group cancels, sums over neighbours or every
     * fourth element do not */
    FILL_SIGNS,
    FILL_OUTLIER,  /* small numbers, and 1000 at the end of each group */
    FILL_SPECIALS, /* a NaN in the middle of group 1, an infinity in the middle of group 2 */
    FILL_SPECIALS_FIRST,
    FILL_SPECIALS_LAST,
    FILL_SPECIALS_EACH /* a NaN or an infinity in each group, each time at another place */
};

/* Of instance_norm, in this order: normalizes by the input's statistics without running ones; the same, and
 * updates running statistics; normalizes by running statistics. */
enum normalization_statistics { STATISTICS_OWN, STATISTICS_MOVED, STATISTICS_GIVEN };

enum { NO_WEIGHT = 1, NO_BIAS = 2, NO_RUNNING = 4 }; /* optional operands that are absent */

/* Operands that are multiplied by four fifths of the greatest number: intermediates overflow, results do
 * not. */
enum {
    ENDS_X = 1,
    ENDS_GRAD = 2,
    ENDS_WEIGHT = 4,
    ENDS_BIAS = 8,
    ENDS_MEAN = 16
}; /* bias and mean are −4/5 of it, and not multiplied */

/* Sets of dtypes. bfloat16 cannot resolve a standard deviation of 1 beside 1e3. */
enum {
    WIDE = 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    FINE = WIDE | 1U << DTYPE_FLOAT16,
    NARROW = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16,
    /* at the end of float64's range the bound, itself a double, proves nothing */
    BELOW_DOUBLE = NARROW | 1U << DTYPE_FLOAT32
};

/* A call of the case's operator. */
struct normalization_call {
    struct view input[5];
    int inputs, weight; /* their number, and the index of the weight */
    struct attributes attributes;
};

struct normalization_row {
    struct suite_row row;
    struct normalization_call (*make)(struct builder *b, const struct normalization_row *row);
    int rank;
    int64_t dim[5];
    enum normalization_statistics statistics;
    /* layer: number of dimensions in normalized_shape; group: num_groups; batch: 1 in training */
    int parameter;
    enum normalization_fill fill;
    double mean;
    double eps;        /* 0: 1e-5 */
    bool eps_left_out; /* the call does not pass eps */
    double momentum;
    unsigned absent, ends;
    /* gain: factor of all scales, 0: 1. variance: running variance, 0: from 1/4 to 4 */
    double gain, variance;
    int spread; /* scales are multiplied by 2^spread and 2^−spread in turn */
    enum layout x, grad, weight, bias, running;
    bool channels_last; /* x is [batch, …, channels] in memory, in the layout `x` */
    bool grad_channels_last;
    bool wide; /* parameters are float32 */
    bool exact;
};

/* Builders of cases. The call that the row's `make` returns; the same, and single samples, which must give
 * the bits that they have within the batch; the call, which must be rejected; the call with a weight that is
 * too short, which must be rejected. */
void normalization_plain(struct builder *b);
void normalization_alone(struct builder *b);
void normalization_refused(struct builder *b);
void normalization_short_weight(struct builder *b);

/* Values of `make`: calls of layer_norm and rms_norm, of group_norm and instance_norm, of batch_norm, and of
 * their gradients. */
struct normalization_call normalization_layer(struct builder *b, const struct normalization_row *row);
struct normalization_call normalization_group(struct builder *b, const struct normalization_row *row);
struct normalization_call normalization_channels(struct builder *b, const struct normalization_row *row);

/* Builder: the call with eps 1e-5, 0.5, 1e-5 and 0.01 on the same operands. The third must repeat the bits of
 * the first. */
void normalization_eps_chain(struct builder *b);

/* Makes running statistics of `channels`: means near those of the data, variances from 1/4 to 4. */
void normalization_running(struct builder *b, const struct normalization_row *row,
                           const struct shape *channels, struct view statistic[2]);
/* The row's momentum: 0.1 if the row has none, 0 if its momentum is negative. */
double normalization_momentum(const struct normalization_row *row);

/* The input seen as [batch, channels, inner], and which elements share statistics. */
struct normalization_map {
    int64_t batch, channels, inner, groups; /* groups: per sample */
    bool over_batch;
};

/* normalization_input() makes and fills the input, normalization_grad() grad_output, normalization_random()
 * random parameters: scales around `around` = 1, or shifts if `around` is 0. */
struct view normalization_input(struct builder *b, const struct normalization_row *row,
                                const struct normalization_map *map);
struct view normalization_grad(struct builder *b, const struct normalization_row *row);
struct view normalization_random(struct builder *b, const struct normalization_row *row, int tensor,
                                 const struct shape *shape, enum layout layout, double around);

/* Makes a tensor of the row's shape for x or grad_output, with channels last if the row says so. */
struct view normalization_tensor(struct builder *b, const struct normalization_row *row, bool grad);

/* Four fifths of the dtype's greatest number if the row's `ends` has the bit `end`, else 1. */
double normalization_end(const struct builder *b, const struct normalization_row *row, unsigned end);

struct shape normalization_shape(const struct normalization_row *row);
struct view normalization_absent(void);

#endif
