/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Parses the formula of an expression by recursive descent, to a depth of NESTING_MOST. */

#include "reference/formula/expression_nodes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum { NESTING_MOST = 200 }; /* of nested terms, signs and choices */

/* A name that a formula gives to a term; `name` points into the formula. */
struct local {
    const char *name;
    size_t length;
    int node;
};

struct parser {
    const char *text, *at;
    struct expression *e;
    struct local *local;
    int locals, depth;
    struct error *error;
    bool failed;
};

static int term(struct parser *p);

/* Returns −1 and keeps the first error of the formula. */
static int fail(struct parser *p, const char *at, const char *what)
{
    if (!p->failed) {
        p->failed = true;
        error_set(p->error, "formula, column %d, before \"%.20s\": %s", (int)(at - p->text) + 1, at, what);
    }
    return -1;
}

static int built(struct parser *p, int node)
{
    return node < 0 ? fail(p, p->at, "out of memory") : node;
}

static int make(struct parser *p, enum node_kind kind, int a, int b, int c)
{
    return p->failed ? -1 : built(p, node_add(p->e, kind, a, b, c));
}

static void skip_spaces(struct parser *p)
{
    while (isspace((unsigned char)*p->at)) {
        p->at++;
    }
}

static bool take(struct parser *p, const char *symbol)
{
    skip_spaces(p);
    bool there = strncmp(p->at, symbol, strlen(symbol)) == 0;
    p->at += there ? strlen(symbol) : 0;
    return there;
}

static void demand(struct parser *p, const char *symbol, const char *what)
{
    if (!p->failed && !take(p, symbol)) {
        fail(p, p->at, what);
    }
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') {
        length++;
    }
    return isalpha((unsigned char)*at) || *at == '_' ? length : 0;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

static int number(struct parser *p)
{
    char *end;
    const char *from = p->at;
    if (*from == '0' && (from[1] == 'x' || from[1] == 'X')) {
        return fail(p, from, "numbers are decimal");
    }
    (void)strtod(from, &end);
    char *digits = strndup(from, (size_t)(end - from));
    int node = digits ? node_constant(p->e, digits) : -1;
    free(digits);
    p->at = end;
    if (word_length(end) || *end == '.') {
        return fail(p, from, "this is no number");
    }
    return built(p, node);
}

/* 1/(1 + exp(−x)) by exp(−|x|), so that no intermediate leaves the range. */
static int sigmoid(struct parser *p, int x)
{
    int zero = built(p, node_number(p->e, 0)), one = built(p, node_number(p->e, 1));
    int small = make(p, NODE_EXP, make(p, NODE_NEGATE, make(p, NODE_ABS, x, -1, -1), -1, -1), -1, -1);
    int lead = make(p, NODE_SELECT, make(p, NODE_LESS, x, zero, -1), small, one);
    return make(p, NODE_DIVIDE, lead, make(p, NODE_ADD, one, small, -1), -1);
}

static int call(struct parser *p, const char *name, size_t length)
{
    enum node_kind kind = NODE_KINDS;
    int arguments = 1, b = -1;
    bool is_sigmoid = is_word(name, length, "sigmoid");
    for (int k = 0; k < node_names_count; k++) {
        if (is_word(name, length, node_names[k].name)) {
            kind = node_names[k].kind;
            arguments = node_names[k].arguments;
        }
    }
    if (kind == NODE_KINDS && !is_sigmoid) {
        return fail(p, name, "there is no such function");
    }
    int a = term(p);
    if (arguments == 2) {
        demand(p, ",", "this function has two arguments, a comma between them");
        b = p->failed ? -1 : term(p);
    }
    demand(p, ")", arguments == 1 ? "a ) is missing: this function has one argument" : "a ) is missing");
    return p->failed ? -1 : is_sigmoid ? sigmoid(p, a) : make(p, kind, a, b, -1);
}

static int word(struct parser *p)
{
    const char *name = p->at;
    size_t length = word_length(name);
    p->at += length;
    if (take(p, "(")) {
        return call(p, name, length);
    }
    for (int k = 0; k < p->locals; k++) {
        if (p->local[k].length == length && strncmp(name, p->local[k].name, length) == 0) {
            return p->local[k].node;
        }
    }
    for (int k = 0; k < p->e->inputs; k++) {
        if (is_word(name, length, p->e->input[k].name)) {
            return built(p, node_input(p->e, k));
        }
    }
    if (is_word(name, length, "n")) {
        return built(p, node_input(p->e, -1));
    }
    if (is_word(name, length, "inf") || is_word(name, length, "nan")) {
        return built(p, node_number(p->e, *name == 'i' ? INFINITY : NAN));
    }
    if (is_word(name, length, "pi")) {
        return built(p, node_constant(p->e, "pi"));
    }
    return fail(p, name, "there is no operand, attribute or intermediate of this name");
}

