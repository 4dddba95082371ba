/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/products.h"
#include "reference/ops/matmul/matmul.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool product_is_linear(const struct op *op)
{
    return op->variant & MATMUL_LINEAR;
}

bool product_is_vector(const struct op *op)
{
    return op->variant & MATMUL_VECTOR;
}

bool product_is_autocast(const struct op *op)
{
    return op->variant & MATMUL_AUTOCAST;
}

/* Returns the number of bits of test integers: as many as the dtype holds exactly, at most 13 (TF32 keeps 11,
 * bfloat16 8). */
static int integer_bits(enum dtype low)
{
    int precision = dtype_info(low)->precision;
    return precision < 13 ? precision : 13;
}

static double odd_integer(struct philox *g, int bits)
{
    double magnitude = (double)(2 * philox_below(g, 1U << (bits - 1)) + 1);
    return philox_below(g, 2) ? magnitude : -magnitude;
}

/* Returns a midpoint of two numbers of the dtype: p + 1 bits, the last of them 1. */
static double tie(struct philox *g, enum dtype low)
{
    int precision = dtype_info(low)->precision > 13 ? 11 : dtype_info(low)->precision;
    uint32_t top = 1U << precision;
    return (double)(top | (philox_below(g, top / 2) << 1) | 1) * (philox_below(g, 2) ? 1 : -1);
}

/* Returns element (i, k) of A for data that are given as numbers instead of bits. */
static double left(struct philox *g, const struct product_case *p, int64_t i, int64_t k)
{
    switch (p->data) {
    case PRODUCT_INTEGERS:
        return odd_integer(g, integer_bits(p->low));
    case PRODUCT_CANCEL: /* the second half cancels the first up to 1 per term */
        return k < p->k / 2        ? (double)(100 + (i * 31 + k * 17) % 100)
               : k >= p->k / 2 * 2 ? 3
                                   : -(double)(99 + (i * 31 + (k - p->k / 2) * 17) % 100);
    case PRODUCT_ENCODED:
        return (double)((i * 37 + k * 5) % 251 + 1);
    case PRODUCT_TIES:
        return tie(g, p->low);
    case PRODUCT_OVERFLOW:
        return i == p->m - 1 || k % 2 == 0 ? 300 : -299;
    default:
        return 0;
    }
}

static double right(struct philox *g, const struct product_case *p, int64_t k, int64_t j)
{
    switch (p->data) {
    case PRODUCT_INTEGERS:
    case PRODUCT_TIES:
        return (double)philox_below(g, 3) - 1;
    case PRODUCT_CANCEL:
        return (double)(1 + j % 2);
    case PRODUCT_ENCODED:
        return k == (j * 3 + 1) % p->k;
    case PRODUCT_OVERFLOW:
        return 300;
    default:
        return 1;
    }
}

static bool is_number(enum product_data data)
{
    return data == PRODUCT_INTEGERS || data == PRODUCT_CANCEL || data == PRODUCT_ENCODED ||
           data == PRODUCT_TIES || data == PRODUCT_OVERFLOW;
}

/* Returns numbers around MAX + ulp/2 and half the least subnormal of the lower dtype; the distance is the
 * spacing of the case's dtype. */
static double edge(enum dtype own, enum dtype low, int64_t i)
{
    double max = dtype_max(low), over = max + dtype_ulp(low, max) / 2, least = dtype_least_subnormal(low);
    double step = dtype_unit_roundoff(own) * 2;
    const double edges[] = {max,
                            over,
                            over * (1 - step),
                            over * (1 + step),
                            2 * max,
                            least,
                            least / 2,
                            least / 2 * (1 + step),
                            least * 1.5,
                            least / 4,
                            dtype_least_normal(low),
                            dtype_least_normal(low) - least / 2,
                            1 + dtype_unit_roundoff(low),
                            1 + 3 * dtype_unit_roundoff(low),
                            1 + dtype_unit_roundoff(low) * (1 + step),
                            INFINITY,
                            NAN};
    int count = (int)(sizeof edges / sizeof *edges);
    double x = edges[(i / 2) % count];
    return i % 2 ? -x : x;
}

/* Returns the index of the term that is 0·NaN or 0·∞ in every sum. */
static int64_t zero_term(const struct product_case *p)
{
    return p->k / 2;
}

/* Returns ±0, or a special value that it is multiplied with. */
static double zero_or_special(bool zero, int64_t i)
{
    const double specials[] = {NAN, INFINITY, -INFINITY};
    return zero ? (i % 2 ? -0.0 : 0.0) : specials[i % 3];
}

