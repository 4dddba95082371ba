/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/program.h"
#include "harness/host/clock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Reads what the program has written to stderr, at most `reads` times the capacity of a pipe, so that a
 * program that floods stderr cannot hold this process up. Keeps the last EXEC_LOG_KEPT bytes. */
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

/* Returns the milliseconds to the deadline, for poll; −1: there is none. */
static int time_left(const struct exec_program *program)
{
    int64_t left = program->deadline - clock_ns();
    return program->deadline == 0 ? -1
           : left <= 0            ? 0
           : left > 3600000000000 ? 3600000
                                  : (int)(left / 1000000) + 1;
}

/* Waits until `fd` is ready. Reads stderr meanwhile, so that the program never blocks on it. Returns false at
 * the deadline. */
static bool wait_for(struct exec_program *program, int fd, short events)
{
    struct pollfd ends[2] = {{.fd = fd, .events = events}};
    do {
        ends[1] = (struct pollfd){.fd = program->log, .events = POLLIN};
        int ready = poll(ends, 2, time_left(program));
        if (ready < 0 && errno != EINTR) {
            return true; /* the read or write that follows reports the fault */
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

bool exec_start(struct exec_program *program, const char *command, struct error *error)
{
    *program = (struct exec_program){.to = -1, .from = -1, .guard = {.line = -1}, .log = -1};
    int in[2] = {-1, -1}, out[2] = {-1, -1}, log[2] = {-1, -1};
    program->buffer = malloc(EXEC_LINE_MAX + 1);
    program->words = malloc(EXEC_LOG_KEPT);
    bool made = program->buffer && program->words && make_pipe(in) && make_pipe(out) && make_pipe(log);
    program->to = in[1];
    program->from = out[0];
    program->log = log[0];
    bool started = false;
    if (!made) {
        error_set(error, "exec: no memory or descriptors for a program's pipes");
    } else {
        signal(SIGPIPE, SIG_IGN); /* a dead program is detected by its exit status */
        fcntl(program->to, F_SETFL, O_NONBLOCK);
        fcntl(program->log, F_SETFL, O_NONBLOCK);
        started = guard_start(&program->guard, command, (int[]){in[0], out[1], log[1]}, error);
    }
    close_end(&in[0]);
    close_end(&out[1]);
    close_end(&log[1]);
    if (!started) {
        exec_stop(program);
    }
    return started;
}

bool exec_has_ended(struct exec_program *program)
{
    return guard_has_ended(&program->guard);
}

/* Waits up to a second for the program to end. Then kills it and every process that it has started. */
static void reap(struct exec_program *program)
{
    for (int i = 0; program->guard.pid && i < 100 && !guard_has_ended(&program->guard); i++) {
        struct pollfd ended = {.fd = program->guard.line, .events = POLLIN};
        poll(&ended, 1, 10);
        listen_to_log(program, 64);
    }
    guard_end(&program->guard);
}

void exec_stop(struct exec_program *program)
{
    close_end(&program->to);
    close_end(&program->from);
    reap(program);
    close_end(&program->log);
    free(program->buffer);
    free(program->words);
    *program = (struct exec_program){.to = -1, .from = -1, .guard = {.line = -1}, .log = -1};
}

void exec_kill(struct exec_program *program)
{
    guard_end(&program->guard);
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

/* Reads at most `size` bytes. Returns their number, at least 1; 0 at the end of the output. */
static size_t read_some(struct exec_program *program, void *to, size_t size)
{
    while (wait_for(program, program->from, POLLIN)) {
        ssize_t n = read(program->from, to, size);
        if (n >= 0 || errno != EINTR) {
            return n > 0 ? (size_t)n : 0;
        }
    }
    return 0;
}

/* Reads more bytes to `end`. Returns false at the end of the output or when the buffer is full. */
static bool fill(struct exec_program *program)
{
    if (program->start) {
        memmove(program->buffer, program->buffer + program->start, program->end - program->start);
        program->end -= program->start;
        program->start = 0;
    }
    size_t n = program->end < EXEC_LINE_MAX
                   ? read_some(program, program->buffer + program->end, EXEC_LINE_MAX - program->end)
                   : 0;
    program->end += n;
    return n > 0;
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
        size_t take = have < left ? have : left;
        memcpy(at, program->buffer + program->start, take);
        program->start += take;
        if (have == 0 && (take = read_some(program, at, left)) == 0) { /* past the buffer */
            break;
        }
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
    reap(program);
    const struct exec_guard *guard = &program->guard;
    int signal = guard->signal ? guard->signal : guard->status > 128 ? guard->status - 128 : 0;
    if (!guard->ended) {
        snprintf(text, size, "is gone: the process that guards it was killed");
    } else if (signal) { /* a shell reports the signal of its child as 128 more */
        snprintf(text, size, "was killed by signal %d (%s)", signal, strsignal(signal));
    } else {
        snprintf(text, size, "ended with exit status %d", guard->status);
    }
}
