/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/queue.h"
#include "suites/shared/procedure.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Returns every case of the suite as a task, in the order of the plan. */
static struct pool_task *all_tasks(const struct suite_list *list, int *count)
{
    struct pool_task *task = calloc((size_t)suite_list_count(list), sizeof *task);
    cr_assert(task);
    *count = suite_list_count(list);
    for (int i = 0; i < *count; i++) {
        task[i].index = i;
    }
    return task;
}

static const struct suite_case *case_of(const struct suite_list *list, const struct pool_task *task, int t)
{
    return suite_list_at(list, task[t].index);
}

/* Returns 1 if the case requests a fresh worker, 2 if it requests to run alone, else 0. */
static int rank_of(const struct suite_case *c)
{
    return c->procedure && c->procedure->alone ? 2 : c->procedure ? c->procedure->fresh : c->fresh;
}

/* The first halves of all operators come first, then the second halves, then tasks that request a fresh
 * worker. */
Test(queue, every_task_once_and_operators_in_two_pieces)
{
    struct suite_list *list = suite_list_create();
    struct queue queue;
    int count, changes = 0, last = -1, again = 0, programs = 0, large = 0;
    struct pool_task *task = all_tasks(list, &count);
    char *seen = calloc((size_t)count, 1);
    cr_assert(queue_open(&queue, list, task, count, 1, false));
    for (int given = 0; given < count; given++) {
        cr_assert_eq(queue.left, count - given);
        int was_in = queue.at[0], t = queue_peek(&queue, 0);
        cr_assert(t >= 0 && !seen[t]);
        cr_assert_eq(queue_peek(&queue, 0), t, "it stays until it is taken");
        queue_take(&queue, 0);
        seen[t] = 1;
        const struct suite_case *c = case_of(list, task, t);
        const struct suite_case *before = last >= 0 ? case_of(list, task, last) : NULL;
        int rank = rank_of(c), was = before ? rank_of(before) : 0;
        bool same = before && before->op == c->op && rank == 0 && queue.at[0] == was_in;
        changes += !same && rank == 0;
        programs += rank == 0;
        again += changes > op_count() && rank == 0;
        large += rank == 1 && !c->procedure;
        cr_assert(!same || t > last, "the plan's order within an operator");
        cr_assert(rank >= was, "programs, then fresh workers, then alone");
        last = t;
    }
    cr_assert_eq(queue_peek(&queue, 0), -1);
    cr_assert_eq(queue.left, 0);
    cr_assert_gt(large, 0, "a program that wants a worker of its own");
    cr_assert_eq(changes, 2 * op_count(), "%d", changes);
    cr_assert(4 * again > programs && 4 * again < 3 * programs, "%d of %d", again, programs);
    queue_close(&queue);
    free(seen);
    free(task);
    suite_list_destroy(&list);
}

/* A pipeline belongs to one dtype, so the worker with an operator's second half builds no pipeline again. */
Test(queue, the_two_pieces_of_an_operator_share_no_dtype)
{
    struct suite_list *list = suite_list_create();
    struct queue queue;
    int count, single = 0;
    struct pool_task *task = all_tasks(list, &count);
    cr_assert(queue_open(&queue, list, task, count, 1, false));
    for (int s = 0; s < queue.operators; s++) {
        bool in[2][DTYPE_COUNT] = {{false}};
        int programs[2] = {0}, dtypes[2] = {0};
        for (int piece = 0; piece < 2; piece++) {
            const struct queue_batch *batch = &queue.batch[s + piece * queue.operators];
            for (int t = batch->next; t < batch->end; t++) {
                const struct suite_case *c = case_of(list, task, queue.order[t]);
                dtypes[piece] += !in[piece][c->dtype];
                in[piece][c->dtype] = true;
                programs[piece]++;
            }
        }
        cr_assert(programs[0] > 0 && programs[1] > 0, "both pieces have some");
        const char *name = case_of(list, task, queue.order[queue.batch[s].next])->op->name;
        bool one = dtypes[0] == 1 && dtypes[1] == 1;
        for (int d = 0; d < DTYPE_COUNT; d++) {
            cr_assert(!in[0][d] || !in[1][d] || one, "%s: dtype %d is in both", name, d);
            single += in[0][d] && in[1][d];
        }
    }
    cr_assert_lt(single, queue.operators / 10, "few are of one dtype alone");
    queue_close(&queue);
    free(task);
    suite_list_destroy(&list);
}

/* Of 5, 4 and 3 programs of three dtypes the first 5 come first; of 3, 4 and 5 the first 7: that is nearest
 * to half. */
