/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Which convolutions a declaration of Winograd's algorithm concerns, and what special values and exact
 * integers then give. */

#include "reference/ops/convolution/convolution_winograd.h"
#include "reference/program/program.h"
#include "reference/test/support.h"

static const struct operator_algorithm declared[] = {
    {"conv1d", 0, 2},          {"conv2d", 0, 2}, {"conv3d", 0, 2}, {"conv_transpose2d", 0, 4},
    {"conv2d_backward", 0, 4}, {"matmul", 0, 2}, {NULL, 0, 0}};

static struct attribute number(const char *name, int64_t x)
{
    return (struct attribute){
        .name = name, .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {x}}};
}

/* Returns the tile that program_adapt gives a convolution of 8 positions a side with this kernel; 0: none. */
static int64_t tile_of(const char *name, int rank, int64_t kernel, int64_t stride, int64_t dilation)
{
    struct program *program = program_create();
    struct attributes attributes = {.count = 2,
                                    .item = {number("stride", stride), number("dilation", dilation)}};
    const bool gradient = strstr(name, "backward") != NULL;
    struct shape x = {.rank = rank + 2, .dim = {1, 2}}, w = {.rank = rank + 2, .dim = {2, 2}}, y = x;
    for (int i = 0; i < rank; i++) {
        x.dim[i + 2] = 8;
        w.dim[i + 2] = kernel;
        y.dim[i + 2] = (8 - dilation * (kernel - 1) - 1) / stride + 1;
    }
    struct view input[3] = {program_input(program, DTYPE_FLOAT32, gradient ? &y : &x),
                            program_input(program, DTYPE_FLOAT32, gradient ? &x : &w),
                            program_input(program, DTYPE_FLOAT32, &w)};
    struct step *step = program_step(program, op_find(name), &attributes, gradient ? 3 : 2, input);
    cr_assert_eq(step->expect, EXPECT_VALUE);
    struct profile profile = profile_ieee();
    program_adapt(program, &profile);
    cr_expect_eq(step->attributes.count, 2, "nothing is declared");
    profile.algorithms = declared;
    program_adapt(program, &profile);
    const struct attribute *last = &step->attributes.item[step->attributes.count - 1];
    const bool given = step->attributes.count == 3;
    cr_expect(!given || (last->assumed && strcmp(last->name, "winograd") == 0));
    const int64_t tile = given ? last->integer : 0;
    program_destroy(&program);
    return tile;
}

Test(declared_winograd_limits, kernels_of_3_by_3_with_stride_and_dilation_1)
{
    cr_expect_eq(tile_of("conv2d", 2, 3, 1, 1), 2);
    cr_expect_eq(tile_of("conv_transpose2d", 2, 3, 1, 1), 4);
    cr_expect_eq(tile_of("conv2d_backward", 2, 3, 1, 1), 4);
    cr_expect_eq(tile_of("conv_transpose2d_backward", 2, 1, 1, 1), 0);
    cr_expect_eq(tile_of("conv2d", 2, 5, 1, 1), 0);
    cr_expect_eq(tile_of("conv2d", 2, 3, 2, 1), 0);
    cr_expect_eq(tile_of("conv2d", 2, 3, 1, 2), 0);
    cr_expect_eq(tile_of("conv1d", 1, 3, 1, 1), 0);
    cr_expect_eq(tile_of("conv3d", 3, 3, 1, 1), 0);
}

enum { SIZE = 12, RESULT = SIZE - 2 };

/* The truth of a convolution of SIZE×SIZE by 3×3, with this tile (0: classical); ones but for `at`. */
static struct truth *truth_with(int tile, double value, int64_t at, double weight)
{
    double x[SIZE * SIZE], w[9];
    for (int k = 0; k < SIZE * SIZE; k++) {
        x[k] = k == at ? value : 1 + k % 5;
    }
    for (int k = 0; k < 9; k++) {
        w[k] = weight * (k + 1);
    }
    struct tensor input[] = {
        tensor_from(DTYPE_FLOAT32, shape_of(4, (int64_t)1, (int64_t)1, (int64_t)SIZE, (int64_t)SIZE), x),
        tensor_from(DTYPE_FLOAT32, shape_of(4, (int64_t)1, (int64_t)1, (int64_t)3, (int64_t)3), w)};
    struct attributes attributes = {.count = tile > 0};
    attributes.item[0] =
        (struct attribute){.name = "winograd", .type = ATTRIBUTE_INTEGER, .integer = tile, .assumed = true};
    struct truth *truth = truth_of_call("conv2d", &attributes, 2, input);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    return truth;
}

static struct accept accept_at(const struct truth *truth, int64_t row, int64_t column, bool exact)
{
    const struct profile profile = profile_ieee();
    return accept_of("conv2d", NULL, &profile, truth, 0, row * RESULT + column, exact);
}

