/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_CONVERSATION_H
#define ASSAY_HARNESS_CHECK_CONVERSATION_H

/* A program that is asked step by step, and every fault of form of its answers as a complaint. A program that
 * dies, hangs or can no longer be followed is started again for the next request, LOSSES_MAX times. */

#include "harness/check/findings.h"
#include "harness/exec/program.h"
#include "harness/exec/protocol.h"
#include "harness/judge/memory/images.h"

#include <jansson.h>

enum { LOSSES_MAX = 12, LOSSES_LATE = 4 /* what a wait for the whole time limit counts */ };

struct conversation {
    const char *command;
    double time_limit;
    struct findings *findings;
    struct exec_program program;
    bool running;
    int losses;
    struct exec_hello hello;
    bool greeted; /* `hello` is what it said */
    bool silent;  /* it could not be started, or ended before it said anything */
    bool return_storages; /* the next steps ask for every storage back; only of a program that offers it */
    long id, requests;
    int64_t wall_ns;         /* of the last answer */
    enum check charge;       /* what a loss is charged to; CHECKS: to the check of its form */
    const char *where, *fix; /* of the request in hand, and what may be wrong with it where `charge` is set */
    char place[96];
    char sent[400]; /* the line of the last request, cut */
};

/* Starts it and reads the greeting, of which the checks are made once. False where there is none. */
bool conversation_start(struct conversation *c);
/* Ends the program. */
void conversation_stop(struct conversation *c);
void conversation_destroy(struct conversation *c);

/* Whether it can be asked at all, or has been lost too often. */
bool conversation_is_open(const struct conversation *c);

/* One step: images as for backend_run. STEP_NOT_RUN: no answer that could be followed, and a complaint was
 * made. `message`: what it said, 256 bytes. */
enum step_status conversation_ask(struct conversation *c, const struct program *program,
                                  struct images *images, char message[256]);

/* A request of one line, its members behind the id: "\"memory\": true", and storage bytes behind it. NULL:
 * as NOT_RUN. The caller releases. */
json_t *conversation_say(struct conversation *c, const char *members, size_t bytes);

/* Complaints about the greeting's members; of greeting_check.c. */
void greeting_check(struct conversation *c, const char *line);

/* Members of an object that are not in a list that ends in NULL, each with the nearest one. */
void check_spelling(struct conversation *c, enum check check, json_t *object, const char *const *known);

#endif
