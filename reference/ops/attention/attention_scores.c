/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_scores.h"
#include "reference/numeric/elementary/elementary.h"
#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/numeric/round_up.h"

#include <math.h>
#include <stdlib.h>

bool attention_scores_create(struct attention_scores *s, const struct op_call *call,
                             const struct attention_operands *at, const struct attention *a, int64_t room)
{
    const size_t keys = (size_t)a->keys + 1, width = (size_t)a->width + 1, rows = (size_t)room + 1;
    *s = (struct attention_scores){.a = a,
                                   .call = call,
                                   .at = at,
                                   .dtype = call->input[at->query].dtype,
                                   .room = room,
                                   .matrix = -1,
                                   .score = malloc(rows * keys * sizeof *s->score),
                                   .query = malloc(rows * width * sizeof *s->query),
                                   .key = malloc(keys * width * sizeof *s->key),
                                   .x = malloc(keys * sizeof *s->x),
                                   .weight = malloc(keys * sizeof *s->weight),
                                   .error = malloc(keys * sizeof *s->error),
                                   .probability = malloc(keys * sizeof *s->probability)};
    envelope_widths(s->dtype, s->u);
    return s->score && s->query && s->key && s->x && s->weight && s->error && s->probability;
}

void attention_scores_clear(struct attention_scores *s)
{
    free(s->score);
    free(s->query);
    free(s->key);
    free(s->x);
    free(s->weight);
    free(s->error);
    free(s->probability);
}

/* --- one score */

struct taking {
    struct attention_scores *s;
    int64_t batch, first;
};

/* The sum of products where no enclosure is known: IEEE 754's result if a factor is not finite, else a double
 * without a radius. */
static void sum_plainly(const struct attention_scores *s, const double *q, const double *k,
                        struct dot_enclosure *sum)
{
    double total = 0, magnitude = 0;
    for (int64_t d = 0; d < s->a->width; d++) {
        total += q[d] * k[d];
        if (isfinite(q[d]) && isfinite(k[d])) {
            magnitude = round_up_sum(magnitude, round_up_product(fabs(q[d]), fabs(k[d])));
        }
    }
    *sum = (struct dot_enclosure){.value = total, .radius = INFINITY, .magnitude = magnitude};
    sum->envelope.order = INFINITY;
}

static double subnormal_part(const struct attention_scores *s, const double *q, const double *k)
{
    double least = dtype_least_normal(s->dtype), part = 0;
    for (int64_t d = 0; d < s->a->width; d++) {
        if ((q[d] != 0 && fabs(q[d]) < least) || (k[d] != 0 && fabs(k[d]) < least)) {
            part = round_up_sum(part, round_up_product(fabs(q[d]), fabs(k[d])));
        }
    }
    return part;
}

/* Decides whether the key takes part, and adds the mask to its score. */
static void mask_score(const struct taking *t, int64_t query, int64_t key, double dot,
                       struct attention_score *score)
{
    const struct attention *a = t->s->a;
    double mask = 0;
    bool hidden = a->causal && key > query;
    if (a->masked) {
        int64_t e = attention_mask_element(a, t->batch, query, key);
        const struct tensor *tensor = &t->s->call->input[t->s->at->mask];
        mask = tensor_component(tensor, e);
        hidden = a->boolean ? mask == 0 : mask == -INFINITY;
        mask = a->boolean ? 0 : mask;
    }
    score->key = hidden ? ATTENTION_MASKED : ATTENTION_TAKES_PART;
    score->spoils = hidden && !isfinite(dot);
    if (hidden) {
        score->score = -INFINITY;
        return;
    }
    score->score = dot + mask;
    if (score->score == -INFINITY) {
        score->key = ATTENTION_MINUS_INFINITY;
    }
    if (mask != 0) {
        score->radius += 0x1p-53 * fabs(score->score);
        score->magnitude += fabs(mask);
    }
}

/* Scales a sum of products. The scale errs by 2^-52 of itself and the product by 2^-53. All is multiplied by
 * 1 + 2^-40, which covers the roundings of these lines. */
static void take(void *user, int64_t row, int64_t column, const struct dot_enclosure *given)
{
    const struct taking *t = user;
    struct attention_scores *s = t->s;
    const struct attention *a = s->a;
    struct dot_enclosure own;
    const struct dot_enclosure *sum = given;
    const double *q = s->query + row * a->width, *k = s->key + column * a->width;
    struct attention_score *score = &s->score[row * a->keys + column];
    if (!given->known) {
        sum_plainly(s, q, k, &own);
        sum = &own;
    }
    const double more = 1 + 0x1p-40, scale = fabs(a->scale), c = scale * more;
    double dot = a->scale * (sum->value + sum->low);
    *score = (struct attention_score){.radius = c * sum->radius + 0x1p-51 * fabs(dot),
                                      .magnitude = c * sum->magnitude,
                                      .plain = fmax(1, c) * sum->magnitude};
    if (dot == 0 && sum->exact && sum->value == 0) {
        score->radius = 0;
    }
    double spread = c * envelope_join(sum->envelope.order, sum->envelope.squares);
    score->energy = spread * spread;
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        score->drift[w] = c * sum->envelope.drift[w];
    }
    if (s->subnormal) {
        score->subnormal = c * subnormal_part(s, q, k);
    }
    mask_score(t, t->first + row, column, dot, score);
}

