/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/platform.h"

#include <stdint.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

bool platform_program(char *path, size_t size)
{
#ifdef __APPLE__
    uint32_t room = (uint32_t)size;
    bool known = _NSGetExecutablePath(path, &room) == 0;
#else
    ssize_t length = readlink("/proc/self/exe", path, size);
    bool known = length >= 0 && (size_t)length < size;
    if (known) {
        path[length] = '\0';
    }
#endif
    if (!known) {
        path[0] = '\0';
    }
    return known;
}
