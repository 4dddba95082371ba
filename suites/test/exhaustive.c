/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests what the exhaustive level promises: each of the 2^32 float32 inputs once, for every function of one
 * number and for the conversions that round it. */

#include "reference/program/program.h"
#include "suites/suite.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 1024 };
static const int64_t elements = (int64_t)1 << 22;

static uint64_t bits_at(const struct program *program, const struct view *x, int64_t i)
{
    return dtype_bits(x->dtype, program->storage[x->storage].data + (size_t)view_element(x, i) * 4);
}

/* Checks that the operand of a block has its consecutive bit patterns. */
static void check_block(const struct suite_case *c, uint64_t block)
{
    struct error error = {.text = ""};
    struct program *program = suite_build(c, 1, &error);
    cr_assert_not_null(program, "%s", error.text);
    const struct view *x = &program->step[0].input[0];
    cr_assert_eq(shape_elements(&x->shape), elements);
    for (int64_t i = 0; i < elements; i += i < 4096 ? 1 : 4095) {
        cr_assert_eq(bits_at(program, x, i), block * (uint64_t)elements + (uint64_t)i, "%d", (int)i);
    }
    cr_assert_eq(bits_at(program, x, elements - 1), (block + 1) * (uint64_t)elements - 1);
    program_destroy(&program);
}

/* Checks that blocks `prefix`000 to `prefix`3ff exist, and builds the first, the last and one between
 * them. */
static void check(const struct suite_list *list, const char *prefix)
{
    for (int block = 0; block < BLOCKS; block++) {
        char id[128];
        snprintf(id, sizeof id, "%s0x%03x", prefix, (unsigned)block);
        const int at = suite_list_find(list, id);
        cr_assert_geq(at, 0, "no case %s", id);
        cr_assert_eq(suite_list_at(list, at)->level, LEVEL_EXHAUSTIVE);
        if (block == 0 || block == 0x12e || block == BLOCKS - 1) {
            check_block(suite_list_at(list, at), (uint64_t)block);
        }
    }
}

Test(exhaustive, every_input_of_float32)
{
    struct suite_list *list = suite_list_create();
    check(list, "elementwise/exp/float32/patterns-");
    check(list, "elementwise/sgn/float32/patterns-");
    check(list, "conversion/to/float32/float16-patterns-");
    check(list, "conversion/to/float32/bfloat16-patterns-");
    int blocks = 0;
    for (int i = 0; i < suite_list_count(list); i++) {
        blocks += strstr(suite_list_id(list, i), "patterns-0x") != NULL;
    }
    cr_expect_eq(blocks % BLOCKS, 0);
    suite_list_destroy(&list);
}
