/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_FUNCTIONS_H
#define ASSAY_SUITES_SHARED_FUNCTIONS_H

/* What the functions of the element-wise kit are asked with: where each operand is ordinary, where something
 * happens, which attributes. */

#include "suites/build.h"
#include "suites/shared/rows.h"

enum { FUNCTION_OPERANDS = 3, FUNCTION_BREAKPOINTS = 8 };

/* What one operand may be. */
struct domain {
    bool positive;               /* defined for positive numbers alone */
    bool vanishes;               /* of negative ones results are small, and a few of them tell nothing: shapes
                                    and layouts ask positive numbers */
    double least, most;          /* where the result is an ordinary number; in the narrow formats less */
    double turn[FUNCTION_BREAKPOINTS]; /* numbers at and about which an implementation may change its form; ended
                                    by 0 */
    enum {
        WHOLE_ANY,
        WHOLE_DIVISOR,
        WHOLE_SHIFT
    } whole;        /* of integers: neither 0 nor −1; less than the width */
    bool condition; /* bool */
    bool unit;      /* within [−1, 1] */
};

/* Attributes that are asked beside the defaults. */
struct function_given {
    const char *suffix; /* of the cases' names; NULL ends a list of them */
    struct attributes attributes;
    unsigned dtypes; /* the cases'; 0: all */
    bool laid;       /* in every layout and shape, too */
    bool beyond;     /* asked by elementwise/attributes.c alone, at operands about the attributes' values */
};

/* Cases that some functions alone are asked, or not asked: a bit each. */
enum {
    FUNCTION_SPECIALS = 1,    /* every special value beside every other one, though it has three operands */
    FUNCTION_QUOTIENT = 2,    /* multiples of the divisor, and what lies next to them */
    FUNCTION_STEPS = 4,       /* no operands next to each other: it steps there */
    FUNCTION_STRATA = 8,      /* operands of every size beside one another */
    FUNCTION_ZEROS = 16,      /* zeros of both signs beside other numbers */
    FUNCTION_SHIFT_LEFT = 32, /* amounts below 0, and of the width and more */
    FUNCTION_ROOT_AT_2 = 64,  /* numbers near its zero at 2 */
    FUNCTION_ANGLE = 128      /* angles whose remainder is hard to compute (suites/shared/angles.h) */
};

struct function {
    const char *name;
    unsigned cases; /* bits of the above */
    struct domain domain[FUNCTION_OPERANDS];
    int operands;                       /* 0: one */
    const struct function_given *given; /* NULL: none */
};

/* NULL: no operator of the kit. */
const struct function *function_named(const char *name);
int function_count(void);
const struct function *function_at(int index);
int function_operands(const struct function *function);
int function_givens(const struct function *function); /* how many */

/* Fills operand k with full significands: signs and exponents from 2^-4 to 2^4, positive where the function
 * asks it. */
void function_fill(struct builder *b, const struct function *function, int operand, const struct view *x);

/* A new tensor for operand k of the case. */
struct view function_tensor(struct builder *b, const struct function *function, int operand,
                            const struct shape *shape, enum layout layout);

/* The tensors of a call, and where in them the numbers of its elements lie
 * (reference/ops/elementwise/elementwise_views.h).
 */
struct function_call {
    int inputs;
    struct view input[FUNCTION_OPERANDS], number[FUNCTION_OPERANDS];
};

/* New tensors, zero: of channels `shape` is the input's, and `weight` the weight's; of halves `shape` is
 * a half's, along `dim` ≥ 0. `layout`: of each input. Not for VIEWS_OPERANDS. */
void function_views(struct builder *b, const struct function *function, const struct shape *shape,
                    const struct shape *weight, int dim, const enum layout *layout,
                    struct function_call *call);

/* `length` elements, each of numbers of its own. */
void function_vectors(struct builder *b, const struct function *function, int64_t length,
                      struct function_call *call);

/* The bits of a number of the case's dtype as operand k may be it: divisors, shifts, conditions. */
uint64_t function_bits(const struct function *function, int operand, enum dtype dtype, uint64_t bits);

/* Declares the table's rows for each function of `least` to `most` operands; those of which the other
 * function says so, or all for attributes in every layout, once more for each of its attributes. */
void functions_declare(struct suite_list *list, const struct suite_table *table,
                       bool (*asks_with_attributes)(const void *row, const struct op *op, enum dtype dtype),
                       int least, int most);

#endif
