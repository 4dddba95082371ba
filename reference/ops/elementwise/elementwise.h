/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_H
#define ASSAY_REFERENCE_OPS_ELEMENTWISE_ELEMENTWISE_H

/* The element-wise kit: an operator whose every result is a function of one number of each operand, broadcast
 * as PyTorch does, is a row of reference/ops/elementwise/unary.c, activations.c,
 * activation_gradients.c, activation_views.c, arithmetic.c or comparisons.c.
 *
 * A formula (reference/formula/expression.h) is what it is and what a legal program computes: truth, radius and
 * E_compute come from it. Operands are x, y and z in their order, but grad_output, which is grad; pos_weight
 * and count have their own names (reference/ops/loss/loss.h), as attributes have. Or, where results are known exactly,
 * it is a function of doubles, of bits or of integers. All operands have one dtype, but for a condition,
 * which is bool. */

#include "reference/operator/op.h"

enum {
    ELEMENTWISE_OPERANDS = 6,
    ELEMENTWISE_CHOICES = 3,
    ELEMENTWISE_LOSSY = 2,
    ELEMENTWISE_FORMS_MOST = 4,
    ELEMENTWISE_ALSO_MOST = 3
};
/* What the numbers of an element are (reference/ops/elementwise/elementwise_views.h). */
enum elementwise_views { VIEWS_OPERANDS, VIEWS_CHANNELS, VIEWS_HALVES };
enum {
    ELEMENTWISE_FLOATS =
        1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64,
    ELEMENTWISE_INTEGERS = 1U << DTYPE_INT32 | 1U << DTYPE_INT64
};

/* Of a floating dtype: its sign bit, and its infinity's bits. */
struct elementwise_format {
    uint64_t sign, infinity;
};

struct elementwise {
    const char *formula;                      /* safe in range; NULL: an exact function */
    const char *form[ELEMENTWISE_FORMS_MOST]; /* other legal forms, safe in range too, the first NULL ends
                                                 them: the limit is the greatest of all */
    const char *naive; /* the form in common use, where that leaves the range though the result does not: what
                          it loses there is a finding of class RANGE under a profile with naive
                          intermediates, which elsewhere is held to the wider of both bounds; NULL: none */
    const char *documented; /* the formula of PyTorch's documentation, where it loses digits by cancellation
                               that `formula` keeps: it counts under a profile whose `documented` names the
                               operator; NULL: none */
    const char
        *also[ELEMENTWISE_ALSO_MOST]; /* what is right as well where it is another number: the derivative
                                         from the other side of a kink; the first NULL ends them */
    bool also_at_infinity;            /* `also` holds where the last operand is infinite, and nowhere else */
    const char *partial;  /* an intermediate: where it leaves the range an infinite operand may become a NaN;
                             NULL: none */
    bool over_infinity; /* `partial` counts for a finite result beside an infinite operand, too */
    const char *beyond; /* an intermediate of common programs: where it leaves the range NaN and infinities are
                           right of a finite result, too; NULL: none */
    const char *rounds; /* what these programs round next to the end of the range, where `beyond` may leave it and
                           may not: their error there is three roundings of it */
    bool quotient;        /* the formula is one division, which IEEE 754 rounds once, and Vulkan does not */
    bool infinite_beyond; /* of several operands: where the result lies beyond the range every order of the
                             operations gives an infinity, as of one operand (formulas-bounds.md, Range) */
    bool one_order;       /* of several operands: intermediates leave the range in every order of the
                             operations where they do in this one, as of one operand */
    enum elementwise_views views;

    /* An attribute of words, and the rows that stand for them by their numbers; this row is number 0. Of an
     * operator by formula some may be exact functions (ELEMENTWISE_EITHER). */
    const char *choice;
    const struct elementwise *chosen[ELEMENTWISE_CHOICES];

    /* An attribute that multiplies the last operand before it is added, 1 where it is left out, and the row
     * that stands for its other values. Of integers it is a whole number, and `integer` has it behind the
     * operands. NULL: there is none. */
    const char *factor;
    const struct elementwise *scaled;

    /* An attribute that stands for the last operand where it is given, and the row with the attribute in that
     * operand's place. NULL: there is none. */
    const char *number;
    const struct elementwise *by_number;

