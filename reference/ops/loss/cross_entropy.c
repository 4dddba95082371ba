/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* cross_entropy: nll_loss of log_softmax, with label smoothing, or with probabilities as targets.
 *
 * Definition: PyTorch's torch.nn.functional.cross_entropy; ATen's cross_entropy_loss_label_smoothing. With l
 * the log_softmax of a sample, ε label_smoothing and y its target the loss is
 *
 *     (1 − ε)·(−w_y·l_y) + ε/C·Σ_c −w_c·l_c,
 *
 * or 0 for a target equal to ignore_index. Without ε there is only the first term, so a class of −inf matters
 * only as the target. The mean divides the sum of both terms by the sum of the weights w_y of the targets
 * that count: NaN if there are none. Probabilities p_c, which are targets of the input's dtype and shape,
 * give
 *
 *     Σ_c −w_c·((1 − ε)·p_c + ε/C)·l_c,
 *
 * and the mean is over the samples. As in PyTorch 0·−inf is NaN there.
 *
 * A sample is computed by a row-wise reduction: x holds its inputs and z the weights of the classes. Equal
 * along the row are grad, the input at the target; pos_weight, its weight; and count, whether it counts. For
 * probabilities y holds them, and pos_weight is 1. A mean or a sum is one more row, whose x are the losses of
 * the samples. Its bound is their errors over t, and the error of adding and dividing losses that are as
 * large as they may be.
 *
 * The sensitivities of a sample are those of its row. Those of a mean or a sum are the number of samples, the
 * number of classes, and how many targets count (−1 with weights); then losses, weights and rows of all
 * samples. */

#include "reference/ops/loss/cross_entropy_bound.h"

#include "reference/numeric/round_up.h"
#include "reference/ops/loss/class_loss.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { PRECISION = 2400 /* bits that hold any sum of doubles of one sign */ };

/* --- calls */

struct gathered {
    struct op_call call;
    struct attributes attributes;
    struct tensor input[CROSS_ENTROPY_GIVEN]; /* [samples, classes] */
    struct class_loss_lay lay;
    double count; /* number of targets that count, or of samples with probabilities; −1 with weights of
                     targets */
    bool probable;
};

static void gathered_clear(struct gathered *g)
{
    for (int k = 0; k < CROSS_ENTROPY_GIVEN; k++) {
        tensor_destroy(&g->input[k]);
    }
}

/* The operands that all classes of a sample share. */
struct common {
    double at_target, weight, counts;
};

static struct common common_of(const struct gathered *g, const struct op_call *call,
                               const struct tensor *weight, int64_t sample)
{
    if (g->probable) {
        return (struct common){.weight = 1, .counts = CROSS_ENTROPY_PROBABLE};
    }
    const int64_t target = class_loss_target(&call->input[1], sample);
    if (target == class_loss_ignored(call->attributes)) {
        return (struct common){.counts = 0};
    }
    return (struct common){.at_target =
                               tensor_component(&call->input[0], class_loss_element(&g->lay, sample, target)),
                           .weight = weight ? tensor_component(weight, target) : 1,
                           .counts = 1};
}

static void put_sample(struct gathered *g, const struct op_call *call, int64_t sample)
{
    const struct tensor *x = &call->input[0], *weight = call->inputs > 2 ? &call->input[2] : NULL;
    const int64_t first = class_loss_element(&g->lay, sample, 0);
    weight = weight && !tensor_absent(weight) ? weight : NULL;
    const struct common common = common_of(g, call, weight, sample);
    for (int64_t c = 0; c < g->lay.classes; c++) {
        const int64_t at = first + c * g->lay.inner;
        const double number[CROSS_ENTROPY_GIVEN] = {
            tensor_component(x, at), g->probable ? tensor_component(&call->input[1], at) : common.at_target,
            weight ? tensor_component(weight, c) : 1, common.weight, common.counts};
        for (int k = 0; k < CROSS_ENTROPY_GIVEN; k++) {
            tensor_put(&g->input[k], sample * g->lay.classes + c, number[k]);
        }
    }
    g->count += g->probable ? 1 : weight ? 0 : common.counts;
}

