/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* coalesce, to_dense and sparse_transpose. Duplicates are summed in their order, in float32 for the 16-bit
 * types. */

#include "kernels/cpu/sparse.h"

#include <stdlib.h>
#include <string.h>

struct numbered {
    int64_t row, column, entry;
};

static int compare(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->row != y->row) {
        return x->row < y->row ? -1 : 1;
    }
    if (x->column != y->column) {
        return x->column < y->column ? -1 : 1;
    }
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static struct numbered *sorted(const struct cpu_places *places, struct error *reason)
{
    struct numbered *list = cpu_allocate(places->entries, sizeof *list, reason);
    for (int64_t p = 0; list && p < places->entries; p++) {
        list[p] = (struct numbered){places->row[p], places->column[p], p};
    }
    if (list) {
        qsort(list, (size_t)places->entries, sizeof *list, compare);
    }
    return list;
}

/* Returns the sum of the values with the row and column of entry *p, and moves *p behind the last of them. */
static double sum_of_place(const struct numbered *list, int64_t entries, const struct cpu_view *values,
                           int64_t *p)
{
    const struct numbered *first = &list[*p];
    double twice = cpu_load(values, first->entry);
    float single = (float)twice;
    while (++*p < entries && list[*p].row == first->row && list[*p].column == first->column) {
        double v = cpu_load(values, list[*p].entry);
        twice += v;
        single += (float)v;
    }
    return values->dtype == DTYPE_FLOAT64 ? twice : (double)single;
}

static int64_t count_places(const struct numbered *list, int64_t entries)
{
    int64_t count = 0;
    for (int64_t p = 0; p < entries; p++) {
        count += p == 0 || list[p].row != list[p - 1].row || list[p].column != list[p - 1].column;
    }
    return count;
}

/* Writes nothing unless the output has as many entries as there are different places. */
static void coalesce(const struct cpu_places *places, const struct numbered *list,
                     const struct cpu_view *values, const struct cpu_view *output)
{
    int64_t count = count_places(list, places->entries), place = 0;
    for (int64_t p = 0; output[1].shape.dim[0] == count && p < places->entries; place++) {
        cpu_store_index(&output[0], place, list[p].row);
        cpu_store_index(&output[0], count + place, list[p].column);
        cpu_store(&output[1], place, sum_of_place(list, places->entries, values, &p));
    }
}

static void to_dense(const struct cpu_places *places, const struct numbered *list,
                     const struct cpu_view *values, const struct cpu_view *output)
{
    for (int64_t i = 0; i < places->rows * places->columns; i++) {
        cpu_store(output, i, 0);
    }
    for (int64_t p = 0; p < places->entries;) {
        int64_t element = list[p].row * places->columns + list[p].column;
        cpu_store(output, element, sum_of_place(list, places->entries, values, &p));
    }
}

static void transpose(const struct cpu_places *places, const struct numbered *list,
                      const struct cpu_view *values, const struct cpu_view *output)
{
    (void)list;
    size_t size = dtype_info(values->dtype)->size;
    for (int64_t p = 0; p < places->entries; p++) {
        cpu_store_index(&output[0], p, places->column[p]);
        cpu_store_index(&output[0], places->entries + p, places->row[p]);
        memcpy(cpu_at(&output[1], p), cpu_at(values, p), size);
    }
}

enum { COALESCE, TO_DENSE, TRANSPOSE };

static void (*const forms[])(const struct cpu_places *, const struct numbered *, const struct cpu_view *,
                             const struct cpu_view *) = {
    [COALESCE] = coalesce, [TO_DENSE] = to_dense, [TRANSPOSE] = transpose};

static enum cpu_status run(const struct cpu_op *op, const struct attributes *attributes, int inputs,
                           const struct cpu_view *input, int outputs, const struct cpu_view *output,
                           struct error *reason)
{
    (void)inputs;
    struct cpu_places places;
    const struct cpu_view *values = &input[1];
    enum cpu_status status = cpu_places_read(&places, attributes, input, false, reason);
    struct shape shape = {.rank = 1, .dim = {places.entries}};
    if (status == CPU_OK && !dtype_is_real(values->dtype)) {
        error_set(reason, "the CPU backend has no sparse matrix of %s", dtype_info(values->dtype)->name);
        status = CPU_UNSUPPORTED;
    }
    status = status == CPU_OK ? cpu_expect(values, &shape, values->dtype, reason) : status;
    if (status == CPU_OK && outputs > 0) {
        struct numbered *list = sorted(&places, reason);
        if (list) {
            forms[op->variant](&places, list, values, output);
        }
        status = list ? CPU_OK : CPU_OUT_OF_MEMORY;
        free(list);
    }
    cpu_places_clear(&places);
    return status;
}

static const struct cpu_op ops[] = {{.name = "coalesce", .variant = COALESCE, .run = run},
                                    {.name = "to_dense", .variant = TO_DENSE, .run = run},
                                    {.name = "sparse_transpose", .variant = TRANSPOSE, .run = run}};

const struct cpu_op_set cpu_op_set_coalesce = {.op = ops, .count = sizeof ops / sizeof *ops};
