/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_FUZZ_COLLECTION_H
#define ASSAY_HARNESS_TEST_FUZZ_COLLECTION_H

/* Files of several tensors: every tensor that one lists is read. FUZZ_COLLECTION(".npz") is a libFuzzer
 * target; the ending tells the format. */

#include "harness/formats/collection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char path[64];

static void leave(void)
{
    unlink(path);
}

static int read_collection(const char *ending, const uint8_t *bytes, size_t size)
{
    static int file = -1;
    if (file < 0) {
        snprintf(path, sizeof path, "/tmp/assay-fuzz-XXXXXX%s", ending);
        file = mkstemps(path, (int)strlen(ending));
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

#define FUZZ_COLLECTION(ending)                                                                              \
    int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)                                            \
    {                                                                                                        \
        return read_collection(ending, bytes, size);                                                         \
    }

#endif
