/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_group.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/ops/attention/attention_columns.h"

#include <math.h>
#include <stdlib.h>

static const double more = 1 + 0x1p-30; /* covers roundings of sums of doubles of one sign */

bool attention_group_create(struct attention_group *g, const struct op_call *call, const struct attention *a,
                            int64_t room)
{
    const size_t keys = (size_t)a->keys + 1, queries = (size_t)a->queries + 1,
                 columns = (size_t)a->value_width + 1;
    *g = (struct attention_group){.a = a, .call = call, .room = room};
    g->batch = malloc(((size_t)room + 1) * sizeof *g->batch);
    g->number = malloc(GROUP_NUMBERS * ((size_t)room * queries * keys + 1) * sizeof *g->number);
    g->grad = malloc(queries * columns * sizeof *g->grad);
    g->value = malloc(keys * columns * sizeof *g->value);
    g->product = malloc(queries * keys * sizeof *g->product);
    g->result = malloc(columns * sizeof *g->result);
    g->weight = malloc(WEIGHTS * keys * sizeof *g->weight);
    bool good = attention_scores_create(&g->s, call, &attention_backward_operands, a, a->queries);
    return good && g->batch && g->number && g->grad && g->value && g->product && g->result && g->weight;
}

void attention_group_clear(struct attention_group *g)
{
    attention_scores_clear(&g->s);
    free(g->batch);
    free(g->number);
    free(g->grad);
    free(g->value);
    free(g->product);
    free(g->result);
    free(g->weight);
}

/* Matrices that come first for each batch: a union-find over the three operands. */
static int64_t root(int64_t *first, int64_t b)
{
    while (first[b] != b) {
        first[b] = first[first[b]];
        b = first[b];
    }
    return b;
}

static void join(int64_t *first, int64_t a, int64_t b)
{
    int64_t x = root(first, a), y = root(first, b);
    first[x < y ? y : x] = x < y ? x : y;
}

/* Joins the batches that have the same matrix. Matrices of consecutive batches are found by a search from the
 * batch itself back to 0, which ends at once unless operands broadcast. */
static void join_alike(const struct attention *a, int64_t *first, int64_t matrices,
                       int64_t (*matrix)(const struct attention *, int64_t))
{
    int64_t *seen = matrices < a->batches ? malloc((size_t)matrices * sizeof *seen) : NULL;
    for (int64_t k = 0; seen && k < matrices; k++) {
        seen[k] = -1;
    }
    for (int64_t b = 0; seen && b < a->batches; b++) {
        int64_t own = matrix(a, b);
        if (seen[own] >= 0) {
            join(first, seen[own], b);
        }
        seen[own] = b;
    }
    free(seen);
}

void attention_group_find(const struct attention *a, int64_t *first)
{
    for (int64_t b = 0; b < a->batches; b++) {
        first[b] = b;
    }
    join_alike(a, first, shape_elements(&a->query), attention_query_matrix);
    join_alike(a, first, shape_elements(&a->key), attention_key_matrix);
    join_alike(a, first, shape_elements(&a->value), attention_value_matrix);
    for (int64_t b = 0; b < a->batches; b++) {
        first[b] = root(first, b);
    }
}

/* --- one batch */

static bool load(double *to, int64_t stride, const struct tensor *tensor, int64_t from, int64_t rows,
                 int64_t columns)
{
    bool finite = true;
    for (int64_t i = 0; i < rows * columns; i++) {
        double x = tensor_component(tensor, from + i);
        finite = finite && isfinite(x);
        to[i / columns * stride + i % columns] = x;
    }
    return finite;
}

static bool is_finite(const struct tensor *tensor, int64_t from, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(tensor_component(tensor, from + i))) {
            return false;
        }
    }
    return true;
}

static void take(void *user, int64_t row, int64_t column, const struct dot_enclosure *sum)
{
    struct attention_group *g = user;
    struct dot_enclosure *to = &g->product[row * g->a->keys + column];
    *to = *sum;
    if (!sum->known) { /* IEEE 754's result, or a double without a radius */
        const int64_t columns = g->a->value_width;
        *to = (struct dot_enclosure){.radius = INFINITY};
        for (int64_t d = 0; d < columns; d++) {
            double term = g->grad[row * columns + d] * g->value[column * columns + d];
            to->value += term;
            to->magnitude += fabs(term) * more;
        }
    }
}

