/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/attention/calls.h"

#include <math.h>
#include <string.h>

enum { QUERY, KEY, VALUE, MASK, GRADIENT, CODE_BITS = 8 };

bool attention_is_gradient(const struct op *op)
{
    return strcmp(op->name, "scaled_dot_product_attention_backward") == 0;
}

static int64_t value_width(const struct attention_call *c)
{
    return c->value_width > 0 ? c->value_width : c->value_width < 0 ? 0 : c->width;
}

static int64_t key_heads(const struct attention_call *c)
{
    return c->key_heads ? c->key_heads : c->heads;
}

static int64_t batch_of(const struct attention_call *c, int operand)
{
    return c->key_batch && (operand == KEY || operand == VALUE) ? c->key_batch : c->batch;
}

static struct shape shape_for(const struct attention_call *c, int operand)
{
    bool keyed = operand == KEY || operand == VALUE;
    struct shape all = {.rank = 4,
                        .dim = {batch_of(c, operand), keyed ? key_heads(c) : c->heads,
                                keyed ? c->keys : c->queries,
                                operand == VALUE || operand == GRADIENT ? value_width(c) : c->width}};
    int rank = c->rank ? c->rank : 4;
    struct shape own = {.rank = rank};
    memcpy(own.dim, all.dim + 4 - rank, (size_t)rank * sizeof *own.dim);
    return own;
}

/* --- data */

/* The place of an element in its operand. */
struct place {
    int64_t batch, head, row, column;
};

static struct place place_in(const struct shape *shape, int64_t e)
{
    struct place p = {.batch = 0};
    int64_t *const index[] = {&p.column, &p.row, &p.head, &p.batch};
    for (int d = 0; d < shape->rank && d < 4; d++) {
        int64_t size = shape->dim[shape->rank - 1 - d];
        *index[d] = e % size;
        e /= size;
    }
    return p;
}

/* A bit of the code of key `key` as +1 or −1. Codes of neighbouring heads and batches differ. */
static double code(const struct attention_call *c, int64_t batch, int64_t head, int64_t key, int64_t column)
{
    int64_t word = (key + 3 * head + 5 * batch) % (c->keys > 0 ? c->keys : 1);
    return word >> column % CODE_BITS & 1 ? 1 : -1;
}

/* The key that a query picks. */
static int64_t picked(const struct attention_call *c, const struct place *p)
{
    int64_t keys = c->causal && p->row + 1 < c->keys ? p->row + 1 : c->keys;
    return (p->row * 5 + p->head * 3 + p->batch + 1) % keys;
}

/* The forward operator's queries decide for one key beyond doubt. Those of the gradient leave the others
 * probabilities that its results show. */
static double encoded(const struct attention_call *c, bool gradient, int operand, const struct place *p)
{
    int64_t shared = c->heads / key_heads(c);
    switch (operand) {
    case QUERY:
        return (gradient ? 1 : 256) *
               code(c, batch_of(c, KEY) == 1 ? 0 : p->batch, p->head / shared, picked(c, p), p->column);
    case KEY:
        return code(c, p->batch, p->head, p->row, p->column);
    default:
        return (double)((p->row * 37 + p->head * 11 + p->batch * 53 + p->column * 5) % 127 + 1);
    }
}

static double subnormal(struct philox *g, enum dtype dtype)
{
    return dtype_least_subnormal(dtype) * (double)(1 + philox_below(g, 100)) * (philox_below(g, 2) ? 1 : -1);
}

static void set_random(struct builder *b, struct philox *g, const struct view *x, int64_t e, double factor)
{
    uint64_t bits = data_between(g, x->dtype, -2, 0);
    build_set_bits(b, x, e, 0, bits);
    if (factor != 1) {
        unsigned char bytes[8];
        dtype_store_bits(x->dtype, bytes, bits);
        build_set(b, x, e, dtype_load(x->dtype, bytes) * factor);
    }
}

static bool is_special(const struct attention_call *c, int operand, const struct place *p)
{
    bool value = c->data == ATTENTION_NAN_VALUE && operand == VALUE;
    bool key = (c->data == ATTENTION_NAN_KEY || c->data == ATTENTION_INFINITE_KEY) && operand == KEY;
    return (value || key) && p->row == c->keys - 1 && p->column < 2;
}

