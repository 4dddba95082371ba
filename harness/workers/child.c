/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/child.h"
#include "harness/host/descriptors.h"
#include "harness/host/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void close_end(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

/* Makes a pipe whose ends lie above the descriptor numbers that the worker's descriptors are moved to. */
static bool make_pipe(int ends[2])
{
    int low[2];
    if (pipe(low) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, CHILD_ANSWERS_FD + 1);
        close(low[i]);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

static int spawn(struct child *child, const char *program, const char *const *argv, const int worker[3])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGPIPE};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaddset(&defaults, numbers[i]);
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    /* What a driver prints must not reach the terminal in the middle of a progress line, nor mix with the
     * answers. */
    posix_spawn_file_actions_adddup2(&actions, worker[2], 1);
    posix_spawn_file_actions_adddup2(&actions, worker[2], 2);
    posix_spawn_file_actions_adddup2(&actions, worker[0], CHILD_REQUESTS_FD);
    posix_spawn_file_actions_adddup2(&actions, worker[1], CHILD_ANSWERS_FD);
    posix_spawnattr_init(&attributes);
    /* The worker gets its own process group: Ctrl-C reaches the parent alone, and killing the group also
     * kills every process that a backend has started. */
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    char **arguments = (char **)(uintptr_t)argv; /* posix_spawn does not write to them */
    /* On Linux this link starts the running program even if its file has been replaced since. */
    char itself[PATH_MAX] = "/proc/self/exe";
#ifndef __linux__
    platform_program(itself, sizeof itself);
#endif
    int fault = posix_spawn(&child->pid, itself, &actions, &attributes, arguments, environ);
    if (fault == ENOENT) {
        fault = posix_spawnp(&child->pid, program, &actions, &attributes, arguments, environ);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return fault;
}

/* Sets the system's message. When descriptors have run out, names the limit in the way and how to raise it:
 * F_DUPFD reports EINVAL when the limit lies below the least descriptor that was requested. Always returns
 * false. */
static bool explain_fault(int fault, struct error *error)
{
    struct rlimit limit;
    if ((fault == EMFILE || fault == EINVAL) && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        return error_set(
            error,
            "cannot start a worker process: this process may have %llu files open at once, and a worker "
            "takes 6 of them; raise the limit (ulimit -n 1024) or start fewer workers (--jobs)",
            (unsigned long long)limit.rlim_cur);
    }
    return error_set(error, "cannot start a worker process: %s", strerror(fault));
}

bool child_spawn(struct child *child, const char *program, const char *const *argv, struct error *error)
{
    *child = (struct child){.requests = -1, .answers = -1, .log = -1};
    int requests[2] = {-1, -1}, answers[2] = {-1, -1}, log[2] = {-1, -1};
    int fault = make_pipe(requests) && make_pipe(answers) && make_pipe(log) ? 0 : errno;
    if (!fault) {
        fault = spawn(child, program, argv, (int[]){requests[0], answers[1], log[1]});
    }
    close_end(&requests[0]);
    close_end(&answers[1]);
    close_end(&log[1]);
    child->requests = requests[1];
    child->answers = answers[0];
    child->log = log[0];
    if (fault) {
        child->pid = 0;
        child_release(child);
        return explain_fault(fault, error);
    }
    fcntl(child->answers, F_SETFL, O_NONBLOCK);
    fcntl(child->log, F_SETFL, O_NONBLOCK);
    return true;
}

bool child_send(struct child *child, const char *line)
{
    return child->requests >= 0 && descriptor_write(child->requests, line, strlen(line));
}

bool child_receive(struct child *child)
{
    if (child->start) {
        memmove(child->bytes, child->bytes + child->start, child->end - child->start);
        child->end -= child->start;
        child->start = 0;
    }
    while (child->answers >= 0 && child->end < CHILD_LINE_MAX) {
        if (child->end == child->room) {
            size_t room = child->room ? child->room * 2 : 16384;
            char *grown = realloc(child->bytes, room);
            if (!grown) {
                return true; /* retried at the next poll */
            }
            child->bytes = grown;
            child->room = room;
        }
        ssize_t n = read(child->answers, child->bytes + child->end, child->room - child->end);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && errno == EAGAIN) {
            return true;
        }
        if (n <= 0) {
            close_end(&child->answers);
            return false;
        }
        child->end += (size_t)n;
    }
    return child->answers >= 0;
}

char *child_line(struct child *child, size_t *length, bool *oversized)
{
    size_t have = child->end - child->start;
    *oversized = false;
    if (!have) {
        return NULL;
    }
    char *line = child->bytes + child->start;
    char *newline = memchr(line, '\n', have);
    if (!newline) {
        *oversized = have >= CHILD_LINE_MAX;
        return NULL;
    }
    *newline = 0;
    *length = (size_t)(newline - line);
    child->start += *length + 1;
    return line;
}

void child_receive_log(struct child *child)
{
    char bytes[1024];
    ssize_t n;
    while (child->log >= 0 && (n = read(child->log, bytes, sizeof bytes)) != 0) {
        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            return;
        }
        size_t add = (size_t)n;
        if (child->tail_used + add > CHILD_LOG_MAX) {
            size_t drop = child->tail_used + add - CHILD_LOG_MAX;
            memmove(child->tail, child->tail + drop, child->tail_used - drop);
            child->tail_used -= drop;
        }
        memcpy(child->tail + child->tail_used, bytes, add);
        child->tail_used += add;
        child->tail[child->tail_used] = 0;
    }
    close_end(&child->log);
}

void child_end(struct child *child)
{
    close_end(&child->requests);
}

void child_kill(struct child *child)
{
    if (child->pid && !child->reaped) {
        kill(-child->pid, SIGKILL);
        kill(child->pid, SIGKILL); /* in case it has not reached its own group yet */
    }
}

bool child_reap(struct child *child)
{
    if (child->pid && !child->reaped && waitpid(child->pid, &child->wait_status, WNOHANG) == child->pid) {
        child->reaped = true;
    }
    return !child->pid || child->reaped;
}

void child_release(struct child *child)
{
    close_end(&child->requests);
    close_end(&child->answers);
    close_end(&child->log);
    free(child->bytes);
    *child = (struct child){.requests = -1, .answers = -1, .log = -1};
}

void child_describe(const struct child *child, char *text, size_t size)
{
    static const struct {
        int number;
        const char *name, *means;
    } known[] = {
        {SIGSEGV, "SIGSEGV", "segmentation fault"},
        {SIGABRT, "SIGABRT", "abort: a failed assertion, or a corrupted heap"},
        {SIGKILL, "SIGKILL", "from outside, perhaps for want of memory"},
        {SIGBUS, "SIGBUS", "bus error"},
        {SIGFPE, "SIGFPE", "arithmetic trap"},
        {SIGILL, "SIGILL", "illegal instruction"},
        {SIGTRAP, "SIGTRAP", "trap"},
        {SIGTERM, "SIGTERM", "asked from outside to end"},
        {SIGSYS, "SIGSYS", "forbidden system call"},
    };
    if (!WIFSIGNALED(child->wait_status)) {
        snprintf(text, size, "exited with status %d", WEXITSTATUS(child->wait_status));
        return;
    }
    int number = WTERMSIG(child->wait_status);
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].number == number) {
            snprintf(text, size, "was killed by %s (%s)", known[i].name, known[i].means);
            return;
        }
    }
    snprintf(text, size, "was killed by signal %d (%s)", number, strsignal(number));
}
