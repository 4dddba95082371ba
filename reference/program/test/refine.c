/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests that values within radii are judged as the certified truth is. */

#include "reference/program/refine.h"
#include "reference/test/support.h"

enum { M = 12, N = 11 };

/* One matmul, its enclosure, and its truth. */
struct pair {
    struct program *program;
    struct program_truth enclosed, certified;
    struct profile profile;
};

/* `cancels`: the second half of each sum undoes the first but for its last bits. */
static struct pair pair_create(enum dtype dtype, int64_t k, bool cancels, uint64_t seed)
{
    struct pair pair = {.program = program_create(), .profile = profile_ieee()};
    struct shape left = shape_of(2, (int64_t)M, k), right = shape_of(2, k, (int64_t)N);
    struct view input[] = {program_input(pair.program, dtype, &left),
                           program_input(pair.program, dtype, &right)};
    struct philox generator;
    philox_start(&generator, seed);
    for (int i = 0; i < 2; i++) {
        int64_t count = shape_elements(i ? &right : &left), half = k / 2;
        double *x = malloc((size_t)count * sizeof *x);
        for (int64_t e = 0; e < count; e++) {
            x[e] =
                philox_signed(&generator) * philox_unit(&generator) * (dtype == DTYPE_FLOAT16 ? 1 : 0x1p10);
            bool again = i == 0 ? e % k >= half : e / N >= half;
            x[e] = !(cancels && again) ? x[e]
                   : i == 0            ? -x[e - half]
                                       : x[e - half * N] * (1 + 0x1p-12 * (double)(e % 3));
            program_set(pair.program, &input[i], e, 0, x[e]);
        }
        free(x);
    }
    struct attributes none = {.count = 0};
    cr_assert_not_null(program_step(pair.program, op_find("matmul"), &none, 2, input));
    struct truth_source certified = {.certified = true};
    struct error error = {.text = ""};
    cr_assert(program_truth_compute(pair.program, NULL, &pair.enclosed, &error), "%s", error.text);
    cr_assert(program_truth_compute(pair.program, &certified, &pair.certified, &error), "%s", error.text);
    cr_assert_not_null(pair.enclosed.truth[0]->output[0].radius);
    cr_assert_null(pair.certified.truth[0]->output[0].radius);
    return pair;
}

static void pair_destroy(struct pair *pair)
{
    program_truth_destroy(&pair->enclosed);
    program_truth_destroy(&pair->certified);
    program_destroy(&pair->program);
}

static struct bound_query query_of(const struct pair *pair, const struct truth *truth, int64_t element)
{
    return (struct bound_query){.op = pair->program->step[0].op,
                                .profile = &pair->profile,
                                .attributes = &pair->program->step[0].attributes,
                                .truth = truth,
                                .element = element};
}

/* What is decided of one element. */
struct decision {
    bool accepted, beyond;        /* by B, by Q */
    double error_over_bound, ulp; /* error over B, and in units of the last place */
    unsigned char rounded[8];
};

struct held {
    struct accept accept;
    struct envelope_limit limit;
    struct decision is;
};

static struct held hold(const struct bound_query *query, const void *got)
{
    struct held held = {.is = {.error_over_bound = 0}};
    enum dtype dtype = query->truth->output[0].dtype;
    const struct value *value = &query->truth->output[0].value[query->element];
    op_accept(query, &held.accept);
    op_envelope(query, &held.limit);
    struct accept_verdict verdict = accept_judge(&held.accept, got);
    double x = dtype_load(dtype, got);
    held.is.accepted = verdict.accepted;
    held.is.error_over_bound = verdict.error_over_bound;
    held.is.beyond =
        held.limit.known && isfinite(x) && fabs(value_distance(value, x)) > envelope_limit_reach(&held.limit);
    held.is.ulp = isfinite(x) ? fabs(value_distance(value, x)) / dtype_ulp(dtype, value->hi) : 0;
    value_store(value, dtype, held.is.rounded);
    return held;
}

