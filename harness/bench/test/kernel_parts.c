/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the parts of `assay bench kernels --sizes`: its rows and operands, and the comparison in norm. */

#include "harness/bench/kernel_compare.h"
#include "harness/bench/kernel_rows.h"
#include "harness/bench/kernel_worker.h"

#include <criterion/criterion.h>
#include <math.h>
#include <sched.h>
#include <string.h>

TestSuite(kernel_parts, .timeout = 120);

static double product(const struct kernel_row *row)
{
    double product = 1;
    for (int d = 0; d < KERNEL_SIZES && row->size[d] > 0; d++) {
        product *= (double)row->size[d];
    }
    return product;
}

Test(kernel_parts, rows_have_names_of_their_own_that_fit_the_table)
{
    char name[KERNEL_NAME], other[KERNEL_NAME];
    for (int r = 0; r < kernel_rows(); r++) {
        const struct kernel_row row = kernel_row(r, 1);
        kernel_row_name(&row, name);
        cr_expect_leq(strlen(name), 38, "%s", name);
        for (int q = 0; q < r; q++) {
            const struct kernel_row earlier = kernel_row(q, 1);
            kernel_row_name(&earlier, other);
            cr_expect_str_neq(name, other);
        }
    }
}

Test(kernel_parts, scale_divides_the_product_of_the_sizes)
{
    for (int r = 0; r < kernel_rows(); r++) {
        const struct kernel_row row = kernel_row(r, 1), smaller = kernel_row(r, 16),
                                least = kernel_row(r, 1 << 28);
        const double ratio = product(&row) / product(&smaller);
        const bool is_least = product(&smaller) < 2 * KERNEL_LEAST;
        cr_expect(is_least ? ratio > 4 : fabs(ratio - 16) < 1.5, "%s: %g", row.op, ratio);
        for (int d = 0; d < KERNEL_SIZES && row.size[d] > 0; d++) {
            cr_expect_geq(least.size[d], row.size[d] < KERNEL_LEAST ? row.size[d] : KERNEL_LEAST);
            cr_expect_lt(least.size[d], 2 * KERNEL_LEAST + 1, "%s", row.op);
        }
    }
}

Test(kernel_parts, bytes_are_known_before_they_are_allocated)
{
    for (int r = 0; r < kernel_rows(); r++) {
        struct error error;
        const struct kernel_row row = kernel_row(r, 1 << 16);
        struct program *program = kernel_row_build(&row, 1, &error);
        cr_assert(program, "%s: %s", row.op, error.text);
        cr_expect_eq(kernel_row_bytes(&row), kernel_program_bytes(program), "%s: %lld, %lld", row.op,
                     (long long)kernel_row_bytes(&row), (long long)kernel_program_bytes(program));
        program_destroy(&program);
    }
}

static double element(const struct program *program, int input, int64_t i)
{
    const struct view *view = &program->step[0].input[input];
    return dtype_load(view->dtype,
                      program->storage[view->storage].data + (size_t)i * dtype_info(view->dtype)->size);
}

static struct kernel_row row_of(const char *op, enum dtype dtype, int64_t scale)
{
    for (int r = 0; r < kernel_rows(); r++) {
        const struct kernel_row row = kernel_row(r, scale);
        if (strcmp(row.op, op) == 0 && row.dtype == dtype) {
            return row;
        }
    }
    cr_assert(false, "no row of %s", op);
    return (struct kernel_row){.op = op};
}

static struct program *built(const char *op, enum dtype dtype, int64_t scale, uint64_t seed)
{
    struct error error;
    const struct kernel_row row = row_of(op, dtype, scale);
    struct program *program = kernel_row_build(&row, seed, &error);
    cr_assert(program, "%s", error.text);
    return program;
}

Test(kernel_parts, numbers_are_uniform_and_those_of_the_seed)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        struct program *program = built("matmul", dtypes[d], 4096, 1),
                       *same = built("matmul", dtypes[d], 4096, 1),
                       *other = built("matmul", dtypes[d], 4096, 2);
        const int64_t count = shape_elements(&program->step[0].input[0].shape);
        double sum = 0, squares = 0, most = 0;
        int64_t equal = 0;
        for (int64_t i = 0; i < count; i++) {
            const double x = element(program, 0, i);
            sum += x;
            squares += x * x;
            most = fmax(most, fabs(x));
            equal += x == element(other, 0, i);
            cr_assert(x != 0 && x == element(same, 0, i));
        }
        const double n = (double)count;
        cr_expect_float_eq(sum / n, 0, 5 * sqrt(1 / (3 * n)), "dtype %d: mean %g of %g", d, sum / n, n);
        cr_expect_float_eq(squares / n, 1.0 / 3, 5 * sqrt(4 / (45 * n)), "dtype %d: %g", d, squares / n);
        cr_expect(most > 0.9 && most <= 1, "dtype %d: %g", d, most);
        cr_expect_lt(equal, count / 16, "dtype %d", d);
        program_destroy(&program);
        program_destroy(&same);
        program_destroy(&other);
    }
}

