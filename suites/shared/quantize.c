/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/quantize.h"
#include "suites/shared/data.h"

#include <math.h>
#include <string.h>

static const struct op *op_of(const struct builder *b)
{
    return b->c->op;
}

static bool dequantizes(const struct builder *b)
{
    return quantization_action(op_of(b)) == DEQUANTIZE;
}

/* --- scales and zero points */

static int64_t limit(const struct quantize_call *call, enum dtype whole, bool greatest)
{
    bool is_signed = whole != DTYPE_UINT8;
    int bits = call->narrow ? 4 : 8 * (int)dtype_info(whole)->size;
    int64_t end = INT64_C(1) << (bits - is_signed);
    return greatest ? end - 1 : is_signed ? -end : 0;
}

/* Returns the k-th scale. Channels 16, 32 or 64 apart (a wavefront's distances) have different scales, so
 * that a scale read from another channel shows. */
static double scale_at(const struct quantize_call *call, int64_t k)
{
    double factor =
        call->powers ? ldexp(1, (int)(k % 3)) : 1 + (double)(k * 5 % 16) / 16 + (double)(k / 16 % 61) / 64;
    return k == 0 ? call->scale : (double)(float)(call->scale * factor);
}

static int64_t zero_at(const struct builder *b, const struct quantize_call *call, int64_t k)
{
    enum dtype whole = dequantizes(b) ? b->c->dtype : call->to;
    int64_t least = limit(call, whole, false), most = limit(call, whole, true);
    int64_t zero = call->zero + (k == 0 ? 0 : k % 5 - 2);
    return zero < least ? least : zero > most ? most : zero;
}

/* Returns the number of the channel or block of element i. */
static int64_t number_of(const struct builder *b, const struct quantize_call *call, int64_t i)
{
    int axis = call->axis < 0 ? call->axis + call->shape.rank : call->axis;
    switch (quantization_grain(op_of(b))) {
    case GRAIN_CHANNEL:
        for (int d = call->shape.rank - 1; d > axis; d--) {
            i /= call->shape.dim[d];
        }
        return i % call->shape.dim[axis];
    case GRAIN_BLOCK:
        return i / call->block;
    default:
        return 0;
    }
}

static struct shape shape_of_parameters(const struct builder *b, const struct quantize_call *call)
{
    struct shape shape = call->shape;
    if (quantization_grain(op_of(b)) == GRAIN_BLOCK) {
        shape.dim[shape.rank - 1] /= call->block;
        return shape;
    }
    return shape_of(1, shape.dim[call->axis < 0 ? call->axis + shape.rank : call->axis]);
}

static void make_parameters(struct builder *b, const struct quantize_call *call, const struct shape *scales,
                            const struct shape *zeros, struct view *operand)
{
    operand[0] = build_tensor(b, DTYPE_FLOAT32, scales, LAYOUT_OFFSET1);
    operand[1] = build_tensor(b, DTYPE_INT32, zeros, LAYOUT_STEPPED2);
    for (int64_t k = 0; k < shape_elements(scales); k++) {
        build_set(b, &operand[0], k, scale_at(call, k));
    }
    for (int64_t k = 0; k < shape_elements(zeros); k++) {
        build_set(b, &operand[1], k, (double)zero_at(b, call, k));
    }
}

/* --- data */

/* Returns numbers around both ends of the interval, and far beyond it, in units of the scale. */
static double edge_of(const struct quantize_call *call, int64_t z, int64_t i)
{
    double least = (double)(limit(call, call->to, false) - z),
           most = (double)(limit(call, call->to, true) - z);
    double turn = most - least + 1;
    const double edges[] = {0,    -0.0,  1e9,         -1e9,         INFINITY,        -INFINITY,
                            1,    -1,    most + turn, least - turn, most + turn / 2, least - turn / 2,
                            turn, -turn, 65504,       -65504};
    int64_t at = i % 48;
    return at < 16 ? edges[at] : at < 32 ? least + (double)(at - 24) / 4 : most + (double)(at - 40) / 4;
}

static double number_at(const struct quantize_call *call, struct philox *generator, int64_t z, int64_t i)
{
    double least = (double)(limit(call, call->to, false) - z),
           most = (double)(limit(call, call->to, true) - z);
    double tie = fmin(most - least, 300);
    tie = floor((double)(i % 311) / 310 * 1.1 * tie - 0.05 * tie + fmax(least, -150)) + 0.5;
    switch (call->data) {
    case QUANTIZE_TIES:
    case QUANTIZE_NEAR:
        return tie;
    case QUANTIZE_EDGES:
        return edge_of(call, z, i);
    default:
        return least + (most - least) * (1.2 * philox_unit(generator) - 0.1);
    }
}

static void fill_float(struct builder *b, const struct quantize_call *call, const struct view *x)
{
    struct philox generator = build_generator(b, 0);
    uint64_t special[SPECIALS_MAX];
    int specials = special_bits(x->dtype, special);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        int64_t k = number_of(b, call, i);
        unsigned char bytes[8];
        dtype_store(x->dtype, bytes, number_at(call, &generator, zero_at(b, call, k), i) * scale_at(call, k));
        uint64_t bits = dtype_bits(x->dtype, bytes);
        if (call->data == QUANTIZE_NEAR) {
            bits += (uint64_t)((i % 5 - 2) * (1 << i / 5 % 5)); /* up to 32 places from the tie */
        } else if (call->data == QUANTIZE_SPECIAL && i % 2) {
            bits = special[i / 2 % specials];
        }
        build_set_bits(b, x, i, 0, bits);
    }
    build_origin(b, x, call->data == QUANTIZE_RANDOM);
}

