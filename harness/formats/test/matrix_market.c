/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/matrix_market.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char path[64];
static struct matrix_market matrix;

static void begin(void)
{
    strcpy(path, "/tmp/assay-mtx-XXXXXX");
    int file = mkstemp(path);
    cr_assert(file >= 0);
    close(file);
}

static void end(void)
{
    matrix_market_clear(&matrix);
    unlink(path);
}

TestSuite(matrix_market, .init = begin, .fini = end);

static bool read_text(const char *text, struct error *error)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    return matrix_market_read(path, &matrix, error);
}

static void check_entry(int64_t p, int64_t row, int64_t column, double value)
{
    int64_t n = matrix.values.shape.dim[0];
    cr_assert_lt(p, n);
    cr_expect_eq(tensor_component(&matrix.indices, p), (double)row, "entry %d", (int)p);
    cr_expect_eq(tensor_component(&matrix.indices, n + p), (double)column, "entry %d", (int)p);
    cr_expect_eq(tensor_component(&matrix.values, p), value, "entry %d", (int)p);
}

Test(matrix_market, coordinates_keep_their_order)
{
    cr_assert(read_text("%%MatrixMarket matrix coordinate real general\n%\n% a comment\n\n"
                        "  4 5 3 \n3 5  -1.5e-3\n\n% between\n1 1 0x1p-3\r\n3\t5 inf\n",
                        NULL));
    cr_expect(matrix.coordinate && matrix.rows == 4 && matrix.columns == 5);
    cr_assert_eq(matrix.values.shape.dim[0], 3);
    check_entry(0, 2, 4, -1.5e-3);
    check_entry(1, 0, 0, 0.125);
    check_entry(2, 2, 4, INFINITY);
}

Test(matrix_market, a_symmetric_file_holds_half_of_the_matrix)
{
    cr_assert(
        read_text("%%matrixmarket MATRIX Coordinate Integer Symmetric\n3 3 3\n1 1 7\n3 1 -2\n2 2 0\n", NULL));
    cr_assert_eq(matrix.values.shape.dim[0], 4);
    check_entry(0, 0, 0, 7);
    check_entry(1, 2, 0, -2);
    check_entry(2, 0, 2, -2);
    check_entry(3, 1, 1, 0);
}

Test(matrix_market, the_other_half_of_a_skew_one_is_negative)
{
    cr_assert(read_text("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 2 4\n", NULL));
    cr_assert_eq(matrix.values.shape.dim[0], 2);
    check_entry(0, 2, 1, 4);
    check_entry(1, 1, 2, -4);
}

