/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_GREETING_H
#define ASSAY_HARNESS_EXEC_GREETING_H

/* The profile of a greeting: its members, as docs/reference/profile.md lists them. */

#include "harness/exec/protocol.h"

#include <jansson.h>

/* Fills hello->profile and the lists that it borrows; NULL: promises nothing. A member or a word that the
 * page does not know is refused with its name: misspelt, it would promise nothing, or something else, in
 * silence. hello->operators must have been read. */
bool greeting_profile(const json_t *json, struct exec_hello *hello, struct error *error);

/* A profile in those members, as it holds for one operator: read back it is the same for that operator, but
 * for an order of sums that only a backend of ours declares (SUMMATION_DECLARED), which is left out. */
json_t *greeting_profile_put(const struct profile *profile, const struct op *op);

/* The i-th member's name; NULL behind the last. */
const char *greeting_member(int i);

#endif
