/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/quantization.h"

#include <math.h>
#include <string.h>

/* Sensitivities: x/s, or q − z of what is dequantized; s; z; the number itself: grad_output, or the integer.
 */
enum { RATIO, SCALE, ZERO, NUMBER, SENSITIVITIES };
enum { SATURATES = 40 };

void quantization_limits(const struct attributes *attributes, enum dtype to, int64_t *least, int64_t *most)
{
    bool is_signed = dtype_info(to)->kind == KIND_SIGNED;
    int bits = 8 * (int)dtype_info(to)->size;
    *least = attributes_integer(attributes, "quant_min", is_signed ? -(INT64_C(1) << (bits - 1)) : 0);
    *most = attributes_integer(attributes, "quant_max", (INT64_C(1) << (bits - is_signed)) - 1);
}

/* --- shapes */

/* The operand that is scaled. */
static int scaled_input(const struct op *op)
{
    return quantization_action(op) == FAKE_QUANTIZE_BACKWARD;
}

static bool check_tensor(const struct op *op, const struct attributes *a, struct error *reason)
{
    double scale = attributes_real(a, "scale", NAN);
    return (scale > 0 && isfinite(scale)) ||
           error_set(reason, "%s: scale must be a positive number", op->name);
}

/* Dimension of the channels; −1: there is none such. */
static int axis_of(const struct attributes *a, int rank)
{
    int64_t axis = attributes_integer(a, "axis", 0);
    return axis < -rank || axis >= rank ? -1 : (int)(axis < 0 ? axis + rank : axis);
}

static bool check_parameters(const struct op *op, const struct op_operands *operands, struct error *reason)
{
    const struct view *x = &operands->input[scaled_input(op)];
    const struct view *scales = &operands->input[operands->inputs - 2], *zeros = scales + 1;
    struct shape wanted = {.rank = 1};
    if (scales->dtype != DTYPE_FLOAT32 || zeros->dtype != DTYPE_INT32) {
        return error_set(reason, "%s: scales are float32, zero points int32", op->name);
    }
    if (quantization_grain(op) == GRAIN_CHANNEL) {
        int axis = axis_of(operands->attributes, x->shape.rank);
        if (axis < 0) {
            return error_set(reason, "%s: axis is out of range", op->name);
        }
        wanted.dim[0] = x->shape.dim[axis];
    } else {
        int64_t block = attributes_integer(operands->attributes, "block_size", 0);
        if (x->shape.rank == 0 || block < 1 || x->shape.dim[x->shape.rank - 1] % block != 0) {
            return error_set(reason, "%s: block_size must divide the last dimension", op->name);
        }
        wanted = x->shape;
        wanted.dim[wanted.rank - 1] /= block;
    }
    return (shape_equal(&scales->shape, &wanted) && shape_equal(&zeros->shape, &wanted)) ||
           error_set(reason, "%s: there must be a scale and a zero point of each %s", op->name,
                     quantization_grain(op) == GRAIN_CHANNEL ? "channel" : "block");
}

static bool check_limits(const struct op *op, const struct attributes *a, enum dtype to, struct error *reason)
{
    int64_t least, most, low, high, zero = attributes_integer(a, "zero_point", 0);
    quantization_limits(a, to, &least, &most);
    if (least > most) {
        return error_set(reason, "%s: quant_min must not be greater than quant_max", op->name);
    }
    if (quantization_action(op) == QUANTIZE) {
        quantization_limits(&(struct attributes){.count = 0}, to, &low, &high);
        if (least < low || most > high) {
            return error_set(reason, "%s: quant_min and quant_max must be numbers of %s", op->name,
                             dtype_info(to)->name);
        }
    }
    if (quantization_grain(op) == GRAIN_TENSOR && (zero < least || zero > most)) {
        return error_set(reason, "%s: zero_point must be between quant_min and quant_max", op->name);
    }
    return true;
}

