/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Random formulas, computed in float32 arithmetic node by node: no result is beyond its bound. */

#include "reference/formula/expression_nodes.h"
#include "reference/formula/test/expression.h"

enum { ROW = 3, NODES_MOST = 200, TEXT = 400 };

static const struct expression_input inputs[] = {{"x", EXPRESSION_ELEMENT},
                                                 {"y", EXPRESSION_ELEMENT},
                                                 {"a", EXPRESSION_ATTRIBUTE},
                                                 {NULL, EXPRESSION_ROW}};

/* A random term of at most this many levels. */
static void write_term(struct philox *g, int levels, char *text)
{
    static const char *const leaves[] = {"x", "y", "a", "0.3", "2", "x", "y", "1"};
    static const char *const of_one[] = {"exp(%s)",   "log(%s)",     "sqrt(%s)",  "tanh(%s)", "erf(%s)",
                                         "sin(%s)",   "-(%s)",       "abs(%s)",   "mean(%s)", "row_max(%s)",
                                         "sum(%s)",   "cos(%s)",     "rsqrt(%s)", "exp2(%s)", "erfc(%s)",
                                         "log1p(%s)", "sigmoid(%s)", "expm1(%s)", "atan(%s)"};
    static const char *const of_two[] = {"(%s + %s)",
                                         "(%s - %s)",
                                         "(%s * %s)",
                                         "(%s / %s)",
                                         "min(%s, %s)",
                                         "max(%s, %s)",
                                         "(%s < %s ? x : y * x)",
                                         "(signbit(%s * %s) != 0 ? x : y)",
                                         "pow(%s, %s)"};
    char first[TEXT], second[TEXT];
    uint32_t kind = philox_below(g, 5);
    if (levels == 0 || kind == 0) {
        strcpy(text, leaves[philox_below(g, 8)]);
        return;
    }
    write_term(g, levels - 1, first);
    if (kind < 3) {
        snprintf(text, TEXT, of_one[philox_below(g, sizeof of_one / sizeof *of_one)], first);
        return;
    }
    write_term(g, levels - 1, second);
    snprintf(text, TEXT, of_two[philox_below(g, sizeof of_two / sizeof *of_two)], first, second);
}

/* One operation of float32: the C library's double functions, rounded. */
static float operate(enum node_kind kind, float a, float b, float c)
{
    static double (*const functions[NODE_KINDS])(double) = {
        [NODE_EXP] = exp,  [NODE_EXP2] = exp2, [NODE_EXPM1] = expm1, [NODE_LOG] = log, [NODE_LOG1P] = log1p,
        [NODE_SIN] = sin,  [NODE_COS] = cos,   [NODE_TANH] = tanh,   [NODE_ERF] = erf, [NODE_ERFC] = erfc,
        [NODE_ABS] = fabs, [NODE_SQRT] = sqrt, [NODE_ATAN] = atan};
    switch (kind) {
    case NODE_NEGATE:
        return -a;
    case NODE_MIN:
        return isnan(a) || isnan(b) ? NAN : fminf(a, b);
    case NODE_MAX:
        return isnan(a) || isnan(b) ? NAN : fmaxf(a, b);
    case NODE_LESS:
        return a < b;
    case NODE_NOT_EQUAL:
        return a != b;
    case NODE_SIGNBIT:
        return signbit(a) != 0;
    case NODE_SELECT:
        return a != 0 ? b : c;
    case NODE_ADD:
        return a + b;
    case NODE_SUBTRACT:
        return a - b;
    case NODE_MULTIPLY:
        return a * b;
    case NODE_DIVIDE:
        return a / b;
    case NODE_POW:
        return (float)pow((double)a, (double)b);
    case NODE_RSQRT:
        return (float)(1 / sqrt((double)a));
    default:
        cr_assert_not_null(functions[kind]);
        return (float)functions[kind]((double)a);
    }
}

static float reduce(enum node_kind kind, const float *x)
{
    float sum = x[0];
    for (int k = 1; k < ROW; k++) {
        sum = kind == NODE_ROW_MAX ? operate(NODE_MAX, sum, x[k], 0) : sum + x[k];
    }
    return kind == NODE_MEAN ? sum * (1.0F / ROW) : sum;
}

static void run(const struct expression *e, const double *const *input, float value[][ROW])
{
    for (int i = 0; i < e->nodes; i++) {
        const struct node *node = &e->node[i];
        for (int j = 0; j < ROW; j++) {
            const int *arg = node->arg;
            value[i][j] = node->kind == NODE_CONSTANT ? (float)node->low
                          : node->kind == NODE_INPUT  ? (float)input[node->input][node->of_row ? 0 : j]
                          : node_reduces(node->kind)
                              ? reduce(node->kind, value[arg[0]])
                              : operate(node->kind, value[arg[0]][j], arg[1] < 0 ? 0 : value[arg[1]][j],
                                        arg[2] < 0 ? 0 : value[arg[2]][j]);
        }
    }
}

/* Counts of results that are bounded, and of those that come near their bound. */
static void hold(struct philox *g, const char *formula, long *bounded, long *near)
{
    static float got[NODES_MOST][ROW];
    double x[ROW], y[ROW], a = 0.7, value[ROW], radius[ROW], bound[ROW];
    struct expression *e = parsed(formula, inputs);
    struct expression_workspace *w = expression_workspace_create(e);
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT32, ROW, -1, false);
    for (int j = 0; j < ROW; j++) {
        x[j] = elementary_input(g, SIZED_FLOAT) / 64;
        y[j] = elementary_input(g, SIZED_FLOAT) / 64;
    }
    const double *input[] = {x, y, &a};
    struct expression_row row = {.n = ROW, .input = input};
    cr_assert_leq(e->nodes, NODES_MOST);
    run(e, input, got);
    expression_values(w, &row, value, radius);
    expression_limits(w, &row, &allow, bound);
    for (int j = 0; j < (expression_is_row(e) ? 1 : ROW); j++) {
        double size = fabs(value[j]), result = (double)got[e->root][j];
        double most = bound[j] + 0x1p-24 * size + (size < 0x1p-125 ? 0x1p-149 : 0) + radius[j];
        if (!isfinite(value[j]) || !(size + most < 0x1.fffffep127)) {
            continue; /* special, or beyond the range, or no bound */
        }
        cr_assert(fabs(result - value[j]) <= most, "%s at %a, %a: %a, truth %a, bound %a", formula, x[j],
                  y[j], result, value[j], bound[j]);
        ++*bounded;
        *near += fabs(result - value[j]) > 0.2 * most && most > 0;
    }
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}

static void hold_many(int count, uint64_t seed)
{
    struct philox g;
    long bounded = 0, near = 0;
    philox_start(&g, seed);
    for (int k = 0; k < count; k++) {
        char text[TEXT];
        write_term(&g, 4, text);
        hold(&g, text, &bounded, &near);
    }
    cr_expect_gt(bounded, count, "only %ld results are bounded", bounded);
    cr_expect_gt(near, bounded / 10, "only %ld of %ld come near their bound", near, bounded);
}

Test(expression_random, float32_is_within)
{
    hold_many(3000, 1);
}

Test(expression_random, float32_is_within_takes_seconds)
{
    hold_many(300000, 2);
}
