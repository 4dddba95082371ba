/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/queue.h"
#include "suites/shared/procedure.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Every case there is, in the order of the plan. */
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

/* 1: for a worker of its own; 2: alone on the machine. */
static int rank_of(const struct suite_case *c)
{
    return c->procedure && c->procedure->alone ? 2 : c->procedure ? c->procedure->fresh : c->fresh;
}

/* Half of every operator in one piece, then the other halves, then what wants a worker of its own. */
Test(queue, every_task_once_and_operators_in_two_pieces)
{
    struct suite_list *list = suite_list_create();
    struct queue queue;
    int count, stretch = -1, changes = 0, last = -1, again = 0, programs = 0, large = 0;
    struct pool_task *task = all_tasks(list, &count);
    char *seen = calloc((size_t)count, 1);
    cr_assert(queue_open(&queue, list, task, count, false));
    for (int given = 0; given < count; given++) {
        cr_assert_eq(queue.left, count - given);
        int was_in = stretch, t = queue_peek(&queue, &stretch);
        cr_assert(t >= 0 && !seen[t]);
        cr_assert_eq(queue_peek(&queue, &stretch), t, "it stays until it is taken");
        queue_take(&queue, stretch);
        seen[t] = 1;
        const struct suite_case *c = case_of(list, task, t);
        const struct suite_case *before = last >= 0 ? case_of(list, task, last) : NULL;
        int rank = rank_of(c), was = before ? rank_of(before) : 0;
        bool same = before && before->op == c->op && rank == 0 && stretch == was_in;
        changes += !same && rank == 0;
        programs += rank == 0;
        again += changes > op_count() && rank == 0;
        large += rank == 1 && !c->procedure;
        cr_assert(!same || t > last, "the plan's order within an operator");
        cr_assert(rank >= was, "programs, then fresh workers, then alone");
        last = t;
    }
    cr_assert_eq(queue_peek(&queue, &stretch), -1);
    cr_assert_eq(queue.left, 0);
    cr_assert_gt(large, 0, "a program that wants a worker of its own");
    cr_assert_eq(changes, 2 * op_count(), "%d", changes);
    cr_assert(again > programs / 2 - op_count() && again <= programs / 2, "%d of %d", again, programs);
    queue_close(&queue);
    free(seen);
    free(task);
    suite_list_destroy(&list);
}

Test(queue, workers_take_operators_of_their_own_and_help_with_the_longest)
{
    struct suite_list *list = suite_list_create();
    int count = 0, stretch[3] = {-1, -1, -1}, all = suite_list_count(list);
    struct pool_task task[8];
    const struct op *op[3] = {op_find("sgn"), op_find("matmul"), op_find("logdet")};
    const int wanted[3] = {1, 2, 5};
    for (int o = 0; o < 3; o++) {
        for (int i = 0, left = wanted[o]; i < all && left > 0; i++) {
            const struct suite_case *c = suite_list_at(list, i);
            if (c->op == op[o] && !c->procedure) {
                task[count++] = (struct pool_task){.index = i};
                left--;
            }
        }
    }
    cr_assert_eq(count, 8);
    struct queue queue;
    cr_assert(queue_open(&queue, list, task, count, false));
    static const int by[8] = {0, 1, 2, 2, 0, 1, 1, 0};
    /* sgn; matmul; logdet twice; matmul's second; logdet's two; help with its first */
    static const int takes[8] = {0, 1, 3, 4, 2, 6, 7, 5};
    for (int k = 0; k < 8; k++) {
        cr_assert_eq(queue_peek(&queue, &stretch[by[k]]), takes[k], "%d", k);
        queue_take(&queue, stretch[by[k]]);
    }
    cr_assert_eq(queue_peek(&queue, &stretch[2]), -1);
    queue_close(&queue);
    suite_list_destroy(&list);
}

Test(queue, mixed_is_the_order_of_the_plan)
{
    struct suite_list *list = suite_list_create();
    struct queue queue;
    int count, stretch = -1, last = -1, rank = 0;
    struct pool_task *task = all_tasks(list, &count);
    cr_assert(queue_open(&queue, list, task, count, true));
    for (int given = 0; given < count; given++) {
        int t = queue_peek(&queue, &stretch);
        int now = rank_of(case_of(list, task, t));
        cr_assert(t > last || now > rank, "task %d after %d", t, last);
        last = t;
        rank = now;
        queue_take(&queue, stretch);
    }
    cr_assert_eq(queue_peek(&queue, &stretch), -1);
    queue_close(&queue);
    free(task);
    suite_list_destroy(&list);
}
