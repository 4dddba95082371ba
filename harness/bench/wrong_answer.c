/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/wrong_answer.h"

#include <math.h>
#include <stdint.h>

const char *mistake_name(enum mistake mistake)
{
    static const char *const name[MISTAKES] = {"negated", "zero", "doubled", "off"};
    return name[mistake];
}

double answer_rounded(enum dtype component, double x)
{
    unsigned char bytes[8];
    dtype_store(component, bytes, x);
    return dtype_load(component, bytes);
}

/* Returns the next number of the dtype after x in the direction of `sign`. */
static double next_number(enum dtype component, double x, double sign)
{
    double next = answer_rounded(component, x + sign * dtype_ulp(component, x));
    double half =
        answer_rounded(component, x + sign * dtype_ulp(component, x) / 2); /* nearer below a power of two */
    return half != x ? half : next;
}

/* Returns truth ± d for MISTAKE_OFF, rounded. */
static double moved(const struct right_answer *right, enum dtype component, int c, double sign)
{
    const double truth = right->truth[c], share = right->size > 0 ? fabs(truth) / right->size : 0;
    double off = isfinite(right->limit) ? 4 * right->limit : 0;
    if (!dtype_is_floating(component)) {
        return truth + sign * fmax(1, floor(off));
    }
    off = 1e-3 * right->size >= 4 * dtype_ulp(component, right->size) ? fmax(off, 1e-3 * right->size) : off;
    double nearest = answer_rounded(component, truth),
           wrong = answer_rounded(component, truth + sign * off * share);
    return wrong == nearest && share > 0 ? next_number(component, nearest, sign) : wrong;
}

/* Returns the number that a mistake puts in place of component c; only that of MISTAKE_OFF is rounded. */
static double wrong_number(const struct right_answer *right, enum dtype component, int c,
                           enum mistake mistake, double sign)
{
    double truth = right->truth[c];
    switch (mistake) {
    case MISTAKE_NEGATED:
        return -truth;
    case MISTAKE_ZERO:
        return 0;
    case MISTAKE_DOUBLED:
        return 2 * truth;
    default:
        return moved(right, component, c, sign);
    }
}

bool wrong_answer(const struct right_answer *right, enum dtype dtype, enum mistake mistake, double sign,
                  unsigned char *bytes)
{
    const struct dtype_info *info = dtype_info(dtype);
    const size_t size = dtype_info(info->component)->size;
    bool differs = false;
    if (info->kind == KIND_BOOL) {
        bytes[0] = 0; /* the truth is true: elements whose truth is zero are not tried */
        return mistake == MISTAKE_NEGATED || mistake == MISTAKE_ZERO;
    }
    for (int c = 0; c < info->components; c++) {
        double wrong = wrong_number(right, info->component, c, mistake, sign);
        if (dtype_is_floating(info->component)) {
            wrong = answer_rounded(info->component, wrong);
            differs = differs || wrong != answer_rounded(info->component, right->truth[c]);
            dtype_store(info->component, bytes + (size_t)c * size, wrong);
        } else if (fabs(wrong) > 0x1p53) {
            return false;
        } else {
            dtype_store_bits(info->component, bytes, (uint64_t)(int64_t)wrong);
            differs = dtype_load(info->component, bytes) == wrong && wrong != right->truth[c];
        }
        if (mistake == MISTAKE_OFF && !isfinite(wrong)) {
            return false;
        }
    }
    return differs;
}