    const char *nonzero; /* an attribute that PyTorch refuses where it is 0; NULL: none */

    /* Exactly. Of floating dtypes: of one number; of several, which may give a pair of doubles; or of their
     * bits, where those are moved or changed and not computed with. Of integer dtypes: taken modulo 2^bits.
     */
    double (*exact)(double x);
    struct value (*value)(enum dtype dtype, const double *x);
    uint64_t (*bits)(const struct elementwise_format *format, const uint64_t *x);
    int64_t (*integer)(const int64_t *x);
    const char *whole; /* an attribute that `integer` has behind the operands; NULL: the factor */
    /* E_compute about another number than the result, where what computes it may be off; NULL: 0. */
    double (*slack)(const struct profile *profile, enum dtype dtype, const double *x, double *middle);
    /* What else comes where a subnormal counts as a zero on the way: into `also`, at most ELEMENTWISE_LOSSY
     * numbers, whose count is returned. NULL: never. */
    int (*lossy)(enum dtype dtype, const double *x, double *also);
    bool open_nan;  /* where an operand behind the first is a NaN any result is right (gradients of what
                       compares) */
    bool open_zero; /* a zero may have either sign (a maximum of zeros) */
    bool selects; /* the result is one of the operands: of zeros of both signs, and of what a device may take
                     for zeros when it compares, any of them; of a formula `also` has them, and holds where
                     the device may */
    bool predicate; /* results are bool */
};

bool elementwise_signature(const struct op *op, const struct op_operands *operands,
                           struct op_signature *signature, struct error *reason);

/* Takes grad_output first, and multiplies it by a slope. */
bool elementwise_is_gradient(const struct op *op);

bool elementwise_any_is_nan(const double *x, int count);

/* What stands for this call: of a row with a choice the chosen one, with a factor the scaled one. */
const struct elementwise *elementwise_row(const struct op *op, const struct attributes *attributes);

/* Whether operands of this dtype have a result with these attributes: of integers there need not be one of
 * every choice. */
bool elementwise_takes(const struct op *op, const struct attributes *attributes, enum dtype dtype);

/* The numbers of `count` elements of the result from `first` on, those of an element beside one another: one
 * of each operand, or as the row's views have them. */
void elementwise_operands(const struct op_call *call, const struct shape *shape, int64_t first, int64_t count,
                          double *x);

/* Of a signalling NaN among its operands a function that is a number nevertheless may be a NaN as well
 * (IEEE 754-2019, 6.2). */
void elementwise_leave_open(const struct op_call *call, struct truth_output *out, int64_t element);

/* Of an exact function. */
bool elementwise_exact(const struct op_call *call, struct truth *truth, struct error *error);
bool elementwise_moves(const struct op_call *call);
int elementwise_exact_sensitivities(const struct op_call *call, int output); /* operands of open results */
bool elementwise_exact_rounds_once(const struct bound_query *query);
void elementwise_accept(const struct bound_query *query, struct accept *accept);

/* Of a formula. */
bool elementwise_truth(const struct op_call *call, struct truth *truth, struct error *error);
bool elementwise_enclose(const struct op_call *call, struct truth *truth, struct error *error);
bool elementwise_certify(const struct op_call *call, struct truth *truth, int output, int64_t element,
                         struct error *error);
int elementwise_sensitivities(const struct op_call *call, int output); /* the numbers */
double elementwise_bound(const struct bound_query *query);
void elementwise_bounds(const struct bound_query *query, int64_t first, int count, double *compute);
bool elementwise_rounds_once(const struct bound_query *query);
bool elementwise_naive_may_overflow(const struct bound_query *query);
void elementwise_accept_formula(const struct bound_query *query, struct accept *accept);

/* Of operators with rows of several kinds: op_accept's default for a formula, elementwise_accept_formula for
 * one with a factor, elementwise_accept for others. */
void elementwise_accept_either(const struct bound_query *query, struct accept *accept);

/* Members of a struct op; of one whose numbers are others than its operands: */
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

/* Whole rows: name, dtypes (bits), then the members of struct elementwise. */
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
