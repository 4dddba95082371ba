/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_REPRO_CASE_H
#define ASSAY_HARNESS_CLI_REPRO_CASE_H

/* `assay repro CASE`: one case of the suite alone on each backend. */

#include "harness/repro/repro.h"

/* What is run: the last of the indices, after the others. */
struct repro_target {
    int *index, before; /* index: owned, freed by the caller */
};

/* Finds the cases that are named. */
bool repro_aim(const struct plan *plan, const char *id, const struct texts *after,
               struct repro_target *target, struct error *error);

/* The exit status of the command; of `files` counts how and where things are told: format, output_dir and
 * in_process. */
int repro_case_run(const struct plan *plan, const struct plan_options *options,
                   const struct repro_target *target, const struct repro_files *files);

#endif
