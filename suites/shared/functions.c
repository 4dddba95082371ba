/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/functions.h"
#include "suites/shared/data.h"

#include "reference/ops/elementwise/elementwise.h"

#include <math.h>
#include <string.h>

int function_operands(const struct function *function)
{
    return function->operands ? function->operands : 1;
}

int function_givens(const struct function *function)
{
    int count = 0;
    while (function->given && function->given[count].suffix) {
        count++;
    }
    return count;
}

const struct function *function_named(const char *name)
{
    for (int k = 0; k < function_count(); k++) {
        if (strcmp(function_at(k)->name, name) == 0) {
            return function_at(k);
        }
    }
    return NULL;
}

void functions_declare(struct suite_list *list, const struct suite_table *table,
                       bool (*asks_with_attributes)(const void *row, const struct op *op, enum dtype dtype),
                       int least, int most)
{
    for (int k = 0; k < function_count(); k++) {
        const struct function *f = function_at(k);
        struct suite_table own = *table;
        own.ops[0] = f->name;
        if (function_operands(f) < least || function_operands(f) > most) {
            continue;
        }
        suite_declare_rows(list, &own);
        for (int g = 0; g < function_givens(f); g++) {
            if (f->given[g].beyond) {
                continue;
            }
            own.asks = f->given[g].laid ? table->asks : asks_with_attributes;
            own.within = f->given[g].dtypes;
            own.suffix = f->given[g].suffix;
            own.subject = &f->given[g].attributes;
            suite_declare_rows(list, &own);
        }
    }
}

struct view function_tensor(struct builder *b, const struct function *function, int operand,
                            const struct shape *shape, enum layout layout)
{
    return build_tensor(b, function->domain[operand].condition ? DTYPE_BOOL : b->c->dtype, shape, layout);
}

/* One half of a view along a dimension. */
static struct view half_of(const struct view *whole, int d, int half)
{
    struct view view = *whole;
    view.shape.dim[d] /= 2;
    view.offset += half * view.shape.dim[d] * view.stride[d];
    return view;
}

void function_views(struct builder *b, const struct function *function, const struct shape *shape,
                    const struct shape *weight, int dim, const enum layout *layout,
                    struct function_call *call)
{
    const bool halves = b->c->op->row->views == VIEWS_HALVES;
    const int inputs = op_inputs_max(b->c->op), last = inputs - 1;
    struct shape whole = *shape;
    *call = (struct function_call){.inputs = inputs};
    if (halves) {
        whole.dim[dim] *= 2;
    }
    for (int k = 0; k < inputs; k++) {
        const struct shape *own = k < last ? shape : halves ? &whole : weight;
        call->input[k] = call->number[k] = function_tensor(b, function, k, own, layout[k]);
    }
    for (int half = 0; halves && half < 2 && !b->failed; half++) {
        call->number[last + half] = half_of(&call->input[last], dim, half);
    }
}

void function_vectors(struct builder *b, const struct function *function, int64_t length,
                      struct function_call *call)
{
    static const enum layout contiguous[FUNCTION_OPERANDS] = {LAYOUT_CONTIGUOUS};
    const enum elementwise_views views = b->c->op->row->views;
    struct shape vector = shape_of(1, length), row = shape_of(2, (int64_t)1, length);
    if (views != VIEWS_OPERANDS) {
        function_views(b, function, views == VIEWS_CHANNELS ? &row : &vector, &vector, 0, contiguous, call);
        return;
    }
    *call = (struct function_call){.inputs = function_operands(function)};
    for (int k = 0; k < call->inputs; k++) {
        call->input[k] = call->number[k] = function_tensor(b, function, k, &vector, LAYOUT_CONTIGUOUS);
    }
}

/* Of random bits, a number that the domain has. */
static uint64_t whole_of(const struct domain *domain, enum dtype dtype, uint64_t bits)
{
    int width = 8 * (int)dtype_info(dtype)->size;
    uint64_t all = ~UINT64_C(0) >> (64 - width), kept = bits & all;
    return domain->whole == WHOLE_SHIFT                                   ? bits % (uint64_t)width
           : domain->whole == WHOLE_DIVISOR && (kept == 0 || kept == all) ? 3
                                                                          : bits;
}

void function_fill(struct builder *b, const struct function *function, int operand, const struct view *x)
{
    struct philox generator = build_generator(b, operand);
    const struct domain *domain = &function->domain[operand];
    uint64_t sign = domain->positive || domain->vanishes ? format_of(x->dtype).sign : 0;
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        uint64_t bits = domain->condition ? philox_below(&generator, 2)
                        : dtype_is_floating(x->dtype)
                            ? data_between(&generator, x->dtype, -4, 4)
                            : whole_of(domain, x->dtype, data_any_exponent(&generator, x->dtype, i));
        build_set_bits(b, x, i, 0, bits & ~sign);
    }
}

/* Of what is beyond 1 the reciprocal: no forward function gives it. */
static uint64_t within_one(enum dtype dtype, uint64_t bits)
{
    unsigned char bytes[8];
    dtype_store_bits(dtype, bytes, bits);
    double x = dtype_load(dtype, bytes);
    if (!(fabs(x) > 1) || isinf(x)) {
        return bits;
    }
    dtype_store(dtype, bytes, 1 / x);
    return dtype_bits(dtype, bytes);
}

uint64_t function_bits(const struct function *function, int operand, enum dtype dtype, uint64_t bits)
{
    const struct domain *domain = &function->domain[operand];
    return domain->condition           ? bits & 1
           : !dtype_is_floating(dtype) ? whole_of(domain, dtype, bits)
           : domain->unit ? within_one(dtype, domain->positive ? bits & ~format_of(dtype).sign : bits)
                          : bits;
}
