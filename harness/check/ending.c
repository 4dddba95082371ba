/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Checks that the program ends when its stdin ends, even while its answers are not read. */

#include "harness/check/check.h"
#include "harness/check/probe.h"
#include "harness/check/wire.h"
#include "harness/host/clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A runtime may take long to end. assay run waits one second and then kills the program, which loses only
 * what the program would have written at its end. */
static const double END_SECONDS = 5;

static bool ends(struct conversation *c)
{
    double limit = clock_seconds() + (c->time_limit < END_SECONDS ? c->time_limit : END_SECONDS);
    do {
        if (exec_has_ended(&c->program)) {
            return true;
        }
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    } while (clock_seconds() < limit);
    return false;
}

static void close_end(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

static void complain(struct conversation *c, enum check check, const char *fix)
{
    conversation_complain(c, check, fix, "it still ran %g s later",
                          c->time_limit < END_SECONDS ? c->time_limit : END_SECONDS);
    exec_kill(&c->program);
    c->running = false;
}

/* Sends a request whose answer is not read. */
static bool ask_unheard(struct checker *k)
{
    struct conversation *c = k->c;
    const struct exec_hello *hello = &c->hello;
    struct exec_request request;
    for (int o = 0; o < hello->operators; o++) {
        for (int d = 0; d < DTYPE_COUNT; d++) {
            struct probe probe;
            if (!(hello->operator[o].dtypes>> d & 1) ||
                !probe_simple(&probe, k->list, hello->operator[o].op, (enum dtype)d, 0, &hello->profile)) {
                continue;
            }
            images_fill(&probe.images, probe.program, 0);
            bool sent = exec_format_step(++c->id, probe.program, &probe.program->step[0], false, &request);
            close_end(&c->program.from);
            sent = sent && exec_send(&c->program, request.line, strlen(request.line));
            for (int s = 0; sent && s < request.storages; s++) {
                int storage = request.storage[s];
                sent = exec_send(&c->program, probe.images.image[storage] + BACKEND_GUARD,
                                 probe.program->storage[storage].bytes);
            }
            free(request.line);
            probe_destroy(&probe);
            return sent;
        }
    }
    return false;
}

void check_end(struct checker *k)
{
    struct conversation *c = k->c;
    c->where = "";
    if (!conversation_is_open(c) || !conversation_start(c)) {
        return;
    }
    findings_tried(c->findings, CHECK_ENDS);
    snprintf(c->sent, sizeof c->sent, "the end of its stdin");
    close_end(&c->program.to);
    if (!ends(c)) {
        complain(c, CHECK_ENDS, "leave the loop when a read of stdin returns nothing");
        return; /* the second check would fail for the same reason */
    }
    conversation_stop(c);
    if (!conversation_start(c)) {
        return;
    }
    wire_limit(c, c->time_limit);
    if (ask_unheard(k)) {
        findings_tried(c->findings, CHECK_UNHEARD);
        snprintf(c->sent, sizeof c->sent, "a request, its answers not read, and the end of its stdin");
        close_end(&c->program.to);
        if (!ends(c)) {
            complain(c, CHECK_UNHEARD,
                     "end when stdout cannot be written: SIGPIPE, or EPIPE where that is ignored");
        }
    }
    conversation_stop(c);
}
