/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_OP_H
#define ASSAY_REFERENCE_OPERATOR_OP_H

/* What an operator is: names, operands, shape rule, truth, bound. One file in reference/ops/ per operator
 * stem exports one `const struct op_set op_set_STEM`; the registry is generated from the files there. */

#include "reference/operator/accept.h"
#include "reference/operator/profile.h"
#include "reference/base/tensor.h"
#include "reference/operator/truth.h"
#include "reference/operator/verification.h"

enum { ATTRIBUTES_MAX = 12, OPERANDS_MAX = 32, INTEGERS_MAX = 16 };
enum { NAME_MOST = 48 }; /* bytes of an operator's, operand's or attribute's name: texts count on it */
enum { INTEGERS_TEXT = 24 * INTEGERS_MAX }; /* room for any list that is printed */

enum attribute_type {
    ATTRIBUTE_INTEGER,
    ATTRIBUTE_REAL,
    ATTRIBUTE_BOOL,
    ATTRIBUTE_INTEGERS,
    ATTRIBUTE_CHOICE, /* one of the words that the operator declares: reduction = mean, sum, none */
    /* only in an operator's declaration: */
    ATTRIBUTE_NUMBER, /* INTEGER for integer operands, REAL for others */
    ATTRIBUTE_CODE    /* INTEGER: the number that one of the declared words has elsewhere (ONNX's dtypes) */
};

/* A list of integers that need be no shape: dimensions, paddings, a sequence of calls. Whoever reads one from
 * outside refuses more than INTEGERS_MAX. */
struct integers {
    int count;
    int64_t item[INTEGERS_MAX];
};

struct integers integers_of(int count,
                            ...); /* count int64_t numbers: integers_of(2, (int64_t)3, (int64_t)4) */
struct integers integers_of_shape(const struct shape *shape);
/* False, `shape` empty, where they are none: one is negative, or there are more than RANK_MAX. */
bool integers_to_shape(const struct integers *integers, struct shape *shape);

struct attribute {
    const char *name; /* PyTorch's name, e.g. "alpha"; static storage */
    enum attribute_type type;
    int64_t integer;  /* INTEGER, BOOL; the number of a CHOICE */
    double real;      /* REAL */
    const char *word; /* CHOICE: as it is declared */
    struct integers integers;
    bool assumed; /* left out of the call, and of requests: what a profile says that it stands for */
};

struct attributes {
    int count;
    struct attribute item[ATTRIBUTES_MAX];
};

bool attributes_given(const struct attributes *attributes, const char *name); /* not left out */
/* The named attribute's value, or the default where the call leaves it out. INTEGER reads as real too. */
double attributes_real(const struct attributes *attributes, const char *name, double otherwise);
int64_t attributes_integer(const struct attributes *attributes, const char *name, int64_t otherwise);
/* The numbers of an INTEGERS attribute; NULL where the call leaves it out. */
const struct integers *attributes_integers(const struct attributes *attributes, const char *name);

/* Operands before anything ran: what the shape rule sees. Absent optional operands have storage −1. `value`
 * holds the elements of the inputs that are indices, contiguous, where they are known before the
 * program runs; data is NULL where they are not (an earlier step computes them), `value` where none is. */
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

/* Values: what the truth sees. Inputs are contiguous copies, those of mutated inputs taken before the step.
 */
struct op_call {
    const struct op *op;
    const struct attributes *attributes;
    int inputs;
    const struct tensor *input;
    bool enclosed;     /* values within radii will do (truth_output.radius) where that is cheaper:
                          reference/program/refine.h brings those that leave a question open to the whole truth */
    bool numbers;      /* and numbers in place of values (truth_output.number) */
    int64_t first_row; /* of some of a larger call's rows (op_rows): which of its rows the first one is */
};

/* Everything that a bound may look at for one judged element. */
struct bound_query {
    const struct op *op;
    const struct profile *profile;
    const struct attributes *attributes;
    const struct truth *truth;
    int output;      /* which judged tensor */
    int64_t element; /* which of its elements */
    bool exact; /* exactness probe: + − × and conversions err by nothing; primitives keep their allowance */
    bool quality; /* grade against a good implementation, not the legal minimum (never a verdict) */
    const struct value_batch *values; /* those of the run that bounds are asked of, where `of` is the first of
                                       its truths; NULL: not taken apart */
    struct bound_memo
        *memo; /* what one element or tensor asks for again and again; NULL: compute each time */
};

