/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* sgn and sign: comparisons for real dtypes, z/|z| with scaled components for complex64. */

#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/half.h"

#include <math.h>

/* NaN and ±0 come through the last branch unchanged. */
#define SGN(x) ((x) > 0 ? 1 : (x) < 0 ? -1 : (x))

static void sgn_complex(const unsigned char *from, unsigned char *to)
{
    float z[2];
    memcpy(z, from, sizeof z);
    float largest = fmaxf(fabsf(z[0]), fabsf(z[1]));
    if (largest > 0 && isfinite(largest) && !isnan(z[0]) && !isnan(z[1])) {
        int e = -ilogbf(largest); /* exact scaling, but for parts below an ulp of the quotient */
        float a = ldexpf(z[0], e), b = ldexpf(z[1], e);
        float norm = sqrtf(a * a + b * b);
        z[0] = a / norm;
        z[1] = b / norm;
    } else if (isnan(z[0]) || isnan(z[1])) {
        z[0] = z[1] = NAN;
    } else if (isinf(largest)) { /* ∞/∞ is NaN, finite/∞ is 0 */
        z[0] /= largest;
        z[1] /= largest;
    }
    memcpy(to, z, sizeof z);
}

static bool sgn_element(enum dtype dtype, const unsigned char *from, unsigned char *to)
{
    switch (dtype) {
    case DTYPE_FLOAT16: {
        uint16_t bits;
        memcpy(&bits, from, 2);
        bits = float16_from_float(SGN(float16_to_float(bits)));
        memcpy(to, &bits, 2);
        return true;
    }
    case DTYPE_BFLOAT16: {
        uint16_t bits;
        memcpy(&bits, from, 2);
        bits = bfloat16_from_float(SGN(bfloat16_to_float(bits)));
        memcpy(to, &bits, 2);
        return true;
    }
    case DTYPE_FLOAT32: {
        float x;
        memcpy(&x, from, sizeof x);
        x = SGN(x);
        memcpy(to, &x, sizeof x);
        return true;
    }
    case DTYPE_FLOAT64: {
        double x;
        memcpy(&x, from, sizeof x);
        x = SGN(x);
        memcpy(to, &x, sizeof x);
        return true;
    }
    case DTYPE_INT32: {
        int32_t x;
        memcpy(&x, from, sizeof x);
        x = (x > 0) - (x < 0);
        memcpy(to, &x, sizeof x);
        return true;
    }
    case DTYPE_COMPLEX64:
        sgn_complex(from, to);
        return true;
    default:
        return false;
    }
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)op, (void)attributes, (void)inputs, (void)outputs;
    int64_t count = shape_elements(&output[0].shape);
    for (int64_t i = 0; i < count; i++) {
        if (!sgn_element(input[0].dtype, cpu_at(&input[0], i), cpu_at(&output[0], i))) {
            error_set(reason, "the CPU backend has no sgn for %s", dtype_info(input[0].dtype)->name);
            return CPU_UNSUPPORTED;
        }
    }
    return CPU_OK;
}

static const struct cpu_op ops[] = {{.name = "sgn", .run = run}, {.name = "sign", .run = run}};

const struct cpu_op_set cpu_op_set_sgn = {.op = ops, .count = sizeof ops / sizeof *ops};
