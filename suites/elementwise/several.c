/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Functions of two and three numbers: all pairs and triples of special values, neighbours, multiples, all
 * exponents, breakpoints, layouts and broadcasting. */

#include "reference/ops/elementwise/elementwise.h"
#include "suites/shared/data.h"
#include "suites/shared/functions.h"
#include "suites/shared/rows.h"

#include <math.h>

enum {
    HALVES = 1 << DTYPE_FLOAT16 | 1 << DTYPE_BFLOAT16,
    REALS = HALVES | 1 << DTYPE_FLOAT32 | 1 << DTYPE_FLOAT64
};

struct row {
    struct suite_row row;
    enum layout layout;                           /* of one operand in turn */
    enum { AS_IS, ROW, COLUMN, SCALAR } repeated; /* the shape that one operand in turn has */
    unsigned only;                                /* for functions with any of these `cases`; 0: for all */
    unsigned never;                               /* and with none of these */
    bool symmetric; /* not for gradients, whose operands mean different things */
};

static const struct function *function_of(const struct builder *b)
{
    return function_named(b->c->op->name);
}

static const struct attributes none = {.count = 0};

static const struct attributes *attributes_of(const struct builder *b)
{
    return b->c->subject ? b->c->subject : &none;
}

/* A call on vectors, filled number by number. */
struct call {
    struct builder *b;
    const struct function *function;
    int operands;
    int64_t length;
    struct function_call laid;
};

static struct call call_of(struct builder *b, int64_t length)
{
    struct call call = {
        .b = b, .function = function_of(b), .operands = function_operands(function_of(b)), .length = length};
    function_vectors(b, call.function, length, &call.laid);
    return call;
}

static void set_bits(const struct call *call, int operand, int64_t i, uint64_t bits)
{
    const struct view *x = &call->laid.number[operand];
    build_set_bits(call->b, x, i, 0, function_bits(call->function, operand, x->dtype, bits));
}

/* Rounded to the dtype; of an integer to a whole number. */
static void set(const struct call *call, int operand, int64_t i, double x)
{
    const struct view *view = &call->laid.number[operand];
    unsigned char bytes[8] = {0};
    dtype_store(view->dtype, bytes, dtype_is_floating(view->dtype) ? x : round(x));
    set_bits(call, operand, i, dtype_bits(view->dtype, bytes));
}

static void finish(const struct call *call)
{
    build_step(call->b, call->b->c->op, attributes_of(call->b), call->laid.inputs, call->laid.input);
}

/* Every special value beside every other one; of three operands the parameter says how many of them. */
static void build_specials(struct builder *b)
{
    uint64_t bits[SPECIALS_MAX];
    int all = special_bits(b->c->dtype, bits), operands = function_operands(function_of(b));
    int count = operands == 3 && b->c->parameter < all ? (int)b->c->parameter : all;
    int64_t length = 1;
    for (int k = 0; k < operands; k++) {
        length *= count;
    }
    struct call call = call_of(b, length);
    for (int64_t i = 0; i < length; i++) {
        int64_t rest = i;
        for (int k = 0; k < operands; k++) {
            set_bits(&call, k, i, bits[rest % count * all / count]);
            rest /= count;
        }
    }
    finish(&call);
}

/* Special values here and there among ordinary numbers, of each operand at other places. */
static void build_strewn(struct builder *b)
{
    uint64_t bits[SPECIALS_MAX];
    int all = special_bits(b->c->dtype, bits);
    struct call call = call_of(b, 4099);
    for (int k = 0; k < call.operands; k++) {
        const struct domain *u = &call.function->domain[k];
        struct philox generator = build_generator(b, k);
        for (int64_t i = 0; i < call.length; i++) {
            double unit = philox_unit(&generator);
            if (i % 13 == 3 * k) {
                set_bits(&call, k, i, bits[i / 13 % all]);
            } else {
                set(&call, k, i, u->least + (u->most - u->least) * unit);
            }
        }
    }
    finish(&call);
}

/* Evenly over the intervals where results are ordinary, with full significands. */
static void build_ordinary(struct builder *b)
{
    struct call call = call_of(b, b->c->parameter);
    for (int k = 0; k < call.operands; k++) {
        const struct domain *u = &call.function->domain[k];
        struct philox generator = build_generator(b, k);
        for (int64_t i = 0; i < call.length; i++) {
            set(&call, k, i, u->least + (u->most - u->least) * philox_unit(&generator));
        }
        build_origin(b, &call.laid.number[k], true);
    }
    finish(&call);
}

