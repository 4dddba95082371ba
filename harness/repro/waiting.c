/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/waiting.h"
#include "harness/host/clock.h"
#include "harness/repro/repro_parts.h"
#include "reports/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_COLUMNS = 79 };

void waiting_begin(struct waiting *waiting, const char *backend)
{
    const char *kind = getenv("TERM"); /* a dumb terminal cannot clear its line */
    bool terminal = isatty(STDERR_FILENO) == 1 && !(kind && strcmp(kind, "dumb") == 0);
    *waiting = (struct waiting){.backend = backend, .terminal = terminal, .since = clock_seconds()};
}

void waiting_format(const struct waiting *waiting, int phase, double seconds, char *text, int size)
{
    static const char *const words[] = {"starting", "computing the reference", "running", "judging",
                                        "looking for an explanation"};
    const int known = phase < -1 ? -1 : phase > REPRO_EXPLAINING ? REPRO_EXPLAINING : phase;
    char part[16] = "", rest[80];
    if (phase == PHASE_JUDGE && waiting->done > 0) {
        snprintf(part, sizeof part, " %.0f %%", 100 * fmin(waiting->done, 1));
    }
    int used = snprintf(rest, sizeof rest, ": %s%s, %.0f s", words[known + 1], part, floor(seconds)),
        room = size - 1 - used;
    snprintf(text, (size_t)size, "%.*s%s", room < 0 ? 0 : room, waiting->backend, rest);
}

double waiting_show(struct waiting *waiting, int phase)
{
    const double seconds = clock_seconds() - waiting->since;
    char text[LINE_MAX_COLUMNS + 1];
    if (!waiting->terminal) {
        return INFINITY;
    }
    if (seconds >= 1) {
        waiting_format(waiting, phase, seconds, text, sizeof text);
        fputs("\r\033[K", stderr);
        text_put_line(stderr, text); /* the name may have been chosen by somebody else */
        fflush(stderr);
        waiting->shown = true;
    }
    return 1 - (seconds - floor(seconds));
}

void waiting_end(struct waiting *waiting)
{
    if (waiting->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        waiting->shown = false;
    }
}
