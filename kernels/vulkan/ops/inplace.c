/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operators that write into an operand: into the first one, or into the last one if that is `out`.
 *
 * The other operands are broadcast to the shape of the written one. A step is refused if written elements
 * share memory, or if another operand overlaps the written one without having the same elements. */

#include "kernels/vulkan/conversion.h"
#include "kernels/vulkan/overlap.h"

#include <math.h>
#include <string.h>

enum operation { /* of inplace.comp */
                 SUM,
                 PRODUCT,
                 QUOTIENT,
                 SUM_PRODUCT,
                 SUM_QUOTIENT,
                 LERP,
                 CLAMP,
                 COPY,
                 FILL,
                 MASKED_FILL
};

enum { OPERANDS = 3, FLOATS_ONLY = 1, OUT = 2, NEGATED = 4 };

/* A row per operator: the constant that is its number, and the members of struct row. */
#define OPERATORS(X)                                                                                         \
    X(IN_ADD, "add_", SUM, "alpha", {0}, {0}, 0)                                                             \
    X(IN_SUB, "sub_", SUM, "alpha", {0}, {0}, NEGATED)                                                       \
    X(IN_MUL, "mul_", PRODUCT, NULL, {0}, {0}, 0)                                                            \
    X(IN_DIV, "div_", QUOTIENT, NULL, {0}, {0}, FLOATS_ONLY)                                                 \
    X(OUT_ADD, "add_out", SUM, "alpha", {0}, {0}, OUT)                                                       \
    X(OUT_SUB, "sub_out", SUM, "alpha", {0}, {0}, OUT | NEGATED)                                             \
    X(OUT_MUL, "mul_out", PRODUCT, NULL, {0}, {0}, OUT)                                                      \
    X(OUT_DIV, "div_out", QUOTIENT, NULL, {0}, {0}, OUT | FLOATS_ONLY)                                       \
    X(IN_ADDCMUL, "addcmul_", SUM_PRODUCT, "value", {0}, {0}, 0)                                             \
    X(IN_ADDCDIV, "addcdiv_", SUM_QUOTIENT, "value", {0}, {0}, FLOATS_ONLY)                                  \
    X(IN_LERP, "lerp_", LERP, "weight", {0}, {0}, FLOATS_ONLY)                                               \
    X(IN_CLAMP, "clamp_", CLAMP, NULL, {0, "min", "max"}, {0, -INFINITY, INFINITY}, 0)                       \
    X(IN_COPY, "copy_", COPY, NULL, {0}, {0}, 0)                                                             \
    X(IN_FILL, "fill_", FILL, "value", {0}, {0}, 0)                                                          \
    X(IN_MASKED_FILL, "masked_fill_", MASKED_FILL, "value", {0}, {0}, 0)
#define NUMBER(variant_, ...) variant_,
#define ROW(variant_, ...)    {__VA_ARGS__},
#define OP(variant_, name_, ...)                                                                             \
    {.name = name_, .variant = variant_, .plan = plan_inplace},                                              \
        {.name = name_, .route = VK_WIDE, .variant = variant_, .plan = plan_inplace},

enum { OPERATORS(NUMBER) };

static const struct row {
    const char *name;
    enum operation operation;
    const char *factor;            /* the attribute passed as scalar[0]; the default is 1 */
    const char *instead[OPERANDS]; /* the attributes used in place of absent operands */
    double otherwise[OPERANDS];    /* the values used without those attributes */
    int flags;
} rows[] = {OPERATORS(ROW)};

struct arguments { /* of inplace.comp */
    struct vk_view_argument operand[OPERANDS], result;
    uint64_t scalar[OPERANDS];
    uint32_t mask_elements;
    uint32_t padding;
};

static int written_operand(const struct row *row)
{
    return row->flags & OUT ? 2 : 0;
}

static bool has_shader(enum dtype dtype)
{
    return dtype_is_real(dtype) || dtype == DTYPE_INT32 || dtype == DTYPE_INT64;
}

/* Broadcasts `other` to the written shape, with strides of zero along dimensions of one element; false if it
 * does not broadcast. */
