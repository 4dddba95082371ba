/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BUNDLE_BUNDLE_MEMBERS_H
#define ASSAY_HARNESS_BUNDLE_BUNDLE_MEMBERS_H

/* Checks the members of the objects in bundle.json. `where` names the object in error messages. */

#include "reference/base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum form { STRING, STRING_OR_NULL, INTEGER, BOOLEAN, LIST, OBJECT, OBJECT_OR_NULL, BOOLEAN_OR_ABSENT };

struct rule {
    const char *name;
    enum form form;
};

/* Checks that the object has all of these members, of these types, and no others. */
bool bundle_check(const json_t *object, const char *where, const struct rule *rules, int count,
                  struct error *error);
#define CHECK(object, where, rules, error)                                                                   \
    bundle_check(object, where, rules, (int)(sizeof rules / sizeof *rules), error)

/* Reads a list of whole numbers ≥ `least` into `x`, which has room for `most`; sets *count. */
bool bundle_numbers(const json_t *list, const char *where, int64_t least, int most, int64_t *x, int *count,
                    struct error *error);

#endif
