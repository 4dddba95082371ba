/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_CHILD_H
#define ASSAY_HARNESS_WORKERS_CHILD_H

/* One worker process as its parent sees it: a pipe for requests, a pipe for answers, a pipe for what it
 * prints.
 *
 * Messages are lines of text.
 *
 *   to the worker     case SEQ INDEX MODE ID           MODE: enum worker_mode
 *   from the worker   hello VERSION {record header}      once, when the backend is open: what device this is
 *                     refused TEXT                       once, instead: why it is not
 *                     phase SEQ run|judge                a case begins with that of the reference
 *                     done SEQ HITS MISSES LOST REFERENCE DEVICE JUDGE PROCEDURE RESIDENT {record}
 *
 * LOST is 1 when the device is gone and the worker must be replaced; REFERENCE to PROCEDURE are the case's
 * CPU time (struct case_cost), RESIDENT the KiB that the worker has held at most so far. Anything else is an
 * answer out of form. One thread only. */

#include "reference/base/error.h"
#include <stddef.h>
#include <sys/types.h>

enum {
    CHILD_PROTOCOL = 2,
    CHILD_REQUESTS_FD = 3, /* in the worker */
    CHILD_ANSWERS_FD = 4,
    CHILD_LINE_MAX = 4 << 20, /* a longer answer is out of form */
    CHILD_LOG_MAX = 4096      /* the last bytes it printed are kept */
};

struct child {
    pid_t pid;                  /* 0: none */
    int requests, answers, log; /* −1 once closed */
    bool reaped;
    int wait_status;
    char *bytes; /* answers read, from `start` to `end` */
    size_t start, end, room;
    char tail[CHILD_LOG_MAX + 1];
    size_t tail_used;
};

/* Starts this program again with these arguments (argv[0] included, NULL at the end), in a process group of
 * its own. `program` is the fallback where /proc/self/exe does not exist. */
bool child_spawn(struct child *child, const char *program, const char *const *argv, struct error *error);

/* False when the worker no longer reads. */
bool child_send(struct child *child, const char *line);

/* Reads what has come. False at the end of the pipe. */
bool child_receive(struct child *child);
/* The next whole line, NUL-terminated without its newline, valid until the next receive; NULL: none yet.
 * *oversized tells that the worker has written CHILD_LINE_MAX bytes without a newline. */
char *child_line(struct child *child, size_t *length, bool *oversized);

void child_receive_log(struct child *child);

void child_end(struct child *child);  /* closes the requests: a sound worker closes its device and leaves */
void child_kill(struct child *child); /* SIGKILL to its process group */
bool child_reap(struct child *child); /* true when it has ended; does not wait */
void child_release(
    struct child *child); /* closes and frees; the process must be reaped, or is left to init */

/* "was killed by SIGSEGV (segmentation fault)", "exited with status 3". */
void child_describe(const struct child *child, char *text, size_t size);

#endif
