/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* layer_norm, rms_norm, group_norm, instance_norm, batch_norm and their gradients against Arb: values by
 * their definition, gradients by dual numbers instead of formulas. */

#include "reference/test/normalization_model.h"

enum { BITS = 800 };

/* --- dual numbers: value and derivative */

struct dual {
    arb_t v, d;
};

static void dual_init(struct dual *a, double v, double d)
{
    arb_init(a->v);
    arb_init(a->d);
    arb_set_d(a->v, v);
    arb_set_d(a->d, d);
}

static void dual_clear(struct dual *a)
{
    arb_clear(a->v);
    arb_clear(a->d);
}

static void dual_add(struct dual *a, const struct dual *b, int sign)
{
    (sign > 0 ? arb_add : arb_sub)(a->v, a->v, b->v, BITS);
    (sign > 0 ? arb_add : arb_sub)(a->d, a->d, b->d, BITS);
}

static void dual_mul(struct dual *a, const struct dual *b)
{
    arb_t derivative; /* a and b may be the same object */
    arb_init(derivative);
    arb_mul(derivative, a->d, b->v, BITS);
    arb_addmul(derivative, a->v, b->d, BITS);
    arb_mul(a->v, a->v, b->v, BITS);
    arb_swap(a->d, derivative);
    arb_clear(derivative);
}

static void dual_rsqrt(struct dual *a) /* d(v^-1/2) = −d/(2·v)·v^-1/2 */
{
    arb_div(a->d, a->d, a->v, BITS);
    arb_rsqrt(a->v, a->v, BITS);
    arb_mul(a->d, a->d, a->v, BITS);
    arb_mul_2exp_si(a->d, a->d, -1);
    arb_neg(a->d, a->d);
}

/* y of every element, differentiated with respect to variable `v`: an x, then a weight, then a bias. */
static void forward(const struct model *m, int64_t v, struct dual *y)
{
    int64_t count = m->batch * m->channels * m->inner;
    for (int64_t i = 0; i < count; i++) {
        struct dual mean, variance, term, n;
        int64_t members = 0, c = channel_of(m, i);
        dual_init(&mean, m->evaluates ? m->running_mean[c] : 0, 0);
        dual_init(&variance, m->evaluates ? m->running_var[c] : 0, 0);
        dual_init(&term, 0, 0);
        for (int64_t k = 0; k < count; k++) {
            members += group_of(m, k) == group_of(m, i);
        }
        dual_init(&n, 1, 0);
        arb_div_si(n.v, n.v, members, BITS);
        for (int pass = m->centred ? 0 : 1; pass < 2 && !m->evaluates; pass++) {
            for (int64_t k = 0; k < count; k++) {
                if (group_of(m, k) != group_of(m, i)) {
                    continue;
                }
                arb_set_d(term.v, m->x[k]);
                arb_set_d(term.d, k == v);
                if (pass == 1) {
                    dual_add(&term, &mean, -1);
                    dual_mul(&term, &term);
                }
                dual_add(pass == 1 ? &variance : &mean, &term, 1);
            }
            dual_mul(pass == 1 ? &variance : &mean, &n);
        }
        arb_set_d(term.v, m->eps);
        arb_zero(term.d);
        dual_add(&variance, &term, 1);
        dual_rsqrt(&variance);
        dual_init(&y[i], m->x[i], i == v);
        dual_add(&y[i], &mean, -1);
        dual_mul(&y[i], &variance);
        arb_set_d(term.v, m->weight[c]);
        arb_set_d(term.d, count + c == v);
        dual_mul(&y[i], &term);
        arb_set_d(term.v, m->bias[c]);
        arb_set_d(term.d, count + m->channels + c == v);
        dual_add(&y[i], &term, 1);
        dual_clear(&mean);
        dual_clear(&variance);
        dual_clear(&term);
        dual_clear(&n);
    }
}

static void check_value(const struct model *m, const char *what, const struct value *value, const arb_t x,
                        int64_t i)
{
    if (value->exact && value->hi == 0) {
        cr_expect(arb_contains_zero(x), "%s %s, %s, element %d", m->name, dtype_info(m->dtype)->name, what,
                  (int)i);
        return;
    }
    cr_expect_leq(value_distance_log2(value, x), -103, "%s %s, %s, element %d: 2^%g", m->name,
                  dtype_info(m->dtype)->name, what, (int)i, value_distance_log2(value, x));
}

