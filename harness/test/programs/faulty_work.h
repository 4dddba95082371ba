/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_WORK_H
#define ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_WORK_H

/* Faults in the resources that a process takes.
 *
 *   flood   an answer without end
 *   burn    WORK_BURNT_MS of CPU time in a thread of its own, as drivers have them
 *   swell   WORK_SWOLLEN_MIB of memory, freed at once
 */

enum { WORK_BURNT_MS = 150, WORK_SWOLLEN_MIB = 96 };

void work_act(const char *name);

#endif
