/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/shrink/problem.h"
#include "harness/shrink/shrink_parts.h"
#include "harness/shrink/ties.h"
#include "suites/suite.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tests calls taken from the suite's cases, and which of their dimensions belong together. */

TestSuite(problem, .timeout = 120);

/* Calls `each` with the call of every smoke case of one step. Returns the number of calls. */
static int of_cases(void (*each)(const char *id, const struct program *program,
                                 const struct problem *problem))
{
    struct suite_list *list = suite_list_create();
    int count = 0;
    cr_assert_not_null(list);
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        struct error error = {.text = ""};
        struct problem problem;
        if (c->level != LEVEL_SMOKE || c->procedure) {
            continue;
        }
        struct program *program = suite_build(c, 1, &error);
        cr_assert_not_null(program, "%s: %s", suite_list_id(list, i), error.text);
        if (problem_of_program(&problem, program, &error)) {
            each(suite_list_id(list, i), program, &problem);
            count++;
        }
        problem_clear(&problem);
        program_destroy(&program);
    }
    suite_list_destroy(&list);
    return count;
}

static void compare_views(const char *id, const struct program *a, const struct view *x,
                          const struct program *b, const struct view *y)
{
    cr_assert_eq(x->storage < 0, y->storage < 0, "%s", id);
    if (x->storage < 0) {
        return;
    }
    const struct storage *s = &a->storage[x->storage], *t = &b->storage[y->storage];
    size_t size = dtype_info(x->dtype)->size;
    cr_expect_eq(x->dtype, y->dtype);
    cr_expect(shape_equal(&x->shape, &y->shape), "%s", id);
    cr_expect_eq(memcmp(x->stride, y->stride, (size_t)x->shape.rank * sizeof *x->stride), 0, "%s", id);
    cr_expect_eq(x->offset, y->offset, "%s", id);
    cr_expect_eq(s->origin, t->origin, "%s", id);
    cr_expect_eq(s->bytes, t->bytes, "%s", id);
    for (int64_t e = 0; e < shape_elements(&x->shape); e++) {
        size_t at = (size_t)view_element(x, e) * size;
        cr_assert_eq(storage_defined(s, at), storage_defined(t, at), "%s: element %d", id, (int)e);
        cr_assert(!storage_defined(s, at) || memcmp(s->data + at, t->data + at, size) == 0, "%s: element %d",
                  id, (int)e);
    }
}

static void is_the_case(const char *id, const struct program *program, const struct problem *problem)
{
    struct program *made = program_create();
    struct error error = {.text = ""};
    cr_assert(problem_place(problem->op, &problem->attributes, &problem->inputs, made, &error), "%s: %s", id,
              error.text);
    const struct step *a = &program->step[0], *b = &made->step[0];
    cr_assert_eq(a->inputs, b->inputs);
    cr_expect_eq(a->exact, b->exact, "%s", id);
    for (int i = 0; i < a->inputs; i++) {
        compare_views(id, program, &a->input[i], made, &b->input[i]);
        for (int j = 0; j < i; j++) {
            bool shared = a->input[i].storage >= 0 && a->input[i].storage == a->input[j].storage;
            cr_expect_eq(shared, b->input[i].storage >= 0 && b->input[i].storage == b->input[j].storage,
                         "%s: operands %d and %d", id, i, j);
        }
    }
    program_destroy(&made);
}

Test(problem, the_call_of_a_case_is_the_case)
{
    cr_expect_gt(of_cases(is_the_case), 1500);
}

/* --- ties */

static int halved, halvable;

static void halves_are_taken(const char *id, const struct program *program, const struct problem *problem)
{
    static struct ties ties;
    (void)program;
    ties_find(&ties, problem);
    for (int t = 0; t < ties.count; t++) {
        const struct tie *tie = &ties.tie[t];
        struct problem less;
        int64_t *kept = calloc((size_t)tie->length, sizeof *kept), count = (tie->length + 1) / 2;
        for (int64_t k = 0; k < count; k++) {
            kept[k] = k;
        }
        halvable++;
        if (tie_keep(&less, problem, &ties, tie, kept, count)) {
            struct program *made = program_create();
            struct error error = {.text = ""};
            cr_expect(problem_place(less.op, &less.attributes, &less.inputs, made, &error), "%s: %s", id,
                      error.text);
            cr_expect(made->steps == 1 && made->step[0].expect == EXPECT_VALUE, "%s", id);
            program_destroy(&made);
            problem_clear(&less);
            halved++;
        }
        free(kept);
    }
}

/* The refused halves are of operands that share memory in a way that has no smaller form, or of sparse
 * matrices that would lose all entries. */
