/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/differences.h"
#include "harness/judge/judge.h"

#include <math.h>

/* Returns 2 for NaN, 1 and −1 for the infinities, 0 for a number. */
static int class_of(double x)
{
    return isnan(x) ? 2 : isinf(x) ? (x > 0 ? 1 : -1) : 0;
}

static double ulp_of(enum dtype component, double x)
{
    return dtype_is_floating(component) ? dtype_ulp(component, x) : 1;
}

/* Adds one component. `difference`: x − y if both are numbers. */
static void add(struct difference_sum *sum, const struct value_tensor *tensor, int t, int64_t k, double x,
                double y, double difference)
{
    const struct dtype_info *info = dtype_info(tensor->dtype);
    if (class_of(x) != class_of(y)) {
        if (sum->special_at < 0) {
            sum->special_at = k;
            sum->special_in = t;
        }
        sum->special++;
    } else if (class_of(x) == 0) {
        double ulp = ulp_of(info->component, fmax(fabs(x), fabs(y))),
               bound = tensor->bound[k / info->components];
        double unit = bound > 0 && isfinite(bound) ? bound : ulp;
        sum->max_difference = fmax(sum->max_difference, fabs(difference));
        sum->max_ulp = fmax(sum->max_ulp, fabs(difference) / ulp);
        sum->square += difference / unit * (difference / unit);
    }
}

/* Returns the truth rounded to the dtype; beyond its range that is an infinity. */
static double rounded(enum dtype component, double hi, double lo)
{
    unsigned char bytes[8];
    if (!dtype_is_floating(component) || !isfinite(hi)) {
        return hi;
    }
    dtype_store_dd(component, bytes, hi, lo);
    return dtype_load(component, bytes);
}

struct difference_sum difference_from_truth(const struct values *of)
{
    struct difference_sum sum = {.special_at = -1};
    for (int t = 0; t < of->count; t++) {
        const struct value_tensor *tensor = &of->tensor[t];
        enum dtype component = dtype_info(tensor->dtype)->component;
        sum.elements += shape_elements(&tensor->shape);
        for (int64_t k = 0; k < value_components(tensor); k++) {
            double got = tensor->got[k], truth = rounded(component, tensor->truth[k], tensor->tail[k]);
            double error = got - tensor->truth[k] - tensor->tail[k];
            sum.differing += got != truth && !(isnan(got) && isnan(truth));
            add(&sum, tensor, t, k, got, truth, isfinite(error) ? error : got - truth);
        }
    }
    return sum;
}

bool difference_between(const struct values *a, const struct values *b, struct difference_sum *sum)
{
    *sum = (struct difference_sum){.special_at = -1};
    if (a->count != b->count) {
        return false;
    }
    for (int t = 0; t < a->count; t++) {
        const struct value_tensor *x = &a->tensor[t], *y = &b->tensor[t];
        const struct dtype_info *info = dtype_info(x->dtype);
        if (x->dtype != y->dtype || !shape_equal(&x->shape, &y->shape)) {
            return false;
        }
        sum->elements += shape_elements(&x->shape);
        for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
            sum->differing +=
                !same_number(x->dtype, x->bytes + (size_t)i * info->size, y->bytes + (size_t)i * info->size);
        }
        for (int64_t k = 0; k < value_components(x); k++) {
            add(sum, x, t, k, x->got[k], y->got[k], x->got[k] - y->got[k]);
        }
    }
    return true;
}
