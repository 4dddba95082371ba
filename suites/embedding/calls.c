/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/embedding/calls.h"
#include "suites/shared/data.h"

#include <math.h>

bool embedding_is_gradient(const struct op *op)
{
    return op_input_named(op, "grad_output") == 0;
}

static struct shape indices_shape(const struct embedding_call *call)
{
    struct shape shape = {.rank = call->rank};
    for (int d = 0; d < call->rank; d++) {
        shape.dim[d] = call->dim[d];
    }
    return shape;
}

static int64_t index_of(const struct embedding_call *call, struct philox *g, int64_t i, int64_t count)
{
    static const int64_t back[] = {0, 1, 256, 32768, 65536};
    const int64_t rows = call->rows;
    const bool last = i == count - 1;
    int64_t from;
    switch (call->indices) {
    case INDICES_SORTED:
        return i * rows / count;
    case INDICES_EQUAL:
        return rows > 1 ? rows / 2 : 0;
    case INDICES_ENDS:
        from = back[i / 2 % 5];
        return i % 4 == 1 || from >= rows ? 0 : rows - 1 - from;
    case INDICES_EACH:
        return (i * 7 + 3) % rows;
    case INDICES_BEYOND:
    case INDICES_NEGATIVE:
    case INDICES_HIGH_WORD:
        if (last) {
            return call->indices == INDICES_BEYOND     ? rows
                   : call->indices == INDICES_NEGATIVE ? -1
                                                       : INT64_C(1) << 32;
        }
        break;
    case INDICES_RANDOM:
        break;
    }
    return philox_below(g, (uint32_t)rows);
}

static struct view make_indices(struct builder *b, const struct embedding_call *call)
{
    const struct shape shape = indices_shape(call);
    const int64_t count = shape_elements(&shape);
    struct philox g = build_generator(b, 1);
    struct view indices =
        build_tensor(b, DTYPE_INT64, &shape, call->expanded ? LAYOUT_EXPANDED_ROWS : call->index_layout);
    const int64_t own = call->expanded && call->rank > 0 ? call->dim[call->rank - 1] : count;
    for (int64_t i = 0; i < own; i++) {
        build_set_bits(b, &indices, i, 0, (uint64_t)index_of(call, &g, i, own));
    }
    build_origin(b, &indices, call->indices == INDICES_RANDOM);
    return indices;
}

static void set_element(struct builder *b, const struct embedding_call *call, struct philox *g,
                        const struct view *x, int64_t i)
{
    static const double specials[] = {NAN, INFINITY, -INFINITY};
    const struct format format = format_of(x->dtype);
    const int positive = call->data == EMBEDDING_POSITIVE;
    const uint64_t bits = data_between(g, x->dtype, positive ? -1 : -2, positive ? -1 : 2);
    if (call->data == EMBEDDING_INTEGERS) {
        build_set(b, x, i, (double)philox_below(g, 7) - 3);
    } else if (call->data == EMBEDDING_BITS) { /* an odd factor: as many patterns as there are elements */
        const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15), all = odd * (uint64_t)(i + 1);
        build_set_bits(b, x, i, 0,
                       i % 5 == 2 ? format.infinity | (all >> (64 - format.fraction)) | 1
                                  : all >> (64 - format.width));
    } else if (call->data == EMBEDDING_SPECIAL && i % 17 == 5) {
        build_set(b, x, i, specials[i / 17 % 3]);
    } else {
        build_set_bits(b, x, i, 0, positive ? bits & ~format.sign : bits);
    }
}

void embedding_make(struct builder *b, const struct embedding_call *call, struct view input[2],
                    struct attributes *attributes)
{
    const bool gradient = embedding_is_gradient(b->c->op);
    struct shape table = shape_of(2, call->rows, call->width);
    struct philox g = build_generator(b, 0);
    if (gradient) {
        table = indices_shape(call);
        table.dim[table.rank++] = call->width;
    }
    input[0] = build_tensor(b, b->c->dtype, &table, call->table);
    for (int64_t i = 0; i < shape_elements(&table); i++) {
        set_element(b, call, &g, &input[0], i);
    }
    build_origin(b, &input[0], call->data == EMBEDDING_RANDOM);
    input[1] = make_indices(b, call);
    *attributes = (struct attributes){.count = 0};
    if (gradient) {
        build_add_attribute(attributes, "num_weights", ATTRIBUTE_INTEGER, (double)call->rows);
    }
    if (call->padded) {
        build_add_attribute(attributes, "padding_idx", ATTRIBUTE_INTEGER, (double)call->padding);
    }
}

struct step *embedding_step(struct builder *b, const struct embedding_call *call)
{
    struct attributes attributes;
    struct view input[2];
    embedding_make(b, call, input, &attributes);
    struct step *step = build_step(b, b->c->op, &attributes, 2, input);
    if (step) {
        step->exact = call->data == EMBEDDING_INTEGERS;
    }
    return step;
}
