/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/rowwise/rowwise_workspace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 16 }; /* two or three forms, each as it is, as a probe of exactness, and for quality */

struct parsed {
    const struct op *op;
    struct expression *expression[ROWWISE_FORMS];
    struct expression_workspace *workspace[ROWWISE_FORMS];
    struct parsed *next;
};

struct own { /* the cache of one thread */
    struct parsed *parsed;
    struct rowwise_kept kept[KEPT];
    int oldest;
    struct rowwise_certified certified;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void release(void *user)
{
    struct own *own = user;
    for (struct parsed *p = own->parsed, *next; p; p = next) {
        next = p->next;
        for (int f = 0; f < ROWWISE_FORMS; f++) {
            expression_workspace_destroy(&p->workspace[f]);
            expression_destroy(&p->expression[f]);
        }
        free(p);
    }
    for (int k = 0; k < KEPT; k++) {
        free(own->kept[k].bound);
    }
    free(own->certified.value);
    free(own);
}

static void make_key(void)
{
    pthread_key_create(&key, release);
}

static struct own *own_of_thread(void)
{
    pthread_once(&once, make_key);
    struct own *own = pthread_getspecific(key);
    if (!own) {
        own = calloc(1, sizeof *own);
        if (own && pthread_setspecific(key, own) != 0) {
            free(own);
            own = NULL;
        }
    }
    return own;
}

/* --- formulas */

static bool enters(const struct op_attribute *attribute)
{
    return strcmp(attribute->name, "dim") != 0 && strcmp(attribute->name, "keepdim") != 0 &&
           attribute->type != ATTRIBUTE_CHOICE;
}

static const char *name_in_formulas(const char *operand)
{
    static const char *const name[][2] = {
        {"grad_output", "grad"},      {"output", "y"},    {"target", "y"}, {"weight", "z"},
        {"pos_weight", "pos_weight"}, {"count", "count"}, {"rest", "rest"}};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        if (strcmp(operand, name[k][0]) == 0) {
            return name[k][1];
        }
    }
    return "x";
}

static struct expression *parse(const struct op *op, const char *formula)
{
    struct expression_input inputs[ROWWISE_INPUTS + 1];
    struct error error;
    int count = 0, operands = op_inputs_max(op);
    for (int k = 0; k < operands; k++) {
        const char *name = name_in_formulas(op_operand_name(op, operands, k));
        inputs[count++] = (struct expression_input){name, EXPRESSION_ELEMENT};
    }
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        if (enters(&op->attributes[a])) {
            inputs[count++] = (struct expression_input){op->attributes[a].name, EXPRESSION_ATTRIBUTE};
        }
    }
    inputs[count] = (struct expression_input){.name = NULL};
    return expression_parse(formula, inputs, &error);
}

static struct parsed *parsed_of(struct own *own, const struct op *op)
{
    struct parsed *p = own ? own->parsed : NULL;
    while (p && p->op != op) {
        p = p->next;
    }
    if (own && !p && (p = calloc(1, sizeof *p)) != NULL) {
        *p = (struct parsed){.op = op, .next = own->parsed};
        own->parsed = p;
    }
    return p;
}

struct expression_workspace *rowwise_workspace(const struct op *op, enum rowwise_form form)
{
    const struct rowwise *row = op->rowwise;
    const char *const formula[ROWWISE_FORMS] = {row->formula, row->form, row->naive,
                                                row->truth ? row->truth : row->formula};
    struct parsed *p = parsed_of(own_of_thread(), op);
    if (p && !p->workspace[form] && formula[form]) {
        expression_destroy(&p->expression[form]);
        p->expression[form] = parse(op, formula[form]);
        p->workspace[form] = p->expression[form] ? expression_workspace_create(p->expression[form]) : NULL;
    }
    return p ? p->workspace[form] : NULL;
}

void rowwise_take(const struct op *op, const struct attributes *given, enum dtype dtype,
                  const double *operands, int64_t terms, struct rowwise_arguments *a)
{
    struct attributes all = *given;
    int used = 0;
    op_default_attributes(op, dtype, &all);
    for (int k = 0; k < op_inputs_max(op); k++) {
        a->input[used++] = operands + k * terms;
    }
    for (int t = 0; t < ATTRIBUTES_MAX && op->attributes[t].name; t++) {
        if (enters(&op->attributes[t])) {
            a->attribute[t] = attributes_real(&all, op->attributes[t].name, 0);
            a->input[used++] = &a->attribute[t];
        }
    }
    a->row = (struct expression_row){.n = terms, .input = a->input};
}

/* --- cached bounds of maps */

static bool same_primitive_errors(const struct primitive_errors *a, const struct primitive_errors *b)
{
    bool same = a->type == b->type && a->eta == b->eta && a->rounded == b->rounded &&
                a->divisor_least == b->divisor_least && a->divisor_most == b->divisor_most;
    for (int c = 0; c < EXPRESSION_CLASSES; c++) {
        same = same && a->of[c] == b->of[c];
    }
    return same;
}

struct rowwise_kept *rowwise_keep(const struct rowwise_kept *wanted, bool *known)
{
    struct own *own = own_of_thread();
    *known = true;
    for (int k = 0; own && k < KEPT; k++) {
        struct rowwise_kept *kept = &own->kept[k];
        if (kept->bound && kept->op == wanted->op && kept->form == wanted->form &&
            kept->digest == wanted->digest && kept->elements == wanted->elements &&
            kept->deviates == wanted->deviates &&
            same_primitive_errors(&kept->primitive_errors, &wanted->primitive_errors)) {
            return kept;
        }
    }
    *known = false;
    struct rowwise_kept *kept = own ? &own->kept[own->oldest] : NULL;
    if (kept) {
        own->oldest = (own->oldest + 1) % KEPT;
        free(kept->bound);
        *kept = *wanted;
        kept->bound = malloc(((size_t)wanted->elements + 1) * sizeof *kept->bound);
    }
    return kept && kept->bound ? kept : NULL;
}

void rowwise_forget(struct rowwise_kept *kept)
{
    free(kept->bound);
    kept->bound = NULL;
}

struct rowwise_certified *rowwise_certified_row(void)
{
    struct own *own = own_of_thread();
    return own ? &own->certified : NULL;
}