static bool gather(struct gathered *g, const struct op_call *call, struct error *error)
{
    *g = (struct gathered){
        .call = *call, .attributes = *call->attributes, .lay = class_loss_lay(&call->input[0].shape)};
    g->probable = dtype_is_floating(call->input[1].dtype);
    g->count = !g->probable && call->inputs > 2 && !tensor_absent(&call->input[2]) ? -1 : 0;
    g->attributes.item[g->attributes.count++] =
        (struct attribute){.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(1, (int64_t)1)};
    g->call.op = cross_entropy_sample(call->attributes, g->probable);
    g->call.attributes = &g->attributes;
    g->call.input = g->input;
    g->call.inputs = CROSS_ENTROPY_GIVEN;
    const struct shape rows = shape_of(2, g->lay.samples, g->lay.classes);
    for (int k = 0; k < CROSS_ENTROPY_GIVEN; k++) {
        if (!tensor_create(&g->input[k], DTYPE_FLOAT64, &rows)) {
            return error_set(error, "%s: out of memory", call->op->name);
        }
    }
    for (int64_t i = 0; i < g->lay.samples; i++) {
        put_sample(g, call, i);
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)output;
    struct shape others;
    const int64_t classes = class_loss_classes(&call->input[0].shape, &others);
    const int64_t rows = shape_elements(&others);
    return (int)(cross_entropy_reduction(call->attributes) == LOSS_NONE
                     ? CROSS_ENTROPY_GIVEN * classes
                     : CROSS_ENTROPY_HEAD + rows * (2 + CROSS_ENTROPY_GIVEN * classes));
}

/* Computes Σ loss, divided by Σ weight for a mean. Losses are known to `bits`, or within radii. Returns the
 * radius of the result. */
static double add_up(const struct cross_entropy_parts *p, const struct truth_output *each, bool over,
                     struct truth *truth, int bits)
{
    mpfr_t total, absolute, weights, one;
    mpfr_inits2(PRECISION, total, absolute, weights, one, (mpfr_ptr)NULL);
    mpfr_set_zero(total, 1);
    mpfr_set_zero(absolute, 1);
    mpfr_set_zero(weights, 1);
    double special = 0, radius = 0;
    for (int64_t i = 0; i < p->samples; i++) {
        radius = each->radius ? round_up_sum(radius, each->radius[i]) : 0;
        if (each->value[i].class == VALUE_FINITE) {
            value_to_mpfr(&each->value[i], one);
            mpfr_add(total, total, one, MPFR_RNDN);
            mpfr_abs(one, one, MPFR_RNDN);
            mpfr_add(absolute, absolute, one, MPFR_RNDN);
        } else {
            special += p->loss[i];
        }
        mpfr_add_d(weights, weights, p->weight[i], MPFR_RNDN);
    }
    if (mpfr_zero_p(total) == 0 && mpfr_regular_p(total)) {
        bits -= 2 + (int)(mpfr_get_exp(absolute) - mpfr_get_exp(total));
    }
    if (special != 0) {
        mpfr_set_d(total, special, MPFR_RNDN);
    }
    if (over) {
        mpfr_div(total, total, weights, MPFR_RNDN);
        mpfr_abs(weights, weights, MPFR_RNDN);
        radius = radius > 0 ? round_up_quotient(radius, mpfr_get_d(weights, MPFR_RNDD)) : 0;
    }
    struct value *value = &truth->output[0].value[0];
    if (mpfr_regular_p(total)) {
        *value = value_from_mpfr(total, false);
        truth->bits = bits < truth->bits ? bits : truth->bits;
    } else {
        *value = value_of(mpfr_get_d(total, MPFR_RNDN));
    }
    mpfr_clears(total, absolute, weights, one, (mpfr_ptr)NULL);
    return radius;
}

