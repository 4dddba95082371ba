/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/convolution/test/winograd_form.h"
#include "reference/ops/convolution/convolution_shape.h"

enum { SIDE_MOST = 6, MOST = SIDE_MOST * SIDE_MOST, KERNEL = 3 };

static double near(const struct winograd_form *f, double x)
{
    return f->wide == DTYPE_FLOAT64 ? x : (double)(float)x;
}

#define N(x) near(f, (x))

struct convolution_case winograd_case_any(struct philox *g, bool transposed, int64_t channels)
{
    struct convolution_case p = {.rank = 2,
                                 .batch = 1 + philox_below(g, 2),
                                 .groups = 1 + philox_below(g, 2),
                                 .x_channels = 1 + philox_below(g, (uint32_t)channels),
                                 .y_channels = 1 + philox_below(g, (uint32_t)channels),
                                 .transposed = transposed};
    for (int i = 0; i < DIMENSIONS; i++) {
        p.kernel[i] = i < 2 ? KERNEL : 1;
        p.stride[i] = p.dilation[i] = p.x[i] = p.y[i] = 1;
    }
    for (int i = 0; i < 2; i++) {
        do {
            p.y[i] = 1 + philox_below(g, 9);
            p.begin[i] = philox_below(g, 3);
            p.end[i] = transposed ? p.begin[i] : philox_below(g, 3);
            p.x[i] = p.y[i] + 2 - p.begin[i] - p.end[i];
        } while (p.x[i] < 1);
    }
    return p;
}

struct winograd_form winograd_form_any(int m, enum dtype dtype, struct philox *g)
{
    struct winograd_form form = {
        .m = m,
        .first = {(int)philox_below(g, (uint32_t)m), (int)philox_below(g, (uint32_t)m)},
        .factored = philox_below(g, 2),
        .fused = philox_below(g, 2),
        .columns = philox_below(g, 2),
        .parts = 1 + philox_below(g, 3),
        .wide = dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32};
    philox_start(&form.g, philox_next64(g));
    return form;
}

/* --- transforms of one row */

static void kernel_row(const struct winograd_form *f, const double *g, double *u)
{
    if (f->m == 2) {
        const double even = N(g[0] + g[2]);
        u[0] = g[0];
        u[1] = N(0.5 * N(even + g[1]));
        u[2] = N(0.5 * N(even - g[1]));
        u[3] = g[2];
        return;
    }
    const double sixth = N(1. / 6), twelfth = N(1. / 12), part = N(1. / 24), even = N(g[0] + g[2]),
                 far = N(N(part * g[0]) + N(sixth * g[2])), odd = N(twelfth * g[1]);
    u[0] = N(0.25 * g[0]);
    u[1] = N(-sixth * N(even + g[1]));
    u[2] = N(-sixth * N(even - g[1]));
    u[3] = N(far + odd);
    u[4] = N(far - odd);
    u[5] = g[2];
}

static void data_row(const struct winograd_form *f, const double *d, double *v)
{
    if (f->m == 2) {
        v[0] = N(d[0] - d[2]);
        v[1] = N(d[1] + d[2]);
        v[2] = N(d[2] - d[1]);
        v[3] = N(d[1] - d[3]);
        return;
    }
    const double a = N(d[4] - N(4 * d[2])), b = N(d[3] - N(4 * d[1])), e = N(d[4] - d[2]),
                 h = N(2 * N(d[3] - d[1]));
    v[0] = N(N(N(4 * d[0]) - N(5 * d[2])) + d[4]);
    v[1] = N(a + b);
    v[2] = N(a - b);
    v[3] = N(e + h);
    v[4] = N(e - h);
    v[5] = N(N(N(4 * d[1]) - N(5 * d[3])) + d[5]);
}

