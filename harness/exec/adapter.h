/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_ADAPTER_H
#define ASSAY_HARNESS_EXEC_ADAPTER_H

/* Short names for the adapters in Python: "torch:cuda" is an exec backend that runs
 * harness/adapters/torch_adapter.py with the word after the colon.
 *
 * ASSAY_PYTHON names the interpreter (default python3), ASSAY_ADAPTERS the directory of the adapters.
 * Adapters are also looked for in ../share/assay/adapters and ../harness/adapters, relative to this program's
 * directory, but never in the working directory, because a bundle or a script may name torch:cpu beside files
 * of unknown origin. */

#include "harness/exec/session.h"

struct adapter {
    const char *name;      /* name of the backend; the program is NAME_adapter.py */
    const char *selector;  /* used if the user gives none; NULL: the adapter decides */
    const char *what;      /* what a selector is, for messages: "device" */
    const char *selectors; /* examples of selectors, for messages and help */
    const char *library;   /* the library whose operators are tested */
    bool path; /* the selector may be any text, such as a file's path; it is quoted for the shell */
};

enum { ADAPTER_COMMAND = 16384 }; /* bytes of the longest command */

/* Finds a file of the adapters, "profiles.json". Returns false with the places where it was looked for. */
bool adapter_file(const char *name, char *path, size_t size, struct error *error);

/* Writes the command line for sh. Returns false when the adapter is not found or the options do not suit it.
 */
bool adapter_command(const struct adapter *adapter, const struct backend_options *options, char *command,
                     size_t size, struct error *error);

/* Starts the adapter. Returns NULL with the reason when the adapter is not found or does not greet; the
 * reason then says what to install. */
struct backend *adapter_open(const struct adapter *adapter, const struct backend_options *options,
                             struct error *error);
int adapter_list(const struct adapter *adapter);

/* Tells the programs that are started from now on which operator the only call is of: call: then needs no
 * "=OPERATOR" for a function of another name. They find it in ASSAY_CALL_OPERATOR. */
void adapter_name_operator(const char *name);

/* Defines a backend class from a struct adapter. Each is used in a file of its own in harness/backends/,
 * where the registry finds it. */
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
