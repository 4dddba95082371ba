/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/program/program.h"
#include "reference/test/support.h"

static struct view strided(int storage, int64_t offset, int rank, const int64_t *dim, const int64_t *stride)
{
    struct view view = {
        .storage = storage, .dtype = DTYPE_FLOAT32, .shape = {.rank = rank}, .offset = offset};
    for (int d = 0; d < rank; d++) {
        view.shape.dim[d] = dim[d];
        view.stride[d] = stride[d];
    }
    return view;
}

Test(tensor, transposed_gather_and_scatter)
{
    float storage[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct view t = strided(0, 1, 2, (int64_t[]){3, 2}, (int64_t[]){1, 3});
    struct tensor tensor;
    cr_assert(tensor_gather(&tensor, &t, (unsigned char *)storage));
    float expect[6] = {1, 4, 2, 5, 3, 6};
    cr_assert_arr_eq(tensor.data, expect, sizeof expect);
    float back[8] = {0};
    tensor_scatter(&tensor, &t, (unsigned char *)back);
    float round[8] = {0, 1, 2, 3, 4, 5, 6, 0};
    cr_assert_arr_eq(back, round, sizeof round);
    tensor_destroy(&tensor);
}

/* What lies one behind the other is passed zero-copy, and not freed; anything else is a copy. */
Test(tensor, contiguous_views_are_zero_copy)
{
    float storage[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct view t = strided(0, 1, 2, (int64_t[]){3, 2}, (int64_t[]){1, 3}),
                rows = strided(0, 2, 2, (int64_t[]){2, 3}, (int64_t[]){3, 1}),
                none = strided(0, 0, 1, (int64_t[]){0}, (int64_t[]){1});
    struct tensor tensor;
    cr_assert(tensor_borrow(&tensor, &rows, (unsigned char *)storage));
    cr_expect(tensor.data == (unsigned char *)&storage[2]);
    cr_expect(shape_equal(&tensor.shape, &rows.shape) && tensor.dtype == DTYPE_FLOAT32);
    tensor_destroy(&tensor);
    cr_expect_null(tensor.data);
    cr_assert(tensor_borrow(&tensor, &t, (unsigned char *)storage));
    float expect[6] = {1, 4, 2, 5, 3, 6};
    cr_expect_arr_eq(tensor.data, expect, sizeof expect);
    tensor_destroy(&tensor);
    cr_assert(tensor_borrow(&tensor, &none, (unsigned char *)storage));
    cr_expect_null(tensor.data);
    tensor_destroy(&tensor);
}

Test(tensor, counts_that_do_not_fit_stay_too_large)
{
    const int64_t wide = (int64_t)1 << 32;
    struct shape square = shape_of(2, wide, wide), cube = shape_of(3, wide, wide, (int64_t)3),
                 hollow = shape_of(3, wide, (int64_t)0, wide), last = shape_of(3, wide, wide, (int64_t)0),
                 fits = shape_of(2, wide, (int64_t)1 << 28);
    cr_expect_eq(shape_elements(&square), INT64_MAX, "2^64 is 0 in 64 bits");
    cr_expect_eq(shape_elements(&cube), INT64_MAX);
    cr_expect_eq(shape_elements(&hollow), 0);
    cr_expect_eq(shape_elements(&last), 0);
    cr_expect_eq(shape_elements(&fits), (int64_t)1 << 60);
    cr_expect_eq(shape_bytes(&fits, DTYPE_FLOAT32), (int64_t)1 << 62);
    cr_expect_eq(shape_bytes(&fits, DTYPE_FLOAT64), INT64_MAX, "2^63");
    cr_expect_eq(shape_bytes(&fits, DTYPE_COMPLEX64), INT64_MAX);
    struct tensor tensor;
    struct truth_output output;
    cr_expect_not(tensor_create(&tensor, DTYPE_FLOAT32, &square));
    cr_expect_not(truth_output_create(&output, DTYPE_BOOL, &fits, 8, true), "2^60 elements, 2^66 bytes");
    cr_expect(tensor_create(&tensor, DTYPE_FLOAT32, &hollow));
    struct program *program = program_create();
    cr_assert(program);
    cr_expect_lt(program_input(program, DTYPE_FLOAT32, &square).storage, 0);
    cr_expect_lt(program_storage(program, SIZE_MAX), 0);
    program_destroy(&program);
}

/* An empty operand may make a result of any size. */
Test(tensor, outputs_that_cannot_be_counted_are_refused)
{
    const int64_t wide = (int64_t)1 << 40;
    const struct shape a = shape_of(2, wide, (int64_t)0), b = shape_of(2, (int64_t)0, wide);
    const struct view input[] = {view_contiguous(0, DTYPE_FLOAT32, &a),
                                 view_contiguous(1, DTYPE_FLOAT32, &b)};
    const struct op_operands operands = {.inputs = 2, .input = input};
    struct op_signature signature = {.outputs = 0};
    struct error error = {.text = ""};
    cr_expect_not(op_signature(op_find("matmul"), &operands, &signature, &error));
    cr_expect(strstr(error.text, "more than 2^63 bytes"), "%s", error.text);
}

Test(tensor, a_view_overlaps_itself_only_when_two_indices_meet)
{
    struct view expanded = strided(0, 0, 2, (int64_t[]){2, 3}, (int64_t[]){0, 1});
    struct view windows = strided(0, 0, 2, (int64_t[]){3, 3}, (int64_t[]){1, 1});
    struct view one = strided(0, 0, 2, (int64_t[]){1, 3}, (int64_t[]){0, 1});
    struct view gapped = strided(0, 0, 2, (int64_t[]){2, 3}, (int64_t[]){7, 2});
    struct view reversed = strided(0, 5, 1, (int64_t[]){6}, (int64_t[]){-1});
    struct view interleaved = strided(0, 0, 2, (int64_t[]){2, 3}, (int64_t[]){3, 2}); /* 0 2 4 / 3 5 7 */
    struct view empty = strided(0, 0, 2, (int64_t[]){0, 3}, (int64_t[]){0, 0});
    cr_assert(view_overlaps_itself(&expanded));
    cr_assert(view_overlaps_itself(&windows));
    cr_assert_not(view_overlaps_itself(&one));
    cr_assert_not(view_overlaps_itself(&gapped));
    cr_assert_not(view_overlaps_itself(&reversed));
    cr_assert_not(view_overlaps_itself(&interleaved));
    cr_assert_not(view_overlaps_itself(&empty));
}

Test(tensor, sharing_is_by_element_not_by_range)
{
    struct view even = strided(0, 0, 1, (int64_t[]){4}, (int64_t[]){2});
    struct view odd = strided(0, 1, 1, (int64_t[]){4}, (int64_t[]){2});
    struct view head = strided(0, 0, 1, (int64_t[]){7}, (int64_t[]){1});
    struct view tail = strided(0, 1, 1, (int64_t[]){7}, (int64_t[]){1});
    struct view other = strided(1, 0, 1, (int64_t[]){4}, (int64_t[]){2});
    cr_assert_eq(view_sharing(&even, &odd), VIEWS_DISJOINT);
    cr_assert_eq(view_sharing(&head, &tail), VIEWS_OVERLAP);
    cr_assert_eq(view_sharing(&even, &even), VIEWS_IDENTICAL);
    cr_assert_eq(view_sharing(&even, &other), VIEWS_DISJOINT);
    cr_assert_eq(view_sharing(&even, &head), VIEWS_OVERLAP);
    struct view square = strided(0, 0, 2, (int64_t[]){3, 3}, (int64_t[]){3, 1});
    struct view turned = strided(0, 0, 2, (int64_t[]){3, 3}, (int64_t[]){1, 3});
    cr_assert_eq(view_sharing(&square, &turned), VIEWS_OVERLAP);
}

Test(tensor, broadcasting_follows_trailing_dimensions)
{
    struct shape to = shape_of(3, (int64_t)2, (int64_t)3, (int64_t)4);
    struct shape row = shape_of(1, (int64_t)4), column = shape_of(2, (int64_t)3, (int64_t)1),
                 scalar = shape_of(0);
    struct shape bad = shape_of(1, (int64_t)3),
                 longer = shape_of(4, (int64_t)1, (int64_t)2, (int64_t)3, (int64_t)4);
    cr_assert(shape_broadcasts(&row, &to) && shape_broadcasts(&column, &to) &&
              shape_broadcasts(&scalar, &to));
    cr_assert_not(shape_broadcasts(&bad, &to));
    cr_assert_not(shape_broadcasts(&longer, &to));
    cr_assert_eq(shape_broadcast_element(&row, &to, 4 * 5 + 3), 3);
    cr_assert_eq(shape_broadcast_element(&column, &to, 4 * 5 + 3), 2);
    cr_assert_eq(shape_broadcast_element(&scalar, &to, 23), 0);
    struct view view = view_contiguous(0, DTYPE_INT32, &column), wide = view_broadcast(&view, &to);
    for (int64_t i = 0; i < 24; i++) {
        cr_assert_eq(view_element(&wide, i), shape_broadcast_element(&column, &to, i));
    }
}

Test(tensor, bounds_and_contiguity)
{
    struct view view = strided(0, 2, 2, (int64_t[]){2, 2}, (int64_t[]){4, -1});
    cr_assert(view_in_bounds(&view, 7 * 4));
    cr_assert_not(view_in_bounds(&view, 7 * 4 - 1));
    view.offset = 0;
    cr_assert_not(view_in_bounds(&view, 100));
    struct shape shape = shape_of(2, (int64_t)5, (int64_t)1);
    struct view contiguous = view_contiguous(0, DTYPE_FLOAT16, &shape);
    contiguous.stride[1] = 77; /* of a single element: irrelevant */
    cr_assert(view_is_contiguous(&contiguous));
    contiguous.stride[0] = 2;
    cr_assert_not(view_is_contiguous(&contiguous));
}

/* Each index in its place, whatever lies in order: all dimensions, the inner ones, one of one index, none. */
Test(tensor, an_element_lies_where_its_indices_say)
{
    static const struct view views[] = {
        {.shape = {3, {2, 3, 4}}, .stride = {12, 4, 1}, .offset = 5},
        {.shape = {3, {2, 3, 4}}, .stride = {40, 4, 1}},
        {.shape = {3, {2, 3, 4}}, .stride = {40, 5, 1}},
        {.shape = {3, {2, 3, 4}}, .stride = {1, 2, 6}, .offset = 1},
        {.shape = {3, {2, 1, 4}}, .stride = {4, 99, 1}},
        {.shape = {3, {2, 3, 1}}, .stride = {9, 1, 1}},
        {.shape = {3, {2, 3, 4}}, .stride = {0, 4, 1}},
        {.shape = {3, {2, 3, 4}}, .stride = {0, 0, 0}, .offset = 7},
        {.shape = {3, {2, 3, 4}}, .stride = {-12, -4, -1}, .offset = 30},
        {.shape = {3, {1, 1, 1}}, .stride = {1, 1, 1}, .offset = 3},
    };
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        const struct view *view = &views[v];
        int64_t i = 0;
        for (int64_t a = 0; a < view->shape.dim[0]; a++) {
            for (int64_t b = 0; b < view->shape.dim[1]; b++) {
                for (int64_t c = 0; c < view->shape.dim[2]; c++, i++) {
                    cr_expect_eq(view_element(view, i),
                                 view->offset + a * view->stride[0] + b * view->stride[1] +
                                     c * view->stride[2],
                                 "view %d, element %d", (int)v, (int)i);
                }
            }
        }
    }
    cr_expect_eq(view_element(&(struct view){.shape = {.rank = 0}, .offset = 8}, 0), 8);
}
