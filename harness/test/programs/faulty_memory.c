/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/programs/faulty_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct backend_memory counters;

static bool is(const char *name)
{
    const char *what = getenv("ASSAY_TEST_PROCEDURE");
    return what && strcmp(what, name) == 0;
}

bool counted_memory(void)
{
    return is("rounds") || is("hoards") || is("swells") || is("stingy");
}

static uint64_t block_of(uint64_t bytes)
{
    uint64_t block = 512;
    if (is("rounds")) {
        while (block < bytes) {
            block *= 2;
        }
        return block;
    }
    uint64_t rows = bytes / 64;
    return is("hoards") ? 5 * bytes : is("swells") ? bytes + rows * rows / 2 : bytes;
}

bool short_of_memory(const struct program *program, struct backend_run *run)
{
    enum { LEFT = 1 << 16 };
    uint64_t bytes = 0;
    for (int s = 0; s < program->storages; s++) {
        bytes += program->storage[s].bytes;
    }
    if (!is("short") || bytes <= LEFT) {
        return false;
    }
    run->result[0].status = STEP_OUT_OF_MEMORY;
    snprintf(run->result[0].message, sizeof run->result[0].message, "malloc returns NULL");
    return true;
}

bool counted_run(const struct program *program, struct backend_run *run)
{
    uint64_t taken = 0;
    for (int s = 0; s < program->storages; s++) {
        taken += block_of(program->storage[s].bytes);
    }
    uint64_t limit = is("stingy") ? counters.limit / 2 : counters.limit;
    if (limit && taken > limit) {
        run->result[0].status = STEP_OUT_OF_MEMORY;
        snprintf(run->result[0].message, sizeof run->result[0].message, "%llu bytes asked",
                 (unsigned long long)taken);
        return false;
    }
    counters.peak = taken > counters.peak ? taken : counters.peak;
    counters.reserved = taken > counters.reserved ? taken : counters.reserved;
    return true;
}

void counted_usage(struct backend_memory *memory)
{
    *memory = counters;
}

void counted_empty(void)
{
    counters.reserved = 0;
}

void counted_limit(uint64_t bytes)
{
    counters.limit = bytes;
}
