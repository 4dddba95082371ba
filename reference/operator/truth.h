/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_TRUTH_H
#define ASSAY_REFERENCE_TRUTH_H

/* The true result of an operator, and the sensitivities from which every bound is computed.
 *
 * Both depend on the operator, its attributes and its input values alone — never on a backend — so that they
 * can be cached. A truth owns its arrays; one thread at a time. */

#include "reference/operator/envelope.h"
#include "reference/base/tensor.h"

enum value_class { VALUE_FINITE, VALUE_NAN, VALUE_POSITIVE_INFINITY, VALUE_NEGATIVE_INFINITY };

/* A real number to at least 104 certified bits: (hi + lo)·2^exponent, |lo| ≤ ulp(hi)/2. The sign of a zero is
 * hi's. exponent is 0 unless the value leaves float64's comfortable range (|value| outside [2^-900, 2^1000]).
 * ±2^VALUE_FAR and ±2^-VALUE_FAR, which no type comes near, stand for all that is farther: MPFR has no
 * exponents for some. */
enum { VALUE_FAR = 1 << 20 };

struct value {
    double hi, lo;
    int32_t exponent;
    uint8_t class; /* enum value_class */
    bool
        payload; /* a NaN that is moved, not computed: its bits are the integer hi·2^32 + lo, and all count */
    bool special_input; /* elementwise: a NaN or an infinity is among the operands */
    bool open; /* NaN and the infinities are right as well: which it is, the order of legal operations says */
    bool exact; /* (hi + lo)·2^exponent is the truth itself, not an enclosure's midpoint */
    bool meets; /* an infinity, of an operand, against which what is finite may overflow on the way: a NaN is
                   right as well */
};

static inline bool value_is_infinite(const struct value *value)
{
    return value->class == VALUE_POSITIVE_INFINITY || value->class == VALUE_NEGATIVE_INFINITY;
}

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
                       radius: `value` is NULL then until it is told (reference/operator/value_run.h); else NULL */
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

struct value value_of(double x);                    /* exact */
struct value value_from_pair(double hi, double lo); /* exact sum of a normalised pair */
struct value value_from_mpfr(mpfr_srcptr x, bool exact);
struct value value_of_integer(int64_t x);                              /* exact */
struct value value_of_element(enum dtype component, const void *from); /* exact, the payload of a NaN too */
void value_to_mpfr(const struct value *value, mpfr_ptr x); /* exact when x has ≥ 160 bits of precision */

/* Rounded to double, ±infinity beyond its range. */
double value_of_unusual(const struct value *value); /* what is special or has an exponent of its own */
static inline double value_approximately(const struct value *value)
{
    return value->class == VALUE_FINITE && value->exponent == 0 ? value->hi : value_of_unusual(value);
}

/* got − value, of finite ones of ordinary size. */
double value_distance_scaled(const struct value *value, double got);
static inline double value_distance(const struct value *value, double got)
{
    return value->exponent == 0 ? (got - value->hi) - value->lo : value_distance_scaled(value, got);
}

/* Whether all within this radius of a finite value lies beyond twice the greatest number of the dtype:
 * nothing but an infinity comes near. */
bool value_is_beyond(const struct value *value, double radius, enum dtype component);

void value_store(const struct value *value, enum dtype component, void *to); /* RN, once */

/* Decimal digits of a value, e.g. "-1.386294361119890618834464242916e0"; "nan", "inf", "-0". */
void value_print(const struct value *value, int digits, char *text, size_t size);

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
