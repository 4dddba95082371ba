/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/elementwise/elementwise.h"
#include "suites/inplace/operands.h"
#include "suites/norm/norms.h"
#include "suites/plan/call_builder.h"
#include "suites/shared/functions.h"
#include "suites/shared/int_products.h"
#include "suites/shared/products.h"
#include "suites/shared/quantize.h"
#include "suites/sparse/matrices.h"

#include <math.h>
#include <string.h>

/* [rows, columns] in one, two or three dimensions. */
static struct shape flat_shape(const struct call_builder *m)
{
    int64_t rows = call_size(m, PLAN_ROWS), columns = call_size(m, PLAN_COLUMNS);
    if (rows == 1 && m->call->turn % 2) {
        return shape_of(1, columns);
    }
    return rows > 0 && rows % 2 == 0 && m->call->turn % 3 == 0 ? shape_of(3, (int64_t)2, rows / 2, columns)
                                                               : shape_of(2, rows, columns);
}

static void random_fill(const struct call_builder *m, const struct view *x, int tensor)
{
    struct philox generator = build_generator(m->b, tensor);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        build_set_bits(m->b, x, i, 0, data_between(&generator, x->dtype, -4, 4));
    }
}

/* Into each other dtype in turn, of numbers that all of them hold but for a rounding. */
static void make_conversion(const struct call_builder *m, const struct view *x)
{
    static const enum dtype targets[] = {DTYPE_FLOAT32, DTYPE_BFLOAT16, DTYPE_INT32, DTYPE_FLOAT16,
                                         DTYPE_FLOAT64, DTYPE_INT8,     DTYPE_INT64};
    enum { TARGETS = sizeof targets / sizeof *targets };
    enum dtype to = targets[m->call->turn % TARGETS];
    to = to == x->dtype ? targets[(m->call->turn + 1) % TARGETS] : to;
    struct philox generator = build_generator(m->b, 0);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        bool real = dtype_is_floating(x->dtype);
        build_set_bits(m->b, x, i, 0,
                       real ? data_between(&generator, x->dtype, 0, 6)
                            : (uint64_t)data_integer(&generator, 127));
    }
    struct attributes attributes = {
        .count = 1,
        .item = {{.name = "dtype", .type = ATTRIBUTE_CHOICE, .integer = to, .word = dtype_info(to)->name}}};
    build_step(m->b, m->b->c->op, &attributes, 1, x);
}

/* Channels along the first and the last dimension in turn, blocks of one element and of all; scales differ.
 */
static void make_quantization(const struct call_builder *m, const struct shape *shape)
{
    int64_t last = shape->rank > 0 ? shape->dim[shape->rank - 1] : 1;
    bool back = quantization_action(op_find(m->planned->name)) == DEQUANTIZE;
    struct quantize_call call = {.shape = *shape,
                                 .layout = m->call->layout,
                                 .to = back                ? DTYPE_FLOAT32
                                       : m->call->turn % 3 ? DTYPE_INT8
                                                           : DTYPE_UINT8,
                                 .scale = 0.11,
                                 .zero = 3,
                                 .axis = m->call->turn % 2 ? -1 : 0,
                                 .block = m->call->turn % 2 && last > 0 ? last : 1};
    quantize_step(m->b, &call);
}

static void make_unary(const struct call_builder *m)
{
    struct shape shape = flat_shape(m);
    if (strcmp(op_find(m->planned->name)->family, "quantization") == 0) {
        make_quantization(m, &shape);
        return;
    }
    struct view x = build_tensor(m->b, m->call->dtype, &shape, m->call->layout);
    const struct function *function = function_named(m->planned->name);
    if (function) {
        function_fill(m->b, function, 0, &x);
    } else if (strcmp(m->planned->name, "square") == 0) {
        random_fill(m, &x, 0);
    } else if (strcmp(m->planned->name, "to") == 0) {
        make_conversion(m, &x);
        return;
    } else {
        data_fill_sign_coded(m->b, &x, 0);
    }
    build_unary(m->b, m->b->c->op, &x);
}

