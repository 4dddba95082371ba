/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* S of normalizations and their gradients against legal forms in which every rounding is perturbed: S is
 * never below one of them, and not many times the greatest. */

#include "reference/test/envelope_operators.h"

static void statistics(struct perturbation *p, const struct rows *q, const double *x, double *m, double *r)
{
    double sum = x[0], square = 0;
    *m = 0;
    for (int k = 1; k < WIDTH; k++) {
        sum = R(sum + x[k]);
    }
    if (q->form == 1) {
        *m = x[0];
        for (int k = 1; k < WIDTH; k++) {
            double d = R(x[k] - *m);
            *m = R(*m + R(d / (k + 1)));
            square = R(square + R(d * R(x[k] - *m)));
        }
    } else {
        *m = R(sum / WIDTH);
        for (int k = 0; k < WIDTH; k++) {
            double d = R(x[k] - *m);
            square = R(square + R(d * d));
        }
    }
    *r = R(1 / R(sqrt(R(R(square / WIDTH) + q->eps))));
}

static double normal(struct perturbation *p, const struct rows *q, double x, double m, double r)
{
    return q->form == 2 ? R(R(x * r) - R(m * r)) : R(R(x - m) * r);
}

static void forward(struct perturbation *p, const void *problem, double *result)
{
    const struct rows *q = problem;
    for (int row = 0; row < ROWS; row++) {
        double m, r;
        statistics(p, q, q->x + row * WIDTH, &m, &r);
        for (int k = 0; k < WIDTH; k++) {
            double x = q->x[row * WIDTH + k], scale = R(q->weight[k] * r);
            result[row * WIDTH + k] = q->form == 2 ? R(R(x * scale) + R(q->bias[k] - R(m * scale)))
                                                   : R(R(normal(p, q, x, m, r) * q->weight[k]) + q->bias[k]);
        }
    }
}

/* dx, then dg, then db. */
static void gradient(struct perturbation *p, const void *problem, double *result)
{
    const struct rows *q = problem;
    double *dg = result + COUNT, *db = dg + WIDTH;
    for (int row = 0; row < ROWS; row++) {
        const double *x = q->x + row * WIDTH, *dy = q->dy + row * WIDTH;
        double m, r, alpha = 0, beta = 0, w[WIDTH], normals[WIDTH];
        statistics(p, q, x, &m, &r);
        for (int k = 0; k < WIDTH; k++) {
            normals[k] = normal(p, q, x[k], m, r);
            w[k] = R(q->weight[k] * dy[k]);
            alpha = k ? R(alpha + w[k]) : w[k];
            double share = R(w[k] * (q->form == 2 ? x[k] : normals[k]));
            beta = k ? R(beta + share) : share;
            double term = R(dy[k] * normals[k]);
            dg[k] = row ? R(dg[k] + term) : term;
            db[k] = row ? R(db[k] + dy[k]) : dy[k];
        }
        if (q->form == 2) {
            beta = R(R(beta - R(m * alpha)) * r);
        }
        alpha = R(alpha / WIDTH);
        beta = R(beta / WIDTH);
        for (int k = 0; k < WIDTH; k++) {
            result[row * WIDTH + k] = R(r * R(R(w[k] - alpha) - R(normals[k] * beta)));
        }
    }
}

/* Returns S of element `at`, counted through all judged tensors in order. */
static double spread_at(const struct truth *truth, int at)
{
    int o = 0;
    for (; at >= truth->output[o].elements; o++) {
        at -= (int)truth->output[o].elements;
    }
    return truth->output[o].envelope[at].spread;
}

/* Expects that no form exceeds S by more than a tenth in the root mean square of a tensor, or by a factor
 * above two in an element, and that S is at most `slack` times the greatest. */
