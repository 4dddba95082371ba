/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_JOIN_H
#define ASSAY_REPORTS_RECORDS_JOIN_H

/* Headers and records that become one set of results, line by line or file by file. For results.c, which
 * joins results, and results_read.c, which reads them. */

#include "reports/records/record.h"

/* Which column a backend's name means from here on: shards and repeated files share one, another device gets
 * its own. */
struct alias {
    char *name;  /* as written in the file */
    char *known; /* as known in the results; NULL = the same */
    int part;    /* 1 + the part of its latest header */
};

struct join {
    struct results *to;
    struct alias *alias;
    int aliases, header_room, record_room, part_room;
    bool lines; /* are kept */
};

/* Takes the header over, or merges it into the one that is there; `header` is empty after success. With
 * `part`, what it promised is noted as a part of its own. False when out of memory, here and below. */
bool join_header(struct join *join, struct record_header *header, bool part);

/* `before`: the parts that stood in front of those that the record's number counts. */
bool join_record(struct join *join, struct record *record, int before);

/* Puts the records of `backend` that have no header under one that is made for them and has this fault. */
bool join_bare(struct join *join, const char *backend, const char *fault);

/* At the end: a header that speaks for several parts expects what they expect together, each once. */
void join_expected(struct results *results);
void join_end(struct join *join);

#endif
