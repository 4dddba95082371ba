/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Programs in float16 and bfloat16 arithmetic, each operation rounded to nearest with subnormals, on all
 * 65,536 inputs. */

#include "reference/formula/test/expression.h"
#include "reference/test/normalization_model.h"

static enum dtype type;

static double r(double x)
{
    return rounded(type, x);
}

static double silu(double x)
{
    return r(x / r(1 + r(exp(-x))));
}

static double cube(double x)
{
    return r(r(x * x) * x);
}

static double magnified(double x)
{
    return r(r(x * x) * 1000);
}

static double hundredth(double x)
{
    return r(r(x * r(0.1)) * r(0.1));
}

static double root(double x)
{
    return r(sqrt(r(r(x * x) + r(0.3))));
}

static double decayed(double x)
{
    return r(r(r(exp(-x)) * r(0.003)) - r(x * 0.5));
}

static double small_log(double x)
{
    return r(r(log(r(1 + fabs(x)))) / 3);
}

static double gelu(double x)
{
    return r(r(0.5 * x) * r(erfc(r(-x / r(sqrt(2))))));
}

static const struct {
    const char *formula;
    double (*program)(double x);
} rows[] = {{"x / (1 + exp(-x))", silu},        {"x * x * x", cube},
            {"x * x * 1000", magnified},        {"x * 0.1 * 0.1", hundredth},
            {"sqrt(x * x + 0.3)", root},        {"exp(-x) * 0.003 - x * 0.5", decayed},
            {"log(1 + abs(x)) / 3", small_log}, {"0.5 * x * erfc(-x / sqrt(2))", gelu}};

static void hold(size_t t)
{
    enum { COUNT = 65536 };
    static double x[COUNT], value[COUNT], radius[COUNT], bound[COUNT];
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, type, 1, -1, false);
    struct expression *e = parsed(rows[t].formula, two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    const double *input[] = {x, x};
    struct expression_row row = {.n = COUNT, .input = input};
    int64_t bounded = 0;
    for (int i = 0; i < COUNT; i++) {
        unsigned char bytes[8] = {0};
        dtype_store_bits(type, bytes, (uint64_t)i);
        x[i] = dtype_load(type, bytes);
    }
    expression_values(w, &row, value, radius);
    expression_limits(w, &row, &allow, bound);
    for (int i = 0; i < COUNT; i++) {
        double got = rows[t].program(x[i]);
        bool finite = isfinite(value[i]) && isfinite(got);
        if (!finite) { /* special, or beyond the range */
            cr_expect((isnan(value[i]) && isnan(got)) || got == value[i] || bound[i] == INFINITY ||
                          fabs(value[i]) + bound[i] >= dtype_max(type) * (1 - dtype_unit_roundoff(type)),
                      "%s at %a: %a, truth %a", rows[t].formula, x[i], got, value[i]);
            continue;
        }
        double near = fabs(value[i]) < 2 * dtype_least_normal(type) ? dtype_least_subnormal(type) : 0;
        double most = bound[i] + dtype_unit_roundoff(type) * fabs(value[i]) + near + radius[i];
        cr_assert(fabs(got - value[i]) <= most, "%s at %a: %a, truth %a, bound %a", rows[t].formula, x[i],
                  got, value[i], most);
        bounded +=
            bound[i] <= 64 * dtype_unit_roundoff(type) * fabs(value[i]) + 64 * dtype_least_subnormal(type);
    }
    cr_expect_gt(bounded, COUNT / 3, "%s: only %ld are bounded", rows[t].formula, (long)bounded);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

Test(expression_half, every_float16_is_within)
{
    type = DTYPE_FLOAT16;
    for (size_t t = 0; t < sizeof rows / sizeof *rows; t++) {
        hold(t);
    }
}

Test(expression_half, every_bfloat16_is_within)
{
    type = DTYPE_BFLOAT16;
    for (size_t t = 0; t < sizeof rows / sizeof *rows; t++) {
        hold(t);
    }
}
