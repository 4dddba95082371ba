/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_OP_H
#define ASSAY_REFERENCE_OPERATOR_OP_H

/* An operator as data: names, operands, attributes, shape rule, truth, bounds. One file in reference/ops/ for
 * each operator stem exports one `const struct op_set op_set_STEM`, and the registry is generated from these
 * files. The functions below the structs read declarations, check a call (op_signature), compute its truth
 * (op_truth) and give the acceptance set (op_accept) and the envelope (op_envelope) of one element. */

#include "reference/base/tensor.h"
#include "reference/operator/accept.h"
#include "reference/operator/attributes.h"
#include "reference/operator/profile.h"
#include "reference/operator/truth.h"
#include "reference/operator/verification.h"

enum { OPERANDS_MAX = 32 };
enum { NAME_MOST = 48 }; /* most bytes of the name of an operator, operand or attribute; buffers rely on it */

/* Operands before the program runs, for the shape rule. Absent optional operands have storage −1. value[i]
 * has the elements of input i, contiguous, if it holds indices that are known then; else its data is NULL.
 * `value` is NULL if no values are known. */
struct op_operands {
    const struct attributes *attributes;
    int inputs;
    const struct view *input;
    const struct tensor *value;
};

struct op_signature {
    int outputs;
    struct {
        enum dtype dtype;
        struct shape shape;
    } output[TRUTH_OUTPUTS_MAX];
};

/* A call with values. Inputs are contiguous tensors; mutated inputs are as before the step. */
struct op_call {
    const struct op *op;
    const struct attributes *attributes;
    int inputs;
    const struct tensor *input;
    /* Values within radii (truth_output.radius) are allowed where they are cheaper;
     * reference/program/refine.h certifies those on which a verdict depends. */
    bool enclosed;
    bool numbers;             /* numbers in place of values (truth_output.number) are allowed as well */
    int64_t first_row;        /* index of the first row, for a part of a larger call (op_rows) */
    const struct view *whole; /* the operands of that larger call; NULL: this is the whole call */
};

/* Everything from which the bound of one judged element is computed. */
struct bound_query {
    const struct op *op;
    const struct profile *profile;
    const struct attributes *attributes;
    const struct truth *truth;
    int output;      /* index of the judged tensor */
    int64_t element; /* index of the element */
    bool exact; /* exactness probe: + − × and conversions do not err; primitives keep their primitive error */
    bool quality; /* compare with a good implementation instead of the legal minimum (never for a verdict) */
    /* The batch for which bounds are computed, if `of` is its first value; NULL: none. */
    const struct value_batch *values;
    struct bound_memo *memo; /* cache of what elements need repeatedly; NULL: compute each time */
};

/* The roles of an operand. Operands are in PyTorch's order and have PyTorch's names. */
enum op_role {
    OPERAND_READ = 0,
    OPERAND_OPTIONAL = 1,                     /* a call may omit it */
    OPERAND_MUTATED = 2,                      /* overwritten and judged; these come before the outputs */
    OPERAND_INDICES = 4,                      /* its numbers are indices, which the shape rule reads */
    OPERAND_ROW_STARTS = OPERAND_INDICES | 8, /* crow_indices; col_indices follow */
    OPERAND_VARIADIC = 16, /* repeated as often as the call likes, alone or in turn with adjacent ones */
    OPERAND_CONDITION = 32 /* bool, whatever the dtype of the others */
};

struct op_operand {
    const char *name;
    unsigned role;
};

/* An attribute that an operator understands; a call gives it with this type or omits it. */
struct op_attribute {
    const char *name;
    enum attribute_type type;
};

/* One of the words of a CHOICE or a CODE, and its number. */
struct op_choice {
    const char *attribute, *word;
    int64_t number;
};
enum { CHOICES_MAX = 16 };

/* PyTorch's default of an attribute that a call omits. An attribute without a default is required, or has a
 * meaning of its own when omitted (dim: all dimensions). */
struct op_default {
    const char *name;
    enum { DEFAULT_VALUE, DEFAULT_EPSILON } kind; /* EPSILON: finfo(leading dtype).eps */
    double value;                                 /* for a CHOICE the number of the word */
};

/* The decomposition of a call into independent rows: row r of its only judged tensor depends on row r of the
 * inputs that have rows and on the whole of the others. Each group of its envelope lies in one row. */
struct op_rows {
    int output; /* number of leading dimensions of the judged tensor that index its rows, ≥ 1 */
    int input[OPERANDS_MAX]; /* the same for each input; 0: every row reads the whole input */
    bool whole;              /* a row's bounds depend on other rows, its judgement does not: no slices */
};

