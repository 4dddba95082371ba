/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_QUEUE_H
#define ASSAY_HARNESS_WORKERS_QUEUE_H

/* The order in which tasks are handed out.
 *
 * Programs, which are the tasks that request neither a fresh worker nor to run alone, come first. A worker
 * stays with the cases of one operator, then moves to the next operator in the plan, which may share its
 * shaders, so that a pipeline is built by one worker instead of by each. A worker whose next operator is
 * taken starts in the middle of the longest sequence of operators that no worker has taken.
 *
 * The cases of an operator are handed out in two halves, so that the state that one operator leaves behind
 * also meets the operators before it. The halves share no dtype, because a pipeline belongs to one dtype and
 * few pipelines are cached. The second half goes to the worker that had the first one as long as there is
 * other work. A worker that finds no free half helps with the longest one.
 *
 * After the programs come the tasks that request a fresh worker, and last those that request to run alone.
 * Within a half, and among these other tasks, the plan's order holds. With `mixed` the plan's order holds for
 * all programs. */

#include "harness/workers/pool.h"

/* One half of an operator's programs: order[next] … order[end − 1] are not handed out yet. */
struct queue_batch {
    int next, end;
    int taker; /* the worker that took it; −1: none */
};

struct queue {
    int *order; /* [count] indices of tasks */
    struct queue_batch
        *batch; /* [2 operators]: the first halves in the plan's order, then the second halves */
    int operators;
    int *at; /* [workers] the half that each works on; −1: none */
    int workers;
    int next, end; /* range of `order` with the tasks that belong to no half */
    int left;      /* tasks not handed out */
};

/* Builds the queue. Returns false when out of memory; call queue_close in either case. */
bool queue_open(struct queue *queue, const struct suite_list *list, const struct pool_task *task, int count,
                int workers, bool mixed);
void queue_close(struct queue *queue);

/* Returns the next task for worker number `worker`; −1 where none is left. The task stays in the queue until
 * queue_take. */
int queue_peek(struct queue *queue, int worker);
/* Removes the task that queue_peek returned last for this worker. */
void queue_take(struct queue *queue, int worker);

#endif
