/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Gradients of normalizations in double-double with proved radii. Notation of normalization_statistics.h; the
 * statistics are those of normalization_pairs.c, m with an error δm, r with a relative error δr.
 *
 * |x|, |dy| and |g| are 0 or in [2^-200, 2^200], so that w = g·dy is exact as a double-double. The error of X
 * = (x − m)·r is
 *
 *     e_X = r·(δm + 2^-103·(|x| + |m|)) + |X|·(δr + 2^-100);
 *
 * A sum of n terms has an error of λ(n) times the sum of magnitudes (lanes_error of
 * reference/numeric/compensated_lanes.h), a product or a quotient of double-doubles a relative error of
 * 2^-101, a difference an error of 2^-103 times both magnitudes. Hence, for α = mean(w), β = mean(w·X) and dx
 * = r·(w − α − X·β),
 *
 *     δα  = (λ(n) + 2^-100)·mean|w|
 *     δβ  = mean(|w|·e_X) + (λ(n) + 2^-99)·mean|w·X|
 *     δdx = r·(2^-100·(|w| + |α| + |X·β|) + δα + e_X·|β| + |X|·δβ + e_X·δβ) + |dx|·(δr + 2^-100),
 *
 * in evaluation only the last term; and for dg = Σ dy·X over the N elements of a channel
 *
 *     δdg = Σ |dy|·e_X + (λ(N) + 2^-99)·Σ |dy·X|.
 *
 * Radii are raised by a factor of 1 + 2^-20, which covers their own roundings and the products of two errors,
 * and by 2^-800 for underflow: V + eps ≥ 2^-300, |X| ≤ sqrt(n) and N < 2^40, so that an underflow error of at
 * most 2^-1070 is multiplied by less than 2^220. Elements for which normalization_keep returns false are
 * certified at once, while the exact sums of their group are cached. */

#include "reference/numeric/compensated_lanes.h"
#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/ops/normalization/normalization_bound.h"
#include "reference/ops/normalization/normalization_pairs.h"
#include "reference/ops/normalization/normalization_truth.h"

#include <math.h>
#include <stdlib.h>

/* Scratch memory of one call: the current group, and the statistics of all groups. */
struct work {
    const struct normalization *n;
    int64_t length, terms; /* of a group, of a channel */
    double *x;             /* of the group */
    struct double_double *w;
    struct group_pairs *group;
    bool *known; /* for each group: `group` is filled and all x of the group are in range */
    struct normalization_input_certifier *input;
    struct normalization_weight_certifier *weight; /* created when a channel needs it */
};

/* α and β of a group with their errors, and mean|w|, mean|w·x|, mean|w·X|, rounded up. */
struct means {
    struct double_double alpha, beta;
    double error_alpha, error_beta, w, w_x, w_normal;
};

/* Returns X and stores e_X in *error. */
static struct double_double normal_of(const struct group_pairs *e, double x, double *error)
{
    struct double_double normal = dd_multiply(deviation_pair(e, x), e->r);
    *error = e->r.hi * deviation_error(e, x) + fabs(normal.hi) * (e->error_r + 0x1p-100);
    return normal;
}

static double total_of(const double lane[LANES])
{
    double total = 0;
    for (int k = 0; k < LANES; k++) {
        total += lane[k];
    }
    return total;
}

static struct means means_of(const struct work *work, const struct group_pairs *e)
{
    struct compensated_lanes sum = {{0}, {0}}, dot = {{0}, {0}};
    double w[LANES] = {0}, w_x[LANES] = {0}, w_normal[LANES] = {0}, n = (double)work->length;
    for (int64_t j = 0; j < work->length; j++) {
        double error, size = fabs(work->w[j].hi);
        struct double_double term = dd_multiply(work->w[j], normal_of(e, work->x[j], &error));
        lanes_add(&sum, j, work->w[j].hi, work->w[j].lo);
        lanes_add(&dot, j, term.hi, term.lo);
        w[j % LANES] += size;
        w_x[j % LANES] += size * fabs(work->x[j]);
        w_normal[j % LANES] += fabs(term.hi) + size * error;
    }
    double up = (1 + (n + 16) * 0x1p-52) / n;
    struct means m = {.w = total_of(w) * up, .w_x = total_of(w_x) * up, .w_normal = total_of(w_normal) * up};
    double around = e->error_mean * m.w + 0x1p-103 * (m.w_x + fabs(e->mean.hi) * m.w);
    m.beta = dd_over(lanes_total(&dot), n);
    m.error_beta =
        e->r.hi * around + (e->error_r + 0x1p-100) * m.w_normal + (lanes_error(n) + 0x1p-99) * m.w_normal;
    if (work->n->centred) {
        m.alpha = dd_over(lanes_total(&sum), n);
        m.error_alpha = (lanes_error(n) + 0x1p-100) * m.w;
    }
    return m;
}

