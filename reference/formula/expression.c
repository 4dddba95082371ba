/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/formula/expression_nodes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct node_name node_names[] = {
    {"abs", NODE_ABS, 1},       {"sqrt", NODE_SQRT, 1},       {"rsqrt", NODE_RSQRT, 1},
    {"exp", NODE_EXP, 1},       {"exp2", NODE_EXP2, 1},       {"expm1", NODE_EXPM1, 1},
    {"log", NODE_LOG, 1},       {"log2", NODE_LOG2, 1},       {"log10", NODE_LOG10, 1},
    {"log1p", NODE_LOG1P, 1},   {"sin", NODE_SIN, 1},         {"cos", NODE_COS, 1},
    {"tan", NODE_TAN, 1},       {"tanh", NODE_TANH, 1},       {"erf", NODE_ERF, 1},
    {"erfc", NODE_ERFC, 1},     {"atan", NODE_ATAN, 1},       {"min", NODE_MIN, 2},
    {"max", NODE_MAX, 2},       {"pow", NODE_POW, 2},         {"sum", NODE_SUM, 1},
    {"mean", NODE_MEAN, 1},     {"row_max", NODE_ROW_MAX, 1}, {"signbit", NODE_SIGNBIT, 1},
    {"erfinv", NODE_ERFINV, 1}, {"lgamma", NODE_LGAMMA, 1},   {"digamma", NODE_DIGAMMA, 1}};
const int node_names_count = sizeof node_names / sizeof *node_names;

int node_times_pi(const struct expression *e, int i)
{
    const struct node *node = &e->node[i];
    for (int k = 0; node->kind == NODE_MULTIPLY && k < 2; k++) {
        const char *digits = e->node[node->arg[k]].digits;
        if (digits && strcmp(digits, "pi") == 0) {
            return node->arg[1 - k];
        }
    }
    return -1;
}

struct expression *expression_new(const struct expression_input *inputs)
{
    struct expression *e = calloc(1, sizeof *e);
    while (e && inputs[e->inputs].name) {
        e->inputs++;
    }
    if (e) {
        e->input = calloc((size_t)e->inputs + 1, sizeof *e->input);
    }
    for (int i = 0; e && e->input && i < e->inputs; i++) {
        e->input[i] = inputs[i];
        e->input[i].name = strdup(inputs[i].name);
        if (!e->input[i].name) {
            expression_destroy(&e);
        }
    }
    if (e && !e->input) {
        expression_destroy(&e);
    }
    return e;
}

void expression_destroy(struct expression **expression)
{
    struct expression *e = *expression;
    for (int i = 0; e && i < e->nodes; i++) {
        free(e->node[i].digits);
        free(e->node[i].need);
    }
    for (int i = 0; e && e->input && i < e->inputs; i++) {
        free((char *)e->input[i].name);
    }
    if (e) {
        free(e->input);
        free(e->node);
        free(e);
    }
    *expression = NULL;
}

/* --- building */

static int append(struct expression *e, const struct node *node)
{
    if (e->nodes == e->room) {
        int room = e->room ? 2 * e->room : 16;
        struct node *more = realloc(e->node, (size_t)room * sizeof *more);
        if (!more) {
            return -1;
        }
        e->node = more;
        e->room = room;
    }
    e->node[e->nodes] = *node;
    return e->nodes++;
}

int node_add(struct expression *e, enum node_kind kind, int a, int b, int c)
{
    static const int arguments[] = {
        [NODE_MIN] = 2,        [NODE_MAX] = 2,       [NODE_LESS] = 2,   [NODE_EQUAL] = 2,
        [NODE_LESS_EQUAL] = 2, [NODE_NOT_EQUAL] = 2, [NODE_ADD] = 2,    [NODE_SUBTRACT] = 2,
        [NODE_MULTIPLY] = 2,   [NODE_POW] = 2,       [NODE_DIVIDE] = 2, [NODE_SELECT] = 3,
        [NODE_KINDS] = 0};
    struct node node = {.kind = kind, .arg = {a, b, c}, .of_row = true};
    int count = arguments[kind] ? arguments[kind] : 1;
    for (int k = 0; k < count; k++) {
        if (node.arg[k] < 0) {
            return -1;
        }
        node.of_row = node.of_row && (e->node[node.arg[k]].of_row || node_reduces(kind));
    }
    return append(e, &node);
}

