/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Hypotheses about results beyond the range of their dtype: the greatest number in place of an infinity, an
 * integer held at the end of the range where it wraps around, or wrapped around where it is clamped. */

#include "harness/diagnose/hypotheses_parts.h"
#include "reference/ops/conversion/conversion_rules.h"
#include "reference/ops/quantization/quantization_affine.h"
#include "reference/ops/quantization/quantization_parts.h"

#include <math.h>
#include <string.h>

/* --- infinities */

static bool greatest_number(const struct search *s, void *user, int output, int64_t element,
                            struct prediction *p)
{
    (void)user;
    const struct truth_output *out = &s->of->truth->output[output];
    if (dtype_info(out->dtype)->kind != KIND_FLOAT) {
        return false;
    }
    unsigned char bytes[8];
    value_store(truth_value(out, element), out->dtype, bytes);
    double x = dtype_load(out->dtype, bytes);
    p->value = copysign(dtype_info(out->dtype)->max, x);
    return isinf(x) && s->refused[output][element];
}

/* --- integers */

/* The exact results of a call as whole numbers, of one judged tensor. */
struct wide {
    double *number; /* owned by `truth` or NULL */
    struct truth *truth;
    bool wraps; /* predict the number modulo 2^bits, not the nearest end of the range */
    double least, most;
};

/* True if the call is an operation on integers of the dtype of its result. Makes all of them int64. */
static bool widen(struct changed *changed, enum dtype dtype)
{
    bool any = false;
    for (int i = 0; i < changed->call.inputs; i++) {
        struct tensor *input = &changed->input[i], wide;
        if (!input->data || input->dtype != dtype ||
            op_is_indices(changed->call.op, changed->call.inputs, i)) {
            continue;
        }
        if (!tensor_create(&wide, DTYPE_INT64, &input->shape)) {
            return false;
        }
        for (int64_t k = 0; k < shape_elements(&input->shape); k++) {
            dtype_store_integer(DTYPE_INT64, wide.data + 8 * (size_t)k,
                                dtype_load_integer(dtype, element_of(input, k)));
        }
        tensor_destroy(input);
        *input = wide;
        any = true;
    }
    return any;
}

/* The truth of the same call on int64; NULL if there is none of the same shape. */
static struct truth *wide_truth(const struct search *s, enum dtype dtype)
{
    struct changed changed;
    struct truth *truth = NULL;
    struct error error;
    if (changed_create(&changed, s->of->call) && widen(&changed, dtype)) {
        const struct truth_output *out = &s->of->truth->output[0];
        bool mutated = op_written_input(changed.call.op) >= 0;
        struct op_signature signature = {.outputs = !mutated, .output = {{DTYPE_INT64, out->shape}}};
        truth = op_truth(&changed.call, &signature, &error);
    }
    changed_destroy(&changed);
    return truth;
}

/* Sets *x to the exact result of one element, before it is fitted into the dtype. */
static bool exact_number(const struct search *s, const struct wide *wide, int64_t i, double *x)
{
    const struct op_call *call = s->of->call;
    const struct truth_output *out = &s->of->truth->output[0];
    if (wide->truth) {
        *x = value_approximately(truth_value(&wide->truth->output[0], i));
    } else if (call->op->accept == conversion_accept) { /* its last input is what is converted */
        const struct tensor *input = &call->input[call->inputs - 1];
        if (!dtype_is_integer(input->dtype)) {
            return false;
        }
        *x = tensor_component(input, shape_broadcast_element(&input->shape, &out->shape, i));
    } else {
        const double *known = &out->sensitivity[i * out->sensitivities];
        *x = quantization_nearest(tensor_component(&call->input[0], i), known[SCALE]) + known[ZERO];
    }
    return isfinite(*x) && fabs(*x) < 0x1p53;
}

