/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* More than any address space has, and unknown to the compiler. */
static volatile size_t too_much = SIZE_MAX / 4;

/* Holds what was allocated: clang leaves out an allocation whose result is only compared with NULL. */
static void *volatile allocated;

Test(memory, a_failed_allocation_is_counted)
{
    const uint64_t before = memory_shortages();
    cr_expect_null(allocated = malloc(too_much));
    cr_expect_eq(memory_shortages(), before + 1);
    cr_expect_null(allocated = calloc(too_much, 2));
    cr_expect_eq(memory_shortages(), before + 2);
    cr_expect_null(allocated = realloc(NULL, too_much));
    cr_expect_eq(memory_shortages(), before + 3);
    free(malloc(8));
    cr_expect_eq(memory_shortages(), before + 3, "one that succeeds is not");
}

Test(memory, a_text_is_copied_formatted_and_streamed_whole)
{
    const uint64_t before = memory_shortages();
    char *copy = memory_text("a text"), *made = memory_format("%d of %s", 3, "many"), *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert(stream);
    fputs("a stream", stream);
    cr_expect_str_eq(copy, "a text");
    cr_expect_str_eq(made, "3 of many");
    cr_expect_str_eq(memory_stream_text(stream, &text), "a stream");
    cr_expect_null(memory_text(NULL), "nothing has no copy, and needs no memory");
    cr_expect_eq(memory_shortages(), before);
    free(copy);
    free(made);
    free(text);
}

/* What could not be written into a stream is missing from its text. */
Test(memory, a_stream_with_a_failed_write_has_no_text)
{
    const uint64_t before = memory_shortages();
    char *text = strdup("the beginning");
    FILE *stream = fopen("/dev/full", "w"); /* fails as a stream in memory does that has none */
    cr_assert(stream && setvbuf(stream, NULL, _IONBF, 0) == 0);
    cr_assert_eq(fputs("the end", stream), EOF);
    cr_expect_null(memory_stream_text(stream, &text));
    cr_expect_null(text);
    cr_expect_null(memory_stream_text(NULL, &text), "nor has one that could not be opened");
    cr_expect_eq(memory_shortages(), before + 1);
}