/* Variant: how one operand in turn broadcasts: not, as a row, a column, a scalar; see views.c. */
static void make_mapped(const struct call_builder *m)
{
    const struct function *f = function_named(m->planned->name);
    struct shape whole = flat_shape(m), row = shape_of(1, call_size(m, PLAN_COLUMNS)), scalar = {.rank = 0};
    struct shape column = whole;
    column.dim[whole.rank - 1] = 1;
    const struct shape *small[] = {&whole, &row, &column, &scalar};
    int operands = function_operands(f), repeated = m->call->turn % operands;
    struct attributes attributes = {.count = 0};
    if (m->b->c->op->row->views != VIEWS_OPERANDS) {
        call_build_views(m, &whole);
        return;
    }
    struct view operand[FUNCTION_OPERANDS];
    for (int k = 0; k < operands; k++) {
        operand[k] = function_tensor(m->b, f, k, k == repeated ? small[m->call->variant] : &whole,
                                     call_layout(m, k, operands));
        function_fill(m->b, f, k, &operand[k]);
    }
    if (!elementwise_takes(m->b->c->op, &attributes, m->call->dtype)) { /* not without a word for it */
        attributes = f->given[m->call->turn / operands % function_givens(f)].attributes;
    }
    build_step(m->b, m->b->c->op, &attributes, operands, operand);
}

/* Variant: how one operand that is read broadcasts. */
static void make_writes(const struct call_builder *m)
{
    const struct writes *w = writes_find(m->planned->name);
    struct shape whole = flat_shape(m), row = shape_of(1, call_size(m, PLAN_COLUMNS)), scalar = {.rank = 0};
    struct shape column = whole;
    column.dim[whole.rank - 1] = 1;
    const struct shape *small[] = {&whole, &row, &column, &scalar};
    bool moves = w->role[0] == ROLE_BITS;
    int read = w->operands < 2   ? -1
               : w->written == 0 ? 1 + m->call->turn % (w->operands - 1)
                                 : m->call->turn % w->written;
    struct view operand[WRITES_OPERANDS];
    for (int k = 0; k < w->operands; k++) {
        const struct shape *shape = k == read ? small[m->call->variant] : &whole;
        operand[k] = writes_operand(m->b, w, k, shape, call_layout(m, k, w->operands),
                                    moves ? DATA_INTEGERS : DATA_RANDOM);
        if (moves && shape_elements(shape) > 0) {
            build_set(m->b, &operand[k], shape_elements(shape) - 1, w->role[k] == ROLE_MASK ? 0 : 5 + k);
        }
    }
    bool value = w->attribute && strcmp(w->attribute, "value") == 0 && w->operands == 3;
    struct attributes none = {.count = 0};
    writes_step(m->b, w, w->operands, operand, value ? &none : NULL, false);
}

static struct view scalar_of(const struct call_builder *m, double x)
{
    struct shape one = shape_of(1, (int64_t)1);
    struct view view = build_tensor(m->b, DTYPE_FLOAT32, &one, LAYOUT_OFFSET1);
    build_set(m->b, &view, 0, x);
    return view;
}

static void make_scaler(const struct call_builder *m)
{
    const char *name = m->planned->name;
    struct shape shape = flat_shape(m);
    int64_t count = shape_elements(&shape);
    struct attributes attributes = {.count = 0};
    struct view input[3];
    int inputs = 0;
    for (int k = 0; k < (strcmp(name, "amp_step") == 0 ? 2 : 1); k++) {
        input[inputs] = build_tensor(m->b, m->call->dtype, &shape, call_layout(m, k, 2));
        random_fill(m, &input[inputs++], k);
    }
    if (strcmp(name, "amp_scale") == 0) {
        input[inputs++] = scalar_of(m, 0.3125);
    } else if (strcmp(name, "amp_unscale") == 0) {
        call_set_decisive(m, &input[0], (struct run){0, 1, count > 1 ? count : 0}, 0, 1, (double)INFINITY,
                          false);
        input[inputs++] = scalar_of(m, 0);
        input[inputs++] = scalar_of(m, 0.25);
    } else {
        input[inputs++] = scalar_of(m, 0);
        attributes.count = 1;
        attributes.item[0] = (struct attribute){.name = "lr", .type = ATTRIBUTE_REAL, .real = 0.25};
    }
    build_step(m->b, m->b->c->op, &attributes, inputs, input);
}

static void make_int_product(const struct call_builder *m)
{
    int64_t rows = call_size(m, PLAN_ROWS);
    bool linear = product_is_linear(op_find(m->planned->name));
    struct int_product p = {.m = rows,
                            .k = call_size(m, PLAN_TERMS),
                            .n = call_size(m, PLAN_COLUMNS),
                            .data = m->call->turn % 3 ? INT_RANDOM : INT_EXTREMES,
                            .laid = call_laid(m, 2),
                            .layout = m->call->layout,
                            .scale = 0.37,
                            .vector = linear && rows == 1 && m->call->turn % 2};
    int_product_step(m->b, &p);
}

