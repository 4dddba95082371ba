/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/npy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void begin(void)
{
    strcpy(path, "/tmp/assay-npy-XXXXXX");
    int file = mkstemp(path);
    cr_assert(file >= 0);
    close(file);
}

static void end(void)
{
    unlink(path);
}

TestSuite(npy, .init = begin, .fini = end);

static void write_file(const char *header, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    size_t length = strlen(header);
    fwrite("\x93NUMPY\x01\x00", 1, 8, file);
    fputc((int)(length & 255), file);
    fputc((int)(length >> 8), file);
    fwrite(header, 1, length, file);
    fwrite(data, 1, size, file);
    fclose(file);
}

Test(npy, c_and_fortran_order_hold_the_same_matrix)
{
    static const float rows[6] = {1, 2, 3, 4, 5, 6}, columns[6] = {1, 4, 2, 5, 3, 6};
    struct tensor tensor;
    struct error error = {.text = ""};
    write_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", rows, sizeof rows);
    cr_assert(npy_read(path, &tensor, &error), "%s", error.text);
    cr_assert_eq(tensor.shape.rank, 2);
    cr_assert_arr_eq(tensor.data, rows, sizeof rows);
    tensor_destroy(&tensor);
    write_file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n", columns, sizeof columns);
    cr_assert(npy_read(path, &tensor, &error), "%s", error.text);
    cr_assert_arr_eq(tensor.data, rows, sizeof rows);
    tensor_destroy(&tensor);
}

Test(npy, what_is_written_is_read)
{
    double values[3] = {1, -0.0, 1e300};
    struct shape scalar = shape_of(0), vector = shape_of(1, (int64_t)3);
    struct tensor tensor;
    struct error error = {.text = ""};
    cr_assert(npy_write(path, 1, &vector, values, &error));
    cr_assert(npy_read(path, &tensor, &error), "%s", error.text);
    cr_assert_arr_eq(tensor.data, values, sizeof values);
    tensor_destroy(&tensor);
    cr_assert(npy_write(path, 1, &scalar, values, &error));
    cr_assert(npy_read(path, &tensor, &error), "%s", error.text);
    cr_assert_eq(tensor.shape.rank, 0);
    tensor_destroy(&tensor);
}

/* The longest header of a shape: an empty array's other dimensions may have any length. */
Test(npy, eight_dimensions_are_written_whole)
{
    struct shape shape = shape_of(8, (int64_t)2, (int64_t)1, (int64_t)1, (int64_t)1, (int64_t)3, (int64_t)1,
                                  (int64_t)1, (int64_t)1),
                 wide = {.rank = RANK_MAX};
    double values[6] = {1, 2, 3, 4, 5, 6};
    struct tensor tensor;
    struct error error = {.text = ""};
    char header[512] = "";
    cr_assert(npy_write(path, 1, &shape, values, &error), "%s", error.text);
    cr_assert(npy_read(path, &tensor, &error), "%s", error.text);
    cr_assert(shape_equal(&tensor.shape, &shape));
    cr_assert_arr_eq(tensor.data, values, sizeof values);
    tensor_destroy(&tensor);
    for (int d = 1; d < RANK_MAX; d++) {
        wide.dim[d] = INT64_MAX;
    }
    cr_assert(npy_write(path, 1, &wide, values, &error), "%s", error.text);
    FILE *file = fopen(path, "rb");
    cr_expect_gt(fread(header, 1, sizeof header - 1, file), 10);
    fclose(file);
    cr_expect(strstr(header + 10, " 9223372036854775807,), }"), "%s", header + 10);
}

Test(npy, numpy_reads_what_is_written)
{
    double values[6] = {1, 2, 3, 4, 5, 6};
    struct shape shape = shape_of(2, (int64_t)2, (int64_t)3);
    char command[256];
    if (system("python3 -c 'import numpy' 2>/dev/null") != 0) {
        cr_skip_test("no numpy: another reader is not tried");
    }
    cr_assert(npy_write(path, 1, &shape, values, NULL));
    snprintf(command, sizeof command,
             "python3 -c \"import numpy; a = numpy.load('%s'); assert a.tolist() == [[1, 2, 3], [4, 5, 6]]\"",
             path);
    cr_assert_eq(system(command), 0);
}

