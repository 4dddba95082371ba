/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_WRITE_H
#define ASSAY_HARNESS_REPRO_WRITE_H

/* The files of --output-dir: inputs, truth, bound and results as .npy. Of several judged tensors each has its
 * number behind the stem ("truth-1.npy"), of several steps each input also the step's ("input-0-1.npy"). */

#include "harness/options/options.h"
#include "harness/judge/values.h"

#include <jansson.h>

struct repro_written {
    json_t *names;   /* an array that file names are appended to */
    char fault[512]; /* why the first one that could not be written could not; empty: all were */
};

/* `got` is the stem of the results, NULL: none; with `truth` also truth, truth_tail and bound. */
void repro_write_values(const struct values *values, const char *directory, const char *got, bool truth,
                        struct repro_written *written);

/* Inputs that are there before the program runs, in their own dtype; bfloat16, which .npy has none for, as
 * float32. */
void repro_write_inputs(const struct program *program, const char *directory, struct repro_written *written);

/* Removes what an earlier call left: STEM.npy, STEM-NUMBER.npy and STEM-NUMBER-NUMBER.npy. */
void repro_write_clear(const char *directory, const char *stem);

/* Makes the folder, and removes these files of an earlier call: they are no results of this one. */
bool repro_folder_prepare(const char *folder, const struct texts *backends, struct error *error);

/* "got-torch_cuda", and "got-NAME#2" where an earlier backend's name comes out the same. */
void repro_results_name(const struct texts *backends, int b, char got[128]);

#endif
