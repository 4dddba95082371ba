/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/repro_child.h"
#include "harness/host/clock.h"
#include "harness/workers/child.h"
#include "harness/workers/signals.h"
#include "reports/records/fields.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { OPENING = REPRO_OPENING, OPEN_LEAST_S = 4 };
enum {
    EXPLAIN_TIMES = 10
}; /* the diagnosis may take this many time limits, because it may have to recompute a cached truth */

/* Serves the one request of `assay repro --op`. */
static bool answer_once(struct repro *repro, int from)
{
    (void)from;
    json_t *json = repro_answer(repro);
    repro_child_say(repro, json);
    json_decref(json);
    return true;
}

void repro_child_say(const struct repro *repro, const json_t *json)
{
    json_dumpf(json, repro->phases, JSON_COMPACT | JSON_REAL_PRECISION(17));
    fputc('\n', repro->phases);
    fflush(repro->phases);
}

static void run_child(struct repro *repro, repro_serve *serve, int from, int to)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a hung child must not outlive a killed parent */
#endif
    setpgid(0, 0); /* so that processes that a backend starts are killed with it */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        signal(numbers[i], SIG_DFL);
    }
    dup2(2, 1); /* a driver's output must not mix with the results */
    repro->phases = fdopen(to, "w");
    _exit(repro->phases && serve(repro, from) ? 0 : 70);
}

/* Opens two pipes: [0] and [1] for requests, [2] and [3] for answers. */
static bool open_pipes(int ends[4])
{
    if (pipe(ends) != 0) {
        return false;
    }
    if (pipe(ends + 2) != 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    for (int e = 0; e < 4; e++) {
        fcntl(ends[e], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

bool repro_child_start(struct repro *repro, repro_serve *serve, struct child *child)
{
    int ends[4];
    *child = (struct child){.requests = -1, .answers = -1, .log = -1};
    fflush(NULL);
    if (!signals_install() || !open_pipes(ends)) {
        return false;
    }
    child->pid = fork();
    if (child->pid == 0) {
        close(ends[1]);
        close(ends[2]);
        run_child(repro, serve, ends[0], ends[3]);
    }
    close(ends[0]);
    close(ends[3]);
    child->requests = ends[1];
    child->answers = ends[2];
    if (child->pid < 0) {
        child->pid = 0;
        child_release(child);
        return false;
    }
    setpgid(child->pid, child->pid);
    fcntl(child->answers, F_SETFL, O_NONBLOCK);
    return true;
}

/* Returns the seconds that a phase may take. Starting a process takes part of a second, whatever the limit
 * is. A slow diagnosis must not cost the answer. */
static double allowance(int phase, const struct repro_time_limits *limits)
{
    double limit = phase == PHASE_RUN ? limits->run : limits->rest;
    return phase == OPENING            ? fmax(limit, OPEN_LEAST_S)
           : phase == REPRO_EXPLAINING ? EXPLAIN_TIMES * limit
                                       : limit;
}

json_t *repro_child_listen(struct child *child, const struct repro_time_limits *limits, int *phase,
                           struct waiting *waiting, bool *late)
{
    struct waiting none = {.terminal = false};
    waiting = waiting ? waiting : &none;
    double deadline = clock_seconds() + allowance(*phase, limits);
    for (;;) {
        size_t length;
        bool oversized, open = child_receive(child);
        for (char *line; (line = child_line(child, &length, &oversized));) {
            if (sscanf(line, "phase %d", phase) == 1) {
                deadline = clock_seconds() + allowance(*phase, limits);
            } else if (sscanf(line, "done %lf", &waiting->done) != 1) {
                return json_loads(line, 0, NULL);
            }
        }
        double left = deadline - clock_seconds();
        *late = open && left <= 0;
        if (!open || *late) {
            return NULL;
        }
        struct pollfd ready[] = {{.fd = child->answers, .events = POLLIN},
                                 {.fd = signals_fd(), .events = POLLIN}};
        left = fmin(left, waiting_show(waiting, *phase));
        poll(ready, 2, (int)fmin(left * 1000 + 1, 1e6));
        signals_drain();
        if (signals_stop()) { /* erase the line and end by the same signal, after ending the child */
            waiting_end(waiting);
            child_kill(child);
            signal(signals_stop(), SIG_DFL);
            raise(signals_stop());
        }
    }
}

static json_t *no_answer(const char *status, const char *reason)
{
    char diagnosis[400];
    snprintf(diagnosis, sizeof diagnosis, "no answer: %s", reason);
    return json_pack("{s:s, s:o, s:o, s:n, s:n}", "status", status, "reason", field_text_put(reason),
                     "diagnosis", field_text_put(diagnosis), "hypothesis", "worst");
}

static json_t *too_late(int phase, double limit)
{
    char reason[320];
    double given = allowance(phase, &(struct repro_time_limits){limit, limit});
    if (phase == OPENING) {
        snprintf(reason, sizeof reason, "the backend did not start within %g s (--time-limit)", given);
    } else if (phase == PHASE_RUN) {
        snprintf(reason, sizeof reason, "the backend did not answer within the time limit of %g s", given);
    } else {
        snprintf(reason, sizeof reason,
                 "the %s did not finish within the time limit of %g s; give a longer --time-limit",
                 phase == PHASE_REFERENCE ? "reference" : "comparison", given);
    }
    json_t *json = no_answer("timeout", reason);
    if (phase == PHASE_REFERENCE) {
        json_object_set_new(json, "reference_late", json_true());
    }
    return json;
}

json_t *repro_ask(struct repro *repro, double limit)
{
    struct child child;
    int phase = OPENING;
    bool late = false;
    if (repro->files->in_process) {
        return repro_answer(repro);
    }
    if (!repro_child_start(repro, answer_once, &child)) {
        char reason[160];
        snprintf(reason, sizeof reason, "cannot start a process for it: %s", strerror(errno));
        return json_pack("{s:s, s:s}", "status", "unavailable", "reason", reason);
    }
    signal(SIGPIPE,
           SIG_DFL); /* nothing is written to the child; if stdout is closed this process ends silently */
    struct waiting waiting;
    waiting_begin(&waiting, repro->setup.backend);
    json_t *json =
        repro_child_listen(&child, &(struct repro_time_limits){limit, limit}, &phase, &waiting, &late);
    waiting_end(&waiting);
    repro_child_reap(&child, true); /* it has answered, or never will */
    if (!json && late) {
        json = too_late(phase, limit);
    } else if (!json) {
        char reason[240];
        repro_child_reason(&child, phase, reason, sizeof reason);
        json = no_answer("crash", reason);
    }
    child_release(&child);
    return json;
}

void repro_child_reap(struct child *child, bool kill)
{
    if (kill) {
        child_kill(child);
    }
    while (waitpid(child->pid, &child->wait_status, 0) < 0 && errno == EINTR) {
    }
    child->reaped = true;
}

void repro_child_reason(const struct child *child, int phase, char *reason, size_t size)
{
    char how[160];
    child_describe(child, how, sizeof how);
    snprintf(reason, size, "the process %s%s%s", how, phase == OPENING ? " at the start" : " in phase ",
             phase == OPENING
                 ? ""
                 : worker_phase_name(phase > PHASE_JUDGE ? PHASE_JUDGE : (enum case_phase)phase));
}