Test(npy, a_fault_says_what_was_found_and_what_to_do)
{
    static const struct {
        const char *header, *message;
    } row[] = {
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }", "'>f4', none of"},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }", "a.astype('<f4')"},
        {"{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", "a.astype('<c8') rounds both parts"},
        {"{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }", "a.astype('<f8') rounds it"},
        {"{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }", "only where all are below 2^63"},
        {"{'descr': '>u8', 'fortran_order': False, 'shape': (1,), }", "only where all are below 2^63"},
        {"{'descr': '>u2', 'fortran_order': False, 'shape': (1,), }", "save a.astype('<i4') instead"},
        {"{'descr': '>i2', 'fortran_order': False, 'shape': (1,), }", "save a.astype('<i4') instead"},
        {"{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), }",
         "save an array of one of those types"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "it holds pickled Python objects"},
        {"{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }", "save an array of one of those types"},
        {"{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }", "a.astype('<i8')"},
        {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,), }", "it holds records"},
        {"{'descr': '<f4', 'fortran_order': False, }", "no shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,), }",
         "more elements than any"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
         "more elements than any"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,3), }",
         "more than 8 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", "cut short: 12 of the 16 bytes"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "goes on for 4 bytes"},
    };
    static const float data[3] = {1, 2, 3};
    struct tensor tensor;
    struct error error = {.text = ""};
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        write_file(row[r].header, data, sizeof data);
        cr_assert_not(npy_read(path, &tensor, &error), "%s", row[r].header);
        cr_expect(strstr(error.text, row[r].message), "%s: %s", row[r].header, error.text);
    }
    cr_assert_not(npy_read("/tmp", &tensor, &error));
    cr_expect(strstr(error.text, "a directory"), "%s", error.text);
}

Test(npy, damage_is_named_not_believed)
{
    static const char *const headers[] = {
        "",
        "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f4', 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 9999999999), }"};
    static const float data[3] = {1, 2, 3};
    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++) {
        struct tensor tensor;
        struct error error = {.text = ""};
        write_file(headers[h], data, sizeof data);
        cr_assert_not(npy_read(path, &tensor, &error), "%s", headers[h]);
        cr_assert(strstr(error.text, path), "the message names the file: %s", error.text);
    }
}

/* Files of torch.save begin as a zip archive whose first member is NAME/data.pkl; before version 1.6 they
 * began with the pickle of the number 0x1950a86a20f9469cfc6c. */
Test(npy, a_pickle_is_refused_with_the_way_to_convert_it)
{
#define LOCAL "PK\3\4\24\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    static const struct {
        const char *bytes;
        size_t size;
        const char *part;
    } row[] = {
#define ROW(bytes, part) {bytes, sizeof(bytes) - 1, part}
        ROW(LOCAL "\20\0\0\0archive/data.pklxx", "numpy.save(\"x.npy\", x.numpy())"),
        ROW(LOCAL "\5\0\0\0x.npyxxxxxxxxxxxxxxxx", "rename it to .npz"),
        ROW(LOCAL "\377\377\0\0archive/data.pkl", "rename it to .npz"),
        ROW("\x80\2\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\2M\xe9\3.", "x = torch.load("),
        ROW("\x80\4\x95\4\0\0\0\0\0\0\0K\1.", "it is a Python pickle"),
        ROW("\x80", "does not begin as a .npy file"),
        ROW("", "does not begin as a .npy file"),
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct tensor tensor;
        struct error error = {.text = ""};
        FILE *file = fopen(path, "wb");
        fwrite(row[r].bytes, 1, row[r].size, file);
        fclose(file);
        cr_expect_not(npy_read(path, &tensor, &error), "%zu", r);
        cr_expect(strstr(error.text, row[r].part), "%zu: %s", r, error.text);
    }
    char torch[80];
    snprintf(torch, sizeof torch, "%s.pth", path);
    cr_assert_eq(rename(path, torch), 0);
    struct tensor tensor;
    struct error error;
    cr_expect_not(npy_read(torch, &tensor, &error));
    cr_expect(strstr(error.text, ".pth\", map_location=\"cpu\")"), "%s", error.text);
    cr_expect(strstr(error.text, "safetensors.torch.save_file"), "%s", error.text);
    unlink(torch);
}