/* All exponents of every operand, in step and out of step: quotients, sums and powers of every size. */
static void build_exponents(struct builder *b)
{
    struct call call = call_of(b, b->c->dtype == DTYPE_FLOAT64 ? 8192 : 4096);
    for (int k = 0; k < call.operands; k++) {
        struct philox generator = build_generator(b, k);
        uint64_t sign = dtype_is_floating(b->c->dtype) && call.function->domain[k].positive
                            ? format_of(b->c->dtype).sign
                            : 0;
        for (int64_t i = 0; i < call.length; i++) {
            int64_t place = i % 2 ? i : (int64_t)philox_below(&generator, 1 << 20);
            uint64_t bits = data_any_exponent(&generator, b->c->dtype, place + k * (i / 2 % 5));
            set_bits(&call, k, i, i % 8 < 6 ? bits & ~sign : bits);
        }
    }
    finish(&call);
}

/* Every pattern of the leading operands in one, and another pattern of each in the others. */
static void build_all_patterns(struct builder *b)
{
    struct call call = call_of(b, 65536);
    for (int k = 0; k < call.operands; k++) {
        for (int64_t i = 0; i < call.length; i++) {
            set_bits(&call, k, i, (uint64_t)(i * (k == 0 ? 1 : 40503 + 2 * k) + 7919 * k) & 0xFFFF);
        }
    }
    finish(&call);
}

/* Numbers that are equal, neighbours up to four places away, and those with the other sign. */
static void build_neighbours(struct builder *b)
{
    enum { PLACES = 9 };
    struct call call = call_of(b, 2 * PLACES * 96);
    struct philox generator = build_generator(b, 0);
    uint64_t sign = UINT64_C(1) << (8 * dtype_info(b->c->dtype)->size - 1);
    for (int64_t i = 0; i < call.length; i++) {
        uint64_t bits = data_any_exponent(&generator, b->c->dtype, i / (2 * PLACES));
        for (int k = 0; k < call.operands; k++) {
            uint64_t near = bits + (k == call.operands - 1 ? (uint64_t)(i % PLACES) - PLACES / 2 : 0);
            set_bits(&call, k, i, i / PLACES % 2 && k == call.operands - 1 ? near ^ sign : near);
        }
    }
    finish(&call);
}

/* x a multiple of y, and its neighbours: where quotients are whole. */
static void build_multiples(struct builder *b)
{
    struct call call = call_of(b, 3 * 1024);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < call.length; i += 3) {
        double y = ldexp(1 + (double)philox_below(&generator, 7), (int)philox_below(&generator, 6));
        double q = (double)philox_below(&generator, 31) - 15, sign = philox_below(&generator, 2) ? 1 : -1;
        for (int64_t near = 0; near < 3; near++) {
            unsigned char bytes[8] = {0};
            dtype_store(b->c->dtype, bytes, q * y);
            uint64_t bits = dtype_bits(b->c->dtype, bytes);
            set_bits(&call, 0, i + near, q == 0 ? bits : bits + (uint64_t)near - 1);
            set(&call, 1, i + near, sign * y);
        }
    }
    finish(&call);
}

/* Each turn of each operand and its neighbours beside the turns of the others. */
static void build_breakpoints(struct builder *b)
{
    enum { NEAR = 2, PLACES = 2 * NEAR + 1, AROUND = FUNCTION_BREAKPOINTS * PLACES };
    int operands = function_operands(function_of(b));
    struct call call = call_of(b, (int64_t)operands * AROUND * FUNCTION_BREAKPOINTS);
    for (int64_t i = 0; i < call.length; i++) {
        int leads = (int)(i / (AROUND * FUNCTION_BREAKPOINTS));
        for (int k = 0; k < operands; k++) {
            const struct domain *u = &call.function->domain[k];
            int64_t turn = k == leads ? i / PLACES % FUNCTION_BREAKPOINTS : i / AROUND % FUNCTION_BREAKPOINTS;
            unsigned char bytes[8] = {0};
            double at = u->turn[turn] == 0 ? u->most : u->turn[turn];
            dtype_store(b->c->dtype, bytes, at);
            set_bits(&call, k, i,
                     dtype_bits(b->c->dtype, bytes) + (k == leads ? (uint64_t)(i % PLACES) - NEAR : 0));
        }
    }
    finish(&call);
}

