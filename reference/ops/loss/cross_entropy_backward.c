/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The gradient of cross_entropy by its input.
 *
 * Definition: PyTorch's autograd of torch.nn.functional.cross_entropy. A sample's loss is Σ_c −q_c·l_c, with
 * l its log_softmax and q the weights that its target y gives to the classes. With ε label_smoothing
 *
 *     q_c = (1 − ε)·w_y·[c = y] + ε/C·w_c,     gradient_c = grad_output·(softmax_c·Σ q − q_c),
 *
 * divided by the sum of the weights w_y of the targets that count if the loss is a mean; for probabilities
 * p_c
 *
 *     q_c = w_c·((1 − ε)·p_c + ε/C),
 *
 * divided by the number of samples. A target equal to ignore_index has gradient 0; if its sample has no
 * softmax, autograd's 0·NaN is right as well. So is NaN where the gradient is infinite: autograd's form has
 * inf − inf, or inf·0 where the softmax is rounded to 0.
 *
 * A sample is computed by a row-wise map (formulas: cross_entropy_slope.c). x holds its inputs and z the
 * weights of the classes. y is 1 at the target and 0 elsewhere; for an ignored sample 0, or −1 if it has no
 * softmax; or y holds the probabilities, and count, which they have with any reduction, the number of
 * samples. A mean divides by count + rest, a pair of doubles; pos_weight is Σ|w| over that, or −1 where
 * targets are counted. The rounding of that sum is a factor that all elements share; bounds and spreads
 * include it afterwards. */

#include "reference/operator/bound_memo.h"
#include "reference/ops/loss/class_loss.h"
#include "reference/ops/loss/cross_entropy_bound.h"

#include <limits.h>
#include <math.h>

enum { GRAD, INPUT, TARGET, WEIGHT, OVER, REST, CONDITION, GIVEN, GIVEN_ALONE = OVER, GIVEN_PROBABLE = REST };
enum { PRECISION = 2400 /* bits that hold any sum of doubles */ };

static int given(const struct attributes *attributes, bool probable)
{
    return probable ? GIVEN_PROBABLE : cross_entropy_is_mean(attributes) ? GIVEN : GIVEN_ALONE;
}

/* The call's attributes with `dim`, the dimension of the classes. */
static struct attributes along_classes(const struct attributes *attributes, const struct shape *input)
{
    struct attributes all = *attributes;
    all.item[all.count++] = (struct attribute){
        .name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(1, (int64_t)(input->rank > 1))};
    return all;
}

/* --- calls */

struct gathered {
    struct op_call call;
    struct attributes attributes;
    struct tensor input[GIVEN];
    struct tensor own; /* for each sample, the weight of its target */
    struct class_loss_lay lay;
    double over[GIVEN]; /* the operands of the mean, equal for all elements */
    bool probable;
    bool rounded; /* two doubles do not hold the divisor of the mean */
};

static void gathered_clear(struct gathered *g)
{
    for (int k = 0; k < GIVEN; k++) {
        tensor_destroy(&g->input[k]);
    }
    tensor_destroy(&g->own);
}

/* True if the sample's inputs, from element `first` on, have a softmax. */
static bool has_softmax(const struct gathered *g, const struct tensor *x, int64_t first)
{
    double greatest = -INFINITY;
    for (int64_t c = 0; c < g->lay.classes; c++) {
        const double one = tensor_component(x, first + c * g->lay.inner);
        greatest = isnan(one) || one > greatest ? one : greatest;
    }
    return isfinite(greatest);
}

