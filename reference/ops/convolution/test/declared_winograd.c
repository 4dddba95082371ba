/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Profiles that declare Winograd's algorithm. Results by that algorithm pass, results by classical sums pass,
 * and wrong results fail. Shapes that the declaration does not cover are judged as before. ASSAY_PROBLEMS=N
 * tries so many problems and prints the greatest shares of the limits. */

#include "reference/ops/convolution/convolution_shape.h"
#include "reference/ops/convolution/convolution_winograd.h"
#include "reference/ops/convolution/test/winograd_form.h"

#include <stdio.h>

static const char *const operators[] = {"conv2d", "conv_transpose2d", "conv2d_backward",
                                        "conv_transpose2d_backward"};
static const char *const kinds[DATA_KINDS] = {"uniform", "relu", "mean", "wide", "outlier", "integers"};

struct tally {
    int64_t problems, reported;
    double bound, q, t, g;
};

static void note(struct tally *t, const struct judged_verdict *v)
{
    t->problems++;
    t->reported += !judged_passes(v);
    t->bound = fmax(t->bound, v->bound);
    t->q = fmax(t->q, v->q);
    t->t = fmax(t->t, v->t);
    t->g = fmax(t->g, v->g);
}

static void print_tally(const char *what, const char *data, const struct tally *t)
{
    if (getenv("ASSAY_PROBLEMS")) {
        fprintf(stderr,
                "%s, %s: %lld problems, %lld reported, error over bound %.3g, Q %.3g, T %.3g, G %.3g\n", what,
                data, (long long)t->problems, (long long)t->reported, t->bound, t->q, t->t, t->g);
    }
}

static void open_case(struct judged_case *c, int m, uint64_t number, enum dtype dtype,
                      enum convolution_data data, struct philox *g)
{
    const char *op = operators[number % 4];
    philox_start(g, number + 11);
    const struct convolution_case p =
        winograd_case_any(g, op_find(op)->variant & CONVOLUTION_TRANSPOSED, number % 5 ? 4 : 24);
    judged_open_case(c, op, &p, m, dtype, data, g);
}

/* Computes the result that Winograd's algorithm gives, or the classical one, of a problem, and judges it. */
static struct judged_verdict verdict_on(struct judged_case *c, struct philox *g, int m,
                                        enum winograd_fault fault, bool classical)
{
    double *got = malloc(((size_t)c->truth->output[0].elements + 1) * sizeof *got);
    cr_assert(got);
    if (classical) {
        struct convolution_form form = convolution_form_any(c->dtype, g);
        struct convolution_terms terms = judged_terms(c, 0);
        const int64_t channels = c->truth->output[0].shape.dim[1],
                      positions = terms.elements / (c->p.batch * channels);
        for (int64_t e = 0; e < terms.elements; e++) {
            got[e] = convolution_form_element(&form, &terms, e,
                                              c->bias ? &c->bias[e / positions % channels] : NULL);
        }
        convolution_terms_clear(&terms);
    } else {
        struct winograd_form form = winograd_form_any(m, c->dtype, g);
        form.fault = fault;
        winograd_form_run(&form, c, got);
    }
    const struct judged_verdict v = judged_result(c, 0, got);
    free(got);
    return v;
}

static void right_results_pass(int m, uint64_t usual, bool classical)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    static const char *const names[] = {"float32", "float64", "float16", "bfloat16"};
    struct tally by_data[DATA_KINDS] = {{0}}, by_dtype[4] = {{0}};
    for (uint64_t number = 0; number < problems_asked(usual); number++) {
        const int d = number % 7 < 4 ? 0 : (int)(number % 7) - 3;
        const enum convolution_data data = (enum convolution_data)(number / 4 % DATA_KINDS);
        struct judged_case c;
        struct philox g;
        open_case(&c, m, number, dtypes[d], data, &g);
        const struct judged_verdict v = verdict_on(&c, &g, m, WINOGRAD_RIGHT, classical);
        cr_expect(judged_passes(&v),
                  "m = %d, problem %d, %s, data %s: refused %d, error over bound %g, Q %g, T %g, G %g", m,
                  (int)number, names[d], kinds[data], v.refused, v.bound, v.q, v.t, v.g);
        note(&by_dtype[d], &v);
        if (d < 2) {
            note(&by_data[data], &v);
        }
        judged_close(&c);
    }
    const char *what = classical ? "classical" : m == 2 ? "F(2)" : "F(4)";
    for (int d = 0; d < 4; d++) {
        print_tally(what, names[d], &by_dtype[d]);
    }
    for (int data = 0; data < DATA_KINDS; data++) {
        print_tally(what, kinds[data], &by_data[data]);
    }
}

