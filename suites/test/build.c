/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/build.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static bool refuse_all(const struct op *op, const struct op_operands *operands,
                       struct op_signature *signature, struct error *reason)
{
    (void)operands;
    (void)signature;
    return error_set(reason, "%s: no", op->name);
}

static const struct op refusing = {.family = "test", .name = "refusing", .signature = refuse_all};

static struct builder start(enum dtype dtype, struct suite_case *c, struct error *error)
{
    *c = (struct suite_case){
        .op = &refusing, .dtype = dtype, .name = "build", .file = __FILE__, .line = __LINE__};
    return builder_of(c, 1, program_create(), error);
}

/* Returns the number of elements that a view of that shape and layout stores. */
static int64_t stored(enum layout layout, const struct shape *shape)
{
    int64_t last = shape->rank ? shape->dim[shape->rank - 1] : 1;
    return layout == LAYOUT_EXPANDED ? 1 : layout == LAYOUT_EXPANDED_ROWS ? last : shape_elements(shape);
}

/* Every layout, for ranks 0 to 4: in bounds, no element twice unless the layout repeats, all elements
 * defined, and gaps as the layout has them. */
Test(build, layouts)
{
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        for (int rank = 0; rank <= 4; rank++) {
            struct suite_case c;
            struct error error = {.text = ""};
            struct builder b = start(DTYPE_FLOAT16, &c, &error);
            struct shape shape = {.rank = rank, .dim = {3, 4, 5, 2}};
            struct view view = build_tensor(&b, DTYPE_FLOAT16, &shape, (enum layout)layout);
            const struct storage *storage = &b.program->storage[view.storage];
            cr_expect(view_in_bounds(&view, storage->bytes), "%s, rank %d", layout_name((enum layout)layout),
                      rank);
            bool repeats = stored((enum layout)layout, &shape) < shape_elements(&shape);
            cr_expect_eq(view_overlaps_itself(&view), repeats, "%s, rank %d",
                         layout_name((enum layout)layout), rank);
            cr_expect(!repeats || layout_repeats((enum layout)layout));
            int64_t defined = 0;
            for (size_t at = 0; at < storage->bytes; at++) {
                defined += storage_defined(storage, at);
            }
            cr_expect_eq(defined, 2 * stored((enum layout)layout, &shape), "%s, rank %d",
                         layout_name((enum layout)layout), rank);
            cr_expect(layout == LAYOUT_CONTIGUOUS || (int64_t)storage->bytes > defined);
            cr_expect(build_done(&b));
            program_destroy(&b.program);
        }
    }
}

/* Strides for [2, 3, 4, 5]: those of attention's x.transpose(1, 2), a far offset, one element, one row. */
Test(build, strides_of_layouts)
{
    static const struct {
        enum layout layout;
        int64_t stride[4], offset;
    } rows[] = {{LAYOUT_HEADS, {60, 5, 15, 1}, 0},
                {LAYOUT_FAR, {60, 20, 5, 1}, 4099},
                {LAYOUT_EXPANDED, {0, 0, 0, 0}, 0},
                {LAYOUT_EXPANDED_ROWS, {0, 0, 0, 1}, 0}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct suite_case c;
        struct error error = {.text = ""};
        struct builder b = start(DTYPE_FLOAT32, &c, &error);
        struct shape shape = {.rank = 4, .dim = {2, 3, 4, 5}};
        struct view view = build_tensor(&b, DTYPE_FLOAT32, &shape, rows[r].layout);
        cr_expect_arr_eq(view.stride, rows[r].stride, sizeof rows[r].stride, "%s",
                         layout_name(rows[r].layout));
        cr_expect_eq(view.offset, rows[r].offset);
        program_destroy(&b.program);
    }
}

Test(build, views)
{
    struct suite_case c;
    struct error error = {.text = ""};
    struct builder b = start(DTYPE_INT32, &c, &error);
    struct shape shape = shape_of(2, (int64_t)4, (int64_t)6);
    struct view x = build_tensor(&b, DTYPE_INT32, &shape, LAYOUT_CONTIGUOUS);
    struct view t = view_transposed(&x), row = view_at(&x, 2), even = view_window(&row, 1, 3, 2);
    cr_expect_eq(t.shape.dim[0], 6);
    cr_expect_eq(view_element(&t, 1), 6);
    cr_expect_eq(row.shape.rank, 1);
    cr_expect_eq(view_element(&row, 5), 17);
    cr_expect_eq(view_element(&even, 2), 17);
    program_destroy(&b.program);
}

Test(build, a_wrong_expectation_is_a_fault_of_the_suite)
{
    struct suite_case c;
    struct error error = {.text = ""};
    struct builder b = start(DTYPE_FLOAT32, &c, &error);
    struct view x = build_vector(&b, DTYPE_FLOAT32, 3);
    build_rejection(&b, &refusing, NULL, 1, &x);
    cr_expect(build_done(&b));
    cr_expect_null(build_step(&b, &refusing, NULL, 1, &x));
    cr_expect_not(build_done(&b));
    cr_expect(strstr(error.text, "rejects what it should accept") && strstr(error.text, "build.c:"), "%s",
              error.text);
    program_destroy(&b.program);
}

Test(build, special_values)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int d = 0; d < 4; d++) {
        uint64_t bits[SPECIALS_MAX];
        int count = special_bits(dtypes[d], bits), nans = 0, infinities = 0, subnormals = 0, ones = 0;
        for (int i = 0; i < count; i++) {
            unsigned char bytes[8];
            dtype_store_bits(dtypes[d], bytes, bits[i]);
            double x = dtype_load(dtypes[d], bytes);
            nans += isnan(x);
            infinities += isinf(x) != 0;
            subnormals += dtype_is_subnormal(dtypes[d], bytes);
            ones += fabs(x) == 1;
            for (int k = 0; k < i; k++) {
                cr_expect_neq(bits[k], bits[i]);
            }
        }
        cr_expect_eq(nans, 10);
        cr_expect_eq(infinities, 2);
        cr_expect_eq(subnormals, 6);
        cr_expect_eq(ones, 2);
    }
}

Test(build, steps_behind_build_observed_are_observed_and_checked)
{
    struct suite_case c;
    struct error error = {.text = ""};
    struct builder b = start(DTYPE_FLOAT32, &c, &error);
    const struct view x = build_vector(&b, DTYPE_FLOAT32, 8), y = build_unary(&b, op_find("exp"), &x);
    build_observed(&b);
    const struct view z = build_unary(&b, op_find("tanh"), &y);
    cr_expect(!b.program->step[0].observed && b.program->step[1].observed && build_done(&b), "%s",
              error.text);
    build_step(&b, op_find("copy_"), NULL, 2, (struct view[]){y, z});
    cr_expect_not(build_done(&b));
    cr_expect(strstr(error.text, "step 3 of 3, copy_ overwrites what step 2 of 3, tanh was judged from"),
              "%s", error.text);
    program_destroy(&b.program);
}
