/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What the tables of primitives allow functions where they are 0 or 1. Vulkan states the error of log and
 * log2 on [1/2, 2] absolutely, 2^-21 in float32 and 2^-7 in float16, for log 1 as for any other number. Other
 * tables state ulp, and by C's Annex F, which OpenCL adopts, log 1 is +0. */

#include "reference/test/call.h"

#include <math.h>

static const enum primitives others[] = {PRIMITIVES_LIBM, PRIMITIVES_OPENCL, PRIMITIVES_CUDA,
                                         PRIMITIVES_VECTOR};
enum { LIBM = 1, OTHERS = sizeof others / sizeof *others };

/* Tests a call whose element 0 is `value` plus an error of a logarithm of 1: Vulkan's table allows less than
 * `most`, and the first `tables` of the others allow none. */
static void check(struct call *c, double value, double most, int tables)
{
    const double error = 0x1p-22;
    c->profile.primitives = PRIMITIVES_VULKAN;
    cr_expect(takes(c, 0, 0, value) && takes(c, 0, 0, value + error) && takes(c, 0, 0, value - error), "%s",
              c->op);
    cr_expect_not(takes(c, 0, 0, value + most) || takes(c, 0, 0, value - most), "%s", c->op);
    cr_expect_not(takes(c, 0, 0, NAN) || takes(c, 0, 0, INFINITY) || takes(c, 0, 0, -INFINITY), "%s", c->op);
    for (int k = 0; k < tables; k++) {
        c->profile.primitives = others[k];
        cr_expect(takes(c, 0, 0, value), "%s under %s", c->op, primitives_name(others[k]));
        cr_expect_not(takes(c, 0, 0, value + error), "%s under %s", c->op, primitives_name(others[k]));
    }
    end(c);
}

Test(legal_logarithms, the_logarithm_of_1_errs_as_vulkan_states)
{
    static const char *const ops[] = {"log", "log2", "log10"};
    for (int o = 0; o < 3; o++) {
        struct call c = call_of(ops[o]);
        VECTOR(&c, DTYPE_FLOAT32, 1);
        c.profile.primitives = PRIMITIVES_VULKAN;
        cr_expect(takes(&c, 0, 0, 0x1p-21) && takes(&c, 0, 0, -0x1p-21), "%s: the end", ops[o]);
        check(&c, 0, 0x1.001p-21, OTHERS);
    }
    struct call half = call_of("log"), twice = call_of("log"), both = call_of("log");
    half.profile.primitives = twice.profile.primitives = both.profile.primitives = PRIMITIVES_VULKAN;
    VECTOR(&half, DTYPE_FLOAT16, 1);
    cr_expect(takes(&half, 0, 0, 0x1p-8) && !takes(&half, 0, 0, 0x1p-6));
    VECTOR(&twice, DTYPE_FLOAT64, 1);
    cr_expect(takes(&twice, 0, 0, 0x1p-51) && !takes(&twice, 0, 0, 0x1p-22));
    VECTOR(&both, DTYPE_FLOAT32, 1, 1.5, 4, 0x1p-126); /* beside others, as a block */
    cr_expect(takes(&both, 0, 0, 0x1p-22) && !takes(&both, 0, 0, 0x1p-20));
    cr_expect_not(takes(&both, 0, 2, log(4) + 0x1p-18));
    end(&half);
    end(&twice);
    end(&both);
}

static struct call row_of_one(const char *op)
{
    struct call c = call_of(op);
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 0.25);
    bool many = strcmp(op, "logsumexp") == 0;
    c.attributes.item[c.attributes.count++] =
        many ? (struct attribute){.name = "dim",
                                  .type = ATTRIBUTE_INTEGERS,
                                  .integers = {.count = 1, .item = {1}}}
             : (struct attribute){.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = 1};
    return c;
}

/* In formulas: y·log y, y·log x; log(e^0) and log(p/(1 − p)), whose arguments err by an ulp or more under
 * every table but libm's. */