/* An operand that an operator takes, in PyTorch's order and by PyTorch's name. */
enum op_role {
    OPERAND_READ = 0,
    OPERAND_OPTIONAL = 1,                     /* a call may leave it out */
    OPERAND_MUTATED = 2,                      /* overwritten, and judged: these come before the outputs */
    OPERAND_INDICES = 4,                      /* its numbers are places, which the shape rule looks at */
    OPERAND_ROW_STARTS = OPERAND_INDICES | 8, /* crow_indices; col_indices follow */
    OPERAND_VARIADIC =
        16, /* as often as the call likes: alone, or in turn with the variadic ones beside it */
    OPERAND_CONDITION = 32 /* bool, whatever the dtype of the others */
};

struct op_operand {
    const char *name;
    unsigned role;
};

/* An attribute that an operator understands; a call gives it this type or leaves it out. */
struct op_attribute {
    const char *name;
    enum attribute_type type;
};

/* One of the words that a CHOICE or a CODE may be, and its number. */
struct op_choice {
    const char *attribute, *word;
    int64_t number;
};
enum { CHOICES_MAX = 16 };

/* What PyTorch takes where a call leaves an attribute out. One without a row is required, or has a meaning of
 * its own where it is not given (dim: all of them); a row without an attribute says nothing. */
struct op_default {
    const char *name;
    enum { DEFAULT_VALUE, DEFAULT_EPSILON } kind; /* EPSILON: finfo(dtype).eps of the leading input's dtype */
    double value;                                 /* the number of a CHOICE */
};

/* How a call falls into rows that know nothing of each other: row r of the only judged tensor comes of row r
 * of the inputs that have rows and of the whole of the others; groups of its envelope lie in one row each. */
struct op_rows {
    int output;              /* leading dimensions of the judged tensor that count its rows, ≥ 1 */
    int input[OPERANDS_MAX]; /* of each input; 0: every row reads all of it */
    bool whole; /* limits of a row depend on others, its judgement does not: the truth is asked whole */
};

/* What is known of an output beyond its number. */
enum result_role {
    RESULT_COUNTED = 1, /* the indices' values decide how long it is in its last dimension */
    RESULT_VERIFIED = 2 /* `verify` judges it */
};

struct op_result {
    const char *name; /* PyTorch's, where it has one: "values", "logabsdet"; else NULL */
    unsigned role;
};
enum { RESULTS_NAMED = 8 }; /* outputs beyond have neither name nor role */

struct op {
    const char *family; /* "elementwise", "linalg", "inplace", … */
    const char *name;   /* PyTorch's functional name, e.g. "logdet", "add_" */
    int variant;        /* which of the operators that share a file: a number or flags of the file's own */
    const struct elementwise *row;            /* of the element-wise class (reference/ops/elementwise/elementwise.h) */
    const struct rowwise *rowwise;            /* of the row class (reference/ops/rowwise/rowwise.h) */
    const struct loss *loss;                  /* of the loss class (reference/ops/loss/loss.h) */
    const struct lowering *lowering;          /* another stands for its calls (reference/operator/lowering.h) */
    struct op_operand operands[OPERANDS_MAX]; /* read by the functions of reference/operator/operands.c alone; a NULL
                                                 name ends them */
    int outputs;
    struct op_result results[RESULTS_NAMED];        /* output o; read by the functions of operands.c alone */
    struct op_attribute attributes[ATTRIBUTES_MAX]; /* what it understands; a NULL name ends them if fewer */
    struct op_default defaults[ATTRIBUTES_MAX];     /* a NULL name ends them if fewer */
    struct op_choice choices[CHOICES_MAX];          /* of all its attributes; a NULL attribute ends them */
    unsigned dtypes;  /* bit DTYPE_…: dtypes of the leading input that the reference can answer */
    bool costly;      /* its truth may take longer than reading it from a cache (truth_source) */
    bool elementwise; /* element i of the result comes of elements i of the operands, broadcast to it */
    bool plain;       /* sums and products alone: no limit of it holds an allowance of a primitive */

    /* Output dtypes and shapes; false with the reason where the operands must be rejected. */
    bool (*signature)(const struct op *op, const struct op_operands *operands, struct op_signature *signature,
                      struct error *reason);

    /* Fills values and sensitivities of every judged tensor (already created to their shapes, `sensitivities`
     * doubles per element as `sensitivities` below says). */
    bool (*truth)(const struct op_call *call, struct truth *truth, struct error *error);
    bool assigns; /* it, and `enclose`, write all of every value and sensitivity: these need not be cleared
                     before */
    int (*sensitivities)(const struct op_call *call, int output); /* NULL: none */

    /* The same as `truth` at less cost: values within radii (truth_output_radius), sensitivities and
     * envelopes as they are there. `certify` then brings one element of judged tensor `output` to what
     * `truth` would have made of it, radius 0. Both NULL: there is nothing cheaper. */
    bool (*enclose)(const struct op_call *call, struct truth *truth, struct error *error);
    bool (*certify)(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error);
    bool certify_costly; /* up to minutes: not for what is only to be shown */

