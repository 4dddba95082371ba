/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests convolutions against sums in Arb over all triples of elements that belong together. The triples are
 * enumerated from the definition of the convolution alone, and scattered; the index maps gather. */
#include "reference/ops/convolution/test/convolution_case.h"

#include <stdio.h>

enum { BITS = 4000, LARGEST = 4096 };

static void fill(double *x, int64_t n, struct philox *g, enum dtype dtype, bool special)
{
    for (int64_t i = 0; i < n; i++) {
        unsigned char bytes[8];
        double value = ldexp(1 + philox_unit(g), (int)philox_below(g, 9) - 4) * (philox_below(g, 2) ? 1 : -1);
        value = special && philox_below(g, 9) == 0 ? (philox_below(g, 2) ? INFINITY : NAN) : value;
        dtype_store(dtype, bytes, value);
        x[i] = dtype_load(dtype, bytes);
    }
}

/* The sums of one side from the elements of the two others. */
struct scattered {
    enum side to, from[2];
    const double *a, *b;
    arb_ptr sum;
    double *special; /* NaN or an infinity where a term is one */
};

static void scatter(void *user, const struct convolution_triple *met)
{
    struct scattered *s = user;
    const int64_t *triple = met->element;
    double a = s->a[triple[s->from[0]]], b = s->b[triple[s->from[1]]];
    arb_t x;
    if (!isfinite(a) || !isfinite(b)) {
        s->special[triple[s->to]] += a * b;
        return;
    }
    arb_init(x);
    arb_set_d(x, a);
    arb_t y;
    arb_init(y);
    arb_set_d(y, b);
    arb_addmul(s->sum + triple[s->to], x, y, BITS);
    arb_clear(x);
    arb_clear(y);
}

static bool same_class(const struct value *value, double special)
{
    return isnan(special) ? value->class == VALUE_NAN
                          : value->class == (special > 0 ? VALUE_POSITIVE_INFINITY : VALUE_NEGATIVE_INFINITY);
}

static void compare(const struct scattered *s, const struct truth_output *truth,
                    const struct truth_output *near, const char *name)
{
    for (int64_t e = 0; e < truth->elements; e++) {
        if (s->special[e] != 0) {
            cr_assert(same_class(&truth->value[e], s->special[e]) &&
                          same_class(&near->value[e], s->special[e]),
                      "%s, element %lld", name, (long long)e);
            continue;
        }
        const struct value *v = &truth->value[e], *w = &near->value[e];
        if (arb_is_zero(s->sum + e)) { /* no term meets it */
            cr_assert(v->hi == 0 && w->hi == 0 && near->radius[e] == 0, "%s, element %lld", name,
                      (long long)e);
            continue;
        }
        cr_assert_leq(value_distance_log2(v, s->sum + e), -103, "%s, element %lld", name, (long long)e);
        cr_assert(fabs((w->hi - v->hi) + (w->lo - v->lo)) <= near->radius[e] * (1 + 0x1p-30),
                  "%s, element %lld", name, (long long)e);
        cr_assert(memcmp(&truth->envelope[e], &near->envelope[e], sizeof truth->envelope[e]) == 0,
                  "%s, element %lld", name, (long long)e);
    }
}

/* Certifies every element of the enclosure anew and expects the truth. */
static void compare_certified(const char *name, const struct attributes *attributes, int inputs,
                              const struct tensor *input, const struct truth *truth, struct truth *near)
{
    struct error error = {.text = ""};
    const struct op *op = op_find(name);
    struct op_call call = {.op = op, .attributes = attributes, .inputs = inputs, .input = input};
    for (int o = 0; o < truth->outputs; o++) {
        for (int64_t e = 0; e < truth->output[o].elements; e++) {
            cr_assert(op->certify(&call, near, o, e, &error), "%s", error.text);
            const struct value *v = &truth->output[o].value[e], *w = &near->output[o].value[e];
            cr_assert(v->class == w->class && v->hi == w->hi && v->lo == w->lo &&
                          near->output[o].radius[e] == 0,
                      "%s, result %d, element %lld", name, o, (long long)e);
        }
    }
}

struct run {
    struct convolution_case p;
    enum dtype dtype;
    struct shape shape[SIDES];
    double *x[SIDES];
    char name[48];
    struct attributes attributes;
};

static void add_bias(struct scattered *s, const double *bias, int64_t channels, int64_t positions,
                     int64_t count)
{
    for (int64_t e = 0; e < count; e++) {
        arb_t x;
        arb_init(x);
        arb_set_d(x, bias[e / positions % channels]);
        arb_add(s->sum + e, s->sum + e, x, BITS);
        arb_clear(x);
    }
}

static void check_output(const struct run *r, enum side to, const double *a, const double *b,
                         enum side from_a, enum side from_b, const double *bias,
                         const struct truth_output *truth, const struct truth_output *near)
{
    int64_t count = shape_elements(&r->shape[to]);
    struct scattered s = {.to = to, .from = {from_a, from_b}, .a = a, .b = b, .sum = _arb_vec_init(count)};
    s.special = calloc((size_t)count + 1, sizeof *s.special);
    cr_assert_eq(truth->elements, count);
    convolution_case_each(&r->p, scatter, &s);
    if (bias) {
        add_bias(&s, bias, r->shape[to].dim[1], convolution_case_volume(to == SIDE_X ? r->p.x : r->p.y),
                 count);
    }
    compare(&s, truth, near, r->name);
    _arb_vec_clear(s.sum, count);
    free(s.special);
}

