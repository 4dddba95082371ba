/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_RUN_RESUME_H
#define ASSAY_HARNESS_RUN_RESUME_H

/* Goes on with an interrupted run: the records of its results file are kept, and only the cases without a
 * record run. The header of the earlier run stays, so both runs must have the same command, assay and device.
 *
 * A record is dropped and its case runs again if its status is missing, or if a baseline has changed its
 * status or may change it, because this run may have another baseline. All other records are kept. */

#include "harness/gate/baseline.h"
#include "harness/run/results_file.h"
#include "harness/selection/select.h"

struct resume {
    const char *path; /* borrowed; NULL: there is no earlier run */
    struct results results;
};

/* Reads the results file. Returns false with the reason. */
bool resume_read(const char *path, struct resume *resume, struct error *error);
void resume_destroy(struct resume *resume);

/* The header of the earlier run on the backend of this name; NULL where it has none. */
const struct record_header *resume_header(const struct resume *resume, const char *backend);

/* Returns true if the earlier header states the same seed, level, selection, options and assay as `now`.
 * False names the first difference. */
bool resume_same_command(const struct resume *resume, const struct record_header *earlier,
                         const struct record_header *now, struct error *error);
/* The same for device, driver, API and profile. */
bool resume_same_device(const struct resume *resume, const struct record_header *earlier,
                        const struct record_header *now, struct error *error);

/* What a backend's kept records go to. */
struct resume_target {
    const struct suite_list *list;
    struct baseline *baseline; /* applied to the records; NULL: none */
    unsigned gate;
    struct results_file *to; /* NULL: no file */
    struct results *results;
};

/* Moves the earlier header and its kept records on the backend to the target. Removes the cases that have a
 * record from the selection, whose other members stay. Returns false with the reason when the file or memory
 * failed. */
bool resume_keep(struct resume *resume, const char *backend, const struct resume_target *target,
                 struct selection *selection, struct error *error);

#endif