static int factor(struct parser *p)
{
    skip_spaces(p);
    const char *from = p->at;
    int node = -1;
    if (++p->depth > NESTING_MOST) {
        return fail(p, from, "terms are nested more than 200 deep");
    }
    if (p->failed) {
        return -1;
    }
    if (take(p, "-")) {
        node = make(p, NODE_NEGATE, factor(p), -1, -1);
    } else if (take(p, "(")) {
        node = term(p);
        demand(p, ")", "a ) is missing");
    } else if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        node = number(p);
    } else if (word_length(p->at)) {
        node = word(p);
    } else {
        return fail(p, from,
                    *from ? "here a number, a name, a function, ( or - is missing" : "a term is missing");
    }
    p->depth--;
    return node;
}

static int product(struct parser *p)
{
    int node = factor(p);
    while (!p->failed) {
        if (take(p, "*")) {
            node = make(p, NODE_MULTIPLY, node, factor(p), -1);
        } else if (take(p, "/")) {
            node = make(p, NODE_DIVIDE, node, factor(p), -1);
        } else {
            break;
        }
    }
    return node;
}

static int sum(struct parser *p)
{
    int node = product(p);
    while (!p->failed) {
        if (take(p, "+")) {
            node = make(p, NODE_ADD, node, product(p), -1);
        } else if (take(p, "-")) {
            node = make(p, NODE_SUBTRACT, node, product(p), -1);
        } else {
            break;
        }
    }
    return node;
}

/* Parses the rest of a choice after its condition. */
static int choice(struct parser *p, int condition)
{
    demand(p, "?", "a comparison stands before ? alone");
    int then = p->failed ? -1 : term(p);
    demand(p, ":", "a : is missing after ?");
    int otherwise = p->failed ? -1 : term(p);
    return p->failed ? -1 : make(p, NODE_SELECT, condition, then, otherwise);
}

static int sum_or_choice(struct parser *p)
{
    static const struct {
        const char *symbol;
        enum node_kind kind;
        bool swapped;
    } comparison[] = {{"<=", NODE_LESS_EQUAL, false}, {">=", NODE_LESS_EQUAL, true},
                      {"==", NODE_EQUAL, false},      {"!=", NODE_NOT_EQUAL, false},
                      {"<", NODE_LESS, false},        {">", NODE_LESS, true}};
    int left = sum(p);
    size_t k = 0;
    while (!p->failed && k < 6 && !take(p, comparison[k].symbol)) {
        k++;
    }
    if (p->failed || k == 6) {
        return p->failed ? -1 : left;
    }
    int right = sum(p);
    int condition = p->failed               ? -1
                    : comparison[k].swapped ? make(p, comparison[k].kind, right, left, -1)
                                            : make(p, comparison[k].kind, left, right, -1);
    return p->failed ? -1 : choice(p, condition);
}

static int term(struct parser *p)
{
    if (++p->depth > NESTING_MOST) {
        return fail(p, p->at, "terms are nested more than 200 deep");
    }
    int node = sum_or_choice(p);
    p->depth--;
    return node;
}

/* Returns the length of the name in `name =` at the start of a statement; 0 if there is none. */
static size_t assigned(struct parser *p)
{
    skip_spaces(p);
    size_t length = word_length(p->at), next = length;
    while (isspace((unsigned char)p->at[next])) {
        next++;
    }
    return length && p->at[next] == '=' && p->at[next + 1] != '=' ? length : 0;
}

static bool is_taken(const struct parser *p, const char *name, size_t length)
{
    bool taken = is_word(name, length, "n") || is_word(name, length, "pi") || is_word(name, length, "inf") ||
                 is_word(name, length, "nan");
    for (int k = 0; k < p->e->inputs; k++) {
        taken = taken || is_word(name, length, p->e->input[k].name);
    }
    for (int k = 0; k < p->locals; k++) {
        taken = taken || (p->local[k].length == length && strncmp(name, p->local[k].name, length) == 0);
    }
    return taken;
}

static int statements(struct parser *p)
{
    size_t length;
    while (!p->failed && (length = assigned(p)) > 0) {
        const char *name = p->at;
        if (is_taken(p, name, length)) {
            return fail(p, name, "this name has a meaning already");
        }
        struct local *more = realloc(p->local, (size_t)(p->locals + 1) * sizeof *more);
        if (!more) {
            return fail(p, name, "out of memory");
        }
        p->local = more;
        p->at += length;
        demand(p, "=", "a = is missing");
        int node = term(p);
        demand(p, ";", "a ; is missing");
        p->local[p->locals++] = (struct local){name, length, node};
    }
    int root = p->failed ? -1 : term(p);
    skip_spaces(p);
    return !p->failed && *p->at ? fail(p, p->at, "this continues no term") : root;
}

struct expression *expression_parse(const char *formula, const struct expression_input *inputs,
                                    struct error *error)
{
    struct parser p = {.text = formula, .at = formula, .e = expression_new(inputs), .error = error};
    if (!p.e) {
        error_set(error, "out of memory");
        return NULL;
    }
    int root = statements(&p);
    bool good = !p.failed && (expression_finish(p.e, root) || error_set(error, "out of memory"));
    free(p.local);
    if (!good) {
        expression_destroy(&p.e);
    }
    return p.e;
}
