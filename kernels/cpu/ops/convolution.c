/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Convolutions, transposed convolutions and their gradients, by their definition: for each element the
 * factors that meet are gathered and summed as in dot.h, in float32 for the 16-bit types. What lies in the
 * padding is left out.
 *
 * x is the side of the convolution's input, y that of its result; a transposed convolution goes from y to x.
 */

#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/dot.h"
#include "kernels/shapes/convolution_sizes.h"

#include <stdlib.h>

enum { DIMENSIONS_MOST = CONVOLUTION_SIZES_MOST, BACKWARD = 8 };

static int64_t product_of(const int64_t *size, int rank)
{
    return (rank > 0 ? size[0] : 1) * (rank > 1 ? size[1] : 1) * (rank > 2 ? size[2] : 1);
}

/* Advances an index, last dimension first. Returns false behind the end. */
static bool next(int64_t *at, const int64_t *size, int rank)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++at[i] < size[i]) {
            return true;
        }
        at[i] = 0;
    }
    return false;
}

static int64_t flat(const int64_t *at, const int64_t *size, int rank)
{
    int64_t index = 0;
    for (int i = 0; i < rank; i++) {
        index = index * size[i] + at[i];
    }
    return index;
}

/* Sets x to what tap t of position y meets; false in the padding. */
static bool meet_x(const struct convolution_sizes *s, const int64_t *y, const int64_t *t, int64_t *x)
{
    for (int i = 0; i < s->rank; i++) {
        x[i] = y[i] * s->stride[i] + t[i] * s->dilation[i] - s->before[i];
        if (x[i] < 0 || x[i] >= s->x[i]) {
            return false;
        }
    }
    return true;
}

/* Sets y to the position whose tap t meets x; false if there is none. */
static bool meet_y(const struct convolution_sizes *s, const int64_t *x, const int64_t *t, int64_t *y)
{
    for (int i = 0; i < s->rank; i++) {
        int64_t from = x[i] + s->before[i] - t[i] * s->dilation[i];
        y[i] = from / s->stride[i];
        if (from < 0 || from % s->stride[i] || y[i] >= s->y[i]) {
            return false;
        }
    }
    return true;
}

/* The operands of a result, and room for the factors of one element. */
struct work {
    const struct convolution_sizes *s;
    const struct cpu_view *x, *y, *weight, *bias; /* of which two are read */
    bool wide;
    double *a, *b;
    float *p, *q;
    int64_t count;
};

static void meet(struct work *w, double a, double b)
{
    if (w->wide) {
        w->a[w->count] = a;
        w->b[w->count] = b;
    } else {
        w->p[w->count] = (float)a;
        w->q[w->count] = (float)b;
    }
    w->count++;
}

/* Sums the factors that met, adds the bias, and begins again. */
static double sum(struct work *w, int64_t channel)
{
    int64_t count = w->count;
    double bias = w->bias ? cpu_load(w->bias, channel) : 0;
    w->count = 0;
    if (w->wide) {
        double y = dot_double(w->a, w->b, count);
        return w->bias ? y + bias : y;
    }
    float y = dot_float(w->p, w->q, count);
    return (double)(w->bias ? y + (float)bias : y);
}

static int64_t element(const struct convolution_sizes *s, bool of_x, int64_t sample, int64_t channel,
                       const int64_t *at)
{
    const int64_t *size = of_x ? s->x : s->y;
    int64_t channels = s->groups * (of_x ? s->x_channels : s->y_channels);
    return (sample * channels + channel) * product_of(size, s->rank) + flat(at, size, s->rank);
}

static double weight_at(const struct work *w, int64_t group, int64_t x, int64_t y, const int64_t *t)
{
    const struct convolution_sizes *s = w->s;
    int64_t at = (group * s->y_channels + y) * s->x_channels + x;
    return cpu_load(w->weight, at * product_of(s->kernel, s->rank) + flat(t, s->kernel, s->rank));
}

/* One element of y from x, or of x from y. */
static double one_position(struct work *w, bool of_x, int64_t sample, int64_t channel, const int64_t *at)
{
    const struct convolution_sizes *s = w->s;
    const int64_t own = of_x ? s->x_channels : s->y_channels, other = of_x ? s->y_channels : s->x_channels;
    const int64_t group = channel / own;
    for (int64_t c = 0; c < other; c++) {
        int64_t t[DIMENSIONS_MOST] = {0}, met[DIMENSIONS_MOST];
        do {
            if (of_x ? meet_y(s, at, t, met) : meet_x(s, at, t, met)) {
                const struct cpu_view *from = of_x ? w->y : w->x;
                double weight = of_x ? weight_at(w, group, channel % own, c, t)
                                     : weight_at(w, group, c, channel % own, t);
                meet(w, cpu_load(from, element(s, !of_x, sample, group * other + c, met)), weight);
            }
        } while (next(t, s->kernel, s->rank));
    }
    return sum(w, channel);
}

static void all_positions(struct work *w, bool of_x, const struct cpu_view *result)
{
    const struct convolution_sizes *s = w->s;
    int64_t channels = s->groups * (of_x ? s->x_channels : s->y_channels);
    for (int64_t sample = 0; sample < s->samples; sample++) {
        for (int64_t channel = 0; channel < channels; channel++) {
            int64_t at[DIMENSIONS_MOST] = {0};
            do {
                cpu_store(result, element(s, of_x, sample, channel, at),
                          one_position(w, of_x, sample, channel, at));
            } while (next(at, of_x ? s->x : s->y, s->rank));
        }
    }
}

