/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_PROGRAM_H
#define ASSAY_HARNESS_EXEC_PROGRAM_H

/* A program that reads requests on its stdin and writes answers on its stdout: lines of text, followed by raw
 * bytes.
 *
 * Reads and writes block until `deadline` if one is set. Otherwise the worker's parent enforces the time
 * limit: it kills the worker's process group, and the program's guard then kills the program. Use it from one
 * thread only. */

#include "harness/exec/guard.h"
#include "reference/base/error.h"
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    EXEC_LINE_MAX = 1 << 20, /* bytes of one line of JSON */
    EXEC_LOG_KEPT = 64 << 10 /* bytes of its stderr that are kept */
};

struct exec_program {
    struct exec_guard guard; /* the guard, which is the program's parent */
    int to, from;
    int log; /* a pipe from its stderr; −1: closed */
    unsigned char
        *words; /* the last EXEC_LOG_KEPT of the `said` bytes of its stderr; byte k is at k % EXEC_LOG_KEPT */
    uint64_t said;
    unsigned char *buffer; /* EXEC_LINE_MAX bytes; [start, end) is read and not yet used */
    size_t start, end;
    int64_t deadline; /* as clock_ns(): a wait for the program ends then; 0: none */
    bool late;        /* a wait ended at the deadline */
};

/* Starts `sh -c command` under a guard, so that neither it nor any process that it starts outlives this one
 * (guard.h). */
bool exec_start(struct exec_program *program, const char *command, struct error *error);

/* Closes the program's stdin and waits a second for it to end. Then kills it, and in either case every
 * process that it has started. */
void exec_stop(struct exec_program *program);

/* Kills the program at once. Used after a malformed answer, which leaves no way to end the conversation. */
void exec_kill(struct exec_program *program);

/* Returns true when the program itself has ended, whether or not processes that it started still run. Does
 * not wait. */
bool exec_has_ended(struct exec_program *program);

/* Sends all of the bytes. Returns false when the program no longer reads. */
bool exec_send(struct exec_program *program, const void *bytes, size_t size);

/* Returns the next line without its newline, NUL-terminated, valid until the next call; NULL at the end of
 * the output or when the line is too long. */
char *exec_line(struct exec_program *program, struct error *error);

/* Reads exactly `size` bytes. Returns false at the end of the output. */
bool exec_bytes(struct exec_program *program, void *to, size_t size);

/* Reads up to `size` bytes. Returns how many arrived before the end of the output or the deadline. */
size_t exec_read(struct exec_program *program, void *to, size_t size);

/* Returns true when output is waiting that no request asked for. */
bool exec_has_more(struct exec_program *program);

/* After the end of the output: says why the program ended ("was killed by signal 11 (Segmentation fault)"),
 * and reaps it. */
void exec_describe_end(struct exec_program *program, char *text, size_t size);

/* Copies the last line that the program wrote to stderr; "" if there is none. Call it before the program is
 * stopped. */
void exec_last_log_line(struct exec_program *program, char *text, size_t size);

#endif
