/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NORMALIZATION_H
#define ASSAY_REFERENCE_NORMALIZATION_H

/* What layer, RMS, group, instance and batch normalization share: *groups* of elements that have statistics
 * in common, and *channels* of elements that have a scale and a shift in common.
 *
 * Every input is seen as [batch, channels, inner]. A group is a run of channels of one sample (layer_norm:
 * all of them, inner = 1), or, where `over_batch`, one channel of all samples. With n elements in a group,
 *
 *     m = (sum x)/n,   V = (sum (x − m)^2)/n,   r = 1/sqrt(V + eps),   X = (x − m)·r,   y = g·X + b,
 *
 * for RMS m = 0, in evaluation m and V are given. Gradients, with w = g·dy and means over the group:
 *
 *     dx = r·(w − mean(w) − X·mean(w·X)),   dg = sum dy·X,   db = sum dy over the channel,
 *
 * for RMS without mean(w), in evaluation dx = r·w. */

#include "reference/op.h"

struct normalization {
    bool centred;    /* false: the mean is taken for 0 (RMS) */
    bool over_batch; /* a group is one channel of the whole batch */
    bool evaluates;  /* m and V are running_mean and running_var */
    int64_t batch, channels, inner;
    int64_t groups_per_sample; /* divides channels; unused where over_batch */
    double eps;
    /* NULL where absent */
    const struct tensor *x, *grad, *weight, *bias, *running_mean, *running_var;
};

int64_t normalization_groups(const struct normalization *n);
int64_t normalization_length(const struct normalization *n);                            /* of a group */
int64_t normalization_element(const struct normalization *n, int64_t group, int64_t j); /* j-th of a group */
int64_t normalization_group_of(const struct normalization *n, int64_t element);
int64_t normalization_channel_of(const struct normalization *n, int64_t element);

/* The j-th of the batch·inner elements of one channel. */
int64_t normalization_channel_element(const struct normalization *n, int64_t channel, int64_t j);

/* --- exact statistics of one group
 *
 * x − m and V + eps are rational: with S = sum x and Q = sum x², a·x − S over a = n, and
 * W = n·Q − S² + eps·n² over n². So X = (a·x − S)/sqrt(W) and r = a/sqrt(W); in evaluation a = 1, S = m and
 * W = V + eps. All three are held exactly. */
struct span { /* multiples of 2^unit below 2^top in magnitude; top = unit for nothing but zeros */
    int top, unit;
};

struct moments {
    bool special;   /* a NaN or an infinity takes part, or V + eps is not positive */
    bool infinite;  /* RMS: no NaN, but an infinity: X is 0 for what is finite */
    bool undefined; /* of finite data, V + eps = 0: a rounded mean leaves a deviation, and anything may follow
                     */
    double a;
    mpfr_t sum, w; /* S, W: exact */
    mpfr_t root;   /* 1/sqrt(W), rounded to NORMALIZATION_BITS */
    bool root_exact;
    struct span x;    /* of the group's elements and S/a */
    struct span wide; /* of W */
    /* for sensitivities: the mean to nearest, the others rounded up */
    double n, mean, mean_abs, deviation, r; /* deviation = sqrt(V): squares leave float64's range */
};

enum { NORMALIZATION_BITS = 192 };

void moments_init(struct moments *moments);
void moments_clear(struct moments *moments);
void moments_of(const struct normalization *n, int64_t group, struct moments *moments);

struct span span_of(double x);
struct span span_join(struct span a, struct span b);  /* holds both */
struct span span_times(struct span a, struct span b); /* of products */
struct span span_sum(struct span a, int64_t terms);   /* of sums of so many */
mpfr_prec_t span_bits(struct span a);                 /* precision that is exact for it */

/* a·x − S, exact in a variable of span_bits(moments_deviation_span(…)). */
struct span moments_deviation_span(const struct moments *moments);
void moments_deviation(const struct moments *moments, double x, mpfr_ptr deviation);

/* --- truths; `bits` is lowered to what was certified */
bool normalization_truth(const struct normalization *n, struct truth_output *y, int *bits,
                         struct error *error);
/* (1 − momentum)·running + momentum·statistic, the variance unbiased; unchanged in evaluation. */
void normalization_running_truth(const struct normalization *n, double momentum, struct truth_output *mean,
                                 struct truth_output *variance, int *bits);
/* dweight and dbias may be NULL. */
bool normalization_gradient_truth(const struct normalization *n, struct truth_output *dx,
                                  struct truth_output *dweight, struct truth_output *dbias, int *bits,
                                  struct error *error);
bool normalization_weight_truth(const struct normalization *n, const struct moments *moments,
                                struct truth_output *dweight, int *bits, struct error *error);
void normalization_bias_truth(const struct normalization *n, struct truth_output *dbias, int *bits);

/* The truth of a forward operator (n->grad absent), or of a gradient: dx, then dweight and dbias where asked
 * for. `out` are its outputs. */
bool normalization_any_truth(const struct normalization *n, struct truth *truth, struct truth_output *out,
                             struct error *error);

/* The i-th input, NULL where it is absent. */
const struct tensor *normalization_operand(const struct op_call *call, int i);
/* Present operands must have the input's dtype and this shape. */
bool normalization_fits(const struct op *op, const struct op_operands *operands, int i, const struct view *x,
                        const struct shape *shape, struct error *reason);
