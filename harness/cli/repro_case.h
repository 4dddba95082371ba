/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_REPRO_CASE_H
#define ASSAY_HARNESS_CLI_REPRO_CASE_H

/* `assay repro CASE`: runs one case of the suite alone on each backend. */

#include "harness/repro/repro.h"

/* The case to run: the last of the indices, after the others. */
struct repro_target {
    int *index, before; /* index: owned; freed by the caller */
};

/* Finds the named cases. Returns false with the reason if one does not exist. */
bool repro_aim(const struct plan *plan, const char *id, const struct texts *after,
               struct repro_target *target, struct error *error);

/* Runs the case and prints the records. Returns the exit status. Of `files` it uses format, output_dir,
 * in_process and gate. */
int repro_case_run(const struct plan *plan, const struct plan_options *options,
                   const struct repro_target *target, const struct repro_files *files);

#endif