/* |w|, rounded up; exact if w is a double. */
static double magnitude_of(struct double_double w)
{
    return w.lo == 0 ? fabs(w.hi) : fabs(w.hi) * (1 + 0x1p-52);
}

static bool take_element(const struct work *work, const struct group_pairs *e, const struct means *m,
                         int64_t i, int64_t j, struct truth_output *dx)
{
    struct double_double w = work->w[j], t = w;
    double x = work->x[j], off = 0, *s = &dx->sensitivity[i * GRADIENT_SENSITIVITIES];
    normalization_describe(&e->moments, s);
    s[ELEMENT_X] = fabs(x);
    s[ELEMENT_WEIGHT] = magnitude_of(w);
    if (!work->n->evaluates) {
        double error;
        struct double_double normal = normal_of(e, x, &error), along = dd_multiply(normal, m->beta);
        double size = fabs(w.hi) + fabs(m->alpha.hi) + fabs(along.hi), X = fabs(normal.hi);
        t = dd_minus(dd_minus(w, m->alpha), along);
        off =
            0x1p-100 * size + m->error_alpha + error * (fabs(m->beta.hi) + m->error_beta) + X * m->error_beta;
        s[ELEMENT_NORMAL] = X * (1 + 0x1p-40) + error;
        s[ELEMENT_BIAS] = fabs(m->alpha.hi) * (1 + 0x1p-40) + m->error_alpha;
        s[GROUP_PROJECTION] = fabs(m->beta.hi) * (1 + 0x1p-40) + m->error_beta;
        s[GROUP_W] = m->w;
        s[GROUP_W_X] = m->w_x;
        s[GROUP_W_NORMAL] = m->w_normal;
    }
    struct double_double value = dd_multiply(t, e->r);
    return normalization_keep(dx, i, value, e->r.hi * off + fabs(value.hi) * (e->error_r + 0x1p-100));
}

/* Stores x and w of a group; true if all of them are in range. In evaluation w need not be. */
static bool gather(struct work *work, int64_t group)
{
    const struct normalization *n = work->n;
    bool good = true;
    for (int64_t j = 0; j < work->length; j++) {
        int64_t i = normalization_element(n, group, j);
        double dy = tensor_component(n->grad, i), x = tensor_component(n->x, i),
               g = n->weight ? tensor_component(n->weight, normalization_channel_of(n, i)) : 1;
        bool product = is_factor(dy) && is_factor(g);
        work->x[j] = x;
        work->w[j] = product ? dd_product(g, dy) : (struct double_double){NAN, 0};
        good = good && is_factor(x) && (product || n->evaluates);
    }
    return good;
}

static void input_enclosure(struct work *work, int64_t group, struct truth_output *dx, int *bits)
{
    const struct normalization *n = work->n;
    struct group_pairs *e = &work->group[group];
    bool inside = gather(work, group),
         known = (inside || n->evaluates) && normalization_pairs(n, group, work->x, e);
    struct means m = {.w = 0};
    work->known[group] = known && inside;
    if (known && !n->evaluates) {
        m = means_of(work, e);
    }
    for (int64_t j = 0; j < work->length; j++) {
        int64_t i = normalization_element(n, group, j);
        if (!known || !take_element(work, e, &m, i, j, dx)) {
            normalization_input_certify(work->input, group, i, dx, bits);
            dx->radius[i] = 0;
        }
    }
}

/* Stores the enclosure of dg of one channel; false if the caller must certify it. */
static bool weight_enclosure(const struct work *work, int64_t channel, struct truth_output *dweight)
{
    const struct normalization *n = work->n;
    double *s = &dweight->sensitivity[channel * CHANNEL_SENSITIVITIES], off = 0, count = (double)work->terms;
    struct compensated_lanes sum = {{0}, {0}};
    struct weight_measures measures = {.n = 0};
    int64_t measured = -1;
    s[CHANNEL_TERMS] = count;
    for (int64_t j = 0; j < work->terms; j++) {
        int64_t i = normalization_channel_element(n, channel, j), group = normalization_group_of(n, i);
        const struct group_pairs *e = &work->group[group];
        double dy = tensor_component(n->grad, i), x = tensor_component(n->x, i), error;
        if (!work->known[group] || !is_factor(dy)) {
            return false;
        }
        if (group != measured) {
            measures = normalization_weight_measures(&e->moments, n->eps);
            measured = group;
        }
        struct double_double normal = normal_of(e, x, &error), term = dd_times(normal, dy);
        lanes_add(&sum, j, term.hi, term.lo);
        off += fabs(dy) * error;
        normalization_weight_term(&measures, fabs(dy), fabs(x), fabs(normal.hi) * (1 + 0x1p-40) + error, s);
    }
    normalization_weight_close(s);
    if (s[CHANNEL_R] == 0) { /* dy = 0 throughout */
        dweight->value[channel] = value_of(0);
        return true;
    }
    off += (lanes_error(count) + 0x1p-99) * s[CHANNEL_NORMAL];
    return normalization_keep(dweight, channel, lanes_total(&sum), off);
}

