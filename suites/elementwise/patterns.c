/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Every float32 pattern through each function of one number, 2^22 per case, at level exhaustive. The case
 * patterns-0x0fe has the patterns whose upper ten bits are 0x0fe; all cases of an operator have the 2^32
 * inputs. */

#include "suites/shared/data.h"
#include "suites/shared/functions.h"

#include <stdio.h>

static void build_block(struct builder *b)
{
    data_patterns(b, (uint64_t)b->c->parameter << PATTERN_BLOCK_BITS, (int64_t)1 << PATTERN_BLOCK_BITS);
}

static void declare_all(struct suite_list *list, const char *name)
{
    for (int block = 0; block < PATTERN_BLOCKS; block++) {
        suite_declare_named(list,
                            &(struct suite_case){.op = op_find(name),
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

static void declare(struct suite_list *list)
{
    declare_all(list, "sgn");
    declare_all(list, "sign");
    for (int k = 0; k < function_count(); k++) {
        const struct function *f = function_at(k);
        if (function_operands(f) == 1 && (op_find(f->name)->dtypes >> DTYPE_FLOAT32 & 1)) {
            declare_all(list, f->name);
        }
    }
}

const struct suite suite_elementwise_patterns = {.declare = declare};