Test(queue, the_pieces_are_as_near_to_halves_as_dtypes_allow)
{
    struct suite_list *list = suite_list_create();
    static const enum dtype dtype[3] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32};
    static const int wanted[3][3] = {{5, 4, 3}, {3, 4, 5}, {1, 1, 9}}, first[3] = {5, 7, 2};
    for (int k = 0; k < 3; k++) {
        struct pool_task task[12];
        struct queue queue;
        int count = 0;
        for (int d = 0; d < 3; d++) {
            for (int i = 0, left = wanted[k][d]; left > 0; i++) {
                const struct suite_case *c = suite_list_at(list, i);
                if (c->op == op_find("exp") && c->dtype == dtype[d] && !c->procedure) {
                    task[count++] = (struct pool_task){.index = i};
                    left--;
                }
            }
        }
        cr_assert(queue_open(&queue, list, task, count, 1, false));
        cr_assert_eq(queue.batch[0].end - queue.batch[0].next, first[k], "%d of %d",
                     queue.batch[0].end - queue.batch[0].next, count);
        queue_close(&queue);
    }
    suite_list_destroy(&list);
}

/* Builds a queue with `wanted` cases of each named operator. */
static struct queue queue_of(const struct suite_list *list, const char *const *op, const int *wanted, int ops,
                             struct pool_task *task, int workers)
{
    int count = 0, expected = 0, all = suite_list_count(list);
    for (int o = 0; o < ops; o++) {
        expected += wanted[o];
        for (int i = 0, left = wanted[o]; i < all && left > 0; i++) {
            const struct suite_case *c = suite_list_at(list, i);
            if (c->op == op_find(op[o]) && !c->procedure) {
                task[count++] = (struct pool_task){.index = i};
                left--;
            }
        }
    }
    cr_assert_eq(count, expected);
    struct queue queue;
    cr_assert(queue_open(&queue, list, task, count, workers, false));
    return queue;
}

static void takes(struct queue *queue, int worker, int from, int count)
{
    for (int t = from; t < from + count; t++) {
        cr_assert_eq(queue_peek(queue, worker), t, "worker %d: %d, not %d", worker, queue_peek(queue, worker),
                     t);
        queue_take(queue, worker);
    }
}

Test(queue, a_worker_keeps_to_neighbours_and_to_operators_that_it_had)
{
    struct suite_list *list = suite_list_create();
    struct pool_task task[20];
    static const char *const op[5] = {"sgn", "matmul", "logdet", "argmax", "softmax"};
    static const int four[5] = {4, 4, 4, 4, 4};
    struct queue queue = queue_of(list, op, four, 5, task, 2);
    takes(&queue, 0, 0, 1);  /* sgn */
    takes(&queue, 1, 12, 2); /* argmax: half of the remaining tasks are before it */
    takes(&queue, 0, 1, 1);
    takes(&queue, 0, 4, 2);  /* matmul, its neighbour */
    takes(&queue, 1, 16, 2); /* softmax, the neighbour of argmax */
    takes(&queue, 1, 8, 2);  /* logdet, which no worker has */
    takes(&queue, 0, 2, 2);  /* second halves: each worker continues its own operators */
    takes(&queue, 1, 10, 2); /* the second half of logdet */
    takes(&queue, 0, 6, 2);
    takes(&queue, 1, 14, 2);
    takes(&queue, 0, 18, 2); /* the second half of softmax, which the other worker had */
    cr_assert_eq(queue_peek(&queue, 0), -1);
    cr_assert_eq(queue_peek(&queue, 1), -1);
    queue_close(&queue);
    suite_list_destroy(&list);
}

Test(queue, who_finds_nothing_of_its_own_helps_with_the_longest)
{
    struct suite_list *list = suite_list_create();
    struct pool_task task[8];
    static const char *const op[3] = {"sgn", "matmul", "logdet"};
    static const int wanted[3] = {1, 2, 5};
    struct queue queue = queue_of(list, op, wanted, 3, task, 3);
    takes(&queue, 0, 0, 1); /* sgn */
    takes(&queue, 1, 3, 1); /* logdet */
    takes(&queue, 2, 1, 1); /* matmul */
    takes(&queue, 2, 2, 1); /* the second half of matmul */
    takes(&queue, 0, 6, 1); /* the second half of logdet */
    takes(&queue, 2, 4, 1); /* helps with the longest half */
    takes(&queue, 1, 5, 1);
    takes(&queue, 1, 7, 1);
    cr_assert_eq(queue_peek(&queue, 2), -1);
    queue_close(&queue);
    suite_list_destroy(&list);
}

Test(queue, mixed_is_the_order_of_the_plan)
{
    struct suite_list *list = suite_list_create();
    struct queue queue;
    int count, last = -1, rank = 0;
    struct pool_task *task = all_tasks(list, &count);
    cr_assert(queue_open(&queue, list, task, count, 1, true));
    for (int given = 0; given < count; given++) {
        int t = queue_peek(&queue, 0);
        int now = rank_of(case_of(list, task, t));
        cr_assert(t > last || now > rank, "task %d after %d", t, last);
        last = t;
        rank = now;
        queue_take(&queue, 0);
    }
    cr_assert_eq(queue_peek(&queue, 0), -1);
    queue_close(&queue);
    free(task);
    suite_list_destroy(&list);
}
