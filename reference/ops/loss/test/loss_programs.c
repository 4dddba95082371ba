/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* float32 programs of losses: those in the forms that PyTorch has had are accepted, wrong ones are not;
 * refused shapes and attributes; accepted results at NaN, infinities and zeros. */

#include "reference/ops/loss/loss.h"
#include "reference/test/support.h"

enum { LENGTH = 32 };

static struct attributes given(enum loss_reduction reduction, const char *name, double p)
{
    struct attributes a = {
        .count = name ? 2 : 1,
        .item = {{.name = "reduction", .type = ATTRIBUTE_CHOICE, .integer = reduction, .word = "?"},
                 {.name = name, .type = ATTRIBUTE_REAL, .real = p, .integer = p != 0}}};
    a.item[1].type = name && strcmp(name, "log_target") == 0 ? ATTRIBUTE_BOOL : ATTRIBUTE_REAL;
    return a;
}

static bool accepts(const char *name, const struct attributes *attributes, int inputs, double x[][LENGTH],
                    int n, int64_t element, double got)
{
    static const char *const scalar = "_backward";
    struct profile profile = profile_ieee();
    struct tensor input[5];
    const bool reduced = attributes->item[0].integer != LOSS_NONE;
    for (int k = 0; k < inputs; k++) {
        struct shape one = {.rank = 0}, all = shape_of(1, (int64_t)n);
        input[k] = tensor_from(DTYPE_FLOAT32, k == 0 && reduced && strstr(name, scalar) ? one : all, x[k]);
    }
    struct truth *truth = truth_of_call(name, attributes, inputs, input);
    struct accept accept = accept_of(name, attributes, &profile, truth, 0, element, false);
    bool accepted = accepts_double(&accept, got);
    truth_destroy(&truth);
    for (int k = 0; k < inputs; k++) {
        tensor_destroy(&input[k]);
    }
    return accepted;
}

static float later(float x, float y)
{
    return fmaxf(x, y);
}

/* --- programs of one element */

enum { FORMS = 3 };

static float program(int loss, int form, float x, float y, float p)
{
    const float d = fabsf(x - y), least = -100;
    switch (loss) {
    case 0: /* smooth_l1 */
        return d < p ? (form ? 0.5F * d * d / p : 0.5F * (d * (d / p))) : d - 0.5F * p;
    case 1: /* huber */
        return d < p ? 0.5F * d * d : form ? p * (d - 0.5F * p) : p * d - 0.5F * p * p;
    case 2: /* kl_div */
        return form ? y * (logf(y) - x) : y * logf(y) - y * x;
    case 3: /* binary_cross_entropy */
        return form == 0   ? -(y * later(logf(x), least) + (1 - y) * later(logf(1 - x), least))
               : form == 1 ? (y - 1) * later(log1pf(-x), least) - y * later(logf(x), least)
                           : -(1 - y) * later(logf(1 - x), least) - y * later(logf(x), least);
    default: { /* with_logits: PyTorch 1's, 2's, and the one in common use */
        float most = later(-x, 0);
        return form == 0   ? (1 - y) * x + (most + logf(expf(-most) + expf(-x - most)))
               : form == 1 ? (1 - y) * x - (fminf(x, 0) - log1pf(expf(-fabsf(x))))
                           : later(x, 0) - x * y + log1pf(expf(-fabsf(x)));
    }
    }
}

static float slope(int loss, int form, float x, float y, float p)
{
    const float d = x - y, s = 1 / (1 + expf(-x));
    switch (loss) {
    case 0:
        return d <= -p ? -1 : d >= p ? 1 : form ? d / p : d * (1 / p);
    case 1:
        return d <= -p ? -p : d >= p ? p : d;
    case 2:
        return -y;
    case 3:
        return form ? (x - y) / later((1 - x) * x, 1e-12F) : (x - y) * (1 / later((1 - x) * x, 1e-12F));
    default:
        return form ? s - y : (1 - y) * s - y / (1 + expf(x));
    }
}

static const char *const names[] = {"smooth_l1_loss", "huber_loss", "kl_div", "binary_cross_entropy",
                                    "binary_cross_entropy_with_logits"};
enum { NAMES = 5 };

static void fill(struct philox *g, int loss, int n, double *x, double *y)
{
    for (int k = 0; k < n; k++) {
        double u = philox_unit(g), v = philox_unit(g);
        x[k] = (double)(float)(loss < 2    ? 4 * u - 2
                               : loss == 2 ? -6 * u
                               : loss == 3 ? 0.01 + 0.98 * u
                                           : 30 * u - 15);
        y[k] = (double)(float)(loss < 2 ? 4 * v - 2 : 0.01 + 0.98 * v);
    }
}