/* Zeros of both signs beside numbers of both signs, and beside each other. */
static void build_zeros(struct builder *b)
{
    int operands = function_operands(function_of(b));
    struct call call = call_of(b, 256);
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < call.length; i++) {
        int which = (int)(i % (operands + 1)); /* the last: all of them */
        for (int k = 0; k < operands; k++) {
            double size = ldexp(1 + philox_unit(&generator), (int)philox_below(&generator, 8) - 4);
            bool zero = which == k || which == operands;
            set(&call, k, i, copysign(zero ? 0 : size, philox_below(&generator, 2) ? 1 : -1));
        }
    }
    finish(&call);
}

/* x^y by the exponent of the result: every one, from what underflows to what overflows. */
static void build_strata(struct builder *b)
{
    const struct dtype_info *info = dtype_info(b->c->dtype);
    int low = info->emin - info->precision - 2, high = info->emax + 2;
    struct call call = call_of(b, (int64_t)4 * (high - low));
    struct philox generator = build_generator(b, 0);
    for (int64_t i = 0; i < call.length; i++) {
        int exponent = 1 + (int)philox_below(&generator, (uint32_t)(info->emax / 2));
        exponent = philox_below(&generator, 2) ? exponent : -exponent;
        set(&call, 0, i, ldexp(1 + philox_unit(&generator), exponent));
        set(&call, 1, i, (low + (double)(i / 4) + philox_unit(&generator)) / (exponent + 0.5));
    }
    finish(&call);
}

/* One operand in turn, or all of them where the parameter is that, in a layout or repeated. */
static void build_layout(struct builder *b)
{
    const struct row *row = b->c->row;
    const struct function *f = function_of(b);
    struct shape whole = row->layout == LAYOUT_HEADS
                             ? shape_of(5, (int64_t)2, (int64_t)3, (int64_t)2, (int64_t)5, (int64_t)3)
                             : shape_of(2, (int64_t)32, (int64_t)16);
    struct shape small[] = {
        whole, shape_of(1, (int64_t)16), shape_of(2, (int64_t)32, (int64_t)1), {.rank = 0}};
    for (int turn = 0; turn < function_operands(f) && !b->failed; turn++) {
        struct view operand[FUNCTION_OPERANDS];
        b->stream = 16 * turn;
        for (int k = 0; k < function_operands(f); k++) {
            operand[k] = function_tensor(b, f, k, &small[k == turn ? row->repeated : AS_IS],
                                         k == turn ? row->layout : LAYOUT_CONTIGUOUS);
            function_fill(b, f, k, &operand[k]);
        }
        build_step(b, b->c->op, attributes_of(b), function_operands(f), operand);
    }
}

/* Every number of 1, −1 and all bits beside amounts from the width on and below 0, of which no bit is left.
 */
static void build_amounts(struct builder *b)
{
    static const uint64_t numbers[] = {1, UINT64_MAX, 0x123456789ABCDEF1, INT32_MAX};
    const int64_t width = 8 * (int64_t)dtype_info(b->c->dtype)->size;
    const int64_t beyond[] = {width - 1, width, width + 1, width + 31, 2 * width, 2 * width + 1, INT32_MAX},
                  below[] = {-1, -2, -31, -32, -33, -width, -width - 1, INT32_MIN};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    const int count = b->c->parameter ? sizeof below / sizeof *below : sizeof beyond / sizeof *beyond;
    struct call call = call_of(b, (int64_t)count * NUMBERS);
    for (int64_t i = 0; i < call.length; i++) {
        build_set_bits(b, &call.laid.number[0], i, 0, numbers[i % NUMBERS]);
        build_set_bits(b, &call.laid.number[1], i, 0,
                       (uint64_t)(b->c->parameter ? below : beyond)[i / NUMBERS]);
    }
    finish(&call);
}

/* A fraction of an integer. */
static void refuse_alpha(struct builder *b)
{
    const struct attributes half = {.count = 1,
                                    .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 0.5}}};
    struct call call = call_of(b, 9);
    for (int64_t i = 0; i < call.length; i++) {
        set(&call, 0, i, (double)i);
        set(&call, 1, i, 2 * (double)i); /* of which half is whole: the type alone forbids it */
    }
    build_rejection(b, b->c->op, &half, call.laid.inputs, call.laid.input);
}

#define LAID "layout_grid poison"

