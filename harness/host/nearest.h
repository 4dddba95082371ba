/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_NEAREST_H
#define ASSAY_HARNESS_HOST_NEAREST_H

/* "did you mean …": the candidate nearest to a mistyped word. Pure; not thread-hostile. */

/* Edits that turn a into b: insert, delete, replace, swap of two neighbours, each 1. Case is ignored.
 * Words longer than 255 bytes compare by their first 255. */
int nearest_distance(const char *a, const char *b);

/* Keeps the best candidate seen so far; start with {.word = w}. */
struct nearest {
    const char *word;
    const char *best; /* NULL while nothing is near enough to be worth naming */
    int distance;
};

/* Offers one candidate (must outlive the struct). A word that a candidate begins with counts as near. */
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