/* Fills the envelope of the sum of losses or, for probabilities, of all their terms, because programs may add
 * all terms at once. Returns false when out of memory. */
static bool add_losses(const struct gathered *g, const struct cross_entropy_parts *p,
                       const double u[ENVELOPE_WIDTHS], struct envelope_sum *sum)
{
    if (!g->probable) {
        envelope_sum(p->loss, p->samples, u, sum);
        return true;
    }
    double *term = malloc((size_t)(p->samples * p->classes + 1) * sizeof *term);
    for (int64_t i = 0; term && i < p->samples; i++) {
        cross_entropy_terms(&p->row[i * p->classes * CROSS_ENTROPY_GIVEN], p->classes, g->call.attributes,
                            term + i * p->classes);
    }
    if (term) {
        envelope_sum(term, p->samples * p->classes, u, sum);
    }
    free(term);
    return term != NULL;
}

/* Fills the envelope of the result: independent roundings of the samples, the sums and the quotient. */
static bool spread(const struct gathered *g, const struct cross_entropy_parts *p,
                   const struct truth_output *each, bool over, struct truth_output *out)
{
    double u[ENVELOPE_WIDTHS], t = 1;
    struct envelope_sum losses, weights = {.order = 0};
    envelope_widths(out->dtype, u);
    if (!add_losses(g, p, u, &losses)) {
        return false;
    }
    struct envelope e = {.spread = losses.order};
    if (over) {
        envelope_sum(p->weight, p->samples, u, &weights);
        t = fabs(weights.total);
    }
    const double y = fabs(value_approximately(&out->value[0]));
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        e.drift[w] = losses.drift[w] + (over && p->count < 0 ? weights.drift[w] * y : 0);
    }
    for (int64_t i = 0; i < p->samples; i++) {
        e.spread = envelope_join(e.spread, each->envelope[i].spread);
        for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
            e.drift[w] += each->envelope[i].drift[w];
        }
    }
    e.spread /= t;
    if (over) {
        e.spread = envelope_join(e.spread, y);
        e.spread = envelope_join(e.spread, p->count < 0 ? weights.order / t * y : 0);
    }
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        e.drift[w] /= t;
    }
    envelope_alone(&e, 0, y);
    return truth_output_envelope(out) && (out->envelope[0] = e, true);
}

/* Creates a truth with one tensor; NULL when out of memory. */
static struct truth *truth_of_one(enum dtype dtype, const struct shape *shape, int sensitivities)
{
    struct truth *truth = calloc(1, sizeof *truth);
    if (truth) {
        truth->outputs = 1;
        truth->bits = INT_MAX;
        if (!truth_output_create(&truth->output[0], dtype, shape, sensitivities, true)) {
            truth_destroy(&truth);
        }
    }
    return truth;
}

/* Computes a mean or a sum. With `enclosed` the losses are known within radii; *known is then false if they
 * must be known more precisely. */