    /* False where the call has no rows. NULL: none has; of element-wise operators it is known without. */
    bool (*rows)(const struct op_operands *operands, struct op_rows *rows);

    /* The call moves elements bit by bit, so that no device may take a subnormal for zero; NULL: never. */
    bool (*moves)(const struct op_call *call);

    /* E_compute for one element, an absolute error; without u·|truth| and η, which accept_default adds. For
     * complex dtypes normwise, for integers in steps. */
    double (*bound)(const struct bound_query *query);

    /* The same of `count` ≤ BATCH_MAX elements from `first` on (reference/operator/bound_batch.h); `one_rounding` is the
     * same of all elements for which that is more than 0. NULL: there is nothing better than one after the
     * other. */
    void (*bounds)(const struct bound_query *query, int64_t first, int count, double *compute);

    /* Of the same element, what is not independent rounding of sums and products: allowances of primitives,
     * underflow, operands that may be flushed; an absolute error, part of the envelope's N
     * (reference/operator/envelope.h). NULL: none. */
    double (*primitive_error)(const struct bound_query *query);
    void (*primitive_errors)(const struct bound_query *query, int64_t first, int count,
                       double *primitive_error); /* as `bounds` */

    /* Whether the result for this element is one rounding of the exact one, in every legal way of computing
     * it (accept_rounded). NULL: never. Where `accept` is given, too: whether that accepts, of a truth that
     * is zero or a normal number of the dtype, this number, and none at a distance from it but for flushed
     * operands. */
    bool (*one_rounding)(const struct bound_query *query);

    /* Whether an intermediate of a legal order of operations may leave the range where the result need not
     * (accept_overflowed). NULL: never. */
    bool (*may_overflow)(const struct bound_query *query);

    /* Where a lost sign shows in the result's class (NaN for the logarithm of a negative determinant): that
     * wrong result as the bytes of the output's dtype; false where there is none. NULL: nowhere. */
    bool (*flipped_sign)(const struct bound_query *query, void *bytes);

    /* Whether an intermediate of the naive form (the sum of squares of a norm, not scaled) leaves the range
     * at this element, where the operator's contract is that the result does not show it (rule 6). NULL:
     * never.
     */
    bool (*naive_may_overflow)(const struct bound_query *query);
    /* Of an element where it does: whether it overflows alone, and nothing behind it makes a number of the
     * infinity, so that another finite number is wrong. NULL: any number may be left. */
    bool (*naive_is_infinite)(const struct bound_query *query);
    bool naive_by_word; /* a profile whose `range` is the bare word "naive", not a list of operators, means
                           this one: its textbook form is one of those that docs/reference/profile.md
                           names */

    /* The verdict on the outputs of role RESULT_VERIFIED, all together (reference/operator/verification.h). False when
     * out of memory. NULL: there are none. */
    bool (*verify)(const struct verification_query *query, struct verification *found);

    /* An acceptance set of the operator's own (rule 0); NULL: accept_default with `bound`. bounded: where the
     * truth is a normal number and far from the ends of the range, and E_compute more than 0, it takes the
     * same finite results as that (reference/operator/bound_batch.h). */
    void (*accept)(const struct bound_query *query, struct accept *accept);
    bool bounded;
    bool accepts_rounded; /* where `one_rounding` holds and the truth lies well inside the normal range it is
                             accept_rounded, but for flushed operands */

    /* Resolving power of one element, where B over the greatest |truth| is not the right measure; NULL:
     * default. */
    double (*resolving_power)(const struct bound_query *query, const struct accept *accept);
};

/* The part of a shape rule that operators on batches of square matrices [..., n, n] share: input 0's dtype
 * and shape. */
bool op_takes_square_matrices(const struct op *op, const struct op_operands *operands, struct error *reason);

struct op_set {
    const struct op *op;
    int count;
};

/* The registry, in a stable order. */
int op_count(void);
const struct op *op_at(int index);
const struct op *op_find(const char *name); /* NULL when unknown */

/* The operator's shape rule; and no output may hold more bytes than can be counted. The reason ends in the
 * dtypes and shapes that were given. */
bool op_signature(const struct op *op, const struct op_operands *operands, struct op_signature *signature,
                  struct error *reason);

const struct op_attribute *op_attribute_named(const struct op *op, const char *name); /* NULL: none */
bool op_has_default(const struct op *op, const char *attribute);
bool op_default_is_epsilon(const struct op *op, const char *attribute); /* DEFAULT_EPSILON */

/* The declared word, by itself or by its number; NULL where there is none such. */
const struct op_choice *op_choice_named(const struct op *op, const char *attribute, const char *word);
const struct op_choice *op_choice_numbered(const struct op *op, const char *attribute, int64_t number);
/* "mean, sum or none", as far as there is room. */
void op_print_choices(const struct op *op, const char *attribute, char *text, size_t size);

