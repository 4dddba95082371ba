/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_PLAN_H
#define ASSAY_SUITES_PLAN_PLAN_H

/* The plan of sizes: size classes and kinds of dimension (suites/plan/plan.def), which operator has which
 * dimensions (forms of the families, suites/plan/form.h), and how long the dimensions of a step really are,
 * whatever its case is called. */

#include "suites/suite.h"

enum plan_kind {
#define KIND(key_, name_, text_) PLAN_##key_,
#include "suites/plan/plan.def"
    PLAN_KINDS
};

enum { PLAN_AXES = 6, PLAN_TINY = 65, PLAN_SMALL = 129, PLAN_BESIDE = 1025, PLAN_LARGE = 5120 };

struct plan_axis {
    enum plan_kind kind;
    bool derived; /* follows from the other dimensions: measured, not chosen */
    /* sizes below `least` the operator refuses; above `most` the truth costs too much */
    int64_t least, most;
    int64_t telling; /* least size beside another dimension's size class; 0: `least` */
};

struct plan_form; /* suites/plan/form.h */

struct plan_operator {
    const char *name;
    const struct plan_form *form;
    struct plan_axis axis[PLAN_AXES + 1]; /* ended by one with most = 0 */
    bool dense; /* the result has an element for every row and column, however few entries there are */
};

/* An operator of the form plan_form_FORM, and its axes. The operator refuses sizes below `least`. Sizes above
 * `most` are postponed: their truth costs more than 0.2 s on one core with every other dimension at its
 * least. A derived axis follows from the others; it is measured but not chosen. TELLING: beside another
 * dimension's size the axis has at least the size `telling`, because smaller sizes give 0 whatever the
 * data. */
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

/* Initialises the members of a struct plan_form that list its operators. */
#define PLAN_OPERATORS(operators_)                                                                           \
    .count = (int)(sizeof operators_ / sizeof *operators_), .operators = operators_

int plan_operators(void);
const struct plan_operator *plan_operator(int index);
int plan_index(const struct plan_operator *planned);     /* the inverse of plan_operator() */
const struct plan_operator *plan_find(const char *name); /* NULL if the plan does not have it */
int plan_axes(const struct plan_operator *planned);      /* the number of axes */

const char *plan_kind_name(enum plan_kind kind);

/* Size classes, in ascending order of the sizes that calls use. */
int plan_classes(void);
int64_t plan_class_size(int class);
bool plan_class_holds(int class, int64_t size);           /* a size may belong to no class */
void plan_class_name(int class, char *text, size_t size); /* "257", "a prime of 256 to 511" */

/* Measures the length of each axis of the operator in the step; −1 if the step does not determine it. If one
 * axis is 0 the step computes nothing, and all axes that are not 0 are −1. */
void plan_measure_all(const struct plan_operator *planned, const struct program *program,
                      const struct step *step, int64_t size[PLAN_AXES]);

#endif
