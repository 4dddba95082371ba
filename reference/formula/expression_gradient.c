/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Reverse-mode differentiation of the graph. Adjoints that elements pass to a node of the row are summed over
 * the row; the adjoint of a sum goes to each of its terms. Ties are shared as in PyTorch: halves for min and
 * max, evenly for row_max; abs has derivative 0 at 0. */

#include "reference/formula/expression_nodes.h"

#include <stdlib.h>

enum { NONE = -1 };

struct gradient {
    struct expression *g;
    int *adjoint; /* of each node of the formula: the node of its adjoint, or NONE for 0 */
    int *pending; /* of nodes of the row: the adjoints from elements, still to be summed */
    bool failed;  /* out of memory */
};

static int make(struct gradient *w, enum node_kind kind, int a, int b)
{
    int node = w->failed ? NONE : node_add(w->g, kind, a, b, NONE);
    w->failed = w->failed || node < 0;
    return node;
}

static int choose(struct gradient *w, int condition, int a, int b)
{
    int node = w->failed ? NONE : node_add(w->g, NODE_SELECT, condition, a, b);
    w->failed = w->failed || node < 0;
    return node;
}

static int number(struct gradient *w, double x)
{
    int node = w->failed ? NONE : node_number(w->g, x);
    w->failed = w->failed || node < 0;
    return node;
}

static bool is_number(const struct gradient *w, int i, double x)
{
    const struct node *node = &w->g->node[i];
    return node->kind == NODE_CONSTANT && node->low == x && node->high == x;
}

static int times(struct gradient *w, int a, int b)
{
    return w->failed ? NONE : is_number(w, a, 1) ? b : is_number(w, b, 1) ? a : make(w, NODE_MULTIPLY, a, b);
}

/* Adds `part` to the adjoint of node `to`. */
static void hand(struct gradient *w, int from, int to, int part)
{
    if (w->failed) {
        return;
    }
    bool summed = w->g->node[to].of_row && !w->g->node[from].of_row;
    int *sum = summed ? &w->pending[to] : &w->adjoint[to];
    *sum = *sum == NONE ? part : make(w, NODE_ADD, *sum, part);
}

static int square_root_of_pi(struct gradient *w)
{
    int pi = node_constant(w->g, "pi");
    return make(w, NODE_SQRT, pi, NONE);
}

/* Returns adjoint·f′ for a function of x whose result is f. */
static int chain(struct gradient *w, enum node_kind kind, int adjoint, int x, int f)
{
    switch (kind) {
    case NODE_SQRT:
        return make(w, NODE_DIVIDE, adjoint, times(w, number(w, 2), f));
    case NODE_RSQRT:
        return times(w, times(w, adjoint, number(w, -0.5)), times(w, f, times(w, f, f)));
    case NODE_EXP:
        return times(w, adjoint, f);
    case NODE_EXP2:
        return times(w, times(w, adjoint, f), make(w, NODE_LOG, number(w, 2), NONE));
    case NODE_EXPM1:
        return times(w, adjoint, make(w, NODE_EXP, x, NONE));
    case NODE_LOG:
        return make(w, NODE_DIVIDE, adjoint, x);
    case NODE_LOG2:
    case NODE_LOG10:
        return make(w, NODE_DIVIDE, adjoint,
                    times(w, x, make(w, NODE_LOG, number(w, kind == NODE_LOG2 ? 2 : 10), NONE)));
    case NODE_LOG1P:
        return make(w, NODE_DIVIDE, adjoint, make(w, NODE_ADD, number(w, 1), x));
    case NODE_SIN:
        return times(w, adjoint, make(w, NODE_COS, x, NONE));
    case NODE_COS:
        return make(w, NODE_NEGATE, times(w, adjoint, make(w, NODE_SIN, x, NONE)), NONE);
    case NODE_TAN:
        return times(w, adjoint, make(w, NODE_ADD, number(w, 1), times(w, f, f)));
    case NODE_TANH:
        return times(w, adjoint, make(w, NODE_SUBTRACT, number(w, 1), times(w, f, f)));
    case NODE_ATAN:
        return make(w, NODE_DIVIDE, adjoint, make(w, NODE_ADD, number(w, 1), times(w, x, x)));
    case NODE_ERFINV: /* √π/2·exp(f²) */
        return times(w, adjoint,
                     times(w, times(w, number(w, 0.5), square_root_of_pi(w)),
                           make(w, NODE_EXP, times(w, f, f), NONE)));
    case NODE_LGAMMA:
        return times(w, adjoint, make(w, NODE_DIGAMMA, x, NONE));
    default: { /* erf, erfc: ±2/√π·exp(−x²) */
        int falling = make(w, NODE_EXP, make(w, NODE_NEGATE, times(w, x, x), NONE), NONE);
        int slope = make(w, NODE_DIVIDE, number(w, kind == NODE_ERF ? 2 : -2), square_root_of_pi(w));
        return times(w, adjoint, times(w, slope, falling));
    }
    }
}

