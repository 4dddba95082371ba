/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_PROFILE_FILE_H
#define ASSAY_HARNESS_EXEC_PROFILE_FILE_H

/* Profiles of results whose backend is not asked: from a file, or by a name of
 * harness/adapters/profiles.json, which holds what the adapters greet with. */

#include "harness/exec/protocol.h"

#include <jansson.h>

/* Reads `profile`, the members of a greeting's profile (NULL or JSON's null: it promises nothing), as it
 * holds for one operator. Returns false with the fault. The caller calls exec_hello_clear in either case. */
bool profile_take(const json_t *profile, const struct op *op, struct exec_hello *hello, struct error *error);

/* Reads the profile that `word` names: a file with the members of a profile or with a whole greeting, or a
 * name: "none", "ieee", "torch:cuda" … Otherwise as profile_take. */
bool profile_file_read(const char *word, const struct op *op, struct exec_hello *hello, struct error *error);

#endif
