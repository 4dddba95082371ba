/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What docs/reference/operators says: each operator's operands, attributes and dtypes from its declaration,
 * and how many cases name it. */

#include "harness/cli/help_pages.h"
#include "harness/cli/operator_text.h"
#include "suites/suite.h"

#include <stdio.h>
#include <string.h>

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
            const struct operator_cases counts = operator_cases(list, op, NULL);
            printf("| `%s` | ", op->name);
            operator_print_operands(op);
            fputs(" | ", stdout);
            operator_print_attributes(op);
            fputs(" | ", stdout);
            operator_print_dtypes(op->dtypes);
            fputs(" | ", stdout);
            operator_print_cases(&counts);
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

/* `measures`: the cases of a family without operators are procedures. */
static void print_family(const struct suite_list *list, const char *family, const char *page, bool measures)
{
    const struct operator_cases counts = operator_cases(list, NULL, family);
    printf(page ? "| [%s](operators/%s.md) | %d | " : "| %s | ", family, page, operators_of(family));
    if (!page) {
        printf("%s operators of other families | ", measures ? "measures" : "chains of");
    }
    operator_print_cases(&counts);
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
        print_family(list, family, family, false);
    }
    for (int i = 0; list && i < suite_list_count(list); i++) {
        family = suite_list_at(list, i)->family;
        if (family && !help_has_operators(family) && strcmp(family, last) != 0) {
            print_family(list, family, NULL, suite_list_at(list, i)->procedure != NULL);
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
