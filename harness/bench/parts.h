/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_BENCH_PARTS_H
#define ASSAY_HARNESS_BENCH_PARTS_H

/* Work on large tensors by one thread per usable processor. */

#include <stdint.h>

/* Calls work(user, p) once for each p in [0, parts), in any order and on several threads at once. Returns
 * when all calls have returned. The parts, not the threads, must determine what is computed. */
void parts_run(int64_t parts, void (*work)(void *user, int64_t part), void *user);

#endif