Test(losses, no_program_is_reported_falsely)
{
    struct philox g;
    philox_start(&g, 61);
    for (int i = 0; i < 1500; i++) {
        const int loss = i % NAMES, form = i / NAMES % FORMS, n = 1 + (int)philox_below(&g, LENGTH);
        const double p = i % 2 ? 0.5 : 1.5;
        const char *name = loss == 0 ? "beta" : loss == 1 ? "delta" : NULL;
        double x[3][LENGTH];
        float sum = 0;
        fill(&g, loss, n, x[0], x[1]);
        for (int k = 0; k < n; k++) {
            sum += program(loss, form, (float)x[0][k], (float)x[1][k], (float)p);
        }
        struct attributes none = given(LOSS_NONE, name, p), mean = given(LOSS_MEAN, name, p);
        float one = program(loss, form, (float)x[0][0], (float)x[1][0], (float)p);
        cr_expect(accepts(names[loss], &none, 2, x, n, 0, (double)one), "%s %d: %.9g", names[loss], i,
                  (double)one);
        cr_expect(accepts(names[loss], &mean, 2, x, n, 0, (double)(sum / (float)n)), "%s %d", names[loss], i);
        cr_expect(n == 1 || !accepts(names[loss], &mean, 2, x, n, 0, (double)(sum / (float)(n + 1))),
                  "%s %d: a mean over one more", names[loss], i);
    }
}

Test(losses, no_program_of_a_gradient_is_reported_falsely)
{
    struct philox g;
    philox_start(&g, 62);
    for (int i = 0; i < 1500; i++) {
        const int loss = i % NAMES, form = i / NAMES % 2, n = 2 + (int)philox_below(&g, LENGTH - 1);
        const double p = i % 2 ? 0.5 : 1.5;
        const char *attribute = loss == 0 ? "beta" : loss == 1 ? "delta" : NULL;
        char name[NAME_MOST];
        double x[3][LENGTH];
        fill(&g, loss, n, x[1], x[2]);
        for (int k = 0; k < n; k++) {
            x[0][k] = (double)(float)(0.5 + philox_unit(&g));
        }
        snprintf(name, sizeof name, "%s_backward", names[loss]);
        struct attributes none = given(LOSS_NONE, attribute, p), mean = given(LOSS_MEAN, attribute, p);
        const float grad = (float)x[0][0], s = slope(loss, form, (float)x[1][0], (float)x[2][0], (float)p);
        cr_expect(accepts(name, &none, 3, x, n, 0, (double)(grad * s)), "%s %d", name, i);
        cr_expect(accepts(name, &mean, 3, x, n, 0, (double)(grad / (float)n * s)), "%s %d", name, i);
        cr_expect(accepts(name, &mean, 3, x, n, 0, (double)(1 / (float)n * s * grad)), "%s %d", name, i);
        cr_expect_not(accepts(name, &mean, 3, x, n, 0, (double)(grad * s)), "%s %d: a mean not over n", name,
                      i);
    }
}

/* --- accepted and refused results at single points */

struct place {
    const char *loss, *attribute;
    double p, x, y, right, wrong;
};

