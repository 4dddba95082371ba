/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_PLAN_H
#define ASSAY_SUITES_PLAN_PLAN_H

/* The plan of sizes: classes of size and kinds of dimension (suites/plan/plan.def), and which operator has
 * which, as the families' forms say (suites/plan/form.h). And how long a step's dimensions really are,
 * whatever its case is called. */

#include "suites/suite.h"

enum plan_kind {
#define KIND(key_, name_, text_) PLAN_##key_,
#include "suites/plan/plan.def"
    PLAN_KINDS
};

enum { PLAN_AXES = 5, PLAN_TINY = 65, PLAN_SMALL = 129, PLAN_BESIDE = 1025, PLAN_LARGE = 5120 };

struct plan_axis {
    enum plan_kind kind;
    bool derived;        /* follows from the other dimensions */
    int64_t least, most; /* what the operator accepts; what its truth can pay for */
    int64_t telling;     /* the least size that is chosen beside another dimension's; 0: `least` */
};

struct plan_form; /* suites/plan/form.h */

struct plan_operator {
    const char *name;
    const struct plan_form *form;
    struct plan_axis axis[PLAN_AXES + 1]; /* most 0 ends them */
    bool dense; /* its result has an element for every row and column, however few entries there are */
};

/* An operator of the form plan_form_FORM, and its axes: sizes below `least` the operator refuses, the truth
 * of sizes above `most` costs more than 0.2 s on one core with every other dimension at its least: postponed.
 * A derived axis follows from the others, and is looked for but not chosen. TELLING: beside another
 * dimension's size it is `telling` at least, because smaller sizes give 0 whatever the data. */
#define PLAN_AXIS(kind_, least_, most_)                                                                      \
    {                                                                                                        \
        .kind = PLAN_##kind_, .least = least_, .most = most_                                                 \
    }
#define PLAN_DERIVED(kind_, least_, most_)                                                                   \
    {                                                                                                        \
        .kind = PLAN_##kind_, .least = least_, .most = most_, .derived = true                                \
    }
#define PLAN_TELLING(kind_, least_, most_, telling_)                                                         \
    {                                                                                                        \
        .kind = PLAN_##kind_, .least = least_, .most = most_, .telling = telling_                            \
    }
#define PLAN_OPERATOR(name_, form_, ...)                                                                     \
    {                                                                                                        \
        .name = name_, .form = &plan_form_##form_, .axis = { __VA_ARGS__ }                                   \
    }
#define PLAN_FLAT PLAN_AXIS(ROWS, 0, 65537), PLAN_AXIS(COLUMNS, 0, 65537)

/* The members of a struct plan_form that say which operators have it. */
#define PLAN_OPERATORS(operators_)                                                                           \
    .count = (int)(sizeof operators_ / sizeof *operators_), .operators = operators_

int plan_operators(void);
const struct plan_operator *plan_operator(int index);
int plan_index(const struct plan_operator *planned);     /* the other way round */
const struct plan_operator *plan_find(const char *name); /* NULL: the plan does not name it */
int plan_axes(const struct plan_operator *planned);      /* how many */

const char *plan_kind_name(enum plan_kind kind);

/* Classes of size, in the order of the sizes that are asked. */
int plan_classes(void);
int64_t plan_class_size(int class);
bool plan_class_holds(int class, int64_t size);           /* a size may belong to none */
void plan_class_name(int class, char *text, size_t size); /* "257", "a prime of 256 to 511" */

/* How long each axis of the operator is in the step; −1 where the step does not tell. A step in which one of
 * them is 0 computes nothing of the others, which are −1 then. */
void plan_measure_all(const struct plan_operator *planned, const struct program *program,
                      const struct step *step, int64_t size[PLAN_AXES]);

#endif
