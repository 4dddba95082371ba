/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* scaled_dot_product_attention_backward [grad_output, query, key, value, attn_mask?] gives grad_query,
 * grad_key, grad_value and, for a mask of numbers, grad_attn_mask.
 *
 * Definition: the gradients of attention.c. With P the probabilities and dO grad_output,
 *
 *     dV = Pᵀ·dO,  dP = dO·Vᵀ,  D = Σ P·dP of a row,  dS = P·(dP − D),
 *     dQ = scale·dS·K,  dK = scale·dSᵀ·Q,  grad_attn_mask = dS,
 *
 * each summed over the dimensions along which its operand is repeated. A query without keys adds 0; where a
 * backend gives NaN for such rows, its gradients may be NaN.
 *
 * Truth: attention_group.c, attention_sums.c, attention_gradient_exact.c. Error bound:
 * attention_gradient_bound.c. */

#include "reference/ops/attention/attention_certifier.h"
#include "reference/ops/attention/attention_mask_gradient.h"

#include <math.h>
#include <stdlib.h>

enum { DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    struct attention a;
    const struct view *input = operands->input;
    if (!attention_of_operands(op, operands, &attention_backward_operands, &a, reason)) {
        return false;
    }
    struct shape result = a.all;
    result.dim[result.rank++] = a.queries;
    result.dim[result.rank++] = a.value_width;
    if (!shape_equal(&input[0].shape, &result)) {
        char text[SHAPE_TEXT];
        shape_print(&result, text, sizeof text);
        return error_set(reason, "%s: grad_output must have the shape of the result, %s", op->name, text);
    }
    *out = (struct op_signature){.outputs = a.masked && !a.boolean ? 4 : 3};
    for (int o = 0; o < out->outputs; o++) {
        out->output[o].dtype = input[o + 1].dtype;
        out->output[o].shape = input[o + 1].shape;
    }
    return true;
}

static int sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return ATTENTION_GRADIENT_SENSITIVITIES;
}

static double greatest_finite(const struct tensor *x)
{
    double most = 0;
    for (int64_t e = 0; e < shape_elements(&x->shape); e++) {
        const double size = fabs(tensor_component(x, e));
        most = isfinite(size) && size > most ? size : most;
    }
    return most;
}

/* What the flushing of subnormal operands changes in a term of a result, over the least normal number η, but
 * for what it changes by way of P. With A ≥ 1 not below any operand, each product of dP has changed by ηA at
 * most, D by 3·Dv·ηA (as Σ dO·O where O is flushed too), so dS by 4·Dv·ηA, and, since |dS| ≤ 2·Dv·A², a term
 * scale·dS·K by scale·6·Dv·ηA². Terms of grad_value and of the mask's gradient have changed by less. */
static double flushed_part(const struct op_call *call, const struct attention *a)
{
    bool holds = false;
    double most = 1;
    for (int i = 0; i < 4; i++) {
        holds = holds || tensor_holds_subnormal(&call->input[i]);
    }
    for (int i = 0; holds && i < 4; i++) {
        most = fmax(most, greatest_finite(&call->input[i]));
    }
    return holds ? 6 * fmax(1, fabs(a->scale)) * (double)a->value_width * most * most : 0;
}

/* Fills g->batch with the batches of one group. */
static void list_group(struct attention_group *g, const int64_t *first, int64_t of)
{
    g->count = 0;
    for (int64_t b = of; b < g->a->batches; b++) {
        if (first[b] == of) {
            g->batch[g->count++] = b;
        }
    }
}

static int64_t greatest_group(const struct attention *a, const int64_t *first)
{
    int64_t most = 1;
    int64_t *count = calloc((size_t)a->batches + 1, sizeof *count);
    for (int64_t b = 0; count && b < a->batches; b++) {
        count[first[b]]++;
        most = count[first[b]] > most ? count[first[b]] : most;
    }
    most = count ? most : a->batches;
    free(count);
    return most;
}

/* Results that no score adds to. */
static void fill_zeros(struct truth *truth)
{
    for (int o = 0; o < truth->outputs; o++) {
        struct truth_output *out = &truth->output[o];
        for (int64_t e = 0; e < out->elements; e++) {
            out->value[e] = value_of(0);
            out->envelope[e] = (struct envelope){.group = -1};
        }
    }
}

