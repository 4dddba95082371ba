/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_REPRO_H
#define ASSAY_HARNESS_REPRO_REPRO_H

/* `assay repro --op … --input A.npy …`: runs an operator on the user's own tensors on several backends, and
 * compares the results with the truth.
 *
 * Each backend runs in a process of its own, so that a crash costs only that backend. */

#include "harness/selection/plan.h"

#include <jansson.h>

struct repro_files {
    const char *op, *dtype;        /* dtype NULL: that of the first file */
    struct texts inputs;           /* files, or "none", in the order of PyTorch's arguments */
    struct texts layouts, expands; /* "I=SPEC", "I=SHAPE": where the inputs lie in memory */
    struct texts attributes;       /* "K=V", "K=1,2" */
    const char *output_dir;        /* directory for files; NULL: write none */
    const char *format;            /* "text" or "json" */
    bool in_process;               /* ask the backends in this process, without a time limit */
    bool bench;                    /* say how long the call takes, if its result is not wrong */
    bool shrink;                   /* search for the smallest problem with the same failure */
    double shrink_seconds;         /* seconds that the search may take */
    const char *bundle;            /* file for the bundle; NULL: none */
    unsigned gate;                 /* enum gate_addition: further findings that make the exit status 1 */
    struct texts got;              /* results that exist already, one for each judged tensor */
    struct texts names;            /* of the backends in reports, in their order; may be fewer */
    const char *profile;           /* a file or a name: the profile of --got; NULL: "opencl" */
    const char *data; /* "random" or "structured": the origin of tensors from files; NULL: unknown */
};

/* Judges the results of --got, if there are any, and then asks the backends of `options`: with --got only
 * those that the command line `named`. Returns the exit status of the command. */
int repro_files(const struct plan *plan, const struct plan_options *options, const struct repro_files *files,
                bool named);

/* Does --shrink and --bundle for a case of the suite, whose own report has been printed already. Returns the
 * exit status. */
int repro_call(const struct plan *plan, const struct plan_options *options, const struct repro_files *files,
               int index);

/* `assay repro FILE`: replays a bundle on the backends of `options` if `named`; else on the bundle's own
 * backend, if repro_backend_is_ours. Returns the exit status. */
int repro_bundle(const struct plan *plan, const struct plan_options *options, const struct repro_files *files,
                 const char *path, bool named);

/* Judges the recorded results of a bundle in this process, without a time limit. Returns the answer as
 * `assay repro --format json` has it for one backend; NULL with the fault if the file is no bundle. The
 * caller owns the answer. */
json_t *repro_judge_bundle(const struct plan *plan, const struct plan_options *options,
                           const struct repro_files *files, const char *path, struct error *error);

/* `assay repro DIR`: judges the calls that assay_capture.py recorded in a directory, in their order, from
 * their recorded results or, if `named`, on the backends of `options`, and names the first that is not right.
 * Returns the exit status. */
int repro_capture(const struct plan *plan, const struct plan_options *options,
                  const struct repro_files *files, const char *folder, bool named);

/* Returns true if naming this backend can start no program but assay's own, so that a file may name it. */
bool repro_backend_is_ours(const char *name);

#endif