static bool load_batch(struct attention_group *g, int64_t batch)
{
    const struct attention *a = g->a;
    const int64_t columns = a->value_width;
    bool finite =
        load(g->grad, columns, &g->call->input[0], batch * a->queries * columns, a->queries, columns);
    finite = load(g->value, columns, &g->call->input[3], attention_value_matrix(a, batch) * a->keys * columns,
                  a->keys, columns) &&
             finite;
    finite = is_finite(&g->call->input[1], attention_query_matrix(a, batch) * a->queries * a->width,
                       a->queries * a->width) &&
             is_finite(&g->call->input[2], attention_key_matrix(a, batch) * a->keys * a->width,
                       a->keys * a->width) &&
             finite;
    g->special = g->special || !finite;
    struct dot_enclosure_problem problem = {.rows = a->queries,
                                            .columns = a->keys,
                                            .terms = columns,
                                            .left = g->grad,
                                            .right = g->value,
                                            .along = 1,
                                            .across = columns,
                                            .wide = true};
    envelope_widths(g->s.dtype, problem.u);
    return dot_enclosures(&problem, take, g) &&
           attention_scores_compute(&g->s, batch, 0, a->queries,
                                    attention_query_matrix(a, batch) * a->queries * a->width);
}

static void join_most(struct attention_group *g, const struct attention_row *row)
{
    g->most.score_most = fmax(g->most.score_most, row->score_most);
    g->most.distance_most = fmax(g->most.distance_most, row->distance_most);
    g->most.far = fmax(g->most.far, row->far);
    g->most.plain = fmax(g->most.plain, row->plain);
    g->most.subnormal = fmax(g->most.subnormal, row->subnormal);
    g->maximum = row->empty || row->is_nan ? g->maximum : fmax(g->maximum, fabs(row->most));
    g->has_empty = g->has_empty || row->empty;
    g->special = g->special || row->is_nan || row->spoilt;
    g->known = g->known && (row->known || row->empty);
}

/* Sums over the keys of one query. */
struct row_sums {
    double d, d_radius;                   /* D */
    double score, distance;               /* Σ P·T, Σ P·X */
    double h_score, h_distance, h, h_all; /* Σ P·T'·H, Σ P·X'·H, Σ P·H, Σ H over keys that take part */
    double tau, square, distance_square; /* Σ P²τ², Σ P², Σ P²X² */
    double shared;                       /* variance of the sum of weights and of a division, over u² */
    double out;                          /* Σ |dO|·|O| */
    int64_t parts;                       /* keys that take part */
    double logarithm;                    /* ≥ |m| + log M */
    double variance, exponential, argument, low, drift[ENVELOPE_WIDTHS]; /* of D */
};

static double gradient_of(const struct dot_enclosure *product)
{
    return product->value + product->low;
}

/* O of the query, and what Σ dO·O has. Fills g->result. */
static void sum_result(struct attention_group *g, int64_t i, struct row_sums *r, double *order,
                       double *squares)
{
    const struct attention *a = g->a;
    const double *grad = g->grad + i * a->value_width;
    double prefix = 0, energy = 0, square = 0, below = 0, p_prefix = 0;
    for (int64_t j = 0; j < a->keys; j++) {
        p_prefix += g->weight[WEIGHT_PROBABILITY * a->keys + j];
        below += p_prefix * p_prefix;
    }
    for (int64_t d = 0; d < a->value_width; d++) {
        double sum = 0, own = 0;
        for (int64_t j = 0; j < a->keys; j++) {
            if (g->weight[WEIGHT_TAKES * a->keys + j] != 0) {
                double x = g->weight[WEIGHT_PROBABILITY * a->keys + j] * g->value[j * a->value_width + d];
                sum += x;
                own += 2 * (sum * sum + x * x);
            }
        }
        double term = grad[d] * sum;
        /* what put_envelope of attention_forward.c has beside the errors of weights */
        energy += grad[d] * grad[d] * (own + sum * sum * (2 * below + 2));
        g->result[d] = sum;
        r->out += fabs(term);
        prefix += term;
        energy += prefix * prefix;
        square += term * term;
    }
    *order = energy;
    *squares = square;
    r->low = square; /* O rounded */
}

