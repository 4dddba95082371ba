/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_SIGNALS_H
#define ASSAY_HARNESS_WORKERS_SIGNALS_H

/* Signals as bytes on a pipe, so that one poll() sees them with everything else. Process-wide. */

#include <stdbool.h>

/* SIGINT, SIGTERM and SIGHUP ask to stop, SIGCHLD wakes, SIGPIPE is ignored. A second request to stop ends
 * the process at once with status 1. Idempotent; false when there is no pipe to be had. */
bool signals_install(void);

int signals_fd(void); /* readable when a signal has come */
void signals_drain(void);
int signals_stop(void); /* the signal that asked to stop, or 0 */

#endif
