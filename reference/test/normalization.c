/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* layer_norm, rms_norm, group_norm, instance_norm, batch_norm and their gradients against Arb: values by the
 * definition, gradients by dual numbers through the definition, not by a formula for them. */

#include "reference/test/support.h"

#include "reference/program.h"

enum { BITS = 800, MOST = 128 };

/* One call on [batch, channels, inner], and which elements share statistics. */
struct model {
    const char *name, *gradient;
    enum dtype dtype;
    int64_t batch, channels, inner, groups; /* groups of a sample; 0: over the batch */
    bool centred, evaluates, affine;
    double eps, mean;
    double x[MOST], dy[MOST], weight[MOST], bias[MOST], running_mean[MOST], running_var[MOST];
};

static double rounded(enum dtype dtype, double x)
{
    unsigned char bytes[8];
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

static void fill(struct model *m, uint64_t seed)
{
    struct philox generator;
    philox_start(&generator, seed);
    for (int64_t i = 0; i < m->batch * m->channels * m->inner; i++) {
        m->x[i] = rounded(m->dtype, m->mean + 4 * philox_unit(&generator) - 2);
        m->dy[i] = rounded(m->dtype, 2 * philox_unit(&generator) - 1);
    }
    for (int64_t c = 0; c < m->channels; c++) {
        m->weight[c] = m->affine ? rounded(m->dtype, 0.5 + philox_unit(&generator)) : 1;
        m->bias[c] = m->affine && m->centred ? rounded(m->dtype, 2 * philox_unit(&generator) - 1) : 0;
        m->running_mean[c] = rounded(m->dtype, m->mean + philox_unit(&generator));
        m->running_var[c] = rounded(m->dtype, 0.5 + philox_unit(&generator));
    }
}

static int64_t channel_of(const struct model *m, int64_t i)
{
    return i / m->inner % m->channels;
}

static int64_t group_of(const struct model *m, int64_t i)
{
    int64_t c = channel_of(m, i);
    return m->groups == 0 ? c : i / m->inner / m->channels * m->groups + c / (m->channels / m->groups);
}

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
    arb_t derivative; /* a and b may be one */
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

/* --- the operators' own truths */

static struct shape shape_of_model(const struct model *m)
{
    return m->inner == 1 ? shape_of(2, m->batch, m->channels) : shape_of(3, m->batch, m->channels, m->inner);
}

static struct attributes attributes_of(const struct model *m)
{
    struct attributes a = {.count = 1, .item = {{.name = "eps", .type = ATTRIBUTE_REAL, .real = m->eps}}};
    bool layer = strcmp(m->name, "layer_norm") == 0 || strcmp(m->name, "rms_norm") == 0;
    if (layer) {
        a.item[a.count++] = (struct attribute){
            .name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = shape_of(1, m->channels)};
    } else if (m->groups) {
        a.item[a.count++] = (struct attribute){
            .name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = m->groups, .real = (double)m->groups};
    } else {
        a.item[a.count++] =
            (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = !m->evaluates};
        a.item[a.count++] = (struct attribute){.name = "momentum", .type = ATTRIBUTE_REAL, .real = 0.1};
    }
    return a;
}

static bool is(const struct model *m, const char *name)
{
    return strcmp(m->name, name) == 0;
}

static struct truth *truth_of_model(const struct model *m, bool gradient)
{
    struct tensor input[5] = {{.data = NULL}};
    struct view view[5];
    int count = 0;
    struct shape channels = shape_of(1, m->channels);
    if (gradient) {
        input[count++] = tensor_from(m->dtype, shape_of_model(m), m->dy);
    }
    input[count++] = tensor_from(m->dtype, shape_of_model(m), m->x);
    if (is(m, "batch_norm")) {
        input[count] = tensor_from(m->dtype, channels, m->running_mean);
        input[count + 1] = tensor_from(m->dtype, channels, m->running_var);
        count += 2;
    } else if (is(m, "instance_norm") && !gradient) {
        count += 2;
    }
    if (m->affine) {
        input[count++] = tensor_from(m->dtype, channels, m->weight);
        if (!gradient && !is(m, "rms_norm")) {
            input[count++] = tensor_from(m->dtype, channels, m->bias);
        }
    }
    const struct op *op = op_find(gradient ? m->gradient : m->name);
    struct attributes attributes = attributes_of(m);
    for (int i = 0; i < count; i++) {
        view[i] = view_contiguous(tensor_absent(&input[i]) ? -1 : i, input[i].dtype, &input[i].shape);
    }
    struct op_operands operands = {.attributes = &attributes, .inputs = count, .input = view};
    struct op_signature signature = {.outputs = 0};
    struct error error = {.text = ""};
    cr_assert(op->signature(op, &operands, &signature, &error), "%s", error.text);
    struct op_call call = {.op = op, .attributes = &attributes, .inputs = count, .input = input};
    struct truth *truth = op_truth(&call, &signature, &error);
    cr_assert_not_null(truth, "%s", error.text);
    for (int i = 0; i < count; i++) {
        tensor_destroy(&input[i]);
    }
    return truth;
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
};

static void each_model(void (*check)(const struct model *))
{
    static const char *const gradients[] = {
        "layer_norm_backward",    "layer_norm_backward", "rms_norm_backward",  "group_norm_backward",
        "instance_norm_backward", "batch_norm_backward", "batch_norm_backward"};
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

static void check_running(const struct model *m)
{
    if (!is(m, "batch_norm")) {
        return;
    }
    struct truth *truth = truth_of_model(m, false);
    cr_assert_eq(truth->outputs, 3);
    int64_t count = m->batch * m->channels * m->inner, n = m->batch * m->inner;
    for (int64_t c = 0; c < m->channels; c++) {
        arb_t mean, variance, term, share;
        arb_init(mean), arb_init(variance), arb_init(term), arb_init(share);
        for (int pass = 0; pass < 2; pass++) {
            for (int64_t i = 0; i < count; i++) {
                arb_set_d(term, m->x[i]);
                if (pass == 1) {
                    arb_sub(term, term, mean, BITS);
                    arb_mul(term, term, term, BITS);
                }
                if (channel_of(m, i) == c) {
                    arb_add(pass ? variance : mean, pass ? variance : mean, term, BITS);
                }
            }
            arb_div_si(pass ? variance : mean, pass ? variance : mean, n - pass, BITS);
        }
        for (int which = 0; which < 2; which++) {
            double old = which ? m->running_var[c] : m->running_mean[c];
            arb_set_d(share, m->evaluates ? 0 : 0.1);
            arb_mul(which ? variance : mean, which ? variance : mean, share, BITS);
            arb_sub_si(share, share, 1, BITS);
            arb_set_d(term, -old);
            arb_addmul(which ? variance : mean, share, term, BITS);
            check_value(m, which ? "running_var" : "running_mean", &truth->output[which].value[c],
                        which ? variance : mean, c);
        }
        arb_clear(mean), arb_clear(variance), arb_clear(term), arb_clear(share);
    }
    truth_destroy(&truth);
}

Test(normalization, running_statistics_agree_with_arb)
{
    each_model(check_running);
}

/* --- by hand */

static struct model row(enum dtype dtype, int64_t batch, int64_t n, double eps, const double *x)
{
    struct model m = {.name = "layer_norm",
                      .gradient = "layer_norm_backward",
                      .dtype = dtype,
                      .batch = batch,
                      .channels = n,
                      .inner = 1,
                      .groups = 1,
                      .centred = true,
                      .eps = eps};
    memcpy(m.x, x, (size_t)(batch * n) * sizeof *x);
    for (int64_t c = 0; c < n; c++) {
        m.weight[c] = 1;
    }
    return m;
}

Test(normalization, values_known_by_hand)
{
    static const double threes[4] = {3, -3, 3, -3}, far[2] = {0x1p22 + 2, 0x1p22};
    struct model m = row(DTYPE_FLOAT32, 1, 4, 7, threes), pair = row(DTYPE_FLOAT32, 1, 2, 3, far);
    struct truth *truth = truth_of_model(&m, false);
    for (int i = 0; i < 4; i++) {
        cr_expect(truth->output[0].value[i].exact && truth->output[0].value[i].hi == (i % 2 ? -0.75 : 0.75));
    }
    truth_destroy(&truth);
    truth = truth_of_model(&pair, false);
    cr_expect(truth->output[0].value[0].exact && truth->output[0].value[0].hi == 0.5);
    cr_expect(truth->output[0].value[1].exact && truth->output[0].value[1].hi == -0.5);
    truth_destroy(&truth);
}

Test(normalization, what_cancels_is_exactly_zero)
{
    static const double threes[8] = {3, -3, 3, -3, 3, -3, 3, -3};
    struct model m = row(DTYPE_FLOAT64, 2, 4, 7, threes);
    m.affine = true;
    for (int c = 0; c < 4; c++) {
        m.bias[c] = c % 2 ? 0.75 : -0.75; /* −X */
        m.dy[c] = 1 + c;
        m.dy[4 + c] = -1 - c; /* equal rows, opposite gradients: dweight = dbias = 0 */
    }
    struct truth *truth = truth_of_model(&m, false);
    for (int i = 0; i < 8; i++) {
        cr_expect(truth->output[0].value[i].exact && truth->output[0].value[i].hi == 0);
    }
    truth_destroy(&truth);
    truth = truth_of_model(&m, true);
    for (int c = 0; c < 4; c++) {
        cr_expect(truth->output[1].value[c].exact && truth->output[1].value[c].hi == 0);
        cr_expect(truth->output[2].value[c].exact && truth->output[2].value[c].hi == 0);
    }
    truth_destroy(&truth);
    struct model level = row(DTYPE_FLOAT32, 1, 4, 1e-5, (const double[4]){1, 2, 4, 9});
    for (int c = 0; c < 4; c++) {
        level.dy[c] = 0.7; /* the same everywhere: y does not change with its mean */
    }
    truth = truth_of_model(&level, true);
    for (int c = 0; c < 4; c++) {
        cr_expect(truth->output[0].value[c].exact && truth->output[0].value[c].hi == 0);
    }
    truth_destroy(&truth);
}

Test(normalization, a_special_value_stays_in_its_group)
{
    static const double x[9] = {1, 2, 4, 1, NAN, 3, INFINITY, 1, 2};
    struct model m = row(DTYPE_FLOAT32, 3, 3, 1e-5, x);
    for (int rms = 0; rms < 2; rms++) {
        m.name = rms ? "rms_norm" : "layer_norm";
        m.centred = !rms;
        struct truth *truth = truth_of_model(&m, false);
        for (int i = 0; i < 9; i++) {
            bool finite = truth->output[0].value[i].class == VALUE_FINITE;
            cr_expect_eq(finite, i < 3 || (rms && i > 6), "%s, element %d", m.name, i);
        }
        truth_destroy(&truth);
    }
}

/* --- bounds */

static float naive(const float *x, int n, float eps, int i, bool two_pass)
{
    float sum = 0, squares = 0;
    for (int k = 0; k < n; k++) {
        sum += x[k];
    }
    float mean = sum / (float)n;
    for (int k = 0; k < n; k++) {
        squares += two_pass ? (x[k] - mean) * (x[k] - mean) : x[k] * x[k];
    }
    float variance = squares / (float)n - (two_pass ? 0 : mean * mean);
    return (x[i] - mean) / sqrtf(variance + eps);
}

Test(normalization, the_bound_refuses_the_naive_variance_and_admits_two_passes)
{
    struct model m = {.name = "layer_norm",
                      .dtype = DTYPE_FLOAT32,
                      .batch = 1,
                      .channels = 33,
                      .inner = 1,
                      .groups = 1,
                      .centred = true,
                      .eps = 1e-5,
                      .mean = 1e3};
    int refused = 0;
    struct profile profile = profile_ieee();
    for (uint64_t seed = 0; seed < 20; seed++) {
        fill(&m, seed);
        float x[33];
        for (int i = 0; i < 33; i++) {
            x[i] = (float)m.x[i];
        }
        struct truth *truth = truth_of_model(&m, false);
        struct attributes attributes = attributes_of(&m);
        bool wrong = false;
        for (int i = 0; i < 33; i++) {
            struct accept accept = accept_of("layer_norm", &attributes, &profile, truth, 0, i, false);
            cr_expect(accepts_double(&accept, (double)naive(x, 33, 1e-5F, i, true)), "seed %d", (int)seed);
            wrong = wrong || !accepts_double(&accept, (double)naive(x, 33, 1e-5F, i, false));
        }
        refused += wrong;
        truth_destroy(&truth);
    }
    cr_expect_geq(refused, 18);
}

Test(normalization, the_bound_refuses_the_biased_running_variance)
{
    struct model m = models[5];
    m.gradient = "batch_norm_backward";
    m.dtype = DTYPE_FLOAT32;
    m.eps = 1e-5;
    fill(&m, 7);
    struct truth *truth = truth_of_model(&m, false);
    struct attributes attributes = attributes_of(&m);
    struct profile profile = profile_ieee();
    for (int c = 0; c < 2; c++) {
        double right = value_approximately(&truth->output[1].value[c]), old = m.running_var[c];
        double biased = 0.9 * old + (right - 0.9 * old) * 11 / 12;
        struct accept accept = accept_of("batch_norm", &attributes, &profile, truth, 1, c, false);
        cr_expect(accepts_double(&accept, right));
        cr_expect_not(accepts_double(&accept, biased));
    }
    truth_destroy(&truth);
}

Test(normalization, zeros_may_have_either_sign)
{
    static const double same[3] = {5, 5, 5};
    struct model m = row(DTYPE_FLOAT32, 1, 3, 1, same);
    struct truth *truth = truth_of_model(&m, false);
    struct attributes attributes = attributes_of(&m);
    struct profile profile = profile_ieee();
    struct accept accept = accept_of("layer_norm", &attributes, &profile, truth, 0, 0, false);
    cr_expect(accepts_double(&accept, 0.0) && accepts_double(&accept, -0.0));
    cr_expect_not(accepts_double(&accept, 1e-3));
    truth_destroy(&truth);
}

/* --- operands */

static bool accepted(const char *name, const struct attributes *attributes, int inputs,
                     const struct view *input)
{
    const struct op *op = op_find(name);
    struct op_operands operands = {.attributes = attributes, .inputs = inputs, .input = input};
    struct op_signature signature;
    struct error error;
    return op->signature(op, &operands, &signature, &error);
}

static struct view contiguous(struct shape shape)
{
    return view_contiguous(0, DTYPE_FLOAT32, &shape);
}

Test(normalization, operands_that_do_not_fit_are_refused)
{
    struct view x = contiguous(shape_of(3, (int64_t)2, (int64_t)6, (int64_t)1));
    struct view absent = {.storage = -1}, channels = contiguous(shape_of(1, (int64_t)6));
    struct view few = contiguous(shape_of(1, (int64_t)5)),
                one = contiguous(shape_of(2, (int64_t)1, (int64_t)6));
    struct attributes groups = {.count = 1,
                                .item = {{.name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = 4}}};
    struct attributes trains = {.count = 1,
                                .item = {{.name = "training", .type = ATTRIBUTE_BOOL, .integer = 1}}};
    struct attributes none = {.count = 0};
    cr_expect_not(accepted("group_norm", &groups, 1, &x));
    groups.item[0].integer = 3;
    cr_expect(accepted("group_norm", &groups, 1, &x));
    cr_expect(accepted("group_norm", &groups, 2, (struct view[]){x, channels}));
    cr_expect_not(accepted("group_norm", &groups, 2, (struct view[]){x, few}));
    cr_expect_not(accepted("instance_norm", &none, 1, &x));
    cr_expect(accepted("batch_norm", &trains, 1, &x));
    cr_expect_not(accepted("batch_norm", &trains, 1, &one));
    cr_expect_not(accepted("batch_norm", &none, 1, &x));
    cr_expect(accepted("batch_norm", &none, 3, (struct view[]){one, channels, channels}));
    cr_expect_not(accepted("batch_norm", &none, 3, (struct view[]){x, channels, absent}));
    cr_expect_not(accepted("layer_norm", &none, 1, &x));
}

/* An absent weight is neither an empty one nor one of another value. */
Test(normalization, an_absent_operand_is_part_of_the_key)
{
    static const double x[3] = {1, 2, 4}, ones[3] = {1, 1, 1};
    struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), x), {.data = NULL}};
    struct op_call call = {.op = op_find("layer_norm"), .inputs = 2, .input = input};
    char absent[33], present[33];
    cr_expect(tensor_absent(&input[1]));
    call_digest(&call, absent);
    input[1] = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), ones);
    cr_expect_not(tensor_absent(&input[1]));
    call_digest(&call, present);
    cr_expect_str_neq(absent, present);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}
