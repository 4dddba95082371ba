/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The scaler's state in all combinations. amp_update_scale: found_inf × scale × tracker × factors.
 * amp_unscale and amp_step: found_inf before the call × a special value among the gradients or parameters ×
 * the inverse scale. */

#include "suites/shared/data.h"
#include "suites/shared/rows.h"

#include <math.h>
#include <string.h>

static const double found[] = {0, -0.0, 1, 2, 0x1p-149, INFINITY, -INFINITY, NAN};
enum { FOUND = sizeof found / sizeof *found };

static struct view scalar(struct builder *b, enum dtype dtype, double x)
{
    struct shape one = shape_of(1, (int64_t)1);
    struct view view = build_tensor(b, dtype, &one, LAYOUT_OFFSET1);
    build_set(b, &view, 0, x);
    return view;
}

/* One case for each value of found_inf: scales × trackers below, at and past the interval × factors. */
static void build_update(struct builder *b)
{
    static const double scales[] = {1, 65536, 0x1.3c0ca4p10, 0x1p-126, 0x1.fffffep127};
    static const struct {
        int tracker, interval;
    } counts[] = {{0, 1}, {0, 2}, {1, 2}, {2, 2}, {1999, 2000}};
    static const double factors[][2] = {{2, 0.5}, {1.5, 0.75}, {1.1, 0.9}};
    for (int k = 0; k < 5 * 5 * 3 && !b->failed; k++) {
        struct view input[] = {scalar(b, DTYPE_FLOAT32, scales[k % 5]),
                               scalar(b, DTYPE_INT32, counts[k / 5 % 5].tracker),
                               scalar(b, DTYPE_FLOAT32, found[b->c->parameter])};
        struct attributes attributes = {
            .count = 3,
            .item = {{.name = "growth_factor", .type = ATTRIBUTE_REAL, .real = factors[k / 25][0]},
                     {.name = "backoff_factor", .type = ATTRIBUTE_REAL, .real = factors[k / 25][1]},
                     {.name = "growth_interval",
                      .type = ATTRIBUTE_INTEGER,
                      .integer = counts[k / 5 % 5].interval}}};
        build_step(b, b->c->op, &attributes, 3, input);
    }
}

/* Nine gradients or parameters, the one in the middle being of the k-th kind. */
static struct view values(struct builder *b, int kind, int tensor)
{
    const double special[] = {0.75, 0, -0.0, INFINITY, -INFINITY, NAN};
    struct shape shape = shape_of(1, (int64_t)9);
    struct view x = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    struct philox generator = build_generator(b, tensor);
    for (int64_t i = 0; i < 9; i++) {
        build_set_bits(b, &x, i, 0, data_between(&generator, x.dtype, -4, 4));
    }
    build_set(b, &x, 4,
              kind < 6    ? special[kind]
              : kind == 6 ? dtype_max(x.dtype)
                          : dtype_least_subnormal(x.dtype));
    return x;
}
enum { KINDS = 8 };

/* found_inf before × kinds of value × factors. */
static void build_flags(struct builder *b)
{
    static const double inverse[] = {0x1p-16, 0.3125, 0x1.3c0ca4p0};
    bool step = strcmp(b->c->op->name, "amp_step") == 0;
    for (int k = 0; k < FOUND * KINDS && !b->failed; k++) {
        struct attributes lr = {.count = step};
        lr.item[0] = (struct attribute){.name = "lr", .type = ATTRIBUTE_REAL, .real = 0.25};
        struct view flag = scalar(b, DTYPE_FLOAT32, found[k % FOUND]);
        struct view x = values(b, k / FOUND, 2 * k);
        struct view second = step ? values(b, k / FOUND, 2 * k + 1) : flag;
        struct view third = step ? flag : scalar(b, DTYPE_FLOAT32, inverse[k % 3]);
        build_step(b, b->c->op, &lr, 3, (struct view[]){x, second, third});
    }
}

struct row {
    struct suite_row row;
};

#define FOUND_BEFORE(name_, which_)                                                                          \
    SUITE_ROW("combinations-found-" name_, STANDARD, "scaler_combinations scaler_growth",                    \
              .op = "amp_update_scale", .dtypes = 1U << DTYPE_FLOAT32, .build = build_update,                \
              .parameter = which_)
#define WITH_VALUES(op_)                                                                                     \
    SUITE_ROW("combinations-found-values", STANDARD, "scaler_combinations scaler_found_inf", .op = op_,      \
              .build = build_flags)

static const struct row rows[] = {
    {FOUND_BEFORE("0", 0)},         {FOUND_BEFORE("minus-0", 1)},   {FOUND_BEFORE("1", 2)},
    {FOUND_BEFORE("2", 3)},         {FOUND_BEFORE("subnormal", 4)}, {FOUND_BEFORE("inf", 5)},
    {FOUND_BEFORE("minus-inf", 6)}, {FOUND_BEFORE("nan", 7)},       {WITH_VALUES("amp_unscale")},
    {WITH_VALUES("amp_step")},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows)});
}

const struct suite suite_amp_combinations = {.declare = declare};
