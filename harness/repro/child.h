/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_CHILD_H
#define ASSAY_HARNESS_REPRO_CHILD_H

/* One backend of `assay repro --op` in a process of its own, so that a crash or a hang costs that backend. */

#include "harness/repro/drift.h"

/* repro_answer's object, or one of status "crash" or "timeout": `limit` seconds for the reference, for the
 * backend's answer and for the comparison each, and as `assay run` has it for opening the backend. Its
 * "reference_late" is true where the reference was too slow. With files->in_process no other process and no
 * limit. */
json_t *repro_ask(struct drift *drift, double limit);

#endif
