/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_QUEUE_H
#define ASSAY_HARNESS_WORKERS_QUEUE_H

/* The order in which tasks are handed out. Programs come first, and a worker keeps to neighbours: to the
 * cases of one operator, then of the next in the plan, which may share its shaders. So a pipeline is made by
 * one worker and not by each. Who has nobody's operator beside its own begins one in the midst of the longest
 * run of those that nobody has. Every operator comes twice, with about half of its cases: what one leaves
 * behind meets those before it, too. The halves share no dtype, for pipelines are of one and few are kept;
 * the second is for the worker that had the first while there is other work. Who finds none helps with the
 * longest. After the programs what wants a fresh worker, last what wants to be alone. Within a stretch, and
 * of the others, it is the plan's order. Mixed: all of it is. */

#include "harness/workers/pool.h"

/* Tasks order[next] … order[end − 1] are of one operator and not handed out. */
struct queue_stretch {
    int next, end;
    int taker; /* the worker that has it or had it; −1: nobody */
};

struct queue {
    int *order; /* [count] tasks */
    struct queue_stretch
        *stretch; /* [2 operators]: the first halves in the plan's order, then the second ones */
    int operators;
    int *at; /* [workers] the stretch that each is in; −1: none */
    int workers;
    int next, end; /* in `order`: of what is in no stretch */
    int left;      /* tasks not handed out */
};

/* False when out of memory; close it in any case. */
bool queue_open(struct queue *queue, const struct suite_list *list, const struct pool_task *task, int count,
                int workers, bool mixed);
void queue_close(struct queue *queue);

/* The task that worker number `worker` should have next, −1 where none is left. It stays in the queue until
 * it is taken. */
int queue_peek(struct queue *queue, int worker);
/* Takes the task that queue_peek told last for this worker. */
void queue_take(struct queue *queue, int worker);

#endif
