/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/version.h"

/* The Makefile defines these for this file alone, so that a new commit rebuilds one object. */
#ifndef ASSAY_VERSION
#define ASSAY_VERSION "0.0.0"
#endif
#ifndef ASSAY_COMMIT
#define ASSAY_COMMIT "unknown"
#endif

const char *version_number(void)
{
    return ASSAY_VERSION;
}

const char *version_commit(void)
{
    return ASSAY_COMMIT;
}
