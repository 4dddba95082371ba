/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/half.h"
#include "reference/ops/elementwise/elementwise.h"

#include <math.h>
#include <string.h>

enum { MOST = 3 };

/* Broadcasts a view to the shape: strides are 0 along dimensions of one element and along added ones. */
static struct cpu_view spread(const struct cpu_view *from, const struct shape *shape)
{
    struct cpu_view to = {.data = from->data, .dtype = from->dtype, .shape = *shape};
    int added = shape->rank - from->shape.rank;
    for (int d = 0; d < shape->rank; d++) {
        to.stride[d] = d < added || from->shape.dim[d - added] == 1 ? 0 : from->stride[d - added];
    }
    return to;
}

/* Returns the first (which = 0) or the second half (1) along dimension d. */
static struct cpu_view cut(const struct cpu_view *whole, int d, int which)
{
    struct cpu_view view = *whole;
    int64_t extent = whole->shape.dim[d] / 2;
    view.shape.dim[d] = extent;
    view.data += which * extent * whole->stride[d] * (int64_t)dtype_info(whole->dtype)->size;
    return view;
}

/* Returns a view of the shape whose elements are the weight of their channel (the index of dimension 1), or
 * the only weight. */
static struct cpu_view weights(const struct cpu_view *from, const struct shape *shape)
{
    struct cpu_view view = {.data = from->data, .dtype = from->dtype, .shape = *shape};
    if (shape_elements(&from->shape) > 1) {
        view.stride[1] = from->stride[0];
    }
    return view;
}

static uint64_t read_bits(const struct cpu_view *view, int64_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, cpu_at(view, i), dtype_info(view->dtype)->size);
    return bits;
}

static void write_bits(const struct cpu_view *view, int64_t i, uint64_t bits)
{
    bits = view->dtype == DTYPE_BOOL ? bits != 0 : bits;
    memcpy(cpu_at(view, i), &bits, dtype_info(view->dtype)->size);
}

static float single_of(enum dtype dtype, uint64_t bits)
{
    return dtype == DTYPE_FLOAT16    ? float16_to_float((uint16_t)bits)
           : dtype == DTYPE_BFLOAT16 ? bfloat16_to_float((uint16_t)bits)
                                     : half_from_bits32((uint32_t)bits);
}

static uint64_t of_single(enum dtype dtype, float y)
{
    return dtype == DTYPE_FLOAT16    ? float16_from_float(y)
           : dtype == DTYPE_BFLOAT16 ? bfloat16_from_float(y)
                                     : half_bits32(y);
}

/* The function of a call and its attributes in each type of computation. */
struct call {
    const struct cpu_function *function;
    enum dtype dtype, result;
    struct cpu_bits form;
    float single[ATTRIBUTES_MAX + 1]; /* the attributes, then the half (0 or 1) of a gradient of halves */
    double wide[ATTRIBUTES_MAX + 1];
    int64_t whole[ATTRIBUTES_MAX + 1];
};

static uint64_t integer_of(const struct call *c, const uint64_t bits[MOST])
{
    int64_t x[MOST];
    for (int k = 0; k < MOST; k++) {
        x[k] = c->dtype == DTYPE_INT32 ? (int32_t)bits[k] : (int64_t)bits[k];
    }
    return (uint64_t)c->function->integer(x[0], x[1], x[2], c->whole);
}

static uint64_t compute(const struct call *c, const uint64_t bits[MOST])
{
    const struct cpu_function *f = c->function;
    if (!dtype_is_real(c->dtype)) {
        return integer_of(c, bits);
    }
    if (f->bits) {
        return f->bits(bits[0], bits[1], bits[2], &c->form);
    }
    if (c->dtype == DTYPE_FLOAT64) {
        double x[MOST], y;
        uint64_t result;
        memcpy(x, bits, sizeof x);
        y = f->wide(x[0], x[1], x[2], c->wide);
        memcpy(&result, &y, sizeof result);
        return c->result == DTYPE_BOOL ? y != 0 : result;
    }
    float y = f->single(single_of(c->dtype, bits[0]), single_of(c->dtype, bits[1]),
                        single_of(c->dtype, bits[2]), c->single);
    return c->result == DTYPE_BOOL ? y != 0 : of_single(c->dtype, y);
}

/* Fills the attributes of the call, and returns their number. */
static int take_attributes(struct call *c, const struct op *op, const struct attributes *given)
{
    struct attributes all = *given;
    op_default_attributes(op, c->dtype, &all);
    int k = 0;
    for (; k < ATTRIBUTES_MAX && op->attributes[k].name; k++) {
        c->wide[k] = op->attributes[k].type == ATTRIBUTE_CHOICE
                         ? (double)attributes_integer(&all, op->attributes[k].name, 0)
                         : attributes_real(&all, op->attributes[k].name, 0);
        c->single[k] = (float)c->wide[k];
        c->whole[k] = attributes_integer(&all, op->attributes[k].name, 0);
    }
    return k;
}

