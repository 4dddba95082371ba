/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the route wide of operators that compute one result from one element of each operand: its results,
 * and all that lies around them, must be those of the route portable, and calls that do not consist of
 * aligned vectors must be refused. */
#include "kernels/test/trial.h"

enum { WORKGROUP = 256, OPERANDS = 3, LENGTHS = 8, BYTES = 16 };

struct call {
    const char *name;
    int operands;
    enum dtype dtype[OPERANDS];
    size_t widest; /* bytes of the widest operand or result: 16 / widest elements are a vector */
    enum dtype to; /* of the operator `to` */
};

static struct trial trial_on(const char *route)
{
    return trial_open(&(struct vk_device_parameters){.no_disk_cache = true, .route = route});
}

/* Random bits of a finite number below 2 in magnitude, subnormal ones among them, or of an integer. */
static uint64_t bits_of(enum dtype dtype, uint64_t i)
{
    uint64_t bits = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    bits ^= bits >> 29;
    bits *= UINT64_C(0xBF58476D1CE4E5B9);
    bits ^= bits >> 32;
    switch (dtype) {
    case DTYPE_BOOL:
        return bits & 1;
    case DTYPE_FLOAT16:
    case DTYPE_BFLOAT16:
        return bits & 0xBFFF;
    case DTYPE_FLOAT32:
        return bits & 0xBFFFFFFF;
    case DTYPE_FLOAT64:
        return bits & UINT64_C(0xBFFFFFFFFFFFFFFF);
    default:
        return bits;
    }
}

static struct view filled(struct trial *trial, enum dtype dtype, int64_t count)
{
    const struct shape shape = {.rank = 1, .dim = {count}};
    const struct view view = program_input(trial->program, dtype, &shape);
    for (int64_t i = 0; i < count; i++) {
        if (dtype == DTYPE_COMPLEX64) {
            program_set_bits(trial->program, &view, i, 0, bits_of(DTYPE_FLOAT32, (uint64_t)(2 * i)));
            program_set_bits(trial->program, &view, i, 1, bits_of(DTYPE_FLOAT32, (uint64_t)(2 * i + 1)));
        } else {
            program_set_bits(trial->program, &view, i, 0,
                             bits_of(dtype, (uint64_t)(i + 1000 * view.storage)));
        }
    }
    return view;
}

static struct view window(const struct view *whole, int64_t from, int64_t count)
{
    struct view view = *whole;
    view.shape.dim[0] = count;
    view.offset = from;
    return view;
}

/* Runs the call on windows of `length[k]` elements, with an element at least between any two, from multiples
 * of a vector on. The caller closes the trial. */
static struct trial ran(const struct call *call, const char *route, const int64_t length[LENGTHS])
{
    const int64_t vector = BYTES / (int64_t)call->widest;
    struct trial trial = trial_on(route);
    struct view whole[OPERANDS];
    int64_t room = vector, at = vector;
    for (int k = 0; k < LENGTHS; k++) {
        room += (length[k] / vector + 1) * vector;
    }
    for (int o = 0; o < call->operands; o++) {
        whole[o] = filled(&trial, call->dtype[o], room);
    }
    for (int k = 0; k < LENGTHS; k++) {
        struct view operand[OPERANDS];
        for (int o = 0; o < call->operands; o++) {
            operand[o] = window(&whole[o], at, length[k]);
        }
        const struct attributes attributes = {
            .count = strcmp(call->name, "to") == 0,
            .item = {{.name = "dtype", .type = ATTRIBUTE_CHOICE, .integer = call->to}}};
        cr_assert(program_step(trial.program, op_find(call->name), &attributes, call->operands, operand));
        at += (length[k] / vector + 1) * vector;
    }
    trial_run(&trial);
    return trial;
}

static void check(const struct call *call)
{
    const int64_t vector = BYTES / (int64_t)call->widest, group = WORKGROUP * vector;
    const int64_t length[LENGTHS] = {1,         vector - 1, vector,    vector + 1,
                                     group - 1, group,      group + 1, 2 * group + vector + 1};
    struct trial wide = ran(call, "wide", length), portable = ran(call, "portable", length);
    for (int k = 0; k < LENGTHS; k++) {
        cr_assert_eq(wide.result[k].status, LAUNCH_OK, "%s: %s", call->name, wide.result[k].message);
        cr_assert_eq(portable.result[k].status, LAUNCH_OK, "%s", call->name);
    }
    for (int s = 0; s < wide.program->storages; s++) {
        const size_t bytes = wide.program->storage[s].bytes + 2 * TRIAL_GUARD;
        for (size_t i = 0; i < bytes; i++) {
            cr_assert_eq(wide.image[s][i], portable.image[s][i], "%s of %s: storage %d byte %zu", call->name,
                         dtype_info(call->dtype[call->operands - 1])->name, s, i);
        }
    }
    trial_close(&wide);
    trial_close(&portable);
}

