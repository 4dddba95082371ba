/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/guard.h"

#include "harness/host/descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ;

/* A message of the guard on the line: the first says that the program runs or why it does not, the second how
 * it ended. */
struct message {
    int fault; /* errno; 0: the program runs */
    pid_t program;
    int signal, status;
};

/* --- the guard's process */

static void on_child(int number)
{
    (void)number; /* only interrupts pselect */
}

/* Starts `sh -c command` in a process group of its own, with the signal mask with which this process began.
 */
static int start_shell(const char *command, const int fd[3], const sigset_t *mask, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGXFSZ); /* ignored in this process, but a program expects the default action */
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    for (int k = 0; k < 3; k++) {
        posix_spawn_file_actions_adddup2(&actions, fd[k], k);
    }
    char *const argv[] = {"sh", "-c", (char *)(uintptr_t)command, NULL};
    int fault = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return fault;
}

/* Closes every descriptor but `line`: the guard must not keep open a pipe whose end another process waits
 * for. */
static bool close_others(int line)
{
    DIR *all = opendir("/dev/fd");
    if (!all) {
        return false;
    }
    for (struct dirent *one; (one = readdir(all));) {
        int fd = atoi(one->d_name);
        if (one->d_name[0] != '.' && fd != line && fd != dirfd(all)) {
            close(fd);
        }
    }
    closedir(all);
    return true;
}

/* Reaps children that have ended, and writes a message on the line when the program has. The program stays a
 * zombie until the end, so that the number of its process group is not reused. */
static void reap(pid_t program, int line, bool *shown)
{
    siginfo_t info = {.si_pid = 0};
    while (!*shown && waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
        if (info.si_pid == program) {
            struct message end = {.program = program};
            *(info.si_code == CLD_EXITED ? &end.status : &end.signal) = info.si_status;
            descriptor_write(line, &end, sizeof end);
            *shown = true;
        } else {
            waitpid(info.si_pid, NULL, 0);
        }
        info.si_pid = 0;
    }
}

/* Kills every child of this process. Returns false if it could kill none. Only used on Linux: elsewhere the
 * program is the only child. */
static bool kill_children(void)
{
    DIR *all = opendir("/proc");
    bool killed = false;
    for (struct dirent *one; all && (one = readdir(all));) {
        char path[300], line[512];
        long parent = 0;
        snprintf(path, sizeof path, "/proc/%s/stat", one->d_name);
        int file = one->d_name[0] >= '1' && one->d_name[0] <= '9' ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        ssize_t length = file >= 0 ? read(file, line, sizeof line - 1) : 0;
        if (file >= 0) {
            close(file);
        }
        line[length > 0 ? length : 0] = '\0';
        const char *name_end = strrchr(line, ')'); /* the name may contain any character */
        if (name_end && sscanf(name_end + 1, " %*c %ld", &parent) == 1 && parent == (long)getpid()) {
            killed |= kill((pid_t)atol(one->d_name), SIGKILL) == 0;
        }
    }
    if (all) {
        closedir(all);
    }
    return killed;
}

/* Kills and reaps until no descendant is left: the children of a killed process become this process's own.
 * Gives up after a second in which it could kill nothing: the remaining processes belong to another user. */
static void end_all(pid_t program, int line, bool shown)
{
    kill(-program, SIGKILL);
    for (int64_t nap = 1000000, helpless = 0; helpless < 1000000000;) {
        reap(program, line, &shown);
        pid_t ended = 1;
        while (shown && ended > 0) {
            ended = waitpid(-1, NULL, WNOHANG);
        }
        if (ended < 0) {
            return;
        }
        helpless = kill_children() ? 0 : helpless + nap;
        nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
        nap = nap < 50000000 ? nap * 2 : nap;
    }
}

static _Noreturn void guard(const char *command, const int fd[3], int line)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    sigset_t children, before, waiting;
    struct message start = {.fault = 0};
    setpgid(0, 0); /* a signal to the process group of this process's parent must not kill the guard */
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_NAME, "assay-guard");
#endif
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = on_child}, NULL);
    sigprocmask(SIG_BLOCK, &children, &before);
    waiting = before;
    sigdelset(&waiting, SIGCHLD);
    start.fault = start_shell(command, fd, &before, &start.program);
    for (unsigned i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        signal(ignored[i], SIG_IGN);
    }
    if (!start.fault && !close_others(line)) {
        start.fault = errno;
        kill(-start.program, SIGKILL);
        waitpid(start.program, NULL, 0);
    }
    if (!descriptor_write(line, &start, sizeof start) || start.fault) {
        _exit(start.fault ? 0 : 1);
    }
    line = dup2(line, 0); /* a low number, because select needs one */
    bool shown = false, here = true;
    while (here) {
        reap(start.program, line, &shown);
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(line, &readable);
        here = pselect(line + 1, &readable, NULL, NULL, NULL, &waiting) < 0 && errno == EINTR;
    }
    end_all(start.program, line, shown);
    _exit(0);
}

/* --- the process that talks to the program */

/* Receives the guard's next message. Returns false if the guard is gone. */
static bool hear(struct exec_guard *self, struct message *message)
{
    return descriptor_read(self->line, message, sizeof *message);
}

static void close_line(struct exec_guard *self)
{
    close(self->line);
    waitpid(self->pid, NULL, 0);
    self->line = -1;
    self->pid = 0;
}

bool guard_start(struct exec_guard *self, const char *command, const int fd[3], struct error *error)
{
    int line[2];
    struct message start = {.fault = 0};
    *self = (struct exec_guard){.line = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, line) != 0) {
        return error_set(error, "exec: no socket for a program's guard: %s", strerror(errno));
    }
    fcntl(line[0], F_SETFD, FD_CLOEXEC);
    fcntl(line[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0) {
        guard(command, fd, line[1]);
    }
    int fault = errno;
    close(line[1]);
    if (pid < 0) {
        close(line[0]);
        return error_set(error, "exec: cannot start a process for a program: %s", strerror(fault));
    }
    self->pid = pid;
    self->line = line[0];
    if (!hear(self, &start) || start.fault) {
        close_line(self);
        return error_set(error, "exec: cannot start /bin/sh: %s",
                         start.fault ? strerror(start.fault) : "its guard process was killed");
    }
    self->program = start.program;
    return true;
}

bool guard_has_ended(struct exec_guard *self)
{
    struct message end;
    struct pollfd readable = {.fd = self->line, .events = POLLIN};
    if (!self->ended && self->line >= 0 && poll(&readable, 1, 0) > 0 && hear(self, &end)) {
        self->ended = true;
        self->signal = end.signal;
        self->status = end.status;
    }
    return self->ended;
}

void guard_end(struct exec_guard *self)
{
    struct message end;
    if (self->pid == 0) {
        return;
    }
    shutdown(self->line, SHUT_WR);
    if (!self->ended && hear(self, &end)) {
        self->ended = true;
        self->signal = end.signal;
        self->status = end.status;
    }
    if (!self->ended) { /* the guard was killed: only the program's process group can still be reached */
        kill(-self->program, SIGKILL);
    }
    close_line(self);
}
