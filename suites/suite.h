/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_SUITE_H
#define ASSAY_SUITES_SUITE_H

/* What is asked: cases, declared as table rows and built into programs on demand.
 *
 * A file suites/FAMILY/STEM.c exports `const struct suite suite_FAMILY_STEM`. Listing builds no program.
 * Inputs come from Philox4x32-10 keyed by hash(seed, case id, tensor), by integer arithmetic only. */

#include "reference/base/philox.h"
#include "reference/program/program.h"

#include <stdio.h>

enum level { LEVEL_SMOKE, LEVEL_STANDARD, LEVEL_EXHAUSTIVE, LEVEL_COUNT };

const char *level_name(enum level level);
bool level_from_name(const char *name, enum level *level);

/* For families of many pipelines: smoke cases in other dtypes than float32 (than float16, float32 and
 * integers) are standard ones. Every operator and dtype is a pipeline or several, and a CPU device compiles
 * each for 0.1 s. */
enum level level_beyond_float32(enum level level, enum dtype dtype);
enum level level_beyond_float16_32(enum level level, enum dtype dtype);

struct procedure; /* suites/shared/procedure.h */
struct builder;   /* suites/build.h */

struct suite_case {
    const char *family;  /* "memory", "scaling"; NULL: the operator's */
    const struct op *op; /* the operator that names the case; a chain may use others as well */
    enum dtype dtype;
    const char *name; /* the last part of the id: no '/', unique within op and dtype; "hilbert-n8" */
    enum level level; /* the least level that runs it */
    const char
        *covers;      /* keys of suites/items.def that this case answers, separated by spaces; "" for none */
    const char *file; /* of the table row */
    int line;

    /* A measurement in place of one program; then `build` is NULL. */
    const struct procedure *procedure;

    /* Appends storages and steps to the builder's empty program. */
    void (*build)(struct builder *b);
    const void *row;     /* the builder's table row, static */
    const void *subject; /* the table's, likewise */
    int64_t parameter;   /* the builder's own */
    bool fresh;          /* a program whose tensors need the memory of a worker that has run nothing before */
};

/* Receives the cases that a suite declares; copies what it is given (name included). */
struct suite_list;
void suite_declare(struct suite_list *list, const struct suite_case *c);
/* The same with a name that is put together, of any length, in place of c->name. */
void suite_declare_named(struct suite_list *list, const struct suite_case *c, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Hands memory over that cases point to (malloc'ed; freed with the list). False: out of memory; freed. */
bool suite_keep(struct suite_list *list, void *memory);
/* What is missing was not declared for want of memory: creation fails. */
void suite_fail(struct suite_list *list);

struct suite {
    void (*declare)(struct suite_list *list);

    /* Writes a Markdown table of what the cases of all suites must show beside suites/items.def. Returns the number of
     * gaps, −1 when out of memory. NULL: there is none. */
    int (*coverage)(FILE *file, const struct suite_list *list);
};

/* Generated: one for each file that exports a suite, in the order of their names, NULL at the end. */
extern const struct suite *const suite_sets[];

/* All cases, in a stable order. An id is family/operator/dtype/name. */
struct suite_list *suite_list_create(void);
void suite_list_destroy(struct suite_list **list);
void suite_list_drop(struct suite_list *list,
                     int index); /* takes a case out, for tests of what then is missing */
int suite_list_count(const struct suite_list *list);
const struct suite_case *suite_list_at(const struct suite_list *list, int index);
const char *suite_list_id(const struct suite_list *list, int index);
int suite_list_find(const struct suite_list *list, const char *id); /* −1 when unknown */

/* A generator for one tensor of one case: the same bits on every machine. */
void suite_generator(struct philox *generator, uint64_t seed, const struct suite_case *c, int tensor);

/* Builds the case's program: NULL with the reason, which is a fault of the suite itself. Of suites/case.c.
 */
struct program *suite_build(const struct suite_case *c, uint64_t seed, struct error *error);

#endif
