/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_PARITY_H
#define ASSAY_REPORTS_PARITY_H

/* The parity table: one row per operator and dtype, one column per backend. Markdown, CSV and HTML print it.
 */

#include "reports/records/record.h"
#include "reports/resolution.h"

struct parity_cell {
    enum status verdict; /* the first status of its cases in the order of parity_rank */
    int cases, count[STATUS_COUNT];
    int judged;      /* judged cases; 0: the metrics below are unknown */
    double max_ulp;  /* the largest over the cases; NaN where no case has a number */
    double mean_ulp; /* mean |error| over the elements of all cases; bit_exact and faithful are shares of
                        these elements */
    double bit_exact, faithful; /* shares equal to RN(truth), and nearer to the truth than 1 ulp; NaN where
                                   there are no elements */
    double allowed_ulp; /* the error bound, in ulp, of the element that comes nearest to its bound; NaN where
                           none has a number */
    double elements;    /* the number of elements of these means */
    double bias_ulp;    /* the bias of largest magnitude, with its sign */
    double max_nu, quality_nu;
    struct resolutions resolutions;
    double resolution;          /* the upper median of `resolutions`; NaN where none is known */
    int implausible;            /* cases with an `implausible` finding */
    double most_implausible;    /* the greatest factor above its limit; NaN where there is none */
    int range;                  /* cases with findings of class RANGE */
    double vacuous;             /* share of the judged cases that are vacuous; NaN when none was judged */
    const struct record *worst; /* the case to look at first; borrowed from the results */
};

struct parity_row {
    char *family, *op, *dtype;
    struct parity_cell *cell; /* one per column; cases = 0 where the backend has none */
};

struct parity_column {
    const char *backend;                /* borrowed */
    const struct record_header *header; /* borrowed; NULL when the file had none */
};

struct parity {
    int columns, rows;
    struct parity_column *column; /* in the order of headers */
    struct parity_row *row;       /* by family, operator, dtype */
};

/* Builds the table; it borrows from the results, which must outlive it. False when two records of one id were
 * judged on different inputs; *error names the case and both digests. */
bool parity_build(const struct results *results, struct parity *parity, struct error *error);
void parity_destroy(struct parity *parity);

/* The row of a case, and the column of a backend; −1 where there is none. `near` is a row to try first, which
 * makes lookups of sorted ids fast. */
int parity_row_of(const struct parity *parity, const char *id, int near);
int parity_column_of(const struct parity *parity, const char *backend);

/* The same for records in turn: tries the column after `before`, the last one found, first. Records of one
 * case follow each other in the order of the columns. */
int parity_column_after(const struct parity *parity, const char *backend, int before);

/* The rule for a cell whose cases have several statuses: its verdict is the status with the least rank. All
 * that speaks against a backend comes before pass, and pass comes before vacuous and unsupported, which speak
 * neither for it nor against it: fail, crash, timeout, error, missing, flake, unexpected_pass, expected_fail,
 * pass, vacuous, unsupported. parity_status_at is the inverse. */
int parity_rank(enum status status);
enum status parity_status_at(int rank);

/* The sign of a status in a table, one column wide, and what it means. Signs differ in shape, because colours
 * are lost on paper and to many readers. */
const char *parity_sign(enum status status);
const char *parity_sign_meaning(enum status status);

/* The sign of a cell that has cases: that of its verdict, but PARITY_RANGE_SIGN where the verdict is pass or
 * vacuous and some wrong elements are findings of class RANGE. */
#define PARITY_RANGE_SIGN "r"
#define PARITY_RANGE_MEANING                                                                                 \
    "pass, except for wrong elements that the profile excuses (findings of class RANGE)"
const char *parity_cell_sign(const struct parity_cell *cell);

/* True if a is to be looked at before b: by parity_rank, then by error / bound, then by name. Of
 * two that rank no better than pass, the one with more findings of class RANGE comes first. b may be NULL,
 * then it is true. */
bool parity_worse(const struct record *a, const struct record *b);

/* "pass", or the verdict with the counts of all statuses: "fail (1 fail, 10 pass)". The caller frees it; NULL
 * when out of memory. */
char *parity_verdict(const struct parity_cell *cell);

#endif
