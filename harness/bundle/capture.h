/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BUNDLE_CAPTURE_H
#define ASSAY_HARNESS_BUNDLE_CAPTURE_H

/* A capture: a directory with capture.json, which lists the operator calls of one step of a program in their
 * order, and a bundle (bundle.h) for each call that was recorded. harness/adapters/assay_capture.py writes
 * it. */

#include "reference/base/error.h"

#include <jansson.h>
#include <limits.h>

enum { CAPTURE_VERSION = 1 };

/* Returns true if the path is a directory. */
bool capture_is_one(const char *path);

/* Reads capture.json and checks it: every call has a name, and its file, if it has one, lies in the
 * directory. Returns NULL with the fault. The caller owns the object. */
json_t *capture_read(const char *folder, struct error *error);

/* Returns a text of a call, "aten"; "" if it is null or absent. */
const char *capture_text(const json_t *call, const char *member);

#endif
