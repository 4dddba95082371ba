/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_SLICES_H
#define ASSAY_HARNESS_FORMATS_SLICES_H

/* Slices in numpy's syntax, "[:, 1:9:2]": whole numbers, ranges with negative numbers and steps, and "...".
 */

#include "reference/base/tensor.h"

/* Returns where the slice begins in "x.npy[0]", and copies what is before it to `base`. Returns NULL if the
 * text has no slice, is the name of an existing file, or does not fit. */
const char *slice_split(const char *text, char *base, size_t size);

/* Replaces the view by its slice, as numpy's basic indexing does. `where` begins the error. Returns false
 * with the fault. */
bool slice_view(const char *slice, const char *where, struct view *view, struct error *error);

#endif
