/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/classes.h"
#include "reference/ops/elementwise/elementwise.h"
#include "reference/ops/rowwise/rowwise.h"
#include "suites/plan/call_builder.h"

#include <string.h>

static const char *const items[CLASSES] = {
    [CLASS_MIDDLE] = "middle_broadcast",    [CLASS_APART] = "apart",
    [CLASS_IN_TURN] = "attributes_in_turn", [CLASS_VALUES] = "attribute_values",
    [CLASS_CHANNELS] = "many_channels",     [CLASS_ZEROS] = "quantize_upper_zero"};

const char *class_item(enum call_class class)
{
    return items[class];
}

/* --- which parts are required */

/* Returns NULL if the plan does not have the operator. */
static const struct plan_form *form_of(const struct op *op)
{
    const struct plan_operator *planned = plan_find(op->name);
    return planned ? planned->form : NULL;
}

static uint32_t middle_parts(const struct op *op)
{
    const struct plan_form *form = form_of(op);
    uint32_t parts = 0;
    for (int k = 0; form && form->broadcasts && k < op_inputs_max(op); k++) {
        parts |= form->broadcasts(op, k) ? 1U << k : 0;
    }
    return parts;
}

static bool reduces_dimensions(const struct op *op)
{
    const struct plan_form *form = form_of(op);
    return form && form->reduces;
}

/* True for attributes on which the shape or presence of an operand depends; they cannot change alone. */
static bool decides_operands(const struct op *op, const char *attribute)
{
    const bool gradient = op_input_named(op, "grad_output") == 0,
               halves = op->row && op->row->views == VIEWS_HALVES;
    const struct plan_form *form = form_of(op);
    return (form && form->decides_operands && form->decides_operands(op, attribute)) ||
           strcmp(attribute, "size") == 0 || strcmp(attribute, "block_size") == 0 ||
           (gradient && (strcmp(attribute, "keepdim") == 0 || (halves && strcmp(attribute, "dim") == 0)));
}

static uint32_t in_turn_parts(const struct op *op)
{
    const struct plan_form *form = form_of(op);
    uint32_t parts = form && form->transposes ? 1U << CLASS_STRIDES : 0;
    for (int k = 0; form && k < ATTRIBUTES_MAX && op->attributes[k].name; k++) {
        parts |= decides_operands(op, op->attributes[k].name) ? 0 : 1U << k;
    }
    return parts;
}

/* Bit 1: no valid value below the default shows; bit 2: none above it. */
static unsigned sides_without(const char *attribute)
{
    return strcmp(attribute, "eps") == 0 || strcmp(attribute, "label_smoothing") == 0 ? 1 : 0;
}

static uint32_t values_parts(const struct op *op)
{
    uint32_t parts = 0;
    for (int k = 0; k < ATTRIBUTES_MAX && op->attributes[k].name; k++) {
        const struct op_attribute *a = &op->attributes[k];
        const bool number = a->type == ATTRIBUTE_REAL || a->type == ATTRIBUTE_NUMBER;
        if (number && op_has_default(op, a->name)) {
            parts |= (3U & ~sides_without(a->name)) << 2 * k;
        }
    }
    return parts;
}

/* The channels of a step; −1: the operator has none. */
static int64_t channels_of(const struct op *op, const struct step *step)
{
    const struct plan_form *form = form_of(op);
    return form && form->channels ? form->channels(op, step) : -1;
}

static bool has_zero_points(const struct op *op)
{
    const struct plan_form *form = form_of(op);
    return form && form->zero_points;
}

uint32_t class_parts(enum call_class class, const struct op *op)
{
    switch (class) {
    case CLASS_MIDDLE:
        return middle_parts(op);
    case CLASS_APART:
        return reduces_dimensions(op) ? 1U << 4 | 1U << 5 : 0;
    case CLASS_IN_TURN:
        return in_turn_parts(op);
    case CLASS_VALUES:
        return values_parts(op);
    case CLASS_CHANNELS:
        return channels_of(op, NULL) >= 0 ? 3 : 0;
    default:
        return has_zero_points(op);
    }
}

