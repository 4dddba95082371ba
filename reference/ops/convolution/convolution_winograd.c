/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/convolution/convolution_winograd.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/ops/convolution/convolution_shape.h"
#include "reference/ops/convolution/winograd_tile.h"
#include "reference/ops/product_sum/product_sum.h"

#include <math.h>
#include <stdlib.h>

enum { TAPS = 9, PARTS_MOST = 1 << 15 };

/* A convolution of `from` with kernels to `to`, both [batch, groups, channels, rows, columns]: element (i, j)
 * meets rows i − before[0] to i − before[0] + 2 of `from`, likewise columns. */
struct problem {
    const struct winograd *w;       /* of the current tile */
    int64_t batch, groups, in, out; /* channels of a group */
    int64_t from[2], to[2], before[2];
    double *data, *kernel; /* data and weights; kernel [groups, out, in, 3, 3] as it is applied */
    double data_most, kernel_most;
    int data_scale, kernel_scale; /* data and kernel are divided by 2^scale to lie near 1 */
};

static int tile_of(const struct attributes *attributes, const struct op *op, int output)
{
    const bool judged = output == 0; /* of a gradient that of the input */
    return judged && (op->variant & CONVOLUTION_RANK) == 2
               ? (int)attributes_integer(attributes, "winograd", 0)
               : 0;
}

bool convolution_assumes(const struct op *op, const struct profile *profile,
                         const struct op_operands *operands, struct attribute *assumed)
{
    const int m = profile_winograd(profile, op->name), first = op->variant & CONVOLUTION_GRADIENT ? 1 : 0;
    struct convolution c;
    struct error unused;
    if (m == 0 || (op->variant & CONVOLUTION_RANK) != 2 || operands->inputs < first + 2 ||
        !convolution_of(op, operands->attributes, &operands->input[first].shape,
                        &operands->input[first + 1].shape, &c, &unused)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (c.kernel[i] != 3 || c.stride[i] != 1 || c.dilation[i] != 1) {
            return false;
        }
    }
    *assumed =
        (struct attribute){.name = "winograd", .type = ATTRIBUTE_INTEGER, .integer = m, .assumed = true};
    return true;
}

int convolution_sensitivities(const struct op_call *call, int output)
{
    return tile_of(call->attributes, call->op, output) ? WINOGRAD_SENSITIVITIES
                                                       : product_sum_sensitivities(call, output);
}

/* --- operands */

/* Returns the elements times 2^-scale, `scale` making the greatest finite one nearly 1. */
static double *elements_of(const struct tensor *tensor, double *most, int *scale)
{
    const int64_t count = shape_elements(&tensor->shape);
    double *x = malloc(((size_t)count + 1) * sizeof *x);
    *most = 0;
    for (int64_t i = 0; x && i < count; i++) {
        x[i] = tensor_component(tensor, i);
        *most = isfinite(x[i]) ? fmax(*most, fabs(x[i])) : *most;
    }
    *scale = *most > 0 ? portable_log2_floor(*most) : 0;
    for (int64_t i = 0; x && i < count; i++) {
        x[i] = ldexp(x[i], -*scale);
    }
    return x;
}

/* Weights [y_channels, x_channels of a group, 3, 3] in the order in which the problem applies them. */
static double *kernels_of(const struct problem *p, const double *weight, bool flipped)
{
    double *kernel = malloc(((size_t)(p->groups * p->out * p->in) * TAPS + 1) * sizeof *kernel);
    for (int64_t k = 0; kernel && k < p->groups * p->out * p->in; k++) {
        const int64_t in = k % p->in, out = k / p->in % p->out, group = k / p->in / p->out;
        const int64_t at = flipped ? (group * p->in + in) * p->out + out : k;
        for (int t = 0; t < TAPS; t++) {
            kernel[k * TAPS + t] = weight[at * TAPS + (flipped ? TAPS - 1 - t : t)];
        }
    }
    return kernel;
}

