/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The source line of a case, and the command line that replays it. */

#include "harness/host/environment.h"
#include "harness/workers/worker.h"
#include "reference/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *worker_source(const struct suite_case *c)
{
    char text[512];
    snprintf(text, sizeof text, "%s:%d", c->file ? c->file : "?", c->line);
    return memory_text(text);
}

char *worker_replay(const struct worker_setup *setup, const char *id)
{
    return worker_replay_after(setup, id, NULL, NULL, 0);
}

char *worker_replay_after(const struct worker_setup *setup, const char *id, const struct suite_list *list,
                          const int *before, int count)
{
    char number[32];
    size_t size = 4 * (strlen(id) + strlen(setup->backend)) + 256; /* a quote takes four characters */
    for (int i = 0; i < count; i++) {
        size += 4 * strlen(suite_list_id(list, before[i])) + 16;
    }
    char *text = calloc(1, size);
    if (!text) {
        return NULL;
    }
    environment_quote(text, size, "assay");
    environment_quote(text, size, "repro");
    environment_quote(text, size, id);
    environment_quote(text, size, "--backend");
    environment_quote(text, size, setup->backend);
    snprintf(number, sizeof number, "%" PRIu64, setup->seed);
    environment_quote(text, size, "--seed");
    environment_quote(text, size, number);
    if (setup->repeat > 2) {
        snprintf(number, sizeof number, "%d", setup->repeat);
        environment_quote(text, size, "--repeat");
        environment_quote(text, size, number);
    }
    if (setup->validate) {
        environment_quote(text, size, "--validate");
    }
    if (setup->time_limit > 0 && setup->time_limit != WORKER_TIME_LIMIT) {
        snprintf(number, sizeof number, "%.10g", setup->time_limit);
        environment_quote(text, size, "--time-limit");
        environment_quote(text, size, number);
    }
    for (int i = 0; i < count; i++) {
        environment_quote(text, size, "--after");
        environment_quote(text, size, suite_list_id(list, before[i]));
    }
    return text;
}
