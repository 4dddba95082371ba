/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_BUILD_H
#define ASSAY_SUITES_BUILD_H

/* What the builders of all suites share: tensors in a layout, bit patterns of every format, steps that must
 * be accepted or rejected. A builder collects its first fault and reports it at the end. One thread at a
 * time. */

#include "suites/suite.h"

/* How a tensor lies in its storage. What the view does not select stays filler, so that the harness poisons
 * it. */
enum layout {
    LAYOUT_CONTIGUOUS,
    LAYOUT_TRANSPOSED,       /* the last two dimensions exchanged in memory */
    LAYOUT_REVERSED,         /* all dimensions reversed: a batch lies innermost */
    LAYOUT_PERMUTED,         /* the first dimension innermost, the others in order */
    LAYOUT_COLUMNS,          /* a slice of columns: rows have a gap, first column 2 */
    LAYOUT_ROWS,             /* a slice of rows 2… of a taller matrix */
    LAYOUT_BLOCK,            /* rows and columns out of the middle of larger matrices */
    LAYOUT_STEPPED2,         /* every second element of the last dimension */
    LAYOUT_STEPPED3,         /* every third */
    LAYOUT_ROWS_STEPPED,     /* every second index of the first dimension */
    LAYOUT_OFFSET1,          /* contiguous, one element into the storage: an odd address for 2-byte types */
    LAYOUT_OFFSET3,          /* contiguous, three elements in */
    LAYOUT_TRANSPOSED_BLOCK, /* a transposed view of a block, at an odd offset */
    LAYOUT_HEADS,            /* the two dimensions before the last exchanged in memory: attention's heads */
    LAYOUT_FAR,              /* contiguous, 4,099 elements in */
    LAYOUT_DISTANT,          /* the outermost indices more than 65,541 elements apart, the first 65,543 in */
    LAYOUT_EXPANDED,         /* one element shown everywhere: all strides 0; only to be read */
    LAYOUT_EXPANDED_ROWS,    /* one row shown everywhere: all strides 0 but the last; only to be read */
    LAYOUT_COUNT
};

const char *layout_name(enum layout layout);
bool layout_repeats(enum layout layout); /* one element in several places: not to be written */

struct builder {
    const struct suite_case *c;
    uint64_t seed;
    struct program *program;
    struct error *error;
    bool failed;
    int stream; /* added to the number of every tensor's generator: other data in other steps */
};

struct builder builder_of(const struct suite_case *c, uint64_t seed, struct program *program,
                          struct error *error);
bool build_fail(struct builder *b, const char *text); /* notes the first fault; false */
bool build_done(struct builder *b);                   /* false with the reason if anything went wrong */

/* The pseudorandom stream of one tensor of the case. */
struct philox build_generator(const struct builder *b, int tensor);

/* A new storage holding one tensor, its elements defined and zero. */
struct view build_tensor(struct builder *b, enum dtype dtype, const struct shape *shape, enum layout layout);
struct view build_vector(struct builder *b, enum dtype dtype, int64_t length);

/* A view of the same storage: `length` indices of the first dimension from `start`, `step` apart (0
 * repeats). */
struct view view_window(const struct view *from, int64_t start, int64_t length, int64_t step);

/* The view's two last dimensions exchanged: x.t(). */
struct view view_transposed(const struct view *from);

/* Sub-view with the first dimension fixed to `index`: x[index]. */
struct view view_at(const struct view *from, int64_t index);

/* Says of which origin the view's data are, whoever has filled it. Structured beats random. */
void build_origin(struct builder *b, const struct view *view, bool random);

void build_set(struct builder *b, const struct view *view, int64_t i, double x);
void build_set_bits(struct builder *b, const struct view *view, int64_t i, int component, uint64_t bits);

/* Appends a step that must be accepted (rejected): a fault of the suite if the operator's shape rule
 * disagrees. NULL on any fault. */
struct step *build_step(struct builder *b, const struct op *op, const struct attributes *attributes,
                        int inputs, const struct view *input);
void build_rejection(struct builder *b, const struct op *op, const struct attributes *attributes, int inputs,
                     const struct view *input);

/* One input, value expected; returns the output view. */
struct view build_unary(struct builder *b, const struct op *op, const struct view *x);

void build_relate(struct builder *b, const struct view *a, const struct view *c, const char *text);

/* Every element of `view` must hold the bits of `one` (a view with one element). */
void build_relate_all(struct builder *b, const struct view *view, const struct view *one, const char *text);

/* Bit patterns of the special values of a real component: zeros, infinities, quiet and signalling NaN, the
 * ends of the subnormal and normal ranges, ±1 and its neighbours; for int32 the ends of the range and of
 * float32's integers. */
enum { SPECIALS_MAX = 40 };
int special_bits(enum dtype component, uint64_t bits[SPECIALS_MAX]);

/* The parts of a format. */
struct format {
    int width, fraction, exponent; /* bits in all, of the fraction, of the exponent */
    uint64_t sign, infinity;       /* masks; infinity is the exponent field full */
};
struct format format_of(enum dtype component);

#endif
