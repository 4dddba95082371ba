/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/conversion/conversion_rules.h"

#include <math.h>

/* True if x, truncated, is a number of the integer dtype; false for NaN. */
static bool in_range(enum dtype dtype, double x)
{
    bool is_signed = dtype_info(dtype)->kind == KIND_SIGNED;
    double end = ldexp(1, 8 * (int)dtype_info(dtype)->size - is_signed);
    return trunc(x) >= (is_signed ? -end : 0) && trunc(x) < end;
}

/* Returns the number of the dtype that is congruent to x modulo 2^bits. */
static struct value wrapped(enum dtype dtype, int64_t x)
{
    unsigned char bytes[8];
    dtype_store_bits(dtype, bytes, (uint64_t)x);
    return value_of_integer(dtype_load_integer(dtype, bytes));
}

static struct value of_float(double x, enum dtype to, enum conversion *kind)
{
    if (to == DTYPE_BOOL) {
        return value_of(x != 0);
    }
    if (dtype_is_floating(to)) {
        return value_of(x);
    }
    if (!in_range(to, x)) {
        *kind = CONVERSION_UNDEFINED;
        return value_of_integer(0);
    }
    return value_of_integer((int64_t)trunc(x));
}

struct value conversion_of(enum dtype from, const void *bytes, enum dtype to, enum conversion *kind)
{
    *kind = from == to ? CONVERSION_MOVES : CONVERSION_ROUNDS;
    if (from == to) {
        return value_of_element(from, bytes);
    }
    if (dtype_is_floating(from)) {
        return of_float(dtype_load(from, bytes), to, kind);
    }
    int64_t x = dtype_load_integer(from, bytes);
    return to == DTYPE_BOOL ? value_of(x != 0) : dtype_is_floating(to) ? value_of_integer(x) : wrapped(to, x);
}

int conversion_sensitivities(const struct op_call *call, int output)
{
    (void)call, (void)output;
    return 1;
}

/* Returns the profile without its open choices, for elements that are moved: nothing is computed there. */
static struct profile strict(const struct profile *profile, enum dtype component)
{
    struct profile moved = *profile;
    moved.subnormals[component] = SUBNORMALS_KEPT;
    moved.special_values[component] = true;
    return moved;
}

void conversion_accept(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct value *value = truth_value(out, query->element);
    double kind = out->sensitivity[query->element];
    if (kind == CONVERSION_UNDEFINED) {
        accept_default(accept, out->dtype, query->profile, value, INFINITY);
    } else if (kind == CONVERSION_MOVES) {
        struct profile moved = strict(query->profile, dtype_info(out->dtype)->component);
        accept_default(accept, out->dtype, &moved, value, 0);
    } else {
        accept_converted(accept, out->dtype, query->profile, value);
    }
}

bool conversion_is_defined(const struct bound_query *query)
{
    return query->truth->output[0].sensitivity[query->element] != CONVERSION_UNDEFINED;
}
