/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A whole case with an operand large enough to be passed zero-copy: a stray write to it is reported as such,
 * and spoils neither the truth that is computed afterwards nor the next run. */
#include "harness/judge/test/cpu_case.h"

#include <criterion/criterion.h>
#include <string.h>

enum { NUMBERS = (1 << 20) + 5 };

static void build(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)NUMBERS);
    struct view x = program_input(b->program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; i < NUMBERS; i++) {
        program_set(b->program, &x, i, 0, (double)(i % 1000 - 400));
    }
    b->program->storage[x.storage].origin = ORIGIN_STRUCTURED;
    program_step(b->program, b->c->op, NULL, 1, &x);
}

static int64_t stray_at; /* byte of the operand; negative: none */
static int stray_run, runs;

static bool run(struct backend *backend, const struct program *program, struct backend_run *r,
                struct error *error)
{
    const int storage = program->step[0].input[0].storage;
    cr_expect(r->image[storage] + BACKEND_GUARD == program->storage[storage].data, "it is zero-copy");
    bool good = backend_class_cpu.run(backend, program, r, error);
    if (runs++ == stray_run && stray_at >= 0) {
        r->image[storage][BACKEND_GUARD + stray_at] ^= 0x80;
    }
    return good;
}

static void run_case(const char *op, struct record *record)
{
    runs = 0;
    cpu_case(op, build, run, &(struct case_options){.seed = 1, .repeat = 2}, record);
}

Test(zero_copy, a_stray_write_is_reported_and_spoils_nothing_else)
{
    static const char *const ops[] = {"neg", "sum"}; /* whose truth comes after the runs, and before them */
    for (int k = 0; k < 2; k++) {
        struct record record;
        stray_at = -1;
        run_case(ops[k], &record);
        cr_expect_eq(record.status, STATUS_PASS, "%s: %s", ops[k], record.reason ? record.reason : "");
        record_clear(&record);
        for (stray_run = 0; stray_run < 2; stray_run++) {
            stray_at = 4 * 17 + 3;
            run_case(ops[k], &record);
            cr_expect_eq(record.status, STATUS_FAIL, "%s, run %d", ops[k], stray_run);
            cr_expect_str_eq(record.rule, "stray write");
            cr_expect(strstr(record.detail, "1 byte") &&
                          strstr(record.detail, "an operand that is only read was overwritten"),
                      "%s", record.detail);
            cr_expect_eq(record.over_bound, 0, "%s: the results are right", ops[k]);
            cr_expect_eq(record.distinct, 1, "%s", ops[k]);
            record_clear(&record);
        }
    }
}
