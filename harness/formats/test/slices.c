/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/slices.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Tests slices of an array [4, 5, 6] with strides [30, 6, 1]. What is expected is what numpy 1.24 gives. */

static struct view array(void)
{
    const struct shape shape = shape_of(3, (int64_t)4, (int64_t)5, (int64_t)6);
    return view_contiguous(0, DTYPE_FLOAT32, &shape);
}

Test(slices, shape_strides_and_offset_are_those_of_numpy)
{
    static const struct {
        const char *slice, *shape, *strides;
        int64_t offset;
    } row[] = {
        {"[0]", "[5, 6]", "[6, 1]", 0},
        {"[-1]", "[5, 6]", "[6, 1]", 90},
        {"[1, 2, 3]", "[]", "[]", 45},
        {"[:]", "[4, 5, 6]", "[30, 6, 1]", 0},
        {"[...]", "[4, 5, 6]", "[30, 6, 1]", 0},
        {"[..., 2]", "[4, 5]", "[30, 6]", 2},
        {"[1, ..., 2]", "[5]", "[6]", 32},
        {"[0, 1, 2, ...]", "[]", "[]", 8},
        {"[:, 1:9:2]", "[4, 2, 6]", "[30, 12, 1]", 6},
        {"[::-1]", "[4, 5, 6]", "[-30, 6, 1]", 90},
        {"[:,:,-2::-2]", "[4, 5, 3]", "[30, 6, -2]", 4},
        {"[1:-1, -3:]", "[2, 3, 6]", "[30, 6, 1]", 42},
        {"[2:0:-1, 4]", "[2, 6]", "[-30, 1]", 84},
        {"[-9:9:3]", "[2, 5, 6]", "[90, 6, 1]", 0},
        {"[10:-10:-2]", "[2, 5, 6]", "[-60, 6, 1]", 90},
        {"[3:1]", "[0, 5, 6]", "[30, 6, 1]", 0},
        {"[3:1:2, ::2]", "[0, 3, 6]", "[30, 12, 1]", 0}, /* an empty range keeps the stride */
        {"[1:2:100]", "[1, 5, 6]", "[3000, 6, 1]", 30},
        {"[ 1 , : , 2 : 4 ]", "[5, 2]", "[6, 1]", 32},
        {"[1,]", "[5, 6]", "[6, 1]", 30},
        {"[+1:+3]", "[2, 5, 6]", "[30, 6, 1]", 30},
        {"[::-9223372036854775808, 0, 0]", NULL, "step", 0},
        {"[4]", NULL, "index 4 is beyond dimension 0, which has 4 elements", 0},
        {"[0, -6]", NULL, "index -6 is beyond dimension 1", 0},
        {"[0, 0, 0, 0]", NULL, "it has 4 indices, and the array 3 dimensions", 0},
        {"[..., ...]", NULL, "at most one \"...\"", 0},
        {"[::0]", NULL, "a step cannot be 0", 0},
        {"[]", NULL, "write a slice of whole numbers", 0},
        {"[None]", NULL, "write a slice of whole numbers", 0},
        {"[1.5]", NULL, "write a slice of whole numbers", 0},
        {"[1:2:3:4]", NULL, "write a slice of whole numbers", 0},
        {"[1 2]", NULL, "write a slice of whole numbers", 0},
        {"[1,,2]", NULL, "write a slice of whole numbers", 0},
        {"[99999999999999999999]", NULL, "write a slice of whole numbers", 0},
        {"[::2, ::9223372036854775807]", NULL, "too large", 0},
        {"[0,0,0,0,0,0,0,0,0,0]", NULL, "more than 8 indices", 0},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct view view = array();
        struct error error = {.text = ""};
        char shape[SHAPE_TEXT], strides[SHAPE_TEXT];
        bool good = slice_view(row[r].slice, "x", &view, &error);
        cr_assert_eq(good, row[r].shape != NULL, "%s: %s", row[r].slice, error.text);
        if (!good) {
            cr_expect(strstr(error.text, row[r].strides), "%s: %s", row[r].slice, error.text);
            continue;
        }
        shape_print(&view.shape, shape, sizeof shape);
        numbers_print(view.stride, view.shape.rank, strides, sizeof strides);
        cr_expect_str_eq(shape, row[r].shape, "%s", row[r].slice);
        cr_expect_str_eq(strides, row[r].strides, "%s", row[r].slice);
        cr_expect_eq(view.offset, row[r].offset, "%s: %lld", row[r].slice, (long long)view.offset);
    }
}

/* Brackets of a file's own name are no slice. */
Test(slices, a_file_of_this_name_is_no_slice)
{
    char base[64], name[] = "/tmp/assay-slice-XXXXXX.npy[0]";
    const char *slice = slice_split("x.npy[1, 2]", base, sizeof base);
    cr_assert(slice && strcmp(slice, "[1, 2]") == 0);
    cr_expect_str_eq(base, "x.npy");
    cr_expect_null(slice_split("x.npy", base, sizeof base));
    cr_expect_null(slice_split("[0]", base, sizeof base));
    cr_expect_null(slice_split("x.npy]", base, sizeof base));
    cr_expect_null(slice_split("x.npy[0]", base, 5));
    cr_assert_geq(mkstemps(name, 7), 0);
    cr_expect_null(slice_split(name, base, sizeof base));
    unlink(name);
}
