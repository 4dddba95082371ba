/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_TEST_CALL_H
#define ASSAY_REFERENCE_TEST_CALL_H

/* Builds one call of one operator, and asks whether it accepts a result of another algorithm. */

#include "reference/test/support.h"

struct call {
    const char *op;
    struct attributes attributes;
    int inputs;
    struct tensor input[6];
    struct profile profile;
    struct truth *truth;
};

static inline struct call call_of(const char *op)
{
    return (struct call){.op = op, .profile = profile_ieee()};
}

static inline void give(struct call *call, enum dtype dtype, struct shape shape, const double *x)
{
    call->input[call->inputs++] = tensor_from(dtype, shape, x);
}

#define VECTOR(call_, dtype_, ...)                                                                           \
    give(call_, dtype_, shape_of(1, (int64_t)(sizeof((double[]){__VA_ARGS__}) / sizeof(double))),            \
         (double[]){__VA_ARGS__})
#define MATRIX(call_, dtype_, rows_, columns_, ...)                                                          \
    give(call_, dtype_, shape_of(2, (int64_t)(rows_), (int64_t)(columns_)), (double[]){__VA_ARGS__})

static inline void real_attribute(struct call *call, const char *name, double x)
{
    call->attributes.item[call->attributes.count++] =
        (struct attribute){.name = name, .type = ATTRIBUTE_REAL, .real = x};
}

static inline void integers_attribute(struct call *call, const char *name, struct integers x)
{
    call->attributes.item[call->attributes.count++] =
        (struct attribute){.name = name, .type = ATTRIBUTE_INTEGERS, .integers = x};
}

/* True if `got` is accepted as this element of this judged tensor; creates the truth on first use. */
static inline bool takes(struct call *call, int output, int64_t element, double got)
{
    if (!call->truth) {
        call->truth = truth_of_call(call->op, &call->attributes, call->inputs, call->input);
    }
    const struct truth_output *out = &call->truth->output[output];
    struct accept accept =
        accept_of(call->op, &call->attributes, &call->profile, call->truth, output, element, false);
    unsigned char bytes[8];
    if (dtype_is_floating(out->dtype)) {
        dtype_store(out->dtype, bytes, got);
    } else {
        dtype_store_bits(out->dtype, bytes, (uint64_t)(int64_t)got);
    }
    return accept_judge(&accept, bytes).accepted;
}

static inline void end(struct call *call)
{
    truth_destroy(&call->truth);
    for (int i = 0; i < call->inputs; i++) {
        tensor_destroy(&call->input[i]);
    }
}

#endif
