/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_PROCEDURE_H
#define ASSAY_SUITES_SHARED_PROCEDURE_H

/* A case that is a measurement instead of one program: memory over epochs, time against batch.
 *
 * `run` asks the backend and fills series; `verdict` is a pure function of the series, so that it can be
 * tested with series of which the answer is known. Neither knows which backend it is: the harness hands over
 * a bench. */

#include "reference/program/backend.h"
#include "suites/shared/series.h"
#include "suites/suite.h"

struct execution {
    enum step_status status; /* of the first step that is not OK; else OK */
    char message[256];
    int64_t device_ns; /* wall time of the call where the backend has no clock of its own */
    int64_t pace_ns;   /* what a fixed piece of work took on this machine just before: what else slows it */
    unsigned char *const *storage; /* what the storages hold now; valid until the next execution */
};

struct usage {
    struct backend_memory memory;
    double resident;    /* bytes of the backend's process in memory; 0 where it cannot be read */
    double descriptors; /* its open file descriptors; 0 likewise */
};

struct bench {
    const struct backend_info *info;
    uint64_t seed;
    void *user;

    /* Runs a program on fresh poison. False only when the device is lost. */
    bool (*execute)(struct bench *bench, const struct program *program, struct execution *execution,
                    struct error *error);
    void (*usage)(struct bench *bench, struct usage *usage);
    void (*empty_cache)(struct bench *bench);
    bool (*limit_memory)(struct bench *bench, uint64_t bytes); /* false where the backend cannot */
};

enum finding_kind { FINDING_NONE, FINDING_FAIL, FINDING_UNSUPPORTED, FINDING_ERROR };

struct finding {
    enum finding_kind kind;
    char reason[512];
    char detail[2048];
    char remark[384]; /* what a reader wants to know of a measurement without a finding; "" for nothing */
};

/* Notes the first finding; later ones only add a line to the detail. */
void finding_note(struct finding *finding, enum finding_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True when the program ran. Else notes why not, with `where` ("batch 8") in front: the backend does not
 * support it, could not answer (an error), or fails. */
bool finding_ran(struct finding *finding, const struct execution *execution, const char *where, ...)
    __attribute__((format(printf, 3, 4)));

struct procedure {
    bool fresh; /* in a worker that has run nothing before */
    bool alone; /* while no other case runs */

    /* False only when the device is lost, or memory for the measurement is missing. */
    bool (*run)(const struct suite_case *c, struct bench *bench, struct series_set *set,
                struct finding *finding, struct error *error);
    void (*verdict)(const struct series_set *set, struct finding *finding); /* may be NULL */

    /* Notes in each series the thresholds that the verdict holds it against, and whether it breaks them, for
     * the record; after the verdict. May be NULL. */
    void (*limits)(struct series_set *set);

    /* Spoils a series as a defect would, for the negative control (run --self-test). */
    void (*spoil)(struct series_set *set);
};

/* Whether the case is for a worker that has run nothing before. */
static inline bool suite_case_fresh(const struct suite_case *c)
{
    return c->procedure ? c->procedure->fresh : c->fresh;
}

#endif
