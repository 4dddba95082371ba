/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/test/attention_forms.h"

enum { MOST = 64 };

double attention_held(enum dtype dtype, double x)
{
    unsigned char bytes[8];
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

double attention_near(const struct attention_case *p, double x)
{
    return p->dtype == DTYPE_FLOAT64 ? x : (double)(float)x;
}

#define N(x) attention_near(p, (x))

/* One of the two neighbours of e^x or 2^x: an error below one ulp. */
static double power(const struct attention_case *p, struct attention_form *form, double x)
{
    double y = form->powers ? exp2(x) : exp(x), near = N(y);
    if (p->dtype == DTYPE_FLOAT64 || near == y || philox_below(&form->g, 2) || near < 0x1p-120) {
        return near < 0x1p-126 && philox_below(&form->g, 2) ? 0 : near;
    }
    return (double)nextafterf((float)near, near < y ? INFINITY : 0);
}

double attention_form_dot(const struct attention_case *p, const struct attention_form *form, const double *a,
                          const double *b, int n)
{
    double sum[2] = {0, 0};
    for (int d = 0; d < n; d++) {
        double *s = &sum[form->halves ? d % 2 : 0];
        *s = N(*s + N(a[d] * b[d]));
    }
    return N(sum[0] + sum[1]);
}

struct attention_form attention_form_any(const struct attention_case *p, uint64_t seed, bool low)
{
    struct attention_form form = {.low = DTYPE_FLOAT64};
    philox_start(&form.g, seed + 77);
    form.naive = philox_below(&form.g, 3) == 0;
    form.block = 1 + (int)philox_below(&form.g, (uint32_t)p->keys);
    form.splits = 1 + (int)philox_below(&form.g, 3);
    form.halves = philox_below(&form.g, 2);
    form.powers = philox_below(&form.g, 2);
    form.inverse = philox_below(&form.g, 2);
    form.scale = (enum form_scale)philox_below(&form.g, SCALE_KINDS);
    form.by_result = philox_below(&form.g, 2);
    form.logarithm = philox_below(&form.g, 2);
    form.low = low ? p->dtype : DTYPE_FLOAT64;
    return form;
}

/* Fills the scores of a query, in powers of two if the form has them; −infinity where a key takes no part. */
static void scores(const struct attention_case *p, const struct attention_form *form, int b, int h, int i,
                   double *score)
{
    const double log2e = 1.4426950408889634, root = N(sqrt(p->scale)), unit = form->powers ? N(log2e) : 1;
    double scale = N(p->scale), q[MOST], k[MOST];
    if (form->powers && form->scale == SCALE_SCORES) {
        scale = N(p->scale * log2e); /* one number for both */
    }
    for (int j = 0; j < p->keys; j++) {
        double bias;
        score[j] = -INFINITY;
        if (!attention_case_takes(p, b, h, i, j, &bias)) {
            continue;
        }
        for (int d = 0; d < p->width; d++) {
            q[d] = attention_case_query(p, b, h, i)[d];
            k[d] = attention_case_key(p, b, h, j)[d];
            q[d] = form->scale == SCALE_QUERY  ? N(q[d] * scale)
                   : form->scale == SCALE_BOTH ? N(q[d] * root)
                                               : q[d];
            k[d] = form->scale == SCALE_KEY    ? N(k[d] * scale)
                   : form->scale == SCALE_BOTH ? N(k[d] * root)
                                               : k[d];
        }
        double s = attention_form_dot(p, form, q, k, p->width);
        if (form->scale == SCALE_SCORES) {
            s = N(s * scale);
        } else if (form->powers) {
            s = N(s * unit);
        }
        score[j] = bias == 0 ? s : N(s + (form->powers ? N(bias * unit) : bias));
    }
}

static double low_of(const struct attention_form *form, double x)
{
    return form->low == DTYPE_FLOAT64 ? x : attention_held(form->low, x);
}

struct part {
    double most, total, sum[MOST];
};

static void add_block(const struct attention_case *p, struct attention_form *form, int b, int h,
                      const double *score, int from, int to, struct part *part)
{
    double most = part->most;
    for (int j = from; j < to; j++) {
        most = fmax(most, score[j]);
    }
    if (most == -INFINITY) {
        return;
    }
    double factor = part->most == -INFINITY ? 0 : power(p, form, N(part->most - most));
    part->most = most;
    part->total = N(part->total * factor);
    for (int d = 0; d < p->value_width; d++) {
        part->sum[d] = N(part->sum[d] * factor);
    }
    for (int j = from; j < to; j++) {
        double weight = score[j] == -INFINITY ? 0 : power(p, form, N(score[j] - most)),
               own = low_of(form, weight);
        part->total = N(part->total + weight);
        for (int d = 0; d < p->value_width; d++) {
            part->sum[d] = N(part->sum[d] + N(own * attention_case_value(p, b, h, j)[d]));
        }
    }
}

static void join(const struct attention_case *p, struct attention_form *form, const struct part *other,
                 struct part *all)
{
    double most = fmax(all->most, other->most);
    if (most == -INFINITY) {
        return;
    }
    double a = all->most == -INFINITY ? 0 : power(p, form, N(all->most - most)),
           b = other->most == -INFINITY ? 0 : power(p, form, N(other->most - most));
    all->most = most;
    all->total = N(N(all->total * a) + N(other->total * b));
    for (int d = 0; d < p->value_width; d++) {
        all->sum[d] = N(N(all->sum[d] * a) + N(other->sum[d] * b));
    }
}

static double divided(const struct attention_case *p, const struct attention_form *form, double x, double by)
{
    return form->inverse ? N(x * N(1 / by)) : N(x / by);
}

void attention_form_row(const struct attention_case *p, struct attention_form *form, int b, int h, int i,
                        double *probability, double *result)
{
    double score[MOST], most = -INFINITY, total = 0;
    scores(p, form, b, h, i, score);
    for (int j = 0; j < p->keys; j++) {
        most = fmax(most, score[j]);
    }
    for (int j = 0; j < p->keys; j++) {
        probability[j] = score[j] == -INFINITY ? 0 : power(p, form, N(score[j] - most));
        total = N(total + probability[j]);
    }
    double logarithm = N(most + N(form->powers ? log2(total) : log(total)));
    for (int j = 0; j < p->keys; j++) {
        probability[j] = score[j] == -INFINITY || most == -INFINITY ? 0
                         : form->logarithm                          ? power(p, form, N(score[j] - logarithm))
                                                                    : divided(p, form, probability[j], total);
    }
    if (form->naive || most == -INFINITY) {
        for (int d = 0; d < p->value_width; d++) {
            double sum = 0;
            for (int j = 0; j < p->keys; j++) {
                sum = N(sum + N(low_of(form, probability[j]) * attention_case_value(p, b, h, j)[d]));
            }
            result[d] = sum;
        }
        return;
    }
    struct part all = {.most = -INFINITY};
    for (int s = 0; s < form->splits; s++) {
        struct part part = {.most = -INFINITY};
        int from = p->keys * s / form->splits, to = p->keys * (s + 1) / form->splits;
        for (int j = from; j < to; j += form->block) {
            add_block(p, form, b, h, score, j, j + form->block < to ? j + form->block : to, &part);
        }
        join(p, form, &part, &all);
    }
    for (int d = 0; d < p->value_width; d++) {
        result[d] = divided(p, form, all.sum[d], all.total);
    }
}

void attention_form_forward(const struct attention_case *p, struct attention_form *form, double *result)
{
    double probability[MOST], row[MOST];
    for (int b = 0; b < p->batch; b++) {
        for (int h = 0; h < p->heads; h++) {
            for (int i = 0; i < p->queries; i++) {
                attention_form_row(p, form, b, h, i, probability, row);
                for (int d = 0; d < p->value_width; d++) {
                    *result++ = attention_held(p->dtype, row[d]);
                }
            }
        }
    }
}

/* --- the gradient */

static void add(const struct attention_case *p, double *sum, double a, double b)
{
    *sum = N(*sum + N(a * b));
}

static void add_row(const struct attention_case *p, struct attention_form *form, int b, int h, int i,
                    double *const sum[4])
{
    double probability[MOST], row[MOST], dp[MOST], d = 0;
    const double *grad = attention_case_grad(p, b, h, i), *query = attention_case_query(p, b, h, i);
    attention_form_row(p, form, b, h, i, probability, row);
    for (int j = 0; j < p->keys; j++) {
        dp[j] = attention_form_dot(p, form, grad, attention_case_value(p, b, h, j), p->value_width);
    }
    for (int v = 0; v < p->value_width && form->by_result; v++) {
        d = N(d + N(grad[v] * attention_held(p->dtype, row[v])));
    }
    for (int j = 0; j < p->keys && !form->by_result; j++) {
        d = N(d + N(probability[j] * dp[j]));
    }
    for (int j = 0; j < p->keys; j++) {
        double ds = N(probability[j] * N(dp[j] - d)), low = low_of(form, probability[j]), bias;
        if (!attention_case_takes(p, b, h, i, j, &bias)) {
            continue;
        }
        if (sum[3]) {
            double *to = &sum[3][attention_case_mask(p, b, h, i, j)];
            *to = N(*to + ds);
        }
        if (form->scale == SCALE_QUERY) { /* the scale is in dS */
            ds = N(ds * N(p->scale));
        }
        ds = low_of(form, ds);
        double *dq = sum[0] + (query - p->query), *dk = sum[1] + (attention_case_key(p, b, h, j) - p->key),
               *dv = sum[2] + (attention_case_value(p, b, h, j) - p->value);
        for (int e = 0; e < p->width; e++) {
            add(p, &dq[e], ds, attention_case_key(p, b, h, j)[e]);
            add(p, &dk[e], ds, query[e]);
        }
        for (int v = 0; v < p->value_width; v++) {
            add(p, &dv[v], low, grad[v]);
        }
    }
}

void attention_form_backward(const struct attention_case *p, struct attention_form *form,
                             double *const got[4], const int64_t count[4])
{
    for (int o = 0; o < 4; o++) {
        for (int64_t e = 0; got[o] && e < count[o]; e++) {
            got[o][e] = 0;
        }
    }
    for (int row = 0; row < p->batch * p->heads * p->queries; row++) {
        add_row(p, form, row / p->queries / p->heads, row / p->queries % p->heads, row % p->queries, got);
    }
    for (int o = 0; o < 4; o++) {
        for (int64_t e = 0; got[o] && e < count[o]; e++) {
            double x = o < 2 && form->scale != SCALE_QUERY ? N(got[o][e] * N(p->scale)) : got[o][e];
            got[o][e] = attention_held(p->dtype, x);
        }
    }
}
