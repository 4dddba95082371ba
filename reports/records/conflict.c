/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/conflict.h"
#include "reports/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool differ(const char *a, const char *b)
{
    return a && b && strcmp(a, b) != 0;
}

void conflict_of_headers(struct results *to, const struct record_header *a, const struct record_header *b)
{
    const struct {
        const char *what, *a, *b;
    } texts[] = {{"level", a->level, b->level},
                 {"version of assay", a->assay, b->assay},
                 {"commit of assay", a->commit, b->commit},
                 {"digest of the reference", a->reference, b->reference}};
    int made = 0;
    if (to->conflict || a->fault || b->fault) { /* an incomplete run fails the gate anyway */
        return;
    }
    if (a->seed != b->seed) {
        made =
            asprintf(&to->conflict, "%s: seed %" PRIu64 " and seed %" PRIu64, a->backend, a->seed, b->seed);
    }
    for (unsigned i = 0; i < sizeof texts / sizeof *texts && !to->conflict; i++) {
        if (differ(texts[i].a, texts[i].b)) {
            made = asprintf(&to->conflict, "%s: %s %s and %s", a->backend, texts[i].what, texts[i].a,
                            texts[i].b);
        }
    }
    if (made < 0) {
        to->conflict = NULL;
    }
}

void conflict_of_part(struct results *to, const struct record_part *part)
{
    const char *n = part->shard ? strchr(part->shard, '/') : NULL;
    for (int p = 0; n && p < to->parts && !to->conflict; p++) {
        const struct record_part *other = &to->part[p];
        if (!text_same(other->backend, part->backend) || !other->shard ||
            !text_same(strchr(other->shard, '/'), n) || !other->selection || !part->selection ||
            !text_same(other->selection, part->selection) || text_same(other->partition, part->partition)) {
            continue;
        }
        const char *a = other->partition, *b = part->partition;
        if (asprintf(&to->conflict,
                     "%s: shard %.30s was cut by %s%.40s, shard %.30s by %s%.40s; give every shard the same "
                     "--costs",
                     part->backend, other->shard, a ? "partition " : "a partition without costs", a ? a : "",
                     part->shard, b ? "partition " : "a partition without costs", b ? b : "") < 0) {
            to->conflict = NULL;
        }
    }
}
