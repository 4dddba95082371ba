/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_DESCRIPTORS_H
#define ASSAY_HARNESS_HOST_DESCRIPTORS_H

/* Whole messages through pipes and files that block; a signal between does not cut them. */

#include <stdbool.h>
#include <stddef.h>

/* False where the other end is gone, or the file system says no: errno tells. */
bool descriptor_write(int to, const void *bytes, size_t size);

/* False where there are fewer bytes, or reading fails. */
bool descriptor_read(int from, void *bytes, size_t size);

#endif
