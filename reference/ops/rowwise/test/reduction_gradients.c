/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Gradients of reductions against their definitions in Arb, for rows with ties, NaN and infinities. float32
 * programs of any order are accepted, wrong ones are not. */

#include "reference/ops/rowwise/rowwise.h"
#include "reference/test/support.h"

enum { LENGTH = 40, PRECISION = 2000, ROWS = 3 };

static const char *const names[] = {"sum_backward", "mean_backward", "amax_backward",     "amin_backward",
                                    "var_backward", "std_backward",  "logsumexp_backward"};
enum { SUM, MEAN, AMAX, AMIN, VAR, STD, LOGSUMEXP, OPERATORS };

static struct attributes along(int64_t dim, bool keep, int64_t correction)
{
    struct attributes a = {
        .count = 2,
        .item = {{.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {dim}}},
                 {.name = "keepdim", .type = ATTRIBUTE_BOOL, .integer = keep}}};
    if (correction >= 0) {
        a.item[a.count++] =
            (struct attribute){.name = "correction", .type = ATTRIBUTE_INTEGER, .integer = correction};
    }
    return a;
}

static bool leads(int op, const double *x, int n, int j)
{
    bool first = true;
    for (int k = 0; k < n; k++) {
        first = first && (op == AMAX ? x[k] <= x[j] : x[k] >= x[j]);
    }
    return first;
}