static void set_element(struct builder *b, struct philox *g, const struct attention_call *c, int operand,
                        const struct view *x, int64_t e)
{
    const struct place p = place_in(&x->shape, e);
    if (c->data == ATTENTION_ENCODED && operand != GRADIENT) {
        build_set(b, x, e, encoded(c, attention_is_gradient(b->c->op), operand, &p));
    } else if ((c->data == ATTENTION_DEEP || c->data == ATTENTION_TALL) && operand == QUERY) {
        build_set(b, x, e, 160);
    } else if (c->data == ATTENTION_DEEP && operand == KEY) {
        build_set(b, x, e, -64 - (double)philox_below(g, 2) / 2);
    } else if (c->data == ATTENTION_TALL && operand == KEY) {
        double small = ((double)philox_below(g, 16) - 8) / 1024;
        build_set(b, x, e, p.row == c->keys - 1 ? 64 : small);
    } else if (c->data == ATTENTION_EQUAL && operand == KEY) {
        build_set(b, x, e, 0);
    } else if (c->data == ATTENTION_EQUAL && operand == VALUE) {
        build_set(b, x, e, (double)philox_below(g, 64) - 20);
    } else if (c->data == ATTENTION_SUBNORMAL && philox_below(g, 2)) {
        build_set(b, x, e, subnormal(g, x->dtype));
    } else if (is_special(c, operand, &p)) {
        double x0 = c->data == ATTENTION_INFINITE_KEY ? -(double)INFINITY : (double)NAN;
        build_set(b, x, e, p.column ? (double)INFINITY : x0);
    } else if (c->data == ATTENTION_INFINITE_KEY && operand == QUERY) {
        set_random(b, g, x, e, 1);
        if (p.column < 2) { /* q·k is −infinity or NaN in turn */
            build_set(b, x, e, p.row % 2 ? (p.column ? -1.5 : 1.25) : 1.5);
        }
    } else {
        const double large = attention_is_gradient(b->c->op) ? 3 : 64;
        double factor = c->data == ATTENTION_LARGE && operand == QUERY                           ? large
                        : c->data == ATTENTION_OUTLIER && operand == KEY && p.row == c->keys / 2 ? large / 2
                                                                                                 : 1;
        set_random(b, g, x, e, factor);
    }
}

static bool is_random(enum attention_data data)
{
    return data == ATTENTION_RANDOM;
}

static void fill(struct builder *b, const struct attention_call *c, int operand, const struct view *x)
{
    struct philox g = build_generator(b, operand + 8 * c->tensor);
    const int64_t count = shape_elements(&x->shape);
    for (int64_t e = 0; e < count; e++) {
        set_element(b, &g, c, operand, x, e);
    }
    build_origin(b, x, is_random(c->data));
}

/* --- masks */

static bool holds_conditions(enum attention_mask mask)
{
    return mask == ATTENTION_CONDITIONS || mask == ATTENTION_EMPTY || mask == ATTENTION_LAST;
}

static struct shape mask_shape(const struct attention_call *c)
{
    unsigned dims = c->mask_dims ? c->mask_dims : MASK_ALL;
    const int64_t dim[] = {dims & MASK_BATCH ? c->batch : 1, dims & MASK_HEADS ? c->heads : 1,
                           dims & MASK_QUERIES ? c->queries : 1, dims & MASK_KEYS ? c->keys : 1};
    int rank = c->mask_rank ? c->mask_rank : c->rank ? c->rank : 4;
    struct shape shape = {.rank = rank};
    memcpy(shape.dim, dim + 4 - rank, (size_t)rank * sizeof *shape.dim);
    return shape;
}

