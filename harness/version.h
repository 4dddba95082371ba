/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_VERSION_H
#define ASSAY_HARNESS_VERSION_H

/* Which assay this is. Static texts. */

const char *version_number(void); /* "0.1.0" */
const char *version_commit(void); /* git commit, "-dirty" where the tree was; "unknown" outside a checkout */

#endif
