/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_PROGRAM_H
#define ASSAY_HARNESS_EXEC_PROGRAM_H

/* A program that answers on its stdout what is asked on its stdin: lines of text, raw bytes behind them.
 *
 * Reads and writes block, up to `deadline` where one is set; else the worker's parent sets the time limit and
 * kills the worker's process group, whose end the program's guard sees. One thread only. */

#include "harness/exec/guard.h"
#include "reference/base/error.h"
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    EXEC_LINE_MAX = 1 << 20, /* bytes of one line of JSON */
    EXEC_LOG_KEPT = 64 << 10 /* of what it writes to stderr */
};

struct exec_program {
    struct exec_guard guard; /* its parent */
    int to, from;
    int log; /* its stderr, a pipe; −1 once it is closed */
    unsigned char
        *words; /* the last EXEC_LOG_KEPT bytes of it, of `said` in all: byte k at k % EXEC_LOG_KEPT */
    uint64_t said;
    unsigned char *buffer; /* EXEC_LINE_MAX bytes; [start, end) is read and not yet used */
    size_t start, end;
    int64_t deadline; /* of clock_ns(): waits for the program end there; 0: none */
    bool late;        /* one has */
};

/* Starts `sh -c command` under a guard: neither it nor what it starts outlives this process (guard.h). */
bool exec_start(struct exec_program *program, const char *command, struct error *error);

/* Closes its stdin, waits a second for it to end, then kills it, and what it has started in either case. */
void exec_stop(struct exec_program *program);

/* Kills it at once: one that broke off the conversation is not waited for. */
void exec_kill(struct exec_program *program);

/* True when the program itself has ended, whatever it has started; does not wait. */
bool exec_has_ended(struct exec_program *program);

/* All of it or nothing. False when the program no longer reads. */
bool exec_send(struct exec_program *program, const void *bytes, size_t size);

/* The next line without its newline, NUL-terminated, valid until the next call. NULL at the end of its output
 * or when the line is too long. */
char *exec_line(struct exec_program *program, struct error *error);

/* Exactly `size` bytes. False at the end of its output. */
bool exec_bytes(struct exec_program *program, void *to, size_t size);

/* The same, and how many bytes came before the end of its output or the deadline. */
size_t exec_read(struct exec_program *program, void *to, size_t size);

/* True when it has said more than was asked for. */
bool exec_has_more(struct exec_program *program);

/* After its output has ended: why, in words ("was killed by signal 11 (Segmentation fault)"). Reaps it. */
void exec_describe_end(struct exec_program *program, char *text, size_t size);

/* The last line that it wrote to stderr; "" for none. To be asked before it is stopped. */
void exec_last_log_line(struct exec_program *program, char *text, size_t size);

#endif
