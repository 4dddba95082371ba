/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* .npz files: every tensor that one lists. libFuzzer target. */

#include "harness/formats/collection.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char path[64] = "/tmp/assay-fuzz-XXXXXX.npz"; /* the ending tells the format */

static void leave(void)
{
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int file = -1;
    if (file < 0) {
        file = mkstemps(path, sizeof ".npz" - 1);
        atexit(leave);
    }
    struct collection collection;
    struct error error;
    char list[100];
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, size, 0) != (ssize_t)size) {
        return 0;
    }
    bool good = collection_open(&collection, path, &error);
    for (int i = 0; good && i < collection.count; i++) {
        struct tensor tensor;
        collection_list(&collection, list, sizeof list);
        if (collection_read(&collection, i, &tensor, &error)) {
            tensor_destroy(&tensor);
        }
    }
    collection_close(&collection);
    return 0;
}
