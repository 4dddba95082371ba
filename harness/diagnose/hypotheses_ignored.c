/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Hypotheses that the backend did not use something that the call gives: an operand is left out, or taken for
 * zeros or ones; an attribute has its default, a neutral value (0 or 1), or another of its words. */

#include "harness/diagnose/hypotheses_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- operands */

enum neutral { LEFT_OUT, ZEROS, ONES, NEUTRALS };

/* Makes operand i neutral; true if that changes it. */
static bool make_neutral(struct changed *changed, int i, enum neutral how)
{
    struct tensor *input = &changed->input[i];
    enum dtype component = dtype_info(input->dtype)->component;
    size_t size = dtype_info(component)->size;
    bool any = false;
    if (how == LEFT_OUT) {
        any = op_may_lack(changed->call.op, changed->call.inputs, i);
        if (any) {
            tensor_destroy(input);
            memset(input, 0, sizeof *input);
        }
        return any;
    }
    for (size_t at = 0; at < tensor_bytes(input); at += size) {
        if (dtype_load(component, input->data + at) != (how == ONES)) {
            dtype_store(component, input->data + at, how == ONES);
            any = true;
        }
    }
    return any;
}

/* Only operands beside the leading one: without that there is nothing to compute. */
static bool may_be_ignored(const struct op_call *call, int i)
{
    const struct tensor *input = &call->input[i];
    return i != op_leading_input(call->op) && input->data && tensor_bytes(input) > 0 &&
           dtype_info(input->dtype)->components == 1 && !op_is_indices(call->op, call->inputs, i) &&
           !op_mutates(call->op, call->inputs, i);
}

static void try_neutral(struct search *s, int i, enum neutral how)
{
    struct changed changed;
    const struct tensor *input = &s->of->call->input[i];
    bool good = changed_create(&changed, s->of->call);
    if (good && make_neutral(&changed, i, how)) {
        struct fit fit = changed_fit(s, &changed, holding_of(s));
        if (how == LEFT_OUT) {
            search_offer(s, &fit, "operand-ignored",
                         "input %d (%s) is ignored: the result is that of a call without it", i,
                         input_name(s, i));
        } else {
            search_offer(s, &fit, "operand-ignored", "input %d (%s) is ignored: it is taken for %s%d", i,
                         input_name(s, i), shape_elements(&input->shape) > 1 ? "all " : "", how == ONES);
        }
    }
    s->memory = s->memory || !good;
    changed_destroy(&changed);
}

static void try_unused_operands(struct search *s)
{
    for (int i = 0; i < s->of->call->inputs; i++) {
        for (enum neutral how = LEFT_OUT; how < NEUTRALS && may_be_ignored(s->of->call, i); how++) {
            try_neutral(s, i, how);
        }
    }
}

/* --- attributes */

/* Sets a real, whole or boolean attribute; true if that changes it. */
static bool set_number(struct attribute *item, double x)
{
    if (item->type == ATTRIBUTE_REAL) {
        bool other = item->real != x;
        item->real = x;
        return other;
    }
    bool whole = item->type == ATTRIBUTE_INTEGER || item->type == ATTRIBUTE_BOOL;
    if (!whole || x != floor(x) || fabs(x) > 0x1p53 || item->integer == (int64_t)x) {
        return false;
    }
    item->integer = (int64_t)x;
    return true;
}

static void put_number(const struct attribute *item, char *text, size_t size)
{
    if (item->type == ATTRIBUTE_REAL) {
        snprintf(text, size, "%.9g", item->real);
    } else if (item->type == ATTRIBUTE_BOOL) {
        snprintf(text, size, "%s", item->integer ? "true" : "false");
    } else {
        snprintf(text, size, "%lld", (long long)item->integer);
    }
}

static void try_number(struct search *s, int a, double x, const char *why)
{
    struct changed changed;
    char name[NAME_MOST + 16], before[32], after[32];
    bool good = changed_create(&changed, s->of->call);
    struct attribute *item = &changed.attributes.item[a];
    if (good && set_number(item, x)) {
        struct fit fit = changed_fit(s, &changed, holding_of(s));
        snprintf(name, sizeof name, "%s-ignored", item->name);
        put_number(&s->of->call->attributes->item[a], before, sizeof before);
        put_number(item, after, sizeof after);
        search_offer(s, &fit, name, "%s = %s is ignored: it is taken for %s%s", item->name, before, after,
                     why);
    }
    s->memory = s->memory || !good;
    changed_destroy(&changed);
}

static void try_word(struct search *s, int a, const struct op_choice *choice)
{
    struct changed changed;
    char name[NAME_MOST + 16];
    bool good = changed_create(&changed, s->of->call);
    struct attribute *item = &changed.attributes.item[a];
    if (good && item->integer != choice->number) {
        const char *before = item->word;
        item->integer = choice->number;
        item->word = choice->word;
        struct fit fit = changed_fit(s, &changed, holding_of(s));
        snprintf(name, sizeof name, "%s-ignored", item->name);
        search_offer(s, &fit, name, "%s = %s is taken for %s", item->name, before ? before : "?",
                     choice->word);
    }
    s->memory = s->memory || !good;
    changed_destroy(&changed);
}

static double default_of(const struct search *s, const char *attribute)
{
    const struct op_default *given = op_default_named(s->of->call->op, attribute);
    if (!given) {
        return NAN;
    }
    enum dtype leading = s->of->call->input[op_leading_input(s->of->call->op)].dtype;
    return given->kind == DEFAULT_EPSILON ? 2 * dtype_unit_roundoff(dtype_info(leading)->component)
                                          : given->value;
}

/* An attribute that every call needs and that selects the dtype of the result is no subject of this. */
static void try_unused_attributes(struct search *s)
{
    const struct op *op = s->of->call->op;
    const struct attributes *attributes = s->of->call->attributes;
    for (int a = 0; a < attributes->count; a++) {
        const struct attribute *item = &attributes->item[a];
        if (!op_attribute_named(op, item->name)) {
            continue; /* of the profile, not of the call */
        }
        double usual = default_of(s, item->name);
        if (item->type == ATTRIBUTE_CHOICE) {
            for (int c = 0; c < CHOICES_MAX && op->choices[c].attribute; c++) {
                if (strcmp(op->choices[c].attribute, item->name) == 0) {
                    try_word(s, a, &op->choices[c]);
                }
            }
            continue;
        }
        if (isfinite(usual)) {
            try_number(s, a, usual, ", its default");
        }
        for (int neutral = 0; neutral <= 1; neutral++) {
            try_number(s, a, neutral, "");
        }
    }
}

void try_ignored(struct search *s)
{
    try_unused_operands(s);
    try_unused_attributes(s);
}