static void expect_covered(algorithm *run, struct rows q, bool backward, double slack)
{
    enum { MOST = COUNT + 2 * WIDTH };
    int results = backward ? MOST : COUNT;
    double forms[3][MOST], squares[3] = {0}, force[3][3] = {{0}};
    struct call call = layer_norm(&q, backward);
    for (q.form = 0; q.form < 3; q.form++) {
        spread_by_force(run, &q, results, forms[q.form]);
    }
    for (int i = 0; i < results; i++) {
        int tensor = i < COUNT ? 0 : i < COUNT + WIDTH ? 1 : 2;
        double s = spread_at(call.truth, i);
        squares[tensor] += s * s;
        for (int form = 0; form < 3; form++) {
            double f = forms[form][i];
            cr_expect(f <= 2 * s, "%s, x = %g, result %d: S = %g, by force %g", call.op, q.x[0], i, s, f);
            force[tensor][form] += f * f;
        }
    }
    for (int tensor = 0; tensor < (backward ? 3 : 1); tensor++) {
        double s = sqrt(squares[tensor]), *f = force[tensor], most = sqrt(fmax(f[0], fmax(f[1], f[2])));
        cr_expect(most <= 1.1 * s, "%s, x = %g, tensor %d: S = %g, by force %g", call.op, q.x[0], tensor, s,
                  most);
        cr_expect(s <= slack * most, "%s, x = %g, tensor %d: S = %g, by force only %g", call.op, q.x[0],
                  tensor, s, most);
    }
    end(&call);
}

Test(envelope_operators, layer_norm_in_every_form)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        expect_covered(forward, rows_of(seed, 0, 0), false, 4);
        expect_covered(forward, rows_of(seed, 0, 50), false, 4);
        expect_covered(forward, rows_of(seed, 10, 1), false, 4);
        expect_covered(forward, rows_of(seed, 1000, 1), false, 4);
    }
}

Test(envelope_operators, gradients_in_every_form)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        expect_covered(gradient, rows_of(seed, 0, 0), true, 8);
        expect_covered(gradient, rows_of(seed, 10, 0), true, 8);
        expect_covered(gradient, rows_of(seed, 1000, 0), true, 8);
    }
}

/* S_c of a row: c = ⟨e, y⟩/⟨y, y⟩ is a result of the algorithm too. */
static void common_scale(struct perturbation *p, const void *problem, double *result)
{
    double y[COUNT], exact[COUNT];
    struct perturbation none = {.target = -1};
    forward(p, problem, y);
    forward(&none, problem, exact);
    for (int row = 0; row < ROWS; row++) {
        double along = 0, square = 0;
        for (int k = row * WIDTH; k < row * WIDTH + WIDTH; k++) {
            along += (y[k] - exact[k]) * exact[k];
            square += exact[k] * exact[k];
        }
        result[row] = along / square;
    }
}

Test(envelope_operators, errors_that_a_row_shares)
{
    for (int mean = 0; mean <= 1000; mean = 10 * mean + 1) {
        struct rows q = rows_of(7, mean, 1);
        struct call call = layer_norm(&q, false);
        double forms[3][ROWS];
        for (q.form = 0; q.form < 3; q.form++) {
            spread_by_force(common_scale, &q, ROWS, forms[q.form]);
        }
        for (int row = 0; row < ROWS; row++) {
            double s = call.truth->output[0].envelope[row * WIDTH].group_spread;
            double most = fmax(forms[0][row], fmax(forms[1][row], forms[2][row]));
            cr_expect(most <= 1.1 * s && s <= 5 * most, "mean %d: S_c = %g, by force %g", mean, s, most);
            cr_expect_eq(call.truth->output[0].envelope[row * WIDTH + 3].group, row);
        }
        end(&call);
    }
}

/* A variance as it is stored: momentum 1, one channel of six. */
static void variance(struct perturbation *p, const void *problem, double *result)
{
    const struct rows *q = problem;
    double m, r;
    statistics(p, q, q->x, &m, &r);
    result[0] = (1 / (r * r) - q->eps) * WIDTH / (WIDTH - 1);
}