static void release(struct truth *truth, struct tensor *input)
{
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

/* Σ (x − m)², m; or Σ exp(x). */
static void sums(const double *x, int n, arb_t mean, arb_t squares, arb_t powers)
{
    arb_t d;
    arb_init(d);
    arb_zero(mean), arb_zero(squares), arb_zero(powers);
    for (int k = 0; k < n; k++) {
        arb_set_d(d, x[k]);
        arb_add(mean, mean, d, PRECISION);
        arb_exp(d, d, PRECISION);
        arb_add(powers, powers, d, PRECISION);
    }
    arb_div_si(mean, mean, n, PRECISION);
    for (int k = 0; k < n; k++) {
        arb_set_d(d, x[k]);
        arb_sub(d, d, mean, PRECISION);
        arb_addmul(squares, d, d, PRECISION);
    }
    arb_clear(d);
}

static void by_definition(int op, double grad, const double *x, int n, int j, int correction, arb_t y)
{
    int ties = 0;
    arb_t mean, squares, powers;
    arb_init(mean), arb_init(squares), arb_init(powers);
    sums(x, n, mean, squares, powers);
    for (int k = 0; k < n; k++) {
        ties += leads(op, x, n, k);
    }
    arb_set_d(y, x[j]);
    if (op == VAR || op == STD) {
        arb_sub(y, y, mean, PRECISION);
        arb_div_si(y, y, n - correction, PRECISION);
        arb_div_si(squares, squares, n - correction, PRECISION);
        arb_sqrt(squares, squares, PRECISION);
        if (op == STD) {
            arb_div(y, y, squares, PRECISION);
        } else {
            arb_mul_2exp_si(y, y, 1);
        }
    } else if (op == LOGSUMEXP) {
        arb_exp(y, y, PRECISION);
        arb_div(y, y, powers, PRECISION);
    } else if (op == AMAX || op == AMIN) {
        arb_set_si(y, leads(op, x, n, j));
        arb_div_si(y, y, ties, PRECISION);
    } else {
        arb_one(y);
        arb_div_si(y, y, op == MEAN ? n : 1, PRECISION);
    }
    arb_set_d(mean, grad);
    arb_mul(y, y, mean, PRECISION);
    arb_clear(mean), arb_clear(squares), arb_clear(powers);
}

static void fill(struct philox *g, int i, int n, double *x)
{
    for (int k = 0; k < n; k++) {
        double unit = 2 * philox_unit(g) - 1;
        x[k] = i % 3 == 0 ? round(3 * unit) : i % 3 == 1 ? 20 * unit : 1000 + unit;
    }
    if (n > 1 && x[0] == x[1]) {
        x[0] += 1; /* deviations are not 0 */
    }
}

static void expect_rows(int op, const struct attributes *attributes, const struct tensor *input, int n,
                        bool first, bool enclosed, int trial)
{
    struct truth *truth = any_truth_of_call(names[op], attributes, 2, input, enclosed);
    const struct truth_output *out = &truth->output[0];
    const int correction = (int)attributes_integer(attributes, "correction", 1);
    arb_t y;
    arb_init(y);
    for (int r = 0; r < ROWS; r++) {
        double x[LENGTH];
        for (int k = 0; k < n; k++) {
            x[k] = tensor_component(&input[1], first ? k * ROWS + r : r * n + k);
        }
        for (int k = 0; k < n; k++) {
            const int64_t e = first ? k * ROWS + r : r * n + k;
            by_definition(op, tensor_component(&input[0], r), x, n, k, correction, y);
            if (arb_contains_zero(y)) {
                cr_expect_eq(out->value[e].hi, 0, "%s %d, element %d of %d", names[op], trial, k, n);
                continue;
            }
            double radius = out->radius ? out->radius[e] : 0,
                   size = fabs(value_approximately(&out->value[e]));
            double most = radius > 0 ? log2(radius / size) + 1e-9 : -102;
            cr_expect_leq(value_distance_log2(&out->value[e], y), most, "%s %d, element %d of %d", names[op],
                          trial, k, n);
        }
    }
    arb_clear(y);
    truth_destroy(&truth);
}

Test(reduction_gradients, truths_are_arbs)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    struct philox g;
    philox_start(&g, 51);
    for (int i = 0; i < 56 * OPERATORS; i++) {
        const int op = i % OPERATORS, round = i / OPERATORS;
        bool first = round % 2, keep = round / 2 % 2;
        int n = 4 + (int)philox_below(&g, LENGTH - 4);
        double x[ROWS * LENGTH], grad[ROWS];
        fill(&g, round, ROWS * n, x);
        for (int r = 0; r < ROWS; r++) {
            grad[r] = 4 * philox_unit(&g) - 2;
        }
        struct attributes attributes = along(first ? 0 : -1, keep, op == VAR || op == STD ? round % 3 : -1);
        struct shape of_grad = !keep   ? shape_of(1, (int64_t)ROWS)
                               : first ? shape_of(2, (int64_t)1, (int64_t)ROWS)
                                       : shape_of(2, (int64_t)ROWS, (int64_t)1);
        struct shape of_x =
            first ? shape_of(2, (int64_t)n, (int64_t)ROWS) : shape_of(2, (int64_t)ROWS, (int64_t)n);
        struct tensor input[2] = {tensor_from(dtypes[round % 4], of_grad, grad),
                                  tensor_from(dtypes[round % 4], of_x, x)};
        expect_rows(op, &attributes, input, n, first, round / 4 % 2, i);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
}

/* The results of autograd for a row in PyTorch 1.13. */
Test(reduction_gradients, special_rows_are_pytorchs)
{
    static const struct {
        int op;
        double grad, x[3], y[3];
    } rows[] = {{AMAX, 6, {1, 3, 3}, {0, 3, 3}},
                {AMAX, 1, {NAN, 1, NAN}, {NAN, NAN, NAN}},
                {AMAX, -2, {0, -0.0, -1}, {-1, -1, 0}},
                {AMIN, 6, {INFINITY, INFINITY, INFINITY}, {2, 2, 2}},
                {AMAX, INFINITY, {1, 3, 3}, {NAN, INFINITY, INFINITY}},
                {SUM, 5, {NAN, INFINITY, 1}, {5, 5, 5}},
                {MEAN, INFINITY, {1, NAN, 4}, {INFINITY, INFINITY, INFINITY}},
                {VAR, 1, {1, 2, INFINITY}, {-INFINITY, -INFINITY, NAN}},
                {STD, 1, {1, 2, INFINITY}, {NAN, NAN, NAN}},
                {STD, 3, {2, 2, 2}, {0, 0, 0}},
                {STD, NAN, {2, 2, 2}, {0, 0, 0}},
                {LOGSUMEXP, 1, {-INFINITY, -INFINITY, -INFINITY}, {NAN, NAN, NAN}},
                {LOGSUMEXP, 1, {1, INFINITY, 2}, {0, NAN, 0}},
                {LOGSUMEXP, 1, {1, NAN, 2}, {NAN, NAN, NAN}},
                {LOGSUMEXP, 2, {7, -INFINITY, 7}, {1, 0, 1}}};
    struct attributes attributes = along(0, false, -1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(0), &rows[i].grad),
                                  tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), rows[i].x)};
        struct truth *truth = truth_of_call(names[rows[i].op], &attributes, 2, input);
        for (int k = 0; k < 3; k++) {
            double y = value_approximately(&truth->output[0].value[k]), expected = rows[i].y[k];
            cr_expect(isnan(expected) ? isnan(y) : y == expected, "%s, row %zu, element %d: %g",
                      names[rows[i].op], i, k, y);
        }
        release(truth, input);
    }
}

