/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What classical convolutions are not is reported: results of Winograd's algorithm, which errs more than a
 * sum of products may, and results that are scaled by 1 + 64·u. ASSAY_PROBLEMS=N tries so many problems and
 * prints how many are reported. */

#include "reference/ops/convolution/convolution_shape.h"
#include "reference/ops/convolution/test/winograd_form.h"

#include <stdio.h>

static const char *const operators[] = {"conv2d", "conv_transpose2d", "conv2d_backward",
                                        "conv_transpose2d_backward"};

struct reported {
    int64_t problems, by_bound, by_envelope;
    double bound, q;
};

static void note(struct reported *r, const struct judged_verdict *v)
{
    r->problems++;
    r->by_bound += v->refused;
    r->by_envelope += !v->refused && !judged_passes(v);
    r->bound = fmax(r->bound, v->bound);
    r->q = fmax(r->q, v->q);
}

static void print_reported(const char *what, enum convolution_data data, const struct reported *r)
{
    static const char *const names[DATA_KINDS] = {"uniform", "relu", "mean", "wide", "outlier", "integers"};
    fprintf(stderr,
            "%s, %s: %lld problems, reported by B %lld, by the envelope alone %lld; greatest error over "
            "bound %.3g, Q %.3g\n",
            what, names[data], (long long)r->problems, (long long)r->by_bound, (long long)r->by_envelope,
            r->bound, r->q);
}

static void open_case(struct judged_case *c, uint64_t number, enum convolution_data data, struct philox *g)
{
    const char *op = operators[number % 4];
    philox_start(g, number + 7);
    const struct convolution_case p = winograd_case_any(g, op_find(op)->variant & CONVOLUTION_TRANSPOSED, 4);
    judged_open_case(c, op, &p, 0, DTYPE_FLOAT32, data, g);
}

Test(undeclared_winograd, is_reported_under_classical_on_some_problems)
{
    for (int m = 2; m <= 4; m += 2) {
        struct reported reported[DATA_KINDS] = {{0}};
        int64_t by_bound = 0;
        for (uint64_t number = 0; number < problems_asked(600); number++) {
            const enum convolution_data data = (enum convolution_data)(number / 4 % DATA_KINDS);
            struct judged_case c;
            struct philox g;
            open_case(&c, number, data, &g);
            struct winograd_form form = winograd_form_any(m, c.dtype, &g);
            double *got = malloc(((size_t)c.truth->output[0].elements + 1) * sizeof *got);
            winograd_form_run(&form, &c, got);
            const struct judged_verdict v = judged_result(&c, 0, got);
            note(&reported[data], &v);
            by_bound += v.refused;
            free(got);
            judged_close(&c);
        }
        for (int data = 0; data < DATA_KINDS && getenv("ASSAY_PROBLEMS"); data++) {
            print_reported(m == 2 ? "F(2)" : "F(4)", (enum convolution_data)data, &reported[data]);
        }
        const struct reported *outlier = &reported[DATA_OUTLIER];
        cr_expect_gt(outlier->by_bound + outlier->by_envelope, outlier->problems / (m == 2 ? 8 : 2), "m = %d",
                     m);
        cr_expect_gt(by_bound, 0, "m = %d", m);
    }
}

Test(undeclared_winograd, a_scale_error_of_64_u_is_reported)
{
    struct reported reported[DATA_KINDS] = {{0}};
    for (uint64_t number = 0; number < problems_asked(600); number++) {
        const enum convolution_data data = (enum convolution_data)(number / 4 % DATA_INTEGERS);
        struct judged_case c;
        struct philox g;
        open_case(&c, number, data, &g);
        struct convolution_form form = convolution_form_any(c.dtype, &g);
        struct convolution_terms terms = judged_terms(&c, 0);
        const int64_t channels = c.truth->output[0].shape.dim[1],
                      positions = terms.elements / (c.p.batch * channels);
        double *got = malloc(((size_t)terms.elements + 1) * sizeof *got);
        for (int64_t e = 0; e < terms.elements; e++) {
            const double *bias = c.bias ? &c.bias[e / positions % channels] : NULL;
            got[e] = convolution_form_element(&form, &terms, e, bias) * (1 + 64 * 0x1p-24);
        }
        const struct judged_verdict v = judged_result(&c, 0, got);
        note(&reported[data], &v);
        free(got);
        convolution_terms_clear(&terms);
        judged_close(&c);
    }
    for (int data = 0; data < DATA_INTEGERS; data++) {
        const struct reported *r = &reported[data];
        if (getenv("ASSAY_PROBLEMS")) {
            print_reported("64 u", (enum convolution_data)data, r);
        }
        cr_expect_geq((double)(r->by_bound + r->by_envelope), 0.95 * (double)r->problems, "data %d", data);
    }
}
