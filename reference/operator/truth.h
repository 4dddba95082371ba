/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_TRUTH_H
#define ASSAY_REFERENCE_OPERATOR_TRUTH_H

/* The true result of an operator, and the sensitivities from which every bound is computed.
 *
 * Both depend on the operator, its attributes and its input values alone — never on a backend — so that they
 * can be cached. A truth owns its arrays; one thread at a time. */

#include "reference/base/tensor.h"
#include "reference/numeric/value.h"
#include "reference/operator/envelope.h"

enum { TRUTH_OUTPUTS_MAX = 32 };

/* One judged tensor: an output, or an input that the operator mutates. */
struct truth_output {
    enum dtype dtype;
    struct shape shape;
    int64_t elements;
    struct value *value; /* elements × components, row-major */
    double *radius; /* of an enclosure: |truth − value| of each component is at most this; 0: the value is
                       certified as everywhere else. NULL: all are. INFINITY, of ±2^VALUE_FAR and a type
                       narrower than float64: the truth has that sign and lies beyond 2^700 */
    double *number; /* of calls that take them (op_call.numbers), where each value is one, within its
                       radius: `value` is NULL then until it is told (reference/operator/value_batch.h); else NULL */
    int sensitivities;   /* doubles per element; their meaning is the operator's (documented in its file) */
    double *sensitivity; /* elements × sensitivities, upper bounds; NULL when 0 */
    struct envelope *envelope; /* one per element; NULL where rounding has no independent part to speak of */
    double scale; /* max |truth| over the elements in the dtype's range, for the resolving power */
    bool scaled;  /* the operator has seen to that itself */
};

struct truth {
    int outputs;
    struct truth_output output[TRUTH_OUTPUTS_MAX];
    int bits; /* least certified relative bits over all inexact values; INT_MAX when all are exact */
    struct truth *flushed;   /* the truth with every subnormal input replaced by a zero of its sign; NULL if
                                none is subnormal. Rule 4 of acceptance: union of both, if one may be flushed
                                of the dtypes */
    uint32_t flushed_dtypes; /* that it replaced: 1 << dtype, of complex tensors their components' */
};

/* The first component of an element. */
static inline const struct value *truth_value(const struct truth_output *output, int64_t element)
{
    return &output->value[element * dtype_info(output->dtype)->components];
}

/* Its values and sensitivities are 0; where they are not to be cleared, anything. */
bool truth_output_create(struct truth_output *output, enum dtype dtype, const struct shape *shape,
                         int sensitivities, bool cleared);
bool truth_output_radius(struct truth_output *output, bool cleared); /* false when out of memory */
bool truth_output_envelope(struct truth_output *output); /* all undecided; false when out of memory */
void truth_destroy(struct truth **truth);                /* accepts NULL, leaves NULL */

enum { TRUTH_SERIAL_VERSION = 8 };

/* Serialised form for the cache: owned buffer, size in *size. Damage is found by the caller's checksum; a
 * length or version that does not fit gives NULL. */
size_t truth_serialized_size(const struct truth *truth);
unsigned char *truth_serialize(const struct truth *truth, size_t *size);
struct truth *truth_deserialize(const unsigned char *bytes, size_t size);

#endif