Test(legal_logarithms, formulas_with_a_logarithm_of_1)
{
    struct call c = row_of_one("logsumexp");
    check(&c, 0.25, 0x1p-19, LIBM);
    c = row_of_one("log_softmax");
    check(&c, 0, 0x1p-19, LIBM);
    c = call_of("logit");
    VECTOR(&c, DTYPE_FLOAT32, 0.5);
    check(&c, 0, 0x1p-19, LIBM);
    c = call_of("kl_div");
    VECTOR(&c, DTYPE_FLOAT32, 0);
    VECTOR(&c, DTYPE_FLOAT32, 1);
    check(&c, 0, 0x1p-20, OTHERS);
    c = call_of("binary_cross_entropy");
    VECTOR(&c, DTYPE_FLOAT32, 1);
    VECTOR(&c, DTYPE_FLOAT32, 1);
    check(&c, 0, 0x1p-20, OTHERS);
    c = call_of("cross_entropy");
    MATRIX(&c, DTYPE_FLOAT32, 1, 1, 0.25);
    VECTOR(&c, DTYPE_INT64, 0);
    check(&c, 0, 0x1p-19, LIBM);
}

Test(legal_logarithms, logarithms_of_determinants_of_1)
{
    for (int sign = 0; sign < 2; sign++) {
        struct call c = call_of(sign ? "slogdet" : "logdet");
        MATRIX(&c, DTYPE_FLOAT32, 2, 2, 1, 0, 0, 1);
        c.profile.primitives = PRIMITIVES_VULKAN;
        cr_expect(takes(&c, sign, 0, 0x1p-22) && takes(&c, sign, 0, 0), "%s", c.op);
        cr_expect_not(takes(&c, sign, 0, 0x1p-15) || takes(&c, sign, 0, NAN), "%s", c.op);
        end(&c);
    }
}

/* No table states an absolute error for these functions (Vulkan's for sin and cos is not used:
 * reference/operator/primitives.c): the zeros are exact. */
Test(legal_logarithms, zeros_of_other_functions_are_exact)
{
    static const struct {
        const char *op;
        double x;
    } zeros[] = {{"log1p", 0}, {"expm1", 0}, {"sin", 0},  {"tan", 0},   {"asin", 0},
                 {"acos", 1},  {"atan", 0},  {"sinh", 0}, {"asinh", 0}, {"acosh", 1},
                 {"atanh", 0}, {"tanh", 0},  {"erf", 0},  {"sqrt", 0},  {"lgamma", 1}};
    for (size_t k = 0; k < sizeof zeros / sizeof *zeros; k++) {
        for (int vulkan = 0; vulkan < 2; vulkan++) {
            struct call c = call_of(zeros[k].op);
            VECTOR(&c, DTYPE_FLOAT32, zeros[k].x);
            c.profile.primitives = vulkan ? PRIMITIVES_VULKAN : PRIMITIVES_LIBM;
            cr_expect(takes(&c, 0, 0, 0), "%s", c.op);
            cr_expect_not(takes(&c, 0, 0, 0x1p-22) || takes(&c, 0, 0, -0x1p-22), "%s", c.op);
            end(&c);
        }
    }
}

/* ulp about 1: the error that each table allows the value, also at the argument 0. */
Test(legal_logarithms, ones_of_functions_err_by_their_ulp)
{
    static const struct {
        const char *op;
        double x, ulps; /* of Vulkan's table */
    } ones[] = {{"exp", 0, 3}, {"exp2", 0, 3}, {"cos", 0, 4}, {"erfc", 0, 16}, {"rsqrt", 1, 2}};
    for (size_t k = 0; k < sizeof ones / sizeof *ones; k++) {
        struct call c = call_of(ones[k].op);
        VECTOR(&c, DTYPE_FLOAT32, ones[k].x);
        c.profile.primitives = PRIMITIVES_VULKAN;
        cr_expect(takes(&c, 0, 0, 1 + ones[k].ulps * 0x1p-23) && takes(&c, 0, 0, 1 - ones[k].ulps * 0x1p-23),
                  "%s", c.op);
        cr_expect_not(takes(&c, 0, 0, 1 + 0x1p-18) || takes(&c, 0, 0, 0), "%s", c.op);
        end(&c);
    }
    static const double power[][2] = {{3, 0}, {1, 3}, {0, 0}, {1, INFINITY}, {INFINITY, 0}};
    for (size_t k = 0; k < sizeof power / sizeof *power; k++) {
        struct call c = call_of("pow");
        VECTOR(&c, DTYPE_FLOAT32, power[k][0]);
        VECTOR(&c, DTYPE_FLOAT32, power[k][1]);
        c.profile.primitives = PRIMITIVES_VULKAN;
        cr_expect(takes(&c, 0, 0, 1) && takes(&c, 0, 0, 1 + 16 * 0x1p-23), "pow, row %zu", k);
        cr_expect_not(takes(&c, 0, 0, 1 + 0x1p-17) || takes(&c, 0, 0, NAN), "pow, row %zu", k);
        end(&c);
    }
}
