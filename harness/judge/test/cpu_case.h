/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TEST_CPU_CASE_H
#define ASSAY_HARNESS_JUDGE_TEST_CPU_CASE_H

/* Runs a whole case that a test declares on the CPU backend, whose results the test may spoil. */

#include "harness/judge/case.h"
#include "harness/judge/test/mock.h"
#include "suites/build.h"

#include <criterion/criterion.h>

extern const struct backend_class backend_class_cpu;

/* `run` is called in place of the CPU backend's own. The caller clears the record. */
static inline void cpu_case(const char *op, void (*build)(struct builder *b),
                            bool (*run)(struct backend *backend, const struct program *program,
                                        struct backend_run *r, struct error *error),
                            const struct case_options *options, struct record *record)
{
    const struct suite_case c = {.op = op_find(op),
                                 .dtype = DTYPE_FLOAT32,
                                 .name = "declared",
                                 .covers = "",
                                 .file = __FILE__,
                                 .line = __LINE__,
                                 .build = build};
    struct backend_class class = backend_class_cpu;
    struct error error = {.text = ""};
    class.run = run;
    struct backend *cpu = backend_class_cpu.open(&(struct backend_options){.selector = NULL}, &error);
    cr_assert(cpu, "%s", error.text);
    cr_assert(case_run(&c, "family/operator/float32/declared", &class, cpu, options, record));
    backend_class_cpu.close(&cpu);
}

#endif
