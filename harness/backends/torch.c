/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* torch:cpu, torch:cuda, torch:mps: PyTorch through harness/adapters/torch_adapter.py, a program of the exec
 * protocol.
 *
 * ASSAY_PYTHON names the interpreter (default python3), ASSAY_ADAPTERS the folder of the adapter where it is
 * neither installed beside this program nor in the source tree. */

#include "harness/exec/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The adapter's path; false where it is nowhere to be found. */
static bool find_adapter(char *path, size_t size, struct error *error)
{
    static const char *const places[] = {"../share/assay/adapters",
                                         "../harness/adapters"}; /* from bin/, from build/ */
    char program[1024] = "", folder[1100];
    const char *named = getenv("ASSAY_ADAPTERS");
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) {
        program[0] = '\0';
    }
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
        snprintf(path, size, "%s/torch_adapter.py", folder);
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    return error_set(error,
                     "backend torch: no torch_adapter.py beside this program or in ./harness/adapters; set "
                     "ASSAY_ADAPTERS to its folder");
}

static bool is_device(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789:") == strlen(text);
}

static struct backend *open_backend(const struct backend_options *options, struct error *error)
{
    const char *python = getenv("ASSAY_PYTHON"), *device = options->selector ? options->selector : "cpu";
    char path[1200], command[2048];
    if (!is_device(device)) {
        error_set(error,
                  "backend torch: \"%s\" is no device; torch:cpu, torch:cuda, torch:cuda:1 or torch:mps",
                  device);
        return NULL;
    }
    if (options->validate) {
        error_set(error, "backend torch has no validation layer");
        return NULL;
    }
    if (!find_adapter(path, sizeof path, error)) {
        return NULL;
    }
    snprintf(command, sizeof command, "exec '%s' '%s' %s", python ? python : "python3", path, device);
    return exec_open("torch", command, error);
}

static int list(const struct backend_options *options)
{
    (void)options;
    printf("torch:cpu, torch:cuda, torch:mps\n          PyTorch of the python3 on PATH (ASSAY_PYTHON), where "
           "it has the "
           "device\n");
    return 0;
}

const struct backend_class backend_class_torch = {
    .name = "torch",
    .help = "torch:cpu, torch:cuda or torch:mps, PyTorch's own operators",
    .open = open_backend,
    .close = exec_close,
    .info = exec_info,
    .run = exec_run,
    .memory = exec_memory,
    .empty_cache = exec_empty_cache,
    .limit_memory = exec_limit_memory,
    .list = list};