unsigned class_dtypes(enum call_class class, const struct op *op)
{
    const struct plan_operator *planned = plan_find(op->name);
    const bool all =
        class != CLASS_MIDDLE && class != CLASS_IN_TURN && !(planned && planned->form->no_other_dtypes);
    if (class == CLASS_ZEROS && op->dtypes >> DTYPE_UINT8 & 1) {
        /* Dequantization has uint8 input with zero points; quantization to uint8 names it in an attribute. */
        return 1U << DTYPE_UINT8;
    }
    return planned && !all ? plan_dtypes(planned) : op->dtypes;
}

/* --- what a step shows */

static uint32_t middle_seen(const struct op *op, const struct step *step)
{
    const int written = op_written_input(op);
    const struct shape *whole = written >= 0 ? &step->input[written].shape : &step->output[0].shape;
    uint32_t parts = 0;
    for (int k = 0; k < step->inputs; k++) {
        const struct shape *own = &step->input[k].shape;
        bool before = false, lost = false, seen = false;
        for (int d = 0; own->rank == whole->rank && d < whole->rank; d++) {
            seen = seen || (lost && own->dim[d] > 1);
            lost = lost || (before && own->dim[d] == 1 && whole->dim[d] > 1);
            before = before || own->dim[d] > 1;
        }
        parts |= step->input[k].storage >= 0 && seen ? 1U << k : 0;
    }
    return parts;
}

static bool reduces(const struct step *step, int rank, int d)
{
    const struct integers *list = attributes_integers(&step->attributes, "dim");
    bool reduced = false;
    for (int k = 0; list && k < list->count; k++) {
        reduced = reduced || (list->item[k] + rank) % rank == d;
    }
    return list ? reduced
                : attributes_given(&step->attributes, "dim") &&
                      (attributes_integer(&step->attributes, "dim", 0) + rank) % rank == d;
}

static uint32_t apart_seen(const struct op *op, const struct step *step)
{
    const struct shape *x = &step->input[op->rowwise && op->rowwise->gradient].shape;
    bool seen = false;
    for (int d = 1; d < x->rank - 1; d++) {
        for (int before = 0; reduces(step, x->rank, d) && before < d; before++) {
            for (int behind = d + 1; behind < x->rank; behind++) {
                seen = seen || (x->dim[before] == x->dim[behind] && x->dim[d] > 1 && x->dim[before] > 1 &&
                                !reduces(step, x->rank, before) && !reduces(step, x->rank, behind));
            }
        }
    }
    return seen && x->rank < 32 ? 1U << x->rank : 0;
}

static bool same_value(const struct attribute *a, const struct attribute *b)
{
    const double x = a->type == ATTRIBUTE_REAL ? a->real : (double)a->integer,
                 y = b->type == ATTRIBUTE_REAL ? b->real : (double)b->integer;
    return x == y && a->integers.count == b->integers.count &&
           memcmp(a->integers.item, b->integers.item, (size_t)a->integers.count * sizeof *a->integers.item) ==
               0;
}

static const struct attribute *attribute_of(const struct attributes *all, const char *name)
{
    for (int k = 0; k < all->count; k++) {
        if (strcmp(all->item[k].name, name) == 0) {
            return &all->item[k];
        }
    }
    return NULL;
}

/* Returns the attributes in which two steps on equal shapes differ, and bit CLASS_STRIDES if strides do; all
 * bits if shapes differ. */
