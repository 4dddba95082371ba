/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* add_, mul_ in plain C, written element by element into self's own memory. */

#include "kernels/cpu/half.h"
#include "kernels/cpu/witness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `other` with self's shape; false where it does not broadcast. */
static bool widen(const struct cpu_view *other, const struct cpu_view *self, struct cpu_view *wide)
{
    int skip = self->shape.rank - other->shape.rank;
    *wide = (struct cpu_view){.data = other->data, .dtype = other->dtype, .shape = self->shape};
    for (int d = 0; skip >= 0 && d < other->shape.rank; d++) {
        if (other->shape.dim[d] == self->shape.dim[d + skip]) {
            wide->stride[d + skip] = other->stride[d];
        } else if (other->shape.dim[d] != 1) {
            return false;
        }
    }
    return skip >= 0;
}

/* Marks the bytes between the least and the greatest address of both views that self writes; two marks on one
 * byte are an overlap of self, a read of `other` elsewhere in it than at self's own element a partial
 * overlap. */
static bool memory_is_sound(const struct cpu_view *self, const struct cpu_view *other)
{
    int64_t count = shape_elements(&self->shape), size = (int64_t)dtype_info(self->dtype)->size;
    unsigned char *low = NULL, *high = NULL;
    for (int64_t i = 0; i < count; i++) {
        unsigned char *at = cpu_at(self, i);
        low = !low || at < low ? at : low;
        high = !high || at + size > high ? at + size : high;
    }
    int64_t *owner = count ? calloc((size_t)(high - low), sizeof *owner) : NULL;
    bool sound = owner || !count;
    for (int64_t i = 0; owner && i < count && sound; i++) {
        int64_t *mark = owner + (cpu_at(self, i) - low);
        sound = mark[0] == 0 && mark[size - 1] == 0;
        mark[0] = mark[size - 1] = i + 1;
    }
    for (int64_t i = 0; owner && i < count && sound; i++) {
        unsigned char *at = cpu_at(other, i);
        for (int64_t b = 0; b < size; b += size - 1) {
            int64_t mark = at + b >= low && at + b < high ? owner[at + b - low] : 0;
            sound = sound && (mark == 0 || mark == i + 1);
        }
    }
    free(owner);
    return sound;
}

static float load(enum dtype dtype, const unsigned char *from)
{
    if (dtype == DTYPE_FLOAT16) {
        uint16_t bits;
        memcpy(&bits, from, 2);
        return float16_to_float(bits);
    }
    float x;
    memcpy(&x, from, sizeof x);
    return x;
}

static void store(enum dtype dtype, unsigned char *to, float x)
{
    if (dtype == DTYPE_FLOAT16) {
        uint16_t bits = float16_from_float(x);
        memcpy(to, &bits, 2);
    } else {
        memcpy(to, &x, sizeof x);
    }
}

static void element(bool multiply, enum dtype dtype, double alpha, unsigned char *self,
                    const unsigned char *other)
{
    if (dtype == DTYPE_INT32) {
        uint32_t x, y;
        memcpy(&x, self, sizeof x);
        memcpy(&y, other, sizeof y);
        x = multiply ? x * y : x + (uint32_t)(int64_t)alpha * y; /* modulo 2^32 */
        memcpy(self, &x, sizeof x);
        return;
    }
    float x = load(dtype, self), y = load(dtype, other);
    store(dtype, self, multiply ? x * y : x + (float)alpha * y);
}

static enum cpu_status update(bool multiply, const struct attributes *attributes,
                              const struct cpu_view *input, struct error *reason)
{
    const struct cpu_view *self = &input[0];
    double alpha = attributes_real(attributes, "alpha", 1);
    struct cpu_view other;
    bool integer = self->dtype == DTYPE_INT32;
    if (self->dtype != DTYPE_FLOAT16 && self->dtype != DTYPE_FLOAT32 && !integer) {
        error_set(reason, "the witness has no in-place arithmetic for %s", dtype_info(self->dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (input[1].dtype != self->dtype || (integer && alpha != trunc(alpha))) {
        error_set(reason, "the result cannot be stored in an %s self", dtype_info(self->dtype)->name);
        return CPU_REJECTED;
    }
    if (!widen(&input[1], self, &other)) {
        error_set(reason, "other does not broadcast to self");
        return CPU_REJECTED;
    }
    if (!memory_is_sound(self, &other)) {
        error_set(reason, "self overlaps itself or a part of other");
        return CPU_REJECTED;
    }
    int64_t count = shape_elements(&self->shape);
    for (int64_t i = 0; i < count; i++) {
        element(multiply, self->dtype, alpha, cpu_at(self, i), cpu_at(&other, i));
    }
    return CPU_OK;
}

static enum cpu_status add(const struct attributes *attributes, int inputs, const struct cpu_view *input,
                           int outputs, const struct cpu_view *output, struct error *reason)
{
    (void)inputs, (void)outputs, (void)output;
    return update(false, attributes, input, reason);
}

static enum cpu_status mul(const struct attributes *attributes, int inputs, const struct cpu_view *input,
                           int outputs, const struct cpu_view *output, struct error *reason)
{
    (void)inputs, (void)outputs, (void)output;
    return update(true, attributes, input, reason);
}

static const struct cpu_op ops[] = {{"add_", add}, {"mul_", mul}};

const struct cpu_op_set cpu_op_set_inplace = {.op = ops, .count = sizeof ops / sizeof *ops};
