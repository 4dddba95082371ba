/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_FUZZ_FILE_H
#define ASSAY_HARNESS_TEST_FUZZ_FILE_H

/* Files that hold the inputs of libFuzzer: each is made once in /tmp, written again for each input and
 * removed at the end. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct fuzz_file {
    char path[64]; /* "": not made yet */
};

enum { FUZZ_FILES = 4 };
static const struct fuzz_file *fuzz_made[FUZZ_FILES];

static void fuzz_remove(void)
{
    for (int k = 0; k < FUZZ_FILES && fuzz_made[k]; k++) {
        unlink(fuzz_made[k]->path);
    }
}

static bool fuzz_make(struct fuzz_file *file, const char *ending)
{
    static int count;
    snprintf(file->path, sizeof file->path, "/tmp/assay-fuzz-XXXXXX%s", ending);
    int descriptor = count < FUZZ_FILES ? mkstemps(file->path, (int)strlen(ending)) : -1;
    if (descriptor < 0) {
        file->path[0] = '\0';
        return false;
    }
    close(descriptor);
    if (count == 0) {
        atexit(fuzz_remove);
    }
    fuzz_made[count++] = file;
    return true;
}

/* Writes the bytes into the file, which must be static. False if it cannot be written. */
static bool fuzz_file(struct fuzz_file *file, const char *ending, const uint8_t *bytes, size_t size)
{
    if (!file->path[0] && !fuzz_make(file, ending)) {
        return false;
    }
    FILE *out = fopen(file->path, "wb");
    bool good = out && (size == 0 || fwrite(bytes, 1, size, out) == size);
    return (!out || fclose(out) == 0) && good;
}

#endif