static void make_product(const struct call_builder *m)
{
    if (op_find(m->planned->name)->dtypes == 1U << DTYPE_INT8) {
        make_int_product(m);
        return;
    }
    int64_t batch = call_size(m, PLAN_BATCH), rows = call_size(m, PLAN_ROWS),
            terms = call_size(m, PLAN_TERMS);
    const struct op *op = m->b->c->op;
    int turn = m->call->turn;
    bool linear = product_is_linear(op), wide = m->call->dtype == DTYPE_FLOAT64;
    struct product_case p = {.m = rows,
                             .k = terms,
                             .n = call_size(m, PLAN_COLUMNS),
                             .data = PRODUCT_RANDOM,
                             .laid = call_laid(m, linear ? 3 : 2),
                             .layout = m->call->layout,
                             .low = m->call->dtype,
                             .no_bias = turn % 5 == 4};
    if (product_is_autocast(op)) {
        p.low = wide ? DTYPE_FLOAT64 : turn % 2 ? DTYPE_FLOAT16 : DTYPE_BFLOAT16;
    }
    if (batch != 1 || turn % 7 == 6) {
        struct shape several = shape_of(1, batch);
        p.a_batch = linear || turn % 3 < 2 ? several : p.a_batch;
        p.b_batch = linear || turn % 3 == 1 ? p.b_batch : several;
    } else {
        p.a_vector = rows == 1 && turn % 2;
        p.b_vector = !linear && p.n == 1 && turn % 4 < 2;
    }
    struct view input[3];
    struct step *step = product_step(m->b, &p, input);
    int64_t all = terms > 0 ? shape_elements(&input[0].shape) / terms : 0;
    for (int64_t r = 0; step && r < all; r++) {
        call_set_decisive(m, &input[0], (struct run){r * terms, 1, terms}, r, all, 1024,
                          rows > 1 && r % rows < rows - 1);
    }
}

static void make_matrix(const struct call_builder *m)
{
    int64_t batch = call_size(m, PLAN_BATCH), n = call_size(m, PLAN_ORDER);
    struct shape one = shape_of(3, (int64_t)1, n, n), shape = shape_of(3, batch, n, n);
    bool alone = batch == 1 && m->call->turn % 2;
    struct view all = build_tensor(m->b, m->call->dtype, alone ? &one : &shape, m->call->layout);
    for (int64_t k = 0; k < batch && n > 0; k++) {
        struct view matrix = view_at(&all, k);
        bool negative = (batch - 1 - k) % 3 == 1;
        plan_matrix(m->b, &matrix, m->call->variant, negative, (int)(k % 1000));
        if ((batch - 1 - k) % 5 == 3) {
            call_set_decisive(m, &matrix, (struct run){0, 1, n * n}, k % 2 ? 0 : batch - 1, batch, 64, true);
        }
    }
    struct view a = alone ? view_at(&all, 0) : all;
    build_step(m->b, m->b->c->op, NULL, 1, &a);
}

/* An order p, or the default where p is 2 in turn. */
static struct attributes norm_attributes(const struct call_builder *m, double p, bool matrix, int dim)
{
    struct attributes a = {.count = 0};
    if (!(matrix && m->call->variant == 0)) {
        a.item[a.count++] = (struct attribute){.name = "ord", .type = ATTRIBUTE_REAL, .real = p};
    }
    if (!matrix && dim >= 0) {
        a.item[a.count++] = (struct attribute){
            .name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {dim}}};
    }
    return a;
}

static void make_matrix_norm(const struct call_builder *m)
{
    static const double orders[] = {2, 1, INFINITY, -1, -INFINITY};
    int64_t batch = call_size(m, PLAN_BATCH), n = call_size(m, PLAN_ROWS) * call_size(m, PLAN_COLUMNS);
    bool alone = batch == 1 && m->call->turn % 2;
    struct shape shape = alone ? shape_of(2, call_size(m, PLAN_ROWS), call_size(m, PLAN_COLUMNS))
                               : shape_of(3, batch, call_size(m, PLAN_ROWS), call_size(m, PLAN_COLUMNS));
    struct view x = norm_tensor(m->b, &shape, m->call->layout, NORM_RANDOM);
    for (int64_t k = 0; k < batch; k++) {
        call_set_decisive(m, &x, (struct run){k * n, 1, n}, k, batch, 100, true);
    }
    struct attributes attributes = norm_attributes(m, orders[m->call->variant], true, 0);
    build_step(m->b, m->b->c->op, &attributes, 1, &x);
}

