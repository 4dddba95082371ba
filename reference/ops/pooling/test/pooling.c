/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests pooling against its definition: the input is written into a padded plane, windows are cut from it,
 * and Arb sums them. Positions of windows are enumerated until one begins behind the input. */
#include "reference/test/support.h"

enum { DIMENSIONS = 3, BITS = 4000, ELEMENTS = 4096 };

/* A random problem; dimensions beyond `rank` stand in front and have size, kernel and stride 1. */
struct problem {
    int rank;
    int64_t planes, x[DIMENSIONS], y[DIMENSIONS], kernel[DIMENSIONS], stride[DIMENSIONS];
    int64_t padding[DIMENSIONS], dilation[DIMENSIONS], divisor;
    bool ceil, uncounted;
};

static int64_t below(struct philox *g, int64_t n)
{
    return (int64_t)philox_below(g, (uint32_t)n);
}

/* The number of windows: all that end within the padded input, and with ceil one more that reaches beyond it,
 * if it begins before the padding at the end. */
static int64_t windows_of(const struct problem *p, int i)
{
    int64_t count = 0;
    for (int64_t begin = 0;; begin += p->stride[i]) {
        const int64_t end = begin + (p->kernel[i] - 1) * p->dilation[i] + 1,
                      padded = p->x[i] + 2 * p->padding[i];
        const bool whole = end <= padded;
        const bool part = p->ceil && end - padded < p->stride[i] && begin < p->x[i] + p->padding[i];
        if (!whole && !part) {
            return count;
        }
        count++;
    }
}

static struct problem problem_of(struct philox *g, bool maximum)
{
    struct problem p = {.rank = 1 + (int)below(g, 3), .planes = 1 + below(g, 3), .ceil = below(g, 2)};
    p.uncounted = !maximum && below(g, 2);
    p.divisor = !maximum && p.rank > 1 && below(g, 4) == 0 ? 1 + below(g, 9) : 0;
    for (int i = 0; i < DIMENSIONS; i++) {
        const bool there = i >= DIMENSIONS - p.rank;
        p.kernel[i] = there ? 1 + below(g, 4) : 1;
        p.stride[i] = there ? 1 + below(g, 4) : 1;
        p.padding[i] = there ? below(g, p.kernel[i] / 2 + 1) : 0;
        p.dilation[i] = there && maximum ? 1 + below(g, 2) : 1;
        p.x[i] = there ? (p.kernel[i] - 1) * p.dilation[i] + 1 + below(g, 6) : 1;
        p.y[i] = windows_of(&p, i);
    }
    return p;
}

static struct attributes attributes_of(const struct problem *p, bool maximum)
{
    const char *const names[] = {"kernel_size", "stride", "padding", "dilation"};
    const int64_t *const lists[] = {p->kernel, p->stride, p->padding, p->dilation};
    struct attributes a = {.count = 0};
    for (int k = 0; k < 3 + maximum; k++) {
        struct attribute list = {
            .name = names[k], .type = ATTRIBUTE_INTEGERS, .integers = {.count = p->rank}};
        memcpy(list.integers.item, lists[k] + DIMENSIONS - p->rank, (size_t)p->rank * sizeof(int64_t));
        a.item[a.count++] = list;
    }
    a.item[a.count++] = (struct attribute){.name = "ceil_mode", .type = ATTRIBUTE_BOOL, .integer = p->ceil};
    if (!maximum) {
        a.item[a.count++] =
            (struct attribute){.name = "count_include_pad", .type = ATTRIBUTE_BOOL, .integer = !p->uncounted};
    }
    if (p->divisor) {
        a.item[a.count++] =
            (struct attribute){.name = "divisor_override", .type = ATTRIBUTE_INTEGER, .integer = p->divisor};
    }
    return a;
}

static int64_t volume(const int64_t *size)
{
    return size[0] * size[1] * size[2];
}

static struct shape shape_with(const struct problem *p, const int64_t *size)
{
    struct shape shape = shape_of(2, p->planes, (int64_t)1);
    for (int i = DIMENSIONS - p->rank; i < DIMENSIONS; i++) {
        shape.dim[shape.rank++] = size[i];
    }
    return shape;
}

/* Calls `meet` for every window and element of the input that belong together, in the order of the taps;
 * places in the padding have element −1, those beyond it −2. */
