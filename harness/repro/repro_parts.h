/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_REPRO_PARTS_H
#define ASSAY_HARNESS_REPRO_REPRO_PARTS_H

/* What the files of `assay repro --op` share: reading and asking (repro.c), one backend's answer as a JSON
 * object (answer.c), its diagnosis (diagnosis.c), files for other tools (write.c), the text for the user
 * (show.c), and the search for the smallest failing problem (reduce.c, with shrink.h). */

#include "harness/bundle/bundle.h"
#include "harness/diagnose/hypotheses.h"
#include "harness/formats/inputs.h"
#include "harness/judge/case.h"
#include "harness/repro/repro.h"
#include "harness/repro/undeclared.h"
#include "harness/workers/worker.h"

#include <jansson.h>

/* One call and the state of asking one backend about it. */
struct repro {
    const struct repro_files *files;
    const struct op *op;
    struct attributes attributes;
    struct repro_inputs inputs;
    struct suite_case c;       /* its row is this struct */
    struct worker_setup setup; /* of the current backend */
    const char *id;            /* of the case from which the call was taken; NULL: from files */
    char got[128];   /* "got-BACKEND", the name of its file without the ending, unique per backend */
    char label[512]; /* the name of the backend in reports */
    bool first;      /* this backend's answer writes truth and bound, under its profile */
    FILE *phases;    /* where the child reports its phase; NULL in the parent */
    const struct backend_class *class;
    struct backend *backend; /* open only in the process that asks it */

    bool bundling;     /* write --bundle for this answer */
    bool no_files;     /* do not write the files of --output-dir */
    bool verdict_only; /* no files and no text, as a search needs */
    /* with verdict_only: look for a cause only if the failure is by this rule; NULL: always */
    const char *wanted_rule;

    /* a replayed bundle: its results replace a backend's, and its truth is compared */
    const struct bundle *recorded;
    char reference[320];        /* how the truth differs from the bundle's; "": it does not */
    struct bundle_output *kept; /* [OUTPUTS_MAX] results for a bundle; NULL: none is requested */
    int kept_count;
    struct profile profile; /* of the backend that answered, as it holds for the operator */
    const json_t *shrunk;   /* "before" and "after"; NULL: not shrunk */

    struct record record;
    struct record shown;            /* as `record`, with the element to show as its worst */
    double bound;                   /* error bound of that element */
    double q, reach;                /* |error|/Q and Q; NaN where the envelope does not decide */
    double magnitude;               /* u·|truth| of that element */
    double true_number, got_number; /* truth and result of that element: the first component */
    int precision;                  /* significant bits of its dtype; 0: not floating */
    struct hypothesis hypothesis;
    struct undeclared undeclared; /* of a result that passes: what the verdict depends on */
    double condition;             /* greatest E_compute/(u·|truth|) */
    json_t *written;              /* names of the files written */
    char unwritten[512];          /* why a file could not be written; "": all were */
};

/* Returns true if a wrong answer would pass: the case is vacuous, or neither the certified bound nor the
 * envelope limits the shown element. */
bool repro_is_vacuous(const struct repro *repro);
/* Returns true if the result can be called neither right nor wrong: repro_is_vacuous, or the verdict depends
 * on a member that the profile lacks. */
bool repro_cannot_tell(const struct repro *repro);

const struct tensor *repro_leading_input(const struct repro *repro);

/* Returns true if the record is about values that the backend computed. */
bool repro_has_values(const struct record *record);

/* repro_explain looks for a hypothesis that explains the result. repro_diagnose writes the diagnosis, once
 * the record, the element to show and the hypothesis are known. */
void repro_explain(struct repro *repro, const struct program *program, struct program_truth *truth,
                   const struct images *images, const struct profile *profile);
void repro_diagnose(const struct repro *repro, char *text, size_t size);

/* Reports a phase to the parent, whose time limit holds for each phase. REPRO_EXPLAINING is one more phase.
 */