/* Roles of an output. */
enum result_role {
    RESULT_COUNTED = 1, /* the values of the indices determine its length in the last dimension */
    RESULT_VERIFIED = 2 /* `verify` judges it */
};

struct op_result {
    const char *name; /* PyTorch's name, e.g. "values", "logabsdet"; NULL where it has none */
    unsigned role;
};
enum { RESULTS_NAMED = 8 }; /* further outputs have neither name nor role */

struct op {
    const char *family;            /* "elementwise", "linalg", "inplace", … */
    const char *name;              /* PyTorch's functional name, e.g. "logdet", "add_" */
    int variant;                   /* for the operators of one file: a number or flags of its own */
    const struct elementwise *row; /* element-wise class
                                      (reference/ops/elementwise/elementwise.h) */
    const struct rowwise *rowwise; /* row-wise class (reference/ops/rowwise/rowwise.h) */
    const struct loss *loss;       /* loss class (reference/ops/loss/loss.h) */
    const struct product_sum_map
        *product_sum;                /* sums of products (reference/ops/product_sum/product_sum.h) */
    const struct lowering *lowering; /* its calls are lowered (reference/operator/lowering.h) */
    /* A NULL name ends the list. Only the functions of reference/operator/operands.c read `operands` and
     * `results`. */
    struct op_operand operands[OPERANDS_MAX];
    int outputs;
    struct op_result results[RESULTS_NAMED];        /* element o describes output o */
    struct op_attribute attributes[ATTRIBUTES_MAX]; /* what it understands; a NULL name ends the list */
    struct op_default defaults[ATTRIBUTES_MAX];     /* a NULL name ends the list */
    struct op_choice choices[CHOICES_MAX];          /* of all attributes; a NULL attribute ends the list */
    unsigned dtypes;  /* bit DTYPE_…: dtypes of the leading input that the reference supports */
    bool costly;      /* its truth may take longer to compute than to read from a cache (truth_source) */
    bool elementwise; /* element i of the result depends on elements i of the broadcast operands */
    bool plain;       /* only sums and products: no error bound contains a primitive error */

    /* Sets dtypes and shapes of the outputs. False with the reason where the operands must be rejected. */
    bool (*signature)(const struct op *op, const struct op_operands *operands, struct op_signature *signature,
                      struct error *reason);

    /* Fills the values and sensitivities of every judged tensor. The caller has created them with their
     * shapes and with as many doubles per element as `sensitivities` below returns. */
    bool (*truth)(const struct op_call *call, struct truth *truth, struct error *error);
    bool assigns; /* `truth` and `enclose` write all values and sensitivities: no need to clear */
    int (*sensitivities)(const struct op_call *call, int output); /* doubles per element; NULL: 0 */

    /* enclose is `truth` at less cost: values within radii (truth_output_radius), with the sensitivities and
     * envelopes of `truth`. certify then makes one element of judged tensor `output` what `truth` would have
     * made it, with radius 0. Both NULL: there is no cheaper way. */
    bool (*enclose)(const struct op_call *call, struct truth *truth, struct error *error);
    bool (*certify)(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error);
    bool certify_costly; /* certify may take minutes: do not call it only to show a value */

    /* Sets the rows of the call; returns false where it has none. NULL: no call has rows, except that those
     * of element-wise operators are known without it. */
    bool (*rows)(const struct op_operands *operands, struct op_rows *rows);

    /* Fills an attribute that the profile gives the call beside its own (attribute.assumed), and that truth
     * and limits depend on. False: none. NULL: never. */
    bool (*assumes)(const struct op *op, const struct profile *profile, const struct op_operands *operands,
                    struct attribute *assumed);

    /* Returns whether the call moves elements bit by bit, so that no device may take a subnormal for zero.
     * NULL: never. */
    bool (*moves)(const struct op_call *call);

    /* Returns E_compute for one element: an absolute error, without u·|truth| and η, which accept_default
     * adds. Normwise for complex dtypes, in steps for integers. */
    double (*bound)(const struct bound_query *query);

    /* `bound` for `count` ≤ BATCH_MAX elements from `first` on (reference/operator/bound_batch.h).
     * `one_rounding` must be equal for all of them whose bound is more than 0. NULL: call `bound` for each.
     */
    void (*bounds)(const struct bound_query *query, int64_t first, int count, double *compute);

