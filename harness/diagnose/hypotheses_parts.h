/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_DIAGNOSE_HYPOTHESES_PARTS_H
#define ASSAY_HARNESS_DIAGNOSE_HYPOTHESES_PARTS_H

/* What the files of the search share: hypotheses.c runs the groups, hypotheses_search.c keeps the best,
 * hypotheses_fit.c holds a result against a truth, hypotheses_copies.c copies what is to be changed,
 * hypotheses_rows.c tries a changed call on a few rows first,
 * hypotheses_change.c changes operands and attributes, hypotheses_result.c transforms results,
 * hypotheses_variance.c knows normalisations. */

#include "harness/diagnose/hypotheses.h"
#include "reference/program/settle.h"

struct search {
    const struct hypothesis_case *of;
    bool *refused[TRUTH_OUTPUTS_MAX]; /* elements that the truth refuses */
    int64_t refusals;
    double t; /* of the truth */
    struct hypothesis *best;
    double score; /* of the best */
    double deadline;
    bool memory; /* was short */
};

/* How a result is held against a truth. */
struct holding {
    const struct op *op;
    const struct truth *truth;
    const struct attributes *attributes;
    const struct profile *profile;
    const struct tensor *got;
    double factor;      /* the result is that many times the truth; 1: element by element as the judge does */
    enum dtype through; /* results are numbers of this format, half an ulp off; DTYPE_COUNT: none */
    bool refused_only;  /* elements that the truth accepts need no explanation */
    struct settle *settle; /* certifies values whose radius is no small part of their limit; NULL: as is */
};
struct holding holding_of(const struct search *s);

/* One element's centre and limit: B, or Q where the envelope decides and is smaller. */
struct limit {
    double centre, reach;   /* reach: infinity where nothing is refused */
    double spread, certain; /* S, N; S = 0: no envelope */
    bool finite;            /* the truth is a number */
};
struct limit limit_of(const struct holding *h, int output, int64_t element);

/* Whether a number lies within `slack` of the limits; *excess is max(0, |error| − N)/S. Only where the truth
 * is a number of one component. */
bool limit_holds(const struct holding *h, int output, int64_t element, double got, double slack,
                 double *excess);

/* Whether an element, as bytes, is accepted and within Q. */
bool element_fits(const struct holding *h, int output, int64_t element, const void *got, double *excess);

/* What came of holding all elements. */
struct fit {
    bool holds;
    double t;
    double gain; /* greatest |got − truth| over this truth's limit, of an element that the truth refuses */
    int64_t explained; /* elements that the truth refuses */
};
struct fit fit_all(const struct search *s, const struct holding *h);
/* Whether an element fits, by whichever of the ways the holding asks for. */
bool fits(const struct holding *h, int output, int64_t element, const void *got, double *excess);

/* Whether it explains, and whether it is sharp. */
bool fit_explains(const struct search *s, const struct fit *fit);

void search_offer(struct search *s, const struct fit *fit, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool search_late(struct search *s); /* time is up; asked before each recomputation */

const unsigned char *element_of(const struct tensor *tensor, int64_t element);

/* A copy of the call with inputs of its own. */
struct changed {
    struct op_call call;
    struct attributes attributes;
    struct tensor input[OPERANDS_MAX];
};
bool changed_create(struct changed *changed, const struct op_call *call);
void changed_destroy(struct changed *changed);
bool may_change(const struct op_call *call, int i); /* input i: present, floating, no indices */
const char *input_name(const struct search *s, int i);
/* Of all, values within radii. */
struct truth *changed_truth(struct search *s, const struct changed *changed);

/* Whether some rows of the call, if its rows know nothing of each other, already show that its truth is not
 * what came back: `h` as for all of it, but for the truth. Most hypotheses are wrong, and end here. */
bool rows_refute(const struct search *s, const struct changed *changed, const struct holding *h);

/* Element (i, j) of each matrix of the last two dimensions from where column-major order has it. */
bool misread(struct tensor *tensor); /* false where it has no such matrices */

/* All results, to be changed; to be destroyed also where it failed. */
bool got_copy(const struct search *s, struct tensor got[TRUTH_OUTPUTS_MAX]);
void got_destroy(const struct search *s, struct tensor got[TRUTH_OUTPUTS_MAX]);

/* The groups of hypotheses, in the order of their simplicity: what has a parameter that is fitted comes after
 * what has none. */
void try_memory(struct search *s); /* stale, operand-copied, zeros */
void try_sign(struct search *s);   /* wrong-sign */
void try_places(struct search *s); /* layout of the result, permutation, repeated-rows */
void try_attributes(struct search *s);
void try_operands(struct search *s); /* rounded */
void try_unbiased(struct search *s); /* unbiased-variance */
void try_factor(struct search *s);   /* scale */
void try_variance(struct search *s); /* naive-variance, eps-other */
void try_formats(struct search *s);  /* of results and of everything */
void try_layout(struct search *s);   /* operands misread */

#endif
