/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_FORM_H
#define ASSAY_SUITES_PLAN_FORM_H

/* What a family says of its operators to the plan. Operators whose dimensions are measured, and whose calls
 * are built, in the same way share a form. A file of the family's folder exports `const struct plan_form
 * plan_form_FAMILY_WHAT`; harness/registry.sh collects them. */

#include "suites/plan/plan.h"

struct call_builder; /* suites/plan/call_builder.h */
struct plan_call;    /* suites/plan/array.h */

/* The sizes of a call while the covering array is choosing them. */
struct plan_choice {
    int64_t size[PLAN_KINDS]; /* 1 where the operator has no such dimension; the least where it is open */
    bool open[PLAN_KINDS];    /* the dimension has no size yet */
    bool dense;               /* of the operator (struct plan_operator) */
    int variant;
};

/* How much work a call may be, in elements read, written or multiplied. */
struct plan_budget {
    int64_t least; /* 0: 512 */
    /* A call made for a size n may be times·n + plus; times 0: three of n terms, else two of n. */
    int64_t times, plus;
    bool beyond_large; /* beyond PLAN_LARGE as well; else such a size has nothing beside it */
};

/* The larger sizes that meet every variant. */
enum plan_variants_at {
    VARIANTS_AT_SMALL,  /* none beyond PLAN_SMALL */
    VARIANTS_AT_BESIDE, /* up to PLAN_BESIDE, and 4,097 */
    VARIANTS_AT_LARGE   /* up to PLAN_LARGE */
};

struct plan_form {
    int place; /* in the plan: forms stand there in ascending order; no two have the same place */
    int count;
    const struct plan_operator *operators;

    /* --- what the covering array takes into account */
    int variants; /* forms of a call that are no size: orders of a norm, training and evaluation; 0: one */
    enum plan_variants_at variants_at;
    bool places;      /* one element decides a sum, a statistic or a flag: it takes every place */
    int64_t pairs_to; /* all pairs are asked of sizes up to here; 0: PLAN_SMALL */
    struct plan_budget budget;
    int64_t (*work)(const struct plan_choice *choice); /* NULL: the product of the dimensions */
    bool (*fits)(const struct plan_choice *choice); /* whether the operator takes such a call; NULL: always */

    /* --- calls */
    unsigned (*dtypes)(const struct op *op); /* in which sizes are asked; NULL: all of the operator's */
    bool no_other_dtypes;                    /* the family asks its operators in no others at all */
    void (*build)(const struct call_builder *m);
    /* How long the dimension is in a step of that operator; −1 where the step does not tell. */
    int64_t (*measure)(const struct program *program, const struct step *step, enum plan_kind kind);
    int usual_variant; /* of calls that are there for something else than a size */

    /* --- operands of one kind (inputs.c) */
    bool no_one_sided; /* operands may not be all zero, equal or negative: probabilities, logarithms, classes
                        */
    bool distant;      /* the family itself asks operands whose indices lie far apart */
    double large;      /* the size of large numbers; 0: 100 */
    /* Brings numbers that were put into operand number `operand` in place of the family's own into its
     * domain; NULL: every number is in it. */
    void (*restrict_to_domain)(struct builder *b, int operand, const struct view *x);

    /* --- classes of calls (classes.c) */
    /* Whether the operand may broadcast along a dimension between others; and a step in which operand `turn`
     * of the call does: plan_middle_shape gives the operands' shapes. NULL: no operand may. */
    bool (*broadcasts)(const struct op *op, int operand);
    void (*build_middle)(struct builder *b, int turn);
    bool reduces;     /* the dimensions that the attribute `dim` names */
    bool transposes;  /* a square operand may be replaced by its transpose */
    bool zero_points; /* operators have zero points, of uint8 among others */
    /* How many channels the step has; any number ≥ 0 where step is NULL. −1: the operator has none. NULL: no
     * operator of the form has. */
    int64_t (*channels)(const struct op *op, const struct step *step);

    /* --- attributes in turn (turns.c) */
    /* Changes a call whose dimensions are all n, but for two matrices or samples and four groups, so that its
     * attributes can be changed as well; NULL: they can. */
    void (*prepare_turn)(const struct plan_operator *planned, struct plan_call *call, int64_t n);
    /* The operand whose NaN and large numbers would hide what another attribute gives. NULL: there is none.
     */
    int (*decisive_operand)(const struct op *op);
};

/* The forms in the plan's order; NULL after the last one. */
const struct plan_form *plan_form_after(const struct plan_form *form); /* NULL: the first */

/* For `dtypes`: all but int8, uint8, int64 and bool, which have cases of their own. */
unsigned plan_common_dtypes(const struct op *op);

#endif