static const struct row rows[] = {
    {SUITE_ROW("specials", SMOKE, "special_values", .build = build_specials, .parameter = 8)},
    {SUITE_ROW("ordinary", SMOKE, "signed_bias", .build = build_ordinary, .parameter = 1024)},
    {SUITE_ROW("turns", STANDARD, "exponents", .build = build_breakpoints, .dtypes = REALS)},
    {SUITE_ROW("transposed", SMOKE, LAID, .build = build_layout), .layout = LAYOUT_TRANSPOSED},
    {SUITE_ROW("specials-all", STANDARD, "special_values", .build = build_specials,
               .parameter = SPECIALS_MAX),
     .only = FUNCTION_SPECIALS},
    {SUITE_ROW("strewn", STANDARD, "special_values", .build = build_strewn)},
    {SUITE_ROW("exponents", STANDARD, "exponents signed_bias", .build = build_exponents)},
    {SUITE_ROW("all-patterns", STANDARD, "all_patterns special_values", .build = build_all_patterns,
               .dtypes = HALVES)},
    {SUITE_ROW("ordinary-65536", STANDARD, "signed_bias", .build = build_ordinary,
               .dtypes = 1 << DTYPE_FLOAT32, .parameter = 65536)},
    {SUITE_ROW("neighbours", STANDARD, "exponents", .build = build_neighbours), .symmetric = true,
     .never = FUNCTION_STEPS},
    {SUITE_ROW("multiples", STANDARD, "exponents", .build = build_multiples), .only = FUNCTION_QUOTIENT},
    {SUITE_ROW("strata", STANDARD, "exponents", .build = build_strata), .only = FUNCTION_STRATA},
    {SUITE_ROW("zeros", STANDARD, "special_values", .build = build_zeros, .dtypes = REALS),
     .only = FUNCTION_ZEROS},
    {SUITE_ROW("amounts-beyond", STANDARD, "shift_amounts", .build = build_amounts),
     .only = FUNCTION_SHIFT_LEFT},
    {SUITE_ROW("amounts-negative", STANDARD, "shift_amounts", .build = build_amounts, .parameter = 1),
     .only = FUNCTION_SHIFT_LEFT},
    {SUITE_ROW("row", STANDARD, "expanded", .build = build_layout), .repeated = ROW},
    {SUITE_ROW("column", STANDARD, "expanded", .build = build_layout), .repeated = COLUMN},
    {SUITE_ROW("scalar", STANDARD, "expanded", .build = build_layout), .repeated = SCALAR},
    {SUITE_ROW("stepped3", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_STEPPED3},
    {SUITE_ROW("expanded-rows", STANDARD, "expanded", .build = build_layout), .layout = LAYOUT_EXPANDED_ROWS},
    {SUITE_ROW("rank-5-heads", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_HEADS},
    {SUITE_ROW("offset1", STANDARD, LAID, .build = build_layout), .layout = LAYOUT_OFFSET1},
};

static const struct suite_row refusals[] = {
    {.name = "refuse-fractional-alpha", .level = LEVEL_SMOKE, .line = __LINE__, .covers = "factor_refusals"}};

static bool is_for(const struct row *row, const struct op *op)
{
    if (op->row->views != VIEWS_OPERANDS && row->row.build == build_layout) {
        return false; /* views.c */
    }
    const unsigned cases = function_named(op->name)->cases;
    const bool never = (cases & row->never) || (row->symmetric && elementwise_is_gradient(op));
    return !never && (!row->only || (cases & row->only));
}

static bool asks(const void *at, const struct op *op, enum dtype dtype)
{
    return is_for(at, op) && elementwise_takes(op, &none, dtype);
}

/* Attributes change the function and not the way to its elements, which is asked without them where it can
 * be.
 */
static bool asks_with_attributes(const void *at, const struct op *op, enum dtype dtype)
{
    const struct row *row = at;
    return is_for(row, op) && (row->row.build != build_layout || !elementwise_takes(op, &none, dtype));
}

static void declare(struct suite_list *list)
{
    const struct suite_table table = {SUITE_ROWS(rows), .asks = asks};
    functions_declare(list, &table, asks_with_attributes, 2, FUNCTION_OPERANDS);
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(refusals), .ops = {"add", "sub"},
                                                   .dtypes = 1 << DTYPE_INT32 | 1 << DTYPE_INT64,
                                                   .build = refuse_alpha});
}

const struct suite suite_elementwise_several = {.declare = declare};
