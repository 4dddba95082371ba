/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/elementwise/test/form_arithmetic.h"

#include "reference/test/support.h"

enum { NODES_MOST = 200 };

struct evaluation {
    const struct expression *e;
    enum dtype dtype;
    const double *input;
    bool fused, left;
    bool done[NODES_MOST];
    double value[NODES_MOST];
};

double form_round(enum dtype dtype, double x)
{
    unsigned char bytes[8];
    if (dtype == DTYPE_FLOAT64) {
        return x;
    }
    if (dtype == DTYPE_FLOAT32) {
        return (float)x;
    }
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

static long double wide(enum node_kind kind, long double x)
{
    switch (kind) {
    case NODE_RSQRT:
        return 1 / sqrtl(x);
    case NODE_EXP:
        return expl(x);
    case NODE_EXP2:
        return exp2l(x);
    case NODE_EXPM1:
        return expm1l(x);
    case NODE_LOG:
        return logl(x);
    case NODE_LOG2:
        return log2l(x);
    case NODE_LOG10:
        return log10l(x);
    case NODE_LOG1P:
        return log1pl(x);
    case NODE_SIN:
        return sinl(x);
    case NODE_COS:
        return cosl(x);
    case NODE_TAN:
        return tanl(x);
    case NODE_TANH:
        return tanhl(x);
    case NODE_ERF:
        return erfl(x);
    case NODE_ERFC:
        return erfcl(x);
    case NODE_ATAN:
        return atanl(x);
    case NODE_LGAMMA:
        return lgammal(x);
    default:
        cr_assert_fail("no such function here");
        return NAN;
    }
}

static double plain(enum node_kind kind, double x)
{
    switch (kind) {
    case NODE_RSQRT:
        return 1 / sqrt(x);
    case NODE_EXP:
        return exp(x);
    case NODE_EXP2:
        return exp2(x);
    case NODE_EXPM1:
        return expm1(x);
    case NODE_LOG:
        return log(x);
    case NODE_LOG2:
        return log2(x);
    case NODE_LOG10:
        return log10(x);
    case NODE_LOG1P:
        return log1p(x);
    case NODE_TANH:
        return tanh(x);
    case NODE_ERF:
        return erf(x);
    case NODE_ERFC:
        return erfc(x);
    case NODE_ATAN:
        return atan(x);
    default:
        return (double)wide(kind, x);
    }
}

static double constant_of(const struct node *node)
{
    return !node->digits ? node->low : strcmp(node->digits, "pi") == 0 ? M_PI : strtod(node->digits, NULL);
}

static double lesser(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

static double greater(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static double evaluate(struct evaluation *v, int i);

/* The arguments of an operation, and whether it is a fused sum of a product and a number. */
struct taken {
    double a, b, c;
    bool fused;
};

static struct taken take(struct evaluation *v, const struct node *node)
{
    const bool adds = node->kind == NODE_ADD || node->kind == NODE_SUBTRACT;
    const double sign = node->kind == NODE_SUBTRACT ? -1 : 1;
    for (int k = 1; k >= 0 && v->fused && adds; k--) {
        const struct node *product = &v->e->node[node->arg[k]];
        if (product->kind == NODE_MULTIPLY && product->uses == 1) {
            const double other = evaluate(v, node->arg[1 - k]);
            return (struct taken){.a = (k == 1 ? sign : 1) * evaluate(v, product->arg[0]),
                                  .b = evaluate(v, product->arg[1]),
                                  .c = k == 1 ? other : sign * other,
                                  .fused = true};
        }
    }
    return (struct taken){.a = evaluate(v, node->arg[0]),
                          .b = node->arg[1] < 0 ? 0 : evaluate(v, node->arg[1])};
}

/* One operation before its rounding. */
static double operation(const struct evaluation *v, enum node_kind kind, const struct taken *t)
{
    if (t->fused) {
        return fma(t->a, t->b, t->c);
    }
    switch (kind) {
    case NODE_ADD:
        return t->a + t->b;
    case NODE_SUBTRACT:
        return t->a - t->b;
    case NODE_MULTIPLY:
        return t->a * t->b;
    case NODE_DIVIDE:
        return t->a / t->b;
    case NODE_SQRT:
        return sqrt(t->a);
    case NODE_POW:
        return v->dtype == DTYPE_FLOAT64 ? (double)powl(t->a, t->b) : pow(t->a, t->b);
    default:
        return v->dtype == DTYPE_FLOAT64 ? (double)wide(kind, t->a) : plain(kind, t->a);
    }
}

/* Whether a node is exact: its value is *x. */
static bool exact(struct evaluation *v, const struct node *node, double *x)
{
    if (node->kind == NODE_SELECT) { /* the other branch is not computed */
        *x = evaluate(v, evaluate(v, node->arg[0]) != 0 ? node->arg[1] : node->arg[2]);
        return true;
    }
    if (node->kind > NODE_ROW_MAX) {
        return false;
    }
    const double a = node->arg[0] < 0 ? 0 : evaluate(v, node->arg[0]),
                 b = node->arg[1] < 0 ? 0 : evaluate(v, node->arg[1]);
    switch (node->kind) {
    case NODE_CONSTANT:
        *x = form_round(v->dtype, constant_of(node));
        break;
    case NODE_INPUT:
        *x = v->input[node->input];
        break;
    case NODE_NEGATE:
        *x = -a;
        break;
    case NODE_ABS:
        *x = fabs(a);
        break;
    case NODE_MIN:
        *x = lesser(a, b);
        break;
    case NODE_MAX:
        *x = greater(a, b);
        break;
    case NODE_LESS:
        *x = a < b;
        break;
    case NODE_LESS_EQUAL:
        *x = a <= b;
        break;
    case NODE_EQUAL:
        *x = a == b;
        break;
    case NODE_NOT_EQUAL:
        *x = a != b;
        break;
    case NODE_SIGNBIT:
        *x = signbit(a) != 0;
        break;
    default:
        cr_assert_fail("a formula of one element has no such node");
    }
    return true;
}

/* True if all arguments of the operation are finite and it has no pole there. */
static bool takes_numbers(enum node_kind kind, const struct taken *t)
{
    const bool pole = kind == NODE_DIVIDE ? t->b == 0 : kind >= NODE_LOG && kind <= NODE_LOG1P;
    return isfinite(t->a) && isfinite(t->b) && isfinite(t->c) && !pole;
}

static double evaluate(struct evaluation *v, int i)
{
    const struct node *node = &v->e->node[i];
    double x;
    if (v->done[i]) {
        return v->value[i];
    }
    if (!exact(v, node, &x)) {
        const struct taken t = take(v, node);
        x = form_round(v->dtype, operation(v, node->kind, &t));
        v->left = v->left || (isinf(x) && takes_numbers(node->kind, &t));
    }
    v->done[i] = true;
    v->value[i] = x;
    return x;
}

double form_evaluate(const struct expression *expression, enum dtype dtype, const double *input, bool fused,
                     bool *left)
{
    struct evaluation v = {.e = expression, .dtype = dtype, .input = input, .fused = fused};
    cr_assert_leq(expression->nodes, NODES_MOST);
    const double x = evaluate(&v, expression->root);
    *left = v.left;
    return x;
}
