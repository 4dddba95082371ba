/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_NEAREST_H
#define ASSAY_HARNESS_HOST_NEAREST_H

/* "did you mean …": finds the candidate nearest to a mistyped word. */

/* The number of edits that turn a into b: insertion, deletion, replacement, swap of two neighbours, each 1.
 * Case is ignored. Words longer than 255 bytes are compared by their first 255. */
int nearest_distance(const char *a, const char *b);

/* The best candidate so far; to be started with {.word = w}. */
struct nearest {
    const char *word;
    const char *best; /* NULL: no candidate is near enough to be named */
    int distance;
};

/* Offers one candidate, which must outlive the struct. A candidate that begins with the word counts as near.
 */
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
