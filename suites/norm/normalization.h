/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_NORM_NORMALIZATION_H
#define ASSAY_SUITES_NORM_NORMALIZATION_H

/* Table rows and data that the suites of layer, group and batch normalization share. */

#include "reference/ops/normalization/normalization.h"
#include "suites/shared/data.h"
#include "suites/shared/rows.h"

enum normalization_fill {
    FILL_RANDOM,      /* `mean` + uniform, standard deviation 1 */
    FILL_CONSTANT,    /* 12345.678 (float16: 1234.5678) */
    FILL_ALTERNATING, /* ±3 in turn */
    FILL_PAIRS,     /* c and c + 2 in turn, c² beyond the precision of what is summed: 2^22, float64 2^51 */
    FILL_RANGE,     /* ±1e20 (float64: ±1e200) times 1 … 2 */
    FILL_VARIANCES, /* groups of variance 0, eps/100, eps, 100·eps in turn */
    FILL_SIGNS, /* 1 ± 1/36 with signs + + − − in turn: sums cancel that neighbours, or every fourth, exceed
                 */
    FILL_OUTLIER,  /* small, and 1000 at the end of each group */
    FILL_SPECIALS, /* a NaN in the middle of group 1, an infinity in that of group 2 */
    FILL_SPECIALS_FIRST,
    FILL_SPECIALS_LAST,
    FILL_SPECIALS_EACH /* a NaN or an infinity in each group, every time in another place */
};

/* Of instance_norm: by the input's statistics, without running ones; the same, moving running ones; by
 * running ones. */
enum normalization_statistics { STATISTICS_OWN, STATISTICS_MOVED, STATISTICS_GIVEN };

enum { NO_WEIGHT = 1, NO_BIAS = 2, NO_RUNNING = 4 }; /* absent operands */

/* What is multiplied by four fifths of the greatest number: intermediates overflow, results do not. */
enum {
    ENDS_X = 1,
    ENDS_GRAD = 2,
    ENDS_WEIGHT = 4,
    ENDS_BIAS = 8,
    ENDS_MEAN = 16
}; /* −4/5 of bias and mean */

/* Sets of dtypes. bfloat16 has no room for a standard deviation of 1 beside 1e3. */
enum {
    WIDE = 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    FINE = WIDE | 1U << DTYPE_FLOAT16,
    NARROW = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16,
    BELOW_DOUBLE = NARROW | 1U << DTYPE_FLOAT32 /* at float64's own end the bound, a double, says nothing */
};

/* A call of the case's operator. */
struct normalization_call {
    struct view input[5];
    int inputs, weight; /* how many, and which of them is the weight */
    struct attributes attributes;
};

struct normalization_row {
    struct suite_row row;
    struct normalization_call (*make)(struct builder *b, const struct normalization_row *row);
    int rank;
    int64_t dim[5];
    enum normalization_statistics statistics;
    int parameter; /* layer: dimensions of normalized_shape; group: num_groups; batch: 1 trains */
    enum normalization_fill fill;
    double mean;
    double eps;        /* 0: 1e-5 */
    bool eps_left_out; /* of the call */
    double momentum;
    unsigned absent, ends;
    double gain, variance; /* factor of all scales; running variance. 0: 1, and 1/4 to 4 */
    int spread;            /* scales of 2^±spread in turn; 0: around 1 */
    enum layout x, grad, weight, bias, running;
    bool channels_last; /* of x: [batch, …, channels] in memory, in x's layout */
    bool grad_channels_last;
    bool wide; /* parameters are float32 */
    bool exact;
};

/* Builders, of what the row's `make` gives: the call; samples alone, which must give the bits that they give
 * within the batch; the call, which must be rejected; the same with a weight that is too short. */
void normalization_plain(struct builder *b);
void normalization_alone(struct builder *b);
void normalization_refused(struct builder *b);
void normalization_short_weight(struct builder *b);

/* Calls of layer_norm and rms_norm, of group_norm and instance_norm, of batch_norm, and of their gradients.
 */
struct normalization_call normalization_layer(struct builder *b, const struct normalization_row *row);
struct normalization_call normalization_group(struct builder *b, const struct normalization_row *row);
struct normalization_call normalization_channels(struct builder *b, const struct normalization_row *row);

/* The call with eps 1e-5, 0.5, 1e-5 and 0.01 on the same operands. */
void normalization_eps_chain(struct builder *b);

/* Running statistics of `channels`: means near the data's, variances from 1/4 to 4. */
void normalization_running(struct builder *b, const struct normalization_row *row,
                           const struct shape *channels, struct view statistic[2]);
/* The row's momentum: 0.1 where it has none, 0 where it is negative. */
double normalization_momentum(const struct normalization_row *row);

/* The input as [batch, channels, inner], and which elements are a group. */
struct normalization_map {
    int64_t batch, channels, inner, groups; /* groups per sample */
    bool over_batch;
};

/* The input, filled; its gradient; and a tensor of random parameters: `around` 1 for scales, 0 for shifts. */
struct view normalization_input(struct builder *b, const struct normalization_row *row,
                                const struct normalization_map *map);
struct view normalization_grad(struct builder *b, const struct normalization_row *row);
struct view normalization_random(struct builder *b, const struct normalization_row *row, int tensor,
                                 const struct shape *shape, enum layout layout, double around);

/* A tensor of the row's shape for x or grad_out, channels last where the row says so. */
struct view normalization_tensor(struct builder *b, const struct normalization_row *row, bool grad);

/* Four fifths of the greatest number where the row asks for `end`, else 1. */
double normalization_end(const struct builder *b, const struct normalization_row *row, unsigned end);

struct shape normalization_shape(const struct normalization_row *row);
struct view normalization_absent(void);
void normalization_set(struct attributes *attributes, const char *name, enum attribute_type type,
                       double value);

#endif
