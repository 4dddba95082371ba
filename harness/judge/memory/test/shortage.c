/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/memory/shortage.h"
#include "reference/program/backend.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* A program whose one storage, with its guards, takes `bytes`. */
static struct program *program_of(int64_t bytes)
{
    struct program *program = program_create();
    const struct shape shape = {.rank = 1, .dim = {bytes - 2 * BACKEND_GUARD}};
    program_input(program, DTYPE_UINT8, &shape);
    cr_assert_eq(program->storages, 1);
    return program;
}

/* A shortage is the device's only if the backend states a limit of its memory; otherwise it is this
 * machine's, and an error. */
Test(shortage, is_the_devices_only_beside_its_limit)
{
    static const struct {
        int64_t bytes;
        uint64_t limit;
        enum status status;
        bool open;
        const char *reason;
    } rows[] = {
        {1 << 22, (1 << 22) - 1, STATUS_UNSUPPORTED, false,
         "the device has too little memory: the case takes 4194304 of 4194303"},
        {1 << 22, 1 << 22, STATUS_UNSUPPORTED, true,
         "out of memory: none left (the case takes 4194304 bytes)"},
        {1 << 22, (4 << 22) - 1, STATUS_UNSUPPORTED, true,
         "out of memory: none left (the case takes 4194304 bytes)"},
        {1 << 22, 4 << 22, STATUS_ERROR, true, ": the shortage is the worker's, not the device's)"},
        {1 << 22, 0, STATUS_ERROR, true, "the backend states no limit of its device's memory"},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct program *program = program_of(rows[r].bytes);
        struct record record = {.id = NULL};
        record.status = shortage_status(program, rows[r].limit, "none left", &record.reason);
        cr_expect_eq(record.status, rows[r].status, "row %u: %s", r, record.reason);
        cr_expect(record.reason && strstr(record.reason, rows[r].reason), "row %u: %s", r, record.reason);
        cr_expect_eq(shortage_is_open(&record), rows[r].open, "row %u: %s", r, record.reason);
        record_clear(&record);
        program_destroy(&program);
    }
}