bool quantization_signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                            struct error *reason)
{
    enum quantization_action action = quantization_action(op);
    const struct view *leading = &operands->input[0], *x = &operands->input[scaled_input(op)];
    enum dtype to = action == QUANTIZE
                        ? (enum dtype)attributes_integer(operands->attributes, "dtype", DTYPE_INT8)
                    : action == DEQUANTIZE
                        ? (enum dtype)attributes_integer(operands->attributes, "out_dtype", DTYPE_FLOAT32)
                        : leading->dtype;
    *out = (struct op_signature){.outputs = 1, .output = {{.dtype = to, .shape = x->shape}}};
    if (!(op->dtypes >> leading->dtype & 1) || x->dtype != leading->dtype) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(leading->dtype)->name);
    }
    if (!shape_equal(&leading->shape, &x->shape)) {
        return error_set(reason, "%s: grad_output must have the shape of input", op->name);
    }
    if (action == QUANTIZE && !attributes_given(operands->attributes, "dtype")) {
        return error_set(reason, "%s: names no dtype", op->name);
    }
    if (action >= FAKE_QUANTIZE && !(attributes_given(operands->attributes, "quant_min") &&
                                     attributes_given(operands->attributes, "quant_max"))) {
        return error_set(reason, "%s: names no quant_min and quant_max", op->name);
    }
    enum dtype held = action == QUANTIZE ? to : action == DEQUANTIZE ? leading->dtype : DTYPE_INT32;
    return (quantization_grain(op) == GRAIN_TENSOR ? check_tensor(op, operands->attributes, reason)
                                                   : check_parameters(op, operands, reason)) &&
           check_limits(op, operands->attributes, held, reason);
}

/* --- truth */

double quantization_nearest(double x, double s)
{
    double ratio = x / s, n = nearbyint(ratio), end = ldexp(1, SATURATES);
    if (!(fabs(ratio) < end)) {
        return copysign(end, ratio);
    }
    /* Twice x from the midpoint above and from the one below: one rounding, which keeps the sign. */
    double above = fma(-(2 * n + 1), s, 2 * x), below = fma(-(2 * n - 1), s, 2 * x);
    bool odd = fmod(n, 2) != 0;
    if (above > 0 || (above == 0 && odd)) {
        return n + 1;
    }
    return below < 0 || (below == 0 && odd) ? n - 1 : n;
}

static double clamped(double n, double least, double most)
{
    return n < least ? least : n > most ? most : n;
}

/* Which scale and zero point element i has. */
static int64_t parameter_of(const struct op_call *call, const struct shape *shape, int64_t i)
{
    if (quantization_grain(call->op) == GRAIN_BLOCK) {
        return i / attributes_integer(call->attributes, "block_size", 1);
    }
    int axis = axis_of(call->attributes, shape->rank);
    int64_t inner = 1;
    for (int d = axis + 1; d < shape->rank; d++) {
        inner *= shape->dim[d];
    }
    return i / inner % shape->dim[axis];
}

static void parameters(const struct op_call *call, const struct shape *shape, int64_t i, double *s, double *z)
{
    if (quantization_grain(call->op) == GRAIN_TENSOR) {
        *s = attributes_real(call->attributes, "scale", 1);
        *z = (double)attributes_integer(call->attributes, "zero_point", 0);
        return;
    }
    int64_t at = parameter_of(call, shape, i);
    *s = tensor_component(&call->input[call->inputs - 2], at);
    *z = tensor_component(&call->input[call->inputs - 1], at);
}

/* n·s, exactly: n is an integer of 33 bits at most. */
static struct value product(double n, double s)
{
    double hi = n * s;
    return isfinite(hi) ? value_from_pair(hi, fma(n, s, -hi)) : value_of(hi);
}

static struct value true_of(const struct op_call *call, enum dtype dtype, double x, const double *known)
{
    int64_t least, most;
    enum quantization_action action = quantization_action(call->op);
    quantization_limits(call->attributes, action == QUANTIZE ? dtype : DTYPE_INT32, &least, &most);
    if (action == DEQUANTIZE) {
        return product(known[RATIO], known[SCALE]);
    }
    if (isnan(known[RATIO])) { /* open, quantization_accept knows */
        return value_of(action == FAKE_QUANTIZE_BACKWARD ? known[NUMBER] : 0);
    }
    double n =
        (isinf(x) ? copysign(ldexp(1, SATURATES), x) : quantization_nearest(x, known[SCALE])) + known[ZERO];
    double q = clamped(n, (double)least, (double)most);
    return action == QUANTIZE        ? value_of(q)
           : action == FAKE_QUANTIZE ? product(q - known[ZERO], known[SCALE])
                                     : value_of(q == n ? known[NUMBER] : 0);
}

bool quantization_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    struct truth_output *out = &truth->output[0];
    const struct tensor *input = &call->input[scaled_input(call->op)];
    for (int64_t i = 0; i < out->elements; i++) {
        double *known = &out->sensitivity[i * SENSITIVITIES], x = tensor_component(input, i);
        parameters(call, &out->shape, i, &known[SCALE], &known[ZERO]);
        known[NUMBER] = tensor_component(&call->input[0], i);
        bool sound = known[SCALE] > 0 && isfinite(known[SCALE]); /* of other scales PyTorch says nothing */
        known[RATIO] = quantization_action(call->op) == DEQUANTIZE ? x - known[ZERO]
                       : sound                                     ? x / known[SCALE]
                                                                   : NAN;
        out->value[i] = true_of(call, out->dtype, x, known);
    }
    return true;
}