Test(envelope_operators, variances_by_two_passes_and_by_running_means)
{
    for (int mean = 0; mean <= 1000; mean = 10 * mean + 1) {
        struct rows q = rows_of(11, mean, 0);
        struct call call = call_of("batch_norm");
        double zero = 0, forms[2], one = 1;
        give(&call, DTYPE_FLOAT32, shape_of(2, (int64_t)WIDTH, (int64_t)1), q.x);
        give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)1), &zero);
        give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)1), &one);
        real_attribute(&call, "momentum", 1);
        call.attributes.item[call.attributes.count++] =
            (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1};
        call.truth = truth_of_call(call.op, &call.attributes, call.inputs, call.input);
        for (q.form = 0; q.form < 2; q.form++) {
            spread_by_force(variance, &q, 1, &forms[q.form]);
        }
        double s = spread_at(call.truth, 1), most = fmax(forms[0], forms[1]);
        cr_expect(most <= 1.2 * s && s <= 4 * most, "mean %d: S = %g, by force %g", mean, s, most);
        end(&call);
    }
}

/* The mean of the rows' variances, as instance_norm computes it with momentum 1; the errors of the rows
 * average out. */
static void mean_variance(struct perturbation *p, const void *problem, double *result)
{
    const struct rows *q = problem;
    result[0] = 0;
    for (int row = 0; row < ROWS; row++) {
        double m, r;
        statistics(p, q, q->x + row * WIDTH, &m, &r);
        double one = (1 / (r * r) - q->eps) * WIDTH / (WIDTH - 1);
        result[0] = row ? R(result[0] + one) : one;
    }
    result[0] = R(result[0] / ROWS);
}

Test(envelope_operators, variances_averaged_over_samples)
{
    for (int mean = 0; mean <= 1000; mean = 10 * mean + 1) {
        struct rows q = rows_of(11, mean, 0);
        struct call call = call_of("instance_norm");
        double zero = 0, forms[2], one = 1;
        give(&call, DTYPE_FLOAT32, shape_of(3, (int64_t)ROWS, (int64_t)1, (int64_t)WIDTH), q.x);
        give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)1), &zero);
        give(&call, DTYPE_FLOAT32, shape_of(1, (int64_t)1), &one);
        real_attribute(&call, "momentum", 1);
        call.truth = truth_of_call(call.op, &call.attributes, call.inputs, call.input);
        for (q.form = 0; q.form < 2; q.form++) {
            spread_by_force(mean_variance, &q, 1, &forms[q.form]);
        }
        double s = spread_at(call.truth, 1), most = fmax(forms[0], forms[1]);
        cr_expect(most <= 1.2 * s && s <= 2.4 * most, "mean %d: S = %g, by force %g", mean, s, most);
        end(&call);
    }
}

/* Two passes that add n squares one after the other: S_V is at least V·sqrt(n/3), and half of that,
 * relatively, is in every element. */
Test(envelope_operators, the_root_of_a_long_sum)
{
    enum { N = 1024 };
    double *x = malloc(N * sizeof *x);
    struct philox g;
    struct call call = call_of("layer_norm");
    philox_start(&g, 5);
    for (int k = 0; k < N; k++) {
        x[k] = 2 * philox_unit(&g) - 1;
    }
    integers_attribute(&call, "normalized_shape", integers_of(1, (int64_t)N));
    give(&call, DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)N), x);
    call.truth = truth_of_call(call.op, &call.attributes, call.inputs, call.input);
    for (int k = 0; k < N; k++) {
        double y = fabs(value_approximately(&call.truth->output[0].value[k]));
        double least = y * sqrt(N / 3.0) / 2, s = call.truth->output[0].envelope[k].spread;
        cr_expect(s >= 0.95 * least && s <= 2 * least + 30, "S = %g of %g", s, least);
    }
    free(x);
    end(&call);
}