static void put_sample(struct gathered *g, const struct op_call *call, const struct tensor *weight,
                       int64_t sample)
{
    const struct tensor *x = &call->input[INPUT];
    const int64_t target = g->probable ? -1 : class_loss_target(&call->input[TARGET], sample);
    const bool counts = g->probable || target != class_loss_ignored(call->attributes);
    const int64_t first = class_loss_element(&g->lay, sample, 0);
    const double grad = tensor_component(&call->input[GRAD], call->input[GRAD].shape.rank == 0 ? 0 : sample);
    const double beside = counts || has_softmax(g, x, first) ? 0 : -1;
    for (int64_t c = 0; c < g->lay.classes; c++) {
        const int64_t i = first + c * g->lay.inner;
        tensor_put(&g->input[GRAD], i, counts ? grad : 0);
        tensor_put(&g->input[INPUT], i, counts ? tensor_component(x, i) : 0);
        tensor_put(&g->input[TARGET], i,
                   g->probable             ? tensor_component(&call->input[TARGET], i)
                   : counts && c == target ? 1
                                           : beside);
        tensor_put(&g->input[WEIGHT], i, weight ? tensor_component(weight, c) : 1);
        for (int k = OVER; k < g->call.inputs; k++) {
            tensor_put(&g->input[k], i, g->over[k]);
        }
    }
}

/* What sample i adds to the divisor of a mean. */
static double weight_of(const struct gathered *g, const struct op_call *call, const struct tensor *weight,
                        int64_t i)
{
    if (g->probable) {
        return 1;
    }
    const int64_t target = class_loss_target(&call->input[TARGET], i);
    return target == class_loss_ignored(call->attributes) ? 0 : weight ? tensor_component(weight, target) : 1;
}

/* Fills the weights of the targets, their sum and its condition. */
static void add_weights(struct gathered *g, const struct op_call *call, const struct tensor *weight)
{
    mpfr_t total, absolute, one;
    mpfr_inits2(PRECISION, total, absolute, one, (mpfr_ptr)NULL);
    mpfr_set_zero(total, 1);
    mpfr_set_zero(absolute, 1);
    for (int64_t i = 0; i < g->lay.samples; i++) {
        const double w = weight_of(g, call, weight, i);
        tensor_put(&g->own, i, w);
        mpfr_add_d(total, total, w, MPFR_RNDN);
        mpfr_add_d(absolute, absolute, fabs(w), MPFR_RNDN);
    }
    g->over[OVER] = mpfr_get_d(total, MPFR_RNDN);
    if (isfinite(g->over[OVER])) {
        mpfr_sub_d(one, total, g->over[OVER], MPFR_RNDN);
        g->over[REST] = mpfr_get_d(one, MPFR_RNDN);
        g->rounded = mpfr_cmp_d(one, g->over[REST]) != 0;
    }
    mpfr_div(one, absolute, total, MPFR_RNDN);
    g->over[CONDITION] = weight && !g->probable ? fabs(mpfr_get_d(one, MPFR_RNDN)) : -1;
    mpfr_clears(total, absolute, one, (mpfr_ptr)NULL);
}

static bool gather(struct gathered *g, const struct op_call *call, struct error *error)
{
    const struct tensor *x = &call->input[INPUT],
                        *weight = call->inputs > WEIGHT ? &call->input[WEIGHT] : NULL;
    *g = (struct gathered){.call = *call,
                           .attributes = along_classes(call->attributes, &x->shape),
                           .lay = class_loss_lay(&x->shape)};
    g->probable = dtype_is_floating(call->input[TARGET].dtype);
    g->call.op = cross_entropy_slope(call->attributes, g->probable);
    g->call.attributes = &g->attributes;
    g->call.input = g->input;
    g->call.inputs = given(call->attributes, g->probable);
    const struct shape samples = shape_of(1, g->lay.samples);
    bool good = tensor_create(&g->own, DTYPE_FLOAT64, &samples);
    for (int k = 0; k < g->call.inputs; k++) {
        good = good && tensor_create(&g->input[k], DTYPE_FLOAT64, &x->shape);
    }
    if (!good) {
        return error_set(error, "%s: out of memory", call->op->name);
    }
    weight = weight && !tensor_absent(weight) ? weight : NULL;
    add_weights(g, call, weight);
    for (int64_t i = 0; i < g->lay.samples; i++) {
        put_sample(g, call, weight, i);
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)output;
    return given(call->attributes, dtype_is_floating(call->input[TARGET].dtype)) + 1;
}