    /* Returns the part of N (reference/operator/envelope.h) that is not independent rounding of sums and
     * products: primitive errors, underflow, operands that may be flushed; an absolute error. NULL: 0. */
    double (*primitive_error)(const struct bound_query *query);
    void (*primitive_errors)(const struct bound_query *query, int64_t first, int count,
                             double *primitive_error); /* for a batch, as `bounds` */

    /* Returns whether the result for this element is one rounding of the exact result in every legal way of
     * computing it (accept_rounded). NULL: never. If `accept` is given too: whether that set, for a truth
     * that is zero or a normal number of the dtype, accepts the truth itself and, except for flushed
     * operands, no other number. */
    bool (*one_rounding)(const struct bound_query *query);

    /* Returns whether an intermediate of a legal order of operations may overflow where the result need not
     * (accept_overflowed). NULL: never. */
    bool (*may_overflow)(const struct bound_query *query);

    /* Stores the wrong result, as bytes of the output's dtype, that a lost sign leaves where it changes the
     * class of the result (NaN for the logarithm of a negative determinant); false elsewhere. NULL: never. */
    bool (*flipped_sign)(const struct bound_query *query, void *bytes);

    /* Returns whether an intermediate of the naive form (the unscaled sum of squares of a norm) leaves the
     * range at this element, where the operator's contract is that the result does not show it (rule 6).
     * NULL: never. */
    bool (*naive_may_overflow)(const struct bound_query *query);
    /* For an element where it does: returns whether it overflows to an infinity that no later operation turns
     * into a finite number, so that a wrong finite result is a failure. NULL: any result may follow. */
    bool (*naive_is_infinite)(const struct bound_query *query);
    /* The bare word "naive" in a profile's `range`, instead of a list of operators, includes this one:
     * docs/reference/profile.md names its textbook form. */
    bool naive_by_word;

    /* Judges all outputs of role RESULT_VERIFIED (reference/operator/verification.h). False when out of
     * memory. */
    bool (*verify)(const struct verification_query *query, struct verification *found);

    /* Makes the operator's own acceptance set (rule 0); NULL: accept_default with `bound`. `bounded`: where
     * the truth is a normal number far from the ends of the range and E_compute is more than 0, that set
     * accepts the same finite results as accept_default (reference/operator/bound_batch.h). */
    void (*accept)(const struct bound_query *query, struct accept *accept);
    bool bounded;
    bool accepts_rounded; /* as accept_rounded, except for flushed operands, where `one_rounding` holds and
                             the truth lies well inside the normal range */

    /* Returns the resolving power of one element. NULL: B over the greatest |truth|. */
    double (*resolving_power)(const struct bound_query *query, const struct accept *accept);
};

/* Checks dtype and shape of input 0 of an operator on batches of square matrices [..., n, n]. */
bool op_takes_square_matrices(const struct op *op, const struct op_operands *operands, struct error *reason);

struct op_set {
    const struct op *op;
    int count;
};

/* The registry, in a stable order. */
int op_count(void);
const struct op *op_at(int index);
const struct op *op_find(const char *name); /* NULL when unknown */

/* Applies the operator's shape rule, and rejects too many operands or judged tensors and outputs of 2^63
 * bytes or more. Returns false with the reason, which ends in the dtypes and shapes of the operands if the
 * shape rule rejected them. */
bool op_signature(const struct op *op, const struct op_operands *operands, struct op_signature *signature,
                  struct error *reason);

const struct op_attribute *op_attribute_named(const struct op *op, const char *name); /* NULL: none */
const struct op_default *op_default_named(const struct op *op, const char *name);     /* NULL: none */
bool op_has_default(const struct op *op, const char *attribute);
bool op_default_is_epsilon(const struct op *op, const char *attribute); /* DEFAULT_EPSILON */

/* Return the declared choice of an attribute by its word or by its number; NULL if there is none. */
const struct op_choice *op_choice_named(const struct op *op, const char *attribute, const char *word);
const struct op_choice *op_choice_numbered(const struct op *op, const char *attribute, int64_t number);
/* Prints the words of an attribute as "mean, sum or none", cut off where `text` is full. */
void op_print_choices(const struct op *op, const char *attribute, char *text, size_t size);

/* Gives the attributes that a call omits their defaults; `leading` is the dtype of the leading input. */
void op_default_attributes(const struct op *op, enum dtype leading, struct attributes *attributes);

/* --- declarations of the operands (reference/operator/operands.c) */

/* Return the least and the greatest number of inputs of a call. */
int op_inputs_min(const struct op *op);
int op_inputs_max(const struct op *op);
bool op_is_variadic(const struct op *op);

