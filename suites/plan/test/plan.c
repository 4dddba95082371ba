/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/array.h"
#include "suites/plan/call_builder.h"
#include "suites/plan/size_coverage.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(plan, classes_are_what_they_are_called)
{
    int64_t before = -1;
    int primes = 0;
    for (int c = 0; c < plan_classes(); c++) {
        char name[64];
        plan_class_name(c, name, sizeof name);
        cr_expect(plan_class_holds(c, plan_class_size(c)), "%s does not hold %lld", name,
                  (long long)plan_class_size(c));
        for (int other = 0; other < plan_classes(); other++) {
            cr_expect(other == c || !plan_class_holds(other, plan_class_size(c)), "%s is in two classes",
                      name);
        }
        primes += strncmp(name, "a prime", 7) == 0;
        before = plan_class_size(c) > before ? plan_class_size(c) : before;
    }
    cr_expect_eq(before, 65537);
    cr_expect_eq(primes, 9, "one in each octave from 8 to 4,095");
    for (int64_t power = 4; power <= 4096; power *= 2) {
        for (int64_t size = power - 1; size <= power + 1; size++) {
            bool held = false;
            for (int c = 0; c < plan_classes(); c++) {
                held = held || plan_class_holds(c, size);
            }
            cr_expect(held, "%lld is in no class", (long long)size);
        }
    }
}

/* The expected lengths are those in the names of the cases. */
Test(plan, dimensions_are_measured)
{
    static const struct {
        const char *id;
        enum plan_kind kind;
        int64_t size;
    } known[] = {
        {"linalg/matmul/float32/integers-13x31x11", PLAN_ROWS, 13},
        {"linalg/matmul/float32/integers-13x31x11", PLAN_TERMS, 31},
        {"linalg/linear/float32/integers-13x31x11", PLAN_COLUMNS, 11},
        {"linalg/matmul/float32/batch-broadcast", PLAN_BATCH, 24}, /* 2×1×3 with 4×1 */
        {"linalg/matmul/float32/vector-right", PLAN_COLUMNS, 1},
        {"linalg/logdet/float32/hilbert-n7", PLAN_ORDER, 7},
        {"norm/vector_norm/float32/length-257-p2", PLAN_TERMS, 257},
        {"norm/vector_norm/float32/cube-first-two-p2", PLAN_TERMS, 25},
        {"norm/vector_norm/float32/cube-first-two-p2", PLAN_ROWS, 5},
        {"norm/layer_norm_backward/float32/shape-3x5x7-last-two", PLAN_TERMS, 35},
        {"norm/layer_norm_backward/float32/shape-3x5x7-last-two", PLAN_ROWS, 3},
        {"norm/group_norm/float32/channels-70", PLAN_GROUPS, 35},
        {"norm/group_norm/float32/channels-70", PLAN_TERMS, 18},
        {"norm/batch_norm/float32/train-n1000", PLAN_TERMS, 1000},
        {"sparse/sparse_mm/float32/random-33x65", PLAN_ROWS, 33},
        {"sparse/sparse_mm/float32/random-33x65", PLAN_COLUMNS, 65},
        {"sparse/sparse_mm/float32/random-33x65", PLAN_ENTRIES, 300},
        {"sparse/sparse_mm/float32/random-33x65", PLAN_WIDTH, 5},
        {"sparse/coalesce/float32/one-row-257", PLAN_ROW_ENTRIES, 257},
        {"inplace/add_out/float32/grid-out-block", PLAN_COLUMNS, 5},
        {"inplace/add_out/float32/grid-out-block", PLAN_ROWS, 21},
    };
    struct suite_list *list = suite_list_create();
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        int index = suite_list_find(list, known[k].id);
        cr_assert_geq(index, 0, "%s", known[k].id);
        const struct suite_case *c = suite_list_at(list, index);
        struct program *program = suite_build(c, 1, NULL);
        int64_t size = plan_find(c->op->name)->form->measure(program, &program->step[0], known[k].kind);
        cr_expect_eq(size, known[k].size, "%s: %s is %lld", known[k].id, plan_kind_name(known[k].kind),
                     (long long)size);
        program_destroy(&program);
    }
    suite_list_destroy(&list);
}

static bool any(const struct plan_array *array, int axis, int64_t size, enum dtype dtype, enum layout layout)
{
    for (int k = 0; k < array->count; k++) {
        const struct plan_call *call = &array->call[k];
        if (call->size[axis] == size && (dtype == DTYPE_COUNT || call->dtype == dtype) &&
            (layout == LAYOUT_COUNT || call->layout == layout)) {
            return true;
        }
    }
    return false;
}