/* Sets the views that supply the arguments of the function, and the view that takes the results. `half`
 * selects the half whose gradient is computed. Returns the number of arguments. */
static int take_numbers(const struct op *op, const struct attributes *attributes, int inputs,
                        const struct cpu_view *input, int half, struct cpu_view from[MOST],
                        struct cpu_view *to)
{
    enum elementwise_views views = op->row ? op->row->views : VIEWS_OPERANDS;
    int numbers = 0;
    if (views == VIEWS_HALVES) {
        const struct cpu_view *whole = &input[inputs - 1];
        int64_t dim = attributes_integer(attributes, "dim", -1);
        int d = (int)(dim < 0 ? dim + whole->shape.rank : dim);
        if (inputs == 2) {
            from[numbers++] = input[0];
            *to = cut(to, d, half);
        }
        from[numbers++] = cut(whole, d, 0);
        from[numbers++] = cut(whole, d, 1);
        return numbers;
    }
    for (; numbers < inputs; numbers++) {
        bool weight = views == VIEWS_CHANNELS && numbers == inputs - 1;
        from[numbers] = (weight ? weights : spread)(&input[numbers], &to->shape);
    }
    return numbers;
}

static void run_part(const struct call *c, int numbers, const struct cpu_view from[MOST],
                     const struct cpu_view *to)
{
    for (int64_t i = 0, count = shape_elements(&to->shape); i < count; i++) {
        uint64_t bits[MOST] = {0};
        for (int k = 0; k < numbers; k++) {
            bits[k] = read_bits(&from[k], i);
        }
        write_bits(to, i, compute(c, bits));
    }
}

/* True if the operands have the shapes that the views of the operator need. */
static bool fits(const struct op *op, const struct attributes *attributes, int inputs,
                 const struct cpu_view *input)
{
    enum elementwise_views views = op->row ? op->row->views : VIEWS_OPERANDS;
    const struct shape *last = &input[inputs - 1].shape;
    if (views == VIEWS_CHANNELS) {
        const struct shape *x = &input[inputs - 2].shape;
        int64_t weights = shape_elements(last);
        bool each = weights == (x->rank > 1 ? x->dim[1] : 1) && x->rank > 0;
        return last->rank < 2 && (weights == 1 || each) && shape_equal(&input[0].shape, x);
    }
    if (views == VIEWS_HALVES) {
        struct shape half = *last;
        int64_t dim = attributes_integer(attributes, "dim", -1);
        dim += dim < 0 ? last->rank : 0;
        if (dim < 0 || dim >= last->rank || half.dim[dim] % 2 == 1) {
            return false;
        }
        half.dim[dim] /= 2;
        return inputs == 1 || shape_equal(&input[0].shape, &half);
    }
    return true;
}

enum cpu_status cpu_elementwise(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                                const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                struct error *reason)
{
    (void)outputs;
    const struct op *declared = op_find(op->name);
    const enum dtype dtype = input[op_leading_input(declared)].dtype;
    const struct dtype_info *info = dtype_info(dtype);
    const bool real = dtype_is_real(dtype), whole = dtype == DTYPE_INT32 || dtype == DTYPE_INT64;
    const bool halves = declared->row && declared->row->views == VIEWS_HALVES && inputs == 2;
    struct call c = {.function = op->function, .dtype = dtype, .result = output[0].dtype};
    if (!fits(declared, attributes, inputs, input)) {
        error_set(reason, "%s: shapes do not fit", op->name);
        return CPU_REJECTED;
    }
    if (!(real && (op->function->single || op->function->bits)) && !(whole && op->function->integer)) {
        error_set(reason, "the CPU backend has no %s for %s", op->name, info->name);
        return CPU_UNSUPPORTED;
    }
    c.form.sign = UINT64_C(1) << (8 * info->size - 1);
    c.form.infinity = real ? c.form.sign - (UINT64_C(1) << (info->precision - 1)) : 0;
    const char *factor = declared->row ? declared->row->factor : NULL;
    if (whole && factor && fmod(attributes_real(attributes, factor, 1), 1) != 0) {
        error_set(reason, "%s: of integers %s is a whole number", op->name, factor);
        return CPU_REJECTED;
    }
    int given = take_attributes(&c, declared, attributes);
    for (int half = 0; half < (halves ? 2 : 1); half++) {
        struct cpu_view from[MOST], to = output[0];
        int numbers = take_numbers(declared, attributes, inputs, input, half, from, &to);
        c.wide[given] = c.single[given] = (float)half;
        run_part(&c, numbers, from, &to);
    }
    return CPU_OK;
}
