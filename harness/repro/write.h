/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_WRITE_H
#define ASSAY_HARNESS_REPRO_WRITE_H

/* Writes the files of --output-dir: inputs, truth, bound and results as .npy. With several judged tensors
 * each file name has the number of the tensor ("truth-1.npy"), with several steps an input also that of the
 * step ("input-0-1.npy"). */

#include "harness/judge/values.h"
#include "harness/options/options.h"

#include <jansson.h>

struct repro_written {
    json_t *names;   /* an array to which the names of files are appended */
    char fault[512]; /* why the first file that failed could not be written; "": none failed */
};

/* Writes results to files with the stem `got` (NULL: none) and, if `truth`, also truth, truth_tail and bound.
 */
void repro_write_values(const struct values *values, const char *directory, const char *got, bool truth,
                        struct repro_written *written);

/* Writes the inputs that exist before the program runs, in their own dtype; bfloat16, which .npy lacks, as
 * float32. */
void repro_write_inputs(const struct program *program, const char *directory, struct repro_written *written);

/* Removes files of an earlier call: STEM.npy, STEM-NUMBER.npy and STEM-NUMBER-NUMBER.npy. */
void repro_write_clear(const char *directory, const char *stem);

/* Makes the directory and removes such files from it, because they are no results of this call. */
bool repro_folder_prepare(const char *folder, const struct texts *backends, struct error *error);

/* Sets the stem of backend b's results: "got-torch_cuda", or "got-NAME#2" where an earlier backend has the
 * same stem. */
void repro_results_name(const struct texts *backends, int b, char got[128]);

#endif
