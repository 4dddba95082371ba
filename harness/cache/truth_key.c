/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cache/truth_key.h"

#include <gmp.h>
#include <mpfi.h>
#include <mpfr.h>
#include <stdio.h>

struct truth_libraries truth_libraries(void)
{
    return (struct truth_libraries){
        .mpfr = mpfr_get_version(), .gmp = gmp_version, .mpfi = mpfi_get_version()};
}

/* The digest of an operator's own sources; an operator in no set may need every source. */
static const char *digest_of(const struct op *op)
{
    for (const struct truth_digest *d = truth_digests; d->set; d++) {
        for (int i = 0; i < d->set->count; i++) {
            if (op == &d->set->op[i]) {
                return d->digest;
            }
        }
    }
    return truth_digest_of_sources;
}

void truth_key(const struct op *op, const struct truth_libraries *libraries, char key[TRUTH_KEY])
{
    snprintf(key, TRUTH_KEY, "%s %s mpfr %.32s gmp %.32s mpfi %.32s serial %d", truth_digest_of_all,
             digest_of(op), libraries->mpfr, libraries->gmp, libraries->mpfi, TRUTH_SERIAL_VERSION);
}
