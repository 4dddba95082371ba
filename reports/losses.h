/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_LOSSES_H
#define ASSAY_REPORTS_LOSSES_H

/* Cases that were selected and left no record at all: the runner was killed, or the file of a shard is not
 * there. (Those that an interrupted run knew of have a record, with status missing.) */

#include "reports/record.h"

struct loss {
    const char *backend; /* borrowed */
    int64_t lost, wanted;
    char shards[96]; /* "2/3, 3/3": which are not there at all; "": not known */
};

struct losses {
    int count;
    struct loss *loss; /* owned */
};

/* One loss per backend and selection that has fewer cases than were selected. A case counts once, however
 * many files hold it. `whole`: a shard stands for its whole selection, the other shards have to be there.
 * False when out of memory. */
bool losses_find(const struct results *results, bool whole, struct losses *losses);
void losses_destroy(struct losses *losses);

/* "vulkan: 46 of 136 selected cases have no record: shard 2/3 is not there". Returns `text`. */
const char *loss_text(const struct loss *loss, char *text, size_t size);

#endif