/* Return the name ("" if there is none) and the roles of input i of a call with `inputs` inputs. */
const char *op_operand_name(const struct op *op, int inputs, int i);
bool op_mutates(const struct op *op, int inputs, int i);
bool op_may_lack(const struct op *op, int inputs, int i); /* it is optional */
bool op_is_indices(const struct op *op, int inputs, int i);
bool op_is_condition(const struct op *op, int inputs, int i);
/* COO indices, of shape [2, n]: of an operator with the attribute `size`. */
bool op_is_coo(const struct op *op, int inputs, int i);
bool op_is_csr(const struct op *op, int inputs, int i); /* crow_indices; col_indices follow */

bool op_has_indices(const struct op *op);
bool op_writes(const struct op *op);       /* whether it overwrites an input */
int op_written_input(const struct op *op); /* the first input that it overwrites; −1: none */
/* The first input that holds neither indices nor conditions; its dtype is that of the case. */
int op_leading_input(const struct op *op);
int op_first_indices(const struct op *op);                 /* −1: none */
int op_input_named(const struct op *op, const char *name); /* −1: none; the first one of a variadic operand */

const char *op_result_name(const struct op *op, int output); /* NULL: it has no name */
bool op_result_is_counted(const struct op *op, int output);
bool op_result_is_verified(const struct op *op, int output); /* or judged tensor */
/* Prints "1 (logabsdet)", or "1" for an output without a name. */
enum { RESULT_TEXT = NAME_MOST + 16 };
void op_print_result(const struct op *op, int output, char text[RESULT_TEXT]);

/* Prints "input, weight, [bias]": optional operands in brackets, "…" after operands that a call repeats. Cut
 * off where `text` is full, as by snprintf. */
void op_print_operands(const struct op *op, char *text, size_t size);

/* --- calls */

/* Computes the truth of a call, and that of flushed operands if an input is subnormal; NULL on error. */
struct truth *op_truth(const struct op_call *call, const struct op_signature *signature, struct error *error);

/* Copies the inputs with subnormals replaced by zeros of their sign. `flushed` holds OPERANDS_MAX tensors
 * without data, which the caller destroys. Returns the dtypes of the subnormal numbers as
 * truth.flushed_dtypes has them; if there are none, returns 0 and copies nothing. Sets *good to false when
 * out of memory. */
uint32_t op_flush_inputs(const struct op_call *call, struct tensor *flushed, bool *good);

/* Returns true; the `one_rounding` of operators for which it always holds. */
bool op_rounds_once(const struct bound_query *query);

/* Returns whether only the truth rounded to nearest is accepted for the element, if it lies well inside the
 * normal range (accept_rounded). */
bool op_is_rounded(const struct bound_query *query);

/* Returns whether the truth of flushed operands counts too: the profile may flush a flushed dtype. */
bool op_may_flush(const struct bound_query *query);

/* Makes the acceptance set of one element by all rules of reference/operator/accept.h. */
void op_accept(const struct bound_query *query, struct accept *accept);

/* The envelope of one element under a profile. */
struct envelope_limit {
    bool known;    /* the other members are defined */
    bool fixed;    /* a result of another class or sign is beyond Q */
    bool may_fail; /* the profile declares round to nearest for the types in which sums are held and stored */
    double spread, certain; /* S, N */
    double group_spread;    /* S_c */
    int64_t group;          /* < 0: no group */
};
void op_envelope(const struct bound_query *query, struct envelope_limit *limit);

/* Returns `may_fail` alone, which is equal for all elements, without computing the envelope. */
bool op_envelope_may_fail(const struct bound_query *query);

/* Returns Q = 16·S + N. */
double envelope_limit_reach(const struct envelope_limit *limit);

/* Returns whether a refused element, `got` in the bytes of its dtype, is a finding of class RANGE and not a
 * failure. It is if the profile declares naive intermediates, one of them leaves the range here, and `got`
 * may result from that: an infinity or NaN where only these can follow, any number where the rounding
 * direction is open, because MAX may then replace an infinity. got = NULL stands for any result. */
bool op_range_finding(const struct bound_query *query, const void *got);

/* Returns the resolving power of one element: with *scaled false the operator's own; with *scaled true the
 * greatest B over its alternatives, which the caller divides by the scale, max |truth| of the judged tensor.
 * 0 where the set is exact, infinity where nothing can be resolved. */
double op_resolving_power(const struct bound_query *query, const struct accept *accept, bool *scaled);

#endif