void node_constant_enclose(const char *digits, mpfr_prec_t precision, mpfi_ptr out)
{
    mpfi_set_prec(out, precision);
    if (strcmp(digits, "pi") == 0) {
        mpfi_const_pi(out);
        return;
    }
    mpfr_set_str(&out->left, digits, 10, MPFR_RNDD);
    mpfr_set_str(&out->right, digits, 10, MPFR_RNDU);
}

int node_constant(struct expression *e, const char *digits)
{
    mpfi_t x;
    mpfi_init2(x, 53);
    node_constant_enclose(digits, 53, x);
    struct node node = {.kind = NODE_CONSTANT,
                        .arg = {-1, -1, -1},
                        .low = mpfr_get_d(&x->left, MPFR_RNDD),
                        .high = mpfr_get_d(&x->right, MPFR_RNDU),
                        .digits = strdup(digits),
                        .of_row = true};
    mpfi_clear(x);
    int at = node.digits ? append(e, &node) : -1;
    if (at < 0) {
        free(node.digits);
    }
    return at;
}

int node_number(struct expression *e, double x)
{
    struct node node = {.kind = NODE_CONSTANT, .arg = {-1, -1, -1}, .low = x, .high = x, .of_row = true};
    return append(e, &node);
}

int node_input(struct expression *e, int input)
{
    struct node node = {.kind = input < 0 ? NODE_COUNT : NODE_INPUT, .arg = {-1, -1, -1}, .input = input};
    node.of_row = input < 0 || e->input[input].role != EXPRESSION_ELEMENT;
    return append(e, &node);
}

/* --- properties of the whole graph */

bool node_is_pass(const struct expression *e, int node)
{
    return node_reduces(e->node[node].kind) || (node == e->root && !e->node[node].of_row);
}

bool node_takes_operands(const struct expression *e, int node)
{
    const struct node *operation = &e->node[node];
    bool takes = operation->kind >= NODE_ADD && !operation->of_row;
    for (int k = 0; k < 3 && operation->arg[k] >= 0; k++) {
        const struct node *argument = &e->node[operation->arg[k]];
        takes = takes && argument->kind == NODE_INPUT && !argument->of_row;
    }
    return takes;
}

/* Lists the nodes of the elements that a pass needs: those that it reaches without going through the row.
 * Returns false when out of memory. */
static bool find_needs(struct expression *e, int target)
{
    struct node *pass = &e->node[target];
    bool *wanted = calloc((size_t)e->nodes, sizeof *wanted);
    pass->need = malloc((size_t)e->nodes * sizeof *pass->need);
    if (!wanted || !pass->need) {
        free(wanted);
        return false;
    }
    wanted[node_reduces(pass->kind) ? pass->arg[0] : target] = true;
    for (int i = e->nodes - 1; i >= 0; i--) {
        wanted[i] = wanted[i] && !e->node[i].of_row;
        for (int k = 0; wanted[i] && k < 3 && e->node[i].arg[k] >= 0; k++) {
            wanted[e->node[i].arg[k]] = true;
        }
    }
    for (int i = 0; i < e->nodes; i++) {
        if (wanted[i]) {
            pass->need[pass->needs++] = i;
        }
    }
    free(wanted);
    return true;
}

/* True for NaN and for a constant that float16 and bfloat16, and so every wider type, hold exactly. */
static bool is_held_everywhere(const struct node *node)
{
    return node->low == node->high
               ? dtype_holds(DTYPE_FLOAT16, node->low) && dtype_holds(DTYPE_BFLOAT16, node->low)
               : node->low != node->low || node->high != node->high;
}

/* Marks as last the root and, if nothing else uses them, the nodes whose rounding it passes on unchanged. */
static void find_last(struct expression *e)
{
    for (int i = 0; i < e->nodes; i++) {
        for (int k = 0; k < 3 && e->node[i].arg[k] >= 0; k++) {
            e->node[e->node[i].arg[k]].uses++;
        }
        e->node[i].last = i == e->root;
    }
    for (int i = e->nodes - 1; i >= 0; i--) {
        const struct node *node = &e->node[i];
        bool hands_on = node->kind == NODE_NEGATE || node->kind == NODE_ABS || node->kind == NODE_SELECT;
        for (int k = node->kind == NODE_SELECT; node->last && hands_on && k < 3 && node->arg[k] >= 0; k++) {
            struct node *from = &e->node[node->arg[k]];
            from->last = from->uses == 1 && from->of_row == node->of_row;
        }
    }
}