/* Each size class meets every dtype, and up to PLAN_SMALL a strided and a transposed layout. */
Test(plan, arrays_cover_their_pairs)
{
    static const char *const names[] = {"add_", "matmul", "vector_norm", "group_norm_backward", "csr_mm"};
    for (int n = 0; n < 5; n++) {
        const struct plan_operator *o = plan_find(names[n]);
        struct plan_array array, again;
        unsigned dtypes = plan_dtypes(o);
        cr_assert(plan_array_create(&array, o, dtypes) && plan_array_create(&again, o, dtypes));
        cr_assert_eq(array.count, again.count, "the array differs from one call to the next");
        for (int k = 0; k < array.count; k++) {
            cr_expect(memcmp(array.call[k].size, again.call[k].size, sizeof again.call[k].size) == 0);
            cr_expect_eq(array.call[k].dtype, again.call[k].dtype);
        }
        for (int a = 0; a < plan_axes(o); a++) {
            for (int c = 0; c < plan_classes(); c++) {
                int64_t size = plan_class_size(c);
                bool requested = plan_state(&o->axis[a], c) == PLAN_REQUESTED && !o->axis[a].derived;
                for (int d = 0; requested && d < DTYPE_COUNT && size <= PLAN_LARGE; d++) {
                    cr_expect(!(dtypes >> d & 1) || any(&array, a, size, (enum dtype)d, LAYOUT_COUNT),
                              "%s: %s = %lld in no call of dtype %d", o->name,
                              plan_kind_name(o->axis[a].kind), (long long)size, d);
                }
                if (requested && size > 0 && size <= PLAN_SMALL) {
                    cr_expect(any(&array, a, size, DTYPE_COUNT, LAYOUT_TRANSPOSED));
                    cr_expect(any(&array, a, size, DTYPE_COUNT, LAYOUT_STEPPED2));
                }
            }
        }
        plan_array_destroy(&again);
        plan_array_destroy(&array);
    }
}

/* Returns a list of the cases of one operator. */
static struct suite_list *only(const char *name)
{
    struct suite_list *list = suite_list_create();
    for (int i = suite_list_count(list) - 1; i >= 0; i--) {
        if (strcmp(suite_list_at(list, i)->op->name, name) != 0) {
            suite_list_drop(list, i);
        }
    }
    return list;
}

static int operator_index(const char *name)
{
    return plan_index(plan_find(name));
}

static bool shows(const struct suite_list *list, int index, const struct plan_operator *o, int axis,
                  int class)
{
    const struct suite_case *c = suite_list_at(list, index);
    struct program *program = c->build ? suite_build(c, 1, NULL) : NULL;
    bool shown = false;
    for (int s = 0; program && s < program->steps; s++) {
        int64_t size[PLAN_AXES];
        const struct step *step = &program->step[s];
        if (step->expect == EXPECT_VALUE && step->op == c->op) {
            plan_measure_all(o, program, step, size);
            shown = shown || (size[axis] >= 0 && plan_class_holds(class, size[axis]));
        }
    }
    program_destroy(&program);
    return shown;
}

/* A size is a gap once the cases that have it are dropped. */
Test(plan, a_size_without_its_case_is_a_gap_slow)
{
    static const char *const names[] = {"square", "slogdet"};
    for (int n = 0; n < 2; n++) {
        const struct plan_operator *o = plan_find(names[n]);
        int planned = operator_index(names[n]), axis = 0, gaps = 0;
        for (int class = 0; class < plan_classes(); class ++) {
            if (plan_state(&o->axis[axis], class) != PLAN_REQUESTED || plan_class_size(class) < 2047) {
                continue;
            }
            struct suite_list *list = only(names[n]);
            for (int i = suite_list_count(list) - 1; i >= 0; i--) {
                if (shows(list, i, o, axis, class)) {
                    suite_list_drop(list, i);
                }
            }
            struct plan_coverage coverage;
            cr_assert(plan_coverage_create(&coverage, list));
            bool gap = plan_coverage_at(&coverage, planned, axis, class) == LEVEL_COUNT;
            cr_expect(gap, "%s: %lld", names[n], (long long)plan_class_size(class));
            gaps += gap;
            plan_coverage_destroy(&coverage);
            suite_list_destroy(&list);
        }
        cr_expect_gt(gaps, 5);
    }
}

/* A gap raises the number from which `list --coverage` derives its exit status. */
Test(plan, the_only_case_of_a_size_makes_the_difference)
{
    struct suite_list *list = only("square");
    const struct plan_operator *o = plan_find("square");
    FILE *file = fopen("/dev/null", "w");
    int gaps = plan_coverage_write(file, list), class = plan_classes() - 1, shown = -1, count = 0;
    for (int i = 0; i < suite_list_count(list); i++) {
        if (shows(list, i, o, 0, class)) {
            shown = i;
            count++;
        }
    }
    cr_assert_eq(count, 1, "rows = 65,537 has %d cases", count);
    suite_list_drop(list, shown);
    cr_expect_gt(plan_coverage_write(file, list), gaps);
    fclose(file);
    suite_list_destroy(&list);
}

/* Each operator is at the position of its form, and plan_find() finds it. */
Test(plan, operators_of_a_form_follow_one_another)
{
    const struct plan_operator *before = NULL;
    for (int k = 0; k < plan_operators(); k++) {
        const struct plan_operator *o = plan_operator(k);
        cr_expect_eq(plan_index(o), k, "%s", o->name);
        cr_expect_eq(plan_find(o->name), o, "%s is in the plan twice", o->name);
        cr_expect_not_null(op_find(o->name), "there is no operator %s", o->name);
        cr_expect(!before || before->form == o->form || before->form->place < o->form->place, "%s", o->name);
        before = o;
    }
}
