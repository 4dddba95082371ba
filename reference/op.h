/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OP_H
#define ASSAY_REFERENCE_OP_H

/* What an operator is: names, arity, shape rule, truth, bound. One file in reference/ops/ per operator stem
 * exports one `const struct op_set op_set_STEM`; the registry is generated from the files there. */

#include "reference/accept.h"
#include "reference/profile.h"
#include "reference/tensor.h"
#include "reference/truth.h"

enum { ATTRIBUTES_MAX = 8, OPERANDS_MAX = 16 };

enum attribute_type {
    ATTRIBUTE_INTEGER,
    ATTRIBUTE_REAL,
    ATTRIBUTE_BOOL,
    ATTRIBUTE_INTEGERS,
    /* only in an operator's declaration: */
    ATTRIBUTE_NUMBER, /* INTEGER for integer operands, REAL for others */
    ATTRIBUTE_DTYPE   /* INTEGER, as ONNX numbers dtypes: see reference/matmul.h */
};

struct attribute {
    const char *name; /* PyTorch's name, e.g. "alpha"; static storage */
    enum attribute_type type;
    int64_t integer;       /* INTEGER, BOOL */
    double real;           /* REAL */
    struct shape integers; /* INTEGERS: `rank` numbers */
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
const struct shape *attributes_integers(const struct attributes *attributes, const char *name);

/* Operands before anything ran: what the shape rule sees. Absent optional operands have storage −1. `value`
 * holds the elements of the inputs that `op->indices` names, contiguous, where they are known before the
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
    bool enclosed; /* values within radii will do (truth_output.radius) where that is cheaper:
                      reference/settle.h brings those that leave a question open to the whole truth */
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
};

/* An attribute that an operator understands; a call gives it this type or leaves it out. */
struct op_attribute {
    const char *name;
    enum attribute_type type;
};

/* What PyTorch takes where a call leaves an attribute out. One without a row is required, or has a meaning of
 * its own where it is not given (dim: all of them); a row without an attribute says nothing. */
struct op_default {
    const char *name;
    enum { DEFAULT_VALUE, DEFAULT_EPSILON } kind; /* EPSILON: finfo(dtype).eps of the leading input's dtype */
    double value;
};

struct op {
    const char *family; /* "elementwise", "linalg", "inplace", … */
    const char *name;   /* PyTorch's functional name, e.g. "logdet", "add_" */
    int inputs_min, inputs_max;
    int outputs;
    unsigned
        mutates; /* bit i: input i is overwritten; judged tensors are the mutated inputs, then the outputs */
    bool variadic; /* inputs beyond inputs_min are more of the same; else they may be absent */
    int kept_last; /* of a variadic operator: so many inputs at the end are not overwritten */
    struct op_attribute attributes[ATTRIBUTES_MAX]; /* what it understands; a NULL name ends them if fewer */
    struct op_default defaults[ATTRIBUTES_MAX];     /* a NULL name ends them if fewer */
    unsigned indices; /* bit i: input i holds indices, whose values the shape rule reads */
    unsigned counted; /* bit o: how long output o is in its last dimension, the indices' values decide */
    unsigned dtypes;  /* bit DTYPE_…: dtypes of the leading input that the reference can answer */
    bool costly;      /* its truth is worth caching on disk */

    /* Output dtypes and shapes; false with the reason where the operands must be rejected. */
    bool (*signature)(const struct op *op, const struct op_operands *operands, struct op_signature *signature,
                      struct error *reason);

    /* Fills values and sensitivities of every judged tensor (already created to their shapes, `sensitivities`
     * doubles per element as `sensitivities` below says). */
    bool (*truth)(const struct op_call *call, struct truth *truth, struct error *error);
    int (*sensitivities)(const struct op_call *call, int output); /* NULL: none */

    /* The same as `truth` at less cost: values within radii (truth_output_radius), sensitivities and
     * envelopes as they are there. `certify` then brings one element of judged tensor `output` to what
     * `truth` would have made of it, radius 0. Both NULL: there is nothing cheaper. */
    bool (*enclose)(const struct op_call *call, struct truth *truth, struct error *error);
    bool (*certify)(const struct op_call *call, struct truth *truth, int output, int64_t element,
                    struct error *error);
    bool certify_costly; /* up to minutes: not for what is only to be shown */

    /* The call moves elements bit by bit, so that no device may take a subnormal for zero; NULL: never. */
    bool (*moves)(const struct op_call *call);

    /* E_compute for one element, an absolute error; without u·|truth| and η, which accept_default adds. For
     * complex dtypes normwise. */
    double (*bound)(const struct bound_query *query);

    /* Of the same element, what is not independent rounding of sums and products: allowances of primitives,
     * underflow, operands that may be flushed; an absolute error, part of the envelope's N
     * (reference/envelope.h). NULL: none. */
    double (*allowance)(const struct bound_query *query);

    /* Whether the result for this element is one rounding of the exact one, in every legal way of computing
     * it (accept_rounded). NULL: never. Not asked where `accept` is given. */
    bool (*one_rounding)(const struct bound_query *query);

    /* Whether an intermediate of a legal order of operations may leave the range where the result need not
     * (accept_escaped). NULL: never. */
    bool (*escapes)(const struct bound_query *query);

    /* Where a lost sign shows in the result's class (NaN for the logarithm of a negative determinant): that
     * wrong result as the bytes of the output's dtype; false where there is none. NULL: nowhere. */
    bool (*other_sign)(const struct bound_query *query, void *bytes);

    /* Whether an intermediate of the naive form (the sum of squares of a norm, not scaled) leaves the range
     * at this element, where the operator's contract is that the result does not show it (rule 6). NULL:
     * never.
     */
    bool (*naive_escapes)(const struct bound_query *query);

    /* An acceptance set of the operator's own (rule 0); NULL: accept_default with `bound`. */
    void (*accept)(const struct bound_query *query, struct accept *accept);

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

bool op_has_default(const struct op *op, const char *attribute);

/* Gives the attributes that a call leaves out their defaults; `leading`: the leading input's dtype. */
void op_default_attributes(const struct op *op, enum dtype leading, struct attributes *attributes);

/* The first input that holds no indices: its dtype is the case's. */
int op_leading_input(const struct op *op);

bool op_mutates(const struct op *op, int inputs, int i); /* whether a call with `inputs` inputs overwrites
                                                             number i */

/* Truth of a call, with the flushed variant where an input is subnormal. NULL on error (precision cap,
 * memory). */
struct truth *op_truth(const struct op_call *call, const struct op_signature *signature, struct error *error);

/* Copies the inputs with subnormals replaced by zeros of their sign; `flushed` holds OPERANDS_MAX tensors
 * without data, which the caller destroys. Returns whether there was a subnormal; *good: false when out of
 * memory. */
bool op_flush_inputs(const struct op_call *call, struct tensor *flushed, bool *good);

/* The acceptance set of one element of one judged tensor: all rules of reference/accept.h in their order. */
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

/* Q = 16·S + N. */
double envelope_limit_reach(const struct envelope_limit *limit);

/* Whether a refused element is a finding of class RANGE and no failure: the profile declares naive
 * intermediates, and one of them leaves the range here. */
bool op_range_finding(const struct bound_query *query);

/* ρ of one element: B over the scale (the operator's, else max |truth| of the judged tensor); 0 where the set
 * is exact, infinity where nothing can be resolved. */
double op_resolving_power(const struct bound_query *query, const struct accept *accept);

#endif
