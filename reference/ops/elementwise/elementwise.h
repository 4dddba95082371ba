/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_H

/* The element-wise operator class: each result is a function of one number of each operand, broadcast as in
 * PyTorch. An operator of the class is a row (struct elementwise) in reference/ops/elementwise/unary.c,
 * activations.c, activation_gradients.c, activation_views.c, arithmetic.c or comparisons.c.
 *
 * A row has either a formula (reference/formula/expression.h), which defines the operator and is what legal
 * programs compute: truth, radius and E_compute come from it. Or its results are known exactly, and it has a
 * function of doubles, of bits or of integers. In a formula operands are x, y and z in their order;
 * grad_output is grad; pos_weight, count (reference/ops/loss/loss.h) and attributes have their own names. All
 * operands have one dtype, except a condition, which is bool. */

#include "reference/operator/op.h"

enum {
    ELEMENTWISE_OPERANDS = 6,
    ELEMENTWISE_CHOICES = 3,
    ELEMENTWISE_LOSSY = 2,
    ELEMENTWISE_FORMS_MOST = 4,
    ELEMENTWISE_ALSO_MOST = 3
};
/* Which numbers of the operands an element takes (reference/ops/elementwise/elementwise_views.h). */
enum elementwise_views { VIEWS_OPERANDS, VIEWS_CHANNELS, VIEWS_HALVES };
enum {
    ELEMENTWISE_FLOATS =
        1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    ELEMENTWISE_INTEGERS = 1U << DTYPE_INT32 | 1U << DTYPE_INT64
};

/* The sign bit of a floating dtype and the bits of its infinity. */
struct elementwise_format {
    uint64_t sign, infinity;
};

struct elementwise {
    const char *formula;                      /* leaves no range; NULL: an exact function */
    const char *form[ELEMENTWISE_FORMS_MOST]; /* other legal forms that leave no range, up to the first NULL:
                                                 the error bound is the greatest of all forms */
    const char *naive; /* the form in common use where it leaves the range though the result does not: its
                          losses are findings of class RANGE under a profile with naive intermediates, which
                          elsewhere uses the wider of both bounds; NULL: none */
    const char *documented; /* PyTorch's documented formula where it loses digits by cancellation that
                               `formula` keeps: legal under a profile whose `documented` names the operator;
                               NULL: none */
    const char
        *also[ELEMENTWISE_ALSO_MOST]; /* formulas whose results are right as well where they differ: the
                                         derivative from the other side of a kink; up to the first NULL */
    bool also_at_infinity;            /* `also` applies only where the last operand is infinite */
    const char *partial;  /* an intermediate: where it leaves the range, an infinite operand may become a NaN;
                             NULL: none */
    bool over_infinity;   /* `partial` applies to a finite result beside an infinite operand too */
    const char *beyond;   /* an intermediate of common programs: where it leaves the range, NaN and infinities
                             are right for a finite result too; NULL: none */
    const char *rounds;   /* the number that those programs round, with an error of three roundings, where
                             `beyond` is so near the end of the range that it may leave it or not */
    bool quotient;        /* the formula is one division: IEEE 754 rounds it once, Vulkan does not */
    bool infinite_beyond; /* of several operands: where the result lies beyond the range, every order of
                             operations gives an infinity, as with one operand (formulas-bounds.md, Range) */
    bool one_order;       /* of several operands: intermediates leave the range in every order of operations
                             if they do in this one, as with one operand */
    enum elementwise_views views;

    /* An attribute of words, and the row for each word's number; this row is number 0. Some of the rows of an
     * operator with a formula may be exact functions (ELEMENTWISE_EITHER). */
    const char *choice;
    const struct elementwise *chosen[ELEMENTWISE_CHOICES];

    /* An attribute that multiplies the last operand before it is added; 1 if it is left out. `scaled` is the
     * row for its other values. For integers it is a whole number, and `integer` gets it after the operands.
     * NULL: none. */
    const char *factor;
    const struct elementwise *scaled;

