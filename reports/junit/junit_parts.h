/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_JUNIT_JUNIT_PARTS_H
#define ASSAY_REPORTS_JUNIT_JUNIT_PARTS_H

/* Parts of the JUnit report: the XML writer (junit_xml.c), one testcase (junit_case.c), the suites around it
 * (junit.c). */

#include "reports/records/record.h"

#include <libxml/xmlwriter.h>

struct junit {
    xmlTextWriterPtr xml;
    bool ok; /* false once the writer or memory has failed */
    unsigned gate;
    void *names;  /* tsearch tree of "classname\nname" of all testcases so far */
    void *suites; /* tsearch tree of the names of all suites so far */
};

/* Write elements and attributes; a fault clears `ok`. */
void junit_check(struct junit *junit, int written);
void junit_start(struct junit *junit, const char *name);
void junit_end(struct junit *junit);
void junit_attribute(struct junit *junit, const char *name, const char *value);
void junit_count(struct junit *junit, const char *name, int count);
void junit_time(struct junit *junit, int64_t milliseconds);
void junit_content(struct junit *junit, const char *text);

enum outcome { PASSED, FAILED, ERRED, SKIPPED, OUTCOMES };

/* The outcome of a record in JUnit; whatever fails the gate is FAILED or ERRED. */
enum outcome junit_outcome(const struct record *record, unsigned gate);

/* The backend's name without folders and with "_" for dots; the caller frees it. NULL when out of memory. */
char *junit_backend(const char *backend);

/* The name, with " (2)" and so on appended when `before` + name is already in the tree. The tree owns the
 * result; NULL when out of memory. */
const char *junit_unique(void **given, const char *before, const char *name);

/* Frees the tree and its texts; *given is NULL then. */
void junit_forget(void **given);

/* Writes the testcase of a record. */
void junit_case(struct junit *junit, const struct record *record);

#endif
