/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests that truths and error bounds are the same on every machine: `assay bench digest` computes them in
 * every execution configuration of this machine, and with a C library that takes the processor for an older
 * one. */

#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(digest, .init = trial_begin, .fini = trial_end, .timeout = 600);

enum { HEX = 32 };

/* Runs the command, expects equal digests of all configurations, and returns the digest. */
static void equal(const char *words, char hex[HEX + 1])
{
    int ways = 0;
    trial_run("bench digest %s", words);
    cr_expect_eq(trial->status, 0, "exit %d: %s", trial->status, trial->output);
    snprintf(hex, HEX + 1, "%.32s", trial->output);
    cr_assert_eq(strspn(hex, "0123456789abcdef"), HEX, "%s", trial->output);
    for (const char *line = trial->output; *line; line = strchr(line, '\n') + 1) {
        if (line[0] != ' ') {
            cr_expect_eq(strncmp(line, hex, HEX), 0, "%s: %s", words, trial->output);
            ways++;
        }
    }
    cr_expect(ways >= 9 && !strstr(trial->output, "differs"), "%s", trial->output);
#ifdef __x86_64__
    cr_expect(!strstr(trial->output, "SSE2: not"), "%s", trial->output);
#endif
}

/* Uses one operator of each operator class. */
Test(digest, is_one_for_a_few_operators)
{
    char hex[HEX + 1], other[HEX + 1];
    equal("linalg/matmul/float32 linalg/linear/float32 --exclude *plan* --exclude *batch*", hex);
    equal("linalg/matmul/float32 linalg/linear/float32 --exclude *plan* --exclude *batch* --seed 2", other);
    cr_expect_str_neq(hex, other, "it is of the numbers that are asked about");
    equal("linalg/logdet/float32/random-n64 linalg/slogdet/float64/random-n64 --level standard", hex);
    equal("norm/layer_norm/float32 sparse/csr_mm/float32 --exclude *plan*", hex);
}

/* Repeats the run with the variants that the C library would choose on an older processor. */
static void on_an_older_processor(const char *words, const char *hex)
{
    char older[HEX + 1];
    setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-FMA,-FMA4,-AVX,-SSE4_1", 1);
    equal(words, older);
    unsetenv("GLIBC_TUNABLES");
    cr_expect_str_eq(hex, older, "%s: the C library's functions are not the same", words);
}

Test(digest, is_one_for_the_smoke_level_takes_seconds)
{
    char hex[HEX + 1];
    equal("*", hex);
    on_an_older_processor("*", hex);
}

/* Uses products that are large enough for threads, and determinants for elimination in double. */
Test(digest, is_one_for_large_products_and_determinants_takes_seconds)
{
    char hex[HEX + 1];
    equal("linalg/matmul/float32 linalg/logdet/*-n64 linalg/slogdet/*-n64 --level standard", hex);
}
