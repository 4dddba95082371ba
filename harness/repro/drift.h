/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_DRIFT_H
#define ASSAY_HARNESS_REPRO_DRIFT_H

/* The parts of `assay repro --op`: reading and asking (repro.c), one backend's answer as a JSON object
 * (answer.c), what is wrong with it (diagnosis.c), files for other tools (write.c), what a
 * person reads (show.c), the smallest problem that fails alike (reduce.c on shrink.h). */

#include "harness/repro/inputs.h"
#include "harness/repro/repro.h"
#include "harness/verdict/case.h"
#include "harness/verdict/hypotheses.h"
#include "harness/workers/worker.h"

#include <jansson.h>

/* What was read from the files, and what is found out on the way of one backend. */
struct drift {
    const struct repro_files *files;
    const struct op *op;
    struct attributes attributes;
    struct repro_inputs inputs;
    struct suite_case c;       /* its row is the drift */
    struct worker_setup setup; /* of the backend in hand */
    const char *id;            /* of the case that the call is from; NULL: files */
    char got[128];             /* "got-BACKEND", its file without the ending; no two backends share one */
    bool first;                /* this backend writes truth and bound, under its profile */
    FILE *phases;              /* where the child tells what it is doing; NULL in this process */
    const struct backend_class *class;
    struct backend *backend; /* open in the process that asks it */

    bool verdict_only;       /* no files, no words: what a search asks */
    const char *wanted_rule; /* and a cause is looked for where the rule is this one alone; NULL: always */

    struct record record;
    struct record shown; /* its worst element alone */
    double bound;        /* of that element, */
    double q, reach;     /* |error|/Q and Q, NaN where the envelope does not decide, */
    double magnitude;    /* and u·|truth| */
    int precision;       /* bits of its dtype; 0: not floating */
    struct hypothesis hypothesis;
    double condition;    /* greatest E_compute/(u·|truth|) */
    json_t *written;     /* names of files */
    char unwritten[512]; /* why a file could not be written; empty: all were */
};

const struct tensor *repro_leading_input(const struct drift *drift);

/* Whether the record is about values that the backend computed. */
bool repro_has_values(const struct record *record);

/* Looks for a hypothesis that explains the result; and the diagnosis in plain words, once the record, the
 * element to show and the hypothesis are there. */
void repro_explain(struct drift *drift, const struct program *program, const struct program_truth *truth,
                   const struct images *images, const struct profile *profile);
void repro_diagnose(const struct drift *drift, char *text, size_t size);

/* Tells the parent, whose time limit is for each phase; REPRO_EXPLAINING is one more of them. */
enum { REPRO_EXPLAINING = PHASE_JUDGE + 1 };
void repro_tell_phase(void *drift, enum case_phase phase);

/* Opens the backend in hand; runs and judges the call on it, and explains; frees what that found. */
bool repro_open(struct drift *drift, struct error *error);
void repro_judge(struct drift *drift);
void repro_forget(struct drift *drift);

/* The whole road for one backend. An object whose status is "unavailable" where it does not open. */
json_t *repro_answer(struct drift *drift);

/* Removes what an earlier call left: the file of that stem, and those of several outputs. */
void repro_write_clear(const char *directory, const char *stem);
void repro_write(struct drift *drift, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile);

/* --shrink, after `backend` has been told and failed: searches, tells, and answers as repro_ask does of what
 * is left, which stays in the drift. NULL where there was nothing to shrink, after saying why. */
json_t *repro_reduce(struct drift *drift, const struct plan_options *options, json_t *backend);

void repro_show_inputs(const struct drift *drift);
void repro_show_backend(const json_t *backend);
void repro_show_shrunk(const json_t *shrunk, double seconds);
void repro_show_json(const struct drift *drift, json_t *backends);

#endif