static void check_channels(const double *gradient, const struct shape *shape,
                           const struct truth_output *truth, const char *name)
{
    int64_t channels = shape->dim[1], all = shape_elements(shape);
    int64_t positions = all ? all / shape->dim[0] / channels : 0;
    for (int64_t c = 0; c < channels; c++) {
        double special = 0;
        arb_t sum, x;
        arb_init(sum);
        arb_init(x);
        for (int64_t i = 0; i < all; i++) {
            if (i / positions % channels != c) {
                continue;
            }
            if (!isfinite(gradient[i])) {
                special += gradient[i];
                continue;
            }
            arb_set_d(x, gradient[i]);
            arb_add(sum, sum, x, BITS);
        }
        if (special != 0) {
            cr_assert(same_class(&truth->value[c], special), "%s", name);
        } else if (all > 0) {
            cr_assert_leq(value_distance_log2(&truth->value[c], sum), -103, "%s", name);
        }
        arb_clear(sum);
        arb_clear(x);
    }
}

static void check_forward(struct run *r, struct philox *g)
{
    const enum side from = r->p.transposed ? SIDE_Y : SIDE_X, to = r->p.transposed ? SIDE_X : SIDE_Y;
    double bias[16];
    snprintf(r->name, sizeof r->name, "conv%s%dd", r->p.transposed ? "_transpose" : "", r->p.rank);
    fill(bias, r->shape[to].dim[1], g, r->dtype, false);
    struct tensor input[] = {tensor_from(r->dtype, r->shape[from], r->x[from]),
                             tensor_from(r->dtype, r->shape[SIDE_WEIGHT], r->x[SIDE_WEIGHT]),
                             tensor_from(r->dtype, shape_of(1, r->shape[to].dim[1]), bias)};
    int inputs = 2 + (int)philox_below(g, 2);
    struct truth *truth = truth_of_call(r->name, &r->attributes, inputs, input);
    struct truth *near = any_truth_of_call(r->name, &r->attributes, inputs, input, true);
    cr_assert(shape_equal(&truth->output[0].shape, &r->shape[to]));
    check_output(r, to, r->x[from], r->x[SIDE_WEIGHT], from, SIDE_WEIGHT, inputs > 2 ? bias : NULL,
                 &truth->output[0], &near->output[0]);
    compare_certified(r->name, &r->attributes, inputs, input, truth, near);
    truth_destroy(&truth);
    truth_destroy(&near);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
}

static void check_backward(struct run *r)
{
    const enum side from = r->p.transposed ? SIDE_Y : SIDE_X, to = r->p.transposed ? SIDE_X : SIDE_Y;
    snprintf(r->name, sizeof r->name, "conv%s%dd_backward", r->p.transposed ? "_transpose" : "", r->p.rank);
    struct tensor input[] = {tensor_from(r->dtype, r->shape[to], r->x[to]),
                             tensor_from(r->dtype, r->shape[from], r->x[from]),
                             tensor_from(r->dtype, r->shape[SIDE_WEIGHT], r->x[SIDE_WEIGHT])};
    struct truth *truth = truth_of_call(r->name, &r->attributes, 3, input);
    struct truth *near = any_truth_of_call(r->name, &r->attributes, 3, input, true);
    check_output(r, from, r->x[to], r->x[SIDE_WEIGHT], to, SIDE_WEIGHT, NULL, &truth->output[0],
                 &near->output[0]);
    check_output(r, SIDE_WEIGHT, r->x[to], r->x[from], to, from, NULL, &truth->output[1], &near->output[1]);
    check_channels(r->x[to], &r->shape[to], &truth->output[2], r->name);
    compare_certified(r->name, &r->attributes, 3, input, truth, near);
    truth_destroy(&truth);
    truth_destroy(&near);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
}

static void check(uint64_t seed, bool backward, bool special)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    struct philox g;
    philox_start(&g, seed);
    struct run r = {.dtype = dtypes[seed % 4]};
    do {
        r.p = convolution_case_any(&g, 0, seed / 4 % 2);
    } while (convolution_case_triples(&r.p) > LARGEST);
    r.attributes = convolution_case_attributes(&r.p);
    for (int side = 0; side < SIDES; side++) {
        r.shape[side] = convolution_case_shape(&r.p, (enum side)side);
        int64_t count = shape_elements(&r.shape[side]);
        r.x[side] = malloc(((size_t)count + 1) * sizeof *r.x[side]);
        fill(r.x[side], count, &g, r.dtype, special);
    }
    if (backward) {
        check_backward(&r);
    } else {
        check_forward(&r, &g);
    }
    for (int side = 0; side < SIDES; side++) {
        free(r.x[side]);
    }
}

Test(convolution, agrees_with_arb)
{
    for (uint64_t seed = 0; seed < 160; seed++) {
        check(seed, false, false);
    }
}

Test(convolution, gradients_agree_with_arb)
{
    for (uint64_t seed = 0; seed < 120; seed++) {
        check(seed, true, false);
    }
}

Test(convolution, special_values_reach_the_windows_that_hold_them)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        check(seed, seed % 3 == 2, true);
    }
}