/* Returns element (i, k) of A for PRODUCT_ENDS. */
static double end(const struct product_case *p, int64_t i, int64_t k)
{
    double half = dtype_max(p->low) / 2, least = dtype_least_subnormal(p->low);
    bool last = k == p->k - 1;
    return i % 4 < 2 ? (i % 4 ? -half : half) : i % 4 == 3 ? last * least : k == 0 ? half : last * -half / 2;
}

static bool meets_zero(const struct product_case *p, int64_t k)
{
    return (p->data == PRODUCT_ZERO_TIMES_INF || p->data == PRODUCT_INF_TIMES_ZERO) && k == zero_term(p);
}

/* Sets element e, which is (i, k) of its matrix. */
static void set_left(struct builder *b, struct philox *g, const struct product_case *p, const struct view *a,
                     int64_t e, int64_t i, int64_t k)
{
    if (is_number(p->data)) {
        build_set(b, a, e, left(g, p, i, k));
    } else if (meets_zero(p, k)) {
        build_set(b, a, e, zero_or_special(p->data == PRODUCT_ZERO_TIMES_INF, i));
    } else if (p->data == PRODUCT_EDGES) {
        build_set(b, a, e, edge(a->dtype, p->low, e));
    } else if (p->data == PRODUCT_ENDS) {
        build_set(b, a, e, end(p, i, k));
    } else if (p->data == PRODUCT_SUBNORMAL) {
        double least = dtype_least_subnormal(p->low);
        build_set(b, a, e, least * (double)(1 + philox_below(g, 100)));
    } else if (p->data == PRODUCT_NAN_ROW && i == p->m / 2 && (k == 0 || k == p->k - 1)) {
        build_set(b, a, e, k ? (double)INFINITY : (double)NAN);
    } else if (p->data == PRODUCT_POSITIVE) {
        uint64_t bits = data_between(g, a->dtype, -1, -1);
        build_set_bits(b, a, e, 0, bits & ~format_of(a->dtype).sign);
    } else {
        build_set_bits(b, a, e, 0, data_between(g, a->dtype, -2, 2));
    }
}

/* Sets element e, which is (k, j) of its matrix. */
static void set_right(struct builder *b, struct philox *g, const struct product_case *p, const struct view *v,
                      int64_t e, int64_t k, int64_t j)
{
    if (is_number(p->data) || p->data == PRODUCT_EDGES || p->data == PRODUCT_ENDS) {
        build_set(b, v, e, right(g, p, k, j));
    } else if (meets_zero(p, k)) { /* a vector has one such element: its length selects the value */
        build_set(b, v, e, zero_or_special(p->data == PRODUCT_INF_TIMES_ZERO, p->b_vector ? p->k : j));
    } else if (p->data == PRODUCT_SUBNORMAL) {
        build_set(b, v, e, ldexp((double)(1 + philox_below(g, 7)), 11));
    } else if (p->data == PRODUCT_NAN_COLUMN && j == p->n / 2 && k == p->k / 2) {
        build_set(b, v, e, -(double)INFINITY);
    } else if (p->data == PRODUCT_POSITIVE) {
        /* The sum is that of A's row, of which all roundings have the same direction. */
        build_set(b, v, e, j % 2 ? 0.5 : 1);
    } else {
        build_set_bits(b, v, e, 0, data_between(g, v->dtype, -2, 2));
    }
}

static void fill_left(struct builder *b, const struct product_case *p, const struct view *a)
{
    struct philox g = build_generator(b, p->tensor);
    const int64_t count = shape_elements(&a->shape);
    for (int64_t e = 0, row = 0; e < count; row++) {
        for (int64_t k = 0; k < p->k; k++) {
            set_left(b, &g, p, a, e++, row % p->m, k);
        }
    }
    build_origin(b, a, p->data == PRODUCT_RANDOM);
}

/* Fills the right operand, which is (n, k) for linear. */
static void fill_right(struct builder *b, const struct product_case *p, const struct view *v)
{
    struct philox g = build_generator(b, 1 + p->tensor);
    const bool linear = product_is_linear(b->c->op);
    const int64_t count = shape_elements(&v->shape), columns = linear ? p->k : p->n;
    for (int64_t e = 0, row = 0; e < count; row++) {
        for (int64_t column = 0; column < columns; column++) {
            set_right(b, &g, p, v, e++, linear ? column : row % p->k, linear ? row : column);
        }
    }
    build_origin(b, v, p->data == PRODUCT_RANDOM);
}

static struct shape with(const struct shape *batch, bool vector, int64_t first, int64_t last, bool keep_last)
{
    struct shape shape = *batch;
    if (vector) {
        shape.dim[shape.rank++] = keep_last ? last : first;
        return shape;
    }
    shape.dim[shape.rank++] = first;
    shape.dim[shape.rank++] = last;
    return shape;
}