static void each_pair(const struct problem *p, void (*meet)(void *user, int64_t window, int64_t element),
                      void *user)
{
    int64_t y[3], t[3];
    for (int64_t plane = 0; plane < p->planes; plane++) {
        for (int64_t w = 0; w < volume(p->y); w++) {
            y[0] = w / p->y[2] / p->y[1], y[1] = w / p->y[2] % p->y[1], y[2] = w % p->y[2];
            for (t[0] = 0; t[0] < p->kernel[0]; t[0]++) {
                for (t[1] = 0; t[1] < p->kernel[1]; t[1]++) {
                    for (t[2] = 0; t[2] < p->kernel[2]; t[2]++) {
                        int64_t at = 0, kind = 0;
                        for (int i = 0; i < 3; i++) {
                            const int64_t x = y[i] * p->stride[i] + t[i] * p->dilation[i] - p->padding[i];
                            kind = x >= p->x[i] + p->padding[i]       ? -2
                                   : (x < 0 || x >= p->x[i]) && !kind ? -1
                                                                      : kind;
                            at = at * p->x[i] + x;
                        }
                        meet(user, plane * volume(p->y) + w, kind ? kind : plane * volume(p->x) + at);
                    }
                }
            }
        }
    }
}

struct sums {
    const struct problem *p;
    const double *x; /* the operand */
    bool gradient;   /* sums of the elements of the input, not of the windows */
    arb_ptr sum;     /* of each result */
    double *special; /* NaN or an infinity where a term is one */
    double *count;   /* of each window: what it is divided by */
    double *best;    /* of each window: the greatest element, and its place */
    int64_t *place, *ties;
};

static void count_places(void *user, int64_t window, int64_t element)
{
    struct sums *s = user;
    s->count[window] += element >= 0 || (element == -1 && !s->p->uncounted);
}

static void add_term(void *user, int64_t window, int64_t element)
{
    struct sums *s = user;
    if (element < 0) {
        return;
    }
    const int64_t to = s->gradient ? element : window;
    const double x = s->x[s->gradient ? window : element];
    arb_t term;
    if (!isfinite(x)) {
        s->special[to] += x;
        return;
    }
    arb_init(term);
    arb_set_d(term, x);
    arb_div_si(term, term, (long)(s->p->divisor ? s->p->divisor : (int64_t)s->count[window]), BITS);
    arb_add(s->sum + to, s->sum + to, term, BITS);
    arb_clear(term);
}

static void take_greatest(void *user, int64_t window, int64_t element)
{
    struct sums *s = user;
    if (element < 0) {
        return;
    }
    const double x = s->x[element], best = s->best[window];
    const bool greater = s->place[window] < 0 || (isnan(x) ? !isnan(best) : x > best);
    if (greater) {
        s->best[window] = x;
        s->place[window] = element % volume(s->p->x);
    }
    s->ties[window] = greater ? 1 : s->ties[window] + (isnan(x) ? isnan(best) : x == best);
}

static void fill(double *x, int64_t n, struct philox *g, enum dtype dtype, bool special)
{
    for (int64_t i = 0; i < n; i++) {
        unsigned char bytes[8];
        double value = ldexp(1 + philox_unit(g), (int)below(g, 9) - 4) * (below(g, 2) ? 1 : -1);
        value = special && below(g, 3) ? (double)below(g, 5) - 2 : value;
        value = special && below(g, 9) == 0 ? (below(g, 2) ? (below(g, 2) ? 1 : -1) * INFINITY : NAN) : value;
        dtype_store(dtype, bytes, value);
        x[i] = dtype_load(dtype, bytes);
    }
}

static bool same_class(const struct value *v, double special)
{
    return v->class == (isnan(special) ? VALUE_NAN
                        : special > 0  ? VALUE_POSITIVE_INFINITY
                                       : VALUE_NEGATIVE_INFINITY);
}

static void compare_sums(const char *name, const struct sums *s, const struct truth_output *truth)
{
    for (int64_t e = 0; e < truth->elements; e++) {
        const struct value *v = truth_value(truth, e);
        if (s->special[e] != 0) {
            cr_assert(same_class(v, s->special[e]), "%s, element %lld", name, (long long)e);
        } else if (arb_contains_zero(s->sum + e)) { /* they cancel: quotients in Arb are no points */
            cr_assert(v->class == VALUE_FINITE && v->hi == 0, "%s, element %lld", name, (long long)e);
        } else {
            cr_assert_leq(value_distance_log2(v, s->sum + e), -98, "%s, element %lld", name, (long long)e);
        }
    }
}

