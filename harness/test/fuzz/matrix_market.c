/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* MatrixMarket files. libFuzzer target. */

#include "harness/formats/matrix_market.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("mtx", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    struct matrix_market matrix;
    struct error error;
    if (ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size) {
        matrix_market_read(path, &matrix, &error);
        matrix_market_clear(&matrix);
    }
    return 0;
}
