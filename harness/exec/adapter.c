/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/adapter.h"

#include "harness/environment.h"
#include "harness/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The adapter's path; false where it is nowhere to be found. */
static bool find_adapter(const char *name, char *path, size_t size, struct error *error)
{
    static const char *const places[] = {"../share/assay/adapters",
                                         "../harness/adapters"}; /* from bin/, from build/ */
    char program[1024] = "", folder[1100];
    const char *named = getenv("ASSAY_ADAPTERS");
    platform_program(program, sizeof program);
    char *slash = strrchr(program, '/');
    if (slash) {
        *slash = '\0';
    }
    for (int p = named ? -1 : 0; p < 3; p++) {
        if (p < 0 || p == 2) {
            snprintf(folder, sizeof folder, "%s", p < 0 ? named : "harness/adapters");
        } else {
            snprintf(folder, sizeof folder, "%s/%s", program, places[p]);
        }
        snprintf(path, size, "%s/%s_adapter.py", folder, name);
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    return error_set(error,
                     "backend %s: no %s_adapter.py beside this program or in ./harness/adapters; set "
                     "ASSAY_ADAPTERS to its folder",
                     name, name);
}

/* A device, a provider or a module: nothing that a shell would look into. */
static bool is_word(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:._-") == strlen(text);
}

bool adapter_command(const struct adapter *adapter, const struct backend_options *options, char *command,
                     size_t size, struct error *error)
{
    const char *python = getenv("ASSAY_PYTHON"),
               *selector = options->selector ? options->selector : adapter->selector;
    char path[1200];
    if (selector && !is_word(selector)) {
        return error_set(error, "backend %s: \"%s\" is no %s; %s", adapter->name, selector, adapter->what,
                         adapter->selectors);
    }
    if (options->validate) {
        return error_set(error, "backend %s has no validation layer", adapter->name);
    }
    if (!find_adapter(adapter->name, path, sizeof path, error)) {
        return false;
    }
    const char *const words[] = {python ? python : "python3", path, selector ? selector : ""};
    size_t most = sizeof "exec ";
    for (int w = 0; w < 3; w++) {
        most += strlen(words[w]) * 4 + 8; /* a quote takes four */
    }
    if (most > size) {
        return error_set(
            error, "backend %s: the command may be longer than %zu bytes: shorten ASSAY_PYTHON or the folder",
            adapter->name, size - 1);
    }
    snprintf(command, size, "exec");
    for (int w = 0; w < (selector ? 3 : 2); w++) {
        environment_quote(command, size, words[w]);
    }
    return true;
}

struct backend *adapter_open(const struct adapter *adapter, const struct backend_options *options,
                             struct error *error)
{
    char command[ADAPTER_COMMAND];
    return adapter_command(adapter, options, command, sizeof command, error)
               ? exec_open(adapter->name, command, error)
               : NULL;
}

int adapter_list(const struct adapter *adapter)
{
    printf("%s\n          %s of the python3 on PATH (ASSAY_PYTHON), where it has the %s\n",
           adapter->selectors, adapter->library, adapter->what);
    return 0;
}
