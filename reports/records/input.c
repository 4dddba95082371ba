/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "a directory: name a file in it"
           : S_ISFIFO(mode) ? "a pipe: give a regular file"
           : S_ISSOCK(mode) ? "a socket: give a regular file"
                            : "a device: give a regular file";
}

FILE *input_open(const char *path, struct error *error)
{
    struct stat status;
    int fd =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* does not wait for a pipe or a terminal */
    if (fd < 0 && errno == ENXIO && stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        error_set(error, "%.300s is %s", path, kind_of(status.st_mode));
        return NULL;
    }
    if (fd < 0 || fstat(fd, &status) != 0) {
        error_set(error, "%.300s: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        error_set(error, "%.300s is %s", path, kind_of(status.st_mode));
    } else {
        FILE *file = fdopen(fd, "rb");
        if (file) {
            return file;
        }
        error_set(error, "%.300s: %s", path, strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    return NULL;
}

/* Makes room for one more byte and a terminating zero. */
static bool grow(char **text, size_t *room, size_t used)
{
    if (used + 2 <= *room) {
        return true;
    }
    size_t more = *room ? 2 * *room : 4096;
    char *grown = realloc(*text, more);
    if (grown) {
        *text = grown;
        *room = more;
    }
    return grown;
}

ssize_t input_line(FILE *file, char **line, size_t *room, const char *path, long number, struct error *error)
{
    size_t used = 0;
    for (int c = 0; c != '\n' && (c = getc_unlocked(file)) != EOF;) {
        if (used >= INPUT_MOST) {
            error_set(error, "%.300s: line %ld is longer than %d MiB", path, number, INPUT_MOST >> 20);
            return -1;
        }
        if (!grow(line, room, used)) {
            error_set(error, "%.300s: line %ld: out of memory", path, number);
            return -1;
        }
        (*line)[used++] = (char)c;
    }
    if (ferror(file)) {
        error_set(error, "%.300s: %s", path, strerror(errno));
        return -1;
    }
    if (used) {
        (*line)[used] = '\0';
    }
    return used ? (ssize_t)used : -1;
}

char *input_text(const char *path, size_t *length, struct error *error)
{
    FILE *file = input_open(path, error);
    char *text = NULL;
    size_t room = 0, used = 0;
    bool good = file != NULL;
    while (good && !feof(file)) {
        good = (used <= INPUT_MOST ||
                error_set(error, "%.300s: it is longer than %d MiB", path, INPUT_MOST >> 20)) &&
               (grow(&text, &room, used) || error_set(error, "%.300s: out of memory", path));
        used += good ? fread(text + used, 1, room - 1 - used, file) : 0;
        good = good && (!ferror(file) || error_set(error, "%.300s: %s", path, strerror(errno)));
    }
    if (file) {
        fclose(file);
    }
    if (good) {
        text[used] = '\0';
        *length = used;
        return text;
    }
    free(text);
    return NULL;
}
