/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_WORKERS_SIGNALS_H
#define ASSAY_HARNESS_WORKERS_SIGNALS_H

/* Delivers signals as bytes on a pipe, so that one poll() waits for them and for everything else. The state
 * is process-wide. */

#include <stdbool.h>

/* Installs the handlers. SIGINT, SIGTERM and SIGHUP request a stop, SIGCHLD only wakes poll(), SIGPIPE is
 * ignored. A second request to stop ends the process at once with status 1. Idempotent. Returns false when no
 * pipe can be made. */
bool signals_install(void);

int signals_fd(void); /* becomes readable when a signal has arrived */
void signals_drain(void);
int signals_stop(void); /* the signal that requested the stop, or 0 */

#endif