    /* An attribute that replaces the last operand where it is given, and the row with the attribute in that
     * operand's place. NULL: none. */
    const char *number;
    const struct elementwise *by_number;

    const char *nonzero; /* an attribute that PyTorch refuses if it is 0; NULL: none */

    /* Exact functions. For floating dtypes: of one number (`exact`); of several (`value`), which may return a
     * pair of doubles; or of their bits (`bits`) where bits are moved or changed. For integer dtypes:
     * `integer`, taken modulo 2^bits. */
    double (*exact)(double x);
    struct value (*value)(enum dtype dtype, const double *x);
    uint64_t (*bits)(const struct elementwise_format *format, const uint64_t *x);
    int64_t (*integer)(const int64_t *x);
    const char *whole; /* an attribute that `integer` gets after the operands; NULL: the factor */
    /* Returns E_compute around *middle instead of the result, where legal programs may be off; NULL: 0. */
    double (*slack)(const struct profile *profile, enum dtype dtype, const double *x, double *middle);
    /* Writes to `also` the results, at most ELEMENTWISE_LOSSY, that a program gets which treats a subnormal
     * intermediate as zero, and returns their number. NULL: none. */
    int (*lossy)(enum dtype dtype, const double *x, double *also);
    bool open_nan;  /* any result is right where an operand after the first is a NaN (gradients of functions
                       that compare) */
    bool open_zero; /* a zero may have either sign (a maximum of zeros) */
    bool selects;   /* the result is one of the operands: either zero is right where both signs occur, and any
                       operand that a device may treat as zero when it compares; a formula lists the operands in
                       `also`, for devices that may do so */
    bool predicate; /* results are bool */
};

bool elementwise_signature(const struct op *op, const struct op_operands *operands,
                           struct op_signature *signature, struct error *reason);

/* True if the operator takes grad_output first; its result is grad_output times a slope. */
bool elementwise_is_gradient(const struct op *op);

bool elementwise_any_is_nan(const double *x, int count);

/* Returns the row for this call: the chosen row of a choice, the scaled row of a factor, or op->row. */
const struct elementwise *elementwise_row(const struct op *op, const struct attributes *attributes);

/* True if the operator supports operands of this dtype with these attributes; a choice need not support
 * integers. */
bool elementwise_takes(const struct op *op, const struct attributes *attributes, enum dtype dtype);

/* Writes to x the numbers of `count` elements of the result from `first` on, those of an element side by
 * side: one of each operand, or what the row's views select. */
void elementwise_operands(const struct op_call *call, const struct shape *shape, int64_t first, int64_t count,
                          double *x);

/* Marks an element open if an operand is a signalling NaN and the result is a number: a NaN is right as well
 * (IEEE 754-2019, 6.2). For rows with views it also marks elements with infinite or NaN operands. */
void elementwise_leave_open(const struct op_call *call, struct truth_output *out, int64_t element);

/* Members of struct op for exact functions. */
bool elementwise_exact(const struct op_call *call, struct truth *truth, struct error *error);
bool elementwise_moves(const struct op_call *call);
int elementwise_exact_sensitivities(const struct op_call *call, int output); /* for acceptance */
bool elementwise_exact_rounds_once(const struct bound_query *query);
void elementwise_accept(const struct bound_query *query, struct accept *accept);

/* Members of struct op for formulas. */
bool elementwise_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool elementwise_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool elementwise_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                         struct error *error);
int elementwise_sensitivities(const struct op_call *call, int output); /* the numbers of the element */
double elementwise_bound(const struct bound_query *query);
void elementwise_bounds(const struct bound_query *query, int64_t first, int count, double *compute);
bool elementwise_rounds_once(const struct bound_query *query);
bool elementwise_naive_may_overflow(const struct bound_query *query);
void elementwise_accept_formula(const struct bound_query *query, struct accept *accept);

