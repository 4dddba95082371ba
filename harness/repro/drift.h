/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_DRIFT_H
#define ASSAY_HARNESS_REPRO_DRIFT_H

/* The parts of `assay repro --op`: reading and asking (repro.c), one backend's answer as a JSON object
 * (answer.c), what is wrong with it (diagnosis.c), files for other tools (write.c), what a
 * person reads (show.c). */

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
    char got[128];             /* "got-BACKEND", its file without the ending; no two backends share one */
    bool first;                /* this backend writes truth and bound, under its profile */
    FILE *phases;              /* where the child tells what it is doing; NULL in this process */

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

/* The whole road for one backend. An object whose status is "unavailable" where it does not open. */
json_t *repro_answer(struct drift *drift);

/* The files of --output-dir, and setup.values. */
void repro_write(struct drift *drift, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile);

void repro_show_inputs(const struct drift *drift);
void repro_show_backend(const json_t *backend);
/* comparison: repro_compare's, NULL: none */
void repro_show_json(const struct drift *drift, json_t *backends, json_t *comparison);

#endif
