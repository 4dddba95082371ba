/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests inputs from files of several tensors. */

TestSuite(repro_files, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* Writes A.npz with a, float32 [2, 3], and b, float32 [3, 2], where b is deflated; and w.safetensors with w.a
 * and w.b, the same in bfloat16. */
static void write_files(void)
{
    char command[2048];
    snprintf(command, sizeof command,
             "cd %s && python3 -c 'import json, struct, zipfile\n"
             "def npy(shape, data):\n"
             "    h = \"{\\x27descr\\x27: \\x27<f4\\x27, \\x27fortran_order\\x27: False, "
             "\\x27shape\\x27: %%s, }\\n\" %% (shape,)\n"
             "    return b\"\\x93NUMPY\\1\\0\" + struct.pack(\"<H\", len(h)) + h.encode() + data\n"
             "a, b = range(1, 7), range(2, 8)\n"
             "z = zipfile.ZipFile(\"A.npz\", \"w\")\n"
             "z.writestr(\"a.npy\", npy((2, 3), struct.pack(\"<6f\", *a)))\n"
             "z.writestr(\"b.npy\", npy((3, 2), struct.pack(\"<6f\", *b)), zipfile.ZIP_DEFLATED)\nz.close()\n"
             "half = lambda v: b\"\".join(struct.pack(\"<f\", x)[2:] for x in v)\n"
             "h = json.dumps({\"w.b\": dict(dtype=\"BF16\", shape=[3, 2], data_offsets=[12, 24]), "
             "\"w.a\": dict(dtype=\"BF16\", shape=[2, 3], data_offsets=[0, 12])}).encode()\n"
             "open(\"w.safetensors\", \"wb\").write(struct.pack(\"<Q\", len(h)) + h + half(a) + half(b))'",
             trial->folder);
    cr_assert_eq(system(command), 0, "%s", command);
}

/* The product of [[1, 2, 3], [4, 5, 6]] and [[2, 3], [4, 5], [6, 7]] is the same from all files. */
Test(repro_files, arrays_of_an_npz_and_tensors_of_safetensors_are_inputs)
{
    static const char *const inputs[] = {
        "--input FOLDER/A.npz", "--input FOLDER/A.npz:a --input FOLDER/A.npz:b.npy",
        "--dtype float32 --input FOLDER/w.safetensors:w.a --input FOLDER/w.safetensors:w.b"};
    char *digest = NULL;
    write_files();
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        trial_run("repro --op matmul --backend cpu --format json %s", inputs[i]);
        cr_assert_eq(trial->status, 0, "%s", trial->output);
        json_t *json = trial_json();
        const char *text = json_string_value(json_object_get(json, "inputs_digest"));
        cr_assert_not_null(text, "%s", trial->output);
        cr_expect_str_eq(json_string_value(json_object_get(json, "dtype")), "float32");
        cr_expect(!digest || strcmp(digest, text) == 0, "%s: %s", inputs[i], text);
        digest = digest ? digest : strdup(text);
        json_decref(json);
    }
    free(digest);
    trial_run("repro --op matmul --backend cpu --input FOLDER/w.safetensors:w.a "
              "--input FOLDER/w.safetensors:w.b");
    cr_assert(strstr(trial->output, "matmul of bfloat16 [2, 3]"), "%s", trial->output);
}

Test(repro_files, what_a_file_holds_is_reported_where_the_choice_is_open)
{
    static const struct {
        const char *words, *message;
    } row[] = {
        {"--op logdet --input FOLDER/A.npz",
         "holds 2: a float32 [2, 3], b float32 [3, 2]; choose with --input"},
        {"--op matmul --input FOLDER/A.npz:a", "matmul takes 2 inputs (input, other); the 1 file"},
        {"--op amp_update_scale --input FOLDER/A.npz",
         ": a float32 [2, 3], b float32 [3, 2]; choose one with --input FILE:NAME"},
        {"--op logdet --input FOLDER/A.npz:c",
         "no tensor \"c\"; it holds a float32 [2, 3], b float32 [3, 2]"},
        {"--op logdet --input FOLDER/w.safetensors", "name a tensor of it, as in --input"},
        {"--op logdet --input FOLDER/w.safetensors:w", "no tensor \"w\"; it holds w.b bfloat16 [3, 2], w.a"},
        {"--op logdet --input FOLDER/none.npz:a", "No such file"},
    };
    write_files();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        trial_run("repro --backend cpu %s", row[i].words);
        cr_expect_eq(trial->status, 2, "%s: %s", row[i].words, trial->output);
        cr_expect(strstr(trial->output, row[i].message), "%s: %s", row[i].words, trial->output);
    }
}

/* An error about shapes names the expected shape and the given ones. */
Test(repro_files, a_shape_that_does_not_fit_is_named_beside_the_one_that_would)
{
    static const struct {
        const char *words, *expected, *given;
    } row[] = {
        {"--op logdet --input FOLDER/A.npz:a", "square matrices [..., n, n]", "given: float32 [2, 3]"},
        {"--op matmul --input FOLDER/A.npz:a --input FOLDER/A.npz:a", "expected are […, m, k] and […, k, n]",
         "given: float32 [2, 3], float32 [2, 3]"},
        {"--op linear --input FOLDER/A.npz:a --input FOLDER/A.npz:a --input FOLDER/A.npz:b",
         "bias must be [2], as many as weight has rows",
         "given: float32 [2, 3], float32 [2, 3], float32 [3, 2]"},
        {"--op add_ --input FOLDER/A.npz:a --input FOLDER/A.npz:b",
         "input 1 (other) must broadcast to [2, 3]", "given: float32 [2, 3], float32 [3, 2]"},
        {"--op layer_norm --attr normalized_shape=5 --input FOLDER/A.npz:a",
         "must be the input's last dimensions, those of [2, 3]; it is [5]", "given: float32 [2, 3]"},
        {"--op layer_norm --attr normalized_shape=3 --input FOLDER/A.npz:a --input none --input "
         "FOLDER/A.npz:b",
         "input 2 (bias) must be float32 [3]", "given: float32 [2, 3], none, float32 [3, 2]"},
        {"--op group_norm --attr num_groups=2 --input FOLDER/A.npz:a", "2 groups do not divide 3 channels",
         "given: float32 [2, 3]"},
        {"--op amp_update_scale --input FOLDER/A.npz:a --input FOLDER/A.npz:a --input FOLDER/A.npz:a",
         "must be one float32, of shape [] or [1]", "given: float32 [2, 3], "},
        {"--op sparse_mm --input FOLDER/S.mtx --input FOLDER/A.npz:b", "input 2 (mat2) must be ",
         "float32 [3, 2]"},
        {"--op csr_mm --input FOLDER/S.mtx --input FOLDER/A.npz:b", "it is [3, 2]", "given: int64 [3], "},
    };
    write_files();
    trial_write("S.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        trial_run("repro --backend cpu %s", row[i].words);
        cr_expect_eq(trial->status, 2, "%s: %s", row[i].words, trial->output);
        cr_expect(strstr(trial->output, row[i].expected), "%s: %s", row[i].words, trial->output);
        cr_expect(strstr(trial->output, row[i].given), "%s: %s", row[i].words, trial->output);
    }
}
