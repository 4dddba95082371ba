/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_GATE_BASELINE_PARTS_H
#define ASSAY_HARNESS_GATE_BASELINE_PARTS_H

/* The internals of baseline.h: baseline_file.c reads and writes, baseline.c decides. */

#include "harness/gate/baseline.h"

#include <jansson.h>

enum { BASELINE_VERSION = 2 };

static inline bool is_no_evidence(enum status status)
{
    return status == STATUS_UNSUPPORTED || status == STATUS_VACUOUS;
}

/* What an entry may name. One without a status excuses failures. */
static inline bool is_excusable(enum status status)
{
    return status_is_failure(status) || is_no_evidence(status);
}

struct entry {
    json_t *object; /* borrowed from the document */
    const char *id, *status, *backend, *device, *driver, *reason, *link, *owner, *expires;
    int line;
    bool unknown;     /* names no existing case */
    int met, excused; /* cases of this run that it named; of these, excused */
};

struct baseline {
    char *path;
    json_t *document;
    int entries;
    struct entry *entry;
    const char *backend, *device, *driver;
    char today[16];
    json_t *added; /* what failed the gate and has no entry, as entries */
    json_t *seen;  /* "family/operator/dtype" → number of cases of this run on the current device */
};

/* Writes the document with these entries (an array, borrowed), sorted, in the current version. */
bool baseline_write(const struct baseline *baseline, json_t *entries, struct error *error);

#endif
