/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/size_coverage.h"

#include <stdlib.h>
#include <string.h>

static enum level *cell(const struct plan_coverage *coverage, int planned, int axis, int class)
{
    return &coverage->level[(planned * PLAN_AXES + axis) * plan_classes() + class];
}

enum level plan_coverage_at(const struct plan_coverage *coverage, int planned, int axis, int class)
{
    return *cell(coverage, planned, axis, class);
}

enum plan_state plan_state(const struct plan_axis *axis, int class)
{
    int64_t size = plan_class_size(class);
    return size < axis->least ? PLAN_REFUSED : size > axis->most ? PLAN_POSTPONED : PLAN_REQUESTED;
}

static void mark(struct plan_coverage *coverage, int planned, const struct program *program,
                 const struct step *step, enum level level)
{
    int64_t size[PLAN_AXES];
    const struct plan_operator *o = plan_operator(planned);
    plan_measure_all(o, program, step, size);
    for (int a = 0; a < plan_axes(o); a++) {
        for (int c = 0; size[a] >= 0 && c < plan_classes(); c++) {
            enum level *least = cell(coverage, planned, a, c);
            if (level < *least && plan_class_holds(c, size[a])) {
                *least = level;
            }
        }
    }
}

/* Records the sizes of the case's steps of that operator. A case that cannot be built has none. */
static void visit(struct plan_coverage *coverage, int planned, const struct suite_case *c)
{
    struct program *program = c->build ? suite_build(c, 1, NULL) : NULL;
    for (int s = 0; program && s < program->steps; s++) {
        const struct step *step = &program->step[s];
        if (step->expect == EXPECT_VALUE && strcmp(step->op->name, plan_operator(planned)->name) == 0) {
            mark(coverage, planned, program, step, c->level);
        }
    }
    program_destroy(&program);
}

static int missing(const struct plan_coverage *coverage, int planned, int axis)
{
    const struct plan_axis *of = &plan_operator(planned)->axis[axis];
    int count = 0;
    for (int c = 0; c < plan_classes(); c++) {
        bool requested = plan_state(of, c) == PLAN_REQUESTED;
        count += requested && plan_coverage_at(coverage, planned, axis, c) == LEVEL_COUNT;
    }
    return count;
}

static bool complete(const struct plan_coverage *coverage, int planned)
{
    bool whole = true;
    for (int a = 0; a < plan_axes(plan_operator(planned)); a++) {
        whole = whole && missing(coverage, planned, a) == 0;
    }
    return whole;
}

/* Visits the cases of the plan first, and other cases only of operators with gaps. */
bool plan_coverage_create(struct plan_coverage *coverage, const struct suite_list *list)
{
    size_t cells = (size_t)(plan_operators() * PLAN_AXES * plan_classes());
    coverage->level = malloc(cells * sizeof *coverage->level);
    for (size_t k = 0; coverage->level && k < cells; k++) {
        coverage->level[k] = LEVEL_COUNT;
    }
    for (int pass = 0; coverage->level && pass < 2; pass++) {
        for (int i = 0; i < suite_list_count(list); i++) {
            const struct suite_case *c = suite_list_at(list, i);
            const struct plan_operator *o = c->op ? plan_find(c->op->name) : NULL;
            bool planned = strstr(c->covers, "size_plan") != NULL;
            if (o && planned == (pass == 0) && (pass == 0 || !complete(coverage, plan_index(o)))) {
                visit(coverage, plan_index(o), c);
            }
        }
    }
    return coverage->level != NULL;
}

void plan_coverage_destroy(struct plan_coverage *coverage)
{
    free(coverage->level);
    coverage->level = NULL;
}

/* True if the class is in that state and, when requested, has its first case at `level` (LEVEL_COUNT: no
 * case). */
static bool is_so(const struct plan_coverage *coverage, int planned, int axis, int class,
                  enum plan_state state, enum level level)
{
    return class < plan_classes() && plan_state(&plan_operator(planned)->axis[axis], class) == state &&
           (state != PLAN_REQUESTED || plan_coverage_at(coverage, planned, axis, class) == level);
}

/* Writes classes in that state as " 3, 63 … 257": three or more consecutive classes by their ends. */
static void write_classes(FILE *file, const struct plan_coverage *coverage, int planned, int axis,
                          enum plan_state state, enum level level)
{
    const char *between = "";
    for (int c = 0; c < plan_classes(); c++) {
        char name[64];
        int last = c;
        while (is_so(coverage, planned, axis, last, state, level)) {
            last++;
        }
        if (last > c) {
            plan_class_name(c, name, sizeof name);
            fprintf(file, "%s %s", between, name);
            between = ",";
        }
        if (last > c + 2) {
            plan_class_name(last - 1, name, sizeof name);
            fprintf(file, " … %s", name);
            c = last - 1;
        }
    }
    fprintf(file, *between ? " |" : " – |");
}

static int write_axis(FILE *file, const struct plan_coverage *coverage, int planned, int axis)
{
    const struct plan_operator *o = plan_operator(planned);
    int gaps = missing(coverage, planned, axis), requested = 0;
    for (int c = 0; c < plan_classes(); c++) {
        requested += plan_state(&o->axis[axis], c) == PLAN_REQUESTED;
    }
    fprintf(file, "| %s | %s | %d of %d |", o->name, plan_kind_name(o->axis[axis].kind), requested - gaps,
            requested);
    write_classes(file, coverage, planned, axis, PLAN_REQUESTED, LEVEL_EXHAUSTIVE);
    write_classes(file, coverage, planned, axis, PLAN_REFUSED, LEVEL_COUNT);
    write_classes(file, coverage, planned, axis, PLAN_POSTPONED, LEVEL_COUNT);
    fprintf(file, gaps ? " no case:" : "");
    write_classes(file, coverage, planned, axis, PLAN_REQUESTED, LEVEL_COUNT);
    fprintf(file, "\n");
    return gaps;
}

int plan_coverage_write(FILE *file, const struct suite_list *list)
{
    struct plan_coverage coverage;
    int gaps = 0;
    if (!plan_coverage_create(&coverage, list)) {
        return -1;
    }
    fprintf(file, "| operator | dimension | sizes with a case | of them only at exhaustive | refused | "
                  "postponed | missing |\n|---|---|---:|---|---|---|---|\n");
    for (int o = 0; o < plan_operators(); o++) {
        for (int a = 0; a < plan_axes(plan_operator(o)); a++) {
            gaps += write_axis(file, &coverage, o, a);
        }
    }
    plan_coverage_destroy(&coverage);
    return gaps;
}
