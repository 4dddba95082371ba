/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_BUILD_H
#define ASSAY_SUITES_BUILD_H

/* What suites use to build the program of a case: tensors in a layout, bit patterns of every format, and
 * steps that the operator must accept or reject. The builder records the first fault, after which no element
 * is set and no step appended; build_done() reports it. A builder is for one thread at a time. */

#include "suites/suite.h"

/* How a tensor lies in its storage. The harness poisons the bytes of the storage that the view does not
 * select. */
enum layout {
    LAYOUT_CONTIGUOUS,
    LAYOUT_TRANSPOSED, /* the last two dimensions exchanged in memory */
    LAYOUT_REVERSED,   /* the order of all dimensions reversed: a batch is innermost */
    LAYOUT_PERMUTED,   /* the first dimension innermost, the others in order */
    LAYOUT_COLUMNS,    /* a slice of columns: a gap of 3 elements behind each row, and 2 elements in front */
    LAYOUT_ROWS,       /* the rows from 2 on of a taller matrix */
    LAYOUT_BLOCK,      /* rows and columns from the middle of larger matrices */
    LAYOUT_STEPPED2,   /* every second element of the last dimension */
    LAYOUT_STEPPED3,   /* every third element of the last dimension */
    LAYOUT_ROWS_STEPPED,     /* every second index of the first dimension */
    LAYOUT_OFFSET1,          /* contiguous, from element 1 of the storage: an odd address for 2-byte dtypes */
    LAYOUT_OFFSET3,          /* contiguous, from element 3 */
    LAYOUT_TRANSPOSED_BLOCK, /* a transposed view of a block, at an odd offset */
    LAYOUT_HEADS,    /* the two dimensions before the last exchanged in memory, as attention's heads are */
    LAYOUT_FAR,      /* contiguous, from element 4,099 */
    LAYOUT_DISTANT,  /* outermost indices more than 65,541 elements apart, from element 65,543 */
    LAYOUT_EXPANDED, /* one element, all strides 0; only for operands that are read */
    LAYOUT_EXPANDED_ROWS, /* one row, all strides 0 but the last; only for operands that are read */
    LAYOUT_COUNT
};

const char *layout_name(enum layout layout);
/* True if one element of the storage is at several indices; such a tensor must not be written. */
bool layout_repeats(enum layout layout);

struct builder {
    const struct suite_case *c;
    uint64_t seed;
    struct program *program;
    struct error *error;
    bool failed;
    bool observed; /* set by build_observed: steps are declared observed */
    /* added to each tensor's number in build_generator(): steps with different streams get different data */
    int stream;
};

struct builder builder_of(const struct suite_case *c, uint64_t seed, struct program *program,
                          struct error *error);
/* Records the first fault with file, line and case. Returns false. */
bool build_fail(struct builder *b, const char *text);
/* Returns false if a fault was recorded (`error` holds it), an output lacks memory or a step overwrites what
 * an observed step is judged from. */
bool build_done(struct builder *b);

/* The pseudorandom generator of one tensor of the case. */
struct philox build_generator(const struct builder *b, int tensor);

/* Returns a view of a new storage that holds one tensor. Its elements are defined, and zero. */
struct view build_tensor(struct builder *b, enum dtype dtype, const struct shape *shape, enum layout layout);
struct view build_vector(struct builder *b, enum dtype dtype, int64_t length);

/* Returns a tensor whose channels, the dimension `channel`, are innermost in memory, and which lies in memory
 * in this layout: PyTorch's memory_format=channels_last. */
struct view build_channels_last(struct builder *b, enum dtype dtype, const struct shape *shape, int channel,
                                enum layout layout);

/* Returns a view of the same storage: `length` indices of the first dimension from `start` on, `step` apart
 * (0 repeats one index). */
struct view view_window(const struct view *from, int64_t start, int64_t length, int64_t step);

/* Returns the view with its two last dimensions exchanged: x.t(). */
struct view view_transposed(const struct view *from);

/* Returns x[index], the view of one index of the first dimension. */
struct view view_at(const struct view *from, int64_t index);

/* Declares whether the storage's data are random or structured. A storage that was once declared structured
 * stays so. */
void build_origin(struct builder *b, const struct view *view, bool random);

void build_set(struct builder *b, const struct view *view, int64_t i, double x);
void build_set_bits(struct builder *b, const struct view *view, int64_t i, int component, uint64_t bits);

/* Declares all steps that are appended from now on observed (reference/program/observed.h): they are judged
 * from what the device computed before, so that a chain of inexact operators can be a case. It is a fault of
 * the suite if a later step overwrites what an observed one was judged from. */
void build_observed(struct builder *b);

/* Adds an attribute of the type bool, integer or real. */
void build_add_attribute(struct attributes *attributes, const char *name, enum attribute_type type, double x);

/* build_step() appends a step that the operator must accept, build_rejection() one that it must reject. A
 * disagreement with the operator's shape rule is a fault of the suite. Returns NULL on any fault. */
struct step *build_step(struct builder *b, const struct op *op, const struct attributes *attributes,
                        int inputs, const struct view *input);
void build_rejection(struct builder *b, const struct op *op, const struct attributes *attributes, int inputs,
                     const struct view *input);

/* Appends a step of one input that must be accepted, and returns the view of its output. */
struct view build_unary(struct builder *b, const struct op *op, const struct view *x);

void build_relate(struct builder *b, const struct view *a, const struct view *c, const char *text);

/* Declares that every element of `view` must have the bits of `one`, a view of one element. `text` says why;
 * a failure shows it. */
void build_relate_all(struct builder *b, const struct view *view, const struct view *one, const char *text);

/* Fills `bits` with the special values of a real dtype and returns their number: zeros, infinities, quiet and
 * signalling NaN, the ends of the subnormal and normal ranges, ±1 and its neighbours. For integers: the ends
 * of their range, and of the ranges in which float32 (of int64: int32 and float64) holds every integer. */
enum { SPECIALS_MAX = 40 };
int special_bits(enum dtype component, uint64_t bits[SPECIALS_MAX]);

/* The parts of a floating format; of an integer dtype only `width` and `sign`. */
struct format {
    int width, fraction, exponent; /* in bits: the whole number, its fraction, its exponent */
    uint64_t sign, infinity;       /* masks: the sign bit, and the bits of positive infinity */
};
struct format format_of(enum dtype component);

#endif
