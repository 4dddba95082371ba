/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/cpu/sparse.h"

#include <stdlib.h>
#include <string.h>

void cpu_store_index(const struct cpu_view *view, int64_t i, int64_t index)
{
    int32_t narrow = (int32_t)index;
    memcpy(cpu_at(view, i), view->dtype == DTYPE_INT32 ? (const void *)&narrow : (const void *)&index,
           dtype_info(view->dtype)->size);
}

/* Allocates memory for the rows and columns of all entries; false with the reason when there is none. */
static bool places_allocate(struct cpu_places *places, int64_t entries, struct error *reason)
{
    places->entries = entries;
    places->row = cpu_allocate(entries, sizeof *places->row, reason);
    places->column = cpu_allocate(entries, sizeof *places->column, reason);
    return places->row && places->column;
}

static enum cpu_status read_coo(struct cpu_places *places, const struct cpu_view *indices,
                                struct error *reason)
{
    if (indices->shape.rank != 2 || indices->shape.dim[0] != 2) {
        return cpu_reject(reason, "COO indices have two rows");
    }
    if (!places_allocate(places, indices->shape.dim[1], reason)) {
        return CPU_OUT_OF_MEMORY;
    }
    for (int64_t p = 0; p < places->entries; p++) {
        places->row[p] = cpu_load_integer(indices, p);
        places->column[p] = cpu_load_integer(indices, places->entries + p);
    }
    return CPU_OK;
}

static enum cpu_status read_csr(struct cpu_places *places, const struct cpu_view *crow, struct error *reason)
{
    const struct cpu_view *column = crow + 1;
    if (crow->shape.rank != 1 || column->shape.rank != 1 || crow->shape.dim[0] != places->rows + 1) {
        return cpu_reject(reason, "CSR indices are [rows + 1] and [n]");
    }
    if (column->dtype != crow->dtype) {
        return cpu_reject(reason, "CSR indices differ in dtype");
    }
    if (!places_allocate(places, column->shape.dim[0], reason)) {
        return CPU_OUT_OF_MEMORY;
    }
    int64_t p = cpu_load_integer(crow, 0);
    if (p != 0) {
        return cpu_reject(reason, "crow_indices begins with another number than 0");
    }
    for (int64_t r = 0; r < places->rows; r++) {
        int64_t end = cpu_load_integer(crow, r + 1);
        if (end < p || end > places->entries) {
            return cpu_reject(reason, "crow_indices decreases, or exceeds the number of entries");
        }
        for (int64_t first = p; p < end; p++) {
            places->row[p] = r;
            places->column[p] = cpu_load_integer(column, p);
            if (p > first && places->column[p] <= places->column[p - 1]) {
                return cpu_reject(reason, "col_indices of a row do not rise, each once");
            }
        }
    }
    return p == places->entries ? CPU_OK : cpu_reject(reason, "crow_indices ends before the last entry");
}

enum cpu_status cpu_places_read(struct cpu_places *places, const struct attributes *attributes,
                                const struct cpu_view *input, bool csr, struct error *reason)
{
    const struct integers *size = attributes_integers(attributes, "size");
    *places = (struct cpu_places){.entries = 0};
    if (!size || size->count != 2 || size->item[0] < 0 || size->item[1] < 0) {
        return cpu_reject(reason, "size is not [rows, columns]");
    }
    if (input->dtype != DTYPE_INT32 && input->dtype != DTYPE_INT64) {
        return cpu_reject(reason, "indices are neither int32 nor int64");
    }
    places->rows = size->item[0];
    places->columns = size->item[1];
    enum cpu_status status = csr ? read_csr(places, input, reason) : read_coo(places, input, reason);
    for (int64_t p = 0; status == CPU_OK && p < places->entries; p++) {
        if (places->row[p] < 0 || places->row[p] >= places->rows || places->column[p] < 0 ||
            places->column[p] >= places->columns) {
            status = cpu_reject(reason, "an index lies outside the matrix");
        }
    }
    return status;
}

void cpu_places_clear(struct cpu_places *places)
{
    free(places->row);
    free(places->column);
    *places = (struct cpu_places){.entries = 0};
}

enum cpu_status cpu_expect(const struct cpu_view *view, const struct shape *shape, enum dtype dtype,
                           struct error *reason)
{
    bool fits = view->dtype == dtype && view->shape.rank == shape->rank;
    for (int d = 0; fits && d < shape->rank; d++) {
        fits = view->shape.dim[d] == shape->dim[d];
    }
    return fits ? CPU_OK : cpu_reject(reason, "an operand's shape or dtype does not fit the others");
}
