/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_REPRO_PARTS_H
#define ASSAY_HARNESS_REPRO_REPRO_PARTS_H

/* The parts of `assay repro --op`: reading and asking (repro.c), one backend's answer as a JSON object
 * (answer.c), what is wrong with it (diagnosis.c), files for other tools (write.c), what a
 * person reads (show.c), the smallest problem that fails alike (reduce.c on shrink.h). */

#include "harness/repro/bundle.h"
#include "harness/formats/inputs.h"
#include "harness/repro/repro.h"
#include "harness/repro/undeclared.h"
#include "harness/judge/case.h"
#include "harness/diagnose/hypotheses.h"
#include "harness/workers/worker.h"

#include <jansson.h>

/* What was read from the files, and what is found out on the way of one backend. */
struct repro {
    const struct repro_files *files;
    const struct op *op;
    struct attributes attributes;
    struct repro_inputs inputs;
    struct suite_case c;       /* its row is this */
    struct worker_setup setup; /* of the backend in hand */
    const char *id;            /* of the case that the call is from; NULL: files */
    char got[128];             /* "got-BACKEND", its file without the ending; no two backends share one */
    bool first;                /* this backend writes truth and bound, under its profile */
    FILE *phases;              /* where the child tells what it is doing; NULL in this process */
    const struct backend_class *class;
    struct backend *backend; /* open in the process that asks it */

    bool bundling;           /* --bundle is to be written of this answer */
    bool no_files;           /* and those of --output-dir are not */
    bool verdict_only;       /* no files, no words: what a search asks */
    const char *wanted_rule; /* and a cause is looked for where the rule is this one alone; NULL: always */

    const struct bundle *recorded; /* replay: its results stand for a backend's, and its truth is compared */
    char reference[320];           /* how the truth differs from it; empty: it does not */
    struct bundle_output *kept;    /* what a bundle will hold, OUTPUTS_MAX of them; NULL: none is asked for */
    int kept_count;
    struct profile profile; /* of the backend that answered, as it holds for the operator */
    const json_t *shrunk;   /* "before" and "after"; NULL */

    struct record record;
    struct record shown; /* its worst element alone */
    double bound;        /* of that element, */
    double q, reach;     /* |error|/Q and Q, NaN where the envelope does not decide, */
    double magnitude;    /* and u·|truth| */
    int precision;       /* bits of its dtype; 0: not floating */
    struct hypothesis hypothesis;
    struct undeclared undeclared; /* of a result that passes: what the verdict hangs on */
    double condition;    /* greatest E_compute/(u·|truth|) */
    json_t *written;     /* names of files */
    char unwritten[512]; /* why a file could not be written; empty: all were */
};

/* Whether a wrong answer would pass: the case is vacuous, or neither the certified bound nor the envelope limits
 * the element shown. */
bool repro_is_vacuous(const struct repro *repro);
/* Whether the verdict is neither right nor wrong: as repro_is_vacuous, or it hangs on a member that the profile
 * lacks. */
bool repro_cannot_tell(const struct repro *repro);

const struct tensor *repro_leading_input(const struct repro *repro);

/* Whether the record is about values that the backend computed. */
bool repro_has_values(const struct record *record);

/* Looks for a hypothesis that explains the result; and the diagnosis in plain words, once the record, the
 * element to show and the hypothesis are there. */
void repro_explain(struct repro *repro, const struct program *program, struct program_truth *truth,
                   const struct images *images, const struct profile *profile);
void repro_diagnose(const struct repro *repro, char *text, size_t size);

/* Tells the parent, whose time limit is for each phase; REPRO_EXPLAINING is one more of them. */
enum { REPRO_EXPLAINING = PHASE_JUDGE + 1 };
void repro_tell_phase(void *repro, enum case_phase phase);

/* Opens the backend in hand; runs and judges the call on it, and explains; frees what that found. */
bool repro_open(struct repro *repro, struct error *error);
void repro_judge(struct repro *repro);
void repro_clear(struct repro *repro);

/* What the call is judged as, and what can be said against it before any backend is asked. */
struct suite_case repro_as_case(struct repro *repro, const char *name, const char *file, int line);
bool repro_prepare(struct repro *repro, const struct plan_options *options, struct error *error);

/* The whole road for one backend. An object whose status is "unavailable" where it does not open. */
json_t *repro_answer(struct repro *repro);

/* The files of --output-dir, and setup.values. */
void repro_write(struct repro *repro, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile);

/* The kept results, from the images of run 0 where there are any. */
void repro_keep(struct repro *repro, const struct program *program, const struct program_truth *truth,
                const struct images *images, const struct profile *profile);
void repro_keep_clear(struct repro *repro);
/* Writes --bundle with the kept results; `answer` gets "bundle", or "unwritten". */
void repro_keep_write(struct repro *repro, const struct backend_info *info, json_t *answer);
/* The same where the backend's process left nothing behind. */
void repro_keep_unanswered(struct repro *repro, json_t *answer);

/* bundle.json; info NULL: the backend's process is gone. */
json_t *repro_keep_manifest(const struct repro *repro, const struct backend_info *info, const json_t *answer);

/* Numbers and attributes in JSON, as bundle.json has them. */
json_t *repro_numbers_put(const int64_t *x, int count);
json_t *repro_attributes_put(const struct attributes *attributes);

/* Holds the truth against that of the bundle. */
void repro_compare_truth(struct repro *repro, const struct program *program,
                         const struct program_truth *truth);

/* The recorded results as a backend's; repro_open takes it where `recorded` is set and asked for by its name.
 */
extern const struct backend_class repro_recorded_class;
struct backend *repro_recorded_open(const struct bundle *bundle);
#define REPRO_RECORDED "recorded"

/* --shrink, after `backend` has been told and failed: searches, tells, and answers as repro_ask does of what
 * is left, which stays in `repro`. NULL where there was nothing to shrink, after saying why. */
json_t *repro_reduce(struct repro *repro, const struct plan_options *options, json_t *backend);

void repro_reduce_clear(const char *folder, const char *got); /* operands that an earlier call shrank */

void repro_show_inputs(const struct repro *repro);
void repro_show_backend(const json_t *backend);
void repro_show_bundle(const json_t *backend);
void repro_show_shrunk(const json_t *shrunk, double seconds);
/* comparison: repro_compare's, NULL: none */
void repro_show_json(const struct repro *repro, json_t *backends, json_t *comparison);

#endif