static bool problem_open(struct problem *p, const struct op_call *call)
{
    const bool gradient = call->op->variant & CONVOLUTION_GRADIENT,
               transposed = call->op->variant & CONVOLUTION_TRANSPOSED,
               of_x = gradient == transposed; /* Y is computed from X */
    struct convolution c;
    struct error unused;
    convolution_of(call->op, call->attributes, &call->input[gradient].shape, &call->input[1 + gradient].shape,
                   &c, &unused);
    *p = (struct problem){.batch = c.batch, .groups = c.groups};
    p->in = (of_x ? c.x_channels : c.y_channels) / c.groups;
    p->out = (of_x ? c.y_channels : c.x_channels) / c.groups;
    for (int i = 0; i < 2; i++) {
        p->from[i] = of_x ? c.x[i] : c.y[i];
        p->to[i] = of_x ? c.y[i] : c.x[i];
        p->before[i] = of_x ? c.begin[i] : 2 - c.begin[i];
    }
    p->data = elements_of(&call->input[0], &p->data_most, &p->data_scale);
    double *weight = elements_of(&call->input[gradient ? 2 : 1], &p->kernel_most, &p->kernel_scale);
    p->kernel = weight ? kernels_of(p, weight, !of_x) : NULL;
    free(weight);
    return p->data && p->kernel;
}

static void problem_close(struct problem *p)
{
    free(p->data);
    free(p->kernel);
}

/* --- limits of all elements */

struct sweep {
    struct problem p;
    struct truth_output *out;
    double *variance;          /* (S/u)² of each element of the divided operands */
    double greatest;           /* no transformed operand is greater */
    int64_t channels, origins; /* output channels and tiles that are transformed at a time */
    struct winograd_part *u, *v;
};

static bool sweep_open(struct sweep *s)
{
    const struct problem *p = &s->p;
    const int64_t parts = p->in > 0 ? PARTS_MOST / p->in : PARTS_MOST;
    s->channels = s->origins = parts > 1 ? parts : 1;
    s->channels = smaller(s->channels, p->out);
    size_t room = (size_t)p->in + 1;
    s->variance = calloc((size_t)s->out->elements + 1, sizeof *s->variance);
    s->u = malloc((size_t)s->channels * room * sizeof *s->u);
    s->v = malloc((size_t)s->origins * room * sizeof *s->v);
    return s->variance && s->u && s->v;
}

static void sweep_close(struct sweep *s)
{
    free(s->variance);
    free(s->u);
    free(s->v);
    problem_close(&s->p);
}

/* Row and column of the first result of tile `origin`: a tile may begin before the first element. */
static void origin_of(const struct problem *p, int64_t origin, int64_t at[2])
{
    const int64_t columns = p->to[1] + p->w->m - 1;
    at[0] = origin / columns - (p->w->m - 1);
    at[1] = origin % columns - (p->w->m - 1);
}

/* Transforms a tile of every channel. */
static void take_tiles(const struct problem *p, int64_t sample, int64_t group, int64_t origin,
                       struct winograd_part *v)
{
    const int n = p->w->n;
    double d[WINOGRAD_ENTRIES];
    int64_t at[2];
    origin_of(p, origin, at);
    for (int64_t c = 0; c < p->in; c++) {
        const double *from = p->data + ((sample * p->groups + group) * p->in + c) * p->from[0] * p->from[1];
        for (int k = 0; k < n * n; k++) {
            const int64_t i = at[0] - p->before[0] + k / n, j = at[1] - p->before[1] + k % n;
            const bool inside = i >= 0 && i < p->from[0] && j >= 0 && j < p->from[1];
            d[k] = inside ? from[i * p->from[1] + j] : 0;
        }
        winograd_data(p->w, d, &v[c]);
    }
}

static double or_infinite(double x) /* infinity for a NaN */
{
    return x < INFINITY ? x : INFINITY;
}

