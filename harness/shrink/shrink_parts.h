/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_SHRINK_PARTS_H
#define ASSAY_HARNESS_SHRINK_SHRINK_PARTS_H

/* What the files of the search share: shrink.c decides, shrink_sizes.c and shrink_values.c make candidates.
 */

#include "harness/shrink/shrink.h"

struct shrink {
    struct trials *trials;
    struct problem best;
    struct outcome wanted, last; /* of the first problem, of the best one */
    double start, deadline, told;
    int asked, taken;
    bool late, broken; /* nothing can be asked any more */
    struct error error;
    char (*seen)[33]; /* digests of what was asked, a hash table of seen_room places */
    int seen_count, seen_room;
};

/* Whether the outcome is the failure that was there at first. */
bool shrink_is_same(const struct outcome *wanted, const struct outcome *outcome);

/* Asks; the candidate becomes the best problem, or is cleared. True where it became it. */
bool shrink_try(struct shrink *s, struct problem *candidate);
bool shrink_late(struct shrink *s);

/* Whether there is anything to shrink; whether it is a call with a truth that was not asked before; progress.
 */
bool shrink_fails(const struct outcome *outcome);
bool shrink_is_new(struct shrink *s, const struct problem *problem);
void shrink_tell(struct shrink *s, bool end);

/* Each true where something was taken away. */
bool shrink_layouts(struct shrink *s);
bool shrink_operands(struct shrink *s);
bool shrink_lengths(struct shrink *s);
bool shrink_ranks(struct shrink *s);
bool shrink_attributes(struct shrink *s);
bool shrink_values(struct shrink *s);

#endif