static void make_norm(const struct call_builder *m)
{
    static const double orders[] = {2, 1, INFINITY, 3, 0};
    if (strcmp(m->planned->name, "matrix_norm") == 0) {
        make_matrix_norm(m);
        return;
    }
    int64_t rows = call_size(m, PLAN_ROWS), terms = call_size(m, PLAN_TERMS);
    double p = terms == 0 && isinf(orders[m->call->variant]) ? 2 : orders[m->call->variant];
    bool first = m->call->turn % 3 == 1, vector = rows == 1 && m->call->turn % 4 == 2 && !first;
    struct shape shape = vector  ? shape_of(1, terms)
                         : first ? shape_of(2, terms, rows)
                                 : shape_of(2, rows, terms);
    struct view x = norm_tensor(m->b, &shape, m->call->layout, NORM_RANDOM);
    for (int64_t r = 0; r < rows; r++) {
        struct run run = {first ? r : r * terms, first ? rows : 1, terms};
        call_set_decisive(m, &x, run, r, rows, 100, true);
    }
    struct attributes attributes = norm_attributes(m, p, false, vector ? -1 : !first);
    build_step(m->b, m->b->c->op, &attributes, 1, &x);
}

static void make_sparse(const struct call_builder *m)
{
    const struct op *op = m->b->c->op;
    const char *letters = sparse_operands_of(op);
    int operands = (int)strlen(letters);
    struct sparse_case s = {.rows = call_size(m, PLAN_ROWS),
                            .columns = call_size(m, PLAN_COLUMNS),
                            .entries = call_size(m, PLAN_ENTRIES),
                            .width = call_size(m, PLAN_WIDTH),
                            .kind = m->call->variant ? SPARSE_LAST_ROW : SPARSE_SPREAD,
                            .fill = call_size(m, PLAN_ENTRIES) > PLAN_LARGE ? FILL_POSITIVE : FILL_RANDOM,
                            .narrow = m->call->turn % 2,
                            .laid = call_laid(m, operands),
                            .layout = m->call->layout,
                            .alpha = 1,
                            .beta = 1};
    struct view input[OPERANDS_MAX];
    struct attributes attributes = sparse_attributes(op, &s);
    int inputs = sparse_build(m->b, letters, &s, input);
    const char *values = strchr(letters, 'V');
    if (values && s.entries > 1) {
        call_set_decisive(m, &input[values - letters], (struct run){0, 1, s.entries}, 0, 1, 1024, false);
    }
    build_step(m->b, op, &attributes, inputs, input);
}

unsigned plan_dtypes(const struct plan_operator *planned)
{
    const struct op *op = op_find(planned->name);
    const struct writes *w = writes_find(planned->name);
    unsigned rare = 1U << DTYPE_INT8 | 1U << DTYPE_UINT8 | 1U << DTYPE_INT64 | 1U << DTYPE_BOOL;
    return !op                           ? 0
           : w                           ? w->dtypes & op->dtypes
           : planned->form == FORM_UNARY ? op->dtypes & ~rare
                                         : op->dtypes;
}

bool plan_build(struct builder *b, const struct plan_operator *planned, const struct plan_call *call)
{
    const bool normalizes = strcmp(b->c->op->family, "norm") == 0;
    void (*const make[])(const struct call_builder *m) = {
        [FORM_UNARY] = make_unary,
        [FORM_MAPPED] = make_mapped,
        [FORM_WRITES] = make_writes,
        [FORM_SCALER] = make_scaler,
        [FORM_PRODUCT] = make_product,
        [FORM_MATRIX] = make_matrix,
        [FORM_NORM] = make_norm,
        [FORM_REDUCTION] = call_build_rows,
        [FORM_LAYER] = call_build_layer,
        [FORM_GROUP] = call_build_group,
        [FORM_INSTANCE] = call_build_group,
        [FORM_CHANNELS] = normalizes ? call_build_channels : call_build_channel_sums,
        [FORM_LOSS] = call_build_loss,
        [FORM_SPARSE] = make_sparse,
    };
    const struct call_builder m = {b, planned, call};
    make[planned->form](&m);
    return !b->failed;
}