/* Fills the sums of a row, in the order in which they need each other. */
static void sum_row(struct attention_group *g, int64_t i, const struct attention_row *row, struct row_sums *r)
{
    const struct attention *a = g->a;
    const int64_t keys = a->keys;
    const struct attention_score *score = &g->s.score[i * keys];
    const struct dot_enclosure *product = &g->product[i * keys];
    const double *p = g->weight + WEIGHT_PROBABILITY * keys, *takes = g->weight + WEIGHT_TAKES * keys;
    double order, squares, p_prefix = 0, p_energy = 0, d_prefix = 0, d_energy = 0, d_squares = 0, most = 0,
                           rest = 0;
    *r = (struct row_sums){.d = 0};
    sum_result(g, i, r, &order, &squares);
    for (int64_t j = 0; j < keys; j++) {
        if (takes[j] == 0) {
            continue;
        }
        double dp = gradient_of(&product[j]), term = p[j] * dp;
        double total = r->d + term, back = total - r->d; /* Knuth's TwoSum */
        rest += (r->d - (total - back)) + (term - back);
        r->d = total;
        r->parts++;
        r->score += g->weight[WEIGHT_SCORE * keys + j];
        r->distance += g->weight[WEIGHT_DISTANCE * keys + j];
        r->tau += g->weight[WEIGHT_TAU * keys + j];
        r->square += p[j] * p[j];
        r->distance_square += g->weight[WEIGHT_DISTANCE_SQUARE * keys + j];
        p_prefix += p[j];
        p_energy += p_prefix * p_prefix;
        d_prefix += term;
        d_energy += d_prefix * d_prefix;
        d_squares += term * term;
        most += p[j] * product[j].magnitude;
        r->d_radius += p[j] * product[j].radius;
    }
    r->d += rest;
    /* probabilities err by twice the row's radius and by a few roundings; both sums are compensated */
    double relative = row->radius + 0x1p-50;
    r->d_radius = (r->d_radius + 2 * relative * most) * 1.01;
    r->shared = 2 * p_energy + 2;
    r->logarithm = fabs(row->most) + (keys > 1 ? portable_log((double)keys) : 0);
    double by_p = d_energy + d_squares + r->d * r->d * (r->shared + r->logarithm * r->logarithm),
           by_o = order + squares;
    for (int64_t j = 0; j < keys; j++) {
        if (takes[j] == 0) {
            continue;
        }
        double dp = gradient_of(&product[j]), apart = dp - r->d, h = product[j].magnitude + r->out;
        double x = p[j] > 0 ? -g->s.x[j] : 0;
        double own = envelope_join(product[j].envelope.order, product[j].envelope.squares);
        r->h_score += p[j] * (score[j].magnitude + r->score) * h;
        r->h_distance += p[j] * (x + r->distance) * h;
        r->h += p[j] * h;
        r->h_all += takes[j] * h;
        by_p += g->weight[WEIGHT_TAU * keys + j] * apart * apart + p[j] * p[j] * own * own;
        by_o += g->weight[WEIGHT_TAU * keys + j] * apart * apart;
        r->exponential += p[j] * p[j] * apart * apart;
        r->argument += p[j] * x * (p[j] * x) * apart * apart;
        r->low += p[j] * p[j] * dp * dp;
        for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
            r->drift[k] +=
                p[j] > 0 ? p[j] * (score[j].drift[k] * fabs(apart) + product[j].envelope.drift[k]) : 0;
        }
    }
    r->variance = fmax(by_p, by_o);
}

