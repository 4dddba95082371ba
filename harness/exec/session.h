/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_SESSION_H
#define ASSAY_HARNESS_EXEC_SESSION_H

/* A program behind `exec:` as a backend: starts the program, reads its greeting, sends it step by step, and
 * restarts it after it has died or sent a malformed answer. Used by backends/exec.c and, through adapter.h,
 * by the adapters in Python. */

#include "reference/program/backend.h"

/* Starts a program. `name`: the backend's name in messages. Returns NULL with the reason when the program
 * cannot be started or does not greet. The other functions implement struct backend_class. */
struct backend *exec_open(const char *name, const char *command, struct error *error);
void exec_close(struct backend **backend);
void exec_info(const struct backend *backend, struct backend_info *info);
bool exec_run(struct backend *backend, const struct program *program, struct backend_run *run,
              struct error *error);
void exec_memory(struct backend *backend, struct backend_memory *memory);
void exec_empty_cache(struct backend *backend);
bool exec_limit_memory(struct backend *backend, uint64_t bytes);

#endif
