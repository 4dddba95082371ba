/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/program.h"
#include "harness/clock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void close_end(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

/* Takes what the program has written to its stderr, at most `reads` times what a pipe holds: one that floods
 * must not keep us. Its last EXEC_LOG_KEPT bytes are kept. */
static void listen_to_log(struct exec_program *program, int reads)
{
    while (program->log >= 0 && reads-- > 0) {
        size_t at = (size_t)(program->said % EXEC_LOG_KEPT);
        ssize_t n = read(program->log, program->words + at, EXEC_LOG_KEPT - at);
        if (n > 0) {
            program->said += (uint64_t)n;
        } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
            close_end(&program->log);
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

/* Milliseconds to the deadline, for poll; −1: there is none. */
static int time_left(const struct exec_program *program)
{
    int64_t left = program->deadline - clock_ns();
    return program->deadline == 0 ? -1
           : left <= 0            ? 0
           : left > 3600000000000 ? 3600000
                                  : (int)(left / 1000000) + 1;
}

/* Until `fd` is ready; the log is heard meanwhile, so that the program never waits for a reader of it. False
 * at the deadline. */
static bool wait_for(struct exec_program *program, int fd, short events)
{
    struct pollfd ends[2] = {{.fd = fd, .events = events}};
    do {
        ends[1] = (struct pollfd){.fd = program->log, .events = POLLIN};
        int ready = poll(ends, 2, time_left(program));
        if (ready < 0 && errno != EINTR) {
            return true; /* the read or write that follows finds out */
        }
        if (ready <= 0 && program->deadline && clock_ns() >= program->deadline) {
            program->late = true;
            return false;
        }
        if (ready > 0 && ends[1].revents) {
            listen_to_log(program, 1);
        }
    } while (!ends[0].revents);
    return true;
}

/* `sh -c script argument` in process group `group` (0: one of its own). */
static int start_shell(const char *script, const char *argument, pid_t group, const int fd[3], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGXFSZ); /* ignored here, which is nothing that a program expects */
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, group);
    for (int k = 0; k < 3; k++) {
        if (fd[k] >= 0) {
            posix_spawn_file_actions_adddup2(&actions, fd[k], k);
        }
    }
    char *const argv[] = {"sh", "-c", (char *)script, (char *)argument, NULL};
    int fault = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return fault;
}

/* A shell in the program's group that waits until nobody holds the pipe any more, and then kills the
 * group: a program may have started others, and this process may be killed at any time. */
static void start_guard(struct exec_program *program, int log)
{
    char group[32];
    int guard_pipe[2];
    if (!make_pipe(guard_pipe)) {
        return;
    }
    snprintf(group, sizeof group, "%ld", (long)program->pid);
    if (start_shell("read -r _; kill -9 \"-$0\"", group, program->pid, (int[]){guard_pipe[0], -1, log},
                    &program->guard) != 0) {
        program->guard = 0;
    }
    close_end(&guard_pipe[0]);
    program->guard_pipe = guard_pipe[1];
}

bool exec_start(struct exec_program *program, const char *command, struct error *error)
{
    *program = (struct exec_program){.to = -1, .from = -1, .guard_pipe = -1, .log = -1};
    int in[2] = {-1, -1}, out[2] = {-1, -1}, log[2] = {-1, -1};
    program->buffer = malloc(EXEC_LINE_MAX + 1);
    program->words = malloc(EXEC_LOG_KEPT);
    bool made = program->buffer && program->words && make_pipe(in) && make_pipe(out) && make_pipe(log);
    program->to = in[1];
    program->from = out[0];
    program->log = log[0];
    int fault = 0;
    if (made) {
        signal(SIGPIPE, SIG_IGN); /* a program that died is found by its exit status */
        fcntl(program->to, F_SETFL, O_NONBLOCK);
        fcntl(program->log, F_SETFL, O_NONBLOCK);
        fault = start_shell(command, NULL, 0, (int[]){in[0], out[1], log[1]}, &program->pid);
        program->pid = fault ? 0 : program->pid;
    }
    if (program->pid) {
        start_guard(program, log[1]);
    }
    close_end(&in[0]);
    close_end(&out[1]);
    close_end(&log[1]);
    if (!program->pid) {
        exec_stop(program);
        return made ? error_set(error, "exec: cannot start /bin/sh: %s", strerror(fault))
                    : error_set(error, "exec: no memory or descriptors for a program's pipes");
    }
    return true;
}

