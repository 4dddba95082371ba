/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_DIAGNOSE_HYPOTHESES_PARTS_H
#define ASSAY_HARNESS_DIAGNOSE_HYPOTHESES_PARTS_H

/* Internal interface of the diagnosis. hypotheses_program.c gathers a program's memory; hypotheses.c runs the
 * groups of hypotheses; hypotheses_search.c keeps the best one; hypotheses_fit.c compares a result with a
 * truth; hypotheses_copies.c copies what is to be changed; hypotheses_rows.c tries a changed call on a few
 * rows first; hypotheses_change.c changes operands and attributes; hypotheses_result.c transforms results;
 * hypotheses_variance.c tries wrong variances of normalizations; hypotheses_memory.c looks for memory that
 * was not written; hypotheses_ignored.c leaves out operands and attributes; hypotheses_range.c tries other
 * ends of a dtype's range; hypotheses_function.c other quotients and arguments of sine and cosine;
 * hypotheses_factor.c a common factor; hypotheses_growth.c compares how errors grow; hypotheses_sums.c
 * simulates sums in a narrow format; hypotheses_narrow.c tests whether the errors are those of such sums. */

#include "harness/diagnose/hypotheses.h"
#include "reference/program/refine.h"

/* The state of a search. */
struct search {
    const struct hypothesis_case *of;
    bool *refused[TRUTH_OUTPUTS_MAX]; /* per output: the elements that the truth refuses */
    int64_t refusals;
    double t; /* T of the result under the truth */
    struct hypothesis *best;
    double score; /* of `best` */
    double deadline;
    bool memory; /* out of memory */
};

/* How a result is compared with a truth. */
struct holding {
    const struct op *op;
    const struct truth *truth;
    const struct attributes *attributes;
    const struct profile *profile;
    const struct tensor *got;
    double factor; /* the result is this multiple of the truth; 1: element by element as the judge does */
    enum dtype through;    /* results are numbers of this format, within half its ulp; DTYPE_COUNT: none */
    bool refused_only;     /* elements that the truth accepts are not compared */
    struct refine *refine; /* certifies values whose radius is not small beside their bound; NULL: values are
                              used as they are */
};
struct holding holding_of(const struct search *s);

/* The centre and the error bound of one element: B, or Q if the envelope decides and Q is smaller. */
struct limit {
    double centre, reach;   /* reach: the bound; infinity if nothing is refused */
    double spread, certain; /* S, N; S = 0: no envelope */
    int64_t group;          /* of the envelope; < 0: none */
    bool finite;            /* the truth is a number */
};
struct limit limit_of(const struct holding *h, int output, int64_t element);

/* True if `got` lies within the element's error bound plus `slack`; *excess is max(0, |error| − N)/S, with
 * `slack` added to N. Only for finite truths of one component. */
bool limit_holds(const struct holding *h, int output, int64_t element, double got, double slack,
                 double *excess);

/* True if the element, given as bytes, is accepted and within Q; *excess is max(0, |error| − N)/S. */
bool element_fits(const struct holding *h, int output, int64_t element, const void *got, double *excess);

/* The result of comparing all elements. */
struct fit {
    bool holds;
    double t;
    double gain; /* greatest |got − truth| over this hypothesis' bound, of elements that the truth refuses */
    int64_t explained; /* number of elements that the truth refuses */
};
struct fit fit_all(const struct search *s, const struct holding *h);
/* True if the element fits: element_fits, or the comparison of scaled or narrow results that `h` requests. */
bool fits(const struct holding *h, int output, int64_t element, const void *got, double *excess);

/* True if the hypothesis explains the result and is sharp. */
bool fit_explains(const struct search *s, const struct fit *fit);

/* Offers a hypothesis under a name and with a text. If it explains the result, it becomes the best one or its
 * name is added to `also`. */
