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
    struct outcome wanted, last; /* of the first problem, and of the best one */
    double start, deadline, shown;
    int tried, taken;
    bool late, broken; /* broken: no further problem can be asked */
    struct error error;
    char (*seen)[33]; /* digests of the problems asked: a hash table with seen_room places */
    int seen_count, seen_room;
};

/* Returns true if the outcome is the same failure as that of the first problem. */
bool shrink_is_same(const struct outcome *wanted, const struct outcome *outcome);

/* Asks about the candidate. It becomes the best problem if it fails in the same way (returns true); else it
 * is cleared. */
bool shrink_try(struct shrink *s, struct problem *candidate);
bool shrink_late(struct shrink *s);

/* Whether an outcome is a failure to shrink; whether a problem has a truth and was not asked before; shows
 * the progress. */
bool shrink_fails(const struct outcome *outcome);
bool shrink_is_new(struct shrink *s, const struct problem *problem);
void shrink_report(struct shrink *s, bool end);

/* Each tries its kind of candidates, and returns true if one of them became the best problem. */
bool shrink_layouts(struct shrink *s);
bool shrink_operands(struct shrink *s);
bool shrink_lengths(struct shrink *s);
bool shrink_ranks(struct shrink *s);
bool shrink_attributes(struct shrink *s);
bool shrink_values(struct shrink *s);

#endif