/* Passes the adjoint of row_max to the greatest elements of x, shared among ties. */
static void hand_to_greatest(struct gradient *w, int i, int x, int adjoint)
{
    int leads = make(w, NODE_EQUAL, x, i), one = number(w, 1), zero = number(w, 0);
    int count = make(w, NODE_SUM, choose(w, leads, one, zero), NONE);
    hand(w, i, x, choose(w, leads, make(w, NODE_DIVIDE, adjoint, count), zero));
}

static void hand_to_choice(struct gradient *w, int i, const int arg[3], int adjoint)
{
    int zero = number(w, 0);
    switch (w->g->node[i].kind) {
    case NODE_SELECT:
        hand(w, i, arg[1], choose(w, arg[0], adjoint, zero));
        hand(w, i, arg[2], choose(w, arg[0], zero, adjoint));
        break;
    case NODE_ABS:
        hand(w, i, arg[0],
             choose(w, make(w, NODE_LESS, arg[0], zero), make(w, NODE_NEGATE, adjoint, NONE),
                    choose(w, make(w, NODE_LESS, zero, arg[0]), adjoint, zero)));
        break;
    default:
        for (int k = 0; k < 2; k++) {
            bool least = w->g->node[i].kind == NODE_MIN;
            int own = arg[least ? 1 - k : k],
                other = arg[least ? k : 1 - k]; /* own leads where it is greater */
            int half = times(w, adjoint, number(w, 0.5));
            hand(w, i, arg[k],
                 choose(w, make(w, NODE_LESS, other, own), adjoint,
                        choose(w, make(w, NODE_LESS, own, other), zero, half)));
        }
    }
}

static void hand_to_arguments(struct gradient *w, int i)
{
    const int arg[3] = {w->g->node[i].arg[0], w->g->node[i].arg[1], w->g->node[i].arg[2]}, to = w->adjoint[i];
    const enum node_kind kind = w->g->node[i].kind;
    switch (kind) {
    case NODE_NEGATE:
        hand(w, i, arg[0], make(w, NODE_NEGATE, to, NONE));
        break;
    case NODE_ADD:
    case NODE_SUBTRACT:
        hand(w, i, arg[0], to);
        hand(w, i, arg[1], kind == NODE_ADD ? to : make(w, NODE_NEGATE, to, NONE));
        break;
    case NODE_MULTIPLY:
        if (arg[0] == arg[1]) {
            hand(w, i, arg[0], times(w, number(w, 2), times(w, to, arg[0])));
            break;
        }
        hand(w, i, arg[0], times(w, to, arg[1]));
        hand(w, i, arg[1], times(w, to, arg[0]));
        break;
    case NODE_DIVIDE:
        hand(w, i, arg[0], make(w, NODE_DIVIDE, to, arg[1]));
        hand(w, i, arg[1], make(w, NODE_NEGATE, make(w, NODE_DIVIDE, times(w, to, i), arg[1]), NONE));
        break;
    case NODE_POW: {
        int less = make(w, NODE_SUBTRACT, arg[1], number(w, 1));
        hand(w, i, arg[0], times(w, times(w, to, arg[1]), make(w, NODE_POW, arg[0], less)));
        hand(w, i, arg[1], times(w, times(w, to, i), make(w, NODE_LOG, arg[0], NONE)));
        break;
    }
    case NODE_SUM:
    case NODE_MEAN: {
        int n = kind == NODE_MEAN ? node_input(w->g, -1) : NONE;
        hand(w, i, arg[0], kind == NODE_MEAN ? make(w, NODE_DIVIDE, to, n) : to);
        break;
    }
    case NODE_ROW_MAX:
        hand_to_greatest(w, i, arg[0], to);
        break;
    case NODE_MIN:
    case NODE_MAX:
    case NODE_SELECT:
    case NODE_ABS:
        hand_to_choice(w, i, arg, to);
        break;
    default:
        if (kind >= NODE_SQRT) {
            hand(w, i, arg[0], chain(w, kind, to, arg[0], i));
        }
    }
}

