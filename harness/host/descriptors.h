/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_DESCRIPTORS_H
#define ASSAY_HARNESS_HOST_DESCRIPTORS_H

/* Write and read whole messages through blocking pipes and files; an interruption by a signal does not cut
 * them. */

#include <stdbool.h>
#include <stddef.h>

/* False if the other end is gone or the system reports an error; errno tells which. */
bool descriptor_write(int to, const void *bytes, size_t size);

/* False if there are fewer bytes or reading fails. */
bool descriptor_read(int from, void *bytes, size_t size);

#endif