Test(vk_wide, one_operand_gives_the_bits_of_portable)
{
    static const struct call calls[] = {
        {"exp", 1, {DTYPE_FLOAT16}, 2, 0},   {"exp", 1, {DTYPE_BFLOAT16}, 2, 0},
        {"exp", 1, {DTYPE_FLOAT32}, 4, 0},   {"neg", 1, {DTYPE_FLOAT16}, 2, 0},
        {"floor", 1, {DTYPE_FLOAT32}, 4, 0}, {"neg", 1, {DTYPE_INT32}, 4, 0},
        {"sgn", 1, {DTYPE_COMPLEX64}, 8, 0}, {"sign", 1, {DTYPE_BFLOAT16}, 2, 0},
        {"square", 1, {DTYPE_FLOAT16}, 2, 0}};
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        check(&calls[c]);
    }
}

Test(vk_wide, bools_are_read_and_written_between_their_neighbours)
{
    static const struct call calls[] = {{"isnan", 1, {DTYPE_FLOAT16}, 2, 0},
                                        {"eq", 2, {DTYPE_FLOAT32, DTYPE_FLOAT32}, 4, 0},
                                        {"lt", 2, {DTYPE_INT32, DTYPE_INT32}, 4, 0},
                                        {"where", 3, {DTYPE_BOOL, DTYPE_FLOAT16, DTYPE_FLOAT16}, 2, 0},
                                        {"where", 3, {DTYPE_BOOL, DTYPE_FLOAT32, DTYPE_FLOAT32}, 4, 0},
                                        {"masked_fill_", 2, {DTYPE_BFLOAT16, DTYPE_BOOL}, 2, 0}};
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        check(&calls[c]);
    }
}

Test(vk_wide, functions_of_elements_of_8_bytes_are_left_to_portable)
{
    struct trial trial = trial_on("wide");
    const struct view x = filled(&trial, DTYPE_FLOAT64, 8);
    trial_step(&trial, "floor", 1, &x);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_UNSUPPORTED);
    cr_assert_str_eq(trial.result[0].message, "elements of 8 bytes");
    trial_close(&trial);
}

Test(vk_wide, several_operands_give_the_bits_of_portable)
{
    static const struct call calls[] = {{"add", 2, {DTYPE_FLOAT16, DTYPE_FLOAT16}, 2, 0},
                                        {"mul", 2, {DTYPE_INT32, DTYPE_INT32}, 4, 0},
                                        {"fma", 3, {DTYPE_FLOAT32, DTYPE_FLOAT32, DTYPE_FLOAT32}, 4, 0},
                                        {"fma", 3, {DTYPE_BFLOAT16, DTYPE_BFLOAT16, DTYPE_BFLOAT16}, 2, 0},
                                        {"add_", 2, {DTYPE_FLOAT16, DTYPE_FLOAT16}, 2, 0},
                                        {"mul_", 2, {DTYPE_INT64, DTYPE_INT64}, 8, 0}};
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        check(&calls[c]);
    }
}

Test(vk_wide, conversions_take_vectors_of_the_wider_type)
{
    static const struct call calls[] = {{"copy_", 2, {DTYPE_FLOAT64, DTYPE_INT8}, 8, 0},
                                        {"copy_", 2, {DTYPE_FLOAT16, DTYPE_FLOAT32}, 4, 0},
                                        {"copy_", 2, {DTYPE_FLOAT32, DTYPE_BFLOAT16}, 4, 0},
                                        {"to", 1, {DTYPE_FLOAT32}, 4, DTYPE_BOOL},
                                        {"to", 1, {DTYPE_INT64}, 8, DTYPE_UINT8},
                                        {"to", 1, {DTYPE_UINT8}, 1, DTYPE_BOOL},
                                        {"to", 1, {DTYPE_FLOAT16}, 2, DTYPE_INT8},
                                        {"clone", 1, {DTYPE_INT8}, 1, 0}};
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        check(&calls[c]);
    }
}

/* --- views */