/* The infinity at (5, 5) lies in the windows of rows and columns 3 to 5. A tile of 4×4 elements that holds it
 * has results in rows 2 to 6, one of 6×6 in rows 0 to 8. */
Test(declared_winograd_limits, a_special_value_may_reach_every_result_of_its_tile)
{
    for (int tile = 0; tile <= 4; tile += 2) {
        struct truth *truth = truth_with(tile, INFINITY, 5 * SIZE + 5, 1);
        for (int64_t k = 0; k < RESULT * RESULT; k++) {
            const int64_t row = k / RESULT, column = k % RESULT;
            const struct accept accept = accept_at(truth, row, column, false);
            const bool inside = row >= 3 && row <= 5 && column >= 3 && column <= 5;
            const double finite = value_approximately(&truth->output[0].value[k]);
            cr_expect_eq(accepts_double(&accept, INFINITY) && accepts_double(&accept, NAN),
                         tile > 0 && accepts_double(&accept, NAN), "tile %d, %d", tile, (int)k);
            cr_expect(!inside || accepts_double(&accept, INFINITY), "tile %d, %d", tile, (int)k);
            cr_expect(inside || accepts_double(&accept, finite), "tile %d, %d", tile, (int)k);
            cr_expect_not(inside && tile == 0 && accepts_double(&accept, NAN));
            const int64_t reach = tile == 2 ? 1 : 3;
            const bool near = tile > 0 && row >= 3 - reach && row <= 5 + reach && column >= 3 - reach &&
                              column <= 5 + reach;
            cr_expect(near || !accepts_double(&accept, NAN), "tile %d, %d", tile, (int)k);
            cr_expect_not(!inside && accepts_double(&accept, finite * 1.01), "tile %d, %d", tile, (int)k);
            cr_expect(!(tile > 0 && inside) || accepts_double(&accept, NAN), "tile %d, %d", tile, (int)k);
        }
        truth_destroy(&truth);
    }
}

/* The sums of products stay far below the greatest float32, the sums of a tile do not. */
Test(declared_winograd_limits, intermediates_may_overflow)
{
    for (int tile = 0; tile <= 4; tile += 2) {
        struct truth *truth = truth_with(tile, 0x1p122, 5 * SIZE + 5, 1);
        const struct accept accept = accept_at(truth, 4, 4, false);
        cr_expect_eq(accepts_double(&accept, NAN), tile == 4, "tile %d", tile);
        truth_destroy(&truth);
    }
}

/* F(2×2, 3×3) halves integers, which rounds nothing; F(4×4, 3×3) divides by 6. */
Test(declared_winograd_limits, small_integers_are_exact_with_tiles_of_2)
{
    for (int tile = 0; tile <= 4; tile += 2) {
        struct truth *truth = truth_with(tile, 3, 0, 1);
        const double exact = value_approximately(&truth->output[0].value[4 * RESULT + 4]);
        const struct accept accept = accept_at(truth, 4, 4, true);
        cr_expect(accepts_double(&accept, exact));
        cr_expect_eq(accepts_double(&accept, exact * (1 + 0x1p-23)), tile == 4, "tile %d", tile);
        truth_destroy(&truth);
    }
}

/* Weights of 0 leave no rounding. */
Test(declared_winograd_limits, zeros_are_exact)
{
    for (int tile = 0; tile <= 4; tile += 2) {
        struct truth *truth = truth_with(tile, 3, 0, 0);
        const struct accept accept = accept_at(truth, 4, 4, false);
        cr_expect(accepts_double(&accept, 0) && !accepts_double(&accept, 0x1p-100), "tile %d", tile);
        truth_destroy(&truth);
    }
}

/* The digest of a call, by which truths are cached, contains what the profile declares. */
Test(declared_winograd_limits, the_digest_of_a_call_contains_the_declaration)
{
    double x[9] = {1}, w[9] = {1};
    struct tensor input[] = {
        tensor_from(DTYPE_FLOAT32, shape_of(4, (int64_t)1, (int64_t)1, (int64_t)3, (int64_t)3), x),
        tensor_from(DTYPE_FLOAT32, shape_of(4, (int64_t)1, (int64_t)1, (int64_t)3, (int64_t)3), w)};
    char hex[3][33];
    for (int k = 0; k < 3; k++) {
        struct attributes attributes = {.count = k > 0};
        attributes.item[0] = (struct attribute){
            .name = "winograd", .type = ATTRIBUTE_INTEGER, .integer = 2 * k, .assumed = true};
        struct op_call call = {
            .op = op_find("conv2d"), .attributes = &attributes, .inputs = 2, .input = input};
        call_digest(&call, hex[k]);
    }
    cr_expect(strcmp(hex[0], hex[1]) != 0 && strcmp(hex[1], hex[2]) != 0);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}