/* Operands of several parts, filled and compared by one thread and by all. */
Test(kernel_parts, the_number_of_threads_changes_no_operand_and_no_difference)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_FLOAT32};
    for (int d = 0; d < 2; d++) {
        struct program *one[2], *all[2];
        cpu_set_t before, single;
        cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
        CPU_ZERO(&single);
        CPU_SET((size_t)sched_getcpu(), &single);
        double difference[2];
        for (int k = 0; k < 2; k++) {
            all[k] = built("add", dtypes[d], 256, (uint64_t)k);
        }
        const struct storage *x = &all[0]->storage[0], *y = &all[1]->storage[0];
        const int64_t count = shape_elements(&all[0]->step[0].input[0].shape);
        cr_assert_geq(count, 1 << 20);
        difference[0] = kernel_difference(dtypes[d], count, x->data, y->data);
        cr_assert_eq(sched_setaffinity(0, sizeof single, &single), 0);
        for (int k = 0; k < 2; k++) {
            one[k] = built("add", dtypes[d], 256, (uint64_t)k);
            cr_expect_eq(memcmp(one[k]->storage[0].data, all[k]->storage[0].data, x->bytes), 0);
        }
        difference[1] = kernel_difference(dtypes[d], count, x->data, y->data);
        cr_assert_eq(sched_setaffinity(0, sizeof before, &before), 0);
        cr_expect_eq(difference[0], difference[1]);
        cr_expect_float_eq(difference[0], sqrt(2), 1e-2, "independent operands");
        cr_expect_neq(memcmp(x->data, x->data + x->bytes / 2, x->bytes / 2), 0, "parts repeat");
        for (int k = 0; k < 2; k++) {
            program_destroy(&one[k]);
            program_destroy(&all[k]);
        }
    }
}

Test(kernel_parts, operands_are_what_the_operators_need)
{
    struct program *program = built("csr_mm", DTYPE_FLOAT32, 4096, 1);
    const struct shape starts = program->step[0].input[0].shape, columns = program->step[0].input[1].shape;
    const int64_t rows = starts.dim[0] - 1, entries = columns.dim[0];
    cr_assert_eq(element(program, 0, rows), (double)entries);
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t i = (int64_t)element(program, 0, r); i < (int64_t)element(program, 0, r + 1); i++) {
            cr_assert(element(program, 1, i) >= 0 && element(program, 1, i) < (double)rows);
            cr_assert(i == (int64_t)element(program, 0, r) ||
                      element(program, 1, i) > element(program, 1, i - 1));
        }
    }
    program_destroy(&program);
    program = built("argmax", DTYPE_FLOAT32, 4096, 1);
    const struct shape shape = program->step[0].input[0].shape;
    for (int64_t r = 0; r < shape.dim[0]; r++) {
        int peaks = 0;
        for (int64_t c = 0; c < shape.dim[1]; c++) {
            peaks += element(program, 0, r * shape.dim[1] + c) >= 1;
        }
        cr_assert_eq(peaks, 1);
    }
    program_destroy(&program);
    program = built("logdet", DTYPE_FLOAT32, 4, 1); /* symmetric, with a dominant diagonal on average */
    const int64_t n = program->step[0].input[0].shape.dim[0];
    for (int64_t i = 0; i < n; i++) {
        cr_assert_gt(element(program, 0, i * n + i), 0.125);
        for (int64_t j = 0; j < i; j++) {
            cr_assert_eq(element(program, 0, i * n + j), element(program, 0, j * n + i));
        }
    }
    program_destroy(&program);
}

