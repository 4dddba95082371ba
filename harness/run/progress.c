/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/progress.h"

#include "reports/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS_MAX = 80, PLAIN_SECONDS = 10 };

void progress_begin(struct progress *progress, bool quiet, const char *backend)
{
    const char *kind = getenv("TERM"); /* a dumb terminal cannot clear its line */
    bool terminal = isatty(STDERR_FILENO) == 1 && !(kind && strcmp(kind, "dumb") == 0);
    *progress = (struct progress){.quiet = quiet, .terminal = terminal, .backend = backend};
}

/* Formats a duration: "0:07", "12:30", "1:02:03". */
static void format_time(char *text, size_t size, double seconds)
{
    long s = seconds < 0 ? 0 : seconds > 359999 ? 359999 : (long)(seconds + 0.5);
    if (s >= 3600) {
        snprintf(text, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(text, size, "%ld:%02ld", s / 60, s % 60);
    }
}

void progress_format(char *text, size_t size, const struct pool_progress *state,
                     const struct progress_counts *counts, int columns)
{
    char left[32], passed[32], line[200];
    int used = snprintf(line, sizeof line, "%d/%d", state->done, state->total);
    if (counts->failures) {
        used += snprintf(line + used, sizeof line - (size_t)used, ", %d failed", counts->failures);
    }
    if (counts->reruns) {
        used += snprintf(line + used, sizeof line - (size_t)used, ", %d being rerun", counts->reruns);
    }
    format_time(passed, sizeof passed, state->seconds);
    used += snprintf(line + used, sizeof line - (size_t)used, ", %s", passed);
    /* nobody knows how long reruns take, and a time that stands still would be taken for a hang */
    if (state->done > 0 && state->done + counts->reruns < state->total) {
        format_time(left, sizeof left, (state->total - state->done) * state->seconds / state->done);
        used += snprintf(line + used, sizeof line - (size_t)used, ", %s left", left);
    }
    int room = columns - used - 2;
    const char *id = state->current ? state->current : "";
    int length = (int)strlen(id);
    if (*id && room >= length) {
        snprintf(text, size, "%s  %.*s", line, room, id);
    } else if (*id && room > 8) { /* the end of an id says more than its beginning */
        snprintf(text, size, "%s  ..%.*s", line, room, id + length - (room - 2));
    } else {
        snprintf(text, size, "%.*s", columns, line);
    }
}

void progress_show(struct progress *progress, const struct pool_progress *state,
                   const struct progress_counts *counts)
{
    if (progress->quiet) {
        return;
    }
    char text[512];
    if (!progress->terminal) {
        if (state->seconds - progress->printed >= PLAIN_SECONDS) {
            progress->printed = state->seconds;
            progress_format(text, sizeof text, state, counts, 300);
            fprintf(stderr, "%s: %s\n", progress->backend, text);
        }
        return;
    }
    int columns = text_columns(stderr);
    progress_format(text, sizeof text, state, counts, (columns < COLUMNS_MAX ? columns : COLUMNS_MAX) - 1);
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
    progress->shown = true;
}

void progress_clear(struct progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->shown = false;
    }
}
