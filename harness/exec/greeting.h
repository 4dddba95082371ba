/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_GREETING_H
#define ASSAY_HARNESS_EXEC_GREETING_H

/* Reads and writes the profile in a greeting. Its members are those of docs/reference/exec-protocol.md. */

#include "harness/exec/protocol.h"

#include <jansson.h>

/* Fills hello->profile and the lists that it points to. A profile of NULL promises nothing. Refuses an
 * unknown member or word by name, because a misspelt one would silently promise nothing, or something else.
 * hello->operators must have been read before. */
bool greeting_profile(const json_t *json, struct exec_hello *hello, struct error *error);

/* Returns the members of a profile as it holds for one operator. When they are read back, the profile is the
 * same for that operator, except for an order of summation that only assay's own backends declare
 * (SUMMATION_DECLARED), which is left out. */
json_t *greeting_profile_put(const struct profile *profile, const struct op *op);

/* Returns the name of member number i; NULL after the last. */
const char *greeting_member(int i);

#endif