bool expression_finish(struct expression *e, int root)
{
    e->root = root;
    for (int i = 0; i < e->nodes; i++) {
        struct node *node = &e->node[i];
        node->errs = node->kind == NODE_CONSTANT ? !is_held_everywhere(node)
                     : node->kind == NODE_INPUT  ? e->input[node->input].role == EXPRESSION_ATTRIBUTE
                                                 : node->kind >= NODE_ADD;
        for (int k = 0; k < 3 && node->arg[k] >= 0; k++) {
            node->errs = node->errs || e->node[node->arg[k]].errs;
        }
        if (node_is_pass(e, i) && !find_needs(e, i)) {
            return false;
        }
    }
    find_last(e);
    return true;
}

bool expression_is_row(const struct expression *e)
{
    return e->node[e->root].of_row;
}

bool expression_rounds_once(const struct expression *e)
{
    for (int i = 0; i <= e->root; i++) {
        const struct node *node = &e->node[i];
        bool operates = node->kind >= NODE_ADD && node->kind <= NODE_DIVIDE, exact = true;
        for (int k = 0; k < 3 && node->arg[k] >= 0; k++) {
            exact = exact && !e->node[node->arg[k]].errs;
        }
        bool hands_on = node->kind == NODE_NEGATE || node->kind == NODE_ABS || node->kind == NODE_SELECT;
        if (node->errs && !(node->last && (hands_on || (operates && exact)))) {
            return false;
        }
    }
    return true;
}

/* --- printing */

static const char *symbol_of(enum node_kind kind)
{
    static const char *const symbol[NODE_KINDS] = {
        [NODE_ADD] = "+",  [NODE_SUBTRACT] = "-",    [NODE_MULTIPLY] = "*", [NODE_DIVIDE] = "/",
        [NODE_LESS] = "<", [NODE_LESS_EQUAL] = "<=", [NODE_EQUAL] = "==",   [NODE_NOT_EQUAL] = "!="};
    return symbol[kind];
}

/* Prints an operand of a line: the name or number of a leaf, else t and the number of the node. */
static void print_argument(const struct expression *e, int i, char *text, size_t size)
{
    const struct node *node = &e->node[i];
    if (node->kind == NODE_INPUT || node->kind == NODE_COUNT) {
        snprintf(text, size, "%s", node->kind == NODE_COUNT ? "n" : e->input[node->input].name);
    } else if (node->kind == NODE_CONSTANT) {
        if (node->digits) {
            snprintf(text, size, "%s", node->digits);
        } else {
            snprintf(text, size, "%.17g", node->low);
        }
    } else {
        snprintf(text, size, "t%d", i);
    }
}

void expression_print(const struct expression *e, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i <= e->root && used < size; i++) {
        const struct node *node = &e->node[i];
        char arg[3][64] = {"", "", ""}, line[256];
        for (int k = 0; k < 3 && node->arg[k] >= 0; k++) {
            print_argument(e, node->arg[k], arg[k], sizeof arg[k]);
        }
        const char *name = "", *symbol = symbol_of(node->kind);
        for (int k = 0; k < node_names_count; k++) {
            name = node_names[k].kind == node->kind ? node_names[k].name : name;
        }
        if (node->kind <= NODE_COUNT) {
            print_argument(e, i, arg[0], sizeof arg[0]);
            snprintf(line, sizeof line, "%s", arg[0]);
        } else if (node->kind == NODE_SELECT) {
            snprintf(line, sizeof line, "%s ? %s : %s", arg[0], arg[1], arg[2]);
        } else if (node->kind == NODE_NEGATE) {
            snprintf(line, sizeof line, "-%s", arg[0]);
        } else if (symbol) {
            snprintf(line, sizeof line, "%s %s %s", arg[0], symbol, arg[1]);
        } else {
            snprintf(line, sizeof line, "%s(%s%s%s)", name, arg[0], *arg[1] ? ", " : "", arg[1]);
        }
        bool shown = i == e->root || node->kind > NODE_COUNT;
        int more = !shown         ? 0
                   : i == e->root ? snprintf(text + used, size - used, "%s", line)
                                  : snprintf(text + used, size - used, "t%d = %s; ", i, line);
        used += (size_t)more;
    }
}
