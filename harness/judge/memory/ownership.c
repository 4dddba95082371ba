/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/memory/ownership.h"

#include <stdlib.h>

/* The layout of one judged tensor: its dimensions of more than one element, by falling stride. */
struct owned {
    int64_t mark, first, last; /* its bytes lie in [first, last) */
    int64_t size;              /* of an element */
    bool dense;                /* every byte in between is its own */
    int rank;
    int64_t count[RANK_MAX], stride[RANK_MAX]; /* bytes, > 0 */
    int64_t reach[RANK_MAX + 1]; /* reach[d]: the last byte of dimensions d and behind, from their start */
};

static void insert_dimension(struct owned *owned, int64_t count, int64_t stride)
{
    int at = owned->rank++;
    for (; at > 0 && owned->stride[at - 1] < stride; at--) {
        owned->stride[at] = owned->stride[at - 1];
        owned->count[at] = owned->count[at - 1];
    }
    owned->stride[at] = stride;
    owned->count[at] = count;
}

static struct owned layout_of(const struct view *view, int64_t mark)
{
    struct owned owned = {.mark = mark, .size = (int64_t)dtype_info(view->dtype)->size};
    int64_t elements = shape_elements(&view->shape);
    owned.first = view->offset * owned.size;
    for (int d = 0; elements > 0 && d < view->shape.rank; d++) {
        int64_t count = view->shape.dim[d], stride = view->stride[d] * owned.size;
        owned.first += stride < 0 ? (count - 1) * stride : 0;
        if (count > 1 && stride != 0) {
            insert_dimension(&owned, count, stride < 0 ? -stride : stride);
        }
    }
    owned.reach[owned.rank] = owned.size - 1;
    owned.dense = elements > 0;
    for (int d = owned.rank - 1; d >= 0; d--) {
        owned.dense = owned.dense && owned.stride[d] == owned.reach[d + 1] + 1;
        owned.reach[d] = owned.reach[d + 1] + (owned.count[d] - 1) * owned.stride[d];
    }
    owned.last = elements > 0 ? owned.first + owned.reach[0] + 1 : owned.first;
    return owned;
}

/* True if the byte `rest` beyond the start of dimension d belongs to an element. Usually one index is
 * possible in each dimension. */
static bool is_reached(const struct owned *owned, int d, int64_t rest)
{
    if (d == owned->rank) {
        return rest >= 0 && rest < owned->size;
    }
    int64_t index = rest / owned->stride[d];
    index = index < owned->count[d] ? index : owned->count[d] - 1;
    for (; index >= 0 && rest - index * owned->stride[d] <= owned->reach[d + 1]; index--) {
        if (is_reached(owned, d + 1, rest - index * owned->stride[d])) {
            return true;
        }
    }
    return false;
}

static bool holds(const struct owned *owned, int64_t byte)
{
    return byte >= owned->first && byte < owned->last &&
           (owned->dense || is_reached(owned, 0, byte - owned->first));
}

static bool add(struct owned_list *list, const struct view *view, int64_t mark)
{
    if (list->count == list->room) {
        int64_t room = 2 * list->room + 1;
        struct owned *item = realloc(list->item, (size_t)room * sizeof *item);
        if (!item) {
            return false;
        }
        list->item = item;
        list->room = room;
    }
    list->item[list->count++] = layout_of(view, mark);
    return true;
}

bool ownership_create(struct ownership *ownership, const struct program *program, struct error *error)
{
    int64_t next = 1;
    *ownership = (struct ownership){.storages = program->storages};
    ownership->storage = calloc((size_t)program->storages + 1, sizeof *ownership->storage);
    ownership->first = calloc((size_t)program->steps + 1, sizeof *ownership->first);
    bool good = ownership->storage && ownership->first;
    for (int s = 0; good && s < program->steps; s++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        int count = program->step[s].expect == EXPECT_VALUE ? step_judged(&program->step[s], judged) : 0;
        ownership->first[s] = next;
        for (int j = 0; good && j < count; j++) {
            good = add(&ownership->storage[judged[j].storage], &judged[j], next++);
        }
    }
    if (!good) {
        ownership_destroy(ownership);
        error_set(error, "out of memory for who writes which byte");
    }
    return good;
}

void ownership_destroy(struct ownership *ownership)
{
    for (int s = 0; ownership->storage && s < ownership->storages; s++) {
        free(ownership->storage[s].item);
    }
    free(ownership->storage);
    free(ownership->first);
    *ownership = (struct ownership){.storages = 0};
}

int64_t ownership_mark(const struct ownership *ownership, int step, int judged)
{
    return ownership->first[step] + judged;
}

int64_t ownership_of(const struct ownership *ownership, int storage, int64_t byte)
{
    const struct owned_list *list = &ownership->storage[storage];
    for (int64_t k = list->count - 1; k >= 0; k--) {
        if (holds(&list->item[k], byte)) {
            return list->item[k].mark;
        }
    }
    return 0;
}

bool ownership_is_undisputed(const struct ownership *ownership, int storage, int64_t mark)
{
    const struct owned_list *list = &ownership->storage[storage];
    int64_t k = list->count - 1;
    for (; k >= 0 && list->item[k].mark != mark; k--) {
    }
    for (int64_t later = k + 1; k >= 0 && later < list->count; later++) {
        if (list->item[later].first < list->item[k].last && list->item[later].last > list->item[k].first) {
            return false;
        }
    }
    return k >= 0;
}

int64_t ownership_run(const struct ownership *ownership, int storage, int64_t byte)
{
    const struct owned_list *list = &ownership->storage[storage];
    int64_t run = 0;
    for (int64_t k = 0; k < list->count; k++) {
        const struct owned *owned = &list->item[k];
        if (owned->dense && byte >= owned->first && byte < owned->last && owned->last - byte > run) {
            run = owned->last - byte;
        }
    }
    return run;
}
