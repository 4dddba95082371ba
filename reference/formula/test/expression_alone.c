/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The fast path for bounds of a single function with known tier 1 gives the same bits as the path by nodes
 * and weights. */

#include "reference/base/philox.h"
#include "reference/formula/expression_bound.h"
#include "reference/formula/test/expression.h"

#include <math.h>

enum { EDGES = 3, COUNT = (2 + EDGES) * EXPRESSION_BLOCK + 40 };

static const struct {
    const char *formula;
    double least, most; /* exponent range of operands whose results are far from 0 in every type */
} functions[] = {{"exp(x)", -8, 8},     {"exp2(x)", -12, 12},  {"expm1(x)", 0.25, 8}, {"log(x)", 0.1, 200},
                 {"log2(x)", 0.1, 200}, {"log10(x)", 2.5, 90}, {"log1p(x)", 0.1, 90}, {"sin(x)", 0.5, 2.5},
                 {"cos(x)", -1, 1},     {"tan(x)", 0.25, 1.5}, {"tanh(x)", 0.1, 5},   {"erf(x)", 0.1, 3},
                 {"erfc(x)", -3, 2},    {"atan(x)", 0.5, 90},  {"sqrt(x)", 0.5, 90},  {"rsqrt(x)", 0.5, 90},
                 {"lgamma(x)", 3, 9},   {"digamma(x)", 3, 9}};

static const struct expression_input x_alone[] = {{"x", EXPRESSION_ELEMENT}, {.name = NULL}};

static struct profile profile_number(int k)
{
    struct profile profile = profile_ieee();
    profile.primitives = k == 0 ? PRIMITIVES_VULKAN : k == 1 ? PRIMITIVES_OPENCL : profile.primitives;
    for (int d = 0; k == 0 && d < DTYPE_COUNT; d++) {
        profile.rounding[d] = ROUNDING_OPEN;
        profile.subnormals[d] = SUBNORMALS_MAY_FLUSH;
    }
    return profile;
}

/* The last two have errors that the fast path does not handle. */
enum { FUNCTIONS = sizeof functions / sizeof *functions, PLAIN = FUNCTIONS - 2 };

/* The first block is ordinary. Every 16th operand of the second is near 0, far off, a zero or no number; of
 * the blocks after it, at the end of a zone, where results are small, or beyond a narrower type. */
static double operand(size_t function, int i, double unit)
{
    static const double odd[] = {0x1p-20, 0x1p-140, 3e4, -1e30, 0, -0.0, INFINITY, NAN, 0.5, 2, -0x1p-1060};
    static const double edge[EDGES][2] = {{0.5, 2}, {-100, 88}, {160, 300}};
    const int block = i / EXPRESSION_BLOCK;
    if (block > 0 && block < 2 + EDGES && i % 16 == 0) {
        return block == 1 ? odd[i / 16 % (int)(sizeof odd / sizeof *odd)] : edge[block - 2][i / 16 % 2];
    }
    return functions[function].least + unit * (functions[function].most - functions[function].least);
}

static void draw(size_t function, enum dtype dtype, double *x)
{
    unsigned char bytes[8];
    struct philox generator;
    philox_start(&generator, 3 + function);
    for (int i = 0; i < COUNT; i++) {
        dtype_store(dtype, bytes, operand(function, i, philox_unit(&generator)));
        x[i] = dtype_load(dtype, bytes);
    }
}

static int compare(struct expression_workspace *w, size_t function, enum dtype dtype, int first, int last)
{
    static double x[COUNT], value[COUNT], radius[COUNT], room[4][COUNT];
    const double *at[] = {x};
    struct expression_row row = {.n = COUNT, .input = at};
    struct expression_kinds kinds = {.kinds = 0};
    double *const by_nodes[] = {room[0], room[1]}, *const plainly[] = {room[2], room[3]};
    for (int k = first; k <= last; k++) {
        const struct profile profile = profile_number(k);
        kinds.of[kinds.kinds++] = primitive_errors_of(&profile, dtype, 1, 0, false);
    }
    draw(function, dtype, x);
    expression_values(w, &row, value, radius);
    expression_limits_each(w, &row, &kinds, by_nodes);
    row.value = value;
    row.radius = radius;
    expression_limits_each(w, &row, &kinds, plainly);
    for (int k = 0; k < kinds.kinds; k++) {
        for (int i = 0; i < COUNT; i++) {
            cr_expect(memcmp(&by_nodes[k][i], &plainly[k][i], sizeof(double)) == 0,
                      "%s at %.17g, %s, profile %d of %d to %d: %.17g and %.17g", functions[function].formula,
                      x[i], dtype_info(dtype)->name, first + k, first, last, by_nodes[k][i], plainly[k][i]);
            cr_expect(by_nodes[k][i] > 0 || i >= EXPRESSION_BLOCK, "nothing is allowed at %g", x[i]);
        }
    }
    return bound_alone_plainly(w, &row, &kinds, 0, EXPRESSION_BLOCK, plainly);
}

Test(expression_single_operation, limits_are_those_of_nodes)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (size_t f = 0; f < FUNCTIONS; f++) {
        struct expression *e = parsed(functions[f].formula, x_alone);
        struct expression_workspace *w = expression_workspace_create(e);
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
            for (int first = 0; first < 3; first++) {
                for (int last = first; last < 3 && last < first + 2; last++) {
                    int taken = compare(w, f, dtypes[d], first, last);
                    cr_expect(taken == (f < PLAIN), "%s of %s, profiles %d to %d: %d", functions[f].formula,
                              dtype_info(dtypes[d])->name, first, last, taken);
                }
            }
        }
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
}