static void result_row(const struct winograd_form *f, const double *x, double *y)
{
    if (f->m == 2) {
        y[0] = N(N(x[0] + x[1]) + x[2]);
        y[1] = N(N(x[1] - x[2]) - x[3]);
        return;
    }
    const double a = N(x[1] + x[2]), b = N(x[1] - x[2]), e = N(x[3] + x[4]), h = N(x[3] - x[4]);
    y[0] = N(N(x[0] + a) + e);
    y[1] = N(b + N(2 * h));
    y[2] = N(a + N(4 * e));
    y[3] = N(N(b + N(8 * h)) + x[5]);
}

typedef void row_transform(const struct winograd_form *f, const double *x, double *y);

/* The same by the matrix of the transform, whose sums are added in a random order. */
static void by_matrix(struct winograd_form *f, row_transform *transform, int from, int to, const double *x,
                      double *y)
{
    for (int i = 0; i < to; i++) {
        double term[SIDE_MOST], sum = 0;
        int count = 0;
        for (int k = 0; k < from; k++) {
            double unit[SIDE_MOST] = {0}, column[SIDE_MOST];
            unit[k] = 1;
            transform(f, unit, column);
            if (column[i] != 0) {
                const int at = (int)philox_below(&f->g, (uint32_t)++count);
                term[count - 1] = term[at];
                term[at] = N(column[i] * x[k]);
            }
        }
        for (int k = 0; k < count; k++) {
            sum = N(sum + term[k]);
        }
        y[i] = sum;
    }
}

/* Transforms both sides of x, from × from, into to × to numbers. */
static void both_sides(struct winograd_form *f, row_transform *transform, int from, int to, const double *x,
                       double *y)
{
    double half[MOST], in[SIDE_MOST], out[SIDE_MOST];
    for (int side = 0; side < 2; side++) {
        const bool rows = (side == 0) != f->columns;
        const int lines = side == 0 ? from : to;
        for (int i = 0; i < lines; i++) {
            for (int k = 0; k < from; k++) { /* the first side leaves lines of `to` numbers */
                const int at = rows ? i * from + k : k * (side == 0 ? from : to) + i;
                in[k] = side == 0 ? x[at] : half[at];
            }
            if (f->factored) {
                transform(f, in, out);
            } else {
                by_matrix(f, transform, from, to, in, out);
            }
            for (int k = 0; k < to; k++) {
                const int at = rows ? i * to + k : k * (side == 0 ? from : to) + i;
                (side == 0 ? half : y)[at] = out[k];
            }
        }
    }
}

/* --- a convolution */

struct plane {
    int64_t batch, groups, in, out, from[2], to[2], before[2];
    const double *data, *weight;
    bool flipped; /* taps are mirrored, input and output channels exchanged: the kernel of the adjoint */
};

static struct plane plane_of(const struct judged_case *c)
{
    const struct convolution_case *p = &c->p;
    const bool gradient = c->op->variant & CONVOLUTION_GRADIENT;
    const enum side to = gradient ? c->from : c->to, from = gradient ? c->to : c->from;
    struct plane s = {.batch = p->batch,
                      .groups = p->groups,
                      .data = c->x[from],
                      .weight = c->x[SIDE_WEIGHT],
                      .flipped = to == SIDE_X};
    s.in = from == SIDE_X ? p->x_channels : p->y_channels;
    s.out = to == SIDE_X ? p->x_channels : p->y_channels;
    for (int i = 0; i < 2; i++) {
        s.from[i] = from == SIDE_X ? p->x[i] : p->y[i];
        s.to[i] = to == SIDE_X ? p->x[i] : p->y[i];
        s.before[i] = to == SIDE_Y ? p->begin[i] : KERNEL - 1 - p->begin[i];
    }
    return s;
}

static double half_of(const struct winograd_form *f, double x)
{
    unsigned char bytes[8];
    if (f->fault != WINOGRAD_TRANSFORM_FLOAT16) {
        return x;
    }
    dtype_store(DTYPE_FLOAT16, bytes, x);
    return dtype_load(DTYPE_FLOAT16, bytes);
}