static bool reduce(const struct gathered *g, struct truth *truth, bool enclosed, bool *known,
                   struct error *error)
{
    const bool over = cross_entropy_reduction(g->call.attributes) == LOSS_MEAN;
    struct truth_output *out = &truth->output[0];
    const struct shape shape = shape_of(1, g->lay.samples);
    const int width = (int)(CROSS_ENTROPY_GIVEN * g->lay.classes);
    struct truth *own = truth_of_one(out->dtype, &shape, width);
    bool good = own && (enclosed ? g->call.op->enclose : g->call.op->truth)(&g->call, own, error);
    *known = true;
    if (good) {
        out->sensitivity[0] = (double)g->lay.samples;
        out->sensitivity[1] = (double)g->lay.classes;
        out->sensitivity[2] = g->count;
        const struct cross_entropy_parts p = cross_entropy_parts_of(out->sensitivity);
        const struct truth_output *each = &own->output[0];
        bool special = false;
        for (int64_t i = 0; i < g->lay.samples; i++) {
            p.loss[i] = value_approximately(&each->value[i]);
            p.weight[i] = g->lay.classes ? each->sensitivity[i * width + 3 * g->lay.classes] : 0;
            special = special || each->value[i].special_input;
        }
        for (int64_t i = 0; i < g->lay.samples * width; i++) {
            p.row[i] = each->sensitivity[i];
        }
        const double radius = add_up(&p, each, over, truth, own->bits == INT_MAX ? 104 : own->bits);
        out->value[0].special_input = special;
        if (enclosed) {
            const struct value *value = &out->value[0];
            const double size = fabs(value_approximately(value));
            *known = radius == 0 || (value->class == VALUE_FINITE && radius <= 0x1p-20 * size);
            out->radius[0] = radius > 0 ? round_up_sum(radius, 0x1p-100 * size) : 0;
        }
        good = spread(g, &p, each, over, out);
    }
    truth_destroy(&own);
    return good || error_set(error, "cross_entropy: no truth, or out of memory");
}

/* For float64 tier 1 is not enough for nearly any loss, so all losses are certified together: one alone costs
 * gathering all of them. */
static bool answer(const struct op_call *call, struct truth *truth, bool enclosed, struct error *error)
{
    struct gathered g;
    const bool none = cross_entropy_reduction(call->attributes) == LOSS_NONE;
    const bool within = enclosed && truth->output[0].dtype != DTYPE_FLOAT64;
    bool good = gather(&g, call, error), known = true;
    if (good && none) {
        good = (within ? g.call.op->enclose : g.call.op->truth)(&g.call, truth, error);
    } else if (good) {
        good = (!within || truth_output_radius(&truth->output[0], true) ||
                error_set(error, "%s: out of memory", call->op->name)) &&
               reduce(&g, truth, within, &known, error);
    }
    if (good && !known) {
        struct truth_output *out = &truth->output[0];
        free(out->envelope);
        out->envelope = NULL;
        out->radius[0] = 0;
        good = reduce(&g, truth, false, &known, error);
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

/* Certifies a mean or a sum in a separate truth, because the present one may be read meanwhile. */
static bool certify_reduced(const struct gathered *g, struct truth *truth, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    struct truth *certain = truth_of_one(out->dtype, &out->shape, out->sensitivities);
    bool known, good = certain && reduce(g, certain, false, &known, error);
    if (good) {
        out->value[0] = certain->output[0].value[0];
        out->radius[0] = 0;
        truth->bits = certain->bits < truth->bits ? certain->bits : truth->bits;
    }
    truth_destroy(&certain);
    return good || error_set(error, "cross_entropy: no truth, or out of memory");
}

static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    struct gathered g;
    bool good = gather(&g, call, error);
    if (good && cross_entropy_reduction(call->attributes) == LOSS_NONE) {
        good = g.call.op->certify(&g.call, truth, output, element, error);
    } else if (good) {
        good = certify_reduced(&g, truth, error);
    }
    gathered_clear(&g);
    return good;
}

static const struct op ops[] = {
    {.family = "loss",
     .name = "cross_entropy",
     .operands = {{"input", OPERAND_READ}, {"target", OPERAND_INDICES}, {"weight", OPERAND_OPTIONAL}},
     CROSS_ENTROPY_OP,
     .truth = whole_truth,
     .enclose = enclose,
     .certify = certify,
     .certify_costly = true,
     .sensitivities = sensitivities,
     .bound = cross_entropy_bound,
     .primitive_error = cross_entropy_primitive_error,
     .naive_may_overflow = cross_entropy_naive_may_overflow,
     .accept = cross_entropy_accept},
};

const struct op_set op_set_cross_entropy = {.op = ops, .count = sizeof ops / sizeof *ops};
