/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* cross_entropy: nll_loss of log_softmax, its labels smoothed, or targets that are probabilities.
 *
 * Definition: PyTorch's torch.nn.functional.cross_entropy; ATen's cross_entropy_loss_label_smoothing. With l
 * the log_softmax of a sample, ε label_smoothing and y its target
 *
 *     (1 − ε)·(−w_y·l_y) + ε/C·Σ_c −w_c·l_c,
 *
 * 0 of a target that is ignore_index; without ε the first term alone, so that a class of −inf counts there
 * only as the target. The mean is both terms' sum over the weights w_y of the targets that count: NaN where
 * there are none. Probabilities p_c, targets of the input's dtype and shape, give
 *
 *     Σ_c −w_c·((1 − ε)·p_c + ε/C)·l_c,
 *
 * and the mean is over the samples. As in PyTorch 0·−inf is NaN there.
 *
 * A sample is a row of the row kit: x its inputs, z the weights of the classes, and, the same all along the
 * row, grad the input at the target, pos_weight its weight, count whether it counts; of probabilities y is
 * they, and pos_weight 1. A mean or a sum is one more row, x the losses of the samples: their errors over t,
 * and what adding up and dividing err on losses that are as large as theirs may be.
 *
 * Sensitivities of a sample: those of its row. Of a mean or sum: samples, classes, how many targets count (−1
 * with weights), then losses, weights and rows of all samples. */

#include "reference/ops/cross_entropy_bound.h"

#include "reference/class_loss.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { PRECISION = 2400 /* any sum of doubles of one sign */ };

/* --- calls */

struct gathered {
    struct op_call call;
    struct attributes attributes;
    struct tensor input[CROSS_ENTROPY_GIVEN]; /* [samples, classes] */
    int64_t samples, classes;
    double count; /* of the targets that count, or samples of probabilities; −1 with weights of targets */
    bool probable;
};

static void gathered_clear(struct gathered *g)
{
    for (int k = 0; k < CROSS_ENTROPY_GIVEN; k++) {
        tensor_destroy(&g->input[k]);
    }
}

/* What all classes of a sample have in common. */
struct common {
    double at_target, weight, counts;
};

static struct common common_of(const struct gathered *g, const struct op_call *call,
                               const struct tensor *weight, int64_t sample, int64_t first, int64_t inner)
{
    if (g->probable) {
        return (struct common){.weight = 1, .counts = CROSS_ENTROPY_PROBABLE};
    }
    const int64_t target = class_loss_target(&call->input[1], sample);
    if (target == class_loss_ignored(call->attributes)) {
        return (struct common){.counts = 0};
    }
    return (struct common){.at_target = tensor_component(&call->input[0], first + target * inner),
                           .weight = weight ? tensor_component(weight, target) : 1,
                           .counts = 1};
}

static void put_sample(struct gathered *g, const struct op_call *call, int64_t sample, int64_t inner)
{
    const struct tensor *x = &call->input[0], *weight = call->inputs > 2 ? &call->input[2] : NULL;
    const int64_t first = sample / inner * g->classes * inner + sample % inner;
    weight = weight && !tensor_absent(weight) ? weight : NULL;
    const struct common common = common_of(g, call, weight, sample, first, inner);
    for (int64_t c = 0; c < g->classes; c++) {
        const int64_t at = first + c * inner;
        const double number[CROSS_ENTROPY_GIVEN] = {
            tensor_component(x, at), g->probable ? tensor_component(&call->input[1], at) : common.at_target,
            weight ? tensor_component(weight, c) : 1, common.weight, common.counts};
        for (int k = 0; k < CROSS_ENTROPY_GIVEN; k++) {
            dtype_store(DTYPE_FLOAT64, g->input[k].data + (size_t)(sample * g->classes + c) * sizeof(double),
                        number[k]);
        }
    }
    g->count += g->probable ? 1 : weight ? 0 : common.counts;
}

