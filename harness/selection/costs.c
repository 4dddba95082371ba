/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/costs.h"

#include "reports/records/record.h"
#include "suites/shared/procedure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Three hours. No wrong number may outweigh all other cases, and no sum of costs may overflow. */
static const int64_t cost_max = 10800 * INT64_C(1000000000);

static int64_t limited(int64_t cost)
{
    return cost > cost_max ? cost_max : cost;
}

/* Returns the cost of a case according to its record, in ns; 0: unknown. Files that are older than `case_ns`
 * have two parts of it. */
static int64_t cost_of(const struct record *record)
{
    if (record->status == STATUS_MISSING) {
        return 0;
    }
    if (record->case_ns > 0) {
        return limited(record->case_ns);
    }
    int64_t wall = record->wall_ns > 0 ? limited(record->wall_ns) : 0;
    return limited(wall + (record->reference_ns > 0 ? limited(record->reference_ns) : 0));
}

/* Orders by id, then backend, then descending cost: a case that was run again counts once. */
static int by_case(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    order = order ? order : strcmp(x->backend, y->backend);
    int64_t p = cost_of(x), q = cost_of(y);
    return order ? order : (p < q) - (p > q);
}

static int id_before_record(const void *id, const void *record)
{
    return strcmp(id, ((const struct record *)record)->id);
}

static int64_t recorded_cost(const struct results *results, const char *id)
{
    int64_t sum = 0;
    const struct record *end = results->record + results->records;
    const struct record *found =
        bsearch(id, results->record, (size_t)results->records, sizeof *found, id_before_record);
    if (!found) {
        return 0;
    }
    while (found > results->record && strcmp(found[-1].id, id) == 0) {
        found--;
    }
    for (const char *last = NULL; found < end && strcmp(found->id, id) == 0; found++) {
        sum = limited(sum + (last && strcmp(last, found->backend) == 0 ? 0 : cost_of(found)));
        last = found->backend;
    }
    return sum;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the median of the known costs of one operator, or of all with NULL; 0: none is known. `room`:
 * scratch space of the length of the list. */
static int64_t median(const struct costs *costs, const struct suite_list *list, const struct op *op,
                      int64_t *room)
{
    int known = 0;
    for (int i = 0; i < suite_list_count(list); i++) {
        if (costs->cost[i] > 0 && (!op || suite_list_at(list, i)->op == op)) {
            room[known++] = costs->cost[i];
        }
    }
    qsort(room, (size_t)known, sizeof *room, by_number);
    return known ? room[known / 2] : 0;
}

/* Fills unknown costs with medians. They are stored negated until all are filled, so that no median includes
 * another. */
static void fill_unknown(struct costs *costs, const struct suite_list *list, int64_t *room)
{
    int count = suite_list_count(list);
    int64_t of_all = median(costs, list, NULL, room);
    for (int i = 0; i < count; i++) {
        const struct op *op = suite_list_at(list, i)->op;
        int64_t of_op = costs->cost[i] ? 0 : median(costs, list, op, room);
        for (int k = i; k < count && costs->cost[i] == 0;
             k++) { /* all further cases of the operator, so that its median is computed once */
            if (suite_list_at(list, k)->op == op && costs->cost[k] == 0 && k > i) {
                costs->cost[k] = -(of_op ? of_op : of_all);
            }
        }
        costs->cost[i] = costs->cost[i] ? costs->cost[i] : -(of_op ? of_op : of_all);
    }
    for (int i = 0; i < count; i++) {
        costs->cost[i] = costs->cost[i] < 0 ? -costs->cost[i] : costs->cost[i];
    }
}

bool costs_read(const char *path, const struct suite_list *list, struct costs *costs, struct error *error)
{
    int count = suite_list_count(list);
    struct results results;
    *costs = (struct costs){.cost = NULL};
    if (!results_read(path, &results, error)) {
        return false;
    }
    costs->cost = calloc((size_t)count + 1, sizeof *costs->cost);
    int64_t *room = calloc((size_t)count + 1, sizeof *room);
    costs->recorded = calloc((size_t)count + 1, sizeof *costs->recorded);
    int recorded = 0;
    bool good =
        (costs->cost && costs->recorded && room) || error_set(error, "out of memory for %.300s", path);
    if (good) {
        if (results.records) {
            qsort(results.record, (size_t)results.records, sizeof *results.record, by_case);
        }
        for (int i = 0; results.records && i < count; i++) {
            costs->cost[i] = recorded_cost(&results, suite_list_id(list, i));
            costs->recorded[i] = costs->cost[i] > 0;
            recorded += costs->recorded[i];
        }
        good = recorded ||
               error_set(
                   error,
                   "%.300s: no record contains the time of one of the cases; give results of an earlier run",
                   path);
    }
    if (good) {
        fill_unknown(costs, list, room);
    } else {
        costs_destroy(costs);
    }
    free(room);
    results_destroy(&results);
    return good;
}

void costs_destroy(struct costs *costs)
{
    free(costs->cost);
    free(costs->recorded);
    *costs = (struct costs){.cost = NULL};
}

struct place {
    int at;     /* index in the selection */
    bool alone; /* must run with no other case at the same time */
    int64_t cost;
};

static int dearest_first(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->alone != y->alone) {
        return x->alone ? -1 : 1;
    }
    return x->cost != y->cost ? (x->cost < y->cost ? 1 : -1) : x->at - y->at;
}

/* An element of a heap of shards with the least load on top; of equal loads, the lowest shard number. */
struct load {
    int64_t load;
    int shard;
};

static bool before(const struct load *a, const struct load *b)
{
    return a->load != b->load ? a->load < b->load : a->shard < b->shard;
}

static void sink(struct load *heap, int count)
{
    for (int i = 0, least; (least = 2 * i + 1) < count; i = least) {
        if (least + 1 < count && before(&heap[least + 1], &heap[least])) {
            least++;
        }
        if (!before(&heap[least], &heap[i])) {
            return;
        }
        struct load moved = heap[i];
        heap[i] = heap[least];
        heap[least] = moved;
    }
}

bool costs_cut(const struct costs *costs, const struct suite_list *list, const int *index, int count,
               int shards, int *shard_of, char digest[33])
{
    struct place *place = calloc((size_t)count + 1, sizeof *place);
    struct load *heap = calloc((size_t)shards, sizeof *heap);
    bool good = place && heap;
    for (int i = 0; good && i < count; i++) {
        const struct procedure *procedure = suite_list_at(list, index[i])->procedure;
        place[i] =
            (struct place){.at = i, .alone = procedure && procedure->alone, .cost = costs->cost[index[i]]};
    }
    for (int s = 0; good && s < shards; s++) {
        heap[s].shard = s + 1;
    }
    if (good) {
        qsort(place, (size_t)count, sizeof *place, dearest_first);
        for (int i = 0; i < count; i++) {
            shard_of[place[i].at] = heap[0].shard;
            heap[0].load += place[i].cost;
            sink(heap, shards);
        }
        XXH128_hash_t hash = XXH3_128bits(shard_of, (size_t)count * sizeof *shard_of);
        snprintf(digest, 33, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
    }
    free(place);
    free(heap);
    return good;
}
