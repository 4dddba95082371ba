/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_PACE_H
#define ASSAY_HARNESS_HOST_PACE_H

#include <stdint.h>

/* Runs a fixed piece of work, about 20 us, and returns how many nanoseconds it took: the speed of this
 * machine while others use it, too. A busy neighbour on the same core (Intel's and AMD's second thread shares
 * its execution units), a lower clock or a stolen processor slows it as they slow other work. */
int64_t pace_ns(void);

#endif
