/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* sgn, sign: zeros and NaN are returned as they are, sgn(z) = z/|z| with z scaled to order 1 first. */

#include "kernels/cpu/strided.h"

#include <math.h>

static void sgn_float(enum dtype dtype, const unsigned char *x, unsigned char *y)
{
    float value = cpu_load_float(dtype, x);
    cpu_store_float(dtype, y, value > 0 ? 1.0F : value < 0 ? -1.0F : value);
}

static void sgn_double(const unsigned char *x, unsigned char *y)
{
    double value;
    memcpy(&value, x, sizeof value);
    value = value > 0 ? 1 : value < 0 ? -1 : value;
    memcpy(y, &value, sizeof value);
}

static void sgn_int(const unsigned char *x, unsigned char *y)
{
    int32_t value;
    memcpy(&value, x, sizeof value);
    value = (value > 0) - (value < 0);
    memcpy(y, &value, sizeof value);
}

static void sgn_complex(const unsigned char *x, unsigned char *y)
{
    float z[2];
    memcpy(z, x, sizeof z);
    float largest = fmaxf(fabsf(z[0]), fabsf(z[1]));
    if (isnan(z[0]) || isnan(z[1])) {
        z[0] = z[1] = NAN;
    } else if (isinf(largest)) { /* the direction */
        float share = isinf(z[0]) && isinf(z[1]) ? sqrtf(0.5F) : 1.0F;
        for (int c = 0; c < 2; c++) {
            z[c] = copysignf(isinf(z[c]) ? share : 0.0F, z[c]);
        }
    } else if (largest > 0) {
        int e;
        frexpf(largest, &e);
        float re = ldexpf(z[0], -e), im = ldexpf(z[1], -e), modulus = sqrtf(re * re + im * im);
        z[0] = re / modulus;
        z[1] = im / modulus;
    }
    memcpy(y, z, sizeof z);
}

static enum cpu_status run(const struct attributes *attributes, int inputs, const struct cpu_view *input,
                           int outputs, const struct cpu_view *output, struct error *reason)
{
    (void)attributes;
    (void)inputs;
    (void)outputs;
    const struct cpu_view *x = &input[0], *y = &output[0];
    const int64_t *const stride[] = {x->stride, y->stride};
    int64_t offset[2] = {0, 0}, size = (int64_t)dtype_info(x->dtype)->size;
    for (struct cpu_walk walk = cpu_walk_start(&x->shape); walk.left > 0;
         cpu_walk_next(&walk, 2, stride, offset)) {
        const unsigned char *from = x->data + offset[0] * size;
        unsigned char *to = y->data + offset[1] * size;
        switch (x->dtype) {
        case DTYPE_FLOAT16:
        case DTYPE_BFLOAT16:
        case DTYPE_FLOAT32:
            sgn_float(x->dtype, from, to);
            break;
        case DTYPE_FLOAT64:
            sgn_double(from, to);
            break;
        case DTYPE_COMPLEX64:
            sgn_complex(from, to);
            break;
        case DTYPE_INT32:
            sgn_int(from, to);
            break;
        default:
            error_set(reason, "sgn of %s is not implemented", dtype_info(x->dtype)->name);
            return CPU_UNSUPPORTED;
        }
    }
    return CPU_OK;
}

static enum cpu_status run_real(const struct attributes *attributes, int inputs, const struct cpu_view *input,
                                int outputs, const struct cpu_view *output, struct error *reason)
{
    if (input[0].dtype == DTYPE_COMPLEX64) {
        error_set(reason, "sign: not defined for complex numbers, use sgn");
        return CPU_REJECTED;
    }
    return run(attributes, inputs, input, outputs, output, reason);
}

static const struct cpu_op ops[] = {{"sgn", run}, {"sign", run_real}};

const struct cpu_op_set cpu_op_set_sgn = {.op = ops, .count = sizeof ops / sizeof *ops};