/* Raises the limits of the elements in a tile of results whose plane begins at element `first`. */
static void raise_limits(const struct sweep *s, int64_t first, int64_t origin,
                         const struct winograd_result *y)
{
    const struct problem *p = &s->p;
    const int m = p->w->m;
    const double underflow =
        winograd_underflow(p->w, p->in, ldexp(y->kernels, p->kernel_scale), ldexp(y->data, p->data_scale));
    int64_t at[2];
    origin_of(p, origin, at);
    for (int k = 0; k < m * m; k++) {
        const int64_t i = at[0] + k / m, j = at[1] + k % m, e = first + i * p->to[1] + j;
        if (i < 0 || i >= p->to[0] || j < 0 || j >= p->to[1]) {
            continue;
        }
        double *limit = &s->out->sensitivity[e * WINOGRAD_SENSITIVITIES];
        limit[WINOGRAD_MAGNITUDE] = fmax(limit[WINOGRAD_MAGNITUDE], or_infinite(y->magnitude[k]));
        limit[WINOGRAD_UNDERFLOW] = fmax(limit[WINOGRAD_UNDERFLOW], underflow);
        s->variance[e] = fmax(s->variance[e], or_infinite(y->variance[k]));
    }
}

static void sweep_group(struct sweep *s, int64_t group)
{
    const struct problem *p = &s->p;
    const int64_t plane = p->to[0] * p->to[1], all = (p->to[0] + p->w->m - 1) * (p->to[1] + p->w->m - 1);
    struct winograd_result y;
    for (int64_t first = 0; first < p->out; first += s->channels) {
        const int64_t channels = smaller(s->channels, p->out - first);
        for (int64_t k = 0; k < channels * p->in; k++) {
            winograd_kernel(p->w, p->kernel + ((group * p->out + first) * p->in + k) * TAPS, &s->u[k]);
        }
        for (int64_t t = 0; t < p->batch * all; t += s->origins) {
            const int64_t tiles = smaller(s->origins, p->batch * all - t);
            for (int64_t k = 0; k < tiles; k++) {
                take_tiles(p, (t + k) / all, group, (t + k) % all, &s->v[k * p->in]);
            }
            for (int64_t c = 0; c < channels; c++) {
                for (int64_t k = 0; k < tiles; k++) {
                    const int64_t channel = ((t + k) / all * p->groups + group) * p->out + first + c;
                    winograd_multiply(p->w, p->in, &s->u[c * p->in], &s->v[k * p->in], &y);
                    raise_limits(s, channel * plane, (t + k) % all, &y);
                }
            }
        }
    }
}

/* Scales the limits back, adds the bias and completes the others. A sum of nonnegative doubles errs by less
 * than 2^-30. */
static void finish(const struct sweep *s, const struct tensor *bias)
{
    const struct problem *p = &s->p;
    const int scale = p->data_scale + p->kernel_scale;
    const int64_t plane = p->to[0] * p->to[1];
    for (int64_t e = 0; e < s->out->elements; e++) {
        double *limit = &s->out->sensitivity[e * WINOGRAD_SENSITIVITIES];
        struct envelope *envelope = &s->out->envelope[e];
        const double added = bias ? tensor_component(bias, e / plane % (p->groups * p->out)) : 0,
                     truth = value_approximately(&s->out->value[e]),
                     whole = ldexp(sqrt(s->variance[e]), scale),
                     magnitude = (ldexp(limit[WINOGRAD_MAGNITUDE], scale) + fabs(added)) * (1 + 0x1p-30);
        /* squares left the range of doubles */
        const bool lost = s->variance[e] < 0x1p-900 && limit[WINOGRAD_MAGNITUDE] > 0;
        limit[WINOGRAD_TILE] = p->w->m;
        limit[WINOGRAD_ROUNDINGS] = p->w->roundings + (double)p->in + (bias ? 1 : 0);
        limit[WINOGRAD_MAGNITUDE] = or_infinite(magnitude);
        limit[WINOGRAD_GREATEST] = fmax(limit[WINOGRAD_MAGNITUDE], s->greatest);
        const double spread = lost ? INFINITY : bias ? envelope_join(whole, truth) : whole;
        if (!(spread <= envelope->spread)) {
            envelope->spread = spread;
            envelope_alone(envelope, e, truth);
        }
    }
}