static uint32_t differing(const struct op *op, const struct step *a, const struct step *b)
{
    uint32_t parts = 0;
    struct attributes own = a->attributes, other = b->attributes;
    for (int k = 0; k < a->inputs || k < b->inputs; k++) {
        const struct view *x = &a->input[k], *y = &b->input[k];
        if (a->inputs != b->inputs || x->dtype != y->dtype || !shape_equal(&x->shape, &y->shape)) {
            return ~0U;
        }
        const size_t bytes = (size_t)x->shape.rank * sizeof *x->stride;
        parts |= memcmp(x->stride, y->stride, bytes) != 0 ? 1U << CLASS_STRIDES : 0;
    }
    op_default_attributes(op, a->input[op_leading_input(op)].dtype, &own);
    op_default_attributes(op, a->input[op_leading_input(op)].dtype, &other);
    for (int k = 0; k < ATTRIBUTES_MAX && op->attributes[k].name; k++) {
        const struct attribute *x = attribute_of(&own, op->attributes[k].name),
                               *y = attribute_of(&other, op->attributes[k].name);
        parts |= (x && y ? !same_value(x, y) : x != y) ? 1U << k : 0;
    }
    return parts;
}

static uint32_t in_turn_seen(const struct op *op, const struct program *program)
{
    uint32_t parts = 0;
    for (int s = 0; s + 2 < program->steps; s++) {
        const struct step *step = &program->step[s];
        if (step->op == op && step[1].op == op && step[2].op == op && step[1].expect == EXPECT_VALUE &&
            differing(op, step, step + 2) == 0) {
            const uint32_t found = differing(op, step, step + 1);
            parts |= (found & (found - 1)) == 0 ? found : 0; /* exactly one differs */
        }
    }
    return parts;
}

static uint32_t values_seen(const struct op *op, const struct step *step)
{
    struct attributes usual = {.count = 0};
    uint32_t parts = 0;
    op_default_attributes(op, step->input[op_leading_input(op)].dtype, &usual);
    for (int k = 0; k < ATTRIBUTES_MAX / 2 && op->attributes[k].name; k++) {
        const char *name = op->attributes[k].name;
        if (attribute_of(&usual, name) && attributes_given(&step->attributes, name)) {
            const double x = attributes_real(&step->attributes, name, 0),
                         otherwise = attributes_real(&usual, name, 0);
            parts |= x < otherwise ? 1U << 2 * k : x > otherwise ? 2U << 2 * k : 0;
        }
    }
    return parts;
}

static uint32_t channels_seen(const struct op *op, const struct step *step)
{
    const int64_t channels = channels_of(op, step);
    return (channels > 64) | (uint32_t)(channels > 128) << 1;
}

/* True if a step quantizes to uint8 (quant_max is 255) or dequantizes it, with a zero point of at least
 * 128. */
static uint32_t zeros_seen(const struct op *op, const struct program *program, const struct step *step)
{
    const struct attributes *all = &step->attributes;
    const bool attribute = op_attribute_named(op, "zero_point"),
               bytes = step->input[op_leading_input(op)].dtype == DTYPE_UINT8 ||
                       step->output[0].dtype == DTYPE_UINT8 || attributes_integer(all, "quant_max", 0) == 255;
    const struct view *zeros = &step->input[step->inputs - 1];
    int64_t most = attribute ? attributes_integer(all, "zero_point", 0) : 0;
    for (int64_t k = 0; !attribute && k < shape_elements(&zeros->shape); k++) {
        const size_t at = (size_t)view_element(zeros, k) * dtype_info(zeros->dtype)->size;
        const double zero = dtype_load(zeros->dtype, program->storage[zeros->storage].data + at);
        most = (int64_t)zero > most ? (int64_t)zero : most;
    }
    return bytes && most >= 128;
}

uint32_t class_seen(enum call_class class, const struct op *op, const struct program *program)
{
    uint32_t parts = class == CLASS_IN_TURN ? in_turn_seen(op, program) : 0;
    for (int s = 0; s < program->steps; s++) {
        const struct step *step = &program->step[s];
        if (step->op != op || step->expect != EXPECT_VALUE) {
            continue;
        }
        parts |= class == CLASS_MIDDLE     ? middle_seen(op, step)
                 : class == CLASS_APART    ? apart_seen(op, step)
                 : class == CLASS_VALUES   ? values_seen(op, step)
                 : class == CLASS_CHANNELS ? channels_seen(op, step)
                 : class == CLASS_ZEROS    ? zeros_seen(op, program, step)
                                           : 0;
    }
    return parts & class_parts(class, op);
}
