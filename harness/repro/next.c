/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/environment.h"
#include "harness/repro/repro_parts.h"

#include <stdio.h>
#include <string.h>

static void add(char *text, size_t size, const char *option, const char *word)
{
    if (word) {
        environment_quote(text, size, option);
        environment_quote(text, size, word);
    }
}

static void add_call(const struct repro *repro, char *text, size_t size)
{
    const struct repro_files *files = repro->files;
    if (repro->id) {
        environment_quote(text, size, repro->id);
        return;
    }
    add(text, size, "--op", files->op);
    for (int i = 0; i < files->inputs.count; i++) {
        add(text, size, "--input", files->inputs.text[i]);
    }
    for (int l = 0; l < files->layouts.count; l++) {
        add(text, size, "--layout", files->layouts.text[l]);
    }
    for (int e = 0; e < files->expands.count; e++) {
        add(text, size, "--expand", files->expands.text[e]);
    }
    for (int a = 0; a < files->attributes.count; a++) {
        add(text, size, "--attr", files->attributes.text[a]);
    }
    add(text, size, "--dtype", files->dtype);
    add(text, size, "--data", files->data);
}

/* Returns true if the answer is a wrong result, or none. */
static bool is_wrong(const struct repro *repro, const json_t *backend)
{
    const char *status = json_string_value(json_object_get(backend, "status"));
    return status &&
           (strcmp(status, "fail") == 0 || strcmp(status, "crash") == 0 ||
            (json_is_true(json_object_get(backend, "fails")) && strcmp(status, "pass") == 0)) &&
           !repro->recorded;
}

void repro_next(const struct repro *repro, const json_t *backend, char *text, size_t size)
{
    const struct repro_files *files = repro->files;
    text[0] = '\0';
    if (!is_wrong(repro, backend) || (files->bundle && files->shrink) || files->in_process) {
        return;
    }
    environment_quote(text, size, "assay");
    environment_quote(text, size, "repro");
    add_call(repro, text, size);
    add(text, size, "--backend", repro->setup.backend);
    environment_quote(text, size, "--shrink");
    add(text, size, "--bundle", files->bundle ? files->bundle : "bug.zip");
}
