/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_FORMULA_EXPRESSION_NODES_H
#define ASSAY_REFERENCE_FORMULA_EXPRESSION_NODES_H

/* The graph behind reference/formula/expression.h: nodes in an order in which each node comes after its
 * arguments. A node is either *of the row* (one number) or *of the elements* (one number for each). A row is
 * evaluated in blocks of EXPRESSION_BLOCK elements, once for each *pass*: each reduction over the row is a
 * pass, and so is the result if it is of the elements. */

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
    NODE_LESS, /* comparisons give 1 or 0 */
    NODE_LESS_EQUAL,
    NODE_EQUAL,
    NODE_NOT_EQUAL,
    NODE_SIGNBIT, /* 1 for negative numbers and −0, else 0 */
    NODE_SELECT,  /* arguments: condition, then, else */
    NODE_ROW_MAX,
    /* operations that round */
    NODE_ADD,
    NODE_SUBTRACT,
    NODE_MULTIPLY,
    NODE_DIVIDE,
    NODE_POW,
    NODE_SQRT,
    NODE_RSQRT,
    NODE_SUM,
    NODE_MEAN,
    NODE_EXP, /* from here on functions of reference/numeric/elementary/elementary.h, in the order of
                 `node_functions` */
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
    NODE_ERFINV, /* from here on functions of reference/numeric/elementary/special_functions.h */
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
    int input;        /* index, for NODE_INPUT */
    double low, high; /* for NODE_CONSTANT: the doubles around it, equal if it is one */
    char *digits;     /* for NODE_CONSTANT: its decimal text, or "pi"; NULL: it is `low` */
    int uses;         /* how often it is an argument */
    bool of_row;
    bool last; /* its rounding is that of the result: only signs and choices follow */
    bool errs; /* a program may have another number here: it, or one of its arguments, is rounded */
    int *need; /* for a pass: the nodes of the elements that it evaluates, in order */
    int needs;
};

struct expression {
    struct node *node;
    int nodes, room;
    struct expression_input *input; /* ended by a NULL name */
    int inputs, root;
};

bool node_is_pass(const struct expression *expression, int node);
/* True if the node is a rounding operation of the elements whose arguments are all inputs of the elements. */
bool node_takes_operands(const struct expression *expression, int node);
/* The node that is multiplied by pi, where node i is pi * x or x * pi; −1: it is neither. */
int node_times_pi(const struct expression *expression, int i);
static inline bool node_reduces(enum node_kind kind)
{
    return kind == NODE_SUM || kind == NODE_MEAN || kind == NODE_ROW_MAX;
}

/* The functions of a formula that are nodes: sqrt, min, … */
struct node_name {
    const char *name;
    enum node_kind kind;
    int arguments;
};
extern const struct node_name node_names[];
extern const int node_names_count;

/* --- building: functions that return a node return −1 when out of memory or if an argument is −1 */
struct expression *expression_new(const struct expression_input *inputs);
int node_add(struct expression *expression, enum node_kind kind, int a, int b, int c);
int node_constant(struct expression *expression, const char *digits); /* digits: decimal, or "pi" */
int node_number(struct expression *expression, double x);
int node_input(struct expression *expression, int input);
/* Completes the graph once its root is there: finds passes, errors, uses and last roundings. Returns false
 * when out of memory. */
bool expression_finish(struct expression *expression, int root);

/* Encloses a decimal number (or pi) between two neighbouring numbers of the precision, equal if it is one. */
void node_constant_enclose(const char *digits, mpfr_prec_t precision, mpfi_ptr out);

/* The double-precision function of a node with one argument (reference/numeric/elementary/elementary.h); NULL
 * for other nodes. */
typedef void node_function(const double *x, double *value, double *radius, size_t count);
extern node_function *const node_functions[NODE_KINDS];

#endif