/* A program that selects has 0 where one that multiplies has NaN; for a row with a NaN both have NaN. */
Test(reduction_gradients, a_choice_is_legal_beside_an_infinite_gradient)
{
    struct attributes attributes = along(0, false, -1);
    struct profile profile = profile_ieee();
    static const struct {
        double grad, x[3];
        bool zero;
    } rows[] = {{INFINITY, {1, 3, 3}, true}, {6, {1, 3, NAN}, false}, {INFINITY, {NAN, 3, 3}, false}};
    for (int i = 0; i < 3; i++) {
        struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(0), &rows[i].grad),
                                  tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)3), rows[i].x)};
        struct truth *truth = truth_of_call("amax_backward", &attributes, 2, input);
        struct accept accept = accept_of("amax_backward", &attributes, &profile, truth, 0, 0, false);
        cr_expect(accepts_double(&accept, NAN));
        cr_expect_eq(accepts_double(&accept, 0), rows[i].zero, "row %d", i);
        cr_expect_not(accepts_double(&accept, INFINITY));
        release(truth, input);
    }
}

struct program {
    float grad, x[LENGTH], mean, deviation, lead, powers, ties;
    int n, order;
};

static void prepare(struct program *p, struct philox *g)
{
    float term[LENGTH], running = 0, squares = 0;
    p->mean = by_any_tree(p->x, p->n, false, g) / (float)p->n;
    p->lead = p->x[0];
    for (int k = 0; k < p->n; k++) { /* Welford's */
        float d = p->x[k] - running;
        running += d / (float)(k + 1);
        squares += d * (p->x[k] - running);
        p->lead = fmaxf(p->lead, p->x[k]);
    }
    for (int k = 0; k < p->n; k++) {
        term[k] = (p->x[k] - p->mean) * (p->x[k] - p->mean);
    }
    p->deviation = sqrtf((p->order ? squares : by_any_tree(term, p->n, false, g)) / (float)(p->n - 1));
    p->ties = 0;
    for (int k = 0; k < p->n; k++) {
        term[k] = expf(p->x[k] - p->lead);
        p->ties += (float)(p->x[k] == p->lead);
    }
    p->powers = by_any_tree(term, p->n, false, g);
}

static float of_program(const struct program *p, int op, int j)
{
    const float n = (float)p->n, d = p->x[j] - p->mean;
    switch (op) {
    case MEAN:
        return p->order ? p->grad * (1 / n) : p->grad / n;
    case AMAX:
        return p->grad * (float)(p->x[j] == p->lead) / p->ties;
    case VAR:
        return p->order ? 2 / (n - 1) * p->grad * d : 2 * p->grad * d / (n - 1);
    case STD:
        return p->order ? 2 / (n - 1) * (p->grad / (2 * p->deviation)) * d
                        : p->grad / p->deviation * d / (n - 1);
    case LOGSUMEXP:
        return p->order ? p->grad * expf(p->x[j] - (p->lead + logf(p->powers)))
                        : p->grad * (expf(p->x[j] - p->lead) / p->powers);
    default:
        return p->grad;
    }
}

/* Wrong programs: a mean that is not divided by n; n in place of n − 1; the whole gradient for each of
 * several leading elements; the sum without its greatest term. */
static float of_wrong_program(const struct program *p, int op, int j)
{
    const float n = (float)p->n, y = of_program(p, op, j);
    return op == MEAN               ? p->grad
           : op == AMAX             ? y * p->ties
           : op == VAR || op == STD ? y * (n - 1) / n
           : op == LOGSUMEXP        ? p->grad * (expf(p->x[j] - p->lead) / (p->powers - 1))
                                    : y * (1 + 0x1p-23F);
}

Test(reduction_gradients, no_program_is_reported_falsely_and_wrong_ones_are)
{
    struct profile profile = profile_ieee();
    struct attributes attributes = along(0, false, -1);
    struct philox g;
    int wrong[OPERATORS] = {0}, refused[OPERATORS] = {0};
    philox_start(&g, 52);
    for (int i = 0; i < 150 * OPERATORS; i++) {
        const int op = i % OPERATORS == AMIN ? AMAX : i % OPERATORS,
                  n = 4 + (int)philox_below(&g, LENGTH - 4);
        struct program p = {.n = n, .order = i / OPERATORS % 2};
        double x[LENGTH], grad = (double)(p.grad = (float)(1 + philox_unit(&g)));
        fill(&g, i / OPERATORS, n, x);
        for (int k = 0; k < n; k++) {
            p.x[k] = (float)x[k];
        }
        prepare(&p, &g);
        struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(0), &grad),
                                  tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)n), x)};
        struct truth *truth = truth_of_call(names[op], &attributes, 2, input);
        for (int k = 0; k < n; k++) {
            struct accept accept = accept_of(names[op], &attributes, &profile, truth, 0, k, false);
            float got = of_program(&p, op, k), other = of_wrong_program(&p, op, k);
            cr_expect(accepts_double(&accept, (double)got), "%s %d, element %d of %d: %.9g", names[op], i, k,
                      n, (double)got);
            if (other != got) {
                wrong[op]++;
                refused[op] += !accepts_double(&accept, (double)other);
            }
        }
        release(truth, input);
    }
    for (int op = 0; op < OPERATORS; op++) {
        cr_expect(op == AMIN || wrong[op] > 100, "%s: %d wrong", names[op], wrong[op]);
        /* for elements near the mean n and n − 1 give nearly the same */
        cr_expect_geq(refused[op], wrong[op] * 97 / 100, "%s: %d of %d", names[op], refused[op], wrong[op]);
    }
}