/* --- rows */

static bool any_subnormal(const struct attention_scores *s, const double *x, int64_t count)
{
    double least = dtype_least_normal(s->dtype);
    for (int64_t i = 0; i < count; i++) {
        if (x[i] != 0 && fabs(x[i]) < least) {
            return true;
        }
    }
    return false;
}

bool attention_scores_compute(struct attention_scores *s, int64_t batch, int64_t first, int64_t rows,
                              int64_t element)
{
    const struct attention *a = s->a;
    const int64_t matrix = attention_key_matrix(a, batch);
    if (matrix != s->matrix) {
        tensor_components(&s->call->input[s->at->key], matrix * a->keys * a->width, a->keys * a->width,
                          s->key);
        s->matrix = matrix;
        s->key_subnormal = any_subnormal(s, s->key, a->keys * a->width);
    }
    tensor_components(&s->call->input[s->at->query], element, rows * a->width, s->query);
    s->subnormal = s->key_subnormal || any_subnormal(s, s->query, rows * a->width);
    struct dot_enclosure_problem problem = {
        .rows = rows,
        .columns = a->keys,
        .terms = a->width,
        .left = s->query,
        .right = s->key,
        .along = 1,
        .across = a->width,
        .wide = true}; /* a small radius spares certifications, which cost milliseconds each */
    envelope_widths(s->dtype, problem.u);
    struct taking taking = {.s = s, .batch = batch, .first = first};
    return dot_enclosures(&problem, take, &taking);
}

/* Finds m and what is special about the row. */
static void find_most(const struct attention_score *score, int64_t keys, struct attention_row *out)
{
    *out = (struct attention_row){.empty = true, .known = true, .most = -INFINITY};
    for (int64_t j = 0; j < keys; j++) {
        const struct attention_score *one = &score[j];
        out->plain = fmax(out->plain, one->plain);
        out->spoilt = out->spoilt || one->spoils;
        if (one->key != ATTENTION_TAKES_PART) {
            continue;
        }
        out->empty = false;
        out->is_nan = out->is_nan || isnan(one->score) || one->score == INFINITY;
        out->known = out->known && isfinite(one->radius);
        out->most = fmax(out->most, one->score);
    }
    out->known = out->known && !out->empty && !out->is_nan;
}

static void find_greatest(const struct attention_score *score, const double *x, int64_t keys,
                          struct attention_row *out)
{
    for (int64_t j = 0; j < keys; j++) {
        if (score[j].key != ATTENTION_TAKES_PART) {
            continue;
        }
        if (-x[j] >= ATTENTION_FAR) {
            out->far = fmax(out->far, score[j].magnitude / -x[j]);
            continue;
        }
        out->score_most = fmax(out->score_most, score[j].magnitude);
        out->distance_most = fmax(out->distance_most, -x[j]);
        out->subnormal = fmax(out->subnormal, score[j].subnormal);
    }
}

/* Adds x to *total and the rounding error to *rest, by Knuth's TwoSum: total + rest errs by about 2^-53 of
 * Σ|x| for up to 2^26 terms. */
static void add_compensated(double *total, double *rest, double x)
{
    double sum = *total + x, back = sum - *total;
    *rest += (*total - (sum - back)) + (x - back);
    *total = sum;
}

/* The weight errs because of its score's radius, the rounding of x and the exponential: by at most
 * e^t·(1 + 2^-51) − 1 of itself, where t = radius + 2^-53·|x|. For t ≤ 2^-10 that is at most 1.001·t + 2^-51.
 */
static void find_weights(struct attention_scores *s, const struct attention_score *score,
                         struct attention_row *out)
{
    const int64_t keys = s->a->keys;
    double total = 0, rest = 0;
    for (int64_t j = 0; j < keys; j++) {
        s->x[j] = score[j].key == ATTENTION_TAKES_PART ? score[j].score - out->most : -INFINITY;
        if (s->x[j] > ATTENTION_NEAREST_LOST) {
            out->radius = fmax(out->radius, score[j].radius + 0x1p-53 * fabs(s->x[j]));
        }
    }
    elementary_exp(s->x, s->weight, s->error, (size_t)keys);
    for (int64_t j = 0; j < keys; j++) {
        s->weight[j] = s->x[j] > ATTENTION_NEAREST_LOST ? s->weight[j] : 0;
        add_compensated(&total, &rest, s->weight[j]);
    }
    total += rest;
    for (int64_t j = 0; j < keys; j++) {
        s->probability[j] = s->weight[j] / total;
    }
    out->radius = out->radius > 0x1p-10 ? INFINITY : 1.002 * out->radius + 0x1.01p-51;
    out->known = out->known && isfinite(out->radius);
}

void attention_row_describe(struct attention_scores *s, int64_t row, struct attention_row *out)
{
    const struct attention_score *score = &s->score[row * s->a->keys];
    find_most(score, s->a->keys, out);
    if (!out->empty && !out->is_nan) {
        find_weights(s, score, out);
        find_greatest(score, s->x, s->a->keys, out);
    }
}
