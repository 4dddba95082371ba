/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Workspaces of one thread share a memory: results never depend on what another workspace left there. */

#include "reference/formula/test/expression.h"

enum { LENGTH = 600 };

/* Values and bounds of a formula of the elements, and of one of the row. */
struct answers {
    double value[LENGTH], radius[LENGTH], bound[LENGTH];
    struct envelope envelope[LENGTH];
};

static const char *const texts[] = {"exp(x) / (1 + exp(x)) * y", "sum(x * y) / sum(abs(x))",
                                    "d = x - mean(x); d / sqrt(mean(d * d) + y * y)"};
enum { TEXTS = sizeof texts / sizeof *texts };

static void ask(struct expression_workspace *w, const struct expression_row *row, struct answers *a)
{
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT32, (double)row->n, -1, false);
    memset(a, 0, sizeof *a);
    expression_values(w, row, a->value, a->radius);
    expression_limits(w, row, &allow, a->bound);
    cr_assert(expression_envelope(w, row, DTYPE_FLOAT32, a->envelope));
}

Test(expression_workspace, answers_do_not_depend_on_who_asked_before)
{
    static double x[LENGTH], y[LENGTH];
    static struct answers first[TEXTS], again, part;
    const double *input[] = {x, y};
    const struct expression_row row = {.n = LENGTH, .input = input}, block = {.n = 40, .input = input};
    struct expression *e[TEXTS];
    struct expression_workspace *w[TEXTS];
    struct philox g;
    philox_start(&g, 41);
    for (int i = 0; i < LENGTH; i++) {
        x[i] = 3 * philox_signed(&g);
        y[i] = 1 + philox_unit(&g);
    }
    for (int t = 0; t < TEXTS; t++) { /* each with the memory to itself */
        e[t] = parsed(texts[t], two_operands);
        w[t] = expression_workspace_create(e[t]);
        ask(w[t], &row, &first[t]);
        expression_workspace_destroy(&w[t]);
    }
    for (int t = TEXTS - 1; t >= 0; t--) {
        w[t] = expression_workspace_create(e[t]);
    }
    for (int round = 0; round < 3; round++) {
        for (int t = 0; t < TEXTS; t++) {
            ask(w[t], &row, &again);
            cr_expect_arr_eq(&again, &first[t], sizeof again, "%s, round %d", texts[t], round);
            ask(w[(t + 1) % TEXTS], &block, &part);
        }
    }
    /* Tier 1 that is held for a block belongs to its own columns: the same block again, with another
     * workspace between. */
    for (int t = 0; t < TEXTS; t++) {
        static struct answers whole;
        ask(w[t], &block, &whole);
        ask(w[(t + 1) % TEXTS], &block, &part);
        struct profile profile = profile_ieee();
        struct primitive_errors allow =
            primitive_errors_of(&profile, DTYPE_FLOAT32, (double)block.n, -1, false);
        memset(part.bound, 0, sizeof part.bound);
        expression_limits(w[t], &block, &allow, part.bound);
        cr_expect_arr_eq(part.bound, whole.bound, sizeof part.bound, "%s", texts[t]);
        expression_workspace_destroy(&w[(t + 2) % TEXTS]); /* of a workspace that is not in use now */
        w[(t + 2) % TEXTS] = expression_workspace_create(e[(t + 2) % TEXTS]);
    }
    for (int t = 0; t < TEXTS; t++) {
        expression_workspace_destroy(&w[t]);
        expression_destroy(&e[t]);
    }
}
