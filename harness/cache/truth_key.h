/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CACHE_TRUTH_KEY_H
#define ASSAY_HARNESS_CACHE_TRUTH_KEY_H

/* What computes an operator's truth, as texts: a truth kept on disk is used again where its text is the same.
 *
 * The sources of the reference that count for every operator, those that this operator alone needs (generated
 * by harness/cache/truth_keys.sh), the libraries as they are loaded, and the version of truth_serialize. */

#include "harness/host/version.h"
#include "reference/operator/op.h"

struct truth_digest {
    const struct op_set *set;
    const char *digest; /* 32 hex digits */
};

extern const struct truth_digest truth_digests[]; /* one per op_set, a NULL set at the end */
extern const char truth_digest_of_all[];          /* of what counts for every operator */

struct truth_libraries {
    const char *mpfr, *gmp, *mpfi; /* versions */
};
struct truth_libraries truth_libraries(void); /* the ones that this process has loaded */

enum { TRUTH_KEY = 256 };
void truth_key(const struct op *op, const struct truth_libraries *libraries, char key[TRUTH_KEY]);

#endif
