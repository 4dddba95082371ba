/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_PLAN_H
#define ASSAY_SUITES_PLAN_PLAN_H

/* The plan of sizes as data (suites/plan/plan.def): classes of size, kinds of dimension, which operator has
 * which. And how long a step's dimensions really are, whatever its case is called. */

#include "suites/suite.h"

enum plan_kind {
#define KIND(key_, name_, text_) PLAN_##key_,
#include "suites/plan/plan.def"
    PLAN_KINDS
};

/* Operators whose dimensions are read off, and chosen, in the same way. */
enum plan_form {
    FORM_UNARY,
    FORM_MAPPED, /* an element of each operand */
    FORM_WRITES,
    FORM_SCALER,
    FORM_PRODUCT,
    FORM_MATRIX,
    FORM_NORM,
    FORM_REDUCTION,
    FORM_LAYER,
    FORM_GROUP,
    FORM_INSTANCE, /* as FORM_GROUP, with running statistics */
    FORM_CHANNELS,
    FORM_LOSS,
    FORM_SPARSE
};

enum { PLAN_AXES = 5, PLAN_TINY = 65, PLAN_SMALL = 129, PLAN_BESIDE = 1025, PLAN_LARGE = 5120 };

struct plan_axis {
    enum plan_kind kind;
    bool derived;        /* follows from the other dimensions */
    int64_t least, most; /* what the operator accepts; what its truth can pay for */
};

struct plan_operator {
    const char *name;
    enum plan_form form;
    struct plan_axis axis[PLAN_AXES + 1]; /* most 0 ends them */
};

int plan_operators(void);
const struct plan_operator *plan_operator(int index);
const struct plan_operator *plan_find(const char *name); /* NULL: the plan does not name it */
int plan_axes(const struct plan_operator *planned);      /* how many */

const char *plan_kind_name(enum plan_kind kind);

/* Classes of size, in the order of the sizes that are asked. */
int plan_classes(void);
int64_t plan_class_size(int class);
bool plan_class_holds(int class, int64_t size);           /* a size may belong to none */
void plan_class_name(int class, char *text, size_t size); /* "257", "a prime of 256 to 511" */

/* How long the dimension is in a step of that operator; −1 where the step does not tell. */
int64_t plan_measure(const struct plan_operator *planned, const struct program *program,
                     const struct step *step, enum plan_kind kind);

/* The same for all of an operator's axes. A step in which one of them is 0 computes nothing of the others,
 * which are −1 then. */
void plan_measure_all(const struct plan_operator *planned, const struct program *program,
                      const struct step *step, int64_t size[PLAN_AXES]);

#endif