static bool gather(struct gathered *g, const struct op_call *call, struct error *error)
{
    struct shape others;
    *g = (struct gathered){.call = *call, .attributes = *call->attributes};
    g->classes = class_loss_classes(&call->input[0].shape, &others);
    g->samples = shape_elements(&others);
    g->probable = dtype_is_floating(call->input[1].dtype);
    g->count = !g->probable && call->inputs > 2 && !tensor_absent(&call->input[2]) ? -1 : 0;
    g->attributes.item[g->attributes.count++] =
        (struct attribute){.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(1, (int64_t)1)};
    g->call.op = cross_entropy_sample(call->attributes, g->probable);
    g->call.attributes = &g->attributes;
    g->call.input = g->input;
    g->call.inputs = CROSS_ENTROPY_GIVEN;
    const struct shape rows = shape_of(2, g->samples, g->classes);
    for (int k = 0; k < CROSS_ENTROPY_GIVEN; k++) {
        if (!tensor_create(&g->input[k], DTYPE_FLOAT64, &rows)) {
            return error_set(error, "%s: out of memory", call->op->name);
        }
    }
    int64_t inner = 1;
    for (int d = 1; d < others.rank; d++) {
        inner *= others.dim[d];
    }
    for (int64_t i = 0; i < g->samples; i++) {
        put_sample(g, call, i, inner);
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

/* Σ loss, over Σ weight of a mean; Σ|loss| too. Losses are known to `bits`. */
static void add_up(const struct cross_entropy_parts *p, const struct truth_output *each, bool over,
                   struct truth *truth, int bits)
{
    mpfr_t total, absolute, weights, one;
    mpfr_inits2(PRECISION, total, absolute, weights, one, (mpfr_ptr)NULL);
    mpfr_set_zero(total, 1);
    mpfr_set_zero(absolute, 1);
    mpfr_set_zero(weights, 1);
    double special = 0;
    for (int64_t i = 0; i < p->samples; i++) {
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
    }
    struct value *value = &truth->output[0].value[0];
    if (mpfr_regular_p(total)) {
        *value = value_from_mpfr(total, false);
        truth->bits = bits < truth->bits ? bits : truth->bits;
    } else {
        *value = value_of(mpfr_get_d(total, MPFR_RNDN));
    }
    mpfr_clears(total, absolute, weights, one, (mpfr_ptr)NULL);
}

/* Of losses or, of probabilities, which may as well be added up at once, of all their terms. */
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

/* The roundings of the samples, independent of each other, and those of the sums and the quotient. */
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

static bool reduce(const struct gathered *g, struct truth *truth, bool over, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    struct truth *own = calloc(1, sizeof *own);
    const struct shape shape = shape_of(1, g->samples);
    const int width = (int)(CROSS_ENTROPY_GIVEN * g->classes);
    bool good = own && (own->outputs = 1, own->bits = INT_MAX, true) &&
                truth_output_create(&own->output[0], out->dtype, &shape, width) &&
                g->call.op->truth(&g->call, own, error);
    if (good) {
        out->sensitivity[0] = (double)g->samples;
        out->sensitivity[1] = (double)g->classes;
        out->sensitivity[2] = g->count;
        const struct cross_entropy_parts p = cross_entropy_parts_of(out->sensitivity);
        const struct truth_output *each = &own->output[0];
        bool special = false;
        for (int64_t i = 0; i < g->samples; i++) {
            p.loss[i] = value_approximately(&each->value[i]);
            p.weight[i] = g->classes ? each->sensitivity[i * width + 3 * g->classes] : 0;
            special = special || each->value[i].special_input;
        }
        for (int64_t i = 0; i < g->samples * width; i++) {
            p.row[i] = each->sensitivity[i];
        }
        add_up(&p, each, over, truth, own->bits == INT_MAX ? 104 : own->bits);
        out->value[0].special_input = special;
        good = spread(g, &p, each, over, out);
    }
    truth_destroy(&own);
    return good || error_set(error, "cross_entropy: no truth, or out of memory");
}

static bool whole_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct gathered g;
    const enum loss_reduction reduction = cross_entropy_reduction(call->attributes);
    bool good = gather(&g, call, error);
    if (good && reduction == LOSS_NONE) {
        good = g.call.op->truth(&g.call, truth, error);
    } else if (good) {
        good = reduce(&g, truth, reduction == LOSS_MEAN, error);
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
     .sensitivities = sensitivities,
     .bound = cross_entropy_bound,
     .allowance = cross_entropy_allowance,
     .naive_escapes = cross_entropy_naive_escapes,
     .accept = cross_entropy_accept},
};

const struct op_set op_set_cross_entropy = {.op = ops, .count = sizeof ops / sizeof *ops};