int quantization_sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return SENSITIVITIES;
}

/* --- acceptance */

static bool is_power_of_two(double s)
{
    int exponent;
    return frexp(s, &exponent) == 0.5;
}

/* The type of intermediates. */
static enum dtype type_of(const struct bound_query *query)
{
    enum dtype dtype = query->truth->output[0].dtype;
    dtype = dtype_is_floating(dtype) ? dtype : DTYPE_FLOAT32;
    return query->profile->accumulate[dtype];
}

/* What n + z may be, before it is held in the interval: what is within reach of a tie has two. */
static void reachable(const struct bound_query *query, const double *known, double *low, double *high)
{
    enum dtype type = type_of(query);
    double ratio = known[RATIO], s = known[SCALE], size = fabs(ratio), end = ldexp(1, SATURATES);
    double u = profile_unit_roundoff(query->profile, type), delta = 0;
    if (size >= end) {
        *low = *high = copysign(end, ratio);
        return;
    }
    if (!is_power_of_two(s)) {
        delta = profile_divide_error(query->profile, type, size) + u * size * (dtype_holds(type, s) ? 1 : 2);
        delta *= 1 + 8 * u;
    }
    double exact = quantization_nearest(ratio * 1, 1); /* of a power of two x/s is a double */
    *low = delta == 0 ? exact : ceil(ratio - 0.5 - delta);
    *high = delta == 0 ? exact : floor(ratio + 0.5 + delta);
    double beyond = ldexp(1, dtype_info(type)->precision),
           sum = fmax(fabs(*low), fabs(*high)) + fabs(known[ZERO]);
    double sloppy = sum > beyond ? ceil(2 * u * sum) : 0; /* the zero point itself, and the sum */
    *low += known[ZERO] - sloppy;
    *high += known[ZERO] + sloppy;
}

/* Of an integer result: every number from low to high, the truth first. */
static void accept_integers(const struct bound_query *query, double low, double high, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *q = &out->value[query->element];
    if (high - low > 1) {
        accept_default(accept, out->dtype, query->profile, q, fmax(q->hi - low, high - q->hi));
        return;
    }
    accept_default(accept, out->dtype, query->profile, q, 0);
    for (int side = 0; side < 2; side++) {
        struct value other = value_of(side ? high : low);
        struct accept more;
        accept_default(&more, out->dtype, query->profile, &other, 0);
        accept_union(accept, &more);
    }
    for (int set = 0; set < accept->sets; set++) {
        accept->set[set].rule = RULE_OPERATOR;
    }
}

/* E_compute of n·s, where n itself is off by `steps`: the scale may be rounded on the way, and the product
 * where the type of intermediates is wider than the result's. */
static double product_error(const struct bound_query *query, double n, double s, double steps)
{
    enum dtype type = type_of(query), dtype = query->truth->output[0].dtype;
    double u = profile_unit_roundoff(query->profile, type), size = fabs(n * s);
    bool held = dtype_holds(type, s), fits = dtype_holds(type, n * s) && fma(n, s, -(n * s)) == 0;
    double error = steps * s + (held ? 0 : u * size);
    error *= 1 + 2 * u;
    return error + (type != dtype && (error > 0 || !fits) ? u * size : 0);
}

/* The product for one n. */
static void accept_product(const struct bound_query *query, double n, double s, double steps,
                           struct accept *accept)
{
    enum dtype dtype = query->truth->output[0].dtype;
    struct value value = product(n, s);
    double error = product_error(query, n, s, steps);
    if (error > 0) {
        accept_default(accept, dtype, query->profile, &value, error);
    } else {
        accept_rounded(accept, dtype, query->profile, &value);
    }
    for (int set = 0; set < accept->sets; set++) {
        accept->set[set].component[0].zero = ZERO_ANY; /* 0·s, of an n that may have been −0 */
    }
}

