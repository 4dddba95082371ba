/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/op.h"

#include <stdio.h>
#include <string.h>

/* The rows of a declaration: `first` rows, then `repeated` rows that a call repeats in turn, then the rest.
 */
struct rows {
    int count, first, repeated;
};

static struct rows rows_of(const struct op *op)
{
    struct rows rows = {.count = 0};
    while (rows.count < OPERANDS_MAX && op->operands[rows.count].name) {
        bool variadic = op->operands[rows.count].role & OPERAND_VARIADIC;
        rows.first += !variadic && rows.repeated == 0;
        rows.repeated += variadic;
        rows.count++;
    }
    return rows;
}

/* Returns the row that declares input i of a call; NULL if there is none. */
static const struct op_operand *row_of(const struct op *op, int inputs, int i)
{
    struct rows rows = rows_of(op);
    int behind = rows.count - rows.first - rows.repeated, row = i;
    if (rows.repeated && i >= rows.first) {
        row =
            i >= inputs - behind ? rows.count - (inputs - i) : rows.first + (i - rows.first) % rows.repeated;
    }
    return i >= 0 && row < rows.count ? &op->operands[row] : NULL;
}

static bool has_role(const struct op *op, int inputs, int i, unsigned role)
{
    const struct op_operand *row = row_of(op, inputs, i);
    return row && (row->role & role) == role;
}

/* Returns the first row that has the role; −1 if there is none. */
static int first_row(const struct op *op, unsigned role)
{
    for (int i = 0; i < OPERANDS_MAX && op->operands[i].name; i++) {
        if ((op->operands[i].role & role) == role) {
            return i;
        }
    }
    return -1;
}

int op_inputs_min(const struct op *op)
{
    int least = 0;
    for (int i = 0; i < OPERANDS_MAX && op->operands[i].name; i++) {
        least = op->operands[i].role & OPERAND_OPTIONAL ? least : i + 1;
    }
    return least;
}

int op_inputs_max(const struct op *op)
{
    struct rows rows = rows_of(op);
    int once = rows.count - rows.repeated;
    return rows.repeated ? once + (OPERANDS_MAX - once) / rows.repeated * rows.repeated : once;
}

bool op_is_variadic(const struct op *op)
{
    return first_row(op, OPERAND_VARIADIC) >= 0;
}

const char *op_operand_name(const struct op *op, int inputs, int i)
{
    const struct op_operand *row = row_of(op, inputs, i);
    return row ? row->name : "";
}

bool op_mutates(const struct op *op, int inputs, int i)
{
    return has_role(op, inputs, i, OPERAND_MUTATED);
}

bool op_may_lack(const struct op *op, int inputs, int i)
{
    return has_role(op, inputs, i, OPERAND_OPTIONAL);
}

bool op_is_indices(const struct op *op, int inputs, int i)
{
    return has_role(op, inputs, i, OPERAND_INDICES);
}

bool op_is_condition(const struct op *op, int inputs, int i)
{
    return has_role(op, inputs, i, OPERAND_CONDITION);
}

bool op_is_csr(const struct op *op, int inputs, int i)
{
    return has_role(op, inputs, i, OPERAND_ROW_STARTS);
}

bool op_is_coo(const struct op *op, int inputs, int i)
{
    return op_is_indices(op, inputs, i) && op_attribute_named(op, "size") && !op_is_csr(op, inputs, i) &&
           !op_is_csr(op, inputs, i - 1);
}

bool op_has_indices(const struct op *op)
{
    return first_row(op, OPERAND_INDICES) >= 0;
}

bool op_writes(const struct op *op)
{
    return first_row(op, OPERAND_MUTATED) >= 0;
}

int op_written_input(const struct op *op)
{
    return first_row(op, OPERAND_MUTATED);
}

int op_leading_input(const struct op *op)
{
    int input = 0;
    while (op->operands[input].role & (OPERAND_INDICES | OPERAND_CONDITION)) {
        input++;
    }
    return input;
}

int op_first_indices(const struct op *op)
{
    return first_row(op, OPERAND_INDICES);
}

int op_input_named(const struct op *op, const char *name)
{
    for (int i = 0; i < OPERANDS_MAX && op->operands[i].name; i++) {
        if (strcmp(op->operands[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static const struct op_result *result_of(const struct op *op, int output)
{
    static const struct op_result plain = {.name = NULL};
    return output >= 0 && output < RESULTS_NAMED ? &op->results[output] : &plain;
}

const char *op_result_name(const struct op *op, int output)
{
    return result_of(op, output)->name;
}

bool op_result_is_counted(const struct op *op, int output)
{
    return result_of(op, output)->role & RESULT_COUNTED;
}

bool op_result_is_verified(const struct op *op, int output)
{
    return op->verify && (result_of(op, output)->role & RESULT_VERIFIED);
}

void op_print_result(const struct op *op, int output, char text[RESULT_TEXT])
{
    const char *name = op_result_name(op, output);
    snprintf(text, RESULT_TEXT, "%d%s%.*s%s", output, name ? " (" : "", NAME_MOST, name ? name : "",
             name ? ")" : "");
}

void op_print_operands(const struct op *op, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < OPERANDS_MAX && op->operands[i].name && used < size; i++) {
        const struct op_operand *row = &op->operands[i];
        bool last = i + 1 == OPERANDS_MAX || !(row[1].role & OPERAND_VARIADIC);
        bool optional = row->role & OPERAND_OPTIONAL, repeated = (row->role & OPERAND_VARIADIC) && last;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s", i ? ", " : "", optional ? "[" : "",
                                 row->name, optional ? "]" : "", repeated ? ", …" : "");
    }
}
