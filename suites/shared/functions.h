/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_FUNCTIONS_H
#define ASSAY_SUITES_SHARED_FUNCTIONS_H

/* Test data for element-wise functions: where each operand is ordinary, at which breakpoints an
 * implementation may change its form, and which attributes cases pass; and the operands of a call. */

#include "suites/build.h"
#include "suites/shared/rows.h"

enum { FUNCTION_OPERANDS = 3, FUNCTION_BREAKPOINTS = 8 };

/* The domain of one operand. */
struct domain {
    bool positive; /* the function is defined for positive numbers only */
    /* results of negative numbers are so small that cases would be vacuous: shapes and layouts use
     * positive ones */
    bool vanishes;
    /* the interval in which results are ordinary numbers; shorter in the narrow formats */
    double least, most;
    /* breakpoints: numbers at which an implementation may change its form; ended by 0 */
    double turn[FUNCTION_BREAKPOINTS];
    enum {
        WHOLE_ANY,
        WHOLE_DIVISOR,
        WHOLE_SHIFT
    } whole;        /* integers: a divisor is neither 0 nor −1, a shift is less than the width */
    bool condition; /* the operand is a bool */
    bool unit;      /* the operand lies in [−1, 1] */
};

/* Attributes that cases pass instead of the defaults. */
struct function_given {
    const char *suffix; /* part of the names of cases; NULL ends a list of attributes */
    struct attributes attributes;
    unsigned dtypes; /* dtypes of the cases; 0: all */
    bool laid;       /* also in every layout and shape */
    bool beyond;     /* only in elementwise/attributes.c, with operands near the values of the attributes */
};

/* Cases that only some functions have, or do not have: a bit each. */
enum {
    FUNCTION_SPECIALS = 1,    /* every special value beside every other one, although it has three operands */
    FUNCTION_QUOTIENT = 2,    /* multiples of the divisor and their neighbours */
    FUNCTION_STEPS = 4,       /* no neighbouring operands: the function has steps there */
    FUNCTION_STRATA = 8,      /* operands of every size beside one another */
    FUNCTION_ZEROS = 16,      /* zeros of both signs beside other numbers */
    FUNCTION_SHIFT_LEFT = 32, /* amounts below 0 or of at least the width */
    FUNCTION_ROOT_AT_2 = 64,  /* numbers near its zero at 2 */
    FUNCTION_ANGLE = 128      /* angles that are hard to reduce (suites/shared/angles.h) */
};

struct function {
    const char *name;
    unsigned cases; /* bits of the above */
    struct domain domain[FUNCTION_OPERANDS];
    int operands;                       /* 0: one */
    const struct function_given *given; /* NULL: none */
};

/* Returns NULL if the table does not have the function. */
const struct function *function_named(const char *name);
int function_count(void);
const struct function *function_at(int index);
int function_operands(const struct function *function);
int function_givens(const struct function *function); /* the number of attribute sets in `given` */

/* Fills operand k with full significands, random signs and exponents from −4 to 4; positive if the domain is
 * `positive` or `vanishes`. Bools and integers are random in their domain. */
void function_fill(struct builder *b, const struct function *function, int operand, const struct view *x);

/* Makes a tensor for operand k of the case, not filled. */
struct view function_tensor(struct builder *b, const struct function *function, int operand,
                            const struct shape *shape, enum layout layout);

/* The tensors of a call, and the views of them that hold the numbers of each element
 * (reference/ops/elementwise/elementwise_views.h). */
struct function_call {
    int inputs;
    struct view input[FUNCTION_OPERANDS], number[FUNCTION_OPERANDS];
};

/* Makes the tensors of a call, all zero. With VIEWS_CHANNELS `shape` is the input's and `weight` the weight's
 * shape; with VIEWS_HALVES `shape` is that of a half along `dim` ≥ 0. `layout`: one for each input. Not for
 * VIEWS_OPERANDS. */
void function_views(struct builder *b, const struct function *function, const struct shape *shape,
                    const struct shape *weight, int dim, const enum layout *layout,
                    struct function_call *call);

/* Makes the tensors of a call of `length` elements, each with its own numbers. */
void function_vectors(struct builder *b, const struct function *function, int64_t length,
                      struct function_call *call);

/* Maps bits to those of a number in the domain of operand k: divisors, shifts, conditions, numbers of [−1,
 * 1]. */
uint64_t function_bits(const struct function *function, int operand, enum dtype dtype, uint64_t bits);

/* Declares the table's rows for each function of `least` to `most` operands, and once more for each of its
 * attribute sets: all rows if the set is `laid`, else those for which asks_with_attributes() is true. Sets
 * that are `beyond` have no cases here. */
void functions_declare(struct suite_list *list, const struct suite_table *table,
                       bool (*asks_with_attributes)(const void *row, const struct op *op, enum dtype dtype),
                       int least, int most);

#endif
