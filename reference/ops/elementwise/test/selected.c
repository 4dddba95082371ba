/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Operators that return one of their operands on a device that compares subnormals as zeros but returns them
 * unchanged: `x < min ? min : x > max ? max : x` with min = max = 0 returns a subnormal x. */
#include "reference/test/call.h"

#define TINY  0x1p-140
#define LEAST 0x1p-126

/* Tests one call on one float32: whether `got` is accepted where subnormals may be flushed, and where they
 * are kept. */
static const struct {
    const char *op;
    double x, min, max, got;
    bool flushed, kept;
} call[] = {
    {"hardtanh", TINY, 0, 0, TINY, true, false},
    {"hardtanh", TINY, 0, 0, 0, true, true},
    {"hardtanh", TINY, 0, 0, -TINY, false, false},
    {"hardtanh", TINY, 0, 0, 2 * TINY, false, false},
    {"hardtanh", TINY, 0, 0, LEAST, false, false},
    {"hardtanh", -TINY, 0, 6, -TINY, true, false},
    {"hardtanh", -TINY, 0, 6, 6, false, false},
    {"hardtanh", TINY, -6, 0, TINY, true, false},
    {"hardtanh", TINY, 2 * TINY, 6, TINY, true, false},
    {"hardtanh", TINY, 2 * TINY, 6, 2 * TINY, true, true},
    {"hardtanh", TINY, -1, 2 * TINY, 2 * TINY, true, false},
    {"hardtanh", TINY, -1, 1, 2 * TINY, false, false},
    {"hardtanh", LEAST, 0, 0, LEAST, false, false},
    {"hardtanh", -LEAST, 0, 6, -LEAST, false, false},
    {"hardtanh", 2, -TINY, TINY, -TINY, true, false},
    {"hardtanh", 2, -TINY, TINY, 2, false, false},
    {"relu", -TINY, 0, 0, -TINY, true, false},
    {"relu", -TINY, 0, 0, 0, true, true},
    {"relu", -TINY, 0, 0, TINY, false, false},
    {"relu", TINY, 0, 0, -TINY, false, false},
    {"relu", -LEAST, 0, 0, -LEAST, false, false},
};

static struct call call_at(size_t i)
{
    struct call made = call_of(call[i].op);
    VECTOR(&made, DTYPE_FLOAT32, call[i].x);
    if (strcmp(call[i].op, "hardtanh") == 0) {
        real_attribute(&made, "min_val", call[i].min);
        real_attribute(&made, "max_val", call[i].max);
    }
    return made;
}

Test(selected, a_subnormal_operand_comes_back_where_it_compares_as_a_zero)
{
    for (size_t i = 0; i < sizeof call / sizeof *call; i++) {
        struct call made = call_at(i);
        cr_expect_eq(takes(&made, 0, 0, call[i].got), call[i].kept, "row %zu, subnormals are kept", i);
        made.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
        cr_expect_eq(takes(&made, 0, 0, call[i].got), call[i].flushed, "row %zu, they may be flushed", i);
        end(&made);
    }
}

/* bfloat16 has float32's range: a program that computes it in float32 flushes as float32 does. */
Test(selected, bfloat16_compares_as_float32_does)
{
    static const char *const ops[] = {"relu", "clamp_"};
    for (int o = 0; o < 2; o++) {
        struct call made = call_of(ops[o]);
        VECTOR(&made, DTYPE_BFLOAT16, -0x1p-130);
        if (o == 1) {
            made.attributes =
                (struct attributes){.count = 1, .item = {{.name = "min", .type = ATTRIBUTE_REAL, .real = 0}}};
        }
        made.profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
        cr_expect_not(takes(&made, 0, 0, -0x1p-130), "%s: subnormals are kept", ops[o]);
        made.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
        cr_expect(takes(&made, 0, 0, -0x1p-130), "%s: float32 may flush", ops[o]);
        end(&made);
    }
}
