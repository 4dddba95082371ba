/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int ends[2] = {-1, -1};
static volatile sig_atomic_t stop;

static void handle(int number)
{
    int saved = errno;
    if (number != SIGCHLD) {
        if (stop) {
            /* second request: exit; the workers die with their parent or at the end of their pipe */
            _exit(1);
        }
        stop = number;
    }
    char byte = 0;
    if (write(ends[1], &byte, 1) < 0) {
        /* A write to a full pipe may fail: the bytes in it wake poll() as well. */
    }
    errno = saved;
}

bool signals_install(void)
{
    if (ends[0] >= 0) {
        return true;
    }
    if (pipe(ends) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaction(numbers[i], &action, NULL);
    }
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    return true;
}

int signals_fd(void)
{
    return ends[0];
}

void signals_drain(void)
{
    char bytes[64];
    while (read(ends[0], bytes, sizeof bytes) > 0) {
    }
}

int signals_stop(void)
{
    return stop;
}
