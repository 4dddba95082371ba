/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_GUARD_H
#define ASSAY_HARNESS_EXEC_GUARD_H

/* A process between this one and a program: the program's parent. When this process ends, also by SIGKILL, or
 * closes its end of `line`, the guard kills the program with everything that it has started, and ends itself.
 *
 * On Linux the guard is a subreaper: whatever the program starts becomes the guard's child when its own
 * parent ends, in whatever session or process group it is, so that nothing escapes. On other systems only the
 * program's process group is killed: what calls setsid or setpgid there lives on. */

#include "reference/base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct exec_guard {
    pid_t pid;     /* of the guard, a child of this process; 0: none */
    pid_t program; /* of sh, and of the process group of what it starts */
    int line;      /* a socket to the guard; -1: closed */
    bool ended;    /* the program has, in this way: */
    int signal;    /* that killed it; 0: none */
    int status;    /* its exit status where no signal did */
};

/* Starts a guard, which starts `sh -c command` with these descriptors as stdin, stdout and stderr, in a
 * process group of its own. False with the reason where either fails; then there is nothing to end. */
bool guard_start(struct exec_guard *guard, const char *command, const int fd[3], struct error *error);

/* True when the program itself has ended, whatever it has started; does not wait. */
bool guard_has_ended(struct exec_guard *guard);

/* Kills what is left of the program and of what it has started, and waits until nothing of it is left.
 * `ended`, `signal` and `status` say how the program ended; not `ended` means that the guard itself was
 * killed. */
void guard_end(struct exec_guard *guard);

#endif
