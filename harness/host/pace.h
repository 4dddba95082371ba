/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_PACE_H
#define ASSAY_HARNESS_HOST_PACE_H

#include <stdint.h>

/* Nanoseconds that a fixed piece of work takes just now, about 20 us: how fast this machine is while others
 * use it too. What slows a neighbour on the same core (Intel's and AMD's second thread shares its execution
 * units), a lower clock, a stolen processor slows this as well. */
int64_t pace_ns(void);

#endif
