/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_REPRO_H
#define ASSAY_HARNESS_REPRO_REPRO_H

/* `assay repro --op … --input A.npy …`: somebody's own tensors through an operator on several backends,
 * beside the truth.
 *
 * Each backend runs in a process of its own, so that a crash costs that backend. */

#include "harness/selection/plan.h"

struct repro_files {
    const char *op, *dtype;  /* dtype NULL: that of the first file */
    struct texts inputs;     /* .npy and .mtx files, or "none", in PyTorch's argument order */
    struct texts attributes; /* "K=V", "K=1,2" */
    const char *output_dir;  /* NULL: write no files */
    const char *format;      /* "text" or "json" */
    bool in_process;         /* no process for each backend, and no time limit then */
    bool shrink;             /* look for the smallest problem that fails alike, */
    double shrink_seconds;   /* so long */
    const char *bundle;      /* file for the call and what came of it; NULL: none */
    unsigned gate;           /* what makes the exit status 1 beside what always does: enum gate_addition */
    const char *data;        /* "random" or "structured", what the tensors of files are; NULL: not known */
};

/* The exit status of the command. */
int repro_files(const struct plan *plan, const struct plan_options *options, const struct repro_files *files);

/* --shrink and --bundle of a case of the suite, whose own report is printed already. */
int repro_call(const struct plan *plan, const struct plan_options *options, const struct repro_files *files,
               int index);

/* `assay repro FILE`: a bundle again, on the backends of `options`; where `named` is false, on the bundle's
 * own where that starts no program but ours. */
int repro_bundle(const struct plan *plan, const struct plan_options *options, const struct repro_files *files,
                 const char *path, bool named);

/* A backend that may be opened because a file names it. */
bool repro_backend_is_ours(const char *name);

#endif