Test(problem, nearly_every_length_has_a_half)
{
    of_cases(halves_are_taken);
    cr_expect_gt(halvable, 3000);
    cr_expect_gt(halved, halvable * 95 / 100, "%d of %d", halved, halvable);
}

/* Makes a call on zeros. */
static void set(struct problem *problem, const char *op, int inputs, const struct shape *shape)
{
    *problem = (struct problem){.op = op_find(op)};
    cr_assert_not_null(problem->op);
    for (int i = 0; i < inputs; i++) {
        cr_assert(tensor_create(&problem->inputs.input[i], DTYPE_FLOAT32, &shape[i]));
        problem->inputs.inputs++;
    }
}

static struct ties ties;

static void expect_tie(int operand, int dimension, int members)
{
    const struct tie *tie = ties_of(&ties, operand, dimension);
    cr_assert_not_null(tie, "operand %d, dimension %d", operand, dimension);
    cr_expect_eq(tie->members, members, "operand %d, dimension %d: %d", operand, dimension, tie->members);
}

/* All lengths are equal, so that only the shape rule tells which belong together. */
Test(problem, dimensions_of_a_product_are_distinguished)
{
    struct problem problem;
    const struct shape square[] = {shape_of(2, (int64_t)8, (int64_t)8), shape_of(2, (int64_t)8, (int64_t)8)};
    set(&problem, "matmul", 2, square);
    ties_find(&ties, &problem);
    cr_expect_eq(ties.count, 3);
    expect_tie(0, 0, 1);
    expect_tie(0, 1, 2);
    expect_tie(1, 1, 1);
    cr_expect_eq(ties_of(&ties, 0, 1), ties_of(&ties, 1, 0));
    problem_clear(&problem);
}

Test(problem, a_square_matrix_loses_rows_and_columns_together)
{
    struct problem problem, less;
    const struct shape shape[] = {shape_of(3, (int64_t)3, (int64_t)3, (int64_t)3)};
    const int64_t kept[] = {0, 2};
    set(&problem, "logdet", 1, shape);
    for (int64_t k = 0; k < 27; k++) {
        dtype_store(DTYPE_FLOAT32, problem.inputs.input[0].data + 4 * k, (double)k);
    }
    ties_find(&ties, &problem);
    cr_expect_eq(ties.count, 2);
    expect_tie(0, 0, 1);
    expect_tie(0, 1, 2);
    cr_assert(tie_keep(&less, &problem, &ties, ties_of(&ties, 0, 1), kept, 2));
    const double left[] = {0, 2, 6, 8, 9, 11, 15, 17, 18, 20, 24, 26};
    for (int64_t k = 0; k < 12; k++) {
        cr_expect_eq(tensor_component(&less.inputs.input[0], k), left[k]);
    }
    problem_clear(&less);
    problem_clear(&problem);
}

Test(problem, a_weight_goes_with_its_dimension_and_its_attribute)
{
    struct problem problem, less;
    const struct shape shape[] = {shape_of(3, (int64_t)4, (int64_t)4, (int64_t)4), shape_of(1, (int64_t)4),
                                  shape_of(1, (int64_t)4)};
    const int64_t kept[] = {1, 2, 3};
    set(&problem, "layer_norm", 3, shape);
    problem.attributes.item[problem.attributes.count++] = (struct attribute){
        .name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(1, (int64_t)4)};
    ties_find(&ties, &problem);
    cr_expect_eq(ties.count, 3);
    expect_tie(0, 2, 4);
    cr_assert(tie_keep(&less, &problem, &ties, ties_of(&ties, 0, 2), kept, 3));
    cr_expect_eq(less.inputs.input[1].shape.dim[0], 3);
    cr_expect_eq(less.attributes.item[0].integers.item[0], 3);
    problem_clear(&less);
    problem_clear(&problem);
}

Test(problem, a_number_of_groups_follows_its_channels)
{
    struct problem problem, less;
    const struct shape shape[] = {shape_of(3, (int64_t)2, (int64_t)6, (int64_t)5), shape_of(1, (int64_t)6)};
    const int64_t group[] = {0, 1, 2}, some[] = {0, 1};
    set(&problem, "group_norm", 2, shape);
    problem.attributes.item[problem.attributes.count++] =
        (struct attribute){.name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = 2};
    ties_find(&ties, &problem);
    expect_tie(0, 1, 2);
    cr_assert(tie_keep(&less, &problem, &ties, ties_of(&ties, 0, 1), group, 3));
    cr_expect_eq(less.attributes.item[0].integer, 1);
    problem_clear(&less);
    cr_assert(tie_keep(&less, &problem, &ties, ties_of(&ties, 0, 1), some, 2));
    cr_expect_eq(less.attributes.item[0].integer, 2, "2 still divides what is left");
    problem_clear(&less);
    problem_clear(&problem);
}

