/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/sparse.h"

#include "kernels/vulkan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64, THREADS = 2048, DIGITS = 16, DIGIT_BITS = 4, COUNTED_MAX = 1 << 24 };

/* If counting fails for lack of memory, the plan fails: with the upper bound in place of the count, a kernel
 * could exceed its loop limit and the step would be reported as unsupported. */
static const char out_of_memory[] = "out of host memory to count the indices";

/* --- checks of the indices that the host knows */

static bool written_before(const struct vk_plan *plan, const struct step *step, int storage)
{
    const struct program *program = plan->launch->program;
    for (const struct step *s = program->step; s < step; s++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        const int count = step_judged(s, judged);
        for (int j = 0; j < count; j++) {
            if (judged[j].storage == storage) {
                return true;
            }
        }
    }
    return false;
}

/* Returns the first data byte of the view's storage in its image on the host; NULL if an earlier step
 * computes the elements, or if the plan has failed. */
static const unsigned char *image_of(struct vk_plan *plan, const struct step *step, const struct view *view)
{
    vk_plan_view(plan, view); /* fails the plan where the view leaves its storage */
    if (!vk_plan_is_good(plan) || written_before(plan, step, view->storage)) {
        return NULL;
    }
    return plan->launch->image[view->storage] + plan->launch->guard;
}

static int64_t index_of(const unsigned char *image, const struct view *view, int64_t i)
{
    int32_t narrow;
    int64_t wide;
    const size_t at = (size_t)view_element(view, i);
    if (view->dtype == DTYPE_INT32) {
        memcpy(&narrow, image + at * sizeof narrow, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, image + at * sizeof wide, sizeof wide);
    return wide;
}

static bool in_range(struct vk_plan *plan, const unsigned char *image, const struct view *view, int64_t from,
                     int64_t count, int64_t limit)
{
    for (int64_t i = from; image && i < from + count; i++) {
        const int64_t index = index_of(image, view, i);
        if (index < 0 || index >= limit) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "index %" PRId64 " is not in [0, %" PRId64 ")", index, limit);
            return false;
        }
    }
    return vk_plan_is_good(plan);
}

bool vk_indices_fit(struct vk_plan *plan, const struct step *step, const struct view *indices, int64_t limit,
                    int64_t but)
{
    const unsigned char *image = image_of(plan, step, indices);
    for (int64_t i = 0; image && i < shape_elements(&indices->shape); i++) {
        const int64_t index = index_of(image, indices, i);
        if (index != but && (index < 0 || index >= limit)) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "index %" PRId64 " is not in [0, %" PRId64 ")", index, limit);
            return false;
        }
    }
    return vk_plan_is_good(plan);
}

/* Returns how often the most frequent of the `count` indices from `from` on occurs; `count` if they are
 * unknown or if `limit`, which they are below, is beyond COUNTED_MAX. */
static int64_t most_frequent(struct vk_plan *plan, const unsigned char *image, const struct view *view,
                             int64_t from, int64_t count, int64_t limit)
{
    const bool countable = image && vk_plan_is_good(plan) && limit <= COUNTED_MAX;
    uint32_t *counts = countable ? calloc((size_t)limit + 1, sizeof *counts) : NULL;
    if (countable && !counts) {
        vk_plan_fail(plan, LAUNCH_ERROR, "%s", out_of_memory);
    }
    int64_t most = counts ? 0 : count;
    for (int64_t i = from; counts && i < from + count; i++) {
        const int64_t n = ++counts[(uint32_t)index_of(image, view, i)];
        most = n > most ? n : most;
    }
    free(counts);
    return most;
}

static void look_at_coo(struct vk_plan *plan, const struct step *step, const struct view *indices,
                        bool transposed, struct vk_sparse *sparse)
{
    if (indices->shape.rank != 2 || indices->shape.dim[0] != 2) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: indices must be [2, n]", step->op->name);
        return;
    }
    sparse->entries = indices->shape.dim[1];
    const unsigned char *image = image_of(plan, step, indices);
    const int64_t n = sparse->entries;
    if (in_range(plan, image, indices, 0, n, sparse->rows) &&
        in_range(plan, image, indices, n, n, sparse->columns)) {
        sparse->longest = most_frequent(plan, image, indices, transposed ? n : 0, n,
                                        transposed ? sparse->columns : sparse->rows);
    }
}

