/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/archive.h"
#include "harness/host/output.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

/* The archive is built in memory, so that the file appears complete (output.h). */
struct archive_writer {
    zip_source_t *memory;
    zip_t *zip;
};

static void discard(struct archive_writer **writer)
{
    if (*writer) {
        if ((*writer)->zip) {
            zip_discard((*writer)->zip);
        }
        if ((*writer)->memory) {
            zip_source_free((*writer)->memory);
        }
        free(*writer);
        *writer = NULL;
    }
}

struct archive_writer *archive_write_begin(struct error *error)
{
    struct archive_writer *writer = calloc(1, sizeof *writer);
    zip_error_t why;
    zip_error_init(&why);
    if (writer) {
        writer->memory = zip_source_buffer_create(NULL, 0, 0, &why);
        writer->zip =
            writer->memory ? zip_open_from_source(writer->memory, ZIP_CREATE | ZIP_TRUNCATE, &why) : NULL;
    }
    if (!writer || !writer->zip) {
        error_set(error, "cannot begin a zip archive: %s",
                  writer ? zip_error_strerror(&why) : "out of memory");
        discard(&writer);
    } else {
        zip_source_keep(writer->memory); /* zip_close releases its own reference */
    }
    zip_error_fini(&why);
    return writer;
}

bool archive_add(struct archive_writer *writer, const char *name, const void *bytes, size_t size,
                 struct error *error)
{
    void *copy = size ? malloc(size) : NULL; /* libzip does not free an empty buffer */
    if (size && !copy) {
        return error_set(error, "out of memory for %.200s", name);
    }
    if (size) {
        memcpy(copy, bytes, size);
    }
    zip_source_t *source = zip_source_buffer(writer->zip, copy, size, size > 0);
    if (!source) {
        free(copy);
        return error_set(error, "out of memory for %.200s", name);
    }
    zip_int64_t i = zip_file_add(writer->zip, name, source, ZIP_FL_ENC_UTF_8);
    if (i < 0) {
        zip_source_free(source);
        return error_set(error, "the member %.200s: %s", name, zip_strerror(writer->zip));
    }
    /* All members have the date 1980-01-01, the first of the zip format, so that the bytes do not depend on
     * the clock. */
    return (zip_set_file_compression(writer->zip, (zip_uint64_t)i, ZIP_CM_STORE, 0) == 0 &&
            zip_file_set_dostime(writer->zip, (zip_uint64_t)i, 0, 1 << 5 | 1, 0) == 0) ||
           error_set(error, "the member %.200s: %s", name, zip_strerror(writer->zip));
}

static bool copy_out(zip_source_t *memory, struct output *output)
{
    char part[1 << 14];
    bool good = zip_source_open(memory) == 0;
    zip_int64_t got = 0;
    while (good && (got = zip_source_read(memory, part, sizeof part)) > 0) {
        good = fwrite(part, 1, (size_t)got, output->file) == (size_t)got;
    }
    return good && got == 0 && zip_source_close(memory) == 0;
}

bool archive_write_end(struct archive_writer **writer, const char *path, struct error *error)
{
    struct output output;
    bool good = false;
    if (path && *writer) {
        good = zip_close((*writer)->zip) == 0;
        if (!good) {
            error_set(error, "%s: %s", path, zip_strerror((*writer)->zip));
        } else {
            (*writer)->zip = NULL;
            good = output_begin(&output, path, error);
        }
        if (good) {
            good = copy_out((*writer)->memory, &output);
            if (!good) {
                error_set(error, "cannot write %s", path);
            }
            good = output_end(&output, good, error);
        }
    }
    discard(writer);
    return good;
}