/* mul of float32 by an operand y of the given strides, both of shape [4, 12]; x begins at element `from`. */
static struct trial multiplied(const char *route, int64_t from, struct view *y, const int64_t stride[2],
                               int64_t offset)
{
    struct trial trial = trial_on(route);
    struct view x = filled(&trial, DTYPE_FLOAT32, 64);
    x.shape = shape_of(2, (int64_t)4, (int64_t)12);
    x.stride[0] = 12;
    x.stride[1] = 1;
    x.offset = from;
    *y = filled(&trial, DTYPE_FLOAT32, 128);
    y->shape = x.shape;
    y->stride[0] = stride[0];
    y->stride[1] = stride[1];
    y->offset = offset;
    trial_step(&trial, "mul", 2, (struct view[]){x, *y});
    trial_run(&trial);
    return trial;
}

static void covers(const int64_t stride[2], int64_t offset)
{
    struct view y;
    struct trial wide = multiplied("wide", 4, &y, stride, offset),
                 portable = multiplied("portable", 4, &y, stride, offset);
    cr_assert_eq(wide.result[0].status, LAUNCH_OK, "%s", wide.result[0].message);
    cr_assert_eq(portable.result[0].status, LAUNCH_OK);
    for (int s = 0; s < wide.program->storages; s++) {
        cr_assert_eq(
            memcmp(wide.image[s], portable.image[s], wide.program->storage[s].bytes + 2 * TRIAL_GUARD), 0,
            "strides %d, %d from %d: storage %d", (int)stride[0], (int)stride[1], (int)offset, s);
    }
    trial_close(&wide);
    trial_close(&portable);
}

static void refuses(int64_t from, const int64_t stride[2], int64_t offset, const char *reason)
{
    struct view y;
    struct trial trial = multiplied("wide", from, &y, stride, offset);
    cr_expect_eq(trial.result[0].status, LAUNCH_UNSUPPORTED);
    cr_expect_str_eq(trial.result[0].message, reason);
    trial_untouched(&trial, &(struct view){.storage = -1});
    trial_close(&trial);
}

Test(vk_wide, an_operand_may_be_repeated_or_consist_of_aligned_rows)
{
    covers((int64_t[]){12, 1}, 4);   /* one line */
    covers((int64_t[]){0, 0}, 3);    /* one number for all */
    covers((int64_t[]){0, 1}, 8);    /* one row for all */
    covers((int64_t[]){3, 0}, 1);    /* one number for each row, wherever it lies */
    covers((int64_t[]){20, 1}, 4);   /* rows with gaps between them */
    covers((int64_t[]){-16, 1}, 64); /* backwards */
}

Test(vk_wide, other_operands_are_refused_with_the_reason)
{
    static const char apart[] = "elements do not lie one behind the other",
                      unaligned[] = "the first element of a row is not aligned to 16 bytes";
    refuses(4, (int64_t[]){24, 2}, 0, apart);
    refuses(4, (int64_t[]){12, -1}, 90, apart);
    refuses(4, (int64_t[]){1, 4}, 0, apart);
    refuses(4, (int64_t[]){12, 1}, 1, unaligned);
    refuses(1, (int64_t[]){12, 1}, 0, unaligned);
    refuses(4, (int64_t[]){14, 1}, 0, unaligned);
}

/* neg of `columns` numbers of each of 3 rows that are 16 apart. */
static struct launch_result of_rows(int64_t columns)
{
    struct trial trial = trial_on("wide");
    struct view x = filled(&trial, DTYPE_FLOAT32, 64);
    x.shape = shape_of(2, (int64_t)3, columns);
    x.stride[0] = 16;
    x.stride[1] = 1;
    trial_step(&trial, "neg", 1, &x);
    trial_run(&trial);
    const struct launch_result result = trial.result[0];
    trial_close(&trial);
    return result;
}

Test(vk_wide, rows_consist_of_whole_vectors)
{
    cr_expect_eq(of_rows(8).status, LAUNCH_OK);
    const struct launch_result result = of_rows(7);
    cr_expect_eq(result.status, LAUNCH_UNSUPPORTED);
    cr_expect_str_eq(result.message, "rows do not consist of whole vectors of 16 bytes");
}

Test(vk_wide, results_are_written_from_aligned_elements_on_alone)
{
    for (int64_t from = 0; from < 9; from++) {
        struct trial trial = trial_on("wide");
        const struct view x = filled(&trial, DTYPE_FLOAT16, 24);
        const struct shape shape = {.rank = 1, .dim = {40}};
        const struct view whole = program_output(trial.program, DTYPE_FLOAT16, &shape),
                          to = window(&whole, from, 24);
        trial_step(&trial, "neg", 1, &x)->output[0] = to;
        trial_run(&trial);
        cr_expect_eq(trial.result[0].status, from % 8 ? LAUNCH_UNSUPPORTED : LAUNCH_OK, "from %d", (int)from);
        trial_untouched(&trial, from % 8 ? &(struct view){.storage = -1} : &to);
        trial_close(&trial);
    }
}