/* Settles the element as a judge does; *certified: it was brought to its truth. */
static struct decision refined(struct pair *pair, int64_t e, const void *got, bool *certified)
{
    struct refine refine;
    struct error error = {.text = ""};
    struct bound_query query = query_of(pair, pair->enclosed.truth[0], e);
    struct held held = hold(&query, got);
    struct refine_view view = {&query, got, &held.accept, &held.limit, held.is.error_over_bound};
    refine_open(&refine, pair->program, &pair->enclosed);
    cr_assert(refine_concerns(&refine, 0));
    cr_assert(refine_element(&refine, &view, certified, &error), "%s", error.text);
    refine_close(&refine);
    return *certified ? hold(&query, got).is : held.is;
}

static bool same_decision(const struct decision *a, const struct decision *b)
{
    double gap =
        fabs(a->error_over_bound -
             b->error_over_bound); /* at most 2^-10 of the error, or of an ulp, which a limit holds half of */
    bool alike = a->error_over_bound == b->error_over_bound ||
                 gap <= 0x1p-8 * fmax(a->error_over_bound, b->error_over_bound) || gap <= 0x1p-9;
    alike = alike && fabs(a->ulp - b->ulp) <= 0x1p-9 * fmax(1, fmax(a->ulp, b->ulp));
    return a->accepted == b->accepted && a->beyond == b->beyond && alike &&
           memcmp(a->rounded, b->rounded, 8) == 0;
}

static struct value moved(const struct value *value, double by)
{
    double hi = value->hi + by, t = hi - value->hi;
    double lo = ((value->hi - (hi - t)) + (by - t)) + value->lo, sum = hi + lo;
    return value_from_dd(sum, lo - (sum - hi));
}

struct tally {
    int64_t certified, left, decisions;
};

/* The enclosure as it came, and as bad as one may be: the value at either end of a radius of its own. */
static void try_got(struct pair *pair, int64_t e, double x, struct tally *tally)
{
    struct truth_output *enclosed = &pair->enclosed.truth[0]->output[0];
    const struct truth_output *certified = &pair->certified.truth[0]->output[0];
    struct bound_query query = query_of(pair, pair->certified.truth[0], e);
    unsigned char got[8] = {0};
    dtype_store(enclosed->dtype, got, x);
    struct held right = hold(&query, got);
    double ulp = dtype_ulp(enclosed->dtype, certified->value[e].hi), limit = right.accept.set[0].radius;
    const double radius[] = {0,
                             ulp / 8,
                             -ulp / 8,
                             ulp * 0x1p-9,
                             -ulp * 0x1p-9,
                             ulp * 0x1p-13,
                             -ulp * 0x1p-13,
                             limit * 0x1p-11,
                             -limit * 0x1p-11,
                             limit / 4};
    const struct value value = enclosed->value[e];
    const double own = enclosed->radius[e];
    for (size_t r = 0; r < sizeof radius / sizeof *radius; r++) {
        bool more = false;
        if (radius[r] != 0) {
            enclosed->value[e] = moved(&certified->value[e], radius[r]);
            enclosed->radius[e] = fabs(radius[r]) * (1 + 0x1p-30);
        }
        struct decision is = refined(pair, e, got, &more);
        cr_assert(same_decision(&is, &right.is), "element %lld, got %a, radius %g ulp: ν %.17g and %.17g",
                  (long long)e, x, radius[r] / ulp, is.error_over_bound, right.is.error_over_bound);
        tally->certified += more;
        tally->left += !more;
        tally->decisions++;
        enclosed->value[e] = value;
        enclosed->radius[e] = own;
    }
}