Test(losses, ends_and_kinks)
{
    static const struct place places[] = {
        {"binary_cross_entropy", NULL, 0, 0, 1, 100, INFINITY},
        {"binary_cross_entropy", NULL, 0, 1, 0, 100, INFINITY},
        {"binary_cross_entropy", NULL, 0, 0, 0, 0, NAN},
        {"binary_cross_entropy", NULL, 0, 1, 1, 0, NAN},
        {"binary_cross_entropy", NULL, 0, 0.5, NAN, NAN, 0},
        {"binary_cross_entropy_with_logits", NULL, 0, -200, 1, 200, INFINITY},
        {"binary_cross_entropy_with_logits", NULL, 0, 200, 1, 0, 200},
        {"binary_cross_entropy_with_logits", NULL, 0, INFINITY, 0, INFINITY, 0},
        {"binary_cross_entropy_with_logits", NULL, 0, INFINITY, 0, NAN, 0},
        {"binary_cross_entropy_with_logits", NULL, 0, -INFINITY, 1, NAN, 0},
        {"binary_cross_entropy_with_logits", NULL, 0, -INFINITY, 1, INFINITY, 0},
        {"kl_div", NULL, 0, -3, 0, 0, NAN},
        {"kl_div", NULL, 0, -3, -1, NAN, 3},
        {"kl_div", NULL, 0, -3, -1, 0, 3},
        {"kl_div", "log_target", 1, -3, 0, 3, 0},
        {"kl_div", "log_target", 1, -3, -INFINITY, NAN, 0},
        {"smooth_l1_loss", "beta", 2, 3, 1, 1, 2},
        {"smooth_l1_loss", "beta", 0, 3, 1, 2, INFINITY},
        {"smooth_l1_loss", "beta", 0, 1, 1, 0, NAN},
        {"huber_loss", "delta", 2, 3, 1, 2, 1},
        {"huber_loss", "delta", 2, 6, 1, 8, 4},
        {"l1_loss", NULL, 0, INFINITY, INFINITY, NAN, 0},
        {"mse_loss", NULL, 0, -INFINITY, 1, INFINITY, NAN},
    };
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const struct place *at = &places[k];
        double x[2][LENGTH] = {{at->x}, {at->y}};
        struct attributes a = given(LOSS_NONE, at->attribute, at->p);
        cr_expect(accepts(at->loss, &a, 2, x, 1, 0, at->right), "%s, place %zu", at->loss, k);
        cr_expect_not(accepts(at->loss, &a, 2, x, 1, 0, at->wrong), "%s, place %zu: %g", at->loss, k,
                      at->wrong);
    }
}

Test(losses, slopes_at_kinks)
{
    static const struct place places[] = {
        {"l1_loss_backward", NULL, 0, 1, 1, 0, 1},
        {"l1_loss_backward", NULL, 0, NAN, 1, 0, 0},
        {"smooth_l1_loss_backward", "beta", 0, 1, 1, 0, 1},
        {"smooth_l1_loss_backward", "beta", 2, 3, 1, 1, 2},
        {"huber_loss_backward", "delta", 2, 3, 1, 2, 1},
        {"huber_loss_backward", "delta", 2, 4, 1, 2, 1},
        {"kl_div_backward", NULL, 0, -1, -2, 2, -2},
        {"kl_div_backward", NULL, 0, -1, -2, 0, -2},
        {"binary_cross_entropy_backward", NULL, 0, 0, 0, 0, NAN},
        {"binary_cross_entropy_backward", NULL, 0, 0, 1, (double)-1e12F, -INFINITY},
        {"binary_cross_entropy_with_logits_backward", NULL, 0, INFINITY, 0, 1, NAN},
    };
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const struct place *at = &places[k];
        double x[3][LENGTH] = {{1}, {at->x}, {at->y}};
        struct attributes a = given(LOSS_NONE, at->attribute, at->p);
        cr_expect(accepts(at->loss, &a, 3, x, 1, 0, at->right), "%s, place %zu", at->loss, k);
        cr_expect(isnan(at->x) || !accepts(at->loss, &a, 3, x, 1, 0, at->wrong), "%s, place %zu: %g",
                  at->loss, k, at->wrong);
    }
}

/* A mean also divides the other accepted result of a negative target; and weights that are left out are 1. */
Test(losses, other_values_are_divided_as_well)
{
    double x[4][LENGTH] = {{1, 1}, {-1, -1}, {-2, -2}};
    struct attributes mean = given(LOSS_MEAN, NULL, 0);
    cr_expect(accepts("kl_div_backward", &mean, 3, x, 2, 0, 1));
    cr_expect(accepts("kl_div_backward", &mean, 3, x, 2, 0, 0));
    cr_expect_not(accepts("kl_div_backward", &mean, 3, x, 2, 0, 2));
    double logits[4][LENGTH] = {{3}, {0}, {2}, {5}};
    struct attributes none = given(LOSS_NONE, NULL, 0);
    cr_expect(accepts("binary_cross_entropy_with_logits", &none, 2, logits, 1, 0, 3.04858735));
    cr_expect(accepts("binary_cross_entropy_with_logits", &none, 3, logits, 1, 0, 6.09717470));
    cr_expect_not(accepts("binary_cross_entropy_with_logits", &none, 3, logits, 1, 0, 3.04858735));
    logits[1][0] = 1; /* pos_weight counts */
    cr_expect(accepts("binary_cross_entropy_with_logits", &none, 4, logits, 1, 0, 0.485873517));
    cr_expect_not(accepts("binary_cross_entropy_with_logits", &none, 4, logits, 1, 0, 0.0971747035));
}