/* Gives the attributes that a call leaves out their defaults; `leading`: the leading input's dtype. */
void op_default_attributes(const struct op *op, enum dtype leading, struct attributes *attributes);

/* --- what is declared of the operands (reference/operator/operands.c) */

/* How many inputs a call has at least and at most. */
int op_inputs_min(const struct op *op);
int op_inputs_max(const struct op *op);
bool op_is_variadic(const struct op *op);

/* Of a call with `inputs` inputs, number i: its name ("" where there is none such), and what it is. */
const char *op_operand_name(const struct op *op, int inputs, int i);
bool op_mutates(const struct op *op, int inputs, int i);
bool op_may_lack(const struct op *op, int inputs, int i); /* it may be absent */
bool op_is_indices(const struct op *op, int inputs, int i);
bool op_is_condition(const struct op *op, int inputs, int i);
bool op_is_coo(const struct op *op, int inputs, int i); /* indices [2, n] */
bool op_is_csr(const struct op *op, int inputs, int i); /* crow_indices, with col_indices behind them */

bool op_has_indices(const struct op *op);
bool op_writes(const struct op *op);       /* it overwrites some input */
int op_written_input(const struct op *op); /* the first that it overwrites; −1: none */
int op_leading_input(const struct op *op); /* the first that holds neither indices nor conditions: its dtype
                                              is the case's */
int op_first_indices(const struct op *op); /* −1: none */
int op_input_named(const struct op *op, const char *name); /* −1: none; of a variadic one the first */

const char *op_result_name(const struct op *op, int output); /* NULL: it has none */
bool op_result_is_counted(const struct op *op, int output);
bool op_result_is_verified(const struct op *op, int output); /* as a judged tensor too: verification.h */
/* "1 (logabsdet)", or "1" where it has no name. */
enum { RESULT_TEXT = NAME_MOST + 16 };
void op_print_result(const struct op *op, int output, char text[RESULT_TEXT]);

/* "input, weight, [bias]": in brackets what may be absent, "…" behind what a call repeats. As far as there is
 * room, as snprintf does. */
void op_print_operands(const struct op *op, char *text, size_t size);

/* --- calls */

/* Truth of a call, with the flushed variant where an input is subnormal. NULL on error (precision cap,
 * memory). */
struct truth *op_truth(const struct op_call *call, const struct op_signature *signature, struct error *error);

/* Copies the inputs with subnormals replaced by zeros of their sign; `flushed` holds OPERANDS_MAX tensors
 * without data, which the caller destroys. Returns the dtypes of which there was a subnormal, as
 * truth.flushed_dtypes, 0: of none; *good: false when out of memory. */
uint32_t op_flush_inputs(const struct op_call *call, struct tensor *flushed, bool *good);

/* For `one_rounding` of operators whose every element is so: true. */
bool op_rounds_once(const struct bound_query *query);

/* Whether nothing but its truth rounded to nearest is accepted of the element, where that lies well inside
 * the normal range (accept_rounded). */
bool op_is_rounded(const struct bound_query *query);

/* Whether the truth of flushed operands is a truth, too: the profile may flush a dtype that it flushed. */
bool op_may_flush(const struct bound_query *query);

/* The acceptance set of one element of one judged tensor: all rules of reference/operator/accept.h in their order. */
void op_accept(const struct bound_query *query, struct accept *accept);

/* The envelope of one element under a profile. */
struct envelope_limit {
    bool known;    /* the rest means something */
    bool fixed;    /* the truth's class and sign are certain: another one is beyond Q */
    bool may_fail; /* the profile declares round to nearest where sums are held and where they are stored */
    double spread, certain; /* S, N */
    double group_spread;    /* S_c */
    int64_t group;          /* < 0: none */
};
void op_envelope(const struct bound_query *query, struct envelope_limit *limit);

/* `may_fail` alone, of all elements of the judged tensor: nothing is computed. */
bool op_envelope_may_fail(const struct bound_query *query);

/* Q = 16·S + N. */
double envelope_limit_reach(const struct envelope_limit *limit);

/* Whether a refused element, `got` in the bytes of its dtype, is a finding of class RANGE and no failure: the
 * profile declares naive intermediates, one of them leaves the range here, and `got` may come of that: it is
 * an infinity or NaN where nothing else may (any number where the direction of rounding is open, because the
 * greatest one may stand for an infinity). NULL: whatever it is. */
bool op_range_finding(const struct bound_query *query, const void *got);

/* ρ of one element, 0 where the set is exact, infinity where nothing can be resolved: the operator's own; or
 * else, *scaled, B, to be divided by the scale, max |truth| of the judged tensor. */
double op_resolving_power(const struct bound_query *query, const struct accept *accept, bool *scaled);

#endif
