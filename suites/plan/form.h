/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_PLAN_FORM_H
#define ASSAY_SUITES_PLAN_FORM_H

/* What a family tells the plan of its operators. Operators whose dimensions are measured, and whose calls are
 * built, in the same way share a form. A file in the family's folder exports `const struct plan_form
 * plan_form_FAMILY_WHAT`; harness/registry.sh collects them. */

#include "suites/plan/plan.h"

struct call_builder; /* suites/plan/call_builder.h */
struct plan_call;    /* suites/plan/array.h */

/* The sizes of a call while the covering array chooses them. */
struct plan_choice {
    int64_t size[PLAN_KINDS]; /* 1 if the operator has no such dimension; the least size if it is open */
    bool open[PLAN_KINDS];    /* the dimension has no size yet */
    bool dense;               /* as in struct plan_operator */
    int variant;
};

/* The work that a call may cost, in elements read, written or multiplied. */
struct plan_budget {
    int64_t least; /* always allowed; 0: 512 */
    /* A call made for a size n may cost times·n + plus. If `times` is 0: 3·n for terms, n³/16 + 2 for an
     * order, 2·n for others. */
    int64_t times, plus;
    /* this holds beyond PLAN_LARGE too; otherwise such a size has the least sizes beside it */
    bool beyond_large;
};

/* Which sizes beyond PLAN_SMALL meet every variant. */
enum plan_variants_at {
    VARIANTS_AT_SMALL,  /* none */
    VARIANTS_AT_BESIDE, /* up to PLAN_BESIDE, and 4,097 */
    VARIANTS_AT_LARGE   /* up to PLAN_LARGE */
};

struct plan_form {
    int place; /* position in the plan: forms are sorted by it; no two have the same */
    int count;
    const struct plan_operator *operators;

    /* --- properties that the covering array depends on */
    /* number of forms of a call that are no size: orders of a norm, training and evaluation; 0: one */
    int variants;
    enum plan_variants_at variants_at;
    bool places;      /* one element can decide a sum, a statistic or a flag, and must take every place */
    int64_t pairs_to; /* all pairs are required of sizes up to here; 0: PLAN_SMALL */
    struct plan_budget budget;
    /* the work of a call; NULL: the product of its dimensions */
    int64_t (*work)(const struct plan_choice *choice);
    /* whether the operator accepts such a call; NULL: always */
    bool (*fits)(const struct plan_choice *choice);

    /* --- calls */
    unsigned (*dtypes)(const struct op *op); /* dtypes of the plan's calls; NULL: all of the operator's */
    bool no_other_dtypes;                    /* the family has no cases of its operators in other dtypes */
    void (*build)(const struct call_builder *m);
    /* The length of a dimension in a step of that operator; −1 if the step does not determine it. */
    int64_t (*measure)(const struct program *program, const struct step *step, enum plan_kind kind);
    int usual_variant; /* the variant of calls that are made for something other than a size */

    /* --- operands of one kind (inputs.c) */
    /* operands must not be all zero, equal or negative: probabilities, logarithms, classes */
    bool no_one_sided;
    bool distant; /* the family has its own cases of operands whose indices lie far apart */
    double large; /* magnitude of large numbers; 0: 100 */
    /* Maps the numbers in x, which replace the family's own data of an operand, into the operand's domain.
     * NULL: every number is in it. */
    void (*restrict_to_domain)(struct builder *b, int operand, const struct view *x);

    /* --- classes of calls (classes.c) */
    /* Whether the operand may broadcast along a dimension between others, and a builder of a step in which
     * operand `turn` does, with shapes from plan_middle_shape. NULL: no operand may. */
    bool (*broadcasts)(const struct op *op, int operand);
    void (*build_middle)(struct builder *b, int turn);
    bool reduces;     /* reduces the dimensions that the attribute `dim` names */
    bool transposes;  /* a square operand may be replaced by its transpose */
    bool zero_points; /* the operators have zero points, among others of uint8 */
    /* The number of channels in the step, or any number ≥ 0 if `step` is NULL; −1 if the operator has none.
     * NULL: no operator of the form has channels. */
    int64_t (*channels)(const struct op *op, const struct step *step);

    /* --- attributes in turn (turns.c) */
    /* Whether the shape of an operand depends on the attribute, which then cannot change alone. NULL: no. */
    bool (*decides_operands)(const struct op *op, const char *attribute);
    /* Adapts a call whose dimensions are all n (but two matrices or samples and four groups) so that its
     * attributes can be changed. NULL: no change is needed. */
    void (*prepare_turn)(const struct plan_operator *planned, struct plan_call *call, int64_t n);
    /* The operand whose NaN and large numbers would hide the effect of an attribute. NULL: there is none. */
    int (*decisive_operand)(const struct op *op);
};

/* Iterates over the forms in the plan's order: NULL gives the first, and the last gives NULL. */
const struct plan_form *plan_form_after(const struct plan_form *form);

/* For `dtypes`: all but int8, uint8, int64 and bool, which have cases of their own. */
unsigned plan_common_dtypes(const struct op *op);

#endif