static bool fitted_otherwise(const struct search *s, void *user, int output, int64_t element,
                             struct prediction *p)
{
    const struct wide *wide = user;
    enum dtype dtype = s->of->truth->output[output].dtype;
    double x;
    if (!exact_number(s, wide, element, &x) || (x >= wide->least && x <= wide->most)) {
        return false;
    }
    if (wide->wraps) {
        unsigned char bytes[8];
        dtype_store_bits(dtype, bytes, (uint64_t)(int64_t)x);
        p->value = dtype_load(dtype, bytes);
    } else {
        p->value = x < wide->least ? wide->least : wide->most;
    }
    return true;
}

static void try_integers(struct search *s)
{
    const struct truth *truth = s->of->truth;
    const struct op *op = s->of->call->op;
    enum dtype dtype = truth->output[0].dtype;
    if (truth->outputs != 1 || !dtype_is_integer(dtype)) {
        return;
    }
    int bits = 8 * (int)dtype_info(dtype)->size;
    bool is_signed = dtype_info(dtype)->kind == KIND_SIGNED;
    bool quantizes = op->accept == quantization_accept && quantization_action(op) == QUANTIZE;
    struct wide wide = {.least = is_signed ? -ldexp(1, bits - 1) : 0, .most = ldexp(1, bits - is_signed) - 1};
    if (!quantizes && op->accept != conversion_accept) {
        wide.truth = bits < 64 ? wide_truth(s, dtype) : NULL;
        if (!wide.truth) {
            return;
        }
    }
    if (quantizes) {
        int64_t least, most;
        quantization_limits(s->of->call->attributes, dtype, &least, &most);
        wide.least = (double)least;
        wide.most = (double)most;
        wide.wraps = true;
        struct fit fit = fit_predicted(s, fitted_otherwise, &wide);
        search_offer(s, &fit, "wrapped",
                     "%lld number(s) beyond the range are taken modulo 2^%d, not clamped to its ends",
                     (long long)fit.explained, bits);
    } else {
        struct fit fit = fit_predicted(s, fitted_otherwise, &wide);
        search_offer(s, &fit, "saturated",
                     "%lld number(s) beyond the range of %s are held at its end, not taken modulo 2^%d",
                     (long long)fit.explained, dtype_info(dtype)->name, bits);
    }
    truth_destroy(&wide.truth);
}

/* --- differences q − z that wrap around */

struct difference {
    int bits;
    bool is_signed;
};

static bool wrapped_difference(const struct search *s, void *user, int output, int64_t element,
                               struct prediction *p)
{
    const struct difference *d = user;
    const struct truth_output *out = &s->of->truth->output[output];
    const double *known = &out->sensitivity[element * out->sensitivities];
    double q = tensor_component(&s->of->call->input[0], element), right = q - known[ZERO],
           period = ldexp(1, d->bits), least = d->is_signed ? -period / 2 : 0;
    double x = right - period * floor((right - least) / period);
    p->value = rounded_to(out->dtype, x * known[SCALE]);
    p->slack = 4 * dtype_unit_roundoff(out->dtype) * fabs(p->value);
    return x != right;
}

static void try_differences(struct search *s)
{
    static const struct difference differences[] = {{8, true}, {8, false}, {16, false}, {32, false}};
    const struct op *op = s->of->call->op;
    if (op->accept != quantization_accept || quantization_action(op) != DEQUANTIZE) {
        return;
    }
    for (size_t k = 0; k < sizeof differences / sizeof *differences; k++) {
        struct difference d = differences[k];
        struct fit fit = fit_predicted(s, wrapped_difference, &d);
        search_offer(s, &fit, "wrapped",
                     "input minus zero point wraps around in %s%d bits, in %lld element(s)",
                     d.is_signed ? "" : "unsigned numbers of ", d.bits, (long long)fit.explained);
    }
}

void try_range(struct search *s)
{
    struct fit fit = fit_predicted(s, greatest_number, NULL);
    search_offer(s, &fit, "saturated",
                 "%lld infinite result(s) are the greatest finite number of the dtype instead",
                 (long long)fit.explained);
    try_integers(s);
    try_differences(s);
}