bool normalization_is_gradient(const struct op *op); /* …_backward */
int normalization_gradient_sensitivities(int output);
/* Outputs of a gradient: dx like x, and where `parameters`, so many more of `shape`. */
void normalization_gradient_outputs(struct op_signature *out, const struct view *x, int parameters,
                                    const struct shape *shape);
double normalization_any_gradient_bound(const struct bound_query *query, bool centred, double eps);

/* --- envelopes (reference/envelope.h, derived in normalization_envelope.c); false when out of memory */
bool normalization_envelope(const struct normalization *n, struct truth_output *out, int outputs);
/* What primitives and underflow may err: the bound of an exactness probe. */
double normalization_allowance(const struct bound_query *query, double (*bound)(const struct bound_query *));
bool normalization_running_envelope(const struct normalization *n, double momentum, struct truth_output *mean,
                                    struct truth_output *variance);

/* --- sensitivities, and the bounds that they give (derived in normalization_bound.c) */
enum normalization_sensitivity {
    GROUP_LENGTH, /* 0 in evaluation */
    GROUP_MEAN_ABS,
    GROUP_MEAN,
    GROUP_DEVIATION, /* sqrt(V); RMS: the root mean square */
    ELEMENT_X,       /* |x| */
    ELEMENT_NORMAL,  /* |X| */
    ELEMENT_WEIGHT,  /* |g|; of a gradient |w| */
    ELEMENT_BIAS,    /* |b|; of a gradient |mean(w)| */
    FORWARD_SENSITIVITIES,
    GROUP_PROJECTION = FORWARD_SENSITIVITIES, /* |mean(w·X)| */
    GROUP_W,                                  /* mean|w| */
    GROUP_W_X,                                /* mean|w·x| */
    GROUP_W_NORMAL,                           /* mean|w·X| */
    GRADIENT_SENSITIVITIES,
    /* of running statistics */
    RUNNING_OLD = GROUP_DEVIATION + 1,
    RUNNING_SENSITIVITIES,
    /* of dweight, over the elements of a channel: e = |dy| */
    CHANNEL_TERMS = 0,
    CHANNEL_LENGTH,       /* of a group; 0 in evaluation */
    CHANNEL_MEAN_ABS,     /* sum e·r·mean|x| */
    CHANNEL_X,            /* sum e·r·(|x| + |m|) */
    CHANNEL_NORMAL,       /* sum e·|X| */
    CHANNEL_VARIANCE,     /* sum e·|X|·V/(V + eps) */
    CHANNEL_KAPPA,        /* sum e·|X|·V·kappa/(V + eps) */
    CHANNEL_MEAN_SQUARE,  /* sum e·|X|·mean|x|²/(V + eps) */
    GREATEST_KAPPA,       /* of V·kappa/(V + eps) over the groups */
    GREATEST_MEAN_SQUARE, /* of mean|x|²/(V + eps) */
    GREATEST_ROOT,        /* of sqrt((V + eps)/eps) */
    GREATEST_R,           /* of r; infinite where V + eps = 0 */
    CHANNEL_R,            /* sum e·r */
    GREATEST_SQUARES,     /* of sqrt(sum x²) over the groups */
    CHANNEL_SENSITIVITIES,
    /* of dbias */
    BIAS_SUM_ABS = 1,
    BIAS_SENSITIVITIES
};

void normalization_describe(const struct moments *moments, double *sensitivity); /* the GROUP_… of any */

double normalization_kappa(double mean, double deviation); /* sqrt(1 + m²/V), an upper bound */

/* E_compute of one element. `centred` is false for RMS. */
double normalization_bound(const struct bound_query *query, bool centred, double eps);
double normalization_gradient_bound(const struct bound_query *query, bool centred, double eps);
double normalization_weight_bound(const struct bound_query *query, bool centred);
double normalization_bias_bound(const struct bound_query *query);
double normalization_running_bound(const struct bound_query *query, double momentum, bool variance);

/* Whether a computed V + eps may be 0 where the true one is not: squares that underflow, or a variance that
 * cancels, without an eps that the arithmetic holds. The root is infinite then, and what it meets of zeros,
 * an element or a scale, becomes NaN. Of a forward operator's y. */
bool normalization_root_is_open(const struct bound_query *query, bool centred, double eps);

/* Whether the unbiased variance, which running statistics take a share of, leaves the range: times a share of
 * 0 it is NaN, else infinite, although the whole may be in range. */
bool normalization_variance_escapes(const struct bound_query *query);

/* accept_default with `error`, the sign of a zero left open: x − m may round to a zero of either sign; NaN as
 * well where `nan`. */
void normalization_accept(const struct bound_query *query, double error, bool nan, struct accept *accept);
/* Whether an intermediate of the naive forms leaves the range (normalization_range.c): of y or dx, of
 * dweight, of a running statistic. */
bool normalization_naive_escapes(const struct bound_query *query, double eps, bool gradient);
bool normalization_naive_weight_escapes(const struct bound_query *query);
bool normalization_naive_running_escapes(const struct bound_query *query, bool variance);

#endif
