/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The witness of layer, RMS, group, instance and batch normalization and of their gradients: the textbook's
 * two passes over [batch, channels, inner], float for the 16-bit formats; sums in blocks of 8, then pairwise.
 */

#include "kernels/cpu/witness.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 8 };
enum { X, GRAD, WEIGHT, BIAS, MEAN, VARIANCE, Y, DWEIGHT, DBIAS, NORMAL, ROW, TENSORS };

/* How the elements are grouped; the same for both widths. */
struct grouping {
    bool centred, over_batch, evaluates, gradient;
    int64_t batch, channels, inner, groups, members;
    double eps, momentum;
};

static int64_t of_channel(const struct grouping *g, int64_t channel, int64_t j)
{
    return (j / g->inner * g->channels + channel) * g->inner + j % g->inner;
}

static int64_t of_group(const struct grouping *g, int64_t group, int64_t j)
{
    return g->over_batch ? of_channel(g, group, j) : group * g->members + j;
}

/* Everything of one width: `value[X]` … are contiguous copies, NULL where the operand is absent. */
#define DEFINE_NORMALIZATION(name, real, root_of, exponent_of, scaled, beyond, greatest_of, down)              \
    struct name {                                                                                              \
        real *value[TENSORS];                                                                                  \
    };                                                                                                         \
                                                                                                               \
    static real name##_sum(const real *x, int64_t n)                                                           \
    {                                                                                                          \
        if (n > LEAF) {                                                                                        \
            return name##_sum(x, n / 2) + name##_sum(x + n / 2, n - n / 2);                                    \
        }                                                                                                      \
        real sum = 0;                                                                                          \
        for (int64_t i = 0; i < n; i++) {                                                                      \
            sum += x[i];                                                                                       \
        }                                                                                                      \
        return sum;                                                                                            \
    }                                                                                                          \
                                                                                                               \
    /* a·b·c·2^lift, lift ≤ 0, in range where it is: the two greatest first, or, where they overflow, the \
       greatest and the least, and then what lies between. */                                                                     \
    static real name##_product(real a, real b, real c, int lift)                                               \
    {                                                                                                          \
        for (int k = 0; k < 2; k++) {                                                                          \
            real low = fabs(a) < fabs(b) ? a : b, next;                                                        \
            a = fabs(a) < fabs(b) ? b : a;                                                                     \
            next = fabs(low) < fabs(c) ? c : low;                                                              \
            c = fabs(low) < fabs(c) ? low : c;                                                                 \
            b = fabs(a) < fabs(next) ? a : next;                                                               \
            a = fabs(a) < fabs(next) ? next : a;                                                               \
            a = k == 0 && lift < 0 ? scaled(a, lift) : a;                                                      \
        }                                                                                                      \
        real first = a * b;                                                                                    \
        first = isinf(first) && isfinite(a) ? a * c * b : first * c;                                           \
        return first;                                                                                          \
    }                                                                                                          \
                                                                                                               \
    /* factor·(x − m)·r·2^lift; in evaluation NORMAL is r, and x − m itself may overflow. */            \
    static real name##_times(const struct grouping *g, const struct name *t, int64_t i, real factor,           \
                             int lift)                                                                         \
    {                                                                                                          \
        if (!g->evaluates) {                                                                                   \
            return name##_product(t->value[NORMAL][i], 1, factor, lift);                                       \
        }                                                                                                      \
        real x = t->value[X][i], mean = t->value[MEAN][i / g->inner % g->channels], deviation = x - mean;      \
        int halved = isinf(deviation) && isfinite(x) && isfinite(mean);                                        \
        deviation = halved ? x / 2 - mean / 2 : deviation;                                                     \
        return scaled(name##_product(deviation, t->value[NORMAL][i], factor, lift), halved);                   \
    }                                                                                                          \
                                                                                                               \
    /* Fills NORMAL for one group; the reciprocal root, and the statistics for the running ones. */            \
    static real name##_group(const struct grouping *g, struct name *t, int64_t group, real *mean,              \
                             real *variance, int *scale)                                                       \
    {                                                                                                          \
        real *row = t->value[ROW], greatest = 0, n = (real)g->members, eps = (real)g->eps;                     \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            row[j] = t->value[X][of_group(g, group, j)];                                                       \
            greatest = row[j] > greatest ? row[j] : -row[j] > greatest ? -row[j] : greatest;                   \
        }                                                                                                      \
        int e = !isfinite(greatest) || greatest < beyond || g->evaluates ? 0 : exponent_of(greatest);          \
        for (int64_t j = 0; e && j < g->members; j++) {                                                        \
            row[j] = scaled(row[j], -e);                                                                       \
        }                                                                                                      \
        *mean = 0;                                                                                             \
        if (g->evaluates) {                                                                                    \
            *mean = t->value[MEAN][group];                                                                     \
            *variance = t->value[VARIANCE][group];                                                             \
        } else {                                                                                               \
            real *square = row + g->members;                                                                   \
            *mean = g->centred ? name##_sum(row, g->members) / n : 0;                                          \
            for (int64_t j = 0; j < g->members; j++) {                                                         \
                square[j] = (row[j] - *mean) * (row[j] - *mean);                                               \
            }                                                                                                  \
            *variance = name##_sum(square, g->members) / n;                                                    \
        }                                                                                                      \
        real whole = *variance + scaled(eps, -2 * e);                                                          \
        real root = 1 / root_of(e && whole == 0 ? 1 : whole);                                                  \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            t->value[NORMAL][of_group(g, group, j)] = g->evaluates ? root : (row[j] - *mean) * root;           \
        }                                                                                                      \
        *mean = scaled(*mean, e);                                                                              \
        *scale = e;                                                                                            \
        return root;                                                                                           \
    }                                                                                                          \
                                                                                                               \
    static void name##_apply(const struct grouping *g, struct name *t, int64_t group)                          \
    {                                                                                                          \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            int64_t i = of_group(g, group, j), c = i / g->inner % g->channels;                                 \
            real gain = t->value[WEIGHT] ? t->value[WEIGHT][c] : 1, y = name##_times(g, t, i, gain, 0);        \
            if (t->value[BIAS]) {                                                                              \
                real bias = t->value[BIAS][c]; /* may bring y back into range */                               \
                y = fabs(y) < greatest_of / 4 ? y + bias                                                       \
                                              : (name##_times(g, t, i, gain, -4) + bias / 16) * 16;            \
            }                                                                                                  \
            t->value[Y][i] = y;                                                                                \
        }                                                                                                      \
    }                                                                                                          \
                                                                                                               \
    /* Means of w·2^lift and of w·2^lift·X, w = g·dy; w and w·X are left in ROW. */                       \
    static void name##_means(const struct grouping *g, struct name *t, int64_t group, int lift,                \
                             real mean[2])                                                                     \
    {                                                                                                          \
        real *row = t->value[ROW], n = (real)g->members;                                                       \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            int64_t i = of_group(g, group, j), c = i / g->inner % g->channels;                                 \
            row[j] = name##_product(t->value[GRAD][i], t->value[WEIGHT] ? t->value[WEIGHT][c] : 1, 1, lift);   \
            row[g->members + j] = row[j] * t->value[NORMAL][i];                                                \
        }                                                                                                      \
        mean[0] = g->centred ? name##_sum(row, g->members) / n : 0;                                            \
        mean[1] = name##_sum(row + g->members, g->members) / n;                                                \
    }                                                                                                          \
                                                                                                               \
    /* dx; its statistics were taken of x·2^-e. Where a sum may overflow, of dy·2^-down. */                  \
    static void name##_input(const struct grouping *g, struct name *t, int64_t group, real root, int e)        \
    {                                                                                                          \
        real *row = t->value[ROW], mean[2], most = scaled(1, down * 4 / 5);                                    \
        int lift = 0;                                                                                          \
        for (int64_t j = 0; g->evaluates && j < g->members; j++) {                                             \
            int64_t i = of_group(g, group, j), c = i / g->inner % g->channels;                                 \
            t->value[Y][i] =                                                                                   \
                name##_product(t->value[GRAD][i], t->value[WEIGHT] ? t->value[WEIGHT][c] : 1, root, 0);        \
        }                                                                                                      \
        if (g->evaluates) {                                                                                    \
            return;                                                                                            \
        }                                                                                                      \
        name##_means(g, t, group, 0, mean);                                                                    \
        if (!(fabs(mean[0]) < most && fabs(mean[1]) < most)) {                                                 \
            lift = down;                                                                                       \
            name##_means(g, t, group, -lift, mean);                                                            \
        }                                                                                                      \
        for (int64_t j = 0; j < g->members; j++) {                                                             \
            int64_t i = of_group(g, group, j);                                                                 \
            real rest = row[j] - mean[0] - t->value[NORMAL][i] * mean[1];                                      \
            t->value[Y][i] = name##_product(rest, root, scaled(1, lift - e), 0);                               \
        }                                                                                                      \
    }                                                                                                          \
                                                                                                               \
    /* Σ dy or Σ dy·X of a channel; where it overflows, once more of 2^-64 of it: the rest may bring it     \
     * back. */                                                                                                \
    static real name##_parameter(const struct grouping *g, struct name *t, int64_t c, bool of_bias)            \
    {                                                                                                          \
        int64_t terms = g->batch * g->inner;                                                                   \
        real sum = 0;                                                                                          \
        for (int lift = 0; lift <= 64; lift += 64) {                                                           \
            for (int64_t j = 0; j < terms; j++) {                                                              \
                int64_t i = of_channel(g, c, j);                                                               \
                real dy = t->value[GRAD][i];                                                                   \
                t->value[ROW][j] = of_bias ? scaled(dy, -lift) : name##_times(g, t, i, dy, -lift);             \
            }                                                                                                  \
            sum = scaled(name##_sum(t->value[ROW], terms), lift);                                              \
            if (isfinite(sum)) {                                                                               \
                break;                                                                                         \
            }                                                                                                  \
        }                                                                                                      \
        return sum;                                                                                            \
    }                                                                                                          \
                                                                                                               \
    static void name##_parameters(const struct grouping *g, struct name *t)                                    \
    {                                                                                                          \
        for (int64_t c = 0; c < g->channels; c++) {                                                            \
            for (int which = DWEIGHT; which <= DBIAS; which++) {                                               \
                if (t->value[which]) {                                                                         \
                    t->value[which][c] = name##_parameter(g, t, c, which == DBIAS);                            \
                }                                                                                              \
            }                                                                                                  \
        }                                                                                                      \
    }                                                                                                          \
                                                                                                               \
    static void name##_all(const struct grouping *g, struct name *t)                                           \
    {                                                                                                          \
        for (int64_t k = 0; k < g->groups; k++) {                                                              \
            int e;                                                                                             \
            real mean, variance, root = name##_group(g, t, k, &mean, &variance, &e);                           \
            if (g->gradient) {                                                                                 \
                name##_input(g, t, k, root, e);                                                                \
                continue;                                                                                      \
            }                                                                                                  \
            name##_apply(g, t, k);                                                                             \
            if (g->over_batch && !g->evaluates && t->value[MEAN]) {                                            \
                real taken = (real)g->momentum, kept = (real)(1 - g->momentum), n = (real)g->members;          \
                t->value[MEAN][k] = kept * t->value[MEAN][k] + taken * mean;                                   \
                real part = scaled(taken * (variance * (n / (n - 1))), 2 * e); /* may be in range alone */     \
                t->value[VARIANCE][k] = kept * t->value[VARIANCE][k] + part;                                   \
            }                                                                                                  \
        }                                                                                                      \
        if (g->gradient) {                                                                                     \
            name##_parameters(g, t);                                                                           \
        }                                                                                                      \
    }

DEFINE_NORMALIZATION(single, float, sqrtf, ilogbf, ldexpf, 0x1p40F, FLT_MAX, 120)
DEFINE_NORMALIZATION(twice, double, sqrt, ilogb, ldexp, 0x1p400, DBL_MAX, 1000)

/* Copies in, computes in the width of x, copies out. `tensor[k]` has no data where it is absent. */
static enum cpu_status compute(const struct grouping *g, const struct cpu_view tensor[TENSORS])
{
    struct single narrow = {.value = {NULL}};
    struct twice wide = {.value = {NULL}};
    bool twice = tensor[X].dtype == DTYPE_FLOAT64, good = true;
    int64_t elements = shape_elements(&tensor[X].shape), terms = g->batch * g->inner;
    int64_t row = 2 * g->members > terms ? 2 * g->members : terms;
    for (int k = 0; k < TENSORS; k++) {
        int64_t count = k == NORMAL ? elements : k == ROW ? row : shape_elements(&tensor[k].shape);
        if (k < NORMAL && !tensor[k].data) {
            continue;
        }
        size_t size = ((size_t)count + 1) * (twice ? sizeof(double) : sizeof(float));
        void *memory = malloc(size);
        good = good && memory;
        *(twice ? (void **)&wide.value[k] : (void **)&narrow.value[k]) = memory;
        for (int64_t i = 0; good && k < Y && i < count; i++) {
            double x = cpu_load(&tensor[k], i);
            if (twice) {
                wide.value[k][i] = x;
            } else {
                narrow.value[k][i] = (float)x;
            }
        }
    }
    if (good && twice) {
        twice_all(g, &wide);
    } else if (good) {
        single_all(g, &narrow);
    }
    bool updates = g->over_batch && !g->evaluates && !g->gradient;
    for (int k = updates ? MEAN : Y; good && k <= DBIAS; k++) { /* MEAN and VARIANCE lie before Y */
        for (int64_t i = 0; tensor[k].data && i < shape_elements(&tensor[k].shape); i++) {
            cpu_store(&tensor[k], i, twice ? wide.value[k][i] : (double)narrow.value[k][i]);
        }
    }
    for (int k = 0; k < TENSORS; k++) {
        free(wide.value[k]);
        free(narrow.value[k]);
    }
    return good ? CPU_OK : CPU_UNSUPPORTED;
}

static enum cpu_status reject(struct error *reason, const char *text)
{
    error_set(reason, "%s", text);
    return CPU_REJECTED;
}

static bool fits(const struct cpu_view *view, const struct cpu_view *x, const struct shape *shape)
{
    return !view->data || (view->dtype == x->dtype && shape_equal(&view->shape, shape));
}

/* Outputs behind y: dweight, dbias. */
static void take_outputs(struct cpu_view tensor[TENSORS], int outputs, const struct cpu_view *output)
{
    for (int o = 0; o < outputs; o++) {
        tensor[Y + o] = output[o];
    }
}

/* torch.finfo(dtype).eps */
static double spacing_of_one(enum dtype dtype)
{
    return dtype == DTYPE_FLOAT64    ? DBL_EPSILON
           : dtype == DTYPE_FLOAT32  ? (double)FLT_EPSILON
           : dtype == DTYPE_BFLOAT16 ? 0x1p-7
                                     : 0x1p-10;
}

static enum cpu_status layer(const struct attributes *attributes, int inputs, const struct cpu_view *input,
                             int outputs, const struct cpu_view *output, struct error *reason, bool centred,
                             bool gradient)
{
    const struct shape *tail = attributes_integers(attributes, "normalized_shape");
    struct cpu_view tensor[TENSORS] = {{.data = NULL}};
    struct grouping g = {.centred = centred, .gradient = gradient, .batch = 1, .channels = 1, .inner = 1};
    for (int i = 0; i < inputs; i++) {
        tensor[gradient ? (i == 0   ? GRAD
                           : i == 1 ? X
                                    : WEIGHT)
                        : (i == 0   ? X
                           : i == 1 ? WEIGHT
                                    : BIAS)] = input[i];
    }
    take_outputs(tensor, outputs, output);
    g.eps = attributes_real(attributes, "eps", centred ? 1e-5 : spacing_of_one(tensor[X].dtype));
    const struct shape *shape = &tensor[X].shape;
    if (!cpu_is_real(tensor[X].dtype)) {
        error_set(reason, "the witness normalizes no %s", dtype_info(tensor[X].dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (!tail || tail->rank < 1 || tail->rank > shape->rank) {
        return reject(reason, "normalized_shape does not fit");
    }
    for (int d = 0; d < shape->rank; d++) {
        int of_tail = d - (shape->rank - tail->rank);
        int64_t *count = of_tail < 0 ? &g.batch : &g.channels;
        *count = count_product(*count, shape->dim[d]);
        if (of_tail >= 0 && tail->dim[of_tail] != shape->dim[d]) {
            return reject(reason, "normalized_shape is not the end of the shape");
        }
    }
    if (!fits(&tensor[WEIGHT], &tensor[X], tail) || !fits(&tensor[BIAS], &tensor[X], tail) ||
        !fits(&tensor[GRAD], &tensor[X], shape)) {
        return reject(reason, "an operand does not fit the input");
    }
    g.groups = g.batch;
    g.members = g.channels;
    return compute(&g, tensor);
}

/* [batch, channels, …]: group, instance and batch normalization; `place` says which input is what. */
static enum cpu_status channelled(const struct attributes *attributes, int inputs,
                                  const struct cpu_view *input, int outputs, const struct cpu_view *output,
                                  struct error *reason, char kind, bool gradient)
{
    static const int group[] = {X, WEIGHT, BIAS}, full[] = {X, MEAN, VARIANCE, WEIGHT, BIAS},
                     of_gradient[] = {GRAD, X, WEIGHT},
                     of_batch_gradient[] = {GRAD, X, MEAN, VARIANCE, WEIGHT};
    const int *place = gradient ? kind == 'b' ? of_batch_gradient : of_gradient : kind == 'g' ? group : full;
    struct cpu_view tensor[TENSORS] = {{.data = NULL}};
    for (int i = 0; i < inputs; i++) {
        tensor[place[i]] = input[i];
    }
    take_outputs(tensor, outputs, output);
    const struct shape *shape = &tensor[X].shape;
    if (!cpu_is_real(tensor[X].dtype)) {
        error_set(reason, "the witness normalizes no %s", dtype_info(tensor[X].dtype)->name);
        return CPU_UNSUPPORTED;
    }
    if (shape->rank < (kind == 'i' ? 3 : 2) || (kind == 'b' && shape->rank > 5)) {
        return reject(reason, "too few or too many dimensions");
    }
    struct grouping g = {.centred = true,
                         .gradient = gradient,
                         .over_batch = kind == 'b',
                         .evaluates = kind == 'b' && !attributes_integer(attributes, "training", 0),
                         .batch = shape->dim[0],
                         .channels = shape->dim[1],
                         .inner = 1,
                         .eps = attributes_real(attributes, "eps", 1e-5),
                         .momentum = attributes_real(attributes, "momentum", 0.1)};
    for (int d = 2; d < shape->rank; d++) {
        g.inner = count_product(g.inner, shape->dim[d]);
    }
    int64_t per_sample = kind == 'i' ? g.channels : attributes_integer(attributes, "num_groups", 1);
    if (per_sample <= 0 || g.channels % per_sample != 0) {
        return reject(reason, "the groups do not divide the channels");
    }
    g.groups = kind == 'b' ? g.channels : g.batch * per_sample;
    g.members = kind == 'b' ? g.batch * g.inner : g.channels / per_sample * g.inner;
    struct shape channels = {.rank = 1, .dim = {g.channels}};
    bool good = fits(&tensor[GRAD], &tensor[X], shape);
    struct cpu_view like = tensor[X]; /* batch_norm's parameters may be float32 beside 16-bit elements */
    const struct cpu_view *first = tensor[MEAN].data     ? &tensor[MEAN]
                                   : tensor[WEIGHT].data ? &tensor[WEIGHT]
                                                         : &tensor[BIAS];
    if (kind == 'b' && first->data && first->dtype == DTYPE_FLOAT32 && dtype_info(like.dtype)->size == 2) {
        like.dtype = DTYPE_FLOAT32;
    }
    for (int k = WEIGHT; k <= VARIANCE; k++) {
        good = good && fits(&tensor[k], &like, &channels);
    }
    if (!good || !tensor[MEAN].data != !tensor[VARIANCE].data || (kind == 'i' && tensor[MEAN].data) ||
        (kind == 'i' && !attributes_integer(attributes, "use_input_stats", 1)) ||
        (g.evaluates && !tensor[MEAN].data)) {
        return reject(reason, "an operand is missing or does not fit the input");
    }
    if (kind != 'g' && !g.evaluates && g.members == 1) {
        return reject(reason, "a single value per channel");
    }
    return compute(&g, tensor);
}

#define OPERATOR(name, family, ...)                                                                          \
    static enum cpu_status name(const struct attributes *attributes, int inputs,                             \
                                const struct cpu_view *input, int outputs, const struct cpu_view *output,    \
                                struct error *reason)                                                        \
    {                                                                                                        \
        return family(attributes, inputs, input, outputs, output, reason, __VA_ARGS__);                      \
    }

OPERATOR(layer_norm, layer, true, false)
OPERATOR(rms_norm, layer, false, false)
OPERATOR(layer_norm_backward, layer, true, true)
OPERATOR(rms_norm_backward, layer, false, true)

OPERATOR(group_norm, channelled, 'g', false)
OPERATOR(group_norm_backward, channelled, 'g', true)
OPERATOR(instance_norm, channelled, 'i', false)
OPERATOR(instance_norm_backward, channelled, 'i', true)
OPERATOR(batch_norm, channelled, 'b', false)
OPERATOR(batch_norm_backward, channelled, 'b', true)

static const struct cpu_op ops[] = {{"layer_norm", layer_norm},
                                    {"rms_norm", rms_norm},
                                    {"layer_norm_backward", layer_norm_backward},
                                    {"rms_norm_backward", rms_norm_backward},
                                    {"group_norm", group_norm},
                                    {"group_norm_backward", group_norm_backward},
                                    {"instance_norm", instance_norm},
                                    {"instance_norm_backward", instance_norm_backward},
                                    {"batch_norm", batch_norm},
                                    {"batch_norm_backward", batch_norm_backward}};

const struct cpu_op_set cpu_op_set_normalization = {.op = ops, .count = sizeof ops / sizeof *ops};