static void check_average(uint64_t seed, bool gradient, bool special)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    static double x[ELEMENTS], count[ELEMENTS], specials[ELEMENTS];
    struct philox g;
    struct problem p;
    const enum dtype dtype = dtypes[seed % 4];
    char name[32];
    philox_start(&g, seed);
    do {
        p = problem_of(&g, false);
    } while (p.planes * (volume(p.x) + volume(p.y)) * volume(p.kernel) > ELEMENTS);
    const struct shape whole = shape_with(&p, p.x), pooled = shape_with(&p, p.y);
    const int64_t results = shape_elements(gradient ? &whole : &pooled);
    const struct attributes attributes = attributes_of(&p, false);
    memset(count, 0, sizeof count);
    memset(specials, 0, sizeof specials);
    fill(x, ELEMENTS, &g, dtype, special);
    snprintf(name, sizeof name, "avg_pool%dd%s", p.rank, gradient ? "_backward" : "");
    struct tensor input[2] = {tensor_from(dtype, gradient ? pooled : whole, x), tensor_from(dtype, whole, x)};
    struct truth *truth = truth_of_call(name, &attributes, 1 + gradient, input);
    struct sums s = {.p = &p, .x = x, .gradient = gradient, .count = count, .special = specials};
    cr_assert(shape_equal(&truth->output[0].shape, gradient ? &whole : &pooled), "%s", name);
    s.sum = _arb_vec_init(results);
    each_pair(&p, count_places, &s);
    each_pair(&p, add_term, &s);
    compare_sums(name, &s, &truth->output[0]);
    struct truth *near = any_truth_of_call(name, &attributes, 1 + gradient, input, true);
    const struct op *op = op_find(name);
    struct op_call call = {.op = op, .attributes = &attributes, .inputs = 1 + gradient, .input = input};
    struct error error = {.text = ""};
    for (int64_t e = 0; e < results; e++) { /* certified one by one: as the truth of the whole */
        cr_assert(op->certify(&call, near, 0, e, &error), "%s", error.text);
    }
    compare_sums(name, &s, &near->output[0]);
    _arb_vec_clear(s.sum, results);
    truth_destroy(&truth);
    truth_destroy(&near);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

Test(pooling, averages_agree_with_arb)
{
    for (uint64_t seed = 0; seed < 80; seed++) {
        check_average(seed, false, seed % 5 == 4);
    }
}

Test(pooling, gradients_of_averages_agree_with_arb)
{
    for (uint64_t seed = 0; seed < 80; seed++) {
        check_average(seed, true, seed % 5 == 4);
    }
}

static void compare_greatest(const struct sums *s, const struct truth *truth, const char *name)
{
    for (int64_t w = 0; w < truth->output[0].elements; w++) {
        const struct value *v = &truth->output[0].value[w], *at = &truth->output[1].value[w];
        const double best = s->best[w];
        cr_assert(isfinite(best) ? v->hi == best : same_class(v, best), "%s, window %lld", name,
                  (long long)w);
        cr_assert_eq((int64_t)at->hi, s->place[w], "%s, window %lld", name, (long long)w);
        cr_assert_eq(at->exact, s->ties[w] == 1, "%s, window %lld", name, (long long)w);
    }
}

/* Returns whether `verify` accepts the places with that of window w replaced. */
static bool verifies(const struct op_call *call, const struct truth *truth, const int64_t *place, int64_t w,
                     int64_t instead, enum tied ties)
{
    const int64_t n = truth->output[1].elements;
    struct profile profile = profile_ieee();
    int64_t *got = malloc(((size_t)n + 1) * sizeof *got);
    struct verification found = verification_none();
    memcpy(got, place, (size_t)n * sizeof *got);
    got[w] = instead;
    profile.ties = ties;
    struct tensor outputs[2] = {{.dtype = call->input[0].dtype},
                                tensor_from_integers(DTYPE_INT64, truth->output[1].shape, got)};
    const struct verification_query query = {
        .call = call, .profile = &profile, .truth = truth, .got = outputs};
    cr_assert(call->op->verify(&query, &found));
    tensor_destroy(&outputs[1]);
    free(got);
    return found.accepted;
}

/* A window, an element that is looked for in it, and whether it is a greatest one. */
struct search {
    const struct sums *s;
    int64_t window, element;
    bool inside, greatest;
};