static void check_forward(const struct model *m)
{
    struct truth *truth = truth_of_model(m, false);
    const struct truth_output *out = &truth->output[truth->outputs - 1];
    struct dual y[MOST];
    forward(m, -1, y);
    for (int64_t i = 0; i < out->elements; i++) {
        check_value(m, "y", &out->value[i], y[i].v, i);
        dual_clear(&y[i]);
    }
    truth_destroy(&truth);
}

static void check_gradient(const struct model *m)
{
    if (!m->gradient) {
        return;
    }
    struct truth *truth = truth_of_model(m, true);
    int64_t count = m->batch * m->channels * m->inner, v = 0;
    cr_assert_eq(truth->outputs, m->affine ? is(m, "rms_norm") ? 2 : 3 : 1);
    for (int o = 0; o < truth->outputs; o++) {
        for (int64_t i = 0; i < truth->output[o].elements; i++, v++) {
            struct dual y[MOST];
            arb_t sum, dy;
            arb_init(sum);
            arb_init(dy);
            forward(m, v, y);
            for (int64_t k = 0; k < count; k++) {
                arb_set_d(dy, m->dy[k]);
                arb_addmul(sum, dy, y[k].d, BITS);
                dual_clear(&y[k]);
            }
            check_value(m, o == 0 ? "dx" : o == 1 ? "dweight" : "dbias", &truth->output[o].value[i], sum, i);
            arb_clear(sum);
            arb_clear(dy);
        }
    }
    truth_destroy(&truth);
}

static struct model models[] = {
    {.name = "layer_norm",
     .batch = 3,
     .channels = 7,
     .inner = 1,
     .groups = 1,
     .centred = true,
     .affine = true},
    {.name = "layer_norm", .batch = 2, .channels = 5, .inner = 1, .groups = 1, .centred = true},
    {.name = "rms_norm", .batch = 3, .channels = 6, .inner = 1, .groups = 1, .affine = true},
    {.name = "group_norm",
     .batch = 2,
     .channels = 6,
     .inner = 3,
     .groups = 2,
     .centred = true,
     .affine = true},
    {.name = "instance_norm",
     .batch = 2,
     .channels = 3,
     .inner = 4,
     .groups = 3,
     .centred = true,
     .affine = true},
    {.name = "batch_norm", .batch = 3, .channels = 2, .inner = 4, .centred = true, .affine = true},
    {.name = "batch_norm",
     .batch = 3,
     .channels = 2,
     .inner = 4,
     .centred = true,
     .affine = true,
     .evaluates = true},
    {.name = "instance_norm",
     .batch = 3,
     .channels = 2,
     .inner = 4,
     .groups = 2,
     .centred = true,
     .running = true},
    {.name = "instance_norm",
     .batch = 3,
     .channels = 2,
     .inner = 4,
     .centred = true,
     .affine = true,
     .evaluates = true,
     .running = true},
};

static void each_model(void (*check)(const struct model *))
{
    static const char *const gradients[] = {"layer_norm_backward",
                                            "layer_norm_backward",
                                            "rms_norm_backward",
                                            "group_norm_backward",
                                            "instance_norm_backward",
                                            "batch_norm_backward",
                                            "batch_norm_backward",
                                            NULL,
                                            NULL};
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    static const double means[] = {0, 10, 1e3};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        for (int t = 0; t < 12; t++) {
            struct model m = models[k];
            m.gradient = gradients[k];
            m.dtype = dtypes[t % 4];
            m.mean = means[t / 4];
            m.eps = t % 2 ? 1e-5 : 0.3;
            fill(&m, (uint64_t)(100 * k) + (uint64_t)t);
            check(&m);
        }
    }
}

Test(normalization, values_agree_with_arb)
{
    each_model(check_forward);
}

Test(normalization, gradients_agree_with_dual_numbers_in_arb)
{
    each_model(check_gradient);
}

