/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_COMPARE_COMPARE_PARTS_H
#define ASSAY_REPORTS_COMPARE_COMPARE_PARTS_H

/* Parts that the three formats of a comparison share. */

#include "reports/compare/compare.h"

/* Compares one curve of both runs and fills `change`; its ratio is 0 where the curve did not change. False
 * when out of memory. */
bool compare_curve(const struct compare_options *options, struct comparison *out,
                   const struct record_series *before, const struct record_series *after,
                   struct change *change);

/* The median of `count` > 0 ratios, which get sorted: of an even number, the geometric mean of the middle
 * two. */
double compare_median(double *ratio, int count);

/* --- the runs */

/* Finds the pairs of headers, and decides whether they make a table. False when out of memory. */
bool compare_find_pairs(const struct results *before, const struct results *after, bool by_name,
                        struct comparison *comparison);

/* A fact such as "device" with the value in each run; "unknown" where a run does not state it. */
enum { COMPARE_FACTS = 9, COMPARE_FACT = 200 };
struct compare_fact {
    const char *name;
    char before[COMPARE_FACT], after[COMPARE_FACT];
};
void compare_facts(const struct compare_pair *pair, struct compare_fact fact[COMPARE_FACTS]);

/* Prints "8 compared (scaling 8), 3 only in the old run, …". */
void compare_cases(FILE *to, const struct comparison *comparison);

/* Prints how many curves were compared and which changes were explained away. */
void compare_curves_said(FILE *to, const struct comparison *comparison,
                         const struct compare_options *options);

/* --- clusters: changes of one kind by operator, dtype and rule */

struct compare_kind {
    const char *key, *title;
};
extern const struct compare_kind compare_kinds[CHANGE_KINDS];

/* Builds the clusters of one kind; each `of` points to the example, a struct change. False when out of
 * memory. */
bool compare_group(const struct comparison *comparison, enum change_kind kind, struct clusters *clusters);

/* "pass -> fail: reason": what happened to one case. The caller frees it; NULL when out of memory. */
char *compare_what(const struct change *change);

/* --- the table */

struct compare_row {
    const char *name; /* family/operator; not terminated */
    int length, cases;
    int pass[2], fail[2];            /* cases of the old run, of the new one; other statuses are neither */
    int only[2];                     /* cases that fail in this run and pass in the other */
    const struct record *example[2]; /* the first of those cases by id */
    double ratio; /* the median of new / old greatest error in ulp, each at least ½; NaN where no case has
                     both */
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
    const struct record *example; /* NULL where none of these cases has a record */
};
enum { COMPARE_ADDITIONS = 7 };
void compare_failing(const struct results *after, struct compare_failing failing[COMPARE_ADDITIONS]);

/* The closing words: "WORSE (exit 1)", "nothing got worse". */
const char *compare_verdict(const struct comparison *comparison, const struct results *after,
                            const struct compare_options *options);

#endif
