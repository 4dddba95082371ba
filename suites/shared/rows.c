/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/rows.h"

static const struct suite_row *row_at(const struct suite_table *table, size_t r)
{
    return (const void *)((const char *)table->rows + r * table->size);
}

static enum level level_of(const struct suite_table *table, const struct suite_row *row, enum dtype dtype)
{
    enum level level = table->level && !row->same_level ? table->level(row->level, dtype) : row->level;
    return level < table->least ? table->least : level;
}

/* Returns the dtypes of the set in which the operator has the row's case. */
static unsigned requested(const struct suite_table *table, const struct suite_row *row, const struct op *op,
                          unsigned dtypes)
{
    unsigned wanted = row->dtypes ? row->dtypes : table->dtypes;
    dtypes &= wanted ? wanted & op->dtypes : op->dtypes;
    dtypes &= table->within ? table->within : dtypes;
    for (int d = 0; table->asks && d < DTYPE_COUNT; d++) {
        if ((dtypes >> d & 1) && !table->asks(row, op, (enum dtype)d)) {
            dtypes &= ~(1U << d);
        }
    }
    return dtypes;
}

static void declare_row(struct suite_list *list, const struct suite_table *table, const struct suite_row *row,
                        const struct op *op, unsigned dtypes)
{
    const char *covers = row->covers ? row->covers : table->covers;
    dtypes = requested(table, row, op, dtypes);
    for (int d = 0; d < DTYPE_COUNT; d++) {
        if (dtypes >> d & 1) {
            suite_declare_named(list,
                                &(struct suite_case){.family = table->family,
                                                     .op = op,
                                                     .dtype = (enum dtype)d,
                                                     .name = row->name,
                                                     .level = level_of(table, row, (enum dtype)d),
                                                     .covers = covers ? covers : "",
                                                     .file = table->file,
                                                     .line = row->line,
                                                     .procedure = table->procedure,
                                                     .build = row->build ? row->build : table->build,
                                                     .row = row,
                                                     .subject = table->subject,
                                                     .parameter = row->parameter,
                                                     .fresh = row->fresh},
                                "%s%s%s", row->name, table->suffix ? "-" : "",
                                table->suffix ? table->suffix : "");
        }
    }
}

/* Declares all rows that are for the k-th operator of the table. */
static void declare_op(struct suite_list *list, const struct suite_table *table, int k)
{
    const struct op *op = op_find(table->ops[k]);
    for (int d = 0; op && d < DTYPE_COUNT; d++) {
        for (size_t r = 0; r < table->count; r++) {
            const struct suite_row *row = row_at(table, r);
            if (!row->ops || (row->ops >> k & 1)) {
                declare_row(list, table, row, op, 1U << d);
            }
        }
    }
}

void suite_declare_rows(struct suite_list *list, const struct suite_table *table)
{
    for (int k = 0; k < SUITE_TABLE_OPS && table->ops[k]; k++) {
        declare_op(list, table, k);
    }
    for (size_t r = 0; !table->ops[0] && r < table->count; r++) {
        const struct op *op = op_find(row_at(table, r)->op);
        if (op) {
            declare_row(list, table, row_at(table, r), op, ~0U);
        }
    }
}