enum { REPRO_EXPLAINING = PHASE_JUDGE + 1 };
void repro_report_phase(void *repro, enum case_phase phase);
/* Reports the part of the result that is judged, 0 to 1. */
void repro_report_progress(void *repro, double done);

/* Open the current backend; run, judge and explain the call; free the results. */
bool repro_open(struct repro *repro, struct error *error);
void repro_judge(struct repro *repro);
void repro_clear(struct repro *repro);

/* repro_as_case returns the call as a case to be judged. repro_prepare checks the operands and prepares the
 * directory for files, before any backend is asked. */
struct suite_case repro_as_case(struct repro *repro, const char *name, const char *file, int line);
bool repro_prepare(struct repro *repro, const struct plan_options *options, struct error *error);

/* Reads a bundle and makes its call and its recorded results those of `repro`, whose `files` are set. Returns
 * false with the fault. The caller calls bundle_clear, after it is done with `repro`, in either case. */
bool repro_take_bundle(struct repro *repro, struct bundle *bundle, const struct plan *plan,
                       const struct plan_options *options, const char *path, struct error *error);

/* Opens the current backend, runs and judges the call, and closes it. Returns the answer; its status is
 * "unavailable" if the backend does not open. */
json_t *repro_answer(struct repro *repro);

/* Writes the files of --output-dir, and setup.values. */
void repro_write(struct repro *repro, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile);

/* Keeps the results for the bundle, from the images of run 0 if there are any. */
void repro_keep(struct repro *repro, const struct program *program, const struct program_truth *truth,
                const struct images *images, const struct profile *profile);
void repro_keep_clear(struct repro *repro);
/* Writes --bundle with the kept results; adds "bundle" or "unwritten" to the answer. */
void repro_keep_write(struct repro *repro, const struct backend_info *info, json_t *answer);
/* Writes --bundle where the backend's process ended without an answer. */
void repro_keep_unanswered(struct repro *repro, json_t *answer);

/* Returns bundle.json. `info` NULL: the backend's process is gone. */
json_t *repro_keep_manifest(const struct repro *repro, const struct backend_info *info, const json_t *answer);

/* Return numbers and attributes as bundle.json has them. */
json_t *repro_numbers_put(const int64_t *x, int count);
json_t *repro_attributes_put(const struct attributes *attributes);

/* Compares the truth with that of the bundle; sets repro->reference. */
void repro_compare_truth(struct repro *repro, const struct program *program,
                         const struct program_truth *truth);

/* A backend that returns the recorded results. repro_open uses it where `recorded` is set and the backend is
 * REPRO_RECORDED. */
extern const struct backend_class repro_recorded_class;
struct backend *repro_recorded_open(const struct bundle *bundle);
#define REPRO_RECORDED "recorded"

/* Does --shrink after `backend`, the answer, has failed: searches, shows the result, and returns the answer
 * about the shrunk call as repro_ask does. Returns NULL after saying why if nothing could be shrunk. */
json_t *repro_reduce(struct repro *repro, const struct plan_options *options, json_t *backend);

void repro_reduce_clear(const char *folder, const char *got); /* removes shrunk operands of an earlier call */

/* Writes the command to type next, for example the present one with --shrink and --bundle; "" where there is
 * none. `backend` is the answer. */
void repro_next(const struct repro *repro, const json_t *backend, char *text, size_t size);

void repro_show_inputs(const struct repro *repro);
void repro_show_backend(const json_t *backend);
void repro_show_bundle(const json_t *backend);
/* Prints the ratio of each backend's time (--bench) to that of the last one that has a time. */
void repro_show_times(const json_t *backends);
void repro_show_shrunk(const json_t *shrunk, double seconds);
/* `comparison`: of repro_compare; NULL: none */
void repro_show_json(const struct repro *repro, json_t *backends, json_t *comparison);

#endif
