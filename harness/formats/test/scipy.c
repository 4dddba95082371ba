/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests sparse matrices in .npz archives, made with Python's standard library as scipy.sparse.save_npz makes
 * them. */

#include "harness/formats/scipy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64], npz[128];

static void begin(void)
{
    strcpy(folder, "/tmp/assay-scipy-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(npz, sizeof npz, "%s/m.npz", folder);
}

static void end(void)
{
    unlink(npz);
    rmdir(folder);
}

TestSuite(scipy, .init = begin, .fini = end);

/* Writes the archive: `members` are calls of i(name, [whole numbers]), f(name, [float32]) and t(text). */
static void write_npz(const char *members)
{
    static char command[4000];
    cr_assert_lt(
        (size_t)snprintf(
            command, sizeof command,
            "python3 -c 'import struct, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], \"w\")\n"
            "def put(name, descr, shape, data):\n"
            "    h = \"{\\x27descr\\x27: \\x27%%s\\x27, \\x27fortran_order\\x27: False, "
            "\\x27shape\\x27: %%s, }\\n\" %% (descr, shape)\n"
            "    z.writestr(name + \".npy\", b\"\\x93NUMPY\\1\\0\" + struct.pack(\"<H\", len(h)) + "
            "h.encode() + data)\n"
            "def i(name, x, c=\"i\"): put(name, \"<i4\" if c == \"i\" else \"<i8\", \"(%%d,)\" %% "
            "len(x), struct.pack(\"<%%d%%s\" %% (len(x), c), *x))\n"
            "def f(name, x): put(name, \"<f4\", \"(%%d,)\" %% len(x), struct.pack(\"<%%df\" %% len(x), *x))\n"
            "def t(x): put(\"format\", \"|S%%d\" %% len(x), \"()\", x.encode())\n"
            "def u(x): put(\"format\", \"<U%%d\" %% len(x), \"()\", x.encode(\"utf-32-le\"))\n"
            "%s' %s",
            members, npz),
        sizeof command);
    cr_assert_eq(system(command), 0, "%s", command);
}

static bool read_npz(struct matrix_market *matrix, struct error *error)
{
    struct collection c;
    char format[8];
    *error = (struct error){.text = ""};
    cr_assert(collection_open(&c, npz, error), "%s", error->text);
    cr_assert(scipy_is(&c));
    bool good = scipy_read(&c, matrix, format, error);
    collection_close(&c);
    return good;
}

/* The matrix [[0, 5, 0], [7, 0, 6]]. */
Test(scipy, coordinates_are_the_same_from_each_format)
{
    static const struct {
        const char *members;
        int64_t indices[6];
        float values[3];
    } row[] = {
        {"i(\"row\", [1, 0, 1]); i(\"col\", [2, 1, 0]); t(\"coo\"); i(\"shape\", [2, 3], \"q\"); f(\"data\", "
         "[6, 5, 7])",
         {1, 0, 1, 2, 1, 0},
         {6, 5, 7}},
        {"i(\"indices\", [1, 2, 0]); i(\"indptr\", [0, 1, 3], \"q\"); t(\"csr\"); i(\"shape\", [2, 3]); "
         "f(\"data\", [5, 6, 7])",
         {0, 1, 1, 1, 2, 0},
         {5, 6, 7}},
        {"i(\"indices\", [1, 0, 1]); i(\"indptr\", [0, 1, 2, 3]); u(\"csc\"); i(\"shape\", [2, 3], \"q\"); "
         "f(\"data\", [7, 5, 6])",
         {1, 0, 1, 0, 1, 2},
         {7, 5, 6}},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct matrix_market matrix;
        struct error error;
        write_npz(row[r].members);
        cr_assert(read_npz(&matrix, &error), "%zu: %s", r, error.text);
        cr_expect(matrix.coordinate);
        cr_expect_eq(matrix.rows, 2);
        cr_expect_eq(matrix.columns, 3);
        cr_expect_eq(matrix.values.dtype, DTYPE_FLOAT32);
        cr_assert_arr_eq(matrix.indices.data, row[r].indices, sizeof row[r].indices, "%zu", r);
        cr_assert_arr_eq(matrix.values.data, row[r].values, sizeof row[r].values, "%zu", r);
        matrix_market_clear(&matrix);
    }
}

Test(scipy, what_does_not_fit_together_is_refused)
{
    static const struct {
        const char *members, *part;
    } row[] = {
        {"t(\"bsr\"); i(\"shape\", [2, 3]); f(\"data\", [1])", "format \"bsr\"; save it as COO, CSR or CSC"},
        {"t(\"dia\"); i(\"shape\", [2, 3]); f(\"data\", [1])", "format \"dia\""},
        {"t(\"123\"); i(\"shape\", [2, 3]); f(\"data\", [1])", "\"format\" is no text"},
        {"t(\"coo\"); i(\"shape\", [2, 3]); f(\"data\", [1]); i(\"row\", [0])", "needs a member \"col\""},
        {"t(\"coo\"); i(\"shape\", [2, 3]); f(\"data\", [1]); i(\"coords\", [0])", "has not 2 dimensions"},
        {"t(\"coo\"); i(\"shape\", [2, 3]); f(\"data\", [1, 2]); i(\"row\", [0]); i(\"col\", [0])",
         "different lengths"},
        {"t(\"coo\"); i(\"shape\", [2]); f(\"data\", [1]); i(\"row\", [0]); i(\"col\", [0])",
         "it has 1 dimensions"},
        {"t(\"coo\"); i(\"shape\", [-2, 3]); f(\"data\", [1]); i(\"row\", [0]); i(\"col\", [0])", "negative"},
        {"t(\"coo\"); i(\"shape\", [2, 3]); f(\"data\", [1]); i(\"row\", [2]); i(\"col\", [0])",
         "entry 0 has row 2, and there are 2"},
        {"t(\"coo\"); i(\"shape\", [2, 3]); f(\"data\", [1]); i(\"row\", [0]); i(\"col\", [-1])",
         "entry 0 has column -1, and there are 3"},
        {"t(\"coo\"); i(\"shape\", [2, 3]); f(\"data\", [1]); f(\"row\", [0]); i(\"col\", [0])",
         "\"row\" must be int32 or int64"},
        {"t(\"csr\"); i(\"shape\", [2, 3]); f(\"data\", [1]); i(\"indptr\", [0, 1]); i(\"indices\", [0])",
         "\"indptr\" must have 2 + 1 numbers, from 0 to 1"},
        {"t(\"csr\"); i(\"shape\", [2, 3]); f(\"data\", [1]); i(\"indptr\", [0, 2, 1]); i(\"indices\", [0])",
         "\"indptr\" must not fall"},
        {"t(\"csr\"); i(\"shape\", [2, 3]); f(\"data\", [1]); i(\"indptr\", [0, -1, 1]); i(\"indices\", [0])",
         "\"indptr\" must not fall"},
        {"t(\"csc\"); i(\"shape\", [2, 3]); f(\"data\", [1]); i(\"indptr\", [0, 1, 1, 1]); i(\"indices\", "
         "[2])",
         "entry 0 has row 2, and there are 2"},
        {"t(\"csr\"); i(\"shape\", [9223372036854775807, 3], \"q\"); f(\"data\", [1]); i(\"indptr\", [0, "
         "1]); "
         "i(\"indices\", [0])",
         "\"indptr\" must have"},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct matrix_market matrix;
        struct error error;
        write_npz(row[r].members);
        cr_expect_not(read_npz(&matrix, &error), "%zu", r);
        cr_expect(strstr(error.text, row[r].part), "%zu: %s", r, error.text);
        matrix_market_clear(&matrix);
    }
}
