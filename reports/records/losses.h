/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_LOSSES_H
#define ASSAY_REPORTS_RECORDS_LOSSES_H

/* Where results are not whole. Cases that were selected and left no record at all: the runner was killed, or
 * the file of a shard is not there. (Those that an interrupted run knew of have a record, with status missing.)
 * More cases than the headers speak of: a header is lost. Headers that state a fault. */

#include "reports/records/record.h"

struct loss {
    const char *backend; /* borrowed */
    int64_t lost, wanted; /* cases without a record, of so many */
    int64_t extra;        /* cases with a record beyond `wanted` */
    const char *fault;    /* the header's, borrowed; NULL: none */
    char shards[96];      /* "2/3, 3/3": which are not there at all; "": not known */
};

struct losses {
    int count;
    struct loss *loss; /* owned */
};

/* One loss per backend and selection that has not the cases that were selected, or a fault. A case counts once,
 * however many files hold it. `whole`: a shard stands for its whole selection, the other shards have to be there.
 * False when out of memory. */
bool losses_find(const struct results *results, bool whole, struct losses *losses);
void losses_destroy(struct losses *losses);

/* "vulkan: 46 of 136 selected cases have no record: shard 2/3 is not there": one line, valid UTF-8, controls
 * spelled out. The caller frees it; NULL when out of memory. */
char *loss_text(const struct loss *loss);

#endif