static bool fill(const struct op_call *call, int m, struct truth_output *out)
{
    struct sweep s = {.out = out};
    bool good = problem_open(&s.p, call) && sweep_open(&s);
    for (int tile = 2; good && tile <= m; tile += 2) { /* a runtime may take smaller tiles for some shapes */
        s.p.w = winograd_of(tile);
        const double b = s.p.w->norm_b, g = fmax(1, s.p.w->norm_g);
        s.greatest = fmax(s.greatest, fmax(s.p.data_most * b * b, s.p.kernel_most * g * g));
        for (int64_t group = 0; group < s.p.groups; group++) {
            sweep_group(&s, group);
        }
    }
    const bool biased =
        !(call->op->variant & CONVOLUTION_GRADIENT) && call->inputs > 2 && !tensor_absent(&call->input[2]);
    if (good) {
        finish(&s, biased ? &call->input[2] : NULL);
    }
    sweep_close(&s);
    return good;
}

static bool fill_all(const struct op_call *call, struct truth *truth, struct error *error)
{
    bool good = true;
    for (int o = 0; o < truth->outputs && good; o++) {
        const int m = tile_of(call->attributes, call->op, o);
        good = m == 0 || fill(call, m, &truth->output[o]);
    }
    return good || error_set(error, "%s: out of memory", call->op->name);
}

bool convolution_truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    return product_sum_truth(call, truth, error) && fill_all(call, truth, error);
}

bool convolution_enclose(const struct op_call *call, struct truth *truth, struct error *error)
{
    return product_sum_enclose(call, truth, error) && fill_all(call, truth, error);
}

/* --- limits of one element */

/* Returns the limits of Winograd's algorithm; NULL for an element that is judged classically. */
static const double *limits_of(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    return out->sensitivities == WINOGRAD_SENSITIVITIES
               ? &out->sensitivity[query->element * WINOGRAD_SENSITIVITIES]
               : NULL;
}

/* True if every operation on these integers is exact: the halves of F(2×2, 3×3) leave multiples of 2^-4. */
static bool is_exact(const double *s, int precision)
{
    return s[WINOGRAD_TILE] == 2 && 16 * s[WINOGRAD_GREATEST] <= ldexp(1, precision);
}

static double underflow_of(const struct bound_query *query, const double *s)
{
    const enum dtype dtype = query->truth->output[query->output].dtype;
    return s[WINOGRAD_UNDERFLOW] * profile_underflow_unit(query->profile, query->profile->accumulate[dtype]);
}

/* The greater of both bounds: sums of products are always right. Where a NaN or an infinity makes W infinite
 * Winograd's algorithm gives no finite number, so that the bound of those is the classical one. */
double convolution_bound(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = limits_of(query), classical = product_sum_bound(query);
    const enum dtype accumulate = query->profile->accumulate[out->dtype];
    if (!s || out->value[query->element].class != VALUE_FINITE || s[WINOGRAD_MAGNITUDE] == 0 ||
        (query->exact && is_exact(s, dtype_info(accumulate)->precision)) ||
        (isinf(s[WINOGRAD_MAGNITUDE]) && s[HAS_SPECIAL] != 0)) {
        return classical;
    }
    const double first = s[WINOGRAD_ROUNDINGS] * profile_accumulate_roundoff(query->profile, out->dtype),
                 relative = first < 1 ? first / (1 - first) : INFINITY;
    return fmax(classical, relative * s[WINOGRAD_MAGNITUDE] + underflow_of(query, s));
}

double convolution_primitive_error(const struct bound_query *query)
{
    const double *s = limits_of(query);
    return fmax(product_sum_primitive_error(query),
                s && s[WINOGRAD_MAGNITUDE] > 0 ? underflow_of(query, s) : 0);
}

bool convolution_may_overflow(const struct bound_query *query)
{
    const struct truth_output *out = &query->truth->output[query->output];
    const double *s = limits_of(query);
    const bool beyond = s && !(s[WINOGRAD_GREATEST] <= dtype_max(query->profile->accumulate[out->dtype]));
    return (beyond && out->value[query->element].class != VALUE_NAN) || product_sum_may_overflow(query);
}
