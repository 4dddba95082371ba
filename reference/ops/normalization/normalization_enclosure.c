/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Normalized elements in double-double with proved radii, from the statistics of normalization_pairs.c. */

#include "reference/ops/normalization/normalization_bound.h"
#include "reference/ops/normalization/normalization_pairs.h"
#include "reference/ops/normalization/normalization_truth.h"

#include <math.h>
#include <stdlib.h>

static double component_or(const struct tensor *tensor, int64_t k, double otherwise)
{
    return tensor ? tensor_component(tensor, k) : otherwise;
}

/* Stores the enclosure of element i; false if the caller must certify it: x − m may be exactly 0, or an
 * operand is not finite or out of range. */
static bool take_element(const struct normalization *n, const struct group_pairs *e, int64_t i, double x,
                         struct truth_output *out)
{
    int64_t channel = normalization_channel_of(n, i);
    double scale = component_or(n->weight, channel, 1), shift = component_or(n->bias, channel, 0);
    struct double_double d = deviation_pair(e, x);
    double error = deviation_error(e, x);
    if (!(fabs(d.hi) > 4 * error) || !(fabs(scale) <= PAIRS_GREATEST) || !(fabs(shift) <= PAIRS_GREATEST) ||
        !(fabs(x) <= PAIRS_GREATEST) || fabs(d.hi) < 0x1p-400 || (scale != 0 && fabs(scale) < 0x1p-300)) {
        return false;
    }
    struct double_double normal = dd_multiply(d, e->r), scaled = dd_times(normal, scale),
                         y = dd_plus(scaled, shift);
    double size = fabs(scaled.hi);
    double relative = e->error_r + 0x1p-98 + error / fabs(d.hi) * (1 + 0x1p-20);
    out->value[i] = value_from_dd(y.hi, y.lo);
    out->value[i].exact = false;
    out->radius[i] = size * relative + 0x1p-103 * (size + fabs(shift));
    double *s = &out->sensitivity[i * FORWARD_SENSITIVITIES];
    normalization_describe(&e->moments, s);
    s[ELEMENT_X] = fabs(x);
    s[ELEMENT_WEIGHT] = fabs(scale);
    s[ELEMENT_BIAS] = fabs(shift);
    s[ELEMENT_NORMAL] = fabs(normal.hi) * (1 + 0x1p-40);
    return out->radius[i] > 0;
}

bool normalization_enclosure(const struct normalization *n, struct truth_output *y, int *bits,
                             struct error *error)
{
    int64_t groups = y->elements ? normalization_groups(n) : 0, length = normalization_length(n);
    double *x = malloc(((size_t)length + 1) * sizeof *x);
    struct normalization_certifier *certifier = normalization_certifier_create(n);
    bool good = (x && certifier && truth_output_radius(y, true)) || error_set(error, "out of memory");
    for (int64_t g = 0; good && g < groups; g++) {
        struct group_pairs e;
        for (int64_t j = 0; j < length; j++) {
            x[j] = tensor_component(n->x, normalization_element(n, g, j));
        }
        bool known = normalization_pairs(n, g, x, &e);
        for (int64_t j = 0; good && j < length; j++) {
            int64_t i = normalization_element(n, g, j);
            if (!known || !take_element(n, &e, i, x[j], y)) {
                y->radius[i] = 0;
                good = normalization_certify(certifier, g, i, y, bits, error);
            }
        }
    }
    normalization_certifier_destroy(&certifier);
    free(x);
    return good;
}
