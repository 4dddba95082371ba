/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_JOIN_H
#define ASSAY_REPORTS_RECORDS_JOIN_H

/* Joins headers and records into one set of results, line by line (results_read.c) or file by file
 * (results.c). */

#include "reports/records/record.h"

/* The column that a backend's name in the file stands for: shards and repeated files share one, another
 * device gets its own. */
struct alias {
    char *name;  /* as written in the file */
    char *known; /* the name in the results; NULL: the same */
    int part;    /* 1 + index of the part of its latest header; 0: none */
};

struct join {
    struct results *to;
    struct alias *alias;
    int aliases, header_room, record_room, part_room;
    bool lines; /* records keep the lines that they were read from */
};

/* Moves the header into the results, or drops it if its column has one; `header` is empty after success. With
 * `part`, its number of cases and the like are noted as a part. False when out of memory, as below. */
bool join_header(struct join *join, struct record_header *header, bool part);

/* Moves the record into the results. `before`: the number of parts in front of those that record->part
 * counts. */
bool join_record(struct join *join, struct record *record, int before);

/* Makes a header with this fault for the records of `backend` that have none. */
bool join_bare(struct join *join, const char *backend, const char *fault);

/* Sets the number of expected cases of each header to the sum over its parts, each counted once. */
void join_expected(struct results *results);
void join_end(struct join *join);

#endif
