/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_COMPARE_COMPARE_H
#define ASSAY_REPORTS_COMPARE_COMPARE_H

/* Changes between two runs of the same cases, for instance with two releases of a driver: verdicts, errors,
 * and curves of time and memory. Two devices or two backends make a table instead, because a difference
 * between them is no regression. Reads records only. */

#include "reports/clusters.h"
#include "reports/records/record.h"

struct compare_options {
    double error_ratio; /* the error / bound is worse when it grows by this factor, > 1 */
    double least_error; /* an error / bound below this counts as this, so that it is never worse */
    double curve_ratio; /* a curve is worse when the median of new / old over its points reaches this, > 1 */
    bool no_curves;     /* do not compare curves */
    int64_t shown;      /* clusters of each kind of change that are shown; 0: all */
    bool by_family;     /* one row per family, not per operator, in the table */
    bool subset;        /* the new run may hold fewer cases; cases that it lacks are only counted */
    unsigned gate;      /* additions of GATE_OF_COMPARE */
};

enum change_kind {
    CHANGE_VERDICT_WORSE, /* the status is of a lower rank: passing, not judged, failing the gate */
    CHANGE_GONE,          /* measured before, without a record in the new run */
    CHANGE_ERROR_WORSE,   /* passes in both runs, with a larger error / bound */
    CHANGE_CURVE_WORSE,   /* takes more time or memory */
    CHANGE_SHARPER, /* another reference judges the case more strictly: it fails by the envelope, is vacuous,
                       or its limit is narrower; this is not worse */
    CHANGE_VERDICT_BETTER,
    CHANGE_ERROR_BETTER,
    CHANGE_CURVE_BETTER,
    CHANGE_KINDS
};

struct change {
    enum change_kind kind;
    bool verdict;                        /* the verdict changed, not only a number */
    const struct record *before, *after; /* borrowed; `after` is NULL for CHANGE_GONE */
    const char *series;                  /* the name of the curve; NULL for other changes */
    double from, to, ratio; /* error / bound in both runs, or the curve's values at the point that differs
                               most; `ratio` ≥ 1 in both directions */
    double at;              /* x of that point; NaN for other changes */
};

struct compare_match {
    const struct record *before, *after;
};

/* The headers of the two runs for the same cases; NULL where a file has none. */
struct compare_pair {
    const struct record_header *before, *after;
};

struct comparison {
    int changes;
    struct change *change;       /* sorted by kind, then by ratio, the greatest first */
    int compared;                /* cases in both runs with the same inputs */
    struct compare_match *match; /* these cases, by id */
    int only_before, only_after;
    int other_inputs; /* cases with different inputs (another seed or another assay), which are not compared
                       */
    int curves;       /* curves that were compared */
    int excused;      /* curves beyond curve_ratio that the spreads or the machine's pace explain */
    int unsure;       /* curves of time without a spread, from older files: only their ratio decides */
    int pairs;
    struct compare_pair *pair;
    char why[256];   /* why the runs make a table: "different devices: … and …"; "" where they do not */
    char *not_whole; /* which run is incomplete: "the old run: vulkan: 3 of 8 …" (reports/records/losses.h),
                        one line; NULL if neither */
};

/* Compares two runs. A case of one file is compared with the same case of the same backend in the other;
 * where each file holds one backend only, the names of the backends may differ. False when out of memory.
 *
 * CHANGE_SHARPER requires that the two headers name different references and that the error in ulp has not
 * grown by error_ratio. Under one reference, or with a larger error, a worse result is a worse result.
 *
 * A curve changes when the median of new / old over its points, corrected for the machine's pace, is beyond
 * curve_ratio, and more than half of its points differ by more than their two spreads together. */
bool compare_build(const struct results *before, const struct results *after,
                   const struct compare_options *options, struct comparison *comparison);
void compare_destroy(struct comparison *comparison);

/* True if anything got worse. */
bool compare_worse(const struct comparison *comparison);

/* The additions in force: options.gate, and GATE_WORSE unless the runs make a table or GATE_NONE is set.
 * compare_fails is true if something fails by `gate`; an incomplete run always fails, because what it lost is
 * unknown. */
unsigned compare_gate(const struct comparison *comparison, const struct compare_options *options);
bool compare_fails(const struct comparison *comparison, const struct results *after, unsigned gate);

/* The three formats. False when the stream has failed or out of memory. */
bool compare_text(FILE *to, const struct results *after, const struct comparison *comparison,
                  const struct compare_options *options);
bool compare_json(FILE *to, const struct results *after, const struct comparison *comparison,
                  const struct compare_options *options);
bool compare_markdown(FILE *to, const struct results *after, const struct comparison *comparison,
                      const struct compare_options *options);

#endif
