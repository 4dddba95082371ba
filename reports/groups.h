/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_GROUPS_H
#define ASSAY_REPORTS_GROUPS_H

/* Records by backend and family, a row on the terminal; or by operator; or by family and the file that
 * declares the case, a testsuite in JUnit. */

#include "reports/records/record.h"

struct group {
    const char *backend, *family; /* borrowed; the family (or family/operator) is not terminated */
    int family_length;
    const char *file; /* borrowed, not terminated; of GROUP_BY_FILE; empty where the records name none */
    int file_length;
    int first, cases; /* its records: sorted[first … first + cases − 1] */
    int count[STATUS_COUNT];
    int64_t milliseconds;       /* the sum of record_milliseconds, so that sums agree to the last digit */
    double resolution;          /* the median of its records'; NaN where none is known */
    const struct record *worst; /* the largest error / bound; NULL when nothing was judged */
};

struct groups {
    int count;
    struct group *group; /* by backend in the order of headers, then by name */
    int *sorted;         /* records by group, then id: files in any order of completion read the same */
};

enum group_by { GROUP_BY_FAMILY, GROUP_BY_OPERATOR, GROUP_BY_FILE };
bool groups_build(const struct results *results, enum group_by by,
                  struct groups *groups); /* false when out of memory */
void groups_destroy(struct groups *groups);

/* The header that speaks for a backend; NULL when there is none. */
const struct record_header *results_header(const struct results *results, const char *backend);

/* Wall time, rounded to what JUnit shows. */
int64_t record_milliseconds(const struct record *record);

#endif