/* Rejects unless the columns of each row are strictly increasing. `crow` has been checked before. */
static void look_at_order(struct vk_plan *plan, const struct step *step, const unsigned char *starts,
                          const struct view *crow, const unsigned char *columns, const struct view *column)
{
    const int64_t rows = crow->shape.dim[0] - 1;
    for (int64_t r = 0, p = 0; starts && columns && r < rows; r++) {
        const int64_t first = p, end = index_of(starts, crow, r + 1);
        for (; p < end; p++) {
            if (p > first && index_of(columns, column, p) <= index_of(columns, column, p - 1)) {
                vk_plan_fail(plan, LAUNCH_REJECTED, "%s: col_indices of row %" PRId64 " must rise, each once",
                             step->op->name, r);
                return;
            }
        }
    }
}

static void look_at_csr(struct vk_plan *plan, const struct step *step, const struct view *crow,
                        struct vk_sparse *sparse)
{
    const struct view *column = crow + 1;
    if (crow->shape.rank != 1 || crow->shape.dim[0] != sparse->rows + 1 || column->shape.rank != 1 ||
        column->dtype != crow->dtype) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: needs crow_indices [rows + 1] and col_indices [n]",
                     step->op->name);
        return;
    }
    sparse->entries = sparse->longest = column->shape.dim[0];
    const unsigned char *image = image_of(plan, step, crow);
    for (int64_t r = 0; image && r <= sparse->rows; r++) {
        const int64_t start = index_of(image, crow, r), before = r ? index_of(image, crow, r - 1) : 0;
        if (start < before || (r == 0 && start != 0) || (r == sparse->rows && start != sparse->entries)) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "%s: crow_indices must rise from 0 to the number of entries",
                         step->op->name);
            return;
        }
        sparse->longest = r == 0 ? 0 : start - before > sparse->longest ? start - before : sparse->longest;
    }
    const unsigned char *columns = image_of(plan, step, column);
    if (in_range(plan, columns, column, 0, sparse->entries, sparse->columns)) {
        look_at_order(plan, step, image, crow, columns, column);
    }
}

struct vk_sparse vk_sparse_plan(struct vk_plan *plan, const struct step *step, int input, bool csr,
                                bool transposed)
{
    const struct integers *size = attributes_integers(&step->attributes, "size");
    const struct view *indices = &step->input[input];
    struct vk_sparse sparse = {0};
    if (!size || size->count != 2 || size->item[0] < 0 || size->item[1] < 0) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: size must be [rows, columns]", step->op->name);
        return sparse;
    }
    sparse.rows = size->item[0];
    sparse.columns = size->item[1];
    sparse.wide = indices->dtype == DTYPE_INT64;
    if (!sparse.wide && indices->dtype != DTYPE_INT32) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: indices must be int32 or int64", step->op->name);
    } else if (sparse.rows > INT32_MAX - 1 || sparse.columns > INT32_MAX - 1) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s: kernels number rows and columns in 32 bits",
                     step->op->name);
    } else if (csr) {
        look_at_csr(plan, step, indices, &sparse);
    } else {
        look_at_coo(plan, step, indices, transposed, &sparse);
    }
    return sparse;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int64_t vk_sparse_most_duplicates(struct vk_plan *plan, const struct step *step, const struct view *indices,
                                  const struct vk_sparse *sparse)
{
    const unsigned char *image = image_of(plan, step, indices);
    const int64_t n = sparse->entries;
    uint64_t *place = image ? malloc(((size_t)n + 1) * sizeof *place) : NULL;
    if (image && !place) {
        vk_plan_fail(plan, LAUNCH_ERROR, "%s", out_of_memory);
    }
    if (!place) {
        return sparse->longest;
    }
    for (int64_t p = 0; p < n; p++) {
        place[p] = (uint64_t)index_of(image, indices, p) << 32 | (uint32_t)index_of(image, indices, n + p);
    }
    qsort(place, (size_t)n, sizeof *place, by_size);
    int64_t most = 0;
    for (int64_t p = 0, first = 0; p < n; p++) {
        first = place[p] == place[first] ? first : p;
        most = p + 1 - first > most ? p + 1 - first : most;
    }
    free(place);
    return most;
}

void vk_sparse_expect(struct vk_plan *plan, const struct step *step, int input, const struct shape *shape,
                      int leading)
{
    const struct view *view = &step->input[input];
    const enum dtype dtype = step->input[leading].dtype;
    if (view->dtype != dtype || !shape_equal(&view->shape, shape)) {
        char got[SHAPE_TEXT], wanted[SHAPE_TEXT];
        shape_print(&view->shape, got, sizeof got);
        shape_print(shape, wanted, sizeof wanted);
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: input %d is %s %s, not %s %s", step->op->name, input,
                     dtype_info(view->dtype)->name, got, dtype_info(dtype)->name, wanted);
    }
}