Test(matrix_market, a_pattern_is_ones)
{
    cr_assert(read_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", NULL));
    cr_assert_eq(matrix.values.shape.dim[0], 2);
    check_entry(0, 1, 0, 1);
    check_entry(1, 0, 1, 1);
}

static void check_array(const char *text, int64_t rows, int64_t columns, const double *wanted)
{
    struct error error = {.text = ""};
    struct shape shape = shape_of(2, rows, columns);
    cr_assert(read_text(text, &error), "%s", error.text);
    cr_assert_not(matrix.coordinate);
    cr_assert(shape_equal(&matrix.values.shape, &shape));
    for (int64_t i = 0; i < rows * columns; i++) {
        cr_expect_eq(tensor_component(&matrix.values, i), wanted[i], "element %d", (int)i);
    }
    matrix_market_clear(&matrix);
}

Test(matrix_market, arrays_stand_column_by_column)
{
    check_array("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n", 2, 3,
                (const double[]){1, 3, 5, 2, 4, 6});
    check_array("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 3, 3,
                (const double[]){1, 2, 3, 2, 4, 5, 3, 5, 6});
    check_array("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", 3, 3,
                (const double[]){0, -1, -2, 1, 0, -3, 2, 3, 0});
    check_array("%%MatrixMarket matrix array real general\n0 3\n", 0, 3, NULL);
}

/* Messages say what is wrong, and in which line. */
Test(matrix_market, faults_name_their_line)
{
    static const struct {
        const char *text, *where, *what;
    } faults[] = {
        {"", ":1: ", "empty"},
        {"%MatrixMarket matrix coordinate real general\n1 1 0\n", ":1: ", "%%MatrixMarket"},
        {"%%MatrixMarket vector coordinate real general\n1 1 0\n", ":1: ", "%%MatrixMarket"},
        {"%%MatrixMarket matrix coordinates real general\n1 1 0\n", ":1: ", "format"},
        {"%%MatrixMarket matrix coordinate complex general\n1 1 0\n", ":1: ", "complex"},
        {"%%MatrixMarket matrix coordinate double general\n1 1 0\n", ":1: ", "field"},
        {"%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", ":1: ", "symmetry"},
        {"%%MatrixMarket matrix coordinate real\n1 1 0\n", ":1: ", "symmetry"},
        {"%%MatrixMarket matrix array pattern general\n1 1\n", ":1: ", "pattern"},
        {"%%MatrixMarket matrix coordinate real general\n%\n", ":3: ", "size"},
        {"%%MatrixMarket matrix coordinate real general\n1 1\n", ":2: ", "rows, columns, entries"},
        {"%%MatrixMarket matrix coordinate real general\n1 -1 0\n", ":2: ", "rows, columns, entries"},
        {"%%MatrixMarket matrix coordinate real general\n3000000000 1 0\n", ":2: ", "2^31"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", ":2: ", "square"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n", ":3: ", "count from 1"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", ":3: ", "outside"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 1\n", ":3: ", "row and column"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", ":3: ", "number"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1 1\n", ":3: ", "more on the line"},
        {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n", ":3: ", "integer"},
        {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 9007199254740993\n", ":3: ", "2^53"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", ":3: ", "lower triangle"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", ":3: ", "below"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", ":4: ", "ends before"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n\n2 2 1\n", ":5: ", "more entries"},
        {"%%MatrixMarket matrix array real general\n2 1\n1\n2 3\n", ":4: ", "more on the line"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        struct error error = {.text = ""};
        cr_expect_not(read_text(faults[k].text, &error), "fault %zu", k);
        cr_expect(strstr(error.text, faults[k].where) && strstr(error.text, faults[k].what), "fault %zu: %s",
                  k, error.text);
        matrix_market_clear(&matrix);
    }
    cr_expect_not(matrix_market_read("/no/such/file.mtx", &matrix, NULL));
}

/* A header that claims 2^31 entries costs no memory, and the missing entries are a fault. */
Test(matrix_market, claims_are_not_believed)
{
    struct error error = {.text = ""};
    cr_expect_not(read_text("%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n", &error));
    cr_expect(strstr(error.text, "ends before"), "%s", error.text);
}

/* --- through repro */

static void run_repro(const char *op, const char *more, int status)
{
    trial_run("repro --op %s --input FOLDER/A.mtx %s --backend cpu --backend vulkan", op, more);
    cr_expect_eq(trial->status, status, "%s: %s", op, trial->output);
}

Test(matrix_market, repro_takes_one_file_for_indices_and_values, .timeout = 60)
{
    trial_begin();
    trial_write("A.mtx",
                "%%MatrixMarket matrix coordinate real general\n3 2 4\n3 1 1.5\n1 2 -2\n3 1 4\n2 2 1\n");
    trial_write("B.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n0.1\n");
    run_repro("sparse_mm", "--input FOLDER/B.mtx", 0);
    run_repro("csr_mm", "--input FOLDER/B.mtx --dtype float16", 2);
    cr_expect(strstr(trial->output, "entry (3, 1) stands twice"), "%s", trial->output);
    run_repro("coalesce", "--dtype float32", 0);
    run_repro("to_dense", "--attr size=5,5", 0);
    run_repro("logdet", "", 2);
    cr_expect(strstr(trial->output, "no sparse matrix"), "%s", trial->output);
    run_repro("sparse_mm", "", 2);
    trial_write("A.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 3\n3 1 1.5\n1 2 -2\n2 2 1\n");
    run_repro("csr_mm", "--input FOLDER/B.mtx --dtype float16", 0);
    trial_end();
}

/* Returns the peak memory in KiB of the largest child so far. A process image that is replaced by exec counts
 * too, so the image of the parent, which a sanitizer may make large, is in this figure from the first child
 * on. */
static long largest_child_kib(void)
{
    struct rusage usage;
    cr_assert_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_maxrss;
}

/* The row starts of 2·10^8 rows take 1.6 GB, and copies take more. The operands are checked against the
 * header first. */
Test(matrix_market, a_header_of_many_rows_costs_nothing_before_the_operands_are_checked, .timeout = 60)
{
    trial_begin();
    trial_run_expect(0, "assay", "--version");
    long least = largest_child_kib();
    trial_write("A.mtx", "%%MatrixMarket matrix coordinate real general\n200000000 3 1\n1 1 1\n");
    trial_write("B.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n");
    trial_run("repro --op csr_mm --input FOLDER/A.mtx --input FOLDER/B.mtx --backend cpu");
    cr_expect_eq(trial->status, 2, "%s", trial->output);
    cr_expect(strstr(trial->output, "csr_mm: "), "%s", trial->output);
    cr_expect_lt(largest_child_kib() - least, 400000, "%ld KiB, %ld before", largest_child_kib(), least);
    trial_end();
}

/* Sizes: one whose product is 2^64, one of 2^62 elements, and one that can be counted but not allocated. */
Test(matrix_market, sizes_that_no_memory_holds_are_refused, .timeout = 60)
{
    trial_begin();
    static const char *const rows[][2] = {
        {"to_dense --attr size=4294967296,4294967296", "has more than 2^63 places"},
        {"coalesce --attr size=4294967296,4294967296", "has more than 2^63 places"},
        {"to_dense --attr size=2147483648,2147483647", "would hold more than 2^63 bytes"},
        {"to_dense --attr size=1073741824,1073741824", "out of memory for output 0"},
        {"sparse_transpose --attr size=9223372036854775807,9223372036854775807",
         "has more than 2^63 places"}};
    trial_write("S.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trial_run("repro --op %s --input FOLDER/S.mtx --dtype float32 --backend cpu", rows[i][0]);
        cr_expect_eq(trial->status, 2, "%s: exit %d: %s", rows[i][0], trial->status, trial->output);
        cr_expect(strstr(trial->output, rows[i][1]), "%s: %s", rows[i][0], trial->output);
    }
    trial_end();
}
