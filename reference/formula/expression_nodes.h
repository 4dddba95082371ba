/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_NODES_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_NODES_H

/* The graph behind reference/formula/expression.h: nodes in an order in which each comes after its arguments. A node
 * is of the *row*, one number, or of the *elements*, one for each. A row is worked through in blocks of
 * EXPRESSION_BLOCK elements, once for each *pass*: each sum over the row, and the result of the elements. */

#include "reference/formula/expression.h"

enum { EXPRESSION_BLOCK = 256 };

enum node_kind {
    /* leaves */
    NODE_CONSTANT,
    NODE_INPUT,
    NODE_COUNT, /* n */
    /* exact */
    NODE_NEGATE,
    NODE_ABS,
    NODE_MIN,
    NODE_MAX,
    NODE_LESS, /* a < b: 1 or 0, and so on */
    NODE_LESS_EQUAL,
    NODE_EQUAL,
    NODE_NOT_EQUAL,
    NODE_SIGNBIT, /* 1 of negative numbers and of −0, else 0 */
    NODE_SELECT,  /* condition, then, else */
    NODE_ROW_MAX,
    /* what rounds */
    NODE_ADD,
    NODE_SUBTRACT,
    NODE_MULTIPLY,
    NODE_DIVIDE,
    NODE_POW,
    NODE_SQRT,
    NODE_RSQRT,
    NODE_SUM,
    NODE_MEAN,
    NODE_EXP, /* from here on reference/numeric/elementary/elementary.h's, in the order of `node_function` */
    NODE_EXP2,
    NODE_EXPM1,
    NODE_LOG,
    NODE_LOG2,
    NODE_LOG10,
    NODE_LOG1P,
    NODE_SIN,
    NODE_COS,
    NODE_TAN,
    NODE_TANH,
    NODE_ERF,
    NODE_ERFC,
    NODE_ATAN,
    NODE_ERFINV, /* and reference/numeric/elementary/special_functions.h's */
    NODE_LGAMMA,
    NODE_DIGAMMA,
    NODE_KINDS
};

static inline bool node_compares(enum node_kind kind)
{
    return kind == NODE_LESS || kind == NODE_LESS_EQUAL || kind == NODE_EQUAL || kind == NODE_NOT_EQUAL;
}

struct node {
    enum node_kind kind;
    int arg[3];       /* −1: none */
    int input;        /* of NODE_INPUT */
    double low, high; /* of NODE_CONSTANT: neighbours around it, or the same twice */
    char *digits;     /* of NODE_CONSTANT: as it was written, or "pi"; NULL: it is `low` */
    int uses;         /* as an argument */
    bool of_row;
    bool last; /* its rounding is the result's: nothing but signs and choices comes after it */
    bool errs; /* a program may have another number here: it, or what it is made of, is rounded */
    int *need; /* of a pass: the nodes of elements that it evaluates, in order */
    int needs;
};

struct expression {
    struct node *node;
    int nodes, room;
    struct expression_input *input; /* ended by a NULL name */
    int inputs, root;
};

bool node_is_pass(const struct expression *expression, int node);
/* Whether it is an operation on inputs of the elements, and on nothing else. */
bool node_takes_operands(const struct expression *expression, int node);
static inline bool node_reduces(enum node_kind kind)
{
    return kind == NODE_SUM || kind == NODE_MEAN || kind == NODE_ROW_MAX;
}

/* sqrt, min, …: the functions of a formula that are nodes. */
struct node_name {
    const char *name;
    enum node_kind kind;
    int arguments;
};
extern const struct node_name node_names[];
extern const int node_names_count;

/* --- building; −1 where there is no memory, or an argument is −1 */
struct expression *expression_new(const struct expression_input *inputs);
int node_add(struct expression *expression, enum node_kind kind, int a, int b, int c);
int node_constant(struct expression *expression, const char *digits); /* digits: decimal, or "pi" */
int node_number(struct expression *expression, double x);
int node_input(struct expression *expression, int input);
/* What is known of the whole once its root is there: passes, and what errs. False when out of memory. */
bool expression_finish(struct expression *expression, int root);

/* A decimal number between two neighbouring doubles, which are the same where it is one. */
void node_constant_enclose(const char *digits, mpfr_prec_t precision, mpfi_ptr out);

/* What stands for a function of one argument in double (reference/numeric/elementary/elementary.h); NULL for other nodes. */
typedef void node_function(const double *x, double *value, double *radius, size_t count);
extern node_function *const node_functions[NODE_KINDS];

#endif
