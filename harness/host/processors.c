/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/processors.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CGROUPS "/sys/fs/cgroup"

enum { PROCESSORS_MAX = 1 << 16 }; /* no kernel has longer masks; else all processors online are taken */

/* The number of processors in the affinity mask; EINVAL: the kernel's mask is longer. 0 if it is unknown, as
 * on macOS, which has no such masks. */
static int in_mask(void)
{
#ifdef __linux__
    for (int room = CPU_SETSIZE; room <= PROCESSORS_MAX; room *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)room);
        size_t size = CPU_ALLOC_SIZE((size_t)room);
        int known = set ? sched_getaffinity(0, size, set) : -1, fault = errno;
        int count = known == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (known == 0 || fault != EINVAL) {
            return count;
        }
    }
#endif
    return 0;
}

/* `processors`, limited by a file with "QUOTA PERIOD", both in microseconds, or "max PERIOD". */
static int within_quota(int processors, const char *file)
{
    int64_t quota, period;
    FILE *from = fopen(file, "re");
    if (!from) {
        return processors;
    }
    bool limits = fscanf(from, "%" SCNd64 " %" SCNd64, &quota, &period) == 2 && quota > 0 && period > 0;
    fclose(from);
    int64_t whole = limits ? quota / period + (quota % period != 0) : processors;
    return whole < processors ? (int)whole : processors;
}

int processors_within(int processors, const char *root, const char *path)
{
    char file[PATH_MAX];
    for (size_t length = strlen(path);; length--) {
        bool whole = path[length] == '/' || path[length] == '\0';
        int size = whole ? snprintf(file, sizeof file, "%s%.*s/cpu.max", root, (int)length, path) : 0;
        if (size > 0 && size < (int)sizeof file) {
            processors = within_quota(processors, file);
        }
        if (length == 0) {
            return processors;
        }
    }
}

/* Limits `processors` by our control group: "0::/a/b" in /proc/self/cgroup, where version 1 has no such line.
 */
static int in_groups(int processors)
{
    char line[PATH_MAX];
    FILE *from = fopen("/proc/self/cgroup", "re");
    while (from && fgets(line, sizeof line, from)) {
        if (strncmp(line, "0::/", 4) == 0) {
            line[strcspn(line, "\n")] = '\0';
            processors = processors_within(processors, CGROUPS, line + 3);
        }
    }
    if (from) {
        fclose(from);
    }
    return processors;
}

int processors_usable(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int mask = in_mask(), processors = mask > 0 ? mask : (int)online;
    processors = in_groups(processors);
    return processors > 0 ? processors : 1;
}
