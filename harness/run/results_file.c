/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/results_file.h"

#include "harness/host/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool results_file_open(struct results_file *to, const char *path, struct error *error)
{
    *to = (struct results_file){.made = access(path, F_OK) != 0};
    if ((size_t)snprintf(to->path, sizeof to->path, "%s", path) >= sizeof to->path) {
        return error_set(error, "cannot write %.100s…: the path is too long", path);
    }
    to->file = fopen(path, "ae");
    if (!to->file && errno == ENOENT && output_make_parents(path)) {
        to->file = fopen(path, "ae");
    }
    if (!to->file) {
        return error_set(error, "cannot write %s: %s", path, strerror(errno));
    }
    to->busy = !output_lock(fileno(to->file), path, error);
    if (to->busy) {
        fclose(to->file); /* another run's, whichever of them created it */
        to->file = NULL;
    }
    return to->file != NULL;
}

bool results_file_empty(struct results_file *to, struct error *error)
{
    struct stat status;
    int fd = fileno(to->file);
    return (fstat(fd, &status) == 0 && (!S_ISREG(status.st_mode) || ftruncate(fd, 0) == 0)) ||
           error_set(error, "cannot write %s: %s", to->path, strerror(errno));
}

static bool write_line(struct results_file *to, char *line, struct error *error)
{
    bool good = line && fputs(line, to->file) >= 0 && putc('\n', to->file) != EOF && fflush(to->file) == 0;
    to->written += line ? (int64_t)strlen(line) + 1 : 0;
    if (!good) {
        error_set(error, "cannot write %s: %s", to->path, line ? strerror(errno) : "out of memory");
    }
    free(line);
    return good;
}

bool results_file_header(struct results_file *to, const struct record_header *header, struct error *error)
{
    return write_line(to, record_header_format(header), error);
}

bool results_file_record(struct results_file *to, const struct record *record, struct error *error)
{
    return write_line(to, record_format(record), error);
}

/* Checks that the path still leads to the open file, and that a regular file holds as many bytes as were
 * written. */
static bool is_whole(const struct results_file *to, struct error *error)
{
    struct stat open, named;
    if (fstat(fileno(to->file), &open) != 0) {
        return error_set(error, "%s is incomplete: %s", to->path, strerror(errno));
    }
    if (!S_ISREG(open.st_mode)) {
        return true;
    }
    if (stat(to->path, &named) != 0 || named.st_dev != open.st_dev || named.st_ino != open.st_ino) {
        return error_set(
            error, "%s was removed or replaced during the run, so its records are lost; run again", to->path);
    }
    return open.st_size == to->written ||
           error_set(error,
                     "%s was changed by another process during the run: it has %" PRId64 " bytes and %" PRId64
                     " were written; its records are lost, so run again",
                     to->path, (int64_t)open.st_size, to->written);
}

bool results_file_close(struct results_file *to, struct error *error)
{
    bool failed = ferror(to->file), whole = failed || is_whole(to, error);
    bool closed = fclose(to->file) == 0;
    to->file = NULL;
    if (whole && !closed) {
        return error_set(error, "%s is incomplete: %s", to->path, strerror(errno));
    }
    return whole && (!failed || error_set(error, "%s is incomplete: a write failed", to->path));
}

void results_file_drop(struct results_file *to)
{
    if (to->file) {
        fclose(to->file);
        to->file = NULL;
        if (to->made) {
            unlink(to->path);
        }
    }
}
