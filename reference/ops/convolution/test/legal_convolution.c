/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* No legal form of a convolution is reported falsely: random problems of every operator, each of whose
 * results is computed in a form that is drawn at random. ASSAY_PROBLEMS=100000 tries so many problems per
 * operator and prints the greatest shares of the limits of each form. */

#include "harness/judge/statistics/evidence.h"
#include "reference/ops/convolution/test/convolution_judged.h"

#include <stdio.h>

enum { TRIPLES = 1500, FORMS = 2 * SCHEMES };

/* The greatest shares of the limits that results of one form used. */
struct used {
    int64_t results;
    double bound, q, t, g;
};

static void print_used(const char *op, const struct used used[FORMS])
{
    static const char *const names[SCHEMES] = {"running", "blocks", "split", "pairwise", "lanes", "gemm"};
    for (int form = 0; form < FORMS; form++) {
        if (used[form].results > 0) {
            fprintf(stderr, "%s %s%s: %lld results, error over bound %.3g, Q %.3g, T %.3g, G %.3g\n", op,
                    names[form / 2], form % 2 ? ", fma" : "", (long long)used[form].results, used[form].bound,
                    used[form].q, used[form].t, used[form].g);
        }
    }
}

static void compute(struct convolution_form *form, const struct judged_case *c, int output, double *got)
{
    struct convolution_terms terms = judged_terms(c, output);
    const struct shape *shape = &c->truth->output[output].shape;
    int64_t positions = shape_elements(shape) / shape->dim[0] / (shape->rank > 1 ? shape->dim[1] : 1);
    for (int64_t e = 0; e < terms.elements; e++) {
        const double *bias = c->bias ? &c->bias[e / positions % shape->dim[1]] : NULL;
        got[e] = convolution_form_element(form, &terms, e, bias);
    }
    convolution_terms_clear(&terms);
}

static void try_problem(const char *op, uint64_t number, struct used used[FORMS])
{
    struct judged_case c;
    judged_open(&c, op, number, TRIPLES);
    struct philox g;
    philox_start(&g, number + 31);
    for (int o = 0; o < c.truth->outputs; o++) {
        struct convolution_form form = convolution_form_any(c.dtype, &g);
        double *got = malloc(((size_t)c.truth->output[o].elements + 1) * sizeof *got);
        cr_assert(got);
        compute(&form, &c, o, got);
        const struct judged_verdict v = judged_result(&c, o, got);
        struct used *of = &used[2 * form.scheme + form.fused];
        cr_expect(judged_passes(&v),
                  "%s problem %d, output %d, %s, data %d, scheme %d, order %d: refused %d, error over bound "
                  "%g, Q %g, T %g, G %g",
                  op, (int)number, o, dtype_info(c.dtype)->name, c.data, form.scheme, form.order, v.refused,
                  v.bound, v.q, v.t, v.g);
        of->results++;
        of->bound = fmax(of->bound, v.bound);
        of->q = fmax(of->q, v.q);
        of->t = fmax(of->t, v.t);
        of->g = fmax(of->g, v.g);
        free(got);
    }
    judged_close(&c);
}

static void nobody_is_reported_falsely(const char *op, uint64_t usual)
{
    const uint64_t count = problems_asked(usual);
    struct used used[FORMS] = {0};
    for (uint64_t number = 0; number < count; number++) {
        try_problem(op, number, used);
    }
    if (getenv("ASSAY_PROBLEMS")) {
        print_used(op, used);
    }
}

#define NOBODY(op_)                                                                                          \
    Test(legal_convolution, op_)                                                                             \
    {                                                                                                        \
        nobody_is_reported_falsely(#op_, 200);                                                               \
    }                                                                                                        \
    Test(legal_convolution, op_##_slow)                                                                      \
    {                                                                                                        \
        nobody_is_reported_falsely(#op_, 5000);                                                              \
    }

NOBODY(conv1d)
NOBODY(conv2d)
NOBODY(conv3d)
NOBODY(conv_transpose1d)
NOBODY(conv_transpose2d)
NOBODY(conv_transpose3d)
NOBODY(conv1d_backward)
NOBODY(conv2d_backward)
NOBODY(conv3d_backward)
NOBODY(conv_transpose1d_backward)
NOBODY(conv_transpose2d_backward)
NOBODY(conv_transpose3d_backward)