static void fill_bias(struct builder *b, const struct product_case *p, const struct view *bias)
{
    struct philox g = build_generator(b, 2 + p->tensor);
    for (int64_t j = 0; j < p->n; j++) {
        if (is_number(p->data)) {
            build_set(b, bias, j, (double)(j % 7) - 3);
        } else if (p->data == PRODUCT_EDGES) {
            build_set(b, bias, j, 0);
        } else {
            build_set_bits(b, bias, j, 0, data_between(&g, bias->dtype, -2, 2));
        }
    }
    build_origin(b, bias, p->data == PRODUCT_RANDOM);
}

struct step *product_again(struct builder *b, const struct product_case *p, int inputs,
                           const struct view *input)
{
    struct attributes attributes = {.count = 0};
    if (product_is_autocast(b->c->op)) {
        enum dtype low = p->low == DTYPE_FLOAT64 ? DTYPE_FLOAT16 : p->low;
        attributes.count = 1;
        attributes.item[0] =
            (struct attribute){.name = "dtype",
                               .type = ATTRIBUTE_INTEGER,
                               .integer = low == DTYPE_FLOAT16 ? ONNX_FLOAT16 : ONNX_BFLOAT16};
    }
    return build_step(b, b->c->op, &attributes, inputs, input);
}

/* Adapts a case to the operator: mv has one matrix, and a vector on its right. */
static struct product_case taken(const struct op *op, const struct product_case *requested)
{
    struct product_case p = *requested;
    if (product_is_vector(op)) {
        p.n = 1;
        p.a_vector = false;
        p.b_vector = true;
        p.a_batch.rank = p.b_batch.rank = 0;
    }
    return p;
}

struct step *product_step(struct builder *b, const struct product_case *requested, struct view input[3])
{
    const struct product_case own = taken(b->c->op, requested), *p = &own;
    bool linear = product_is_linear(b->c->op);
    enum dtype other = p->mixed ? p->other : b->c->dtype;
    enum layout plain = LAYOUT_CONTIGUOUS;
    struct shape none = {.rank = 0}, a = with(&p->a_batch, p->a_vector, p->m, p->k, true);
    struct shape w =
        linear ? with(&none, false, p->n, p->k, true) : with(&p->b_batch, p->b_vector, p->k, p->n, false);
    struct shape bias = {.rank = 1, .dim = {p->n}};
    int inputs = linear && !p->no_bias ? 3 : 2;
    input[0] = build_tensor(b, b->c->dtype, &a, p->laid == 0 || p->laid < 0 ? p->layout : plain);
    input[1] = build_tensor(b, other, &w, p->laid == 1 || p->laid < 0 ? p->layout : plain);
    fill_left(b, p, &input[0]);
    fill_right(b, p, &input[1]);
    if (inputs == 3) {
        bool matrix_only = p->layout == LAYOUT_TRANSPOSED || p->layout == LAYOUT_BLOCK ||
                           p->layout == LAYOUT_COLUMNS || p->layout == LAYOUT_TRANSPOSED_BLOCK;
        bool laid = p->laid == 2 || p->laid < 0;
        input[2] =
            build_tensor(b, b->c->dtype, &bias, laid ? matrix_only ? LAYOUT_STEPPED2 : p->layout : plain);
        fill_bias(b, p, &input[2]);
    }
    struct step *step = product_again(b, p, inputs, input);
    if (step) {
        step->exact = is_number(p->data);
    }
    return step;
}

/* Returns the length of a name without the last of three sizes at its end. */
static size_t without_columns(const char *name)
{
    const char *last = strrchr(name, 'x'), *sizes = strrchr(name, '-');
    bool three = last && sizes && strspn(sizes + 1, "0123456789x") == strlen(sizes + 1) &&
                 memchr(sizes, 'x', (size_t)(last - sizes));
    return three ? (size_t)(last - name) : strlen(name);
}

void product_declare_row(struct suite_list *list, const struct product_types *types, const char *file,
                         const struct suite_row *row, enum level level)
{
    bool cast = product_is_autocast(types->op) && types->dtype != types->low;
    int length = (int)(product_is_vector(types->op) ? without_columns(row->name) : strlen(row->name));
    suite_declare_named(list,
                        &(struct suite_case){.op = types->op,
                                             .dtype = types->dtype,
                                             .level = level_beyond_float16_32(level, types->dtype),
                                             .covers = row->covers,
                                             .file = file,
                                             .line = row->line,
                                             .build = row->build,
                                             .row = row,
                                             .parameter = types->low},
                        "%s%s%s%.*s", cast ? "to-" : "", cast ? dtype_info(types->low)->name : "",
                        cast ? "-" : "", length, row->name);
}
