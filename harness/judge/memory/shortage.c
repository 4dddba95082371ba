/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/memory/shortage.h"

#include "reference/base/memory.h"
#include "reference/program/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With scratch and staging memory, a case may take this many times what its storages take. */
enum { SHARE = 4 };

static const char open_shortage[] = "out of memory: ";

enum status shortage_status(const struct program *program, uint64_t limit, const char *message, char **reason)
{
    char text[640];
    uint64_t need = 0;
    for (int s = 0; s < program->storages; s++) {
        need += program->storage[s].bytes + 2 * BACKEND_GUARD;
    }
    *reason = NULL;
    if (limit && need > limit) {
        snprintf(text, sizeof text,
                 "the device has too little memory: the case takes %" PRIu64 " of %" PRIu64 " bytes: %s",
                 need, limit, message);
        *reason = memory_text(text);
        return STATUS_UNSUPPORTED;
    }
    bool plausible = limit && need > limit / SHARE;
    snprintf(text, sizeof text, "%s%s (the case takes %" PRIu64 " bytes%s%s)", open_shortage, message, need,
             limit ? "" : ", the backend states no limit of its device's memory",
             plausible ? "" : ": the shortage is the worker's, not the device's");
    *reason = memory_text(text);
    return plausible ? STATUS_UNSUPPORTED : STATUS_ERROR;
}

bool shortage_is_open(const struct record *record)
{
    return (record->status == STATUS_UNSUPPORTED || record->status == STATUS_ERROR) && record->reason &&
           strncmp(record->reason, open_shortage, sizeof open_shortage - 1) == 0;
}

void shortage_conclude(struct record *first, const struct record *second)
{
    char reason[1024];
    if (second && first->status == STATUS_UNSUPPORTED && second->status == STATUS_UNSUPPORTED) {
        return;
    }
    bool same = second && shortage_is_open(second);
    snprintf(reason, sizeof reason, "%s; %s%s", first->reason,
             !second ? "the case was not rerun"
             : same  ? "again out of memory, alone in a fresh worker"
                     : "alone in a fresh worker the memory sufficed: ",
             !second || same ? "" : status_name(second->status));
    free(first->reason);
    first->reason = memory_text(reason);
    first->status = STATUS_ERROR;
}
