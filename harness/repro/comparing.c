/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/comparison.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void close_file(struct comparing *comparing)
{
    if (comparing->named) {
        unlink(comparing->path);
    }
    if (comparing->fd >= 0) {
        close(comparing->fd);
    }
    comparing->fd = -1;
    comparing->named = false;
}

bool comparing_begin(struct comparing *comparing, int backends)
{
    char path[64];
    *comparing = (struct comparing){.backends = backends, .path = "/tmp/assay-values-XXXXXX"};
    comparing->fd = mkostemp(comparing->path, O_CLOEXEC);
    comparing->named = comparing->fd >= 0;
    if (comparing->named) {
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), comparing->fd);
        if (access(path, R_OK | W_OK) == 0) {
            unlink(comparing->path);
            strcpy(comparing->path, path);
            comparing->named = false;
        }
        comparing->values = calloc((size_t)backends + 1, sizeof *comparing->values);
    }
    if (!comparing->values) {
        close_file(comparing);
    }
    return comparing->values != NULL;
}

const char *comparing_path(const struct comparing *comparing)
{
    return comparing->values ? comparing->path : NULL;
}

bool comparing_take(struct comparing *comparing, int b)
{
    if (!comparing->values) {
        return true;
    }
    bool good = values_load(&comparing->values[b], comparing->path);
    if (!good) {
        values_clear(&comparing->values[b]);
    }
    if (ftruncate(comparing->fd, 0) != 0) {
        /* otherwise the next backend, if it saves nothing, would seem to have saved this result */
        close_file(comparing);
    }
    return good;
}

json_t *comparing_end(struct comparing *comparing, const json_t *backends)
{
    json_t *comparison =
        comparing->values && comparing->backends > 1 ? repro_compare(backends, comparing->values) : NULL;
    for (int b = 0; comparing->values && b < comparing->backends; b++) {
        values_clear(&comparing->values[b]);
    }
    free(comparing->values);
    close_file(comparing);
    *comparing = (struct comparing){.fd = -1};
    return comparison;
}