/* Adds the roundings of the sum, which all elements share, to the envelopes. */
static void add_sum(const struct gathered *g, struct truth_output *out)
{
    double u[ENVELOPE_WIDTHS];
    struct envelope_sum sum;
    envelope_widths(out->dtype, u);
    envelope_sum((const double *)g->own.data, g->lay.samples, u, &sum);
    for (int64_t i = 0; i < out->elements; i++) {
        struct envelope *e = &out->envelope[i];
        const double y = fabs(value_approximately(&out->value[i]) / sum.total);
        e->spread = envelope_join(e->spread, sum.order * y);
        for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
            e->drift[w] += sum.drift[w] * y;
        }
    }
}

static bool answer(const struct op_call *call, struct truth *truth, bool enclosed, struct error *error)
{
    enum { TWO_DOUBLES = 102 };
    struct gathered g;
    const bool good =
        gather(&g, call, error) && (enclosed ? g.call.op->enclose : g.call.op->truth)(&g.call, truth, error);
    if (good && cross_entropy_is_mean(call->attributes) && g.over[CONDITION] >= 0) {
        add_sum(&g, &truth->output[0]);
    }
    if (good && g.rounded && truth->bits > TWO_DOUBLES) {
        truth->bits = TWO_DOUBLES;
    }
    gathered_clear(&g);
    return good;
}

static bool whole_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, truth, false, error);
}

static bool enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, truth, true, error);
}

static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    struct gathered g;
    const bool good = gather(&g, call, error) && g.call.op->certify(&g.call, truth, output, element, error);
    gathered_clear(&g);
    return good;
}

/* --- error bounds */

static bool is_probable(const struct truth_output *out)
{
    return out->sensitivities == GIVEN_PROBABLE + 1;
}

/* Returns the relative error of the divisor of a mean. */
static double error_of_sum(const struct bound_query *query, const double *given, bool exact)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct profile *profile = query->profile;
    const double u = exact ? 0 : profile_accumulate_roundoff(profile, out->dtype);
    struct shape others;
    const double n = (double)(out->elements / class_loss_classes(&out->shape, &others));
    if (is_probable(out) || given[CONDITION] < 0) {
        return given[OVER] * u > 1 ? u : 0;
    }
    if (given[CONDITION] * fabs(given[OVER]) > dtype_max(profile->accumulate[out->dtype])) {
        return INFINITY; /* the sum may overflow */
    }
    const double h = rowwise_depth(profile, query->op->name, n);
    const double lost = profile_loses_subnormals(profile, out->dtype)
                            ? 2 * n * profile_underflow_unit(profile, out->dtype) / fabs(given[OVER])
                            : 0;
    return lost + (exact ? 0 : given[CONDITION] * profile_sum_error(profile, out->dtype, h));
}

/* Returns the query for the row-wise map; fills its attributes. */
static struct bound_query row_query(const struct bound_query *query, struct attributes *attributes)
{
    const struct truth_output *out = &query->truth->output[0];
    struct bound_query inner = *query;
    *attributes = along_classes(query->attributes, &out->shape);
    inner.op = cross_entropy_slope(query->attributes, is_probable(out));
    inner.attributes = attributes;
    return inner;
}

/* Widens a batch of the map's bounds by the error of the divisor of a mean. */
static void widen(const struct bound_query *query, bool exact, int64_t first, int count, double *limit)
{
    const struct truth_output *out = &query->truth->output[0];
    for (int i = 0; cross_entropy_is_mean(query->attributes) && i < count; i++) {
        const double y = fabs(value_approximately(&out->value[first + i]));
        if (y != 0 && out->value[first + i].class == VALUE_FINITE) {
            const double e = error_of_sum(query, &out->sensitivity[(first + i) * out->sensitivities], exact);
            limit[i] = e < 1 ? (limit[i] + y * e) / (1 - e) * (1 + 0x1p-20) : INFINITY;
        }
    }
}

static void bounds(const struct bound_query *query, int64_t first, int count, double *compute)
{
    struct attributes attributes;
    const struct bound_query inner = row_query(query, &attributes);
    op_bounds(&inner, first, count, compute);
    widen(query, query->exact, first, count, compute);
}

static void primitive_errors(const struct bound_query *query, int64_t first, int count,
                             double *primitive_error)
{
    struct attributes attributes;
    const struct bound_query inner = row_query(query, &attributes);
    op_primitive_errors(&inner, first, count, NULL, primitive_error);
    widen(query, true, first, count, primitive_error);
}

