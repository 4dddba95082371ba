/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/inputs.h"
#include "harness/formats/npy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tests where operands of files lie in memory. x.npy has 0, 1, 2, … [3, 4], f.npy the same column-major,
 * images.npy is [2, 3, 4, 5]. */

static char folder[64];

static void write_file(const char *name, const char *order, const char *shape, int count, bool columns)
{
    char path[128], header[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    int length = snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': %s, 'shape': %s, }\n",
                          order, shape);
    cr_assert_not_null(file);
    fwrite("\x93NUMPY\x01\x00", 1, 8, file);
    fputc(length & 255, file);
    fputc(length >> 8, file);
    fwrite(header, 1, (size_t)length, file);
    for (int k = 0; k < count; k++) {
        float x = (float)(columns ? k % 3 * 4 + k / 3 : k);
        fwrite(&x, sizeof x, 1, file);
    }
    fclose(file);
}

static void begin(void)
{
    strcpy(folder, "/tmp/assay-places-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    write_file("x.npy", "False", "(3, 4)", 12, false);
    write_file("f.npy", "True", "(3, 4)", 12, true);
    write_file("images.npy", "False", "(2, 3, 4, 5)", 120, false);
    write_file("long.npy", "False", "(600000,)", 600000, false);
    write_file("one.npy", "False", "(3, 1)", 3, false);
    write_file("empty.npy", "False", "(0, 4)", 0, false);
}

static void end(void)
{
    static const char *const names[] = {"x", "f", "images", "long", "one", "empty"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s.npy", folder, names[n]);
        unlink(path);
    }
    rmdir(folder);
}

TestSuite(places, .init = begin, .fini = end);

/* Reads one input for sgn. `layout` and `expand` may be NULL. */
static bool read_one(struct repro_inputs *inputs, const char *input, const char *layout, const char *expand,
                     enum dtype dtype, struct error *error)
{
    char path[256];
    struct attributes attributes = {.count = 0};
    const char *file = path;
    snprintf(path, sizeof path, "%s/%s", folder, input);
    const struct texts files = {.count = 1, .text = &file},
                       layouts = {.count = layout != NULL, .text = &layout},
                       expands = {.count = expand != NULL, .text = &expand};
    const struct repro_places places = {&layouts, &expands};
    *error = (struct error){.text = ""};
    return repro_inputs_read(inputs, op_find("sgn"), &files, &places, dtype, &attributes, error);
}

Test(places, an_operand_lies_where_the_user_says)
{
    static const struct {
        const char *input, *layout, *expand, *shape, *strides; /* strides NULL: contiguous from the start */
        int64_t offset, bytes;
    } row[] = {
        {"x.npy", NULL, NULL, "[3, 4]", NULL, 0, 48},
        {"f.npy", NULL, NULL, "[3, 4]", "[1, 3]", 0, 48},
        {"x.npy", "0=transposed", NULL, "[3, 4]", "[1, 3]", 0, 48},
        {"f.npy", "0=contiguous", NULL, "[3, 4]", NULL, 0, 48},
        {"f.npy", "0=offset:5", NULL, "[3, 4]", "[1, 3]", 5, 68},
        {"x.npy", "0=contiguous,offset:5", NULL, "[3, 4]", "[4, 1]", 5, 68},
        {"x.npy", "0=strides:9,2", NULL, "[3, 4]", "[9, 2]", 0, 100},
        {"x.npy", "0=strides:9,2,offset:1", NULL, "[3, 4]", "[9, 2]", 1, 104},
        {"x.npy", "0=strides:-4,1", NULL, "[3, 4]", "[-4, 1]", 8, 48},
        {"x.npy", "0=strides:4,-1,offset:4", NULL, "[3, 4]", "[4, -1]", 4, 52},
        {"images.npy", "0=transposed", NULL, "[2, 3, 4, 5]", "[60, 20, 1, 4]", 0, 480},
        {"images.npy", "0=channels-last", NULL, "[2, 3, 4, 5]", "[60, 1, 15, 3]", 0, 480},
        {"images.npy[0]", "0=channels-last", NULL, "[3, 4, 5]", "[20, 1, 4]", 0, 240},
        {"x.npy[:, 1:4:2]", NULL, NULL, "[3, 2]", "[4, 2]", 1, 48},
        {"f.npy[1, ::-1]", NULL, NULL, "[4]", "[-3]", 10, 48},
        {"x.npy[:, 1:4:2]", "0=contiguous", NULL, "[3, 2]", NULL, 0, 24},
        {"long.npy[1000:1003]", NULL, NULL, "[3]", "[1]", 40, 172}, /* 1000 is 40 modulo 64 */
        {"long.npy[1000::-200]", NULL, NULL, "[6]", "[-200]", 1000, 4004},
        {"one.npy", NULL, "0=3,2", "[3, 2]", "[1, 0]", 0, 12},
        {"one.npy", NULL, "0=[2,-1,4]", "[2, 3, 4]", "[0, 1, 0]", 0, 12},
        {"x.npy[:, 1:2]", NULL, "0=2,3,4", "[2, 3, 4]", "[0, 4, 0]", 1, 48},
        {"f.npy", "0=strides:8,2", "0=2,3,4", "[2, 3, 4]", "[0, 8, 2]", 0, 92},
        {"one.npy", NULL, "0=0,3,2", "[0, 3, 2]", NULL, 0, 0},
        {"x.npy[3:]", "0=offset:3", NULL, "[0, 4]", NULL, 0, 0},
        {"empty.npy", "0=strides:5,5", NULL, "[0, 4]", NULL, 0, 0},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        for (int half = 0; half < 2; half++) { /* as it is, and rounded to half the size */
            struct repro_inputs inputs;
            struct error error;
            char shape[SHAPE_TEXT], strides[SHAPE_TEXT];
            cr_assert(read_one(&inputs, row[r].input, row[r].layout, row[r].expand,
                               half ? DTYPE_FLOAT16 : DTYPE_COUNT, &error),
                      "%zu: %s", r, error.text);
            const struct repro_layout *layout = &inputs.layout[0];
            shape_print(&inputs.input[0].shape, shape, sizeof shape);
            numbers_print(layout->stride, inputs.input[0].shape.rank, strides, sizeof strides);
            cr_expect_str_eq(shape, row[r].shape, "%zu", r);
            cr_assert_eq(layout->given, row[r].strides != NULL, "%zu", r);
            if (layout->given) {
                cr_expect_str_eq(strides, row[r].strides, "%zu", r);
                cr_expect_eq(layout->offset, row[r].offset, "%zu: %lld", r, (long long)layout->offset);
                cr_expect_eq(layout->bytes, row[r].bytes / (half + 1), "%zu: %lld", r,
                             (long long)layout->bytes);
            }
            repro_inputs_clear(&inputs);
        }
    }
}

/* The numbers are 4·i + j, of which a slice and an expanded operand have others. */
Test(places, the_values_are_those_of_the_file)
{
    static const struct {
        const char *input, *layout, *expand;
        double first, last;
        int64_t elements;
    } row[] = {
        {"f.npy", NULL, NULL, 0, 11, 12},
        {"x.npy", "0=transposed", NULL, 0, 11, 12},
        {"f.npy[:, 1:4:2]", NULL, NULL, 1, 11, 6},
        {"x.npy[::-1, ::-1]", NULL, NULL, 11, 0, 12},
        {"f.npy[1, 2]", NULL, NULL, 6, 6, 1},
        {"x.npy[1:, :1]", NULL, "0=2,2,5", 4, 8, 20},
        {"x.npy[-1]", "0=strides:3", NULL, 8, 11, 4},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct repro_inputs inputs;
        struct error error;
        cr_assert(read_one(&inputs, row[r].input, row[r].layout, row[r].expand, DTYPE_COUNT, &error),
                  "%zu: %s", r, error.text);
        const int64_t elements = shape_elements(&inputs.input[0].shape);
        cr_assert_eq(elements, row[r].elements, "%zu", r);
        cr_expect_eq(tensor_component(&inputs.input[0], 0), row[r].first, "%zu", r);
        cr_expect_eq(tensor_component(&inputs.input[0], elements - 1), row[r].last, "%zu", r);
        repro_inputs_clear(&inputs);
    }
}

Test(places, what_cannot_be_is_refused_with_the_reason)
{
    static const struct {
        const char *input, *layout, *expand, *part;
    } row[] = {
        {"x.npy", "transposed", NULL, "write the input's number, from 0"},
        {"x.npy", "-1=transposed", NULL, "write the input's number, from 0"},
        {"x.npy", "1=transposed", NULL, "the inputs are numbered 0 to 0"},
        {"x.npy", "0=upside-down", NULL, "write contiguous, transposed, channels-last or strides:"},
        {"x.npy", "0=", NULL, "write contiguous"},
        {"x.npy", "0=strides:4,1,", NULL, "write contiguous"},
        {"x.npy", "0=transposed,offset:1,2", NULL, "write contiguous"},
        {"x.npy", "0=offset:-1", NULL, "write contiguous"},
        {"x.npy", "0=strides:4", NULL, "it has not one stride for each dimension; input 0 is [3, 4]"},
        {"x.npy", "0=strides:1,2,3,4,5,6,7,8,9", NULL, "write contiguous"},
        {"x.npy", "0=channels-last", NULL, "needs 3, 4 or 5 dimensions"},
        {"x.npy[0]", "0=transposed", NULL, "needs at least 2 dimensions"},
        {"x.npy", "0=strides:0,1", NULL, "elements of input 0 that share memory have different values"},
        {"x.npy", "0=strides:1,1", NULL, "elements of input 0 that share memory have different values"},
        {"x.npy", "0=strides:-4,1,offset:7", NULL, "the offset must be at least 8"},
        {"x.npy", "0=strides:200000,1", NULL, "more than 64 times the memory"},
        {"x.npy", "0=offset:300000", NULL, "more than 64 times the memory"},
        {"x.npy", "0=strides:4611686018427387904,1", NULL, "too large for [3, 4]"},
        {"x.npy", "0=strides:-9223372036854775808,1", NULL, "too large for [3, 4]"},
        {"x.npy", "0=offset:9223372036854775807", NULL, "more than 64 times the memory"},
        {"long.npy[::100000]", NULL, NULL, "--layout 0=contiguous"},
        {"x.npy", NULL, "0=4,4", "input 0 is [3, 4]; only new dimensions at the front"},
        {"x.npy", NULL, "0=4", "input 0 is [3, 4]"},
        {"x.npy", NULL, "0=-1,3,4", "input 0 is [3, 4]"},
        {"x.npy", NULL, "0=1000000000,3,4", "more than 1 GiB"},
        {"x.npy", NULL, "0=9223372036854775807,3,4", "more than 1 GiB"},
        {"x.npy", NULL, "0=2,x", "write a shape of at most 8 numbers"},
        {"x.npy", NULL, "0=1,1,1,1,1,1,1,3,4", "write a shape of at most 8 numbers"},
        {"x.npy[::9000000000000000000]", NULL, NULL, "too large"},
        {"x.npy[:, :1:-9223372036854775808]", NULL, NULL, "too large"},
        {"x.npy[5]", NULL, NULL, "index 5 is beyond dimension 0"},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct repro_inputs inputs;
        struct error error;
        cr_expect_not(read_one(&inputs, row[r].input, row[r].layout, row[r].expand, DTYPE_COUNT, &error),
                      "%zu", r);
        cr_expect(strstr(error.text, row[r].part), "%zu: %s", r, error.text);
        repro_inputs_clear(&inputs);
    }
}
