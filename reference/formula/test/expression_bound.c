/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Bounds from formulas against programs in which every operation errs by all it may, in either direction, and
 * against bounds derived by hand. */

#include "reference/formula/expression_bound.h"
#include "reference/formula/test/expression.h"
#include "reference/test/normalization_model.h"

enum { ROW = 4 };

/* --- programs in which each operation errs by ±(its error bound), by the bits of `signs` */

struct adversary {
    unsigned signs;
    int used;
    double u; /* 0: the truth */
};

static double off(struct adversary *a, double ulps, double x)
{
    return (a->signs >> a->used++ & 1) ? x * (1 + 2 * ulps * a->u) : x * (1 - 2 * ulps * a->u);
}

#define RN(x_)  off(a, 0.5, x_)
#define FUN(x_) off(a, 1, x_)

static double silu(struct adversary *a, const double *x, int j)
{
    return RN(x[j] / RN(1 + FUN(exp(-x[j]))));
}

static double gelu(struct adversary *a, const double *x, int j)
{
    return 0.5 * x[j] * RN(1 + off(a, 5, erf(RN(x[j] / RN(sqrt(2))))));
}

static double cancelling(struct adversary *a, const double *x, int j)
{
    return RN(RN(x[j] * x[j]) - x[j]) * x[(j + 1) % ROW];
}

static double exp_of_product(struct adversary *a, const double *x, int j)
{
    return FUN(exp(RN(x[j] * x[(j + 1) % ROW])));
}

static double log_of_sum(struct adversary *a, const double *x, int j)
{
    return FUN(log(RN(3 + RN(x[j] * x[j]))));
}

static double wave(struct adversary *a, const double *x, int j)
{
    double t = RN(x[j] * x[(j + 1) % ROW]);
    return RN(FUN(sin(t)) * FUN(cos(t))) + off(a, 2, tanh(t));
}

static double angle(struct adversary *a, const double *x, int j)
{
    return FUN(atan(RN(off(a, 5, erf(x[j])) * x[(j + 1) % ROW])));
}

static double softmax(struct adversary *a, const double *x, int j)
{
    double most = fmax(fmax(x[0], x[1]), fmax(x[2], x[3])), sum = 0, e[ROW];
    for (int k = 0; k < ROW; k++) {
        e[k] = x[k] == most ? 1 : FUN(exp(RN(x[k] - most)));
        sum = k == 0 ? e[k] : RN(sum + e[k]);
    }
    return RN(e[j] / sum);
}

static double rms(struct adversary *a, const double *x, int j)
{
    double sum = 0;
    for (int k = 0; k < ROW; k++) {
        double square = RN(x[k] * x[k]);
        sum = k == 0 ? square : RN(sum + square);
    }
    return x[j] * off(a, 2, 1 / sqrt(RN(RN(RN(sum / ROW)) + 0.125)));
}

static double variance(struct adversary *a, const double *x, int j)
{
    double sum = 0, m;
    for (int k = 0; k < ROW; k++) {
        sum = k == 0 ? x[k] : RN(sum + x[k]);
    }
    m = RN(sum / ROW);
    sum = 0;
    for (int k = 0; k < ROW; k++) {
        double d = RN(x[k] - m), square = RN(d * d);
        sum = k == 0 ? square : RN(sum + square);
    }
    (void)j;
    return RN(sum / ROW);
}

/* `sharp`: the median share of the bound that the worst of these programs must reach at least. */
static const struct program_model {
    const char *name, *formula;
    double (*run)(struct adversary *a, const double *x, int j);
    double sharp;
} models[] = {
    {"silu", "x / (1 + exp(-x))", silu, 0.95},
    {"gelu", "0.5 * x * (1 + erf(x / sqrt(2)))", gelu, 0.7},
    {"cancelling", "(x * x - x) * y", cancelling, 0.95},
    {"exp_of_product", "exp(x * y)", exp_of_product, 0.95},
    {"log_of_sum", "log(3 + x * x)", log_of_sum, 0.95},
    {"wave", "t = x * y; sin(t) * cos(t) + tanh(t)", wave, 0.7},
    {"angle", "atan(erf(x) * y)", angle, 0.7},
    {"softmax", "e = exp(x - row_max(x)); e / sum(e)", softmax, 0.5},
    {"rms", "x * rsqrt(mean(x * x) + 0.125)", rms, 0.7},
    {"variance", "m = mean(x); d = x - m; mean(d * d)", variance, 0.5},
};