static void try_element(struct pair *pair, int64_t e, struct tally *tally)
{
    const struct value *value = &pair->certified.truth[0]->output[0].value[e];
    struct bound_query query = query_of(pair, pair->certified.truth[0], e);
    unsigned char zero[8] = {0};
    struct held held = hold(&query, zero);
    double b = held.accept.set[0].radius, q = held.limit.known ? envelope_limit_reach(&held.limit) : b,
           ulp = dtype_ulp(held.accept.dtype, value->hi);
    const double error[] = {0, b, -b, q, -q, ulp, -ulp, ulp / 2, 40 * b, b / 3};
    for (size_t k = 0; k < sizeof error / sizeof *error; k++) {
        for (int step = -1; step <= 1; step++) { /* and the numbers beside it */
            try_got(pair, e, value->hi + error[k] + step * ulp, tally);
        }
    }
    try_got(pair, e, INFINITY, tally);
    try_got(pair, e, 0, tally);
}

static struct tally try_all(enum dtype dtype, int64_t k, bool cancels, uint64_t seed)
{
    struct tally tally = {0, 0, 0};
    struct pair pair = pair_create(dtype, k, cancels, seed);
    for (int64_t e = 0; e < M * N; e++) {
        try_element(&pair, e, &tally);
    }
    pair_destroy(&pair);
    return tally;
}

static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};

Test(refine, verdicts_are_those_of_the_truth_whatever_the_radius)
{
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        for (int cancels = 0; cancels < 2; cancels++) {
            struct tally tally = try_all(dtypes[d], 18, cancels, d);
            cr_assert_eq(tally.certified + tally.left, tally.decisions);
            cr_assert_gt(tally.certified, tally.decisions / 10);
            cr_assert(cancels || tally.left > tally.decisions / 20);
        }
    }
}

/* What the refinement itself leaves open on random data is next to nothing. */
Test(refine, few_elements_are_certified)
{
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        struct pair pair = pair_create(dtypes[d], 300, false, 5);
        int64_t certified = 0;
        for (int64_t e = 0; e < M * N; e++) {
            bool more;
            unsigned char got[8];
            dtype_store(dtypes[d], got, pair.certified.truth[0]->output[0].value[e].hi);
            refined(&pair, e, got, &more);
            certified += more;
        }
        cr_assert_leq(certified, 2, "%lld of %s", (long long)certified, dtype_info(dtypes[d])->name);
        pair_destroy(&pair);
    }
}

Test(refine, the_bits_are_those_of_the_least_certain_value)
{
    struct pair pair = pair_create(DTYPE_FLOAT32, 300, false, 9);
    struct truth *truth = pair.enclosed.truth[0];
    struct refine refine;
    struct error error;
    int before = refine_bits(truth, 0, 0, truth->output[0].elements), least = 1000;
    for (int64_t e = 0; e < M * N; e++) {
        int bits = (int)floor(log2(fabs(truth->output[0].value[e].hi) / truth->output[0].radius[e]));
        least = bits < least ? bits : least;
    }
    cr_assert(before <= least && before >= least - 2, "%d, not %d", before, least);
    refine_open(&refine, pair.program, &pair.enclosed);
    for (int64_t e = 0; e < M * N; e++) {
        cr_assert(refine_certify(&refine, 0, e, &error));
        const struct value *a = &truth->output[0].value[e], *b = &pair.certified.truth[0]->output[0].value[e];
        cr_assert(a->hi == b->hi && a->lo == b->lo && a->exact == b->exact);
    }
    refine_close(&refine);
    cr_assert_eq(refine_bits(truth, 0, 0, truth->output[0].elements), pair.certified.truth[0]->bits);
    pair_destroy(&pair);
}

/* A square factor of random numbers, or of small integers. */
static struct view square_input(struct program *program, bool integers, struct philox *generator)
{
    struct shape shape = shape_of(2, (int64_t)M, (int64_t)M);
    struct view view = program_input(program, DTYPE_FLOAT32, &shape);
    for (int64_t e = 0; e < M * M; e++) {
        double x = integers ? (double)philox_below(generator, 5) - 2
                            : ldexp(philox_signed(generator), (int)philox_below(generator, 40) - 20);
        program_set(program, &view, e, 0, x);
    }
    return view;
}