/* Waits up to a second; kills what is left, the program and whatever it has started. */
static int reap(struct exec_program *program)
{
    int status = 0;
    bool gone = program->pid == 0;
    for (int i = 0; !gone && i < 100; i++) {
        gone = waitpid(program->pid, &status, WNOHANG) == program->pid;
        listen_to_log(program, 64);
        if (!gone) {
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        }
    }
    if (program->pid && program->guard) { /* the guard keeps the group's number from being given to others */
        kill(-program->pid, SIGKILL);
    }
    if (!gone) {
        kill(program->pid, SIGKILL);
        waitpid(program->pid, &status, 0);
    }
    if (program->guard) {
        waitpid(program->guard, NULL, 0);
    }
    program->pid = program->guard = 0;
    return status;
}

void exec_stop(struct exec_program *program)
{
    close_end(&program->to);
    close_end(&program->from);
    reap(program);
    close_end(&program->guard_pipe);
    close_end(&program->log);
    free(program->buffer);
    free(program->words);
    *program = (struct exec_program){.to = -1, .from = -1, .guard_pipe = -1, .log = -1};
}

void exec_kill(struct exec_program *program)
{
    if (program->pid) {
        kill(-program->pid, SIGKILL);
    }
    exec_stop(program);
}

void exec_last_log_line(struct exec_program *program, char *text, size_t size)
{
    char tail[512] = "";
    listen_to_log(program, 64);
    const uint64_t kept = program->said < EXEC_LOG_KEPT ? program->said : EXEC_LOG_KEPT;
    size_t n = kept < sizeof tail - 1 ? (size_t)kept : sizeof tail - 1;
    for (size_t i = 0; i < n; i++) {
        tail[i] = (char)program->words[(program->said - n + i) % EXEC_LOG_KEPT];
    }
    while (n > 0 && isspace((unsigned char)tail[n - 1])) {
        n--;
    }
    tail[n] = '\0';
    const char *newline = strrchr(tail, '\n');
    snprintf(text, size, "%s", newline ? newline + 1 : tail);
}

bool exec_send(struct exec_program *program, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size) {
        ssize_t n = write(program->to, from, size);
        if (n < 0 && errno == EAGAIN) {
            if (!wait_for(program, program->to, POLLOUT)) {
                return false;
            }
            continue;
        }
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        from += n;
        size -= (size_t)n;
    }
    return true;
}

/* Reads more behind `end`; false at the end of the output or when the buffer is full. */
static bool fill(struct exec_program *program)
{
    if (program->start) {
        memmove(program->buffer, program->buffer + program->start, program->end - program->start);
        program->end -= program->start;
        program->start = 0;
    }
    while (program->end < EXEC_LINE_MAX) {
        if (!wait_for(program, program->from, POLLIN)) {
            return false;
        }
        ssize_t n = read(program->from, program->buffer + program->end, EXEC_LINE_MAX - program->end);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        program->end += (size_t)n;
        return true;
    }
    return false;
}

char *exec_line(struct exec_program *program, struct error *error)
{
    for (;;) {
        unsigned char *from = program->buffer + program->start;
        unsigned char *newline = memchr(from, '\n', program->end - program->start);
        if (newline) {
            *newline = '\0';
            program->start = (size_t)(newline - program->buffer) + 1;
            return (char *)from;
        }
        if (program->end - program->start >= EXEC_LINE_MAX) {
            error_set(error, "a line of more than %d bytes", EXEC_LINE_MAX);
            return NULL;
        }
        if (!fill(program)) {
            error_set(error, "%s", "");
            return NULL;
        }
    }
}

size_t exec_read(struct exec_program *program, void *to, size_t size)
{
    unsigned char *at = to;
    size_t left = size;
    while (left) {
        size_t have = program->end - program->start;
        if (have == 0) {
            if (!fill(program)) {
                break;
            }
            continue;
        }
        size_t take = have < left ? have : left;
        memcpy(at, program->buffer + program->start, take);
        program->start += take;
        at += take;
        left -= take;
    }
    return size - left;
}

bool exec_bytes(struct exec_program *program, void *to, size_t size)
{
    return exec_read(program, to, size) == size;
}

bool exec_has_more(struct exec_program *program)
{
    struct pollfd readable = {.fd = program->from, .events = POLLIN};
    return program->end > program->start || (poll(&readable, 1, 0) > 0 && (readable.revents & POLLIN));
}

void exec_describe_end(struct exec_program *program, char *text, size_t size)
{
    close_end(&program->to);
    int status = reap(program);
    if (WIFSIGNALED(status)) {
        snprintf(text, size, "was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WIFEXITED(status) && WEXITSTATUS(status) > 128) {
        int number = WEXITSTATUS(status) - 128; /* as a shell reports its child */
        snprintf(text, size, "was killed by signal %d (%s)", number, strsignal(number));
    } else {
        snprintf(text, size, "ended with exit status %d", WEXITSTATUS(status));
    }
}
