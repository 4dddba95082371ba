/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_FINDINGS_H
#define ASSAY_HARNESS_CHECK_FINDINGS_H

/* The results of the checks: whether each was tried, and its complaints. The first complaint of a check is
 * kept in full, of the others only the places. Use it from one thread only. */

#include <stdbool.h>
#include <stdio.h>

enum check {
#define CHECK(key_, ...) CHECK_##key_,
#include "harness/check/checks.def"
    CHECKS
};

struct clause {
    const char *name, *what, *section, *demand;
};
const struct clause *check_clause(enum check check);

struct complaint {
    const char *where; /* "add_ on float32"; "": none, then `came` of each complaint is kept */
    const char *sent;  /* the request; "": none */
    const char *came;  /* what is wrong with the answer */
    const char *fix;   /* advice */
};

struct findings {
    struct finding {
        bool tried;
        int complaints;
        char *where, *sent, *came, *fix; /* owned; the first complaint */
        char *also;                      /* owned; the other places, each once; NULL: none */
        const char *why_not;             /* static text: why the check was not tried */
    } of[CHECKS];
    int notes;
    char **note; /* owned; notes that are no faults */
};

void findings_tried(struct findings *findings, enum check check);
void findings_complain(struct findings *findings, enum check check, const struct complaint *complaint);
void findings_excuse(struct findings *findings, enum check check, const char *why_not);
void findings_note(struct findings *findings, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findings_destroy(struct findings *findings);

int findings_failed(const struct findings *findings); /* returns the number of checks with a complaint */

/* How the program ended before it greeted, "it ended with exit status 127; …"; NULL: it did not. Nothing else
 * can be checked then. */
const char *findings_ended(const struct findings *findings);

struct check_summary {
    const char *backend;       /* as on the command line */
    const char *name, *device; /* from its greeting; "" without one */
    long requests;
    double seconds;
};
void findings_print(const struct findings *findings, const struct check_summary *summary, FILE *to);
bool findings_print_json(const struct findings *findings, const struct check_summary *summary, FILE *to);

#endif
