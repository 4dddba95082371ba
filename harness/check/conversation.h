/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_CONVERSATION_H
#define ASSAY_HARNESS_CHECK_CONVERSATION_H

/* A conversation with the program under test, step by step, in which every malformed answer becomes a
 * complaint. A program that dies, hangs or can no longer be followed is started again for the next request,
 * until LOSSES_MAX losses. */

#include "harness/check/findings.h"
#include "harness/exec/program.h"
#include "harness/exec/protocol.h"
#include "harness/judge/memory/images.h"

#include <jansson.h>

enum { LOSSES_MAX = 12, LOSSES_LATE = 4 /* what a loss after waiting the whole time limit counts */ };

struct conversation {
    const char *command;
    double time_limit;
    struct findings *findings;
    struct exec_program program;
    bool running;
    int losses;
    struct exec_hello hello;
    bool greeted; /* `hello` holds its greeting */
    bool silent;  /* it could not be started, or ended before its greeting */
    /* the next steps request every storage back; set only for a program that offers it */
    bool return_storages;
    /* the next steps request so many runs after a warm-up; 0: one; set only for a program that offers it, and
     * for an operator that writes no operand */
    int repeats;
    long id, requests;
    int64_t wall_ns;         /* duration of the latest exchange */
    int64_t device_ns;       /* of the latest answer to a step; 0: it had none */
    enum check charge;       /* the check that a loss is charged to; CHECKS: the check of its form */
    const char *where, *fix; /* place of the current request; advice for a complaint while `charge` is set */
    char place[96];
    char sent[400]; /* the line of the latest request, shortened */
};

/* Starts the program if it is not running and reads its greeting, which is checked the first time. Returns
 * false if there is none. */
bool conversation_start(struct conversation *c);
/* Ends the program. */
void conversation_stop(struct conversation *c);
void conversation_destroy(struct conversation *c);

/* Returns false if the program has been lost too often, or could not be started at all. */
bool conversation_is_open(const struct conversation *c);

/* Sends one step and receives the result; images as for backend_run. Returns STEP_NOT_RUN if no usable answer
 * came; a complaint has then been made. `message`: the text in the answer, 256 bytes. */
enum step_status conversation_ask(struct conversation *c, const struct program *program,
                                  struct images *images, char message[256]);

/* Sends a request of one line, with these members after the id ("\"memory\": true") and `bytes` zero bytes
 * after the line. Returns the answer, which the caller releases; NULL after a complaint. */
json_t *conversation_say(struct conversation *c, const char *members, size_t bytes);

/* Checks the greeting's members, with a complaint for each fault (greeting_check.c). */
void greeting_check(struct conversation *c, const char *line);

/* Complains of every member of an object that is not in the list, which ends in NULL, and names the nearest
 * one. */
void check_spelling(struct conversation *c, enum check check, json_t *object, const char *const *known);

#endif
