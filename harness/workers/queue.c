/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/queue.h"

#include "suites/shared/procedure.h"

#include <stdlib.h>

/* Returns 2 for a procedure that requests to run alone, 1 for a case that requests a fresh worker, else 0.
 * The cases of rank 0 are called programs here. */
static int rank_of(const struct suite_list *list, const struct pool_task *task)
{
    const struct suite_case *c = suite_list_at(list, task->index);
    return c->procedure && c->procedure->alone ? 2 : suite_case_fresh(c) ? 1 : 0;
}

static const struct op *op_of(const struct suite_list *list, const struct pool_task *task)
{
    return suite_list_at(list, task->index)->op;
}

/* Sets of[] to the operator of each program, numbered in the order in which the plan names them first; −1 for
 * the other tasks. Returns the number of operators, with the number of programs of each in stretch[].end. */
static int number_operators(struct queue *queue, const struct suite_list *list, const struct pool_task *task,
                            int count, int *of)
{
    int *first = queue->order, ops = 0; /* one task of each operator, until the order is written over them */
    for (int t = 0; t < count; t++) {
        int s = t > 0 && of[t - 1] >= 0 ? of[t - 1] : 0; /* mostly the operator of the preceding task */
        of[t] = -1;
        if (rank_of(list, &task[t]) > 0) {
            continue;
        }
        if (s >= ops || op_of(list, &task[first[s]]) != op_of(list, &task[t])) {
            for (s = 0; s < ops && op_of(list, &task[first[s]]) != op_of(list, &task[t]);) {
                s++;
            }
        }
        if (s == ops) {
            first[ops++] = t;
        }
        of[t] = s;
        queue->batch[s].end++;
    }
    return ops;
}

static enum dtype dtype_of(const struct suite_list *list, const struct pool_task *task)
{
    return suite_list_at(list, task->index)->dtype;
}

/* Chooses the dtypes of an operator's second half: from the end of the plan's order, as many dtypes as bring
 * the half nearest to half of the programs. Returns false where all programs have one dtype. */
static bool second_dtypes(const int *programs, const enum dtype *order, int dtypes, int all, bool *second)
{
    int d = 1, first = programs[order[0]];
    while (d < dtypes - 1 && abs(2 * (first + programs[order[d]]) - all) < abs(2 * first - all)) {
        first += programs[order[d++]];
    }
    for (int later = d; later < dtypes; later++) {
        second[order[later]] = true;
    }
    return dtypes > 1;
}

/* Moves half of every operator's programs to its second half, numbered of[] + operators. For an operator
 * whose programs all have one dtype it moves the later half of them. */
static void halve(const struct queue *queue, const struct suite_list *list, const struct pool_task *task,
                  int count, int *of, int ops)
{
    for (int s = 0; s < ops; s++) {
        int programs[DTYPE_COUNT] = {0}, dtypes = 0, kept = 0;
        enum dtype order[DTYPE_COUNT];
        bool second[DTYPE_COUNT] = {false};
        const int all = queue->batch[s].end;
        for (int t = 0; t < count; t++) {
            if (of[t] == s && programs[dtype_of(list, &task[t])]++ == 0) {
                order[dtypes++] = dtype_of(list, &task[t]);
            }
        }
        const bool by_dtype = second_dtypes(programs, order, dtypes, all, second);
        for (int t = 0; t < count; t++) {
            if (of[t] == s && (by_dtype ? second[dtype_of(list, &task[t])] : 2 * kept++ >= all)) {
                of[t] += ops;
            }
        }
    }
}

/* Writes the programs to `order`: the first half of every operator, then the second halves. Returns their
 * number. */
static int order_programs(struct queue *queue, int ops, int count, const int *of)
{
    struct queue_batch *batch = queue->batch;
    queue->operators = ops;
    int at = 0;
    for (int s = 0; s < 2 * ops; s++) {
        batch[s].next = at;
        batch[s].taker = -1;
        for (int t = 0; t < count; t++) {
            if (of[t] == s) {
                queue->order[at++] = t;
            }
        }
        batch[s].end = at;
    }
    return at;
}