static double bound(const struct bound_query *query)
{
    double bound;
    bounds(query, query->element, 1, &bound);
    return bound;
}

static double primitive_error(const struct bound_query *query)
{
    double primitive_error;
    primitive_errors(query, query->element, 1, &primitive_error);
    return primitive_error;
}

static bool naive_may_overflow(const struct bound_query *query)
{
    struct attributes attributes;
    const struct bound_query inner = row_query(query, &attributes);
    return rowwise_naive_may_overflow(&inner);
}

/* True if the weights of a sample's classes, their sum, the divisor of a mean, or these times the gradient
 * may overflow: a program may then have NaN or infinities, whatever the result is. `first` is the sample's
 * first element. */
static bool sample_overflows(const struct bound_query *query, int64_t first)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct class_loss_lay lay = class_loss_lay(&out->shape);
    const double *own = &out->sensitivity[query->element * out->sensitivities], grad = fabs(own[GRAD]),
                 over = cross_entropy_is_mean(query->attributes) && !is_probable(out) ? fabs(own[OVER]) : 1,
                 smoothed = cross_entropy_smoothing(query->attributes) / (double)lay.classes;
    const double most = dtype_max(query->profile->accumulate[out->dtype]);
    double sum = 0, target = 0;
    for (int64_t c = 0; c < lay.classes; c++) {
        const double *at = &out->sensitivity[(first + c * lay.inner) * out->sensitivities];
        target = fmax(target, at[TARGET]);
        sum += fabs(at[WEIGHT]) * (fabs(at[TARGET]) + smoothed);
    }
    const bool counts = target > 0 || is_probable(out);
    return isfinite(sum) && isfinite(grad) && counts &&
           (sum * fmax(1, fmax(grad, grad / over)) >= most ||
            (cross_entropy_is_mean(query->attributes) && own[CONDITION] >= 0 &&
             own[CONDITION] * over >= most));
}

/* sample_overflows for the sample of the element; cached for its other elements, by the digest of the
 * operands. */
static bool may_overflow(const struct bound_query *query)
{
    static _Thread_local struct known {
        double digest;
        int64_t first;
        enum dtype type;
        bool overflows;
    } known = {.first = -1};
    const struct truth_output *out = &query->truth->output[0];
    const struct class_loss_lay lay = class_loss_lay(&out->shape);
    const int64_t block = lay.classes * lay.inner,
                  first = query->element / block * block + query->element % lay.inner;
    const double digest = out->sensitivity[(query->element + 1) * out->sensitivities - 1];
    const enum dtype type = query->profile->accumulate[out->dtype];
    if (known.first != first || known.digest != digest || known.type != type) {
        known = (struct known){digest, first, type, sample_overflows(query, first)};
    }
    return known.overflows;
}

static void accepts(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = &out->value[query->element];
    accept_default(accept, out->dtype, query->profile, value, op_bound(query));
    accept_any_zero(accept);
    if (value->class == VALUE_FINITE && may_overflow(query)) {
        accept_overflowed(accept, query->profile);
    }
    if (value->class == VALUE_POSITIVE_INFINITY || value->class == VALUE_NEGATIVE_INFINITY ||
        (!is_probable(out) && out->sensitivity[query->element * out->sensitivities + TARGET] < 0)) {
        accept_also(accept, NAN);
    }
}

static const struct op ops[] = {
    {.family = "loss",
     .name = "cross_entropy_backward",
     .operands = {{"grad_output", OPERAND_READ},
                  {"input", OPERAND_READ},
                  {"target", OPERAND_INDICES},
                  {"weight", OPERAND_OPTIONAL}},
     CROSS_ENTROPY_OP,
     .truth = whole_truth,
     .enclose = enclose,
     .certify = certify,
     .certify_costly = true,
     .sensitivities = sensitivities,
     .bound = bound,
     .bounds = bounds,
     .primitive_error = primitive_error,
     .primitive_errors = primitive_errors,
     .naive_may_overflow = naive_may_overflow,
     .accept = accepts,
     .bounded = true},
};

const struct op_set op_set_cross_entropy_backward = {.op = ops, .count = sizeof ops / sizeof *ops};
