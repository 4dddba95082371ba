/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BACKENDS_BACKENDS_H
#define ASSAY_HARNESS_BACKENDS_BACKENDS_H

/* The backends of this build: one for each file in harness/backends/. */

#include "reference/program/backend.h"

/* Returns the classes in the order of the files; NULL after the last. */
const struct backend_class *backends_at(int index);

/* Returns the class that "NAME", "NAME:SELECTOR" or "NAME+ROUTE" names; *selector points after the colon or
 * to the sign +, or is NULL. Returns NULL with the nearest name if there is none, or if a class without
 * routes is given one. */
const struct backend_class *backends_find(const char *text, const char **selector, struct error *error);

/* A test program may define this table, which ends in NULL, to add classes of its own. */
extern const struct backend_class *const backend_classes_extra[] __attribute__((weak));

#endif
