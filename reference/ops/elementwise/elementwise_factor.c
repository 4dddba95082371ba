/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* x ± factor·y, where the product leaves the range of the accumulation type. */

#include "reference/numeric/round_up.h"
#include "reference/ops/elementwise/elementwise_workspace.h"

#include <math.h>

double elementwise_factor(const struct bound_query *query)
{
    const char *factor = query->op->row->factor;
    return factor ? attributes_real(query->attributes, factor, 1) : 1;
}

/* Returns size·|factor·y|, rounded up. */
static double product_of(const struct bound_query *query, int64_t element, double size)
{
    const struct truth_output *out = &query->truth->output[0];
    double y = out->sensitivity[element * out->sensitivities + out->sensitivities - 1];
    return round_up_product(round_up_product(size, fabs(elementwise_factor(query))), fabs(y));
}

enum { FAR_BEYOND = 1000 }; /* where 2^this is the error, no number is as near to the truth */

/* The formula gives no bound there. Results that are numbers have one rounding (fma) or two, and one of the
 * factor if the type does not hold it: (1 + u)² − 1 ≤ 2u(1 + u). The sum of a wider type is rounded twice. */
static double bound_beyond(const struct bound_query *query, int64_t element)
{
    const struct truth_output *out = &query->truth->output[0];
    enum dtype accumulate = query->profile->accumulate[out->dtype];
    double u = profile_accumulate_roundoff(query->profile, out->dtype);
    double error = product_of(query, element,
                              (dtype_holds(accumulate, elementwise_factor(query)) ? 1 : 2 * (1 + u)) * u);
    if (accumulate != out->dtype) {
        error += u * fabs(value_approximately(&out->value[element]));
    }
    return query->exact ? 0 : fmin(error * (1 + 0x1p-50), ldexp(1, FAR_BEYOND));
}

void elementwise_bind_product(const struct bound_query *query, int64_t first, int count, double *bound)
{
    for (int i = 0; elementwise_factor(query) != 1 && i < count; i++) {
        bound[i] = isinf(bound[i]) ? bound_beyond(query, first + i) : bound[i];
    }
}

/* The infinite product is then the result; with finite operands it has the truth's sign. If the direction of
 * rounding is open, any number may come of it. */
void elementwise_accept_product(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[0];
    const struct profile *profile = query->profile;
    enum dtype accumulate = profile->accumulate[out->dtype];
    const struct value *value = &out->value[query->element];
    if (value->class != VALUE_FINITE || product_of(query, query->element, 1) <= dtype_max(accumulate)) {
        return;
    }
    if (profile->rounding[accumulate] == ROUNDING_OPEN || profile->rounding[out->dtype] == ROUNDING_OPEN) {
        accept_overflowed(accept, profile);
    } else {
        accept_also(accept, copysign(INFINITY, value->hi));
    }
}
