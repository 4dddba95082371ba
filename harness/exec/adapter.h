/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_ADAPTER_H
#define ASSAY_HARNESS_EXEC_ADAPTER_H

/* Short forms for the adapters in Python: "torch:cuda" is exec with harness/adapters/torch_adapter.py and the
 * word behind the colon.
 *
 * ASSAY_PYTHON names the interpreter (default python3), ASSAY_ADAPTERS the folder of the adapters; without
 * it they are looked for in ../share/assay/adapters and ../harness/adapters of the program's folder, never in
 * the working folder: a bundle or a script may name torch:cpu beside files from elsewhere. */

#include "harness/exec/session.h"

struct adapter {
    const char *name;      /* of the backend; the program is NAME_adapter.py */
    const char *selector;  /* where none is given; NULL: the adapter decides */
    const char *what;      /* a selector is, for messages: "a device" */
    const char *selectors; /* examples of it, for messages and help */
    const char *library;   /* whose operators they are */
};

enum { ADAPTER_COMMAND = 16384 }; /* bytes of the longest command */

/* What sh is to run; false where the adapter is not found. */
bool adapter_command(const struct adapter *adapter, const struct backend_options *options, char *command,
                     size_t size, struct error *error);

/* NULL with the reason when the adapter is not found, or does not greet: it says what to install. */
struct backend *adapter_open(const struct adapter *adapter, const struct backend_options *options,
                             struct error *error);
int adapter_list(const struct adapter *adapter);

/* A backend class made of a struct adapter; one file in harness/backends/ each, which the registry finds. */
#define ADAPTER_BACKEND(stem, help_, ...)                                                                    \
    static const struct adapter adapter_##stem = {.name = #stem, __VA_ARGS__};                               \
    static struct backend *open_##stem(const struct backend_options *options, struct error *error)           \
    {                                                                                                        \
        return adapter_open(&adapter_##stem, options, error);                                                \
    }                                                                                                        \
    static bool command_##stem(const struct backend_options *options, char *command, size_t size,            \
                               struct error *error)                                                          \
    {                                                                                                        \
        return adapter_command(&adapter_##stem, options, command, size, error);                              \
    }                                                                                                        \
    static int list_##stem(const struct backend_options *options)                                            \
    {                                                                                                        \
        (void)options;                                                                                       \
        return adapter_list(&adapter_##stem);                                                                \
    }                                                                                                        \
    const struct backend_class backend_class_##stem = {.name = #stem,                                        \
                                                       .help = help_,                                        \
                                                       .open = open_##stem,                                  \
                                                       .close = exec_close,                                  \
                                                       .info = exec_info,                                    \
                                                       .run = exec_run,                                      \
                                                       .memory = exec_memory,                                \
                                                       .empty_cache = exec_empty_cache,                      \
                                                       .limit_memory = exec_limit_memory,                    \
                                                       .list = list_##stem,                                  \
                                                       .command = command_##stem}

#endif
