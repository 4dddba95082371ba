/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Certified gradient with respect to the input, and the loop over all gradients.
 *
 * With D = a·x − S, so that X = D/sqrt(W) and r = a/sqrt(W), and with w = g·dy, A = sum w, P = sum w·D:
 *
 *     dx = r·(w − A/n − X·sum(w·X)/n) = T/(W·sqrt(W)),   T = W·(n·w − A) − D·P   (a = n),
 *
 * where RMS omits A. T is a sum of products of the inputs. It is computed exactly, so that zeros and signs
 * are exact, too. */

#include "reference/numeric/round_up.h"
#include "reference/operator/ziv.h"
#include "reference/ops/normalization/normalization_bound.h"
#include "reference/ops/normalization/normalization_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exact sums of one group. */
struct projection {
    bool special; /* a w or x of the group is not finite, or V + eps is not positive */
    bool open;    /* x is finite: the result is NaN or an infinity, depending on the order of operations */
    mpfr_t sum, dot;
    struct span w, deviation, dots;
    double mean_w, mean_w_x, mean_w_normal; /* mean|w|, mean|w·x|, mean|w·X|, rounded up */
};

static double weight_of(const struct normalization *n, int64_t i)
{
    return n->weight ? tensor_component(n->weight, normalization_channel_of(n, i)) : 1;
}

static double magnitude_of(mpfr_srcptr x) /* rounded up */
{
    return fabs(mpfr_get_d(x, MPFR_RNDA));
}

static void product_of(const struct normalization *n, int64_t i, mpfr_ptr w) /* 106 bits: exact */
{
    mpfr_set_d(w, weight_of(n, i), MPFR_RNDN);
    mpfr_mul_d(w, w, tensor_component(n->grad, i), MPFR_RNDN);
}

static struct span span_of_mpfr(mpfr_srcptr x)
{
    return mpfr_zero_p(x) ? span_of(0)
                          : (struct span){(int)mpfr_get_exp(x), (int)mpfr_get_exp(x) - (int)mpfr_get_prec(x)};
}

static void project(const struct normalization *n, const struct moments *moments, int64_t group,
                    struct projection *p)
{
    int64_t length = normalization_length(n);
    mpfr_t w, deviation, product;
    mpfr_inits2(106, w, deviation, product, (mpfr_ptr)0);
    p->special = moments->special;
    p->w = span_of(0);
    p->mean_w = p->mean_w_x = p->mean_w_normal = 0;
    for (int64_t j = 0; j < length; j++) {
        product_of(n, normalization_element(n, group, j), w);
        p->special = p->special || !(n->evaluates || mpfr_number_p(w));
        p->w = p->special || n->evaluates ? p->w : span_join(p->w, span_of_mpfr(w));
    }
    p->open = p->special && !moments->special;
    p->deviation = moments_deviation_span(moments);
    p->dots = span_sum(span_times(p->w, p->deviation), length);
    mpfr_set_prec(p->sum, span_bits(span_sum(p->w, length)));
    mpfr_set_prec(p->dot, span_bits(p->dots));
    mpfr_set_zero(p->sum, 1);
    mpfr_set_zero(p->dot, 1);
    mpfr_set_prec(deviation, span_bits(p->deviation));
    mpfr_set_prec(product, span_bits(p->deviation) + 106);
    for (int64_t j = 0; j < length && !p->special && !n->evaluates; j++) {
        int64_t i = normalization_element(n, group, j);
        double x = tensor_component(n->x, i);
        product_of(n, i, w);
        moments_deviation(moments, x, deviation);
        if (n->centred) {
            mpfr_add(p->sum, p->sum, w, MPFR_RNDN);
        }
        mpfr_mul(product, w, deviation, MPFR_RNDN);
        mpfr_add(p->dot, p->dot, product, MPFR_RNDN);
        double magnitude = round_up_quotient(magnitude_of(w), (double)length);
        double normal = round_up_product(magnitude_of(deviation), magnitude_of(moments->root));
        p->mean_w = round_up_sum(p->mean_w, magnitude);
        p->mean_w_x = round_up_sum(p->mean_w_x, round_up_product(magnitude, fabs(x)));
        p->mean_w_normal = round_up_sum(p->mean_w_normal, round_up_product(magnitude, normal));
    }
    mpfr_clears(w, deviation, product, (mpfr_ptr)0);
}

struct scratch {
    mpfr_t w, deviation, left, right, y;
};

/* T, exact, in scratch->right. */
static void numerator(const struct moments *moments, const struct projection *p, double x, struct scratch *s)
{
    mpfr_set_d(s->right, moments->n, MPFR_RNDN);
    mpfr_mul(s->right, s->right, s->w, MPFR_RNDN);
    mpfr_sub(s->right, s->right, p->sum, MPFR_RNDN);
    mpfr_mul(s->right, s->right, moments->w, MPFR_RNDN);
    moments_deviation(moments, x, s->deviation);
    mpfr_mul(s->left, s->deviation, p->dot, MPFR_RNDN);
    mpfr_sub(s->right, s->right, s->left, MPFR_RNDN);
}

static void set_scratch(const struct moments *moments, const struct projection *p, struct scratch *s)
{
    struct span left = span_times(p->deviation, p->dots);
    struct span right = span_times(span_times(span_of(moments->n), p->w), moments->wide);
    right = span_join(span_sum(right, 2), span_times(span_sum(p->w, (int64_t)moments->n), moments->wide));
    struct span all = span_sum(span_join(left, right), 4);
    mpfr_set_prec(s->deviation, span_bits(p->deviation));
    mpfr_set_prec(s->left, span_bits(all));
    mpfr_set_prec(s->right, span_bits(all));
}

