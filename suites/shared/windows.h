/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_WINDOWS_H
#define ASSAY_SUITES_SHARED_WINDOWS_H

/* What calls of convolution and pooling share: attributes that have a number for each spatial dimension, and
 * the shape of an image. */

#include "suites/build.h"

/* Adds a list unless all of its numbers are 0; a 0 among others stands for `otherwise`. Lists of equal
 * numbers are shortened to one. */
void windows_add_list(struct attributes *attributes, const char *name, const int64_t *numbers, int count,
                      int64_t otherwise);

/* Returns [batch, channels, size[0], …, size[rank − 1]]; batch −1: [channels, …]. */
struct shape windows_shape(int64_t batch, int64_t channels, const int64_t *size, int rank);

#endif
