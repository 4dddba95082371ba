/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_JUNIT_JUNIT_PARTS_H
#define ASSAY_REPORTS_JUNIT_JUNIT_PARTS_H

/* The parts of the JUnit report: the writer, one testcase, the suites around them (reports/junit/junit.c). */

#include "reports/records/record.h"

#include <libxml/xmlwriter.h>

struct junit {
    xmlTextWriterPtr xml;
    bool ok; /* false once the writer or memory has failed */
    unsigned gate;
    void *names;  /* tsearch tree of the "classname\nname" given out */
    void *suites; /* likewise of the suites' names */
};

/* Elements and attributes; a fault is kept in `ok`. */
void junit_check(struct junit *junit, int written);
void junit_start(struct junit *junit, const char *name);
void junit_end(struct junit *junit);
void junit_attribute(struct junit *junit, const char *name, const char *value);
void junit_count(struct junit *junit, const char *name, int count);
void junit_time(struct junit *junit, int64_t milliseconds);
void junit_content(struct junit *junit, const char *text);

enum outcome { PASSED, FAILED, ERRED, SKIPPED, OUTCOMES };
enum outcome junit_outcome(const struct record *record, unsigned gate);

/* The backend's name without folders and dots; the caller frees it. */
char *junit_backend(const char *backend);

/* The name, with " (2)" and so on behind it when `before` + name has been given out. The tree owns the
 * result; NULL when out of memory. */
const char *junit_unique(void **given, const char *before, const char *name);

/* Frees the tree and all texts that it owns; *given is NULL then. */
void junit_forget(void **given);

void junit_case(struct junit *junit, const struct record *record);

#endif
