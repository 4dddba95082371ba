/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_COMPARE_COMPARE_PARTS_H
#define ASSAY_REPORTS_COMPARE_COMPARE_PARTS_H

/* What the texts of a comparison share, whatever their format. */

#include "reports/compare/compare.h"

/* One curve, as it is in both runs: the change, or none (`ratio` 0). False when out of memory. */
bool compare_curve(const struct compare_options *options, struct comparison *out,
                   const struct record_series *before, const struct record_series *after,
                   struct change *change);

/* Of `count` > 0 ratios, which are sorted: the geometric mean of the middle two where their number is even.
 */
double compare_median(double *ratio, int count);

/* --- which runs */

/* Finds the pairs of headers, and whether they make a table. False when out of memory. */
bool compare_find_pairs(const struct results *before, const struct results *after, bool by_name,
                        struct comparison *comparison);

/* "device", and what each run says of it; "unknown" where it says nothing. */
enum { COMPARE_FACTS = 9, COMPARE_FACT = 200 };
struct compare_fact {
    const char *name;
    char before[COMPARE_FACT], after[COMPARE_FACT];
};
void compare_facts(const struct compare_pair *pair, struct compare_fact fact[COMPARE_FACTS]);

/* "8 compared (scaling 8), 3 only in the old run, …" */
void compare_cases(FILE *to, const struct comparison *comparison);

/* What must be said of the curves; nothing where there are none. */
void compare_curves_said(FILE *to, const struct comparison *comparison,
                         const struct compare_options *options);

/* --- changes of one kind in groups, by operator, dtype and what happened */

struct compare_kind {
    const char *key, *title;
};
extern const struct compare_kind compare_kinds[CHANGE_KINDS];

/* Each cluster's `of` is its example, a struct change. False when out of memory. */
bool compare_group(const struct comparison *comparison, enum change_kind kind, struct clusters *clusters);

/* "pass -> fail: reason": what happened to one case. The caller frees it; NULL when out of memory. */
char *compare_what(const struct change *change);

/* --- the table */

struct compare_row {
    const char *name; /* family/operator; not terminated */
    int length, cases;
    int pass[2], fail[2];            /* of the old run, of the new; the others are neither */
    int only[2];                     /* fail in one and pass in the other */
    const struct record *example[2]; /* of those, the first by id */
    double ratio; /* the median of new / old greatest error in ulp, each at least ½; NaN: of no case known */
};
struct compare_table {
    int rows;
    struct compare_row *row;
    struct compare_row all;
};
bool compare_table_build(const struct comparison *comparison, bool by_family, struct compare_table *table);
void compare_table_destroy(struct compare_table *table);

/* --- the gate */

struct compare_failing {
    enum gate_addition addition;
    const char *name;
    int count;
    const struct record *example; /* NULL where none of them has a record */
};
enum { COMPARE_ADDITIONS = 7 };
void compare_failing(const struct results *after, struct compare_failing failing[COMPARE_ADDITIONS]);

/* "WORSE (exit 1)", "nothing got worse": the last word. */
const char *compare_verdict(const struct comparison *comparison, const struct results *after,
                            const struct compare_options *options);

#endif
