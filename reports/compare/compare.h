/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_COMPARE_COMPARE_H
#define ASSAY_REPORTS_COMPARE_COMPARE_H

/* What changed between two runs of the same cases, of two releases of a driver say: verdicts, errors within
 * the tolerance, curves of time and memory. Two devices, or two backends, make a table instead: that one is
 * worse than the other is no regression. Reads records only. */

#include "reports/clusters.h"
#include "reports/records/record.h"

struct compare_options {
    double error_ratio; /* new / old error-to-bound that counts as worse, > 1 */
    double least_error; /* of the bound: what stays below it is never worse */
    double curve_ratio; /* new / old, median over a curve's points, that counts as worse, > 1 */
    bool no_curves;     /* curves are left out */
    int64_t shown;      /* kinds of each change that are shown; 0: all */
    bool by_family;     /* the table has a row per family, not per operator */
    bool subset;        /* the new run is meant to hold fewer cases: those that are gone are counted only */
    unsigned gate;      /* what is asked to fail: of GATE_OF_COMPARE */
};

enum change_kind {
    CHANGE_VERDICT_WORSE, /* passed, does not pass now */
    CHANGE_GONE,          /* measured before, not in the new run */
    CHANGE_ERROR_WORSE,   /* passes, with a larger error */
    CHANGE_CURVE_WORSE,   /* costs more */
    CHANGE_SHARPER, /* another reference judges it more sharply: fails by the envelope, or is vacuous, or its
                       limit is narrower; not worse */
    CHANGE_VERDICT_BETTER,
    CHANGE_ERROR_BETTER,
    CHANGE_CURVE_BETTER,
    CHANGE_KINDS
};

struct change {
    enum change_kind kind;
    bool verdict;                        /* the verdict changed, not only a number */
    const struct record *before, *after; /* borrowed; after is NULL for a case that is gone */
    const char *series;                  /* of a curve; else NULL */
    double from, to, ratio; /* error / bound, or the curve's value at the point of the greatest ratio */
    double at;              /* that point's x; NaN for none */
};

struct compare_match {
    const struct record *before, *after;
};

/* Two headers that speak for the same cases; either may be NULL where a file has none. */
struct compare_pair {
    const struct record_header *before, *after;
};

struct comparison {
    int changes;
    struct change *change;       /* by kind, then by ratio, the greatest first */
    int compared;                /* cases in both, with the same inputs */
    struct compare_match *match; /* those, by id */
    int only_before, only_after;
    int other_inputs; /* the same case with other inputs: another seed or another assay; not compared */
    int curves;       /* compared */
    int excused;      /* curves beyond the ratio, but not beyond their spreads and the machine's pace */
    int unsure;       /* curves of time without a spread, of older files: the ratio alone decides */
    int pairs;
    struct compare_pair *pair;
    char why[256]; /* why this makes a table: "different devices: … and …"; "": it does not */
    char *not_whole; /* "the old run: vulkan: 3 of 8 …" (reports/records/losses.h), one line; NULL: both runs are whole */
};

/* "More sharply" is told of cases whose two headers name different references, and whose error in ulps has
 * not grown by error_ratio: what got worse by itself stays worse, and so does everything under one reference.
 *
 * A curve counts where the median of new/old over its points is beyond curve_ratio, what the machine's pace
 * explains taken out, and more than half of its points differ by more than their two spreads together.
 *
 * A case of one file meets the same case of the same backend in the other; where each file speaks for one
 * backend only, their names may differ. False when out of memory. */
bool compare_build(const struct results *before, const struct results *after,
                   const struct compare_options *options, struct comparison *comparison);
void compare_destroy(struct comparison *comparison);

/* Whether anything got worse. */
bool compare_worse(const struct comparison *comparison);

/* What fails then: `options.gate`, and GATE_WORSE but for a table and unless GATE_NONE is asked. A run that is
 * not whole fails under any gate: nobody knows what it has lost. */
unsigned compare_gate(const struct comparison *comparison, const struct compare_options *options);
bool compare_fails(const struct comparison *comparison, const struct results *after, unsigned gate);

/* Each is false when the stream has failed, or out of memory. */
bool compare_text(FILE *to, const struct results *after, const struct comparison *comparison,
                  const struct compare_options *options);
bool compare_json(FILE *to, const struct results *after, const struct comparison *comparison,
                  const struct compare_options *options);
bool compare_markdown(FILE *to, const struct results *after, const struct comparison *comparison,
                      const struct compare_options *options);

#endif