/* For operators with rows of several kinds: uses op_accept's default for a formula,
 * elementwise_accept_formula for a formula with a factor, elementwise_accept for exact functions. */
void elementwise_accept_either(const struct bound_query *query, struct accept *accept);

/* Initializers of a struct op; ELEMENTWISE_VIEWED is for operators whose numbers are not one of each
 * operand. */
#define ELEMENTWISE_VIEWED(name_, dtypes_, ...)                                                              \
    .family = "elementwise", .name = name_, .operands = __VA_ARGS__, .outputs = 1, .dtypes = dtypes_,        \
    .signature = elementwise_signature
#define ELEMENTWISE_OP(name_, dtypes_, ...)                                                                  \
    ELEMENTWISE_VIEWED(name_, dtypes_, __VA_ARGS__), .elementwise = true
#define ELEMENTWISE_BY_FORMULA                                                                               \
    .truth = elementwise_truth, .enclose = elementwise_enclose, .certify = elementwise_certify,              \
    .assigns = true, .sensitivities = elementwise_sensitivities, .bound = elementwise_bound,                 \
    .bounds = elementwise_bounds, .one_rounding = elementwise_rounds_once,                                   \
    .naive_may_overflow = elementwise_naive_may_overflow
#define ELEMENTWISE_EITHER .accept = elementwise_accept_either, .bounded = true, .accepts_rounded = true
#define ELEMENTWISE_EXACTLY                                                                                  \
    .truth = elementwise_exact, .assigns = true, .sensitivities = elementwise_exact_sensitivities,           \
    .moves = elementwise_moves, .accept = elementwise_accept, .one_rounding = elementwise_exact_rounds_once
#define ELEMENTWISE_ONE                                                                                      \
    {                                                                                                        \
        {                                                                                                    \
            "input", OPERAND_READ                                                                            \
        }                                                                                                    \
    }
#define ELEMENTWISE_GRAD                                                                                     \
    {                                                                                                        \
        {"grad_output", OPERAND_READ},                                                                       \
        {                                                                                                    \
            "input", OPERAND_READ                                                                            \
        }                                                                                                    \
    }
#define ELEMENTWISE_OUTPUT                                                                                   \
    {                                                                                                        \
        {"grad_output", OPERAND_READ},                                                                       \
        {                                                                                                    \
            "output", OPERAND_READ                                                                           \
        }                                                                                                    \
    }
#define ELEMENTWISE_TWO                                                                                      \
    {                                                                                                        \
        {"input", OPERAND_READ},                                                                             \
        {                                                                                                    \
            "other", OPERAND_READ                                                                            \
        }                                                                                                    \
    }
#define ELEMENTWISE_ROW(...) .row = (&(const struct elementwise){__VA_ARGS__})

/* Whole operators: name, dtypes (bits), then the members of struct elementwise. */
#define ELEMENTWISE_FORMULA(name, dtypes, ...)                                                               \
    {                                                                                                        \
        ELEMENTWISE_OP(name, dtypes, ELEMENTWISE_ONE), ELEMENTWISE_BY_FORMULA,                               \
            ELEMENTWISE_ROW(.formula = __VA_ARGS__)                                                          \
    }
#define ELEMENTWISE_EXACT(name, dtypes, ...)                                                                 \
    {                                                                                                        \
        ELEMENTWISE_OP(name, dtypes, ELEMENTWISE_ONE), ELEMENTWISE_EXACTLY,                                  \
            ELEMENTWISE_ROW(.exact = __VA_ARGS__)                                                            \
    }
#define ELEMENTWISE_BITS(name, dtypes, ...)                                                                  \
    {                                                                                                        \
        ELEMENTWISE_OP(name, dtypes, ELEMENTWISE_ONE), ELEMENTWISE_EXACTLY,                                  \
            ELEMENTWISE_ROW(.bits = __VA_ARGS__)                                                             \
    }

#endif