static double mask_element(struct philox *g, const struct attention_call *c, const struct place *p)
{
    const double inf = (double)INFINITY, small = ((double)philox_below(g, 1024) - 512) / 256;
    /* one key of each row always takes part */
    bool out = philox_below(g, 10) < 4 && p->column != (p->row * 3 + p->head + p->batch) % c->keys;
    switch (c->mask) {
    case ATTENTION_CONDITIONS:
        return !out;
    case ATTENTION_INFINITE:
        return out ? -inf : small;
    case ATTENTION_FAR:
        return out ? -10000 : 0;
    case ATTENTION_SUNKEN:
        return out ? -inf : -30000;
    case ATTENTION_EMPTY:
        return p->row % 3 != 1;
    case ATTENTION_EMPTY_INFINITE:
        return p->row % 3 == 1 ? -inf : 0;
    case ATTENTION_LAST:
        return p->column != c->keys - 1;
    case ATTENTION_PLUS_INFINITY:
        return p->column == 1 && p->row % 2 ? inf : small;
    case ATTENTION_UNDERFLOW:
        return p->column == 0 ? 0 : -86 - (double)(p->column % 19);
    default:
        return small;
    }
}

static struct view build_mask(struct builder *b, const struct attention_call *c)
{
    const struct shape shape = mask_shape(c);
    struct philox g = build_generator(b, MASK + 8 * c->tensor);
    struct view mask = build_tensor(b, holds_conditions(c->mask) ? DTYPE_BOOL : b->c->dtype, &shape,
                                    c->laid == MASK ? c->layout : LAYOUT_CONTIGUOUS);
    for (int64_t e = 0; e < shape_elements(&shape); e++) {
        const struct place p = place_in(&shape, e);
        build_set(b, &mask, e, mask_element(&g, c, &p));
    }
    build_origin(b, &mask, c->mask != ATTENTION_UNDERFLOW);
    return mask;
}

/* --- calls */

/* Query, key and value as views of one storage, [batch, row, operand, head, column], as a projection to all
 * three leaves them. */
static void build_packed(struct builder *b, const struct attention_call *c, struct view view[3])
{
    const struct shape shape = shape_of(5, c->batch, c->queries, (int64_t)3, c->heads, c->width);
    const struct view all = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    for (int operand = 0; operand < 3; operand++) {
        view[operand] = all;
        view[operand].offset += operand * all.stride[2];
        view[operand].shape = shape_of(4, c->batch, c->heads, c->queries, c->width);
        const int64_t stride[] = {all.stride[0], all.stride[3], all.stride[1], all.stride[4]};
        memcpy(view[operand].stride, stride, sizeof stride);
    }
}

void attention_operands(struct builder *b, const struct attention_call *c, struct attention_built *built)
{
    *built = (struct attention_built){.query = attention_is_gradient(b->c->op)};
    struct view *operand = built->input + built->query;
    if (c->packed) {
        build_packed(b, c, operand);
    }
    for (int k = QUERY; k <= VALUE; k++) {
        const struct shape shape = shape_for(c, k);
        bool laid = c->laid == k || c->laid < 0;
        if (!c->packed) {
            operand[k] = build_tensor(b, b->c->dtype, &shape, laid ? c->layout : LAYOUT_CONTIGUOUS);
        }
        fill(b, c, k, &operand[k]);
    }
    built->inputs = built->query + 3;
    if (c->mask != ATTENTION_NO_MASK) {
        operand[MASK] = build_mask(b, c);
        built->inputs++;
    }
    if (built->query) {
        const struct shape shape = shape_for(c, GRADIENT);
        bool laid = c->laid == GRADIENT || c->laid < 0;
        built->input[0] = build_tensor(b, b->c->dtype, &shape, laid ? c->layout : LAYOUT_CONTIGUOUS);
        fill(b, c, GRADIENT, &built->input[0]);
    }
    if (c->causal) {
        build_add_attribute(&built->attributes, "is_causal", ATTRIBUTE_BOOL, 1);
    }
    if (c->scaled) {
        build_add_attribute(&built->attributes, "scale", ATTRIBUTE_REAL, c->scale);
    }
    if (c->key_heads && c->key_heads != c->heads) {
        build_add_attribute(&built->attributes, "enable_gqa", ATTRIBUTE_BOOL, 1);
    }
}

struct step *attention_step(struct builder *b, const struct attention_call *c)
{
    struct attention_built built;
    attention_operands(b, c, &built);
    return build_step(b, b->c->op, &built.attributes, built.inputs, built.input);
}

void attention_build(struct builder *b)
{
    attention_step(b, &((const struct attention_row *)b->c->row)->call);
}
