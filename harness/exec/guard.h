/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_GUARD_H
#define ASSAY_HARNESS_EXEC_GUARD_H

/* The guard is a process between this one and a program: it is the program's parent. When this process ends,
 * even by SIGKILL, or closes its end of `line`, the guard kills the program and every process that the
 * program has started, and then ends itself.
 *
 * On Linux the guard is a subreaper: a process of the program whose own parent ends becomes the guard's
 * child, in whatever session or process group it is, so that none is left. On other systems only the
 * program's process group is killed; a process that calls setsid or setpgid there survives. */

#include "reference/base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct exec_guard {
    pid_t pid;     /* the guard, a child of this process; 0: none */
    pid_t program; /* sh, whose pid is also the process group of the processes that it starts */
    int line;      /* a socket to the guard; −1: closed */
    bool ended;    /* the program has ended; `signal` and `status` are valid */
    int signal;    /* the signal that killed the program; 0: none */
    int status;    /* its exit status if no signal killed it */
};

/* Starts a guard, which starts `sh -c command` with these descriptors as stdin, stdout and stderr, in a
 * process group of its own. Returns false with the reason where either fails; then nothing is left
 * running. */
bool guard_start(struct exec_guard *guard, const char *command, const int fd[3], struct error *error);

/* Returns true when the program itself has ended, whether or not processes that it started still run. Does
 * not wait. */
bool guard_has_ended(struct exec_guard *guard);

/* Kills the program and every process that it has started, and waits until none is left. Then `ended`,
 * `signal` and `status` say how the program ended; `ended` is false if the guard itself was killed. */
void guard_end(struct exec_guard *guard);

#endif
