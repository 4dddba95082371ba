/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every float32 pattern through sgn and sign, 2^20 at a time: the exhaustive level. The case patterns-0x3f8
 * holds the patterns whose upper twelve bits are 0x3f8. */

#include "suites/build.h"

#include <stdio.h>

enum { LOW_BITS = 20, BLOCKS = 1 << (32 - LOW_BITS) };

static void build_block(struct builder *b)
{
    struct view x = build_vector(b, b->c->dtype, (int64_t)1 << LOW_BITS);
    for (int64_t i = 0; i < (int64_t)1 << LOW_BITS; i++) {
        build_set_bits(b, &x, i, 0, (uint64_t)(b->c->parameter << LOW_BITS | i));
    }
    build_unary(b, b->c->op, &x);
}

static void declare(struct suite_list *list)
{
    static const char *const ops[] = {"sgn", "sign"};
    for (int o = 0; o < 2; o++) {
        for (int block = 0; block < BLOCKS; block++) {
            suite_declare_named(list,
                                &(struct suite_case){.op = op_find(ops[o]),
                                                     .dtype = DTYPE_FLOAT32,
                                                     .level = LEVEL_EXHAUSTIVE,
                                                     .covers = "special_values exponents",
                                                     .file = __FILE__,
                                                     .line = __LINE__,
                                                     .build = build_block,
                                                     .parameter = block},
                                "patterns-0x%03x", block);
        }
    }
}

const struct suite suite_elementwise_sgn_patterns = {.declare = declare};
