/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/child.h"
#include "harness/clock.h"
#include "harness/workers/child.h"
#include "harness/workers/signals.h"

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

enum { OPENING = -1, OPEN_LEAST_S = 4 }; /* before the first case_phase */
enum {
    EXPLAIN_TIMES = 10
}; /* what a recomputation may take in time limits: the truth may have been cached */

static void be_the_child(struct drift *drift, int to)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a hung child must not outlive a killed parent */
#endif
    setpgid(0, 0); /* what a backend starts is killed with it */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        signal(numbers[i], SIG_DFL);
    }
    dup2(2, 1); /* what a driver prints belongs to no result */
    drift->phases = fdopen(to, "w");
    json_t *json = drift->phases ? repro_answer(drift) : NULL;
    if (json) {
        json_dumpf(json, drift->phases, JSON_COMPACT | JSON_REAL_PRECISION(17));
        fputc('\n', drift->phases);
        fflush(drift->phases);
    }
    _exit(json ? 0 : 70);
}

static bool start(struct drift *drift, struct child *child)
{
    int ends[2];
    *child = (struct child){.requests = -1, .answers = -1, .log = -1};
    fflush(NULL);
    if (!signals_install() || pipe(ends) != 0) {
        return false;
    }
    signal(SIGPIPE,
           SIG_DFL); /* nothing is written to the child; a closed stdout ends it silently, as head does */
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    child->pid = fork();
    if (child->pid == 0) {
        close(ends[0]);
        be_the_child(drift, ends[1]);
    }
    close(ends[1]);
    child->answers = ends[0];
    if (child->pid < 0) {
        child->pid = 0;
        child_release(child);
        return false;
    }
    setpgid(child->pid, child->pid);
    fcntl(child->answers, F_SETFL, O_NONBLOCK);
    return true;
}

/* To start a process takes a part of a second, whatever is asked for. A diagnosis must not cost the answer.
 */
static double allowance(int phase, double limit)
{
    return phase == OPENING            ? fmax(limit, OPEN_LEAST_S)
           : phase == REPRO_EXPLAINING ? EXPLAIN_TIMES * limit
                                       : limit;
}

/* Reads lines until the answer is there (the object), the pipe ends, or the time is up (NULL). */
static json_t *listen(struct child *child, double limit, int *phase, bool *late)
{
    double deadline = clock_seconds() + allowance(*phase, limit);
    for (;;) {
        size_t length;
        bool oversized, open = child_receive(child);
        for (char *line; (line = child_line(child, &length, &oversized));) {
            if (sscanf(line, "phase %d", phase) == 1) {
                deadline = clock_seconds() + allowance(*phase, limit);
            } else {
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
        poll(ready, 2, (int)fmin(left * 1000 + 1, 1e6));
        signals_drain();
        if (signals_stop()) { /* end as the signal says, but not before what was started */
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
    return json_pack("{s:s, s:s, s:s, s:n, s:n}", "status", status, "reason", reason, "diagnosis", diagnosis,
                     "hypothesis", "worst");
}

static json_t *too_late(int phase, double limit)
{
    char reason[320];
    double given = allowance(phase, limit);
    if (phase == OPENING) {
        snprintf(reason, sizeof reason, "the backend did not start within %g s (--time-limit)", given);
    } else if (phase == PHASE_RUN) {
        snprintf(reason, sizeof reason, "the backend did not answer within the time limit of %g s", given);
    } else {
        snprintf(reason, sizeof reason,
                 "the %s did not finish within the time limit of %g s; a longer --time-limit may do",
                 phase == PHASE_REFERENCE ? "reference" : "comparison", given);
    }
    json_t *json = no_answer("timeout", reason);
    if (phase == PHASE_REFERENCE) {
        json_object_set_new(json, "reference_late", json_true());
    }
    return json;
}

json_t *repro_ask(struct drift *drift, double limit)
{
    struct child child;
    int phase = OPENING;
    bool late = false;
    if (drift->files->in_process) {
        return repro_answer(drift);
    }
    if (!start(drift, &child)) {
        char reason[160];
        snprintf(reason, sizeof reason, "no process for it: %s", strerror(errno));
        return json_pack("{s:s, s:s}", "status", "unavailable", "reason", reason);
    }
    json_t *json = listen(&child, limit, &phase, &late);
    if (late || json) {
        child_kill(&child); /* it has said all, or never will */
    }
    while (waitpid(child.pid, &child.wait_status, 0) < 0 && errno == EINTR) {
    }
    child.reaped = true;
    if (!json && late) {
        json = too_late(phase, limit);
    } else if (!json) {
        char how[160], reason[240];
        child_describe(&child, how, sizeof how);
        snprintf(reason, sizeof reason, "the process %s%s%s", how,
                 phase == OPENING ? " at the start" : " in phase ",
                 phase == OPENING
                     ? ""
                     : worker_phase_name(phase > PHASE_JUDGE ? PHASE_JUDGE : (enum case_phase)phase));
        json = no_answer("crash", reason);
    }
    child_release(&child);
    return json;
}