/* Copies the expression and adds the input `grad`. */
static struct expression *copy(const struct expression *e, const char *grad)
{
    struct expression_input *inputs = calloc((size_t)e->inputs + 2, sizeof *inputs);
    struct expression *g = NULL;
    if (inputs) {
        memcpy(inputs, e->input, (size_t)e->inputs * sizeof *inputs);
        inputs[e->inputs] =
            (struct expression_input){grad, e->node[e->root].of_row ? EXPRESSION_ROW : EXPRESSION_ELEMENT};
        g = expression_new(inputs);
    }
    for (int i = 0; g && i < e->nodes; i++) {
        const struct node *node = &e->node[i];
        int at = node->kind == NODE_CONSTANT
                     ? (node->digits ? node_constant(g, node->digits) : node_number(g, node->low))
                 : node->kind <= NODE_COUNT
                     ? node_input(g, node->kind == NODE_COUNT ? -1 : node->input)
                     : node_add(g, node->kind, node->arg[0], node->arg[1], node->arg[2]);
        if (at < 0) {
            expression_destroy(&g);
        }
    }
    free(inputs);
    return g;
}

/* Removes nodes that the root does not need. Returns false when out of memory. */
static bool prune(struct expression *g, int *root)
{
    int *place = malloc((size_t)g->nodes * sizeof *place), kept = 0;
    bool *wanted = calloc((size_t)g->nodes, sizeof *wanted);
    for (int i = g->nodes - 1; place && wanted && i >= 0; i--) {
        wanted[i] = wanted[i] || i == *root;
        for (int k = 0; wanted[i] && k < 3 && g->node[i].arg[k] >= 0; k++) {
            wanted[g->node[i].arg[k]] = true;
        }
    }
    for (int i = 0; place && wanted && i < g->nodes; i++) {
        if (!wanted[i]) {
            free(g->node[i].digits);
            continue;
        }
        place[i] = kept;
        g->node[kept] = g->node[i];
        for (int k = 0; k < 3 && g->node[kept].arg[k] >= 0; k++) {
            g->node[kept].arg[k] = place[g->node[kept].arg[k]];
        }
        kept++;
    }
    bool good = place && wanted;
    if (good) {
        *root = place[*root];
        g->nodes = kept;
    }
    free(place);
    free(wanted);
    return good;
}

/* Passes adjoints from the result, whose adjoint is grad, down to the leaves; returns the sum of those of the
 * input. */
static int sweep(struct gradient *w, const struct expression *e, int input)
{
    int all = NONE;
    for (int i = 0; i < e->nodes; i++) {
        w->adjoint[i] = w->pending[i] = NONE;
    }
    w->adjoint[e->root] = node_input(w->g, e->inputs);
    w->failed = w->adjoint[e->root] < 0;
    for (int i = e->nodes - 1; i >= 0 && !w->failed; i--) {
        if (w->pending[i] != NONE) {
            int sum = make(w, NODE_SUM, w->pending[i], NONE);
            hand(w, i, i, sum);
        }
        if (w->adjoint[i] != NONE) {
            hand_to_arguments(w, i);
        }
        if (e->node[i].kind == NODE_INPUT && e->node[i].input == input && w->adjoint[i] != NONE) {
            all = all == NONE ? w->adjoint[i] : make(w, NODE_ADD, all, w->adjoint[i]);
        }
    }
    return all == NONE ? number(w, 0) : all;
}

struct expression *expression_gradient(const struct expression *e, const char *input, const char *grad,
                                       struct error *error)
{
    int wanted = NONE;
    for (int k = 0; k < e->inputs; k++) {
        wanted = strcmp(e->input[k].name, input) == 0 ? k : wanted;
        if (strcmp(e->input[k].name, grad) == 0) {
            error_set(error, "%s is an input of the formula already", grad);
            return NULL;
        }
    }
    if (wanted == NONE) {
        error_set(error, "the formula has no input %s", input);
        return NULL;
    }
    for (int i = 0; i < e->nodes; i++) {
        if (e->node[i].kind == NODE_DIGAMMA) {
            error_set(error, "the derivative of digamma is no function of formulas");
            return NULL;
        }
    }
    struct gradient w = {.g = copy(e, grad),
                         .adjoint = malloc((size_t)e->nodes * sizeof(int)),
                         .pending = malloc((size_t)e->nodes * sizeof(int))};
    bool good = w.g && w.adjoint && w.pending;
    int root = good ? sweep(&w, e, wanted) : NONE;
    good = good && !w.failed && prune(w.g, &root) && expression_finish(w.g, root);
    free(w.adjoint);
    free(w.pending);
    if (!good) {
        error_set(error, "out of memory");
        expression_destroy(&w.g);
    }
    return w.g;
}
