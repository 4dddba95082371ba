/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet and slogdet of large orders: enclosures against the certified truth, for matrices that elimination
 * in double can verify and for matrices that it must leave to the precision ladder. */

#include "reference/test/large_matrices.h"

static void hostile(int which, int n, double *a)
{
    double *normal = large_matrix(NORMAL, n, 77);
    memcpy(a, normal, (size_t)(n * n) * sizeof *a);
    for (int j = 0; j < n; j++) {
        switch (which) {
        case 0: /* singular */
            a[3 * n + j] = a[30 * n + j];
            break;
        case 1: /* of rank n − 2, integers */
            for (int i = 0; i < n; i++) {
                a[i * n + j] = i < n - 2 ? floor(8 * normal[i * n + j]) : 0;
            }
            a[(n - 1) * n + j] = a[j] + a[n + j];
            break;
        case 2: /* nearly singular beyond double */
            a[3 * n + j] = a[30 * n + j] * (j == 5 ? 1 + 0x1p-52 : 1);
            break;
        case 3: /* the range's ends */
            a[3 * n + j] = ldexp(a[3 * n + j], 900);
            a[9 * n + j] = ldexp(a[9 * n + j], -900);
            break;
        case 4: /* a pivot that dwarfs all others */
            a[j] = j ? a[j] : 0x1p300;
            break;
        default: /* a permutation: |det| = 1 exactly */
            for (int i = 0; i < n; i++) {
                a[i * n + j] = (i + 1) % n == j;
            }
        }
    }
    free(normal);
}

enum { HOSTILE = 6, N = 50 };

static struct truth *enclosure_of(const char *name, const struct tensor *input)
{
    const struct op *op = op_find(name);
    struct attributes none = {.count = 0};
    struct op_signature signature = {.outputs = op->outputs};
    struct error error = {.text = ""};
    for (int o = 0; o < op->outputs; o++) {
        signature.output[o].dtype = input->dtype;
        signature.output[o].shape = input->shape;
        signature.output[o].shape.rank -= 2;
    }
    struct op_call call = {.op = op, .attributes = &none, .inputs = 1, .input = input, .enclosed = true};
    struct truth *truth = op_truth(&call, &signature, &error);
    cr_assert_not_null(truth, "%s", error.text);
    return truth;
}

/* Checks that every element lies within its radius of the certified one, and that `certify` gives the
 * latter. */
static int check_operator(const char *name, const struct tensor *input)
{
    struct truth *certain = truth_of_call(name, NULL, 1, input), *within = enclosure_of(name, input);
    struct attributes none = {.count = 0};
    struct op_call call = {.op = op_find(name), .attributes = &none, .inputs = 1, .input = input};
    int verified = 0, last = certain->outputs - 1;
    const struct truth_output *c = &certain->output[last];
    struct truth_output *w = &within->output[last];
    cr_assert_not_null(w->radius);
    cr_assert_null(c->radius);
    for (int64_t e = 0; e < c->elements; e++) {
        cr_assert_eq(c->value[e].class, w->value[e].class, "%s [%d]", name, (int)e);
        if (last) {
            cr_assert(certain->output[0].value[e].hi == within->output[0].value[e].hi);
        }
        double gap = fabs((c->value[e].hi - w->value[e].hi) + (c->value[e].lo - w->value[e].lo));
        cr_assert(c->value[e].class != VALUE_FINITE || gap <= w->radius[e] * (1 + 0x1p-30));
        verified += w->radius[e] > 0;
        if (c->value[e].class == VALUE_NAN) {
            continue;
        }
        struct error error = {.text = ""};
        cr_assert(op_find(name)->certify(&call, within, last, e, &error), "%s", error.text);
        cr_assert(w->radius[e] == 0 && w->value[e].class == c->value[e].class);
        cr_assert(w->value[e].hi == c->value[e].hi && w->value[e].lo == c->value[e].lo &&
                  w->value[e].exact == c->value[e].exact);
    }
    truth_destroy(&certain);
    truth_destroy(&within);
    return verified;
}

static void check_both(enum dtype dtype, int64_t count, const double *a, int expect)
{
    struct tensor tensor = tensor_from(dtype, shape_of(3, count, (int64_t)N, (int64_t)N), a);
    int signed_ones = check_operator("slogdet", &tensor), logarithms = check_operator("logdet", &tensor);
    cr_assert(expect < 0 || signed_ones == expect, "%d verified", signed_ones);
    cr_assert_leq(logarithms, signed_ones); /* NaN of negative ones needs no radius */
    tensor_destroy(&tensor);
}

Test(determinant_operators, operators_within_their_radii_and_certified)
{
    double *a = malloc((size_t)(LARGE_KINDS * N * N) * sizeof *a);
    for (int kind = 0; kind < LARGE_KINDS; kind++) {
        double *one = large_matrix((enum large_kind)kind, N, 4);
        memcpy(a + kind * N * N, one, (size_t)(N * N) * sizeof *a);
        free(one);
    }
    check_both(DTYPE_FLOAT64, LARGE_KINDS, a, LARGE_KINDS);
    free(a);
}

Test(determinant_operators, what_is_left_to_the_ladder_takes_seconds)
{
    double a[N * N];
    for (int which = 0; which < HOSTILE; which++) {
        hostile(which, N, a);
        check_both(DTYPE_FLOAT64, 1, a, which < 4 ? 0 : -1);
    }
    for (int i = 0; i < N * N; i++) {
        a[i] = 1.0 / (i / N + i % N + 1); /* Hilbert's */
    }
    check_both(DTYPE_FLOAT32, 1, a, 0);
}

/* Matrices with a NaN or an infinity are not eliminated. */
Test(determinant_operators, special_entries_need_no_elimination)
{
    double a[2 * N * N];
    hostile(5, N, a);
    hostile(5, N, a + N * N);
    a[17] = NAN;
    a[N * N + 20] = INFINITY;
    check_both(DTYPE_FLOAT32, 2, a, 0);
}

Test(determinant_operators, orders_below_are_certified_at_once)
{
    double *a = large_matrix(NORMAL, 49, 1);
    struct tensor tensor = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)48, (int64_t)48), a);
    struct truth *truth = enclosure_of("slogdet", &tensor);
    cr_assert_null(truth->output[1].radius);
    cr_assert_geq(truth->bits, 104);
    truth_destroy(&truth);
    tensor_destroy(&tensor);
    free(a);
}