static void element_gradient(const struct normalization *n, const struct moments *moments,
                             const struct projection *p, int64_t i, struct scratch *s,
                             struct truth_output *dx, int *bits)
{
    double x = tensor_component(n->x, i), root = magnitude_of(moments->root);
    double *t = &dx->sensitivity[i * GRADIENT_SENSITIVITIES];
    if (p->special) {
        double w = weight_of(n, i) * tensor_component(n->grad, i);
        dx->value[i] = value_of(n->evaluates ? w * moments->r : NAN);
        dx->value[i].open = p->open;
        if (moments->undefined) {
            normalization_describe(moments, t);
        }
        return;
    }
    product_of(n, i, s->w);
    normalization_describe(moments, t);
    t[ELEMENT_X] = fabs(x);
    t[ELEMENT_WEIGHT] = magnitude_of(s->w);
    if (n->evaluates) {
        mpfr_mul(s->y, s->w, moments->root, MPFR_RNDN);
    } else {
        numerator(moments, p, x, s);
        mpfr_div(s->y, s->right, moments->w, MPFR_RNDN);
        mpfr_mul(s->y, s->y, moments->root, MPFR_RNDN);
        t[ELEMENT_NORMAL] = round_up_product(magnitude_of(s->deviation), root);
        t[ELEMENT_BIAS] = round_up_quotient(magnitude_of(p->sum), moments->n);
        t[GROUP_PROJECTION] = round_up_quotient(round_up_product(magnitude_of(p->dot), root), moments->n);
        t[GROUP_W] = p->mean_w;
        t[GROUP_W_X] = p->mean_w_x;
        t[GROUP_W_NORMAL] = p->mean_w_normal;
    }
    dx->value[i] = value_from_mpfr(s->y, mpfr_zero_p(s->y));
    if (!dx->value[i].exact &&
        ZIV_TARGET_BITS < *bits) { /* three roundings to 192 bits; a double-double has 106 */
        *bits = ZIV_TARGET_BITS;
    }
}

struct normalization_input_certifier {
    const struct normalization *n;
    int64_t group; /* the group of the moments and sums; < 0: none yet */
    struct moments moments;
    struct projection projection;
    struct scratch scratch;
};

struct normalization_input_certifier *normalization_input_certifier_create(const struct normalization *n)
{
    struct normalization_input_certifier *c = malloc(sizeof *c);
    if (c) {
        struct scratch *s = &c->scratch;
        c->n = n;
        c->group = -1;
        moments_init(&c->moments);
        mpfr_inits2(106, c->projection.sum, c->projection.dot, s->w, s->deviation, s->left, s->right,
                    (mpfr_ptr)0);
        mpfr_init2(s->y, NORMALIZATION_BITS);
    }
    return c;
}

void normalization_input_certifier_destroy(struct normalization_input_certifier **certifier)
{
    struct normalization_input_certifier *c = *certifier;
    if (c) {
        struct scratch *s = &c->scratch;
        moments_clear(&c->moments);
        mpfr_clears(c->projection.sum, c->projection.dot, s->w, s->deviation, s->left, s->right, s->y,
                    (mpfr_ptr)0);
    }
    free(c);
    *certifier = NULL;
}

void normalization_input_certify(struct normalization_input_certifier *c, int64_t group, int64_t element,
                                 struct truth_output *dx, int *bits)
{
    if (c->group != group) {
        moments_of(c->n, group, &c->moments);
        project(c->n, &c->moments, group, &c->projection);
        if (!c->projection.special && !c->n->evaluates) {
            set_scratch(&c->moments, &c->projection, &c->scratch);
        }
        c->group = group;
    }
    memset(&dx->sensitivity[element * GRADIENT_SENSITIVITIES], 0,
           GRADIENT_SENSITIVITIES * sizeof *dx->sensitivity);
    element_gradient(c->n, &c->moments, &c->projection, element, &c->scratch, dx, bits);
}

static bool input_truth(const struct normalization *n, struct truth_output *dx, int *bits)
{
    struct normalization_input_certifier *c = normalization_input_certifier_create(n);
    int64_t groups = dx->elements ? normalization_groups(n) : 0, length = normalization_length(n);
    for (int64_t g = 0; c && g < groups; g++) {
        for (int64_t j = 0; j < length; j++) {
            normalization_input_certify(c, g, normalization_element(n, g, j), dx, bits);
        }
    }
    bool good = c != NULL;
    normalization_input_certifier_destroy(&c);
    return good;
}

bool normalization_gradient_truth(const struct normalization *n, struct truth_output *dx,
                                  struct truth_output *dweight, struct truth_output *dbias, int *bits,
                                  struct error *error)
{
    bool good = input_truth(n, dx, bits) || error_set(error, "out of memory");
    struct normalization_weight_certifier *c =
        good && dweight ? normalization_weight_certifier_create(n, error) : NULL;
    good = good && (!dweight || c);
    for (int64_t channel = 0; good && dweight && channel < dweight->elements; channel++) {
        good = normalization_weight_certify(c, channel, dweight, bits, error);
    }
    normalization_weight_certifier_destroy(&c);
    for (int64_t channel = 0; good && dbias && channel < dbias->elements; channel++) {
        normalization_bias_certify(n, channel, dbias, bits);
    }
    return good;
}
