/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests files of several tensors, .npz and safetensors, made with Python's standard library. */

#include "harness/formats/collection.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64], npz[128], safetensors[128];

static void begin(void)
{
    strcpy(folder, "/tmp/assay-collection-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(npz, sizeof npz, "%s/a.npz", folder);
    snprintf(safetensors, sizeof safetensors, "%s/a.safetensors", folder);
}

static void end(void)
{
    unlink(npz);
    unlink(safetensors);
    rmdir(folder);
}

TestSuite(collections, .init = begin, .fini = end);

/* Runs Python with helpers: npy(descr, shape, bytes) and safe(header, bytes) return files; s and n are their
 * paths. */
static void python(const char *program)
{
    static char command[4000];
    cr_assert_lt((size_t)snprintf(
                     command, sizeof command,
                     "python3 -c 'import json, struct, sys, zipfile\nn, s = sys.argv[1:]\n"
                     "def npy(descr, shape, data, order=\"False\"):\n"
                     "    h = \"{\\x27descr\\x27: \\x27%%s\\x27, \\x27fortran_order\\x27: %%s, "
                     "\\x27shape\\x27: %%s, }\\n\" %% (descr, order, shape)\n"
                     "    return b\"\\x93NUMPY\\1\\0\" + struct.pack(\"<H\", len(h)) + h.encode() + data\n"
                     "def safe(header, data):\n"
                     "    h = header if isinstance(header, bytes) else json.dumps(header).encode()\n"
                     "    open(s, \"wb\").write(struct.pack(\"<Q\", len(h)) + h + data)\n"
                     "def t(dtype, shape, b, e): return dict(dtype=dtype, shape=shape, data_offsets=[b, e])\n"
                     "%s' %s %s",
                     program, npz, safetensors),
                 sizeof command);
    cr_assert_eq(system(command), 0, "%s", command);
}

static void read_one(const char *path, const char *name, enum dtype dtype, const char *shape, double last)
{
    struct collection c;
    struct error error = {.text = ""};
    struct tensor tensor;
    char text[160];
    cr_assert(collection_open(&c, path, &error), "%s", error.text);
    int i = collection_find(&c, name);
    cr_assert_geq(i, 0, "%s", name);
    cr_assert(collection_read(&c, i, &tensor, &error), "%s", error.text);
    shape_print(&tensor.shape, text, sizeof text);
    cr_expect_str_eq(text, shape);
    cr_expect_eq(tensor.dtype, dtype, "%s: %s", name, dtype_info(tensor.dtype)->name);
    cr_expect_eq(tensor_component(&tensor, shape_elements(&tensor.shape) - 1), last, "%s", name);
    tensor_destroy(&tensor);
    collection_close(&c);
}

/* Expects that the file is refused on opening, or when `name` is read. */
static void refused(const char *path, const char *name, const char *program, const char *text)
{
    struct collection c;
    struct error error = {.text = ""};
    struct tensor tensor;
    python(program);
    bool good = collection_open(&c, path, &error);
    if (good) {
        int i = collection_find(&c, name);
        good = i >= 0 && collection_read(&c, i, &tensor, &error);
        cr_expect_not(good, "%s: read", text);
    }
    cr_expect(strstr(error.text, text) && strstr(error.text, path), "%s: %s", text, error.text);
    collection_close(&c);
}

Test(collections, npz_members_are_read_stored_and_deflated_in_their_order)
{
    python(
        "z = zipfile.ZipFile(n, \"w\")\n"
        "z.writestr(\"arr_0.npy\", npy(\"<f4\", \"(2, 3)\", struct.pack(\"<6f\", 1, 2, 3, 4, 5, 6)))\n"
        "z.writestr(\"k.npy\", npy(\"<i8\", \"(2,)\", struct.pack(\"<2q\", 7, -8)), zipfile.ZIP_DEFLATED)\n"
        "z.writestr(\"f.npy\", npy(\"<f8\", \"(2, 2)\", struct.pack(\"<4d\", 1, 3, 2, 4), \"True\"))\n"
        "z.writestr(\"s.npy\", npy(\"|b1\", \"()\", b\"\\1\"))\nz.close()");
    read_one(npz, "arr_0", DTYPE_FLOAT32, "[2, 3]", 6);
    read_one(npz, "arr_0.npy", DTYPE_FLOAT32, "[2, 3]", 6);
    read_one(npz, "k", DTYPE_INT64, "[2]", -8);
    read_one(npz, "f", DTYPE_FLOAT64, "[2, 2]", 4);
    read_one(npz, "s", DTYPE_BOOL, "[]", 1);
    struct collection c;
    char text[200];
    cr_assert(collection_open(&c, npz, NULL));
    cr_expect(c.ordered);
    collection_list(&c, text, sizeof text);
    cr_expect_str_eq(text, "arr_0 float32 [2, 3], k int64 [2], f float64 [2, 2], s bool []");
    collection_list(&c, text, 32);
    cr_expect_str_eq(text, "arr_0 float32 [2, 3], …");
    collection_close(&c);
}

/* A header that declares a large array, and a member that would unpack to a large size, cost no memory. */
Test(collections, npz_sizes_are_checked_before_anything_is_inflated)
{
#define ONE(bytes)                                                                                           \
    "z = zipfile.ZipFile(n, \"w\", zipfile.ZIP_DEFLATED)\nz.writestr(\"x.npy\", " bytes ")\nz.close()"
    refused(npz, "x", ONE("npy(\"<f8\", \"(3,)\", bytes(50000000))"),
            "the archive declares 50000068 bytes of it, its header 92");
    refused(npz, "x", ONE("npy(\"<f8\", \"(1000000, 1000000, 10)\", bytes(8))"), "its header 80000000000086");
    refused(npz, "x", ONE("npy(\"<f8\", \"(\" + \"1000000, \" * 6 + \")\", bytes(8))"),
            "more elements than any memory holds");
    refused(npz, "x", ONE("b\"text\""), "numpy.save");
    refused(npz, "x", ONE("npy(\"<V2\", \"(2,)\", bytes(4))"), "save it as safetensors");
    refused(npz, "x", ONE("npy(\"|O\", \"(2,)\", bytes(4))"), "npz:x: it holds pickled Python objects");
    refused(npz, "notes.txt", "z = zipfile.ZipFile(n, \"w\")\nz.writestr(\"notes.txt\", \"text\")\nz.close()",
            "no .npy member");
#undef ONE
}

Test(collections, safetensors_of_every_dtype_are_read)
{
    python("d = [(\"F64\", struct.pack(\"<2d\", 1, 2)), (\"F32\", struct.pack(\"<2f\", 1, 3)), "
           "(\"F16\", struct.pack(\"<2e\", 1, 4)), (\"BF16\", b\"\\x80\\x3f\\xa0\\x40\"), "
           "(\"I64\", struct.pack(\"<2q\", 1, -6)), (\"I32\", struct.pack(\"<2i\", 1, -7)), "
           "(\"I8\", struct.pack(\"<2b\", 1, -8)), (\"U8\", bytes([1, 250])), (\"BOOL\", b\"\\0\\1\"), "
           "(\"C64\", struct.pack(\"<4f\", 1, 2, 9, 10))]\n"
           "h, b = dict(__metadata__=dict(format=\"pt\")), b\"\"\n"
           "for k, v in d:\n    h[\"m.\" + k] = t(k, [2, 1], len(b), len(b) + len(v))\n    b += v\n"
           "h[\"empty\"] = t(\"F32\", [0, 3], len(b), len(b))\nsafe(h, b)");
    read_one(safetensors, "m.F64", DTYPE_FLOAT64, "[2, 1]", 2);
    read_one(safetensors, "m.F32", DTYPE_FLOAT32, "[2, 1]", 3);
    read_one(safetensors, "m.F16", DTYPE_FLOAT16, "[2, 1]", 4);
    read_one(safetensors, "m.BF16", DTYPE_BFLOAT16, "[2, 1]", 5);
    read_one(safetensors, "m.I64", DTYPE_INT64, "[2, 1]", -6);
    read_one(safetensors, "m.I32", DTYPE_INT32, "[2, 1]", -7);
    read_one(safetensors, "m.I8", DTYPE_INT8, "[2, 1]", -8);
    read_one(safetensors, "m.U8", DTYPE_UINT8, "[2, 1]", 250);
    read_one(safetensors, "m.BOOL", DTYPE_BOOL, "[2, 1]", 1);
    struct collection c;
    cr_assert(collection_open(&c, safetensors, NULL));
    cr_expect_eq(c.count, 11);
    cr_expect_not(c.ordered);
    cr_expect_eq(collection_find(&c, "__metadata__"), -1);
    collection_close(&c);
}

Test(collections, safetensors_headers_are_checked_against_the_file)
{
    const char *path = safetensors;
    refused(path, "x", "safe(dict(x=t(\"F8_E4M3\", [4], 0, 4)), bytes(4))", "its dtype is F8_E4M3");
    refused(path, "x", "safe(dict(x=t(\"I16\", [2], 0, 4)), bytes(4))", "its dtype is I16");
    refused(path, "x", "safe(dict(x=t(\"F32\", [2], 0, 4)), bytes(4))",
            "another number of bytes than its shape and dtype take");
    refused(path, "x", "safe(dict(x=t(\"F32\", [2**40, 2**40], 0, 4)), bytes(4))", "another number of bytes");
    refused(path, "x", "safe(dict(x=t(\"F32\", [1], 0, 4), y=t(\"F32\", [2], 2, 10)), bytes(10))",
            "within another that ends at 4");
    refused(path, "x", "safe(dict(x=t(\"F32\", [1], 0, 4), y=t(\"F32\", [1], 8, 12)), bytes(12))",
            "behind a hole from 4");
    refused(path, "x", "safe(dict(x=t(\"F32\", [3], 0, 12)), bytes(8))", "cut short");
    refused(path, "x", "safe(dict(x=t(\"F32\", [1], 0, 4)), bytes(8))", "goes on for 4 bytes");
    refused(path, "x", "safe(dict(x=t(\"F32\", [1], -4, 0)), bytes(8))", "no range");
    refused(path, "x", "safe(dict(x=t(\"F32\", [-1], 0, 4)), bytes(4))", "no list of whole numbers");
    refused(path, "x", "safe(dict(x=t(\"F32\", [1] * 9, 0, 4)), bytes(4))", "more than 8 dimensions");
    refused(path, "x", "safe(dict(x=5), bytes(4))", "of the right form");
    refused(path, "x", "safe(b\"[1]\", b\"\")", "no JSON object");
    refused(path, "x", "safe(b\"{\\\"x\\\":\", b\"\")", "no JSON object");
    refused(path, "x",
            "safe(b\"{\" + b\",\".join([b\"\\\"x\\\":{\\\"dtype\\\":\\\"U8\\\",\\\"shape\\\":[0],"
            "\\\"data_offsets\\\":[0,0]}\"] * 2) + b\"}\", b\"\")",
            "duplicate");
    refused(path, "x", "open(s, \"wb\").write(struct.pack(\"<Q\", 200000000) + b\"{}\")", "100 MB");
    refused(path, "x", "open(s, \"wb\").write(struct.pack(\"<Q\", 2**63) + b\"{}\")", "100 MB");
    refused(path, "x", "open(s, \"wb\").write(struct.pack(\"<Q\", 9000000) + b\"{}\")", "within its header");
    refused(path, "x", "open(s, \"wb\").write(b\"abc\")", "shorter than");
    refused(path, "x", "safe({\"a\\x1b[2J\": t(\"F32\", [2], 0, 4)}, bytes(4))", "tensor a?[2J has");
}

Test(collections, a_name_stands_behind_the_files_ending)
{
    char path[64];
    const char *name;
    cr_assert(collection_split("dir/a.npz:x:y", path, sizeof path, &name));
    cr_expect_str_eq(path, "dir/a.npz");
    cr_expect_str_eq(name, "x:y");
    cr_assert(collection_split("C:/w.safetensors:model.layer.weight", path, sizeof path, &name));
    cr_expect_str_eq(path, "C:/w.safetensors");
    cr_expect_str_eq(name, "model.layer.weight");
    cr_assert(collection_split("a.npz", path, sizeof path, &name));
    cr_expect_str_eq(path, "a.npz");
    cr_expect_null(name);
    cr_expect_not(collection_split("a.npy", path, sizeof path, &name));
    cr_expect_not(collection_split("a.npz.npy", path, sizeof path, &name));
}