static bool spread(const struct view *other, const struct shape *shape, struct view *wide)
{
    *wide = *other;
    wide->shape = *shape;
    const int pad = shape->rank - other->shape.rank;
    if (pad < 0) {
        return false;
    }
    for (int d = 0; d < shape->rank; d++) {
        const int64_t dim = d < pad ? 1 : other->shape.dim[d - pad];
        if (dim != shape->dim[d] && dim != 1) {
            return false;
        }
        wide->stride[d] = dim == shape->dim[d] && d >= pad ? other->stride[d - pad] : 0;
    }
    return true;
}

/* Rejects a floating-point result that would be stored in integers; other mixtures are unsupported. */
static void check_dtypes(struct vk_plan *plan, const struct step *step, const struct row *row)
{
    const enum dtype dtype = step->input[written_operand(row)].dtype;
    const char *name = dtype_info(dtype)->name;
    const double factor = row->factor ? attributes_real(&step->attributes, row->factor, 1) : 1;
    bool fraction = row->operation == SUM && factor != floor(factor);
    for (int i = 0; i < step->inputs; i++) {
        fraction = fraction || (step->input[i].storage >= 0 && dtype_is_floating(step->input[i].dtype));
    }
    if (row->operation != COPY && dtype_is_integer(dtype) && (fraction || row->flags & FLOATS_ONLY)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a floating point result cannot be stored in %s", row->name,
                     name);
        return;
    }
    if (!has_shader(dtype)) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", row->name, name);
    }
    for (int i = 0; i < step->inputs; i++) {
        const struct view *operand = &step->input[i];
        const enum dtype expected = row->operation == MASKED_FILL && i == 1 ? DTYPE_BOOL : dtype;
        if (operand->storage >= 0 && row->operation != COPY && operand->dtype != expected) {
            vk_plan_fail(plan, expected == DTYPE_BOOL ? LAUNCH_REJECTED : LAUNCH_UNSUPPORTED,
                         "%s: %s into %s", row->name, dtype_info(operand->dtype)->name, name);
        }
    }
}

/* Broadcasts the operands, and rejects those that do not broadcast or whose memory overlaps the written
 * elements: their values would depend on the order of the writes. */
static void check_memory(struct vk_plan *plan, const struct step *step, const struct row *row,
                         struct view wide[OPERANDS])
{
    const int target = written_operand(row);
    const struct view *written = &step->input[target];
    if (row->operation != FILL && vk_overlaps_itself(written)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: written elements share memory; clone it first", row->name);
    }
    for (int i = 0; i < step->inputs; i++) {
        if (i == target || step->input[i].storage < 0) {
            continue;
        }
        if (!spread(&step->input[i], &written->shape, &wide[i])) {
            vk_plan_fail(plan, LAUNCH_REJECTED,
                         "%s: operand %d does not broadcast to what is written, which never broadcasts",
                         row->name, i);
        } else if (!vk_same_elements(written, &wide[i]) && vk_shares_memory(written, &wide[i])) {
            vk_plan_fail(plan, LAUNCH_REJECTED,
                         "%s: operand %d shares part of the written memory; clone it first", row->name, i);
        }
    }
}

/* Rounds x to float32, to odd, so that the shader's rounding to a 16-bit format gives that of x itself. */
static double to_odd(double x)
{
    float nearest = (float)x;
    if ((double)nearest == x || isnan(x)) {
        return x;
    }
    if (fabs((double)nearest) > fabs(x)) {
        nearest = nextafterf(nearest, 0);
    }
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    bits |= 1U;
    memcpy(&nearest, &bits, sizeof bits);
    return (double)nearest;
}

/* Returns the bits of an attribute as the shader reads it; integers are taken modulo 2^64. `stored`: the
 * value is stored in elements or compared with them, so that it is rounded once to their dtype; else it is a
 * factor. */
