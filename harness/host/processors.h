/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_PROCESSORS_H
#define ASSAY_HARNESS_HOST_PROCESSORS_H

/* How many processors there are for us: a container, a job of a CI or `taskset` leaves fewer than the machine
 * has, and twice as many processes as processors only take each other's turns. */

/* Those that this process may run on (sched_getaffinity: taskset, cpusets, `docker --cpuset-cpus`), and no
 * more than its control groups give it the time of (cpu.max: `docker --cpus`, limits of Kubernetes; cgroup
 * v2). ≥ 1. */
int processors_usable(void);

/* What is left of `processors` by the quotas of group `path` ("/a/b") and of all above it; `root` is the
 * folder where the hierarchy is mounted. A part of a processor counts as one. Where nothing can be read,
 * nothing limits. */
int processors_within(int processors, const char *root, const char *path);

#endif
