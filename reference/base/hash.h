/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_HASH_H
#define ASSAY_REFERENCE_BASE_HASH_H

/* Includes xxHash, with run-time dispatch to the widest vectors of the processor where the library offers it.
 * Digests do not depend on that choice. */

#include <xxhash.h>
#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif
#endif

#endif
