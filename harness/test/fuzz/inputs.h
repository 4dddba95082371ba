/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_FUZZ_INPUTS_H
#define ASSAY_HARNESS_TEST_FUZZ_INPUTS_H

/* libFuzzer targets for files of tensors. FUZZ_INPUTS(".npz", "sgn", "addcmul") reads the bytes as a file
 * with that ending, as `assay repro --op OP --input FILE` does for each operator: once with the file's
 * dtypes, once rounded to float16. Every tensor that was read is written as .npy, and reading that file must
 * give the same bits. */

#include "harness/formats/inputs.h"
#include "harness/formats/npy.h"
#include "harness/test/fuzz/file.h"

#include <stdlib.h>
#include <string.h>

static void round_trip(const struct tensor *tensor)
{
    static struct fuzz_file copy;
    struct tensor again = {.data = NULL};
    struct error error;
    if (!fuzz_file(&copy, ".npy", NULL, 0) || !npy_write_tensor(copy.path, tensor, &error)) {
        return;
    }
    const size_t bytes = (size_t)shape_elements(&tensor->shape) * dtype_info(tensor->dtype)->size;
    bool same = npy_read(copy.path, &again, &error) && again.dtype == tensor->dtype &&
                shape_equal(&again.shape, &tensor->shape) &&
                (bytes == 0 || memcmp(again.data, tensor->data, bytes) == 0);
    tensor_destroy(&again);
    if (!same) {
        abort();
    }
}

/* Reads the file as inputs of an operator. A CSR matrix gets an empty dense operand beside it. */
static void read_inputs(const char *path, const char *op, enum dtype dtype)
{
    static struct fuzz_file dense;
    const struct tensor empty = {.dtype = DTYPE_FLOAT32, .shape = {.rank = 1}};
    struct repro_inputs inputs;
    struct attributes attributes = {.count = 0};
    struct error error;
    const bool csr = strncmp(op, "csr_", 4) == 0;
    if (csr && !dense.path[0] &&
        !(fuzz_file(&dense, ".npy", NULL, 0) && npy_write_tensor(dense.path, &empty, &error))) {
        return;
    }
    const struct texts files = {.count = csr ? 2 : 1, .text = (const char *[]){path, dense.path}};
    if (repro_inputs_read(&inputs, op_find(op), &files, NULL, dtype, &attributes, &error)) {
        for (int i = 0; i < inputs.inputs; i++) {
            if (!tensor_absent(&inputs.input[i])) {
                round_trip(&inputs.input[i]);
            }
        }
    }
    repro_inputs_clear(&inputs);
}

#define FUZZ_INPUTS(ending, ...)                                                                             \
    int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)                                            \
    {                                                                                                        \
        static struct fuzz_file file;                                                                        \
        static const char *const op[] = {__VA_ARGS__};                                                       \
        if (fuzz_file(&file, ending, bytes, size)) {                                                         \
            for (size_t k = 0; k < sizeof op / sizeof *op; k++) {                                            \
                read_inputs(file.path, op[k], DTYPE_COUNT);                                                  \
                read_inputs(file.path, op[k], DTYPE_FLOAT16);                                                \
            }                                                                                                \
        }                                                                                                    \
        return 0;                                                                                            \
    }

#endif
