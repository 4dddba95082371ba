/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/pace.h"
#include "harness/host/clock.h"

enum { WORDS = 1024, ROUNDS = 40 };

static volatile uint32_t kept; /* keeps the compiler from removing the work */

/* Six chains that each keep an execution unit busy: one chain alone would leave a neighbour the units that it
 * does not use, and would not notice it. Measured on 2 threads of a Xeon beside compilers: where the curves
 * of the CPU backend took 1.4 to 1.8 times as long, this took 1.4 to 1.9 times, one chain 1.1 times, eight
 * chains of additions in float64 1.2 to 1.3 times. Words are read and written in turn, which no compiler
 * vectorizes. */
int64_t pace_ns(void)
{
    static uint32_t word[WORDS];
    int64_t start = clock_ns();
    uint32_t a = (uint32_t)start, b = 2, c = 3, d = 4, e = 5, f = 6;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < WORDS; i += 2) {
            a = (a << 1) ^ word[i];
            b = (b + word[i + 1]) ^ 7;
            c = (c >> 1) + b;
            d = (d ^ a) + 3;
            e = (e << 2) + word[i];
            f = (f ^ e) + 1;
            word[i] = d;
        }
    }
    kept = a + b + c + d + e + f;
    return clock_ns() - start;
}
