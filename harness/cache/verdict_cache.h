/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CACHE_VERDICT_CACHE_H
#define ASSAY_HARNESS_CACHE_VERDICT_CACHE_H

/* Verdicts on disk (harness/judge/remembered.h), one entry to a question: another answer, other inputs or
 * another assay take its place. What does not verify is removed, and the case judged. */

#include "harness/cache/store.h"
#include "harness/cache/truth_key.h"
#include "harness/judge/remembered.h"

struct verdict_cache;

#define VERDICT_FOLDER    "verdict"             /* of store_default_directory */
#define VERDICT_TOTAL_MAX ((uint64_t)256 << 20) /* some 200,000 entries; each takes a block of the disk */

/* Of everything that judges: sources, compiler and its options (generated, see the Makefile). */
extern const char verdict_key[];

/* `judge`: verdict_key, or a test's own. The libraries are truth_libraries(), or a test's own. */
struct verdict_cache *verdict_cache_create(const char *directory, const char *judge,
                                           struct truth_libraries libraries);
void verdict_cache_destroy(struct verdict_cache **cache);

/* Stores what is worthwhile. Valid while the cache lives. */
struct verdict_source verdict_cache_source(struct verdict_cache *cache);

#endif
