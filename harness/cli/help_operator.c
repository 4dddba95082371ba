/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/help_operator.h"
#include "harness/backends/backends.h"
#include "harness/cli/operator_text.h"
#include "harness/selection/operator_names.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static void print_operand(const struct op *op, int inputs, int i)
{
    printf("  %-16s %s%s%s%s%s\n", i ? "" : "operands", op_operand_name(op, inputs, i),
           op_is_indices(op, inputs, i) ? ", indices" : "",
           op_is_condition(op, inputs, i) ? ", a condition (bool)" : "",
           op_may_lack(op, inputs, i) ? ", may be left out (none)" : "",
           op_mutates(op, inputs, i) ? ", overwritten and judged" : "");
}

/* A command with all operands and attributes that have to be given. */
static void print_example(const struct op *op)
{
    const int inputs = op_is_variadic(op) ? op_inputs_min(op) : op_inputs_max(op);
    printf("  %-16s assay repro --op %s", "example", op->name);
    for (int i = 0; i < inputs; i++) {
        if (!op_may_lack(op, inputs, i)) {
            printf(" --input %s.npy", op_operand_name(op, inputs, i));
        }
    }
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        if (!op_default_named(op, op->attributes[a].name)) {
            printf(" --attr %s=…", op->attributes[a].name);
        }
    }
    puts(" -b cpu");
}

int help_operator(const char *name)
{
    struct error error = {.text = ""};
    char documented[200];
    const struct op *op = operator_named(name, &error);
    struct suite_list *list = op ? suite_list_create() : NULL;
    if (!list) {
        return options_fault("%s", op ? "out of memory" : error.text);
    }
    operator_documented(op, documented, sizeof documented);
    printf("%s, of the family %s\n  %-16s %s\n", op->name, op->family, "PyTorch", documented);
    const int inputs = op_is_variadic(op) ? op_inputs_min(op) : op_inputs_max(op);
    for (int i = 0; i < inputs; i++) {
        print_operand(op, inputs, i);
    }
    printf("  %-16s ", "call");
    operator_print_operands(op);
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        printf("\n  %-16s ", a ? "" : "attributes");
        operator_print_attribute(op, a);
    }
    printf("\n  %-16s ", "dtypes");
    operator_print_dtypes(op->dtypes);
    const struct operator_cases cases = operator_cases(list, op, NULL);
    printf("\n  %-16s ", "cases");
    operator_print_cases(&cases);
    printf(" (smoke / standard / exhaustive)\n  %-16s", "backends");
    for (int b = 0; backends_at(b); b++) {
        /* assay's own have every operator; a program says in its greeting what it offers */
        if (!backends_at(b)->command) {
            printf(" %s", backends_at(b)->name);
        }
    }
    puts("; others say at their start what they offer");
    print_example(op);
    printf("  %-16s docs/reference/operators/%s.md; assay list '*/%s/*'\n", "more", op->family, op->name);
    suite_list_destroy(&list);
    return EXIT_HOLDS;
}

static bool matches(const struct texts *globs, const struct op *op)
{
    bool any = globs->count == 0;
    for (int g = 0; !any && g < globs->count; g++) {
        any = fnmatch(globs->text[g], op->name, 0) == 0 || strcmp(globs->text[g], op->family) == 0;
    }
    return any;
}

int help_list_operators(const struct texts *globs)
{
    int printed = 0;
    for (int o = 0; o < op_count(); o++) {
        const struct op *op = op_at(o);
        if (matches(globs, op)) {
            printf("%-26s ", op->name);
            operator_print_operands(op);
            if (op->attributes[0].name) {
                fputs("; ", stdout);
                operator_print_attributes(op);
            }
            putchar('\n');
            printed++;
        }
    }
    if (printed) {
        return EXIT_HOLDS;
    }
    struct error error = {.text = ""};
    const struct op *op = globs->count == 1 ? operator_named(globs->text[0], &error) : NULL;
    return op ? options_fault("no operator is called %s; assay has it as %s", globs->text[0], op->name)
           : error.text[0] ? options_fault("%s", error.text)
                           : options_fault("no operator matches; assay list --operators shows all");
}
