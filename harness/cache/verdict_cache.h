/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CACHE_VERDICT_CACHE_H
#define ASSAY_HARNESS_CACHE_VERDICT_CACHE_H

/* Verdicts on disk (harness/judge/verdict_query.h). There is one entry for each request: a verdict on another
 * answer, on other inputs or by another build of assay replaces it. An entry that does not verify is removed,
 * and the case is judged. */

#include "harness/cache/store.h"
#include "harness/cache/truth_key.h"
#include "harness/judge/verdict_query.h"

struct verdict_cache;

#define VERDICT_FOLDER    "verdict"             /* for store_default_directory */
#define VERDICT_TOTAL_MAX ((uint64_t)256 << 20) /* some 200,000 entries, a block of the disk each */

/* The digest of everything that judges: sources, compiler and its options (generated, see the Makefile). */
extern const char verdict_key[];

/* `judge` is verdict_key, or a test's own; the libraries are truth_libraries(), or a test's own. NULL as in
 * cache_create. */
struct verdict_cache *verdict_cache_create(const char *directory, const char *judge,
                                           struct truth_libraries libraries);
void verdict_cache_destroy(struct verdict_cache **cache);

/* A source of verdicts that stores those worth their place (store_worthwhile). Valid while the cache lives.
 */
struct verdict_source verdict_cache_source(struct verdict_cache *cache);

#endif