static void accept_fake(const struct bound_query *query, const double *known, double low, double high,
                        struct accept *accept)
{
    double truth = query->truth->output[0].value[query->element].hi / known[SCALE];
    double z = known[ZERO], middle = nearbyint(truth);
    if (high - low > 1) {
        accept_product(query, middle, known[SCALE], fmax(middle - (low - z), (high - z) - middle), accept);
        return;
    }
    accept_product(query, middle, known[SCALE], 0, accept);
    for (int side = 0; side < 2; side++) {
        struct accept more;
        accept_product(query, (side ? high : low) - z, known[SCALE], 0, &more);
        accept_union(accept, &more);
    }
}

/* grad_output inside the interval, both ends included, 0 outside: or a NaN times 0. */
static void accept_gradient(const struct bound_query *query, const double *known, bool within, bool without,
                            struct accept *accept)
{
    enum dtype dtype = query->truth->output[0].dtype;
    struct value grad = value_of(known[NUMBER]), zero = value_of(0);
    struct accept more;
    accept_default(accept, dtype, query->profile, within ? &grad : &zero, 0);
    if (without) {
        zero.open = !isfinite(known[NUMBER]);
        accept_default(&more, dtype, query->profile, &zero, 0);
        for (int set = 0; set < more.sets; set++) {
            more.set[set].component[0].zero = ZERO_ANY;
        }
        if (within) {
            accept_union(accept, &more);
        } else {
            *accept = more;
        }
    }
}

/* How far q − z of what is dequantized may be off, which is exact where its parts are numbers of the type. */
static double difference_error(const struct bound_query *query, const double *known)
{
    enum dtype type = type_of(query);
    double u = profile_unit_roundoff(query->profile, type), steps = 0;
    const double parts[] = {known[NUMBER], known[ZERO], known[RATIO]};
    for (int k = 0; k < 3; k++) {
        steps += dtype_holds(type, parts[k]) ? 0 : u * fabs(parts[k]);
    }
    return steps +
           (steps > 0 ? u * fabs(known[RATIO]) + steps * u : 0); /* of other parts than the exact ones */
}

/* What q may be, from the least number to the greatest. */
static void held(const struct bound_query *query, const double *known, double *low, double *high)
{
    int64_t least, most;
    enum dtype dtype = query->truth->output[0].dtype;
    quantization_limits(query->attributes, dtype_is_floating(dtype) ? DTYPE_INT32 : dtype, &least, &most);
    reachable(query, known, low, high);
    *low = clamped(*low, (double)least, (double)most);
    *high = clamped(*high, (double)least, (double)most);
}

/* What errors may lean one way: all of it. */
double quantization_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *known = &out->sensitivity[query->element * SENSITIVITIES];
    enum quantization_action action = quantization_action(query->op);
    double low, high, n = known[RATIO];
    if (action == FAKE_QUANTIZE_BACKWARD) {
        return 0;
    }
    if (isnan(known[RATIO])) {
        return INFINITY;
    }
    if (action == DEQUANTIZE) {
        return product_error(query, n, known[SCALE], difference_error(query, known));
    }
    held(query, known, &low, &high);
    n = value_approximately(&out->value[query->element]) / known[SCALE];
    return action == QUANTIZE ? high - low : product_error(query, nearbyint(n), known[SCALE], high - low);
}

void quantization_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const double *known = &out->sensitivity[query->element * SENSITIVITIES];
    enum quantization_action action = quantization_action(query->op);
    double low, high;
    int64_t least, most;
    if (action == DEQUANTIZE) {
        accept_product(query, known[RATIO], known[SCALE], difference_error(query, known), accept);
        return;
    }
    if (isnan(known[RATIO])) {
        if (action == FAKE_QUANTIZE_BACKWARD) {
            accept_gradient(query, known, true, true, accept);
            accept->set[0].component[0].special |= ACCEPT_NAN;
        } else {
            accept_default(accept, out->dtype, query->profile, &out->value[query->element], INFINITY);
        }
        return;
    }
    if (action == FAKE_QUANTIZE_BACKWARD) {
        quantization_limits(query->attributes, DTYPE_INT32, &least, &most);
        reachable(query, known, &low, &high);
        bool within = high >= (double)least && low <= (double)most;
        bool without = low < (double)least || high > (double)most;
        accept_gradient(query, known, within, without, accept);
        return;
    }
    held(query, known, &low, &high);
    if (action == QUANTIZE) {
        accept_integers(query, low, high, accept);
    } else {
        accept_fake(query, known, low, high, accept);
    }
}

/* One right number, and that to the bit. */
bool quantization_rounds_once(const struct bound_query *query)
{
    struct accept accept;
    quantization_accept(query, &accept);
    return accept.sets == 1 && accept.set[0].radius == 0 && accept.set[0].component[0].special == 0;
}
