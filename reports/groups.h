/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_GROUPS_H
#define ASSAY_REPORTS_GROUPS_H

/* Records grouped by backend and family (rows of the terminal's summary), by operator, or by family and the
 * file that declares the case (testsuites of JUnit). */

#include "reports/records/record.h"

struct group {
    const char *backend, *family; /* borrowed; the family (or family/operator) is not terminated */
    int family_length;
    const char *file; /* for GROUP_BY_FILE: borrowed, not terminated, empty where the records name no file;
                         else NULL */
    int file_length;
    int first, cases; /* the group's records are sorted[first … first + cases − 1] */
    int count[STATUS_COUNT];
    int64_t milliseconds; /* the sum of record_milliseconds over its records, so that a reader's sum is the
                             same */
    double resolution;    /* the upper median over its records; NaN where none is known */
    const struct record *worst; /* the record with the largest error / bound; NULL when nothing was judged */
};

struct groups {
    int count;
    struct group *group; /* in the order of headers; backends without a header follow by name */
    int *sorted; /* record indices by group, then id, so that the order of completion does not matter */
};

enum group_by { GROUP_BY_FAMILY, GROUP_BY_OPERATOR, GROUP_BY_FILE };
bool groups_build(const struct results *results, enum group_by by,
                  struct groups *groups); /* false when out of memory */
void groups_destroy(struct groups *groups);

/* The header of a backend; NULL when there is none. */
const struct record_header *results_header(const struct results *results, const char *backend);

/* The wall time in milliseconds, rounded as JUnit shows it; 0 where it is unknown. */
int64_t record_milliseconds(const struct record *record);

#endif
