/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SHARED_PROCEDURE_H
#define ASSAY_SUITES_SHARED_PROCEDURE_H

/* A case that is a measurement instead of one program: memory over epochs, time against batch.
 *
 * `run` uses the backend through a bench that the harness supplies, and fills series. `verdict` is a pure
 * function of the series, so that tests can give it series with known answers. */

#include "reference/program/backend.h"
#include "suites/shared/series.h"
#include "suites/suite.h"

struct execution {
    enum step_status status; /* of the first step whose status is not OK; else OK */
    char message[256];
    int64_t device_ns; /* time of the call on the device; wall time if the backend has no clock of its own */
    /* ns that a fixed piece of work took just before: calibrates the speed of the machine */
    int64_t pace_ns;
    unsigned char *const *storage; /* contents of the storages; valid until the next execution */
};

struct usage {
    struct backend_memory memory;
    double resident;    /* resident memory of the backend's process in bytes; 0 if it cannot be read */
    double descriptors; /* open file descriptors of that process; 0 if unknown */
};

struct bench {
    const struct backend_info *info;
    uint64_t seed;
    void *user;

    /* Runs a program on freshly poisoned memory. Returns false only if the device is lost. */
    bool (*execute)(struct bench *bench, const struct program *program, struct execution *execution,
                    struct error *error);
    void (*usage)(struct bench *bench, struct usage *usage);
    void (*empty_cache)(struct bench *bench);
    /* Returns false if the backend cannot limit its memory. */
    bool (*limit_memory)(struct bench *bench, uint64_t bytes);
};

enum finding_kind { FINDING_NONE, FINDING_FAIL, FINDING_UNSUPPORTED, FINDING_ERROR };

struct finding {
    enum finding_kind kind;
    char reason[512];
    char detail[2048];
    char remark[384]; /* a remark on a measurement that passes; "" for none */
};

/* Records a finding. The first one sets kind and reason; each adds a line to the detail. */
void finding_note(struct finding *finding, enum finding_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns true if the program ran. Otherwise records a finding: UNSUPPORTED, ERROR if the backend did not
 * answer, else FAIL; for the last two `where` ("batch 8") says which execution it was. */
bool finding_ran(struct finding *finding, const struct execution *execution, const char *where, ...)
    __attribute__((format(printf, 3, 4)));

struct procedure {
    bool fresh; /* needs a worker that has run nothing before */
    bool alone; /* needs a machine on which no other case runs */

    /* Returns false only if the device is lost or memory for the measurement is missing. */
    bool (*run)(const struct suite_case *c, struct bench *bench, struct series_set *set,
                struct finding *finding, struct error *error);
    void (*verdict)(const struct series_set *set, struct finding *finding); /* may be NULL */

    /* Records in each series the thresholds of the verdict, and whether the series breaks them. Called after
     * `verdict`; may be NULL. */
    void (*limits)(struct series_set *set);

    /* Changes a series as a defect would, for the negative control (`run --self-test`). */
    void (*spoil)(struct series_set *set);
};

/* True if the case needs a worker that has run nothing before. */
static inline bool suite_case_fresh(const struct suite_case *c)
{
    return c->procedure ? c->procedure->fresh : c->fresh;
}

#endif