/* The gradient of one weight: x and y that it joins, over all samples and positions. */
static double one_weight(struct work *w, int64_t group, int64_t x_channel, int64_t y_channel,
                         const int64_t *t)
{
    const struct convolution_sizes *s = w->s;
    for (int64_t sample = 0; sample < s->samples; sample++) {
        int64_t y[DIMENSIONS_MOST] = {0}, x[DIMENSIONS_MOST];
        do {
            if (meet_x(s, y, t, x)) {
                meet(w, cpu_load(w->y, element(s, false, sample, group * s->y_channels + y_channel, y)),
                     cpu_load(w->x, element(s, true, sample, group * s->x_channels + x_channel, x)));
            }
        } while (next(y, s->y, s->rank));
    }
    return sum(w, 0);
}

static void all_weights(struct work *w, const struct cpu_view *result)
{
    const struct convolution_sizes *s = w->s;
    int64_t i = 0;
    for (int64_t y = 0; y < s->groups * s->y_channels; y++) {
        for (int64_t x = 0; x < s->x_channels; x++) {
            int64_t t[DIMENSIONS_MOST] = {0};
            do {
                cpu_store(result, i++, one_weight(w, y / s->y_channels, x, y % s->y_channels, t));
            } while (next(t, s->kernel, s->rank));
        }
    }
}

/* The sums of the channels of a gradient. */
static void all_channels(struct work *w, const struct cpu_view *gradient, bool of_x,
                         const struct cpu_view *result)
{
    const struct convolution_sizes *s = w->s;
    for (int64_t channel = 0; channel < result->shape.dim[0]; channel++) {
        for (int64_t sample = 0; sample < s->samples; sample++) {
            int64_t at[DIMENSIONS_MOST] = {0};
            do {
                meet(w, cpu_load(gradient, element(s, of_x, sample, channel, at)), 1);
            } while (next(at, of_x ? s->x : s->y, s->rank));
        }
        cpu_store(result, channel, sum(w, 0));
    }
}

static bool make_room(struct work *w, struct error *reason)
{
    const struct convolution_sizes *s = w->s;
    int64_t taps = product_of(s->kernel, s->rank), x = product_of(s->x, s->rank),
            y = product_of(s->y, s->rank);
    int64_t most = (s->x_channels > s->y_channels ? s->x_channels : s->y_channels) * taps;
    most = s->samples * (x > y ? x : y) > most ? s->samples * (x > y ? x : y) : most;
    size_t size = w->wide ? sizeof(double) : sizeof(float);
    void *a = cpu_allocate(most, size, reason), *b = cpu_allocate(most, size, reason);
    w->a = a;
    w->p = a;
    w->b = b;
    w->q = b;
    return a && b;
}

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    const bool transposed = op->variant & CONVOLUTION_SIZES_TRANSPOSED, backward = op->variant & BACKWARD;
    const struct cpu_view *from = &input[backward], *weight = &input[backward + 1];
    const struct cpu_view *bias = !backward && inputs > 2 && input[2].data ? &input[2] : NULL;
    struct convolution_sizes s;
    for (int i = 0; i < (bias || backward ? 3 : 2); i++) {
        if (!dtype_is_real(input[i].dtype) || input[i].dtype != input[0].dtype) {
            return cpu_reject(reason, "the operands' dtypes do not fit");
        }
    }
    if (!convolution_sizes_of(op->variant & ~BACKWARD, attributes, &from->shape, &weight->shape, &s)) {
        return cpu_reject(reason, "shapes and attributes do not fit");
    }
    if (backward
            ? !convolution_sizes_fit(&s, &input[0].shape, transposed)
            : bias && (bias->shape.rank != 1 || bias->shape.dim[0] != convolution_channels(&s, transposed))) {
        return cpu_reject(reason, backward ? "grad_output must have the shape of the result"
                                           : "bias must have one element for each channel");
    }
    struct work w = {.s = &s, .weight = weight, .bias = bias, .wide = from->dtype == DTYPE_FLOAT64};
    w.x = transposed ? &input[0] : from; /* of a gradient: grad_output lies on the side of the result */
    w.y = transposed ? from : &input[0];
    bool good = outputs == 0 || make_room(&w, reason);
    if (good && outputs > 0 && s.samples > 0) {
        all_positions(&w, transposed != backward, &output[0]);
    }
    if (good && outputs == 3) {
        all_weights(&w, &output[1]);
        all_channels(&w, &input[0], transposed, &output[2]);
    }
    free(w.a);
    free(w.b);
    return good ? CPU_OK : CPU_OUT_OF_MEMORY;
}

#define OP(name_, variant_)                                                                                  \
    {.name = "conv" name_, .variant = (variant_), .run = run},                                               \
    {                                                                                                        \
        .name = "conv" name_ "_backward", .variant = (variant_) | BACKWARD, .run = run                       \
    }

static const struct cpu_op ops[] = {OP("1d", 1),
                                    OP("2d", 2),
                                    OP("3d", 3),
                                    OP("_transpose1d", CONVOLUTION_SIZES_TRANSPOSED | 1),
                                    OP("_transpose2d", CONVOLUTION_SIZES_TRANSPOSED | 2),
                                    OP("_transpose3d", CONVOLUTION_SIZES_TRANSPOSED | 3)};

const struct cpu_op_set cpu_op_set_convolution = {.op = ops, .count = sizeof ops / sizeof *ops};
