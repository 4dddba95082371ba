/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_QUEUE_H
#define ASSAY_HARNESS_QUEUE_H

/* The order in which tasks are handed out. Programs come first, and a worker keeps to the cases of one
 * operator while there are any: pipelines are made by one worker instead of by each, and are kept by one. Who
 * has none left takes an operator that nobody has, then helps with the longest. Every operator comes twice, with
 * half of its cases: what one leaves behind meets those before it, too. After the programs what
 * wants a fresh worker, last what wants to be alone. Within a stretch, and of the others, it is the plan's
 * order. Mixed: all of it is. */

#include "harness/workers/pool.h"

/* Tasks order[next] … order[end − 1] are of one operator and not handed out. */
struct queue_stretch {
    int next, end;
    bool taken; /* by a worker */
};

struct queue {
    int *order; /* [count] tasks */
    struct queue_stretch *stretch;
    int stretches;
    int next, end; /* in `order`: of what is in no stretch */
    int left;      /* tasks not handed out */
};

/* False when out of memory; close it in any case. */
bool queue_open(struct queue *queue, const struct suite_list *list, const struct pool_task *task, int count,
                bool mixed);
void queue_close(struct queue *queue);

/* The task that a worker whose stretch is *stretch (−1: none yet) should have next, −1 where none is left;
 * the stretch becomes its own. It stays in the queue until it is taken. */
int queue_peek(struct queue *queue, int *stretch);
/* Takes the task that queue_peek told last for this stretch. */
void queue_take(struct queue *queue, int stretch);

#endif