static bool create_all(const struct op_call *call, struct truth *truth, bool certain, struct error *error)
{
    bool good = true;
    for (int o = 0; o < truth->outputs; o++) {
        good = good && truth_output_envelope(&truth->output[o]) &&
               (certain || truth_output_radius(&truth->output[o], true));
    }
    return good || error_set(error, "%s: out of memory", call->op->name);
}

static bool all_groups(const struct op_call *call, const struct attention *a, bool certain,
                       const int64_t *first, struct truth *truth, struct error *error)
{
    struct attention_group g;
    struct attention_gradient_exact exact;
    struct attention_sums sums;
    struct attention_mask_gradient mask;
    bool good = attention_group_create(&g, call, a, greatest_group(a, first));
    good = attention_gradient_exact_create(&exact, call, a, a->queries > 0 ? g.room * a->queries : 1) && good;
    good = attention_sums_create(&sums, &g, &exact, truth, certain) && good;
    good = attention_mask_gradient_create(&mask, a, truth) && good;
    good = good || error_set(error, "%s: out of memory", call->op->name);
    g.flushed = flushed_part(call, a);
    for (int64_t b = 0; good && b < a->batches; b++) {
        if (first[b] != b) {
            continue;
        }
        list_group(&g, first, b);
        good = attention_group_compute(&g) || error_set(error, "%s: out of memory", call->op->name);
        for (int which = GRADIENT_QUERY; good && which <= GRADIENT_VALUE; which++) {
            good = attention_sums_fill(&sums, (enum attention_gradient)which, error);
        }
        if (good) {
            attention_mask_gradient_add(&mask, &g);
        }
    }
    good = good && attention_mask_gradient_fill(&mask, &exact, certain, error);
    attention_mask_gradient_clear(&mask);
    attention_sums_clear(&sums);
    attention_gradient_exact_clear(&exact);
    attention_group_clear(&g);
    return good;
}

static bool answer(const struct op_call *call, bool certain, struct truth *truth, struct error *error)
{
    struct attention a;
    attention_of_call(call, &attention_backward_operands, &a);
    if (!create_all(call, truth, certain, error)) {
        return false;
    }
    fill_zeros(truth);
    if (a.batches * a.queries * a.keys == 0) {
        return true;
    }
    int64_t *first = malloc((size_t)a.batches * sizeof *first);
    bool good = first != NULL || error_set(error, "%s: out of memory", call->op->name);
    if (good) {
        attention_group_find(&a, first);
        good = all_groups(call, &a, certain, first, truth, error);
    }
    free(first);
    return good;
}

static bool whole_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, true, truth, error);
}

static bool enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return answer(call, truth->output[0].dtype == DTYPE_FLOAT64, truth, error);
}

static bool certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    struct attention_gradient_exact *exact = attention_certifier(call);
    return exact
               ? (output == GRADIENT_MASK
                      ? attention_mask_gradient_certify(exact, truth, element, error)
                      : attention_sums_certify(exact, truth, (enum attention_gradient)output, element, error))
               : error_set(error, "%s: out of memory", call->op->name);
}

static const struct op ops[] = {{
    .family = "attention",
    .name = "scaled_dot_product_attention_backward",
    .operands = {{"grad_output", OPERAND_READ},
                 {"query", OPERAND_READ},
                 {"key", OPERAND_READ},
                 {"value", OPERAND_READ},
                 {"attn_mask", OPERAND_OPTIONAL}},
    .attributes = {{"is_causal", ATTRIBUTE_BOOL}, {"scale", ATTRIBUTE_REAL}, {"enable_gqa", ATTRIBUTE_BOOL}},
    .defaults = {{"is_causal", DEFAULT_VALUE, 0}, {"enable_gqa", DEFAULT_VALUE, 0}},
    .outputs = 4, /* the last one with a mask of numbers */
    .results = {{"grad_query", 0}, {"grad_key", 0}, {"grad_value", 0}, {"grad_attn_mask", 0}},
    .dtypes = DTYPES,
    .costly = true,
    .certify_costly = true,
    .signature = signature,
    .truth = whole_truth,
    .enclose = enclose,
    .certify = certify,
    .sensitivities = sensitivities,
    .bound = attention_gradient_bound,
    .primitive_error = attention_gradient_primitive_error,
    .may_overflow = attention_gradient_may_overflow,
    .accept = attention_accept,
    .bounded = true,
}};

const struct op_set op_set_attention_backward = {.op = ops, .count = sizeof ops / sizeof *ops};
