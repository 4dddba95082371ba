/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/queue.h"

#include "suites/shared/procedure.h"

#include <stdlib.h>

/* 0: a program; 1: wants a fresh worker; 2: wants to be alone. */
static int rank_of(const struct suite_list *list, const struct pool_task *task)
{
    const struct suite_case *c = suite_list_at(list, task->index);
    return c->procedure && c->procedure->alone ? 2 : suite_case_fresh(c) ? 1 : 0;
}

static const struct op *op_of(const struct suite_list *list, const struct pool_task *task)
{
    return suite_list_at(list, task->index)->op;
}

/* The operator of each program, numbered as they come first in the plan; −1 for what is no program. Returns
 * how many operators, and in stretch[].end how many programs each has. */
static int number_operators(struct queue *queue, const struct suite_list *list, const struct pool_task *task,
                            int count, int *of)
{
    int *first = queue->order, ops = 0; /* a task of each, until the order is written over them */
    for (int t = 0; t < count; t++) {
        int s = t > 0 && of[t - 1] >= 0 ? of[t - 1] : 0; /* mostly that of its neighbour */
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
        queue->stretch[s].end++;
    }
    return ops;
}

/* Puts the programs in order: the first half of every operator's, then the other halves. How many they are.
 */
static int order_programs(struct queue *queue, int ops, int count, int *of)
{
    struct queue_stretch *stretch = queue->stretch;
    for (int t = 0; t < count; t++) {
        if (of[t] >= 0 && 2 * stretch[of[t]].next++ >= stretch[of[t]].end) {
            of[t] += ops;
        }
    }
    int at = 0;
    queue->stretches = 2 * ops;
    for (int s = 0; s < queue->stretches; s++) {
        stretch[s].next = at;
        for (int t = 0; t < count; t++) {
            if (of[t] == s) {
                queue->order[at++] = t;
            }
        }
        stretch[s].end = at;
    }
    return at;
}

bool queue_open(struct queue *queue, const struct suite_list *list, const struct pool_task *task, int count,
                bool mixed)
{
    *queue = (struct queue){.left = count, .end = count};
    queue->order = calloc((size_t)count + 1, sizeof *queue->order);
    queue->stretch = calloc(2 * (size_t)count + 1, sizeof *queue->stretch);
    int *of = calloc((size_t)count + 1, sizeof *of), at = 0;
    if (!queue->order || !queue->stretch || !of) {
        free(of);
        return false;
    }
    if (!mixed) {
        int ops = number_operators(queue, list, task, count, of);
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
    free(queue->stretch);
    *queue = (struct queue){.order = NULL};
}

static int length(const struct queue_stretch *stretch)
{
    return stretch->end - stretch->next;
}

int queue_peek(struct queue *queue, int *stretch)
{
    int longest = -1;
    if (*stretch >= 0 && length(&queue->stretch[*stretch]) > 0) {
        return queue->order[queue->stretch[*stretch].next];
    }
    *stretch = -1;
    for (int s = 0; s < queue->stretches && *stretch < 0; s++) {
        const struct queue_stretch *one = &queue->stretch[s];
        if (length(one) > 0 && !one->taken) {
            *stretch = s;
        } else if (length(one) > 0 && (longest < 0 || length(one) > length(&queue->stretch[longest]))) {
            longest = s;
        }
    }
    *stretch = *stretch < 0 ? longest : *stretch;
    if (*stretch >= 0) {
        queue->stretch[*stretch].taken = true;
        return queue->order[queue->stretch[*stretch].next];
    }
    return queue->next < queue->end ? queue->order[queue->next] : -1;
}

void queue_take(struct queue *queue, int stretch)
{
    int *next = stretch >= 0 ? &queue->stretch[stretch].next : &queue->next;
    (*next)++;
    queue->left--;
}
