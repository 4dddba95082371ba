/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_PLATFORM_H
#define ASSAY_HARNESS_HOST_PLATFORM_H

/* What Linux and macOS say in different ways; docs/reference/platforms.md tells what was compiled and run
 * where. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

/* The path of the running program: of /proc/self/exe on Linux, of the dynamic loader on macOS, where it may
 * hold symbolic links. False, and path is "", where the system does not tell it or it has `size` bytes or
 * more. */
bool platform_program(char *path, size_t size);

/* The processor's name as the system gives it: /proc/cpuinfo on Linux, sysctl on macOS. False, and text is
 * "", where it gives none. */
bool platform_processor(char *text, size_t size);

/* ru_maxrss in KiB: Linux counts in KiB, macOS in bytes. */
static inline long platform_peak_kibibytes(const struct rusage *usage)
{
#ifdef __APPLE__
    return usage->ru_maxrss / 1024;
#else
    return usage->ru_maxrss;
#endif
}

#endif