/* Ones are counted exactly in any order: one tie more or less shows among thousands. */
Test(reduction_gradients, ties_are_counted)
{
    enum { MANY = 5000 };
    static double x[MANY];
    const double grad = 4999;
    struct attributes attributes = along(0, false, -1);
    struct profile profile = profile_ieee();
    struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(0), &grad), {.data = NULL}};
    x[7] = -1;
    input[1] = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)MANY), x);
    struct truth *truth = truth_of_call("amax_backward", &attributes, 2, input);
    struct accept accept = accept_of("amax_backward", &attributes, &profile, truth, 0, 0, false);
    cr_expect(accepts_double(&accept, 1));
    cr_expect_not(accepts_double(&accept, (double)(4999.0F / 5000.0F)));
    cr_expect_not(accepts_double(&accept, 1 + 0x1p-22));
    release(truth, input);
}

Test(reduction_gradients, grad_output_is_as_the_input_reduced)
{
    const struct shape x = shape_of(2, (int64_t)3, (int64_t)5), row = shape_of(1, (int64_t)3),
                       kept = shape_of(2, (int64_t)3, (int64_t)1), none = shape_of(2, (int64_t)3, (int64_t)0);
    for (int op = 0; op < OPERATORS; op++) {
        struct attributes drop = along(1, false, -1), keep = along(1, true, -1), beyond = along(2, false, -1);
        struct view good[] = {view_contiguous(0, DTYPE_FLOAT32, &row), view_contiguous(1, DTYPE_FLOAT32, &x)};
        struct view whole[] = {view_contiguous(0, DTYPE_FLOAT32, &x), good[1]};
        struct view long_one[] = {view_contiguous(0, DTYPE_FLOAT32, &kept), good[1]};
        struct view half[] = {view_contiguous(0, DTYPE_FLOAT16, &row), good[1]};
        struct view empty[] = {good[0], view_contiguous(1, DTYPE_FLOAT32, &none)};
        cr_expect_not(refuses(names[op], &drop, 2, good, NULL));
        cr_expect(refuses(names[op], &keep, 2, good, NULL));
        cr_expect_not(refuses(names[op], &keep, 2, long_one, NULL));
        cr_expect(refuses(names[op], &drop, 2, long_one, NULL));
        cr_expect(refuses(names[op], &drop, 2, whole, NULL));
        cr_expect(refuses(names[op], &drop, 2, half, NULL));
        cr_expect(refuses(names[op], &beyond, 2, good, NULL));
        cr_expect_eq(refuses(names[op], &drop, 2, empty, NULL), op == AMAX || op == AMIN);
    }
}

/* The error of Welford's deviation is legal where the profile does not declare assay's own order of sums. For
 * an element far from all others it is greater than the rest of the bound. */
Test(reduction_gradients, running_means_are_legal_where_no_order_is_declared)
{
    enum { MANY = 256 };
    static double x[MANY];
    const double grad = 1;
    struct attributes attributes = along(0, false, -1);
    struct profile open = profile_ieee(), own = profile_ieee();
    own.summation = SUMMATION_DECLARED;
    open.summation = SUMMATION_UNDECLARED;
    for (int k = 0; k < MANY; k++) {
        x[k] = 1000 + (k % 2 ? 1 : -1) / 64.0 + (k == 0 ? 64 : 0);
    }
    struct tensor input[2] = {tensor_from(DTYPE_FLOAT32, shape_of(0), &grad),
                              tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)MANY), x)};
    struct truth *truth = truth_of_call("std_backward", &attributes, 2, input);
    const double y = value_approximately(&truth->output[0].value[0]),
                 off = y * (1 + 0.4 * MANY * 0x1p-24 * 250);
    struct accept accept = accept_of("std_backward", &attributes, &open, truth, 0, 0, false);
    cr_expect(accepts_double(&accept, (double)(float)off));
    accept = accept_of("std_backward", &attributes, &own, truth, 0, 0, false);
    cr_expect_not(accepts_double(&accept, (double)(float)off));
    release(truth, input);
}
