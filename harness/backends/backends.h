/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BACKENDS_BACKENDS_H
#define ASSAY_HARNESS_BACKENDS_BACKENDS_H

/* The backends that this program was built with: one per file in harness/backends/. */

#include "reference/program/backend.h"

/* In the order of the files; NULL past the end. */
const struct backend_class *backends_at(int index);

/* The class that "NAME" or "NAME:SELECTOR" means; *selector points behind the colon or is NULL. NULL with the
 * nearest name when there is none. */
const struct backend_class *backends_find(const char *text, const char **selector, struct error *error);

/* A test program may define this table to add classes of its own; NULL at the end. */
extern const struct backend_class *const backend_classes_extra[] __attribute__((weak));

#endif