bool vk_sparse_is_ready(struct vk_plan *plan, const struct step *step)
{
    return vk_plan_is_good(plan) && step->outputs > 0;
}

struct view vk_sparse_matrix(const struct view *view)
{
    struct view matrix = *view;
    if (view->shape.rank == 1) {
        matrix.shape.rank = 2;
        matrix.shape.dim[1] = 1;
        matrix.stride[1] = 0;
    }
    return matrix;
}

/* --- the sort */

struct order_arguments { /* of sparse_order.comp */
    struct vk_view_argument indices;
    uint64_t row, column, order, next, key, table, total;
    uint32_t entries, rows, columns, chunk, threads, shift, counts, padding;
};

static void dispatch_scan(struct vk_plan *plan, const struct order_arguments *a)
{
    vk_plan_dispatch(plan,
                     &(struct vk_dispatch){.shader = "sparse_order.scan",
                                           .groups = 1,
                                           .arguments = a,
                                           .bytes = sizeof *a,
                                           .iterations = 2 * (a->counts / VK_WORKGROUP + 1) + VK_WORKGROUP});
}

void vk_sparse_scan(struct vk_plan *plan, uint64_t table, uint64_t counts, uint64_t total)
{
    const struct order_arguments a = {.table = table, .counts = (uint32_t)counts, .total = total};
    dispatch_scan(plan, &a);
}

/* Sorts the entries by the words at address `key`, stably, in one pass for each 4 bits of `limit`. The words
 * are below `limit`, except for all ones, which stand for an index out of range and come last. */
static void sort_by(struct vk_plan *plan, struct order_arguments *a, uint64_t key, int64_t limit)
{
    a->key = key;
    for (a->shift = 0; limit >> a->shift; a->shift += DIGIT_BITS) {
        struct vk_dispatch dispatch = {.shader = "sparse_order.count",
                                       .groups = vk_groups(a->threads, VK_WORKGROUP),
                                       .arguments = a,
                                       .bytes = sizeof *a,
                                       .iterations = a->chunk + 2 * DIGITS};
        vk_plan_dispatch(plan, &dispatch);
        dispatch_scan(plan, a);
        dispatch.shader = "sparse_order.place";
        vk_plan_dispatch(plan, &dispatch);
        const uint64_t placed = a->next;
        a->next = a->order;
        a->order = placed;
    }
}

struct vk_sparse_order vk_sparse_sort(struct vk_plan *plan, const struct vk_sparse *sparse,
                                      const struct view *indices, bool transposed, bool by_column)
{
    const uint64_t n = (uint64_t)sparse->entries, words = 4 * n + 8;
    struct view view = *indices;
    if (transposed) {
        view.offset += view.stride[0];
        view.stride[0] = -view.stride[0];
    }
    struct order_arguments a = {.indices = vk_plan_view(plan, &view),
                                .row = vk_plan_scratch(plan, words),
                                .column = vk_plan_scratch(plan, words),
                                .order = vk_plan_scratch(plan, words),
                                .next = vk_plan_scratch(plan, words),
                                .entries = (uint32_t)n,
                                .rows = (uint32_t)(transposed ? sparse->columns : sparse->rows),
                                .columns = (uint32_t)(transposed ? sparse->rows : sparse->columns)};
    a.chunk = n > CHUNK * THREADS ? (uint32_t)((n + THREADS - 1) / THREADS) : CHUNK;
    a.threads = (uint32_t)((n + a.chunk - 1) / a.chunk);
    a.counts = a.threads * DIGITS;
    a.table = vk_plan_scratch(plan, 4 * (uint64_t)a.counts + 8);
    a.total = vk_plan_scratch(plan, 8);
    const uint64_t scan = vk_plan_scratch(plan, words);
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = "sparse_order.load",
                                                 .constants = {sparse->wide},
                                                 .groups = vk_groups(n, VK_WORKGROUP),
                                                 .arguments = &a,
                                                 .bytes = sizeof a});
    if (n > 0 && by_column) {
        sort_by(plan, &a, a.column, a.columns);
    }
    if (n > 0) {
        sort_by(plan, &a, a.row, a.rows);
    }
    return (struct vk_sparse_order){.row = a.row, .column = a.column, .order = a.order, .scan = scan};
}