/* Fills x with each 8-bit number in turn; int32 with numbers of every bit length and the ends of the
 * range. */
static void fill_whole(struct builder *b, const struct view *x)
{
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        uint64_t wide = i == 0   ? INT32_MAX
                        : i == 1 ? (uint64_t)INT32_MIN
                                 : data_any_exponent(&generator, DTYPE_INT32, i);
        build_set_bits(b, x, i, 0, x->dtype == DTYPE_INT32 ? wide : (uint64_t)(i * 37 + 128));
    }
}

/* --- calls */

static void give(struct attributes *a, const char *name, enum attribute_type type, double x, const char *word)
{
    a->item[a->count++] =
        (struct attribute){.name = name, .type = type, .real = x, .integer = (int64_t)x, .word = word};
}

static struct attributes attributes_of(const struct builder *b, const struct quantize_call *call)
{
    struct attributes a = {.count = 0};
    enum quantization_action action = quantization_action(op_of(b));
    if (quantization_grain(op_of(b)) == GRAIN_TENSOR) {
        give(&a, "scale", ATTRIBUTE_REAL, call->scale, NULL);
        give(&a, "zero_point", ATTRIBUTE_INTEGER, (double)zero_at(b, call, 0), NULL);
    } else if (quantization_grain(op_of(b)) == GRAIN_CHANNEL) {
        give(&a, "axis", ATTRIBUTE_INTEGER, call->axis, NULL);
    } else {
        give(&a, "block_size", ATTRIBUTE_INTEGER, (double)call->block, NULL);
    }
    if (action >= FAKE_QUANTIZE || (action == QUANTIZE && call->narrow)) {
        give(&a, "quant_min", ATTRIBUTE_INTEGER, (double)limit(call, call->to, false), NULL);
        give(&a, "quant_max", ATTRIBUTE_INTEGER, (double)limit(call, call->to, true), NULL);
    }
    if (action <= DEQUANTIZE) {
        give(&a, action == QUANTIZE ? "dtype" : "out_dtype", ATTRIBUTE_CHOICE, call->to,
             dtype_info(call->to)->name);
    }
    return a;
}

static int operands_of(struct builder *b, const struct quantize_call *call, struct view *operand)
{
    int count = 0;
    bool gradient = quantization_action(op_of(b)) == FAKE_QUANTIZE_BACKWARD;
    if (gradient) {
        operand[count++] = build_tensor(b, b->c->dtype, &call->shape, call->layout);
        data_fill_sign_coded(b, &operand[0], 7);
    }
    operand[count] = build_tensor(b, b->c->dtype, &call->shape, gradient ? LAYOUT_OFFSET1 : call->layout);
    if (dequantizes(b)) {
        fill_whole(b, &operand[count++]);
    } else {
        fill_float(b, call, &operand[count++]);
    }
    if (quantization_grain(op_of(b)) != GRAIN_TENSOR) {
        struct shape each = shape_of_parameters(b, call);
        make_parameters(b, call, &each, &each, &operand[count]);
        count += 2;
    }
    return count;
}

struct step *quantize_step(struct builder *b, const struct quantize_call *call)
{
    struct view operand[4];
    struct attributes attributes = attributes_of(b, call);
    int count = operands_of(b, call, operand);
    return build_step(b, op_of(b), &attributes, count, operand);
}

bool quantize_is_parameter(const struct op *op, int inputs, int i)
{
    return strcmp(op->family, "quantization") == 0 && quantization_grain(op) != GRAIN_TENSOR &&
           i >= inputs - 2;
}

static void set(struct attributes *a, const char *name, int64_t x)
{
    for (int k = 0; k < a->count; k++) {
        if (strcmp(a->item[k].name, name) == 0) {
            a->item[k].integer = x;
        }
    }
}

void quantize_rejection(struct builder *b, const struct quantize_call *call, enum quantize_fault fault)
{
    struct view operand[4];
    struct attributes attributes = attributes_of(b, call);
    int count = operands_of(b, call, operand), longer = fault == FAULT_ZEROS;
    struct shape each = shape_of_parameters(b, call), other = each;
    other.dim[other.rank - 1]++;
    switch (fault) {
    case FAULT_SCALES:
    case FAULT_ZEROS:
        make_parameters(b, call, longer ? &each : &other, longer ? &other : &each, &operand[count - 2]);
        break;
    case FAULT_AXIS:
        set(&attributes, "axis", call->shape.rank);
        break;
    case FAULT_BLOCK:
        set(&attributes, "block_size", call->block + 1);
        break;
    case FAULT_ZERO_POINT:
        set(&attributes, "zero_point", limit(call, call->to, true) + 1);
        break;
    case FAULT_INTERVAL:
        set(&attributes, "quant_max", limit(call, call->to, false) - 1);
        break;
    case FAULT_BEYOND:
        give(&attributes, "quant_max", ATTRIBUTE_INTEGER, (double)limit(call, call->to, true) + 1, NULL);
        break;
    case FAULT_GRAD:
        operand[0] = build_tensor(b, b->c->dtype, &other, LAYOUT_CONTIGUOUS);
        break;
    }
    build_rejection(b, op_of(b), &attributes, count, operand);
}