static void kernel_of(struct winograd_form *f, const struct plane *s, int64_t group, int64_t out, int64_t in,
                      double *u)
{
    const int64_t at = s->flipped ? (group * s->in + in) * s->out + out : (group * s->out + out) * s->in + in;
    const bool mirrored = s->flipped != (f->fault == WINOGRAD_TAPS_FLIPPED);
    double g[KERNEL * KERNEL];
    for (int t = 0; t < KERNEL * KERNEL; t++) {
        g[t] = s->weight[at * KERNEL * KERNEL + (mirrored ? KERNEL * KERNEL - 1 - t : t)];
    }
    both_sides(f, kernel_row, KERNEL, f->m + 2, g, u);
}

static void tile_of(struct winograd_form *f, const struct plane *s, int64_t channel, const int64_t origin[2],
                    double *v)
{
    const int n = f->m + 2;
    double d[MOST];
    for (int k = 0; k < n * n; k++) {
        const int64_t i = origin[0] - s->before[0] + k / n, j = origin[1] - s->before[1] + k % n;
        const bool inside = i >= 0 && i < s->from[0] && j >= 0 && j < s->from[1];
        d[k] = inside ? s->data[(channel * s->from[0] + i) * s->from[1] + j] : 0;
    }
    both_sides(f, data_row, n, n, d, v);
}

static void add_channel(const struct winograd_form *f, const double *u, const double *v, double *sum)
{
    for (int k = 0; k < (f->m + 2) * (f->m + 2); k++) {
        const double a = half_of(f, u[k]), b = half_of(f, v[k]);
        sum[k] = !f->fused                  ? N(sum[k] + N(a * b))
                 : f->wide == DTYPE_FLOAT64 ? fma(a, b, sum[k])
                                            : (double)fmaf((float)a, (float)b, (float)sum[k]);
    }
}

/* Computes a tile of results whose first is at `origin`; `first` is element 0 of their plane. */
static void run_tile(struct winograd_form *f, const struct plane *s, int64_t sample, int64_t group,
                     int64_t out, const int64_t origin[2], const double *bias, double *first)
{
    const int n = f->m + 2;
    double all[MOST] = {0}, u[MOST], v[MOST], y[MOST];
    int64_t read[2] = {origin[0],
                       origin[1] + (f->fault == WINOGRAD_TILE_SHIFTED && origin[0] <= 0 && origin[1] <= 0)};
    for (int64_t part = 0; part < f->parts; part++) {
        double sum[MOST] = {0};
        for (int64_t c = s->in * part / f->parts; c < s->in * (part + 1) / f->parts; c++) {
            kernel_of(f, s, group, out, c, u);
            tile_of(f, s, (sample * s->groups + group) * s->in + c, read, v);
            add_channel(f, u, v, sum);
        }
        for (int k = 0; k < n * n; k++) {
            all[k] = part ? N(all[k] + sum[k]) : sum[k];
        }
    }
    both_sides(f, result_row, n, f->m, all, y);
    for (int k = 0; k < f->m * f->m; k++) {
        const int64_t i = origin[0] + k / f->m, j = origin[1] + k % f->m;
        if (i >= 0 && i < s->to[0] && j >= 0 && j < s->to[1]) {
            first[i * s->to[1] + j] = bias ? N(y[k] + *bias) : y[k];
        }
    }
}

void winograd_form_run(struct winograd_form *f, const struct judged_case *c, double *got)
{
    const struct plane s = plane_of(c);
    for (int64_t k = 0; k < s.batch * s.groups * s.out; k++) {
        const int64_t out = k % s.out, group = k / s.out % s.groups;
        const double *bias = c->bias ? &c->bias[group * s.out + out] : NULL;
        for (int64_t i = -f->first[0]; i < s.to[0]; i += f->m) {
            for (int64_t j = -f->first[1]; j < s.to[1]; j += f->m) {
                run_tile(f, &s, k / s.out / s.groups, group, out, (int64_t[]){i, j}, bias,
                         got + k * s.to[0] * s.to[1]);
            }
        }
    }
}
