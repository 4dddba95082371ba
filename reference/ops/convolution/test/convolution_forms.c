/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/convolution/test/convolution_forms.h"

/* Double arithmetic rounded to float32 is float32 arithmetic: 53 ≥ 2·24 + 2 (Figueroa). */
static double near(const struct convolution_form *form, double x)
{
    return form->wide == DTYPE_FLOAT64 ? x : (double)(float)x;
}

struct convolution_form convolution_form_any(enum dtype dtype, struct philox *g)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 8, 16, 32};
    struct convolution_form form = {.scheme = (enum convolution_scheme)philox_below(g, SCHEMES),
                                    .order = (enum convolution_order)philox_below(g, ORDERS),
                                    .size = sizes[philox_below(g, 7)],
                                    .fused = philox_below(g, 2),
                                    .zeros = philox_below(g, 2),
                                    .bias_first = philox_below(g, 2),
                                    .wide = dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32};
    if (form.scheme == SCHEME_GEMM) {
        form.order = form.order % 2 ? ORDER_TAPS : ORDER_CHANNELS;
        form.fused = form.zeros = true;
    }
    philox_start(&form.g, philox_next64(g));
    return form;
}

static struct convolution_terms terms_create(int64_t elements, int64_t outer, int64_t inner, bool products)
{
    struct convolution_terms terms = {.elements = elements, .outer = outer, .inner = inner};
    size_t count = (size_t)(elements * outer * inner) + 1;
    terms.a = calloc(count, sizeof *terms.a);
    terms.b = products ? calloc(count, sizeof *terms.b) : NULL;
    terms.there = calloc(count, sizeof *terms.there);
    cr_assert(terms.a && terms.there && (terms.b || !products));
    return terms;
}

void convolution_terms_clear(struct convolution_terms *terms)
{
    free(terms->a);
    free(terms->b);
    free(terms->there);
}

struct gathering {
    struct convolution_terms terms;
    enum side to, from[2];
    double *const *x;
};

static void gather(void *user, const struct convolution_triple *triple)
{
    struct gathering *s = user;
    int64_t c = s->to == SIDE_Y   ? triple->x_channel
                : s->to == SIDE_X ? triple->y_channel
                                  : triple->sample,
            k = s->to == SIDE_WEIGHT ? triple->position : triple->tap;
    int64_t at = (triple->element[s->to] * s->terms.outer + c) * s->terms.inner + k;
    s->terms.a[at] = s->x[s->from[0]][triple->element[s->from[0]]];
    s->terms.b[at] = s->x[s->from[1]][triple->element[s->from[1]]];
    s->terms.there[at] = true;
}

struct convolution_terms convolution_terms_of(const struct convolution_case *p, enum side to,
                                              double *const x[SIDES])
{
    static const enum side others[SIDES][2] = {
        [SIDE_X] = {SIDE_Y, SIDE_WEIGHT}, [SIDE_Y] = {SIDE_X, SIDE_WEIGHT}, [SIDE_WEIGHT] = {SIDE_X, SIDE_Y}};
    const struct shape shape = convolution_case_shape(p, to);
    struct gathering s = {.to = to, .from = {others[to][0], others[to][1]}, .x = x};
    s.terms = terms_create(
        shape_elements(&shape),
        to == SIDE_Y   ? p->x_channels
        : to == SIDE_X ? p->y_channels
                       : p->batch,
        to == SIDE_WEIGHT ? convolution_case_volume(p->y) : convolution_case_volume(p->kernel), true);
    convolution_case_each(p, gather, &s);
    return s.terms;
}

struct convolution_terms convolution_terms_of_channels(const struct shape *shape, const double *x)
{
    int64_t batch = shape->dim[0], channels = shape->dim[1], all = shape_elements(shape);
    struct convolution_terms terms = terms_create(channels, batch, all / (batch * channels), false);
    for (int64_t i = 0; i < all; i++) {
        int64_t sample = i / terms.inner / channels, channel = i / terms.inner % channels;
        int64_t at = (channel * batch + sample) * terms.inner + i % terms.inner;
        terms.a[at] = x[i];
        terms.there[at] = true;
    }
    return terms;
}

/* The terms of one sum in the order of a form; b = NULL: no products. */
struct ordered {
    const double *a, *b;
    int64_t n;
};

static struct ordered part(const struct ordered *s, int64_t from, int64_t n)
{
    return (struct ordered){s->a + from, s->b ? s->b + from : NULL, n};
}

