/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_PARITY_H
#define ASSAY_REPORTS_PARITY_H

/* The parity table's model, which Markdown and CSV print: operator × dtype rows, one column per backend. */

#include "reports/records/record.h"
#include "reports/resolution.h"

struct parity_cell {
    enum status verdict; /* the worst status of its cases */
    int cases, count[STATUS_COUNT];
    int judged;      /* cases that the metrics speak for; 0 = no metrics */
    double max_ulp;  /* the largest over the cases; NaN where no case has a number */
    double mean_ulp; /* of |e| over the elements of all cases, as the shares of elements that are */
    double bit_exact, faithful; /* RN(truth), and nearer to it than 1 ulp; NaN where there are none */
    double allowed_ulp; /* what the bound allows the element that comes nearest to it; NaN where none has a
                           number */
    double elements;    /* that these means are of */
    double bias_ulp;    /* the one of largest magnitude, with its sign */
    double max_nu, quality_nu;
    struct resolutions resolutions;
    double resolution;          /* their median; NaN where none is known */
    int implausible;            /* cases with that finding */
    double most_implausible;    /* the greatest factor; NaN where there is none */
    int range;                  /* cases with findings of class RANGE */
    double vacuous;             /* share of the judged cases that are no evidence; NaN when none was judged */
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

/* Borrows from the results, which must outlive it. False, with the case and both digests, when two records of
 * one id were judged on different inputs. */
bool parity_build(const struct results *results, struct parity *parity, struct error *error);
void parity_destroy(struct parity *parity);

/* Where a case stands in the table; −1 where it does not. `near`: a row to try first, for cases in order. */
int parity_row_of(const struct parity *parity, const char *id, int near);
int parity_column_of(const struct parity *parity, const char *backend);

/* The case to look at first: by status, then by error / bound, then by name. `b` may be NULL: none yet. */
bool parity_worse(const struct record *a, const struct record *b);

/* "pass", or the worst status with all counts: "fail (1 fail, 10 pass)". The caller frees it; NULL = no
 * memory. */
char *parity_verdict(const struct parity_cell *cell);

#endif
