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

#include <stdlib.h>
#include <string.h>

enum { RANK = 3, TRANSPOSED = 4, BACKWARD = 8, DIMENSIONS_MOST = 3 };

struct sizes {
    int rank, batched;
    int64_t samples, groups, x_channels, y_channels; /* channels of a group */
    int64_t x[DIMENSIONS_MOST], y[DIMENSIONS_MOST], kernel[DIMENSIONS_MOST];
    int64_t stride[DIMENSIONS_MOST], dilation[DIMENSIONS_MOST], before[DIMENSIONS_MOST],
        behind[DIMENSIONS_MOST], more[DIMENSIONS_MOST];
};

/* Copies a list of numbers, one for all dimensions or one for each. */
static bool read(const struct attributes *attributes, const char *name, int64_t otherwise, int64_t least,
                 int rank, int64_t *to)
{
    const struct integers *list = attributes_integers(attributes, name);
    for (int i = 0; i < rank; i++) {
        to[i] = list ? list->item[list->count > 1 ? i : 0] : otherwise;
    }
    for (int i = 0; i < rank; i++) {
        if (to[i] < least) {
            return false;
        }
    }
    return !list || list->count == 1 || list->count == rank;
}

static bool read_padding(const struct attributes *attributes, bool transposed, struct sizes *s)
{
    const struct integers *list = attributes_integers(attributes, "padding");
    bool same = attributes_integer(attributes, "same", 0), pairs = list && list->count == 2 * s->rank;
    if (same) {
        for (int i = 0; i < s->rank; i++) {
            if (list || s->stride[i] != 1) {
                return false;
            }
            int64_t both = s->dilation[i] * (s->kernel[i] - 1);
            s->before[i] = both / 2;
            s->behind[i] = both - both / 2;
        }
        return true;
    }
    if (pairs && !transposed) {
        for (int i = 0; i < s->rank; i++) {
            s->before[i] = list->item[2 * i];
            s->behind[i] = list->item[2 * i + 1];
            if (s->before[i] < 0 || s->behind[i] < 0) {
                return false;
            }
        }
        return true;
    }
    bool good = read(attributes, "padding", 0, 0, s->rank, s->before);
    memcpy(s->behind, s->before, sizeof s->behind);
    return good;
}

/* Computes all sizes from input and weight; false where they do not fit. */
static bool measure(int variant, const struct attributes *attributes, const struct shape *input,
                    const struct shape *weight, struct sizes *s)
{
    const bool transposed = variant & TRANSPOSED;
    *s = (struct sizes){.rank = variant & RANK};
    s->batched = input->rank - s->rank - 1;
    s->groups = attributes_integer(attributes, "groups", 1);
    if (s->batched < 0 || s->batched > 1 || weight->rank != s->rank + 2 || s->groups < 1) {
        return false;
    }
    const int64_t channels = input->dim[s->batched], weights = weight->dim[0];
    for (int i = 0; i < s->rank; i++) {
        s->kernel[i] = weight->dim[2 + i];
    }
    if (!read(attributes, "stride", 1, 1, s->rank, s->stride) ||
        !read(attributes, "dilation", 1, 1, s->rank, s->dilation) ||
        !read(attributes, "output_padding", 0, 0, s->rank, s->more) ||
        !read_padding(attributes, transposed, s) || weights < 1 || weights % s->groups ||
        channels != (transposed ? weights : weight->dim[1] * s->groups)) {
        return false;
    }
    s->samples = s->batched ? input->dim[0] : 1;
    s->y_channels = weights / s->groups;
    s->x_channels = weight->dim[1];
    for (int i = 0; i < s->rank; i++) {
        const int64_t size = input->dim[s->batched + 1 + i], reach = s->dilation[i] * (s->kernel[i] - 1) + 1;
        if (size < 1 || s->kernel[i] < 1 || (s->more[i] >= s->stride[i] && s->more[i] >= s->dilation[i])) {
            return false;
        }
        if (transposed) {
            s->y[i] = size;
            s->x[i] = (size - 1) * s->stride[i] - s->before[i] - s->behind[i] + reach + s->more[i];
        } else {
            const int64_t padded = size + s->before[i] + s->behind[i];
            s->x[i] = size;
            s->y[i] = padded < reach ? 0 : (padded - reach) / s->stride[i] + 1;
        }
        if (s->x[i] < 1 || s->y[i] < 1) {
            return false;
        }
    }
    return true;
}

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
static bool meet_x(const struct sizes *s, const int64_t *y, const int64_t *t, int64_t *x)
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
static bool meet_y(const struct sizes *s, const int64_t *x, const int64_t *t, int64_t *y)
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
    const struct sizes *s;
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

static int64_t element(const struct sizes *s, bool of_x, int64_t sample, int64_t channel, const int64_t *at)
{
    const int64_t *size = of_x ? s->x : s->y;
    int64_t channels = s->groups * (of_x ? s->x_channels : s->y_channels);
    return (sample * channels + channel) * product_of(size, s->rank) + flat(at, size, s->rank);
}

static double weight_at(const struct work *w, int64_t group, int64_t x, int64_t y, const int64_t *t)
{
    const struct sizes *s = w->s;
    int64_t at = (group * s->y_channels + y) * s->x_channels + x;
    return cpu_load(w->weight, at * product_of(s->kernel, s->rank) + flat(t, s->kernel, s->rank));
}

/* One element of y from x, or of x from y. */
static double one_position(struct work *w, bool of_x, int64_t sample, int64_t channel, const int64_t *at)
{
    const struct sizes *s = w->s;
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
    const struct sizes *s = w->s;
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
    const struct sizes *s = w->s;
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
    const struct sizes *s = w->s;
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
    const struct sizes *s = w->s;
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
    const struct sizes *s = w->s;
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
    const bool transposed = op->variant & TRANSPOSED, backward = op->variant & BACKWARD;
    const struct cpu_view *from = &input[backward], *weight = &input[backward + 1];
    const struct cpu_view *bias = !backward && inputs > 2 && input[2].data ? &input[2] : NULL;
    struct sizes s;
    for (int i = 0; i < (bias || backward ? 3 : 2); i++) {
        if (!cpu_is_real(input[i].dtype) || input[i].dtype != input[0].dtype) {
            return cpu_reject(reason, "the operands' dtypes do not fit");
        }
    }
    if (!measure(op->variant, attributes, &from->shape, &weight->shape, &s)) {
        return cpu_reject(reason, "shapes and attributes do not fit");
    }
    const int64_t channels = s.groups * (transposed ? s.x_channels : s.y_channels);
    const struct shape *gradient = &input[0].shape;
    bool fits = !bias || (bias->shape.rank == 1 && bias->shape.dim[0] == channels);
    if (backward) {
        fits = gradient->rank == from->shape.rank && gradient->dim[s.batched] == channels &&
               (!s.batched || gradient->dim[0] == s.samples);
        for (int i = 0; i < s.rank && fits; i++) {
            fits = gradient->dim[s.batched + 1 + i] == (transposed ? s.x[i] : s.y[i]);
        }
    }
    if (!fits) {
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
                                    OP("_transpose1d", TRANSPOSED | 1),
                                    OP("_transpose2d", TRANSPOSED | 2),
                                    OP("_transpose3d", TRANSPOSED | 3)};

const struct cpu_op_set cpu_op_set_convolution = {.op = ops, .count = sizeof ops / sizeof *ops};
