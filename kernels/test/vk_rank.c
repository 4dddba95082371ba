/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests tensors of seven and eight dimensions, which are folded to at most six for the kernels. */
#include "kernels/test/trial.h"

static const struct vk_device_parameters plain = {.no_disk_cache = true};

static struct shape eight(void)
{
    return shape_of(8, (int64_t)2, (int64_t)3, (int64_t)1, (int64_t)2, (int64_t)2, (int64_t)2, (int64_t)3,
                    (int64_t)2);
}

/* Small integers, another one in each of 31 elements. */
static void fill(struct trial *trial, const struct view *x)
{
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        program_set(trial->program, x, i, 0, (double)(i * 17 % 31) - 15);
    }
}

static double element(int64_t i)
{
    return (double)(i * 17 % 31) - 15;
}

/* Dimensions d and d + 1 exchanged in memory. */
static struct view turned(struct trial *trial, const struct shape *shape, int d)
{
    struct shape memory = *shape;
    memory.dim[d] = shape->dim[d + 1];
    memory.dim[d + 1] = shape->dim[d];
    struct view view = program_input(trial->program, DTYPE_FLOAT32, &memory);
    const int64_t stride = view.stride[d];
    view.shape = *shape;
    view.stride[d] = view.stride[d + 1];
    view.stride[d + 1] = stride;
    return view;
}

Test(vk_rank, element_by_element)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = eight();
    const struct view x[] = {program_input(trial.program, DTYPE_FLOAT32, &shape), turned(&trial, &shape, 6)};
    struct view y[2];
    for (int k = 0; k < 2; k++) {
        fill(&trial, &x[k]);
        y[k] = trial_step(&trial, "square", 1, &x[k])->output[0];
    }
    trial_run(&trial);
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(trial.result[k].status, LAUNCH_OK, "%s", trial.result[k].message);
        for (int64_t i = 0; i < shape_elements(&shape); i++) {
            cr_assert_eq(trial_value(&trial, &y[k], i, 0), element(i) * element(i), "%d of %d", (int)i, k);
        }
    }
    trial_close(&trial);
}

/* So many elements that what lies in one line has kernels of its own: all operands, some, none. */
Test(vk_rank, many_elements_of_one_line_and_of_several)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(2, (int64_t)513, (int64_t)512);
    const struct view line = program_input(trial.program, DTYPE_FLOAT32, &shape),
                      columns = turned(&trial, &shape, 0);
    struct view second = program_input(trial.program, DTYPE_FLOAT32, &(struct shape){2, {513, 1024}});
    second.shape = shape;
    second.stride[1] = 2; /* every second one: a line, too */
    const struct view *const given[] = {&line, &columns, &second};
    for (int k = 0; k < 3; k++) {
        fill(&trial, given[k]);
    }
    const struct view pairs[][2] = {{line, columns}, {columns, line}, {line, second}, {columns, columns}};
    struct view y[4];
    for (int k = 0; k < 4; k++) {
        y[k] = trial_step(&trial, "sub", 2, pairs[k])->output[0];
    }
    trial_run(&trial);
    for (int k = 0; k < 4; k++) {
        cr_assert_eq(trial.result[k].status, LAUNCH_OK, "%s", trial.result[k].message);
        for (int64_t i = 0; i < shape_elements(&shape); i++) {
            cr_assert_eq(trial_value(&trial, &y[k], i, 0), 0, "%d of %d", (int)i, k);
        }
    }
    trial_close(&trial);
}

/* other spread over a self that is written in place. */
Test(vk_rank, broadcast)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = eight(), row = shape_of(2, (int64_t)3, (int64_t)1);
    const struct view operand[] = {program_input(trial.program, DTYPE_FLOAT32, &shape),
                                   program_input(trial.program, DTYPE_FLOAT32, &row)};
    fill(&trial, &operand[0]);
    fill(&trial, &operand[1]);
    trial_step(&trial, "add_", 2, operand);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        cr_assert_eq(trial_value(&trial, &operand[0], i, 0), element(i) + element(i / 2 % 3), "%d", (int)i);
    }
    trial_close(&trial);
}

/* Every second dimension exchanged with the next: nothing joins. */
Test(vk_rank, what_strides_do_not_join_is_unsupported)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(8, (int64_t)2, (int64_t)2, (int64_t)2, (int64_t)2, (int64_t)2,
                                        (int64_t)2, (int64_t)2, (int64_t)2);
    struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
    for (int d = 0; d < 4; d++) {
        const int64_t stride = x.stride[d];
        x.stride[d] = x.stride[7 - d];
        x.stride[7 - d] = stride;
    }
    trial_step(&trial, "sgn", 1, &x);
    trial_run(&trial);
    cr_expect_eq(trial.result[0].status, LAUNCH_UNSUPPORTED);
    cr_expect_str_eq(trial.result[0].message,
                     "8 dimensions, 8 where strides let them be joined: kernels take 6");
    trial_close(&trial);
}