bool queue_open(struct queue *queue, const struct suite_list *list, const struct pool_task *task, int count,
                int workers, bool mixed)
{
    *queue = (struct queue){.left = count, .end = count, .workers = workers};
    queue->order = calloc((size_t)count + 1, sizeof *queue->order);
    queue->batch = calloc(2 * (size_t)count + 1, sizeof *queue->batch);
    queue->at = calloc((size_t)workers + 1, sizeof *queue->at);
    int *of = calloc((size_t)count + 1, sizeof *of), at = 0;
    if (!queue->order || !queue->batch || !queue->at || !of) {
        free(of);
        return false;
    }
    for (int w = 0; w < workers; w++) {
        queue->at[w] = -1;
    }
    if (!mixed) {
        int ops = number_operators(queue, list, task, count, of);
        halve(queue, list, task, count, of, ops);
        at = queue->next = order_programs(queue, ops, count, of);
    }
    for (int rank = mixed ? 0 : 1; rank < 3; rank++) {
        for (int t = 0; t < count; t++) {
            if (rank_of(list, &task[t]) == rank) {
                queue->order[at++] = t;
            }
        }
    }
    free(of);
    return true;
}

void queue_close(struct queue *queue)
{
    free(queue->order);
    free(queue->batch);
    free(queue->at);
    *queue = (struct queue){.order = NULL};
}

static int length(const struct queue_batch *batch)
{
    return batch->end - batch->next;
}

static bool is_free(const struct queue *queue, int s)
{
    return queue->batch[s].taker < 0 && length(&queue->batch[s]) > 0;
}

/* True if a worker is working on half s and will go on to the half after it. */
static bool is_worked_on(const struct queue *queue, int s)
{
    for (int w = 0; w < queue->workers; w++) {
        if (queue->at[w] == s) {
            return true;
        }
    }
    return false;
}

/* Chooses where to begin among the free halves from … to − 1; −1 where none is free. Takes the sequence of
 * neighbouring free halves with most tasks: its front, or the place where half of the tasks are left for the
 * worker that is coming from before it. */
static int midst_of_longest(const struct queue *queue, int from, int to)
{
    int begin = -1, most = 0;
    for (int s = from, of = 0, tasks = 0; s < to; s++) {
        bool goes_on = s > from && is_free(queue, s - 1);
        of = goes_on ? of : s;
        tasks = !is_free(queue, s) ? 0 : (goes_on ? tasks : 0) + length(&queue->batch[s]);
        if (tasks > most) {
            most = tasks;
            begin = of;
        }
    }
    if (begin <= from || !is_worked_on(queue, begin - 1)) {
        return begin;
    }
    for (int before = 0; 2 * before < most && begin + 1 < to && is_free(queue, begin + 1); begin++) {
        before += length(&queue->batch[begin]);
    }
    return begin;
}

/* Returns the second half of an operator whose first half this worker had; −1: none is free. */
static int own_second_half(const struct queue *queue, int worker)
{
    for (int s = 0; s < queue->operators; s++) {
        if (queue->batch[s].taker == worker && is_free(queue, queue->operators + s)) {
            return queue->operators + s;
        }
    }
    return -1;
}

static int longest(const struct queue *queue)
{
    int found = -1;
    for (int s = 0; s < 2 * queue->operators; s++) {
        int least = found < 0 ? 0 : length(&queue->batch[found]);
        found = length(&queue->batch[s]) > least ? s : found;
    }
    return found;
}

/* Returns a free half in from … to − 1: the one after the worker's latest half, or else where a sequence
 * begins. */
static int free_one(const struct queue *queue, int worker, int from, int to)
{
    int next = queue->at[worker] + 1;
    return next > from && next < to && is_free(queue, next) ? next : midst_of_longest(queue, from, to);
}

static int next_batch(const struct queue *queue, int worker)
{
    const int ops = queue->operators, last = queue->at[worker];
    int found = last >= 0 && length(&queue->batch[last]) > 0 ? last : free_one(queue, worker, 0, ops);
    found = found < 0 ? own_second_half(queue, worker) : found;
    found = found < 0 ? free_one(queue, worker, ops, 2 * ops) : found;
    return found < 0 ? longest(queue) : found;
}

int queue_peek(struct queue *queue, int worker)
{
    int s = next_batch(queue, worker);
    queue->at[worker] = s;
    if (s < 0) {
        return queue->next < queue->end ? queue->order[queue->next] : -1;
    }
    if (queue->batch[s].taker < 0) {
        queue->batch[s].taker = worker;
    }
    return queue->order[queue->batch[s].next];
}

void queue_take(struct queue *queue, int worker)
{
    int s = queue->at[worker], *next = s >= 0 ? &queue->batch[s].next : &queue->next;
    (*next)++;
    queue->left--;
}
