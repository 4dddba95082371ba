/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/adapter.h"

#include "harness/host/environment.h"
#include "harness/host/platform.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sets the directory of this program; "" where the system does not provide it. argv[0] and the working
 * directory are never used, because the files found there are executed. */
static void program_folder(char *folder, size_t size)
{
    platform_program(folder, size);
    char *slash = strrchr(folder, '/');
    *(slash ? slash : folder) = '\0';
}

/* Looks in ASSAY_ADAPTERS, where adapters are installed, and in the source tree whose build/ holds this
 * program. */
bool adapter_file(const char *name, char *path, size_t size, struct error *error)
{
    static const char *const beside[] = {"/../share/assay/adapters", "/../harness/adapters"};
    const char *named = getenv("ASSAY_ADAPTERS");
    char program[1024];
    program_folder(program, sizeof program);
    if (named && named[0]) {
        snprintf(path, size, "%s/%s", named, name);
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    for (int b = 0; program[0] && b < 2; b++) {
        snprintf(path, size, "%s%s/%s", program, beside[b], name);
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    return error_set(error,
                     "there is no %s in ASSAY_ADAPTERS (%s), %s%s or %s%s; set ASSAY_ADAPTERS to its folder",
                     name, named && named[0] ? named : "not set", program, beside[0], program, beside[1]);
}

static bool find_adapter(const char *name, char *path, size_t size, struct error *error)
{
    char file[80];
    struct error why = {.text = ""};
    snprintf(file, sizeof file, "%.60s_adapter.py", name);
    return adapter_file(file, path, size, &why) || error_set(error, "backend %s: %s", name, why.text);
}

/* Returns true if the text has no character that a shell interprets. A device, a provider or a module has
 * none. */
static bool is_word(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:._-") == strlen(text);
}

static bool is_printable(const char *text)
{
    while (*text && !iscntrl((unsigned char)*text)) {
        text++;
    }
    return !*text;
}

bool adapter_command(const struct adapter *adapter, const struct backend_options *options, char *command,
                     size_t size, struct error *error)
{
    const char *python = getenv("ASSAY_PYTHON"),
               *selector = options->selector ? options->selector : adapter->selector;
    char path[1200];
    if (selector && !(adapter->path ? is_printable(selector) : is_word(selector))) {
        return error_set(error, "backend %s: \"%s\" is no %s; %s", adapter->name, selector, adapter->what,
                         adapter->selectors);
    }
    if (!selector && adapter->path) {
        return error_set(error, "backend %s needs a %s: give %s", adapter->name, adapter->what,
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
        most += strlen(words[w]) * 4 + 8; /* a quote takes four characters */
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

void adapter_name_operator(const char *name)
{
    setenv("ASSAY_CALL_OPERATOR", name, 1);
}

int adapter_list(const struct adapter *adapter)
{
    printf(adapter->path ? "%s\n          %s in the python3 on PATH (ASSAY_PYTHON)\n"
                         : "%s\n          %s of the python3 on PATH (ASSAY_PYTHON), where it has the %s\n",
           adapter->selectors, adapter->library, adapter->what);
    return 0;
}
