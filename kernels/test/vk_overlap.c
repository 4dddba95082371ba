/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/overlap.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct view view1(int64_t offset, int64_t dim, int64_t stride)
{
    return (struct view){
        .dtype = DTYPE_FLOAT32, .shape = shape_of(1, dim), .stride = {stride}, .offset = offset};
}

static struct view view2(int64_t offset, int64_t rows, int64_t row, int64_t columns, int64_t column)
{
    return (struct view){.dtype = DTYPE_FLOAT32,
                         .shape = shape_of(2, rows, columns),
                         .stride = {row, column},
                         .offset = offset};
}

static bool itself(struct view view)
{
    return vk_overlaps_itself(&view);
}

static bool share(struct view a, struct view b)
{
    return vk_shares_memory(&a, &b);
}

Test(vk_overlap, with_itself)
{
    cr_expect(!itself(view1(0, 5, 1)));
    cr_expect(itself(view1(0, 5, 0)), "expanded");
    cr_expect(!itself(view1(0, 1, 0)), "one element cannot overlap");
    cr_expect(!itself(view1(4, 5, -1)));
    cr_expect(!itself(view2(0, 3, 4, 4, 1)));
    cr_expect(!itself(view2(0, 4, 1, 3, 4)), "transposed");
    cr_expect(itself(view2(0, 3, 1, 3, 1)), "sliding windows");
    cr_expect(itself(view2(0, 3, 4, 5, 1)), "row 0 runs into row 1");
    cr_expect(!itself(view2(0, 2, 3, 3, 2)), "interleaved: 0 2 4 and 3 5 7");
    cr_expect(itself(view2(0, 3, 3, 4, 2)), "interleaved: 0 + 6 and 6 + 0");
    cr_expect(!itself(view2(0, 0, 0, 4, 0)), "empty");
    cr_expect(itself(view2(0, 2, 0, 4, 1)));
}

Test(vk_overlap, of_two_views)
{
    cr_expect(!share(view1(0, 4, 1), view1(4, 4, 1)));
    cr_expect(share(view1(0, 4, 1), view1(1, 4, 1)));
    cr_expect(!share(view1(0, 4, 2), view1(1, 4, 2)), "even and odd");
    cr_expect(share(view1(0, 4, 2), view1(3, 4, 3)), "6");
    cr_expect(!share(view1(0, 3, 2), view1(3, 4, 3)), "6 is one beyond");
    cr_expect(share(view1(9, 10, -1), view1(0, 1, 7)));
    cr_expect(!share(view1(0, 0, 1), view1(0, 4, 1)), "empty");
    cr_expect(!share(view2(0, 4, 8, 4, 1), view2(4, 4, 8, 4, 1)), "left and right half");
    cr_expect(share(view1(0, 5, 0), view1(0, 5, 1)));
    struct view other = view1(0, 4, 1);
    other.storage = 1;
    cr_expect(!share(view1(0, 4, 1), other));
}

/* Brute force on small random views of up to four dimensions. */
static bool touches(const struct view *view, int64_t element)
{
    for (int64_t i = 0; i < shape_elements(&view->shape); i++) {
        if (view_element(view, i) == element) {
            return true;
        }
    }
    return false;
}

static struct view any_view(void)
{
    struct view view = {.dtype = DTYPE_FLOAT32, .shape = {.rank = rand() % 5}, .offset = 100 + rand() % 20};
    for (int d = 0; d < view.shape.rank; d++) {
        view.shape.dim[d] = rand() % 8 ? 1 + rand() % 4 : 0;
        view.stride[d] = rand() % 31 - 15;
    }
    return view;
}

Test(vk_overlap, agrees_with_enumeration)
{
    srand(1);
    for (int trial = 0; trial < 4000; trial++) {
        const struct view a = any_view(), b = any_view();
        bool self = false, shared = false;
        for (int64_t i = 0; i < shape_elements(&a.shape); i++) {
            const int64_t element = view_element(&a, i);
            for (int64_t j = 0; j < i; j++) {
                self = self || view_element(&a, j) == element;
            }
            shared = shared || touches(&b, element);
        }
        cr_assert_eq(vk_overlaps_itself(&a), self, "trial %d", trial);
        cr_assert_eq(vk_shares_memory(&a, &b), shared, "trial %d", trial);
    }
}

Test(vk_overlap, large_views_take_no_time)
{
    struct view view = {
        .shape = shape_of(6, (int64_t)30, (int64_t)31, (int64_t)32, (int64_t)33, (int64_t)34, (int64_t)35),
        .stride = {1000003, 32771, 1049, 1033, 37, 1}};
    struct view after = view;
    after.offset = 1;
    cr_expect(vk_overlaps_itself(&view));
    cr_expect(vk_shares_memory(&view, &after));
}