static double add(const struct convolution_form *form, const struct ordered *s, int64_t i, double sum)
{
    if (!s->b) {
        return near(form, sum + s->a[i]);
    }
    if (form->fused) {
        return form->wide == DTYPE_FLOAT64 ? fma(s->a[i], s->b[i], sum)
                                           : (double)fmaf((float)s->a[i], (float)s->b[i], (float)sum);
    }
    return near(form, sum + near(form, s->a[i] * s->b[i]));
}

static double running(const struct convolution_form *form, const struct ordered *s, double sum)
{
    for (int64_t i = 0; i < s->n; i++) {
        sum = add(form, s, i, sum);
    }
    return sum;
}

static double pairwise(const struct convolution_form *form, const struct ordered *s)
{
    if (s->n <= 2) {
        return running(form, s, 0);
    }
    struct ordered low = part(s, 0, s->n / 2), high = part(s, s->n / 2, s->n - s->n / 2);
    return near(form, pairwise(form, &low) + pairwise(form, &high));
}

static double blocks(const struct convolution_form *form, const struct ordered *s, double sum)
{
    for (int64_t i = 0; i < s->n; i += form->size) {
        struct ordered block = part(s, i, s->n - i < form->size ? s->n - i : form->size);
        sum = near(form, sum + running(form, &block, 0));
    }
    return sum;
}

static void shuffle(struct convolution_form *form, double *a, double *b, int64_t n)
{
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t other = philox_below(&form->g, (uint32_t)i + 1);
        double swapped = a[i];
        a[i] = a[other];
        a[other] = swapped;
        if (b) {
            swapped = b[i];
            b[i] = b[other];
            b[other] = swapped;
        }
    }
}

static double split(struct convolution_form *form, const struct ordered *s, double sum)
{
    double parts[32];
    for (int64_t i = 0; i < form->size; i++) {
        int64_t from = s->n * i / form->size, to = s->n * (i + 1) / form->size;
        struct ordered one = part(s, from, to - from);
        parts[i] = running(form, &one, 0);
    }
    shuffle(form, parts, NULL, form->size);
    for (int64_t i = 0; i < form->size; i++) {
        sum = near(form, sum + parts[i]);
    }
    return sum;
}

static double lanes(const struct convolution_form *form, const struct ordered *s)
{
    double lane[32] = {0}, ones[32];
    for (int64_t i = 0; i < s->n; i++) {
        lane[i % form->size] = add(form, s, i, lane[i % form->size]);
    }
    for (int i = 0; i < 32; i++) {
        ones[i] = 1;
    }
    struct ordered all = {lane, ones, form->size};
    return pairwise(form, &all);
}

static double sum_of(struct convolution_form *form, const struct ordered *s, double start)
{
    switch (form->scheme) {
    case SCHEME_BLOCKS:
    case SCHEME_GEMM:
        return blocks(form, s, start);
    case SCHEME_SPLIT:
        return split(form, s, start);
    case SCHEME_PAIRWISE:
        return near(form, start + pairwise(form, s));
    case SCHEME_LANES:
        return near(form, start + lanes(form, s));
    case SCHEME_RUNNING:
    case SCHEMES:
        break;
    }
    return running(form, s, start);
}

/* Copies the terms of element e in the order of the form. Returns their number. */
static int64_t take_terms(struct convolution_form *form, const struct convolution_terms *terms, int64_t e,
                          double *a, double *b)
{
    const int64_t all = terms->outer * terms->inner, first = e * all;
    int64_t n = 0;
    for (int64_t i = 0; i < all; i++) {
        int64_t at = form->order == ORDER_TAPS       ? i % terms->outer * terms->inner + i / terms->outer
                     : form->order == ORDER_REVERSED ? all - 1 - i
                                                     : i;
        if (form->zeros || terms->there[first + at]) {
            a[n] = terms->a[first + at];
            if (b) {
                b[n] = terms->b[first + at];
            }
            n++;
        }
    }
    if (form->order == ORDER_ANY) {
        shuffle(form, a, b, n);
    }
    return n;
}

double convolution_form_element(struct convolution_form *form, const struct convolution_terms *terms,
                                int64_t e, const double *bias)
{
    size_t all = (size_t)(terms->outer * terms->inner) + 1;
    double *a = malloc(2 * all * sizeof *a), *b = terms->b ? a + all : NULL;
    cr_assert(a);
    struct ordered s = {a, b, take_terms(form, terms, e, a, b)};
    double sum = sum_of(form, &s, bias && form->bias_first ? *bias : 0);
    free(a);
    return bias && !form->bias_first ? near(form, sum + *bias) : sum;
}