/* batchmean divides by the first dimension, for a loss and its gradient; samples without elements give 0. */
Test(losses, means_over_the_batch)
{
    const double x[] = {-1, -2, -3, -4, -5, -6}, y[] = {1, 1, 1, 1, 1, 1}, one[] = {1};
    struct attributes a = given(LOSS_BATCHMEAN, NULL, 0);
    struct shape shape = shape_of(2, (int64_t)2, (int64_t)3), nothing = shape_of(2, (int64_t)2, (int64_t)0);
    struct tensor input[3] = {tensor_from(DTYPE_FLOAT32, shape_of(0), one),
                              tensor_from(DTYPE_FLOAT32, shape, x), tensor_from(DTYPE_FLOAT32, shape, y)};
    struct tensor empty[2] = {tensor_from(DTYPE_FLOAT32, nothing, x), tensor_from(DTYPE_FLOAT32, nothing, y)};
    struct truth *loss = truth_of_call("kl_div", &a, 2, input + 1),
                 *none = truth_of_call("kl_div", &a, 2, empty),
                 *gradient = truth_of_call("kl_div_backward", &a, 3, input);
    cr_expect_eq(value_approximately(&loss->output[0].value[0]), 10.5);
    cr_expect_eq(value_approximately(&none->output[0].value[0]), 0);
    cr_expect_eq(value_approximately(&gradient->output[0].value[5]), -0.5);
    truth_destroy(&loss);
    truth_destroy(&none);
    truth_destroy(&gradient);
    for (int k = 0; k < 3; k++) {
        tensor_destroy(&input[k]);
    }
    tensor_destroy(&empty[0]);
    tensor_destroy(&empty[1]);
}

/* --- shapes */

static struct view shaped(int storage, int rank, int64_t rows, int64_t columns)
{
    struct shape shape = rank == 2 ? shape_of(2, rows, columns) : rank ? shape_of(1, columns) : shape_of(0);
    return view_contiguous(storage, DTYPE_FLOAT32, &shape);
}

Test(losses, shapes_and_attributes_that_do_not_fit_are_refused)
{
    struct attributes none = given(LOSS_NONE, NULL, 0), mean = given(LOSS_MEAN, NULL, 0),
                      negative = given(LOSS_MEAN, "beta", -1), zero = given(LOSS_MEAN, "beta", 0),
                      delta = given(LOSS_MEAN, "delta", 0), nan = given(LOSS_MEAN, "delta", NAN);
    struct view x[] = {shaped(0, 2, 3, 4), shaped(1, 2, 3, 4), shaped(2, 1, 0, 4), shaped(3, 1, 0, 4)};
    struct view row[] = {x[0], x[2]}, other[] = {x[0], shaped(1, 2, 3, 5)}, wide[] = {x[0], x[1]};
    struct view grad[] = {shaped(4, 0, 0, 0), x[0], x[1]}, whole[] = {shaped(4, 2, 3, 4), x[0], x[1]};
    wide[1].dtype = DTYPE_FLOAT64;
    cr_expect_not(refuses("mse_loss", &none, 2, x, NULL));
    cr_expect_not(refuses("mse_loss", &mean, 2, row, NULL));
    cr_expect(refuses("mse_loss", &mean, 2, other, NULL));
    cr_expect(refuses("mse_loss", &mean, 2, wide, NULL));
    cr_expect(refuses("binary_cross_entropy", &mean, 2, row, NULL));
    cr_expect_not(refuses("binary_cross_entropy", &mean, 3, x, NULL));
    cr_expect_not(refuses("binary_cross_entropy_with_logits", &mean, 4, x, NULL));
    x[2] = shaped(2, 1, 0, 3);
    cr_expect(refuses("binary_cross_entropy", &mean, 3, x, NULL));
    cr_expect(refuses("smooth_l1_loss", &negative, 2, x, NULL));
    cr_expect_not(refuses("smooth_l1_loss", &zero, 2, x, NULL));
    cr_expect(refuses("huber_loss", &delta, 2, x, NULL));
    cr_expect(refuses("huber_loss", &nan, 2, x, NULL));
    cr_expect_not(refuses("mse_loss_backward", &mean, 3, grad, NULL));
    cr_expect(refuses("mse_loss_backward", &none, 3, grad, NULL));
    cr_expect(refuses("mse_loss_backward", &mean, 3, whole, NULL));
    cr_expect_not(refuses("mse_loss_backward", &none, 3, whole, NULL));
    whole[2] = row[1];
    cr_expect(refuses("mse_loss_backward", &none, 3, whole, NULL));
}