Test(kernel_parts, difference_is_the_relative_2_norm)
{
    const float a[] = {3, 4.5F, 0, INFINITY, NAN}, b[] = {3, 4, 0, INFINITY, NAN};
    cr_expect_float_eq(kernel_difference(DTYPE_FLOAT32, 5, a, b), 0.1, 1e-15);
    cr_expect_eq(kernel_difference(DTYPE_FLOAT32, 5, b, b), 0);
    const float nan[] = {3, NAN}, infinite[] = {3, INFINITY}, minus[] = {3, -INFINITY}, finite[] = {3, 4};
    cr_expect_eq(kernel_difference(DTYPE_FLOAT32, 2, nan, finite), INFINITY);
    cr_expect_eq(kernel_difference(DTYPE_FLOAT32, 2, finite, nan), INFINITY);
    cr_expect_eq(kernel_difference(DTYPE_FLOAT32, 2, finite, infinite), INFINITY);
    cr_expect_eq(kernel_difference(DTYPE_FLOAT32, 2, minus, infinite), INFINITY);
    const float zero[] = {0, 0}, small[] = {1e-30F, 0};
    cr_expect_eq(kernel_difference(DTYPE_FLOAT32, 2, zero, zero), 0);
    cr_expect_eq(kernel_difference(DTYPE_FLOAT32, 2, small, zero), INFINITY);
    cr_expect_eq(kernel_difference(DTYPE_FLOAT32, 2, zero, small), 1);
    cr_expect_eq(kernel_difference(DTYPE_FLOAT32, 0, zero, zero), 0);
}

Test(kernel_parts, integers_must_be_equal_in_every_digit)
{
    const int64_t a[] = {INT64_MAX, -5}, b[] = {INT64_MAX - 1, -5};
    cr_expect_eq(kernel_difference(DTYPE_INT64, 2, a, a), 0);
    cr_expect_gt(kernel_difference(DTYPE_INT64, 2, a, b), 0, "a double cannot tell these numbers apart");
    cr_expect_eq(kernel_difference_limit(DTYPE_INT64), 0);
    cr_expect(!kernel_is_near(kernel_difference(DTYPE_INT64, 2, a, b), kernel_difference_limit(DTYPE_INT64)));
    cr_expect(!kernel_is_near(NAN, 1) && !kernel_is_near(INFINITY, 1) && kernel_is_near(0, 0));
}

/* The limits lie above the differences of right results and below that of operands rounded to TF32. */
Test(kernel_parts, limits_are_those_of_the_help)
{
    cr_expect_eq(kernel_difference_limit(DTYPE_FLOAT64), 1e-10);
    cr_expect_eq(kernel_difference_limit(DTYPE_FLOAT32), 1e-4);
    cr_expect_eq(kernel_difference_limit(DTYPE_COMPLEX64), 1e-4);
    cr_expect_eq(kernel_difference_limit(DTYPE_FLOAT16), 4e-3);
    cr_expect_eq(kernel_difference_limit(DTYPE_BFLOAT16), 3e-2);
}

Test(kernel_parts, tf32_in_a_float32_product_is_a_difference)
{
    enum { N = 64, K = 256 };
    struct program *program = built("matmul", DTYPE_FLOAT32, 256, 1);
    static float exact[N], rounded[N];
    const int64_t n = program->step[0].input[1].shape.dim[1];
    const int64_t k = program->step[0].input[1].shape.dim[0];
    for (int64_t j = 0; j < N && j < n; j++) {
        double sum = 0, coarse = 0;
        for (int64_t i = 0; i < k; i++) {
            const double a = element(program, 0, i), b = element(program, 1, i * n + j);
            sum += a * b;
            coarse += dtype_significant(a, 11, false) * dtype_significant(b, 11, false);
        }
        exact[j] = (float)sum;
        rounded[j] = (float)coarse;
    }
    const double apart = kernel_difference(DTYPE_FLOAT32, n < N ? n : N, rounded, exact);
    cr_expect(!kernel_is_near(apart, kernel_difference_limit(DTYPE_FLOAT32)), "%g", apart);
    cr_expect_lt(apart, 1e-2, "%g", apart);
    program_destroy(&program);
}

Test(kernel_parts, rows_beyond_the_memory_are_refused_with_both_numbers)
{
    struct kernel_measured measured = {.status = STEP_OK};
    const int64_t mebibyte = 1 << 20;
    cr_expect(kernel_fits(mebibyte, 0, 0, &measured) && measured.status == STEP_OK);
    cr_expect(kernel_fits(9 * mebibyte, 10 * 1048576, 27 * mebibyte, &measured));
    cr_expect(!kernel_fits(10 * mebibyte, 10 * 1048576, 0, &measured));
    cr_expect_eq(measured.status, STEP_OUT_OF_MEMORY);
    cr_expect_str_eq(measured.message,
                     "needs 10 MiB of the device's memory, of which 9 MiB may be used; see --scale");
    cr_expect(!kernel_fits(10 * mebibyte, 0, 29 * mebibyte, &measured));
    cr_expect_str_eq(measured.message,
                     "needs 30 MiB of this machine's memory, of which 29 MiB are free; see --scale");
}