static void look(void *user, int64_t window, int64_t element)
{
    struct search *search = user;
    if (window == search->window && element == search->element) {
        const double x = search->s->x[element], best = search->s->best[window];
        search->inside = true;
        search->greatest = isnan(best) ? isnan(x) : x == best;
    }
}

static void check_maximum(uint64_t seed)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    static double x[ELEMENTS], best[ELEMENTS];
    static int64_t place[ELEMENTS], ties[ELEMENTS];
    struct philox g;
    struct problem p;
    char name[32];
    philox_start(&g, seed);
    do {
        p = problem_of(&g, true);
    } while (p.planes * volume(p.x) * volume(p.kernel) * volume(p.y) > 64 * ELEMENTS ||
             p.planes * volume(p.y) > ELEMENTS || p.planes * volume(p.x) > ELEMENTS);
    const struct shape whole = shape_with(&p, p.x), pooled = shape_with(&p, p.y);
    const struct attributes attributes = attributes_of(&p, true);
    memset(place, 0xff, sizeof place);
    memset(ties, 0, sizeof ties);
    fill(x, ELEMENTS, &g, dtypes[seed % 4], true);
    snprintf(name, sizeof name, "max_pool%dd", p.rank);
    struct tensor input = tensor_from(dtypes[seed % 4], whole, x);
    struct truth *truth = truth_of_call(name, &attributes, 1, &input);
    struct sums s = {.p = &p, .x = x, .best = best, .place = place, .ties = ties};
    struct op_call call = {.op = op_find(name), .attributes = &attributes, .inputs = 1, .input = &input};
    cr_assert(shape_equal(&truth->output[1].shape, &pooled), "%s", name);
    each_pair(&p, take_greatest, &s);
    compare_greatest(&s, truth, name);
    for (int k = 0; k < 8; k++) {
        const int64_t w = below(&g, truth->output[0].elements), instead = below(&g, volume(p.x));
        struct search search = {&s, w, w / volume(p.y) * volume(p.x) + instead, false, false};
        each_pair(&p, look, &search);
        cr_assert_eq(verifies(&call, truth, place, w, instead, TIES_ANY), search.inside && search.greatest,
                     "%s, window %lld, place %lld", name, (long long)w, (long long)instead);
        cr_assert_eq(verifies(&call, truth, place, w, instead, TIES_FIRST),
                     instead == place[w] || (isnan(best[w]) && search.inside && search.greatest));
        cr_assert_not(verifies(&call, truth, place, w, -1, TIES_ANY));
        cr_assert_not(verifies(&call, truth, place, w, volume(p.x), TIES_ANY));
    }
    truth_destroy(&truth);
    tensor_destroy(&input);
}

Test(pooling, greatest_elements_and_their_places)
{
    for (uint64_t seed = 0; seed < 80; seed++) {
        check_maximum(seed);
    }
}

Test(pooling, gradients_of_maxima_are_sums_over_equal_indices)
{
    static const double grad[6] = {1, 2, 4, 8, NAN, 32};
    static const int64_t at[6] = {1, 1, 4, 3, 0, 4}; /* two planes of three windows */
    const struct shape whole = shape_of(3, (int64_t)2, (int64_t)1, (int64_t)5),
                       pooled = shape_of(3, (int64_t)2, (int64_t)1, (int64_t)3);
    struct attributes attributes = {.count = 2};
    attributes.item[0] = (struct attribute){
        .name = "kernel_size", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(1, (int64_t)3)};
    attributes.item[1] = (struct attribute){
        .name = "stride", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(1, (int64_t)1)};
    struct tensor input[3] = {tensor_from(DTYPE_FLOAT32, pooled, grad),
                              tensor_from(DTYPE_FLOAT32, whole, (double[10]){0}),
                              tensor_from_integers(DTYPE_INT64, pooled, at)};
    struct truth *truth = truth_of_call("max_pool1d_backward", &attributes, 3, input);
    static const double wanted[10] = {0, 3, 0, 0, 4, NAN, 0, 0, 8, 32};
    for (int e = 0; e < 10; e++) {
        const struct value *v = &truth->output[0].value[e];
        cr_expect(isnan(wanted[e]) ? v->class == VALUE_NAN : v->hi == wanted[e], "element %d", e);
    }
    truth_destroy(&truth);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
}
