/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_FINDINGS_H
#define ASSAY_HARNESS_CHECK_FINDINGS_H

/* What is found of each check: whether it was tried, and the complaints. Of a check the first complaint is
 * kept whole, of the others where they were. One thread. */

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
    const char *where; /* "add_ on float32"; "" for none: of each what came is kept then */
    const char *sent;  /* the request; "" for none */
    const char *came;  /* what is wrong with what came back */
    const char *fix;   /* what to do */
};

struct findings {
    struct finding {
        bool tried;
        int complaints;
        char *where, *sent, *came, *fix; /* owned; of the first complaint */
        char *also;                      /* owned; the other places, each once; NULL: none */
        const char *why_not;             /* static; why it was not tried */
    } of[CHECKS];
    int notes;
    char **note; /* owned; what is worth knowing and no fault */
};

void findings_tried(struct findings *findings, enum check check);
void findings_complain(struct findings *findings, enum check check, const struct complaint *complaint);
void findings_excuse(struct findings *findings, enum check check, const char *why_not);
void findings_note(struct findings *findings, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findings_destroy(struct findings *findings);

int findings_failed(const struct findings *findings); /* checks with a complaint */

struct check_summary {
    const char *backend;       /* as it was asked for */
    const char *name, *device; /* of its greeting; "" without one */
    long requests;
    double seconds;
};
void findings_print(const struct findings *findings, const struct check_summary *summary, FILE *to);
bool findings_print_json(const struct findings *findings, const struct check_summary *summary, FILE *to);

#endif
