/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_PROGRAMS_PECULIAR_H
#define ASSAY_HARNESS_TEST_PROGRAMS_PECULIAR_H

/* The interface between the parts of peculiar_program.c: its conversation, and what it computes. */

#include "kernels/cpu/cpu_backend.h"

struct call {
    const struct op *op;
    struct attributes attributes;
    int storages, inputs, outputs;
    unsigned char *storage[OPERANDS_MAX];
    size_t bytes[OPERANDS_MAX];
    struct cpu_view input[OPERANDS_MAX], output[OPERANDS_MAX];
};

/* True if the program was started with this peculiarity. */
bool peculiar(const char *name);

/* Runs the call as the CPU backend does, but for the peculiarity. */
enum cpu_status peculiar_compute(struct call *c, struct error *reason);

#endif