static double worst_of(const struct program_model *m, const double *x, int j, double u)
{
    struct adversary none = {.u = 0};
    double truth = m->run(&none, x, j), worst = 0;
    for (unsigned signs = 0; signs < 1U << none.used && signs < 1U << 14; signs++) {
        struct adversary a = {.signs = none.used > 14 ? signs * 2654435761U : signs, .u = u};
        worst = fmax(worst, fabs(m->run(&a, x, j) - truth));
    }
    return worst;
}

static int compare_shares(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void hold_model(const struct program_model *m, enum dtype dtype, int rows)
{
    struct expression *e = parsed(m->formula, two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, dtype, ROW, -1, false);
    double *share = malloc((size_t)(rows * ROW) * sizeof *share), u = dtype_unit_roundoff(dtype);
    int count = 0;
    struct philox g;
    philox_start(&g, 5);
    for (int r = 0; r < rows; r++) {
        double x[ROW], y[ROW], bound[ROW];
        struct expression_measure measure[ROW];
        for (int k = 0; k < ROW; k++) {
            int exponent;
            x[k] = rounded(dtype, philox_signed(&g) * (r % 3 == 0 ? 8 : r % 3 == 1 ? 1 : 0.25));
            x[k] *=
                fabs(frexp(x[k], &exponent)) == 0.5 ? 0.75 : 1; /* products with powers of two are exact */
        }
        for (int k = 0; k < ROW; k++) {
            y[k] = x[(k + 1) % ROW];
        }
        const double *input[] = {x, y};
        struct expression_row row = {.n = ROW, .input = input};
        expression_limits(w, &row, &allow, bound);
        expression_measures(w, &row, &allow, measure);
        for (int j = 0; j < (expression_is_row(e) ? 1 : ROW); j++) {
            double worst = worst_of(m, x, j, u), again = expression_bound(&measure[j], &allow);
            cr_assert(worst <= bound[j], "%s at %a: %a is more than %a", m->name, x[j], worst, bound[j]);
            cr_assert(bound[j] == INFINITY ? again == INFINITY : fabs(again / bound[j] - 1) < 1e-9,
                      "%s at %a: %a and %a by its classes", m->name, x[j], bound[j], again);
            share[count++] = worst / bound[j];
        }
    }
    qsort(share, (size_t)count, sizeof *share, compare_shares);
    cr_expect_geq(share[count / 2], m->sharp, "%s: only %.3g of the bound is reached", m->name,
                  share[count / 2]);
    free(share);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

Test(expression_bound, no_legal_program_is_reported_falsely_and_the_worst_come_close)
{
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        hold_model(&models[m], DTYPE_FLOAT16, 12);
        hold_model(&models[m], DTYPE_FLOAT32, 4);
    }
}

/* Measures for the greater of two tables give bounds for the lesser one that hold and are nearly as sharp. */
Test(expression_bound, measures_serve_every_lesser_profile)
{
    struct profile libm = profile_ieee(), opencl = profile_ieee();
    opencl.primitives = PRIMITIVES_OPENCL;
    struct primitive_errors lesser = primitive_errors_of(&libm, DTYPE_FLOAT16, ROW, -1, false),
                            other = primitive_errors_of(&opencl, DTYPE_FLOAT16, ROW, -1, false),
                            both = primitive_errors_join(&lesser, &other);
    double x[ROW] = {0.7109375, -1.3125, 2.15625, 0.40625}, bound[ROW], direct[ROW];
    const double *input[] = {x, x};
    struct expression_row row = {.n = ROW, .input = input};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        struct expression *e = parsed(models[m].formula, two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        struct expression_measure measure[ROW];
        expression_measures(w, &row, &both, measure);
        expression_limits(w, &row, &lesser, direct);
        for (int j = 0; j < (expression_is_row(e) ? 1 : ROW); j++) {
            bound[j] = expression_bound(&measure[j], &lesser);
            cr_expect(bound[j] >= direct[j] * (1 - 1e-9) && bound[j] < 1.2 * direct[j],
                      "%s [%d]: %g, directly %g", models[m].name, j, bound[j], direct[j]);
        }
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
}

/* Bounds under several kinds at once: those of the first kind are its own, those of the others are wider by a
 * second-order term, and none is infinite that is finite by itself (a quotient whose divisor Vulkan does not
 * specify). */
Test(expression_bound, kinds_come_together)
{
    struct profile profile[] = {profile_ieee(), profile_ieee()};
    struct expression_kinds kinds = {.kinds = EXPRESSION_KINDS};
    profile[0].primitives = PRIMITIVES_VULKAN;
    profile[1].primitives = PRIMITIVES_OPENCL;
    for (int k = 0; k < EXPRESSION_KINDS; k++) {
        kinds.of[k] = primitive_errors_of(&profile[k / 2], DTYPE_FLOAT32, ROW, -1, k % 2 == 1);
    }
    static const double rows[][ROW] = {{0.7109375, -1.3125, 2.15625, 0.40625}, {0x1p127, 3, 0x1p-127, 1}};
    double bound[EXPRESSION_KINDS][ROW], alone[ROW];
    double *const at[] = {bound[0], bound[1], bound[2], bound[3]};
    int unbounded = 0;
    for (size_t m = 0; m <= sizeof models / sizeof *models; m++) {
        const char *formula = m < sizeof models / sizeof *models ? models[m].formula : "(x / y) * x";
        for (int r = 0; r < 2; r++) {
            struct expression *e = parsed(formula, two_operands);
            struct expression_workspace *w = expression_workspace_create(e);
            const double *input[] = {rows[r], rows[r]};
            struct expression_row row = {.n = ROW, .input = input};
            expression_limits_each(w, &row, &kinds, at);
            for (int k = 0; k < EXPRESSION_KINDS; k++) {
                expression_limits(w, &row, &kinds.of[k], alone);
                for (int j = 0; j < (expression_is_row(e) ? 1 : ROW); j++) {
                    bool equal = bound[k][j] == alone[j];
                    bool wider = k > 0 && bound[k][j] > alone[j] && bound[k][j] < INFINITY &&
                                 (bound[k][j] < alone[j] * (1 + 1e-4) || bound[k][j] <= bound[0][j]);
                    cr_expect(equal || wider, "%s [%d], %d: %g, alone %g", formula, j, k, bound[k][j],
                              alone[j]);
                    unbounded += bound[0][j] == INFINITY && bound[k][j] < INFINITY;
                }
            }
            expression_workspace_destroy(&w);
            expression_destroy(&e);
        }
    }
    cr_expect_gt(unbounded, 0, "no limit of the first one was infinite alone");
}

/* A single operation on operands has no derivatives: under each profile its bound equals the one computed
 * alone. */
Test(expression_bound, kinds_of_one_operation)
{
    static const char *const single[] = {"exp(x)", "x / y", "sqrt(x)", "x * y", "log(x)", "pow(x, y)"};
    static const double x[] = {0.7, 1.3, 9, 0x1p-100}, y[] = {3, 0x1.8p-3, 0x1p100, 1};
    struct profile profile[] = {profile_ieee(), profile_ieee()};
    struct expression_kinds kinds = {.kinds = 2};
    int apart = 0;
    profile[0].primitives = PRIMITIVES_VULKAN;
    for (int k = 0; k < 2; k++) {
        kinds.of[k] = primitive_errors_of(&profile[k], DTYPE_FLOAT32, 1, 0, false);
    }
    for (size_t f = 0; f < sizeof single / sizeof *single; f++) {
        struct expression *e = parsed(single[f], two_operands);
        struct expression_workspace *w = expression_workspace_create(e);
        const double *input[] = {x, y};
        struct expression_row row = {.n = 4, .input = input};
        double bound[2][4], alone[4], *const at[] = {bound[0], bound[1]};
        cr_expect(bound_is_alone(e), "%s", single[f]);
        expression_limits_each(w, &row, &kinds, at);
        for (int k = 0; k < 2; k++) {
            expression_limits(w, &row, &kinds.of[k], alone);
            for (int i = 0; i < 4; i++) {
                cr_expect_eq(bound[k][i], alone[i], "%s [%d], %d: %a, alone %a", single[f], i, k, bound[k][i],
                             alone[i]);
                apart += k == 1 && bound[1][i] < bound[0][i];
            }
        }
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
    cr_expect_gt(apart, 4);
}

Test(expression_bound, no_legal_program_is_reported_falsely_takes_seconds)
{
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        hold_model(&models[m], DTYPE_BFLOAT16, 150);
        hold_model(&models[m], DTYPE_FLOAT16, 150);
    }
}

/* The bound of the result of one operation that is computed in `dtype` itself. */
static double limit_of(const char *formula, double x, double y, enum primitives primitives, enum dtype dtype)
{
    struct expression *e = parsed(formula, two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    struct profile profile = profile_ieee();
    profile.primitives = primitives;
    struct primitive_errors allow = primitive_errors_of(&profile, dtype, 1, -1, false);
    const double *input[] = {&x, &y};
    double bound;
    expression_limits(w, &(struct expression_row){.n = 1, .input = input}, &allow, &bound);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
    return bound;
}

/* E_compute of single operations: the profile's tables, at arguments where they change. */
Test(expression_bound, allowances_are_the_tables)
{
    static const double u = 0x1p-24, tangent = 0.25534192122103627;
    static const struct {
        const char *formula;
        double x, y;
        enum primitives primitives;
        double want;
    } rows[] = {{"exp(x)", 10, 0, PRIMITIVES_VULKAN, 23 * 0x1p-23 * 22026.465794806718},
                {"exp(x)", 10, 0, PRIMITIVES_OPENCL, 3 * 0x1p-23 * 22026.465794806718},
                {"exp(x)", -100, 0, PRIMITIVES_LIBM, 0x1p-23 * 0x1p-126},
                {"log(x)", 1.5, 0, PRIMITIVES_VULKAN, 0x1p-21},
                {"log(x)", 3, 0, PRIMITIVES_VULKAN, 3 * 0x1p-23 * 1.0986122886681098},
                {"log(x)", 1.5, 0, PRIMITIVES_LIBM, 0x1p-23 * 0.4054651081081644},
                {"sin(x)", 1, 0, PRIMITIVES_VULKAN,
                 4 * 0x1p-23 * 0.8414709848078965}, /* OpenCL's: Vulkan has none past π */
                {"sin(x)", -3.25, 0, PRIMITIVES_VULKAN, 4 * 0x1p-23 * 0.10819513453010837},
                {"cos(x)", 0, 0, PRIMITIVES_OPENCL, 4 * 0x1p-23},
                {"x / y", 3, 4, PRIMITIVES_VULKAN, 2.5 * 0x1p-23 * 0.75},
                {"x / y", 3, 0x1p-127, PRIMITIVES_VULKAN, INFINITY},
                {"x / y", 3, 0x1p127, PRIMITIVES_VULKAN, INFINITY},
                {"x / y", 3, 4, PRIMITIVES_LIBM, u * 0.75},
                {"erf(x)", 30, 0, PRIMITIVES_OPENCL, 16 * 0x1p-23},
                {"erf(x)", 30, 0, PRIMITIVES_VULKAN, 16 * 0x1p-23},
                {"erf(x)", 30, 0, PRIMITIVES_LIBM, 5 * 0x1p-23},
                {"erfinv(x)", 0.5, 0, PRIMITIVES_VULKAN, 16 * 0x1p-23 * 0.47693627620446987},
                {"erfinv(x)", 0.5, 0, PRIMITIVES_LIBM, 5 * 0x1p-23 * 0.47693627620446987},
                {"lgamma(x)", 3, 0, PRIMITIVES_VULKAN, 16 * 0x1p-23 * 0.69314718055994529},
                {"lgamma(x)", 3, 0, PRIMITIVES_LIBM, 7 * 0x1p-23 * 0.69314718055994529},
                {"lgamma(x)", -3.5, 0, PRIMITIVES_LIBM,
                 0x1p-23 * (7 * 1.3090066849930421 + 8 * (1 + 3.5 * 1.5040773967762742))},
                {"digamma(x)", 1, 0, PRIMITIVES_LIBM,
                 0x1p-23 * (7 * 0.57721566490153287 + 8 * (1 + 0.69314718055994529))},
                {"digamma(x)", -3.5, 0, PRIMITIVES_OPENCL,
                 0x1p-23 * (16 * 1.388870999331206 + 8 * (1 + 1.5040773967762742))},
                {"tan(x)", 0.25, 0, PRIMITIVES_VULKAN, 5 * 0x1p-23 * 0.25534192122103627},
                {"atan(x)", 1.5, 0, PRIMITIVES_VULKAN, 5 * 0x1p-23 * 0.98279372324732907},
                {"atan(x)", 1.5, 0, PRIMITIVES_LIBM, 0x1p-23 * 0.98279372324732907},
                {"tan(x)", 0.25, 0, PRIMITIVES_OPENCL, 5 * 0x1p-23 * 0.25534192122103627},
                {"tan(x)", 0.25, 0, PRIMITIVES_CUDA, 4.5 * 0x1p-23 * tangent}, /* from the rounded: + 1/2 */
                {"x / y", 3, 0x1p127, PRIMITIVES_CUDA, u * 3 * 0x1p-127},
                {"pow(x, y)", 3, 2.5, PRIMITIVES_CUDA, 4.5 * 0x1p-23 * 15.588457268119896},
                {"tan(x)", 0.25, 0, PRIMITIVES_VECTOR, 4 * 0x1p-23 * tangent},
                {"pow(x, y)", 3, 2.5, PRIMITIVES_VECTOR, 4 * 0x1p-23 * 15.588457268119896},
                {"erf(x)", 30, 0, PRIMITIVES_VECTOR, 5 * 0x1p-23}, /* there is none: libm's */
                {"x / y", 3, 0x1p127, PRIMITIVES_VECTOR, u * 3 * 0x1p-127},
                {"x + y", 3, 4, PRIMITIVES_VULKAN, 0},
                {"-(x * y)", 3, 5, PRIMITIVES_LIBM, 0},
                {"x < 0 ? x * y : x", -3, 5, PRIMITIVES_LIBM, 0},
                {"t = x * y; t < 0 ? t : x", -3, 5, PRIMITIVES_LIBM, 15 * u},
                {"max(x * y, x)", 3, 5, PRIMITIVES_LIBM, 15 * u},
                {"x * 0.1 + 0", 3, 0, PRIMITIVES_LIBM, 2 * u * 0.3}};
    for (size_t t = 0; t < sizeof rows / sizeof *rows; t++) {
        double want = rows[t].want,
               bound = limit_of(rows[t].formula, rows[t].x, rows[t].y, rows[t].primitives, DTYPE_FLOAT32);
        cr_expect(want == 0 || want == INFINITY ? bound == want : fabs(bound / want - 1) < 1e-6,
                  "%s at %g, %g: %g, not %g", rows[t].formula, rows[t].x, rows[t].y, bound, want);
    }
}

/* Doubles err by as many ulp; halves are computed in float32 and rounded. */
Test(expression_bound, vector_libraries_state_one_number)
{
    const double tangent = 1.5574077246549023;
    double limit = limit_of("tan(x)", 1, 0, PRIMITIVES_VECTOR, DTYPE_FLOAT64);
    cr_expect_float_eq(limit / (4 * 0x1p-52 * tangent), 1, 0x1p-5, "%g", limit);
    limit = limit_of("tan(x)", 1, 0, PRIMITIVES_VECTOR, DTYPE_FLOAT16);
    cr_expect_float_eq(limit / (0x1p-10 * tangent), 1, 0x1p-5, "%g", limit);
}

/* CUDA states other numbers of double precision, and none of halves, which are computed in float32. */
Test(expression_bound, cuda_has_a_table_for_each_precision)
{
    static const struct {
        enum dtype dtype;
        double ulps, ulp;
    } rows[] = {{DTYPE_FLOAT64, 2.5, 0x1p-52}, {DTYPE_FLOAT16, 1, 0x1p-10}, {DTYPE_BFLOAT16, 1, 0x1p-7}};
    for (size_t t = 0; t < sizeof rows / sizeof *rows; t++) {
        double tangent = 1.5574077246549023, want = rows[t].ulps * rows[t].ulp * tangent;
        double limit = limit_of("tan(x)", 1, 0, PRIMITIVES_CUDA, rows[t].dtype);
        cr_expect_float_eq(limit / want, 1, 0x1p-5, "%s: %g, not %g", dtype_info(rows[t].dtype)->name, limit,
                           want);
    }
}
