/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/platform.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
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

bool platform_processor(char *text, size_t size)
{
    text[0] = '\0';
#ifdef __APPLE__
    size_t length = size;
    if (sysctlbyname("machdep.cpu.brand_string", text, &length, NULL, 0) != 0) {
        text[0] = '\0';
    }
#else
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && !text[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':'); /* "model name : …"; "Model : …" of a board */
        if (colon && (!strncmp(line, "model name", 10) || !strncmp(line, "Model", 5))) {
            snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        }
    }
    if (file) {
        fclose(file);
    }
#endif
    return text[0] != '\0';
}
