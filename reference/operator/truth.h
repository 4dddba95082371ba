/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_TRUTH_H
#define ASSAY_REFERENCE_OPERATOR_TRUTH_H

/* The true result of an operator, and the sensitivities from which every bound is computed.
 *
 * Both depend only on the operator, its attributes and its input values, never on a backend, so they can be
 * cached. A truth owns its arrays. Threads must not share one. */

#include "reference/base/tensor.h"
#include "reference/numeric/value.h"
#include "reference/operator/envelope.h"

enum { TRUTH_OUTPUTS_MAX = 32 };

/* The truth of one judged tensor: an output, or an input that the operator mutates. */
struct truth_output {
    enum dtype dtype;
    struct shape shape;
    int64_t elements;
    struct value *value; /* elements × components, row-major */
    /* For an enclosure: |truth − value| of each component is at most this. 0: the value is certified.
     * INFINITY, with ±2^VALUE_FAR and a type narrower than float64: the truth has that sign and lies beyond
     * 2^700. NULL: all values are certified. */
    double *radius;
    /* The values as doubles, each within its radius, for calls with op_call.numbers: `value` is then NULL
     * until truth_output_fill (reference/operator/value_batch.h) fills it. Else NULL. */
    double *number;
    int sensitivities;         /* doubles per element; the operator's file documents their meaning */
    double *sensitivity;       /* elements × sensitivities, upper bounds; NULL when 0 */
    struct envelope *envelope; /* one per element; NULL where rounding has no independent part */
    double scale; /* max |truth| over the elements in the range of the dtype; scales the resolving power */
    bool scaled;  /* true: the operator has set `scale` itself */
};

struct truth {
    int outputs;
    struct truth_output output[TRUTH_OUTPUTS_MAX];
    int bits; /* least number of certified relative bits over all inexact values; INT_MAX when all are
                 exact */
    /* The truth with every subnormal input replaced by a zero of its sign; NULL if no input is subnormal.
     * Rule 4 accepts the union of both if the profile may flush one of flushed_dtypes. */
    struct truth *flushed;
    uint32_t flushed_dtypes; /* the dtypes of the replaced inputs, 1 << dtype each; for complex tensors
                                that of the components */
};

/* Returns the first component of an element; `value` must be filled. */
static inline const struct value *truth_value(const struct truth_output *output, int64_t element)
{
    return &output->value[element * dtype_info(output->dtype)->components];
}

/* Creates the arrays of values and sensitivities, with zeros if `cleared`, else undefined. Returns false when
 * out of memory. */
bool truth_output_create(struct truth_output *output, enum dtype dtype, const struct shape *shape,
                         int sensitivities, bool cleared);
/* adds `radius`, zeros if `cleared`; false when out of memory */
bool truth_output_radius(struct truth_output *output, bool cleared);
bool truth_output_envelope(struct truth_output *output); /* adds `envelope`, every element undecided; false
                                                            when out of memory */
void truth_destroy(struct truth **truth);                /* accepts NULL, leaves NULL */

enum { TRUTH_SERIAL_VERSION = 8 };

/* The serialised form for the cache. truth_serialize returns a buffer that the caller owns, its size in
 * *size; NULL when out of memory. The caller's checksum must detect damage; truth_deserialize returns NULL if
 * the version or a length does not fit. */
size_t truth_serialized_size(const struct truth *truth);
unsigned char *truth_serialize(const struct truth *truth, size_t *size);
struct truth *truth_deserialize(const unsigned char *bytes, size_t size);

#endif
