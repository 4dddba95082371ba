/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_PROCESSORS_H
#define ASSAY_HARNESS_HOST_PROCESSORS_H

/* How many processors this process may use. A container, a CI job or `taskset` leaves fewer than the machine
 * has, and twice as many processes as processors only wait for each other. */

/* The processors that this process may run on (sched_getaffinity: taskset, cpusets, `docker --cpuset-cpus`),
 * limited by the CPU time of its control groups (cpu.max: `docker --cpus`, limits of Kubernetes; cgroup v2).
 * At least 1. */
int processors_usable(void);

/* `processors`, limited by the quotas of control group `path` ("/a/b") and of all groups above it; `root` is
 * the folder where the hierarchy is mounted. A fraction of a processor counts as one. A quota that cannot be
 * read does not limit. */
int processors_within(int processors, const char *root, const char *path);

#endif
