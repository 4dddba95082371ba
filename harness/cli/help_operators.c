/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What docs/reference/operators says: each operator's operands, attributes and dtypes from its declaration,
 * and how many cases name it. */

#include "harness/cli/help_pages.h"
#include "reference/operator/op.h"
#include "suites/suite.h"

#include <stdio.h>
#include <string.h>

enum { FLOATS = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 };

static bool seen_before(int index)
{
    for (int o = 0; o < index; o++) {
        if (strcmp(op_at(o)->family, op_at(index)->family) == 0) {
            return true;
        }
    }
    return false;
}

const char *help_operator_family(int index)
{
    for (int o = 0; o < op_count(); o++) {
        if (!seen_before(o) && index-- == 0) {
            return op_at(o)->family;
        }
    }
    return NULL;
}

/* Cases of a level and of those below it. */
struct counts {
    int of[LEVEL_COUNT];
};

static void count(struct counts *counts, const struct suite_case *c)
{
    for (int level = (int)c->level; level < LEVEL_COUNT; level++) {
        counts->of[level]++;
    }
}

static void print_counts(const struct counts *counts)
{
    printf("%d / %d / %d", counts->of[LEVEL_SMOKE], counts->of[LEVEL_STANDARD], counts->of[LEVEL_EXHAUSTIVE]);
}

/* Of an operator, or of a family where op is NULL. Procedures have a family of their own. */
static struct counts cases_of(const struct suite_list *list, const struct op *op, const char *family)
{
    struct counts counts = {.of = {0}};
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        const char *its = c->family ? c->family : c->op->family;
        if (op ? c->op == op && !c->family : strcmp(its, family) == 0) {
            count(&counts, c);
        }
    }
    return counts;
}

static void print_dtypes(unsigned dtypes)
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

/* Of a variadic operator the call that repeats its operands once. */
static void print_operands(const struct op *op)
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
        printf(" = %.17g", row->value);
    }
}

static void print_attributes(const struct op *op)
{
    if (!op->attributes[0].name) {
        fputs("–", stdout);
    }
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        const struct op_attribute *attribute = &op->attributes[a];
        char words[200] = "";
        if (attribute->type == ATTRIBUTE_CHOICE || attribute->type == ATTRIBUTE_CODE) {
            op_print_choices(op, attribute->name, words, sizeof words);
        }
        printf("%s%s: %s%s%s", a ? "; " : "", attribute->name, type_of(attribute->type),
               words[0] && type_of(attribute->type)[0] ? " of " : "", words);
        print_default(op, attribute);
    }
}

bool help_operators_of(const char *family)
{
    struct suite_list *list = suite_list_create();
    printf("# Operators of the family %s\n\n"
           "This page is generated from the operators' declarations by `make docs`; "
           "[the notation](../operators.md#notation) is\nexplained with the list of families.\n\n"
           "| operator | operands → results | attributes | dtypes | cases |\n|---|---|---|---|---|\n",
           family);
    for (int o = 0; list && o < op_count(); o++) {
        const struct op *op = op_at(o);
        if (strcmp(op->family, family) == 0) {
            const struct counts counts = cases_of(list, op, NULL);
            printf("| `%s` | ", op->name);
            print_operands(op);
            fputs(" | ", stdout);
            print_attributes(op);
            fputs(" | ", stdout);
            print_dtypes(op->dtypes);
            fputs(" | ", stdout);
            print_counts(&counts);
            puts(" |");
        }
    }
    bool good = list != NULL;
    suite_list_destroy(&list);
    return good;
}

static int operators_of(const char *family)
{
    int operators = 0;
    for (int o = 0; o < op_count(); o++) {
        operators += strcmp(op_at(o)->family, family) == 0;
    }
    return operators;
}

static void print_family(const struct suite_list *list, const char *family, const char *page)
{
    const struct counts counts = cases_of(list, NULL, family);
    printf(page ? "| [%s](operators/%s.md) | %d | " : "| %s | ", family, page, operators_of(family));
    if (!page) {
        fputs("measures operators of other families | ", stdout);
    }
    print_counts(&counts);
    puts(" |");
}

bool help_has_operators(const char *family)
{
    return operators_of(family) > 0;
}

bool help_operator_families(void)
{
    struct suite_list *list = suite_list_create();
    puts("# Operators\n\n"
         "This page and those of the families are generated from the operators' declarations by `make docs`. "
         "Names, operands and\nattributes are PyTorch's unless "
         "[the page of the family](../explanation/families/) defines them.\n\n"
         "| family | operators | cases: smoke / standard / exhaustive |\n|---|---|---|");
    const char *family, *last = "";
    for (int f = 0; list && (family = help_operator_family(f)); f++) {
        print_family(list, family, family);
    }
    for (int i = 0; list && i < suite_list_count(list); i++) {
        family = suite_list_at(list, i)->family;
        if (family && !help_has_operators(family) && strcmp(family, last) != 0) {
            print_family(list, family, NULL);
            last = family;
        }
    }
    puts("\nA level contains the cases of the levels before it; the numbers count them together.\n\n"
         "## Notation\n\n"
         "- `x?`: the operand may be left out. `x!`: the operator overwrites it, and it is judged. `x#`: its "
         "numbers are\n"
         "  indices. `x…`: a call repeats it as often as it likes. `(bool)`: a condition, whatever the dtype "
         "of the others.\n"
         "- Behind the arrow stand the results by name, or their number where they have no names; `!` alone "
         "means that\n"
         "  the operator has no result but the operands that it overwrites.\n"
         "- An attribute has a type and, behind `=`, the value that stands for it where a call leaves it "
         "out. Without a\n"
         "  default it is required, or leaving it out has a meaning of its own (`dim`: all dimensions). "
         "`number` is an\n"
         "  integer beside integer operands and a real beside others, `integers` is a list, `code` is the "
         "number that ONNX\n"
         "  gives a dtype, and words separated by commas are the choices. `finfo.eps` is that of the leading "
         "operand's\n"
         "  dtype.\n"
         "- dtypes are those of the leading operand, the first that is neither indices nor a condition. "
         "`floats` stands for\n"
         "  float16, bfloat16, float32, float64.\n"
         "- Cases are counted for the operator that names them, as smoke / standard / exhaustive; a chain of "
         "calls may use\n"
         "  other operators as well.");
    bool good = list != NULL;
    suite_list_destroy(&list);
    return good;
}