/* Σ|x| over dimensions 3 and 4, and over all but those. */
static void sums(const int64_t reduced[], int count)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = eight();
    const struct view x = turned(&trial, &shape, 0);
    fill(&trial, &x);
    struct attributes attributes = {.count = 2,
                                    .item = {{.name = "ord", .type = ATTRIBUTE_REAL, .real = 1},
                                             {.name = "dim", .type = ATTRIBUTE_INTEGERS}}};
    bool taken[8] = {false};
    for (int k = 0; k < count; k++) {
        attributes.item[1].integers.item[attributes.item[1].integers.count++] = reduced[k];
        taken[reduced[k]] = true;
    }
    const struct step *step = program_step(trial.program, op_find("vector_norm"), &attributes, 1, &x);
    const struct view y = step->output[0];
    double wanted[144] = {0};
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        int64_t rest = i, at = 0, scale = 1;
        for (int d = 7; d >= 0; d--) {
            at += taken[d] ? 0 : rest % shape.dim[d] * scale;
            scale *= taken[d] ? 1 : shape.dim[d];
            rest /= shape.dim[d];
        }
        wanted[at] += fabs(element(i));
    }
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    for (int64_t i = 0; i < shape_elements(&y.shape); i++) {
        cr_assert_eq(trial_value(&trial, &y, i, 0), wanted[i], "%d", (int)i);
    }
    trial_close(&trial);
}

Test(vk_rank, reductions_keep_what_they_reduce_apart)
{
    sums((int64_t[]){3, 4}, 2);
    sums((int64_t[]){0, 1, 2, 5, 6, 7}, 6);
    sums((int64_t[]){7}, 1);
}

/* A batch of six dimensions of 2×2 matrices: [[1, b], [0, b + 2]], determinant b + 2; their greatest row
 * sums. */
Test(vk_rank, matrices_stay_matrices)
{
    struct trial trial = trial_open(&plain);
    const struct shape shape = shape_of(8, (int64_t)2, (int64_t)1, (int64_t)3, (int64_t)2, (int64_t)2,
                                        (int64_t)1, (int64_t)2, (int64_t)2);
    const struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
    for (int64_t b = 0; b < 24; b++) {
        program_set(trial.program, &x, 4 * b, 0, 1);
        program_set(trial.program, &x, 4 * b + 1, 0, (double)b);
        program_set(trial.program, &x, 4 * b + 3, 0, (double)(b + 2));
    }
    const struct view logabs = trial_step(&trial, "slogdet", 1, &x)->output[1];
    struct attributes rows = {.count = 1,
                              .item = {{.name = "ord", .type = ATTRIBUTE_REAL, .real = INFINITY}}};
    const struct view norm = program_step(trial.program, op_find("matrix_norm"), &rows, 1, &x)->output[0];
    const struct view exponential = trial_step(&trial, "matrix_exp", 1, &x)->output[0];
    trial_run(&trial);
    for (int s = 0; s < 3; s++) {
        cr_assert_eq(trial.result[s].status, LAUNCH_OK, "%s", trial.result[s].message);
    }
    for (int64_t b = 0; b < 24; b++) {
        cr_expect_float_eq(trial_value(&trial, &logabs, b, 0), log((double)(b + 2)), 1e-5, "%d", (int)b);
        cr_expect_eq(trial_value(&trial, &norm, b, 0), (double)(b + 2), "%d", (int)b);
        const double corner = trial_value(&trial, &exponential, 4 * b + 3, 0);
        cr_expect(fabs(corner / exp((double)(b + 2)) - 1) < 1e-3, "%d: %g", (int)b, corner);
        cr_expect_eq(trial_value(&trial, &exponential, 4 * b + 2, 0), 0, "%d", (int)b);
    }
    trial_close(&trial);
}

/* [2, 1, 3, 1, 2, 1, 2, 3] · [1, 2, 1, 2, 1, 1, 3, 2]: no two batches of the same numbers. */
Test(vk_rank, products_of_batches_that_are_spread)
{
    struct trial trial = trial_open(&plain);
    const struct shape left = shape_of(8, (int64_t)2, (int64_t)3, (int64_t)1, (int64_t)1, (int64_t)2,
                                       (int64_t)1, (int64_t)2, (int64_t)3),
                       right = shape_of(8, (int64_t)1, (int64_t)1, (int64_t)2, (int64_t)2, (int64_t)2,
                                        (int64_t)1, (int64_t)3, (int64_t)2);
    const struct view operand[] = {program_input(trial.program, DTYPE_FLOAT32, &left),
                                   program_input(trial.program, DTYPE_FLOAT32, &right)};
    fill(&trial, &operand[0]);
    fill(&trial, &operand[1]);
    const struct view y = trial_step(&trial, "matmul", 2, operand)->output[0];
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK, "%s", trial.result[0].message);
    cr_assert_eq(shape_elements(&y.shape), 2 * 3 * 2 * 2 * 2 * 4);
    for (int64_t i = 0; i < shape_elements(&y.shape); i++) {
        int64_t batch = i / 4, last = batch % 2, middle = batch / 2 % 4, first = batch / 8;
        double sum = 0;
        for (int64_t k = 0; k < 3; k++) {
            sum += element((first * 2 + last) * 6 + i / 2 % 2 * 3 + k) *
                   element((middle * 2 + last) * 6 + k * 2 + i % 2);
        }
        cr_assert_eq(trial_value(&trial, &y, i, 0), sum, "%d", (int)i);
    }
    trial_close(&trial);
}
