/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/queue.h"

#include "suites/shared/procedure.h"

#include <stdlib.h>

/* 0: a program; 1: wants a fresh worker; 2: wants to be alone. */
static int rank_of(const struct suite_list *list, const struct pool_task *task)
{
    const struct procedure *p = suite_list_at(list, task->index)->procedure;
    return !p ? 0 : p->alone ? 2 : p->fresh ? 1 : 0;
}

static const struct op *op_of(const struct suite_list *list, const struct pool_task *task)
{
    return suite_list_at(list, task->index)->op;
}

/* Puts the programs in order: stretch by stretch, as their operators come first in the plan. of[t]: the
 * stretch of task t, −1 for what is no program. */
static int order_programs(struct queue *queue, const struct suite_list *list, const struct pool_task *task,
                          int count, int *of)
{
    int *first = queue->order, at = 0; /* a task of each stretch, until the order is written over them */
    for (int t = 0; t < count; t++) {
        int s = t > 0 && of[t - 1] >= 0 ? of[t - 1] : 0; /* mostly that of its neighbour */
        of[t] = -1;
        if (rank_of(list, &task[t]) > 0) {
            continue;
        }
        if (s >= queue->stretches || op_of(list, &task[first[s]]) != op_of(list, &task[t])) {
            for (s = 0; s < queue->stretches && op_of(list, &task[first[s]]) != op_of(list, &task[t]);) {
                s++;
            }
        }
        if (s == queue->stretches) {
            first[queue->stretches++] = t;
        }
        of[t] = s;
        queue->stretch[s].end++; /* a count as yet */
    }
    for (int s = 0; s < queue->stretches; s++) {
        at += queue->stretch[s].end;
        queue->stretch[s] = (struct queue_stretch){.next = at - queue->stretch[s].end, .end = 0};
        queue->stretch[s].end = queue->stretch[s].next;
    }
    for (int t = 0; t < count; t++) {
        if (of[t] >= 0) {
            queue->order[queue->stretch[of[t]].end++] = t;
        }
    }
    return at;
}

bool queue_open(struct queue *queue, const struct suite_list *list, const struct pool_task *task, int count)
{
    *queue = (struct queue){.left = count, .end = count};
    queue->order = calloc((size_t)count + 1, sizeof *queue->order);
    queue->stretch = calloc((size_t)count + 1, sizeof *queue->stretch);
    int *of = calloc((size_t)count + 1, sizeof *of);
    if (!queue->order || !queue->stretch || !of) {
        free(of);
        return false;
    }
    int at = queue->next = order_programs(queue, list, task, count, of);
    for (int rank = 1; rank < 3; rank++) {
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