/* Mean and unbiased variance of a channel's elements, all or those of one sample. */
static void statistics_of(const struct model *m, int64_t c, int64_t sample, arb_t mean, arb_t variance)
{
    const int64_t count = m->batch * m->channels * m->inner, n = (sample < 0 ? m->batch : 1) * m->inner;
    arb_t term;
    arb_init(term);
    arb_zero(mean);
    arb_zero(variance);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < count; i++) {
            if (channel_of(m, i) != c || (sample >= 0 && i / m->inner / m->channels != sample)) {
                continue;
            }
            arb_set_d(term, m->x[i]);
            if (pass == 1) {
                arb_sub(term, term, mean, BITS);
                arb_mul(term, term, term, BITS);
            }
            arb_add(pass ? variance : mean, pass ? variance : mean, term, BITS);
        }
        arb_div_si(pass ? variance : mean, pass ? variance : mean, n - pass, BITS);
    }
    arb_clear(term);
}

/* As in PyTorch: for instance_norm, the mean of the samples' updates of the old value. */
static void check_running(const struct model *m)
{
    const bool instance = is(m, "instance_norm") && m->running;
    if (!is(m, "batch_norm") && !instance) {
        return;
    }
    struct truth *truth = truth_of_model(m, false);
    cr_assert_eq(truth->outputs, 3);
    const int64_t samples = instance ? m->batch : 1;
    for (int64_t c = 0; c < m->channels; c++) {
        arb_t mean, variance, term, share, sum[2];
        arb_init(mean), arb_init(variance), arb_init(term), arb_init(share), arb_init(sum[0]),
            arb_init(sum[1]);
        for (int64_t s = 0; s < samples; s++) {
            statistics_of(m, c, instance ? s : -1, mean, variance);
            for (int which = 0; which < 2; which++) {
                double old = which ? m->running_var[c] : m->running_mean[c];
                arb_set_d(share, m->evaluates ? 0 : 0.1);
                arb_addmul(sum[which], share, which ? variance : mean, BITS);
                arb_sub_si(share, share, 1, BITS);
                arb_set_d(term, -old);
                arb_addmul(sum[which], share, term, BITS);
            }
        }
        for (int which = 0; which < 2; which++) {
            arb_div_si(sum[which], sum[which], samples, BITS);
            check_value(m, which ? "running_var" : "running_mean", &truth->output[which].value[c], sum[which],
                        c);
        }
        arb_clear(mean), arb_clear(variance), arb_clear(term), arb_clear(share), arb_clear(sum[0]),
            arb_clear(sum[1]);
    }
    truth_destroy(&truth);
}

Test(normalization, running_statistics_agree_with_arb)
{
    each_model(check_running);
}

/* The statistics of a row put one error into every dγ of its channels: no independent groups, so no G. Those
 * of batch normalization are a channel's own. */
Test(normalization, scales_that_share_statistics_are_no_groups)
{
    double x[6 * 4], dy[6 * 4], w[4] = {1, 1, 1, 1};
    for (int i = 0; i < 24; i++) {
        x[i] = i * 7 % 11 - 0.1 * i;
        dy[i] = i * 5 % 7 - 3.3;
    }
    struct shape rows = shape_of(2, (int64_t)6, (int64_t)4), tail = shape_of(1, (int64_t)4);
    struct attributes layer = {.count = 1}, batch = {.count = 1};
    layer.item[0] = (struct attribute){
        .name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = integers_of_shape(&tail)};
    batch.item[0] = (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1};
    struct tensor none = {.data = NULL}, grad = tensor_from(DTYPE_FLOAT32, rows, dy),
                  input = tensor_from(DTYPE_FLOAT32, rows, x), weight = tensor_from(DTYPE_FLOAT32, tail, w);
    struct tensor rowwise[] = {grad, input, weight}, channelwise[] = {grad, input, none, none, weight};
    struct truth *of_rows = truth_of_call("layer_norm_backward", &layer, 3, rowwise);
    struct truth *of_channels = truth_of_call("batch_norm_backward", &batch, 5, channelwise);
    for (int c = 0; c < 4; c++) {
        cr_expect_lt(of_rows->output[1].envelope[c].group, 0);
        cr_expect_eq(of_rows->output[2].envelope[c].group, c, "dβ shares nothing");
        cr_expect_eq(of_channels->output[1].envelope[c].group, c);
    }
    truth_destroy(&of_rows);
    truth_destroy(&of_channels);
    tensor_destroy(&grad);
    tensor_destroy(&input);
    tensor_destroy(&weight);
}