static uint64_t scalar_bits(enum dtype dtype, const struct attributes *attributes, const char *name,
                            double otherwise, bool negated, bool stored)
{
    if (dtype_is_floating(dtype)) {
        double x = name ? attributes_real(attributes, name, otherwise) : otherwise;
        if (stored && (dtype == DTYPE_FLOAT16 || dtype == DTYPE_BFLOAT16)) {
            x = to_odd(x);
        }
        return vk_real_bits(dtype, negated ? -x : x);
    }
    const int64_t nothing = isinf(otherwise) ? (otherwise > 0 ? INT64_MAX : INT64_MIN) : (int64_t)otherwise;
    int64_t x = name ? attributes_integer(attributes, name, nothing) : nothing;
    if (dtype == DTYPE_INT32 && isinf(otherwise)) { /* a limit of clamp_: saturates to the dtype */
        x = x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
    }
    return negated ? 0 - (uint64_t)x : (uint64_t)x;
}

static void dispatch(struct vk_plan *plan, const char *shader, size_t size, enum operation operation,
                     uint32_t viewed, const struct arguments *arguments)
{
    const struct vk_view_argument *operand = arguments->operand;
    const uint32_t elements = arguments->result.elements;
    vk_plan_dispatch_elements(
        plan,
        &(struct vk_dispatch){
            .shader = shader,
            .constants = {operation, viewed, vk_plan_route(plan) == VK_WIDE && vk_plan_native_halves(plan)},
            .groups = vk_groups(elements, VK_WORKGROUP),
            .arguments = arguments,
            .bytes = sizeof *arguments,
            .line = {operand, operand + 1, operand + 2, &arguments->result},
            .written = OPERANDS,
            .elements = elements,
            .iterations = 5 * VK_RANK_MAX},
        size);
}

static void plan_elements(struct vk_plan *plan, const struct step *step, const struct row *row,
                          const struct view wide[OPERANDS])
{
    static const char *const shader[DTYPE_COUNT] = {
        [DTYPE_FLOAT16] = "inplace.float16", [DTYPE_BFLOAT16] = "inplace.bfloat16",
        [DTYPE_FLOAT32] = "inplace.float32", [DTYPE_FLOAT64] = "inplace.float64",
        [DTYPE_INT32] = "inplace.int32",     [DTYPE_INT64] = "inplace.int64"};
    const struct view *written = &step->input[written_operand(row)];
    const bool negated = row->flags & NEGATED;
    const bool fills = row->operation == FILL || row->operation == MASKED_FILL;
    struct arguments arguments = {.result = vk_plan_elements(plan, written), .mask_elements = 1};
    uint32_t viewed = 0;
    for (int i = 0; i < OPERANDS; i++) {
        arguments.scalar[i] =
            i == 0 ? scalar_bits(written->dtype, &step->attributes, row->factor, 1, negated, fills)
                   : scalar_bits(written->dtype, &step->attributes, row->instead[i], row->otherwise[i], false,
                                 true);
        if (i >= step->inputs || step->input[i].storage < 0 || (i == 2 && row->flags & OUT)) {
            continue;
        }
        arguments.operand[i] = vk_plan_elements(plan, &wide[i]);
        viewed |= 1U << i;
        if (row->operation == MASKED_FILL && i == 1) {
            arguments.mask_elements = (uint32_t)shape_elements(&step->input[i].shape);
        }
    }
    dispatch(plan, shader[written->dtype], dtype_info(written->dtype)->size, row->operation, viewed,
             &arguments);
}

static void plan_inplace(struct vk_plan *plan, const struct step *step)
{
    const struct row *row = &rows[vk_plan_variant(plan)];
    struct view wide[OPERANDS] = {{.storage = -1}};
    wide[written_operand(row)] = step->input[written_operand(row)];
    check_dtypes(plan, step, row);
    if (vk_plan_is_good(plan)) {
        check_memory(plan, step, row, wide);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    if (row->operation == COPY && step->input[1].dtype != step->input[0].dtype) {
        vk_plan_conversion(plan, "copy_", &wide[1], &step->input[0]);
    } else {
        plan_elements(plan, step, row, wide);
    }
}

static const struct vk_op ops[] = {OPERATORS(OP)};
const struct vk_op_set vk_op_set_inplace = {ops, sizeof ops / sizeof *ops};
