/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_FIELDS_SCAN_H
#define ASSAY_REPORTS_FIELDS_SCAN_H

/* The members of a C struct out of a line of JSON in one pass, where the line is as records are written: that
 * is a fifth of what it takes to build the object first. Whatever else is allowed is left to fields_get: a
 * scan that returns false says nothing about the line, and what it filled in is the caller's to free. */

#include "reports/fields.h"

struct scan {
    const char *at, *end;
};

/* An object whose members are all in the table, each at most once and none null, or are taken by `other`,
 * which is asked once for each. Required ones are there. */
struct scan_other {
    bool (*take)(struct scan *scan, const char *name, size_t length, void *user);
    void *user;
};
bool fields_scan(struct scan *scan, void *base, const struct field *fields, size_t count,
                 const struct scan_other *other);

/* At most `most` integers; how many. */
bool scan_integers(struct scan *scan, int64_t *value, int most, int *count);
bool scan_integer(struct scan *scan, int64_t *value);

/* Nothing but blanks is left. */
bool scan_ends(struct scan *scan);

#endif