/* Steps 0 and 1 are a chain, 2 and 3 have operands of their own, 4 writes to what 5 reads. */
Test(refine, steps_that_stand_alone_are_certified_from_their_own_operands)
{
    const bool alone[] = {false, false, true, true, false, false};
    struct program *program = program_create();
    struct attributes none = {.count = 0};
    struct philox generator;
    philox_start(&generator, 3);
    struct view chain[] = {square_input(program, true, &generator), square_input(program, true, &generator)};
    struct step *first = program_step(program, op_find("matmul"), &none, 2, chain);
    chain[0] = first->output[0];
    program_step(program, op_find("matmul"), &none, 2, chain);
    for (int k = 0; k < 2; k++) {
        struct view own[] = {square_input(program, false, &generator),
                             square_input(program, false, &generator)};
        program_step(program, op_find("matmul"), &none, 2, own);
    }
    struct view written[] = {square_input(program, true, &generator), chain[1]};
    program_step(program, op_find("add_"), &none, 2, written);
    program_step(program, op_find("matmul"), &none, 2, written);
    cr_assert_eq(program->steps, 6);
    struct program_truth enclosed, certified;
    struct truth_source source = {.certified = true};
    struct error error = {.text = ""};
    cr_assert(program_truth_compute(program, NULL, &enclosed, &error), "%s", error.text);
    cr_assert(program_truth_compute(program, &source, &certified, &error), "%s", error.text);
    struct refine refine;
    refine_open(&refine, program, &enclosed);
    for (int s = 0; s < 6; s++) {
        cr_assert_eq(program_step_stands_alone(program, s), alone[s], "step %d", s);
        refine_seek(&refine, s);
        cr_assert_eq(refine_concerns(&refine, 0), alone[s], "step %d", s);
        cr_assert(!alone[s] || enclosed.truth[s]->output[0].radius[5] > 0, "step %d", s);
        for (int64_t e = 0; e < M * M; e++) {
            const struct value *a = &enclosed.truth[s]->output[0].value[e],
                               *b = &certified.truth[s]->output[0].value[e];
            cr_assert(refine_certify(&refine, 0, e, &error), "%s", error.text);
            cr_assert(a->hi == b->hi && a->lo == b->lo && a->exact == b->exact, "step %d, element %lld", s,
                      (long long)e);
        }
    }
    refine_close(&refine);
    program_truth_destroy(&enclosed);
    program_truth_destroy(&certified);
    program_destroy(&program);
}

/* A mean of many numbers is not certified for show, one of a few is; what its verdict needs is, either way.
 */
Test(refine, sums_of_many_numbers_are_not_certified_for_show)
{
    const int64_t lengths[] = {4095, 4096};
    for (int k = 0; k < 2; k++) {
        struct program *program = program_create();
        const struct shape shape = shape_of(1, lengths[k]);
        struct philox generator;
        struct view input[2];
        philox_start(&generator, 13);
        for (int i = 0; i < 2; i++) {
            input[i] = program_input(program, DTYPE_FLOAT32, &shape);
            for (int64_t e = 0; e < lengths[k]; e++) {
                program_set(program, &input[i], e, 0, philox_unit(&generator));
            }
        }
        struct program_truth truth;
        struct refine refine;
        struct error error = {.text = ""};
        program_step(program, op_find("binary_cross_entropy"), NULL, 2, input);
        cr_assert(program_truth_compute(program, NULL, &truth, &error), "%s", error.text);
        const double *radius = truth.truth[0]->output[0].radius;
        refine_open(&refine, program, &truth);
        cr_assert_gt(radius[0], 0);
        cr_assert(refine_certify(&refine, 0, 0, &error), "%s", error.text);
        cr_expect_eq(radius[0] == 0, lengths[k] < 4096, "%lld", (long long)lengths[k]);
        refine_close(&refine);
        program_truth_destroy(&truth);
        program_destroy(&program);
    }
}