void search_offer(struct search *s, const struct fit *fit, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool search_late(struct search *s); /* true if time is up; to be called before each recomputation */

const unsigned char *element_of(const struct tensor *tensor, int64_t element);

/* A copy of a call with inputs of its own, which may be changed. */
struct changed {
    struct op_call call;
    struct attributes attributes;
    struct tensor input[OPERANDS_MAX];
};
bool changed_create(struct changed *changed, const struct op_call *call);
void changed_destroy(struct changed *changed);
bool may_change(const struct op_call *call, int i); /* input i is present, floating and no indices */
const char *input_name(const struct search *s, int i);
/* The truth of a changed call, its values within radii; the caller destroys it. NULL if the reference refuses
 * the call. */
struct truth *changed_truth(struct search *s, const struct changed *changed);

/* True if the shape rule allows the changed call and its results have the dtypes and shapes of the original
 * call. changed_truth requires it. */
bool changed_is_legal(const struct search *s, const struct changed *changed);

/* Computes the truth of the changed call and compares the result with it, as `h` says; the truth in `h` is
 * not used. The fit does not hold if time is up or the call is not legal. */
struct fit changed_fit(struct search *s, const struct changed *changed, struct holding h);

/* What a hypothesis that computes results itself predicts for one element of a result: a number, and how far
 * from it the result may be. */
struct prediction {
    double value, slack;
};
/* Predicts an element; false if the hypothesis says nothing about it, so that the truth must hold there. */
typedef bool predictor(const struct search *s, void *user, int output, int64_t element,
                       struct prediction *prediction);
/* Compares all results with what is predicted. */
struct fit fit_predicted(const struct search *s, predictor *predict, void *user);

/* A test of how errors grow. A hypothesis says that the error of each element is normal with standard
 * deviation a·`scale`, for one a, beside a rounding of standard deviation `base`. It competes with errors
 * that are proportional to the truth, that are equal for all, and, if given, that are proportional to
 * `other`. */
struct growth {
    int64_t capacity, count;
    int64_t *group;
    double *error, *base, *truth, *rival[4]; /* rival[0] is `scale` */
};
bool growth_open(struct growth *growth, int64_t capacity); /* false if out of memory */
void growth_close(struct growth *growth);
/* Adjacent elements of one group ≥ 0 share errors; < 0: the element is independent of the others. */
void growth_add(struct growth *growth, int64_t group, double error, double base, double scale, double truth,
                double other);
/* True if `scale` is more likely than each rival by e^4, where the elements of a group count as few as their
 * errors are alike. *size is its a. */
bool growth_favours(const struct growth *growth, double *size);
/* True if the elements of each group share one factor and one shift, and err by no more than their rounding
 * beside that. Two numbers per group say nothing of how errors grow. */
bool growth_is_common(const struct growth *growth);

/* Rounds a number to a format. */
double rounded_to(enum dtype format, double x);

/* Replaces element (i, j) of each matrix of the last two dimensions by the one that column-major order has
 * there. */
bool misread(struct tensor *tensor); /* false if there are no such matrices */

/* Copies all results, to be changed. got_destroy must be called even if this failed. */
bool got_copy(const struct search *s, struct tensor got[TRUTH_OUTPUTS_MAX]);
void got_destroy(const struct search *s, struct tensor got[TRUTH_OUTPUTS_MAX]);

/* The groups of hypotheses, the simplest first: those with a fitted parameter follow those without. */
void try_memory(struct search *s); /* stale, unwritten, zeros, operand-copied */
void try_sign(struct search *s);   /* wrong-sign */
void try_places(struct search *s); /* layout of the result, permutation, repeated-rows */
void try_range(struct search *s);  /* saturated, wrapped */
void try_attributes(struct search *s);
void try_ignored(struct search *s);   /* operand-ignored, ATTRIBUTE-ignored */
void try_operands(struct search *s);  /* operands-*: rounded operands */
void try_functions(struct search *s); /* reciprocal-multiply, argument-reduction */
void try_unbiased(struct search *s);  /* unbiased-variance */
void try_factor(struct search *s);    /* scale */
void try_variance(struct search *s);  /* naive-variance, eps-other */
void try_formats(struct search *s);   /* result-*, computed-*: a narrow format of results, or of all */
void try_sums(struct search *s);      /* accumulate-*: sums simulated in a narrow format */
void try_layout(struct search *s);    /* layout, of misread operands */
void try_narrow(struct search *s); /* accumulate-*: errors as large as a narrow format's, and as they grow */

#endif