Test(declared_winograd, results_with_tiles_of_2_pass)
{
    right_results_pass(2, 2000, false);
}

Test(declared_winograd, results_with_tiles_of_4_pass)
{
    right_results_pass(4, 1000, false);
}

/* A runtime may choose the tile by the shape. */
Test(declared_winograd, results_with_tiles_of_2_pass_where_4_is_declared)
{
    for (uint64_t number = 0; number < problems_asked(500); number++) {
        struct judged_case c;
        struct philox g;
        open_case(&c, 4, number, DTYPE_FLOAT32, (enum convolution_data)(number / 4 % DATA_KINDS), &g);
        const struct judged_verdict v = verdict_on(&c, &g, 2, WINOGRAD_RIGHT, false);
        cr_expect(judged_passes(&v), "problem %d: error over bound %g, Q %g, T %g, G %g", (int)number,
                  v.bound, v.q, v.t, v.g);
        judged_close(&c);
    }
}

Test(declared_winograd, classical_results_pass)
{
    right_results_pass(2, 1000, true);
    right_results_pass(4, 500, true);
}

/* Data for which the error of one result is large beside its bound, found by random changes that are kept
 * where they enlarge it: never beyond half of the bound. */
Test(declared_winograd, adversarial_data_stay_within_the_bound)
{
    for (int m = 2; m <= 4; m += 2) {
        double worst = 0;
        for (uint64_t number = 0; number < problems_asked(8) / 4; number++) {
            struct judged_case c;
            struct philox g;
            open_case(&c, m, number * 5 + 1, DTYPE_FLOAT32, DATA_UNIFORM, &g);
            const struct philox start = g;
            double reached = 0;
            for (int step = 0; step < 400; step++) {
                const enum side side = philox_below(&g, 2)                    ? SIDE_WEIGHT
                                       : c.op->variant & CONVOLUTION_GRADIENT ? c.to
                                                                              : c.from;
                double *x = &c.x[side][philox_below(&g, (uint32_t)shape_elements(&c.shape[side]))],
                       before = *x;
                *x = (double)(float)(philox_below(&g, 3) ? *x * (1 + 0.5 * philox_signed(&g))
                                                         : philox_signed(&g));
                judged_change(&c);
                struct philox same = start; /* the same form each time */
                const struct judged_verdict v = verdict_on(&c, &same, m, WINOGRAD_RIGHT, false);
                *x = v.bound < reached ? before : *x;
                reached = fmax(reached, v.bound);
            }
            worst = fmax(worst, reached);
            judged_close(&c);
        }
        cr_expect_lt(worst, 0.5, "m = %d: error over bound %g", m, worst);
        if (getenv("ASSAY_PROBLEMS")) {
            fprintf(stderr, "adversarial data, m = %d: error over bound %.3g\n", m, worst);
        }
    }
}

Test(declared_winograd, wrong_results_fail)
{
    static const char *const faults[] = {[WINOGRAD_TAPS_FLIPPED] = "taps flipped",
                                         [WINOGRAD_TILE_SHIFTED] = "tile shifted",
                                         [WINOGRAD_TRANSFORM_FLOAT16] = "transform in float16"};
    for (int m = 2; m <= 4; m += 2) {
        for (int fault = WINOGRAD_TAPS_FLIPPED; fault < WINOGRAD_FAULTS; fault++) {
            struct tally tally = {.problems = 0};
            for (uint64_t number = 0; number < problems_asked(200); number++) {
                struct judged_case c;
                struct philox g;
                open_case(&c, m, number, DTYPE_FLOAT32, DATA_UNIFORM, &g);
                const struct judged_verdict v = verdict_on(&c, &g, m, (enum winograd_fault)fault, false);
                note(&tally, &v);
                judged_close(&c);
            }
            print_tally(m == 2 ? "F(2)" : "F(4)", faults[fault], &tally);
            cr_expect_geq((double)tally.reported, 0.95 * (double)tally.problems, "m = %d, %s: %d of %d", m,
                          faults[fault], (int)tally.reported, (int)tally.problems);
        }
    }
}
