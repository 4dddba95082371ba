/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_CHILD_H
#define ASSAY_HARNESS_WORKERS_CHILD_H

/* One worker process, as its parent sees it: a pipe for requests, a pipe for answers, and a pipe for the text
 * that the worker prints.
 *
 * Messages are lines of text.
 *
 *      to the worker     case SEQ INDEX MODE ID           MODE: enum worker_mode
 *      from the worker   hello VERSION {record header}      once, when the backend is open: the device
 *                        refused TEXT                       once, instead of hello: why it did not open
 *                        phase SEQ run|judge                the phase begins; first: reference
 *                        done SEQ HITS MISSES LOST REFERENCE DEVICE JUDGE PROCEDURE RESIDENT {record}
 *
 * LOST is 1 when the device is lost and the worker must be replaced. REFERENCE to PROCEDURE are the case's
 * CPU time (struct case_cost). RESIDENT is the peak memory of the worker so far, in KiB. Any other line is
 * malformed. Use a struct child from one thread only. */

#include "reference/base/error.h"
#include <stddef.h>
#include <sys/types.h>

enum {
    CHILD_PROTOCOL = 2,
    CHILD_REQUESTS_FD = 3, /* descriptor number in the worker */
    CHILD_ANSWERS_FD = 4,
    CHILD_LINE_MAX = 4 << 20, /* a longer answer is malformed */
    CHILD_LOG_MAX = 4096      /* bytes of the worker's latest output that are kept */
};

struct child {
    pid_t pid;                  /* 0: no process */
    int requests, answers, log; /* −1 once closed */
    bool reaped;
    int wait_status;
    char *bytes; /* answers read, from `start` to `end` */
    size_t start, end, room;
    char tail[CHILD_LOG_MAX + 1];
    size_t tail_used;
};

/* Starts this program again with the given arguments (argv[0] included, NULL at the end), in a process group
 * of its own. `program` is the path to use where /proc/self/exe does not exist. */
bool child_spawn(struct child *child, const char *program, const char *const *argv, struct error *error);

/* Sends one request. Returns false when the worker no longer reads. */
bool child_send(struct child *child, const char *line);

/* Reads the answers that have arrived. Returns false at the end of the pipe. */
bool child_receive(struct child *child);
/* Returns the next complete line, NUL-terminated without its newline, valid until the next receive; NULL when
 * there is none yet. Sets *oversized when the worker has written CHILD_LINE_MAX bytes without a newline. */
char *child_line(struct child *child, size_t *length, bool *oversized);

void child_receive_log(struct child *child);

/* closes the request pipe: a healthy worker then closes its device and exits */
void child_end(struct child *child);
void child_kill(struct child *child); /* SIGKILL to its process group */
bool child_reap(struct child *child); /* true when the process has ended; does not wait */
void child_release(
    struct child *child); /* closes the pipes, frees; a process that is not reaped is left to init */

/* Says how the process ended: "was killed by SIGSEGV (segmentation fault)", "exited with status 3". */
void child_describe(const struct child *child, char *text, size_t size);

#endif
