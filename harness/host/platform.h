/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_PLATFORM_H
#define ASSAY_HARNESS_HOST_PLATFORM_H

/* What Linux and macOS provide in different ways. docs/reference/platforms.md says what was compiled and run
 * where.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

/* Writes the path of the running program: on Linux from /proc/self/exe, on macOS from the dynamic loader,
 * where it may contain symbolic links. False, with an empty path, if the system does not provide it or it has
 * `size` bytes or more. */
bool platform_program(char *path, size_t size);

/* Writes the processor's name: on Linux from /proc/cpuinfo, on macOS from sysctl. False, with an empty text,
 * if there is none. */
bool platform_processor(char *text, size_t size);

/* Peak resident memory in KiB from ru_maxrss, which Linux counts in KiB and macOS in bytes. */
static inline long platform_peak_kibibytes(const struct rusage *usage)
{
#ifdef __APPLE__
    return usage->ru_maxrss / 1024;
#else
    return usage->ru_maxrss;
#endif
}

#endif
