/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/operator_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOATS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

static void count(struct operator_cases *counts, const struct suite_case *c)
{
    for (int level = (int)c->level; level < LEVEL_COUNT; level++) {
        counts->of[level]++;
    }
}

void operator_print_cases(const struct operator_cases *counts)
{
    printf("%d / %d / %d", counts->of[LEVEL_SMOKE], counts->of[LEVEL_STANDARD], counts->of[LEVEL_EXHAUSTIVE]);
}

struct operator_cases operator_cases(const struct suite_list *list, const struct op *op, const char *family)
{
    struct operator_cases counts = {.of = {0}};
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        const char *its = c->family ? c->family : c->op->family;
        if (op ? c->op == op && !c->family : strcmp(its, family) == 0) {
            count(&counts, c);
        }
    }
    return counts;
}

void operator_print_dtypes(unsigned dtypes)
{
    const char *separator = "";
    if ((dtypes & FLOATS) == FLOATS) {
        fputs("floats", stdout);
        separator = ", ";
        dtypes &= ~(unsigned)FLOATS;
    }
    char names[200];
    dtypes_print(dtypes, names, sizeof names);
    printf("%s%s", names[0] ? separator : "", names);
}

/* Whether the longest call has more than one operand of this name. */
static bool repeats(const struct op *op, const char *name)
{
    int inputs = op_inputs_max(op), times = 0;
    for (int i = 0; i < inputs; i++) {
        times += strcmp(op_operand_name(op, inputs, i), name) == 0;
    }
    return times > 1;
}

void operator_print_operands(const struct op *op)
{
    int inputs = op_is_variadic(op) ? op_inputs_min(op) : op_inputs_max(op);
    for (int i = 0; i < inputs; i++) {
        const char *name = op_operand_name(op, inputs, i);
        printf("%s%s%s%s%s%s%s", i ? ", " : "", name, repeats(op, name) ? "…" : "",
               op_may_lack(op, inputs, i) ? "?" : "", op_mutates(op, inputs, i) ? "!" : "",
               op_is_indices(op, inputs, i) ? "#" : "", op_is_condition(op, inputs, i) ? " (bool)" : "");
    }
    fputs(" → ", stdout);
    int named = 0;
    for (int o = 0; o < op->outputs; o++) {
        const char *name = op_result_name(op, o);
        named += name != NULL;
        if (name) {
            printf("%s%s", o ? ", " : "", name);
        }
    }
    if (op->outputs == 0) {
        putchar('!');
    } else if (named == 0) {
        printf("%d", op->outputs);
    }
}

static const char *type_of(enum attribute_type type)
{
    static const char *const names[] = {
        [ATTRIBUTE_INTEGER] = "integer",   [ATTRIBUTE_REAL] = "real", [ATTRIBUTE_BOOL] = "bool",
        [ATTRIBUTE_INTEGERS] = "integers", [ATTRIBUTE_CHOICE] = "",   [ATTRIBUTE_NUMBER] = "number",
        [ATTRIBUTE_CODE] = "code",
    };
    return names[type];
}

static void print_default(const struct op *op, const struct op_attribute *attribute)
{
    const struct op_default *row = op_default_named(op, attribute->name);
    if (!row) {
        return;
    }
    const struct op_choice *choice = op_choice_numbered(op, attribute->name, (int64_t)row->value);
    if (row->kind == DEFAULT_EPSILON) {
        fputs(" = finfo.eps", stdout);
    } else if (attribute->type == ATTRIBUTE_CHOICE && choice) {
        printf(" = %s", choice->word);
    } else if (attribute->type == ATTRIBUTE_BOOL) {
        printf(" = %s", row->value != 0 ? "true" : "false");
    } else {
        char number[32];
        int digits = 1;
        do { /* the shortest text of this number */
            snprintf(number, sizeof number, "%.*g", digits++, row->value);
        } while (digits <= 17 && strtod(number, NULL) != row->value);
        printf(" = %s", number);
    }
}

void operator_print_attribute(const struct op *op, int a)
{
    const struct op_attribute *attribute = &op->attributes[a];
    char words[200] = "";
    if (attribute->type == ATTRIBUTE_CHOICE || attribute->type == ATTRIBUTE_CODE) {
        op_print_choices(op, attribute->name, words, sizeof words);
    }
    printf("%s: %s%s%s", attribute->name, type_of(attribute->type),
           words[0] && type_of(attribute->type)[0] ? " of " : "", words);
    print_default(op, attribute);
}

void operator_print_attributes(const struct op *op)
{
    if (!op->attributes[0].name) {
        fputs("–", stdout);
    }
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        fputs(a ? "; " : "", stdout);
        operator_print_attribute(op, a);
    }
}