/* The entries of a removed row are removed, and later rows move up. */
Test(problem, a_sparse_matrix_loses_a_row_with_its_entries)
{
    struct problem problem, less;
    const struct shape shape[] = {shape_of(2, (int64_t)2, (int64_t)4), shape_of(1, (int64_t)4),
                                  shape_of(2, (int64_t)3, (int64_t)2)};
    static const int64_t index[] = {2, 0, 1, 2, 0, 1, 2, 2};
    const int64_t kept[] = {0, 2};
    set(&problem, "sparse_mm", 3, shape);
    tensor_destroy(&problem.inputs.input[0]);
    cr_assert(tensor_create(&problem.inputs.input[0], DTYPE_INT64, &shape[0]));
    memcpy(problem.inputs.input[0].data, index, sizeof index);
    for (int64_t k = 0; k < 4; k++) {
        dtype_store(DTYPE_FLOAT32, problem.inputs.input[1].data + 4 * k, (double)k + 1);
    }
    problem.attributes.item[problem.attributes.count++] = (struct attribute){
        .name = "size", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(2, (int64_t)3, (int64_t)3)};
    ties_find(&ties, &problem);
    const struct tie *rows = NULL;
    for (int t = 0; t < ties.count; t++) {
        const struct member *member = &ties.tie[t].member[0];
        rows = member->kind == MEMBER_ATTRIBUTE && member->place == 0 ? &ties.tie[t] : rows;
    }
    cr_assert_not_null(rows);
    cr_expect_eq(rows->members, 1);
    cr_assert(tie_keep(&less, &problem, &ties, rows, kept, 2));
    const double places[] = {1, 0, 1, 0, 1, 2}, values[] = {1, 2, 4};
    cr_assert_eq(less.inputs.input[0].shape.dim[1], 3);
    for (int64_t k = 0; k < 6; k++) {
        cr_expect_eq(tensor_component(&less.inputs.input[0], k), places[k]);
    }
    for (int64_t k = 0; k < 3; k++) {
        cr_expect_eq(tensor_component(&less.inputs.input[1], k), values[k]);
    }
    problem_clear(&less);
    problem_clear(&problem);
}

/* --- the same failure */

static const struct outcome first = {.known = true,
                                     .status = STATUS_FAIL,
                                     .rule = "bound",
                                     .margin = 1000,
                                     .resolution = 1e-5,
                                     .valued = true,
                                     .numbered = true,
                                     .hypothesis = "scale"};

Test(problem, another_failure_is_not_the_same)
{
    struct outcome other = first;
    cr_expect(shrink_is_same(&first, &other));
    other.margin = 4;
    cr_expect(shrink_is_same(&first, &other));
    other.margin = 3.9;
    cr_expect_not(shrink_is_same(&first, &other), "marginal");
    other = first;
    strcpy(other.rule, "nan");
    cr_expect_not(shrink_is_same(&first, &other), "another rule");
    other = first;
    other.resolution = INFINITY;
    cr_expect_not(shrink_is_same(&first, &other), "vacuous");
    other = first;
    other.hypothesis[0] = '\0';
    cr_expect_not(shrink_is_same(&first, &other), "another cause");
    other = first;
    other.numbered = false;
    cr_expect_not(shrink_is_same(&first, &other), "another class");
    other = first;
    other.status = STATUS_CRASH;
    cr_expect_not(shrink_is_same(&first, &other), "another status");
    other = first;
    other.known = false;
    cr_expect_not(shrink_is_same(&first, &other));
}

/* A failure with a small margin may keep a small one: the square root of the first. */
Test(problem, a_marginal_failure_can_shrink)
{
    struct outcome thin = first, other;
    thin.margin = 1.44;
    other = thin;
    other.margin = 1.21;
    cr_expect(shrink_is_same(&thin, &other));
    other.margin = 1.19;
    cr_expect_not(shrink_is_same(&thin, &other));
}

Test(problem, a_crash_ends_alike)
{
    struct outcome crash = {
        .known = true, .status = STATUS_CRASH, .reason = "killed by SIGSEGV in phase run"};
    struct outcome other = crash;
    cr_expect(shrink_is_same(&crash, &other));
    strcpy(other.reason, "killed by SIGABRT in phase run");
    cr_expect_not(shrink_is_same(&crash, &other));
}
