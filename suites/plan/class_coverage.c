/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/classes.h"
#include "suites/plan/plan.h"

#include <stdlib.h>
#include <string.h>

struct found {
    int cases;
    uint32_t parts[DTYPE_COUNT]; /* parts that a case shows */
};

static bool names(const struct suite_case *c, enum call_class class)
{
    const bool function = c->op->row && c->subject; /* with attributes of suites/shared/functions.def */
    return strstr(c->covers, class_item(class)) ||
           (class == CLASS_VALUES && (function || strstr(c->covers, "flags")));
}

static int index_of(const struct op *op)
{
    int k = 0;
    while (k < op_count() && op_at(k) != op) {
        k++;
    }
    return k;
}

/* Collects what cases show for each operator and class. Only cases that name the class in `covers` are
 * built. */
static void visit(struct found *found, const struct suite_list *list)
{
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        struct program *program = NULL;
        for (int class = 0; c->op && c->build && class < CLASSES; class ++) {
            if (!names(c, (enum call_class) class) || class_parts((enum call_class) class, c->op) == 0) {
                continue;
            }
            program = program ? program : suite_build(c, 1, NULL);
            if (program) {
                struct found *at = &found[index_of(c->op) * CLASSES + class];
                const uint32_t parts = class_seen((enum call_class) class, c->op, program);
                at->cases += parts != 0;
                at->parts[c->dtype] |= parts;
            }
        }
        program_destroy(&program);
    }
}

/* Writes the name of a part: "operand 1 (other)", "4 dimensions", "alpha below its default". */
static void write_part(FILE *file, enum call_class class, const struct op *op, int part)
{
    switch (class) {
    case CLASS_MIDDLE:
        fprintf(file, "operand %d (%s)", part, op_operand_name(op, op_inputs_max(op), part));
        break;
    case CLASS_APART:
        fprintf(file, "%d dimensions", part);
        break;
    case CLASS_IN_TURN:
        fprintf(file, "%s", part == CLASS_STRIDES ? "strides" : op->attributes[part].name);
        break;
    case CLASS_VALUES:
        fprintf(file, "%s %s its default", op->attributes[part / 2].name, part % 2 ? "above" : "below");
        break;
    case CLASS_ZEROS:
        fprintf(file, "a zero point of 128 or more");
        break;
    default:
        fprintf(file, "more than %d channels", part ? 128 : 64);
    }
}

static int write_row(FILE *file, enum call_class class, const struct op *op, const struct found *found)
{
    const uint32_t demanded = class_parts(class, op);
    const unsigned dtypes = class_dtypes(class, op);
    int gaps = 0;
    fprintf(file, "| %s | %s | %d |", op->name, class_item(class), found->cases);
    for (int part = 0; part < 32; part++) {
        const char *between = "";
        for (int d = 0; d < DTYPE_COUNT; d++) {
            const uint32_t missing = dtypes >> d & 1 ? demanded & ~found->parts[d] : 0;
            if (missing >> part & 1) {
                if (!*between) {
                    fprintf(file, "%s ", gaps ? ";" : " no case:");
                    write_part(file, class, op, part);
                }
                fprintf(file, "%s %s", *between ? between : " of", dtype_info((enum dtype)d)->name);
                between = ",";
                gaps++;
            }
        }
    }
    fprintf(file, gaps ? " |\n" : " – |\n");
    return gaps;
}

int class_coverage_write(FILE *file, const struct suite_list *list)
{
    struct found *found = calloc((size_t)op_count() * CLASSES, sizeof *found);
    int gaps = 0;
    if (!found) {
        return -1;
    }
    visit(found, list);
    fprintf(file, "| operator | class | cases | missing |\n|---|---|---:|---|\n");
    for (int k = 0; k < op_count() * CLASSES; k++) {
        const enum call_class class = (enum call_class)(k % CLASSES);
        if (class_parts(class, op_at(k / CLASSES)) != 0) {
            gaps += write_row(file, class, op_at(k / CLASSES), &found[k]);
        }
    }
    free(found);
    return gaps;
}
