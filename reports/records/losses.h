/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_LOSSES_H
#define ASSAY_REPORTS_RECORDS_LOSSES_H

/* Losses: what results lack. Selected cases without a record, because the runner was killed or a shard's file
 * is absent (an interrupted run writes records of status missing for those it knew of); more cases than the
 * headers state, because a header is lost; a fault stated by a header. */

#include "reports/records/record.h"

struct loss {
    const char *backend;  /* borrowed */
    int64_t lost, wanted; /* cases without a record, of this many selected ones */
    int64_t extra;        /* cases with a record beyond `wanted` */
    const char *fault;    /* the fault that a header states, borrowed; NULL: none */
    char shards[96];      /* the shards without any file, "2/3, 3/3", found here or by an earlier merge; "":
                             none known */
};

struct losses {
    int count;
    struct loss *loss; /* owned */
};

/* Finds one loss per backend and selection that lacks selected cases or has a fault. A case counts once,
 * however many files hold it. With `whole`, a shard stands for its whole selection, so the other shards must
 * be there. False when out of memory. */
bool losses_find(const struct results *results, bool whole, struct losses *losses);
void losses_destroy(struct losses *losses);

/* The loss in one line of valid UTF-8, control characters spelled out: "vulkan: 46 of 136 selected cases have
 * no record: shard 2/3 is not there". The caller frees it; NULL when out of memory. */
char *loss_text(const struct loss *loss);

#endif