static bool weights_enclosure(struct work *work, struct truth_output *dweight, int *bits, struct error *error)
{
    bool good = true;
    for (int64_t c = 0; good && c < dweight->elements; c++) {
        if (!weight_enclosure(work, c, dweight)) {
            if (!work->weight) {
                work->weight = normalization_weight_certifier_create(work->n, error);
            }
            good = work->weight && normalization_weight_certify(work->weight, c, dweight, bits, error);
            dweight->radius[c] = 0;
        }
    }
    return good;
}

/* --- dbias: the column sums of dy */

struct column_sums {
    const struct normalization *n;
    struct truth_output *dbias;
    double terms;
    int *bits;
};

static void take_sum(void *user, int64_t row, int64_t channel, const struct dot_enclosure *sum)
{
    const struct column_sums *c = user;
    struct truth_output *dbias = c->dbias;
    (void)row;
    if (sum->known) {
        dbias->sensitivity[channel * BIAS_SENSITIVITIES + CHANNEL_TERMS] = c->terms;
        dbias->sensitivity[channel * BIAS_SENSITIVITIES + BIAS_SUM_ABS] = sum->magnitude;
        if (normalization_keep(dbias, channel, dd_sum(sum->value, sum->low), sum->radius) || sum->exact) {
            dbias->value[channel].exact = sum->exact;
            dbias->radius[channel] = sum->exact ? 0 : dbias->radius[channel];
            return;
        }
    }
    normalization_bias_certify(c->n, channel, dbias, c->bits);
    dbias->radius[channel] = 0;
}

static bool biases_enclosure(const struct work *work, struct truth_output *dbias, int *bits)
{
    const struct normalization *n = work->n;
    size_t room = ((size_t)work->terms + 1) * ((size_t)n->channels + 1);
    double *ones = malloc(((size_t)work->terms + 1) * sizeof *ones), *dy = malloc(room * sizeof *dy);
    bool good = ones && dy;
    for (int64_t j = 0; good && j < work->terms; j++) {
        ones[j] = 1;
        for (int64_t c = 0; c < n->channels; c++) {
            dy[j * n->channels + c] = tensor_component(n->grad, normalization_channel_element(n, c, j));
        }
    }
    struct dot_enclosure_problem problem = {.rows = 1,
                                            .columns = n->channels,
                                            .terms = work->terms,
                                            .left = ones,
                                            .right = dy,
                                            .along = n->channels,
                                            .across = 1,
                                            .wide = true};
    envelope_widths(dbias->dtype, problem.u);
    struct column_sums sums = {n, dbias, (double)work->terms, bits};
    good = good && dot_enclosures(&problem, take_sum, &sums);
    free(ones);
    free(dy);
    return good;
}

bool normalization_gradient_enclosure(const struct normalization *n, struct truth_output *dx,
                                      struct truth_output *dweight, struct truth_output *dbias, int *bits,
                                      struct error *error)
{
    int64_t groups = normalization_groups(n), length = normalization_length(n);
    struct work work = {.n = n,
                        .length = length,
                        .terms = n->batch * n->inner,
                        .x = malloc(((size_t)length + 1) * sizeof *work.x),
                        .w = malloc(((size_t)length + 1) * sizeof *work.w),
                        .group = malloc(((size_t)groups + 1) * sizeof *work.group),
                        .known = calloc((size_t)groups + 1, sizeof *work.known),
                        .input = normalization_input_certifier_create(n)};
    bool good = work.x && work.w && work.group && work.known && work.input && truth_output_radius(dx, true) &&
                (!dweight || truth_output_radius(dweight, true)) &&
                (!dbias || truth_output_radius(dbias, true));
    good = good || error_set(error, "out of memory for %lld groups", (long long)groups);
    for (int64_t g = 0; good && dx->elements && g < groups; g++) {
        input_enclosure(&work, g, dx, bits);
    }
    good = good && (!dweight || weights_enclosure(&work, dweight, bits, error));
    good = good && (!dbias || !dbias->elements || biases_enclosure(&work, dbias, bits) ||
                    error_set(error, "out of memory"));
    normalization_input_certifier_destroy(&work.input);
    normalization_weight_certifier_destroy(&work.weight);
    free(work.x);
    free(work.w);
    free(work.group);
    free(work.known);
    return good;
}