/* Fills the numbers of one score. */
static void fill_score(struct attention_group *g, int64_t at, int64_t i, int64_t j,
                       const struct attention_row *row, const struct row_sums *r)
{
    const int64_t keys = g->a->keys, size = g->room * g->a->queries * keys;
    const struct attention_score *score = &g->s.score[i * keys + j];
    const struct dot_enclosure *product = &g->product[i * keys + j];
    double *n = g->number + at;
    double p = g->weight[WEIGHT_PROBABILITY * keys + j], x = p > 0 ? -g->s.x[j] : 0;
    double dp = gradient_of(product), apart = dp - r->d, ds = p * apart, size_ds = fabs(ds);
    double relative = row->radius + 0x1p-50, own_p = 2 * relative * p + ATTENTION_LOST;
    double t = score->magnitude + r->score, tau = p > 0 ? g->weight[WEIGHT_TAU * keys + j] / (p * p) : 0;
    double variance = tau + r->tau + r->shared + r->logarithm * r->logarithm;
    double own = envelope_join(product->envelope.order, product->envelope.squares), square = p * p;
    bool single = r->parts == 1; /* P is 1, D is dP */
    n[GROUP_P * size] = single ? 1 : p;
    n[GROUP_DS * size] = single ? 0 : ds;
    n[GROUP_P_RADIUS * size] = single ? 0 : own_p;
    n[GROUP_DS_RADIUS * size] = single ? 0
                                       : 1.01 * (own_p * (fabs(apart) + product->radius + r->d_radius) +
                                                 p * (product->radius + r->d_radius) + 0x1p-51 * size_ds +
                                                 0x1p-52 * p * (fabs(dp) + fabs(r->d)));
    n[GROUP_DS_SCORE * size] = (size_ds * t + p * r->h_score) * more;
    n[GROUP_DS_DISTANCE * size] = (size_ds * (x + r->distance) + p * r->h_distance) * more;
    n[GROUP_DS_WEIGHT * size] = (size_ds + p * r->h) * more;
    n[GROUP_DS_VALUE * size] = p * (product->magnitude + r->h) * more;
    n[GROUP_DS_LOST * size] = (product->magnitude + r->h + p * r->h_all + 1) * more;
    n[GROUP_P_SCORE * size] = p * t * more;
    n[GROUP_P_DISTANCE * size] = p * (x + r->distance) * more;
    n[GROUP_P_VARIANCE * size] = square * variance;
    n[GROUP_DS_VARIANCE * size] = ds * ds * (variance + 3) + square * own * own + square * dp * dp;
    n[GROUP_D_VARIANCE * size] = square * r->variance;
    n[GROUP_DS_EXPONENTIAL * size] = ds * ds * (1 + r->square) + square * r->exponential;
    n[GROUP_DS_ARGUMENT * size] = ds * ds * (x * x + r->distance_square) + square * r->argument;
    n[GROUP_DS_LOGARITHM * size] = ds * r->logarithm;
    n[GROUP_DS_LOW * size] = ds * ds + square * r->low;
    n[GROUP_P_EXPONENTIAL * size] = square * (1 + r->square);
    n[GROUP_P_ARGUMENT * size] = square * (x * x + r->distance_square);
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        double u = g->s.u[k];
        n[(GROUP_DRIFT + k) * size] =
            (p > 0 ? size_ds * score->drift[k] + p * product->envelope.drift[k] : 0) + p * r->drift[k] +
            u * u * (size_ds * variance + p * r->h * r->tau);
    }
}

/* Fills all numbers of a score with 0, or with NaN. */
static void fill_with(struct attention_group *g, int64_t at, double x)
{
    for (int k = 0; k < GROUP_NUMBERS; k++) {
        g->number[k * g->room * g->a->queries * g->a->keys + at] = x;
    }
}

bool attention_group_compute(struct attention_group *g)
{
    const struct attention *a = g->a;
    g->most = (struct attention_row){.empty = false};
    g->maximum = 0;
    g->has_empty = g->special = false;
    g->known = true;
    for (int64_t k = 0; k < g->count; k++) {
        if (!load_batch(g, g->batch[k])) {
            return false;
        }
        for (int64_t i = 0; i < a->queries; i++) {
            struct attention_row row;
            struct row_sums sums = {.d = 0};
            attention_row_describe(&g->s, i, &row);
            join_most(g, &row);
            bool number = !row.empty && !row.is_nan;
            if (number) {
                attention_weights(&g->s, i, g->weight);
                sum_row(g, i, &row, &sums);
            }
            for (int64_t j = 0; j < a->keys; j++) {
                int64_t at = (k * a->queries + i) * a->keys + j;
                bool takes = g->s.score[i * a->keys + j].key == ATTENTION_TAKES_PART;
                g->known = g->known && (g->product[i * a->keys + j].known || !takes);
                if (number && takes) {
                    fill_score(g, at, i, j, &row, &sums);
                } else {
                    fill_with(g, at, takes ? (double)NAN : 0);
                }
            }
        }
    }
    return true;
}
